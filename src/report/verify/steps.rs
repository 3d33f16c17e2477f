//! The steps of a run of a C program: a line of C, and what happened, with a column for each thread.

use crate::ir::{Module, Place};
use crate::report::run::what;
use crate::report::text::columns;
use crate::vm::{RunOutcome, TraceStep};
use std::collections::{BTreeMap, BTreeSet};

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

/// The threads that make the steps of a run, in order.
fn threads(run: &RunOutcome) -> Vec<u32> {
    let all: BTreeSet<u32> = told(run).iter().map(|step| step.location.thread).collect();
    all.into_iter().collect()
}

/// The steps of a run. That a thread is entered is told where it makes its first step, not where it is started.
pub(in crate::report) fn told(run: &RunOutcome) -> Vec<&TraceStep> {
    let mut entered: BTreeMap<u32, Vec<&TraceStep>> = BTreeMap::new();
    let mut told: Vec<&TraceStep> = Vec::new();
    let mut current = run.trace.first().map_or(0, |step| step.location.thread);
    for step in &run.trace {
        let thread = step.location.thread;
        let first = !entered.contains_key(&thread) && thread != current;
        if first {
            entered.insert(thread, vec![step]);
            continue;
        }
        told.append(entered.entry(thread).or_default());
        told.push(step);
        current = thread;
    }
    told
}

/// Who makes a run, if there is more than one thread: "2 threads, 1 context switch".
pub(super) fn company(run: &RunOutcome) -> Option<String> {
    let (threads, switches) = (threads(run).len(), switches(&told(run)));
    let plural = |count: usize| if count == 1 { "" } else { "es" };
    (threads > 1).then(|| format!("{threads} threads, {switches} context switch{}", plural(switches)))
}

/// How often the running thread changes.
pub(in crate::report) fn switches(told: &[&TraceStep]) -> usize {
    told.windows(2).filter(|pair| pair[0].location.thread != pair[1].location.thread).count()
}

/// The steps of a run.
#[must_use]
pub fn steps(module: &Module, run: &RunOutcome, length: Length) -> String {
    let told = told(run);
    let threads = threads(run);
    let (first, last) = SHORT;
    let places = || told.iter().filter_map(|step| step.location.place);
    let one_file = places().map(|place| place.file).collect::<BTreeSet<_>>().len() < 2;
    let line = |place: Place| match one_file {
        true => format!("  line {}", place.line),
        false => format!("  {}:{}", module.files[place.file], place.line),
    };
    let rows = |steps: &[&TraceStep]| -> Vec<Vec<String>> {
        steps.iter().map(|step| row(step.location.place.map(line), &threads, step)).collect()
    };
    let mut all = Vec::new();
    if threads.len() > 1 {
        let names = threads.iter().map(|thread| format!("thread {thread}"));
        all.push(std::iter::once(String::new()).chain(names).collect());
    }
    if length == Length::Full || told.len() <= first + last + 1 {
        all.extend(rows(&told));
    } else {
        all.extend(rows(&told[..first]));
        all.push(vec![format!("  … {} steps", told.len() - first - last)]);
        all.extend(rows(&told[told.len() - last..]));
    }
    columns(all)
}

/// A row: the line (with the file's name if there are several), and what happened in the column of its thread.
fn row(line: Option<String>, threads: &[u32], step: &TraceStep) -> Vec<String> {
    let mut row = vec![line.unwrap_or_default()];
    let column = threads.iter().position(|&thread| thread == step.location.thread);
    row.extend(std::iter::repeat_n(String::new(), column.unwrap_or(0)));
    let indent = "  ".repeat(step.depth.saturating_sub(1).min(20));
    row.push(format!("{indent}{}", what(&step.event)));
    row
}
