//! The report as text: a verdict per property, counterexamples, figures, assumptions, the result.

use super::story::{self, Story};
use super::{Report, Usage, grouped, property_text, timeline};
use crate::boolean::trace::Trace;
use crate::checker::proof::Proof;
use crate::ground::assurance::Assurance;
use crate::ground::event::Statistics;
use crate::ground::verdict::{Overall, Verdict};
use std::fmt::Write as _;

/// How wide the text of a property may get.
const STATEMENT_WIDTH: usize = 72;

/// Colours, as terminals understand them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colors {
    /// With colours.
    Ansi,
    /// Without.
    Plain,
}

impl Colors {
    pub(super) fn paint(self, text: &str, code: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Ansi => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }

    pub(super) fn verdict(self, text: &str, verdict: &str) -> String {
        let code = match verdict {
            "holds" => "1;32",
            "violated" => "1;31",
            _ => "1;33",
        };
        self.paint(text, code)
    }
}

/// The whole report.
#[must_use]
pub fn report(report: &Report<'_>, colors: Colors) -> String {
    let mut out = String::new();
    table(&mut out, report, colors);
    if let Some(length) = report.trace {
        counterexamples(&mut out, report, length, colors);
    }
    out.push('\n');
    statistics(&mut out, report);
    assumptions(&mut out, report);
    proof(&mut out, report);
    out.push_str(&result_line(&report.outcome.overall(), colors));
    out
}

/// How many counterexamples are told in short: nobody reads more at a time.
const TOLD_IN_SHORT: usize = 5;

fn counterexamples(out: &mut String, report: &Report<'_>, length: story::Length, colors: Colors) {
    let traces: Vec<&Trace> =
        report.outcome.verdicts.iter().filter_map(|(_, verdict)| verdict.run()).collect();
    let told = match length {
        story::Length::Short => traces.len().min(TOLD_IN_SHORT),
        story::Length::Full => traces.len(),
    };
    for trace in &traces[..told] {
        out.push('\n');
        counterexample(out, report, &story::tell(report.program, trace, length), length, colors);
    }
    if told < traces.len() {
        let more = grouped((traces.len() - told) as u64);
        let _ = writeln!(out, "\n… and {more} more: `--property ID` tells one, `--trace full` all");
    }
}

/// The last line, with its line feed.
#[must_use]
pub fn result_line(overall: &Overall, colors: Colors) -> String {
    let text = overall.to_string();
    let word = text.split(' ').next().unwrap_or_default();
    format!("result: {}{}\n", colors.verdict(word, word), &text[word.len()..])
}

/// The properties of a program, one per line: id, line, text.
#[must_use]
pub fn list(source: &crate::ground::source::SourceFile, program: &crate::boolean::cfg::Program) -> String {
    if program.properties.is_empty() {
        return "no property to check\n".to_owned();
    }
    let rows = program.properties.iter().map(|property| {
        let line = source.line(property.span.start);
        vec![
            property.name.clone(),
            format!("line {line}"),
            property_text(source, program, property, STATEMENT_WIDTH),
        ]
    });
    columns(rows.collect())
}

fn table(out: &mut String, report: &Report<'_>, colors: Colors) {
    if report.outcome.verdicts.is_empty() {
        out.push_str("no property to check\n");
        return;
    }
    let mut rows = Vec::new();
    for (id, verdict) in &report.outcome.verdicts {
        let property = &report.program.properties[*id];
        let line = format!("line {}", report.source.line(property.span.start));
        let text = property_text(report.source, report.program, property, STATEMENT_WIDTH);
        let text = match verdict {
            Verdict::Unknown(reason) => format!("{text}   ({reason})"),
            _ => text,
        };
        // Padded before it is painted: colours have no width.
        let word = format!("{:8}", verdict.word());
        let word = colors.verdict(&word, word.trim_end());
        rows.push(vec![property.name.clone(), line, word, text]);
    }
    out.push_str(&columns(rows));
}

/// Rows with aligned columns, two blanks between them, none at the end.
pub(super) fn columns(rows: Vec<Vec<String>>) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in &rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, &width) in row.iter().zip(&widths) {
            let _ = write!(line, "{cell:width$}  ");
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn counterexample(
    out: &mut String,
    report: &Report<'_>,
    story: &Story,
    length: story::Length,
    colors: Colors,
) {
    let name = &report.program.properties[story.property].name;
    let head = format!("counterexample to {name}, {}:", extent(story));
    let _ = writeln!(out, "{}", colors.paint(&head, "1"));
    out.push_str(&columns(timeline::rows(report, story, length)));
}

/// How long a counterexample is: `17 steps, 2 context switches`.
fn extent(story: &Story) -> String {
    let number = |number: u64, one: &str, many: &str| match number {
        1 => format!("1 {one}"),
        _ => format!("{} {many}", grouped(number)),
    };
    let steps = number(story.steps, "step", "steps");
    if story.threads == 1 {
        return steps;
    }
    format!("{steps}, {}", number(story.switches as u64, "context switch", "context switches"))
}

/// The engine and its figures, and with `--stats` all figures.
fn statistics(out: &mut String, report: &Report<'_>) {
    let _ = writeln!(out, "engine: {} ({})", report.outcome.engine, report.outcome.why);
    out.push_str(&statistics_line(&report.outcome.statistics));
    if let Some(usage) = report.usage {
        let program = report.program;
        let sizes = [
            ("procedures", program.procedures.len() as u64),
            ("nodes", program.nodes.len() as u64),
            ("global variables", program.global_count as u64),
            ("local variables", (program.variables.len() - program.global_count) as u64),
        ];
        out.push_str(&columns(figures(usage, &sizes, &report.outcome.statistics)));
    }
}

/// One line: the figures of the engine; none if there are none.
pub(super) fn statistics_line(statistics: &Statistics) -> String {
    let figures = statistics.iter().map(|(name, value)| format!("{} {name}", grouped(value)));
    let parts: Vec<String> = figures.collect();
    if parts.is_empty() { String::new() } else { format!("statistics: {}\n", parts.join(", ")) }
}

/// The figures one per row, with time, memory and the sizes of the input.
pub(super) fn figures(
    usage: Usage,
    sizes: &[(&'static str, u64)],
    statistics: &Statistics,
) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut add = |name: &str, value: String| rows.push(vec![format!("  {name}"), format!("{value:>16}")]);
    add("time (s)", format!("{:.3}", usage.elapsed.as_secs_f64()));
    if let Some(memory) = usage.memory {
        add("memory (MiB)", grouped(memory.div_ceil(1 << 20)));
    }
    for (name, value) in sizes.iter().copied().chain(statistics.iter()) {
        add(name, grouped(value));
    }
    rows
}

/// One line: what became of the proof that was asked for.
fn proof(out: &mut String, report: &Report<'_>) {
    let _ = match &report.outcome.proof {
        None => Ok(()),
        Some(Proof::None(why)) => writeln!(out, "proof: none ({why})"),
        Some(Proof::Written { folder, formulas, bytes }) => {
            let (formulas, bytes) = (grouped(*formulas as u64), grouped(*bytes));
            writeln!(out, "proof: {folder} ({formulas} formulas, {bytes} bytes of DRAT)")
        }
    };
}

fn assumptions(out: &mut String, report: &Report<'_>) {
    out.push_str(&assumptions_line(&report.outcome.assurance));
}

/// One line: what the verdicts rest on.
pub(super) fn assumptions_line(assurance: &Assurance) -> String {
    let list: Vec<String> = assurance.assumptions.iter().map(ToString::to_string).collect();
    format!("assumptions: {}\n", if list.is_empty() { "none".to_owned() } else { list.join("; ") })
}
