//! The steps of a run of a C program: a line of C, and what happened, with a column for each thread.

use crate::ir::{Module, Place};
use crate::report::run::what;
use crate::report::text::columns;
use crate::vm::{RunOutcome, TraceStep};

/// In short, so many steps from the start and from the end are told.
const SHORT: (usize, usize) = (20, 40);

/// How much of a run is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// The start and the end.
    Short,
    /// Everything.
    Full,
}

/// The steps of a run.
pub(super) fn steps(module: &Module, run: &RunOutcome, length: Length) -> String {
    let told: Vec<&TraceStep> = run.trace.iter().collect();
    let (first, last) = SHORT;
    let rows = |steps: &[&TraceStep]| -> Vec<Vec<String>> {
        steps.iter().map(|step| row(module, run, step)).collect()
    };
    if length == Length::Full || told.len() <= first + last + 1 {
        return columns(rows(&told));
    }
    let mut all = rows(&told[..first]);
    all.push(vec![format!("  … {} steps", told.len() - first - last)]);
    all.extend(rows(&told[told.len() - last..]));
    columns(all)
}

fn row(module: &Module, run: &RunOutcome, step: &TraceStep) -> Vec<String> {
    let mut row = vec![step.location.place.map_or_else(String::new, |place| line(module, place))];
    row.extend(std::iter::repeat_n(
        String::new(),
        if run.threads > 1 { step.location.thread as usize } else { 0 },
    ));
    let indent = "  ".repeat(step.depth.saturating_sub(1).min(20));
    row.push(format!("{indent}{}", what(&step.event)));
    row
}

/// `  line 12`, or with the file's name if there are several.
fn line(module: &Module, place: Place) -> String {
    match module.files.len() {
        1 => format!("  line {}", place.line),
        _ => format!("  {}:{}", module.files[place.file], place.line),
    }
}
