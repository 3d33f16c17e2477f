//! The report as text: a verdict per property, counterexamples, figures, assumptions, the result.

use super::story::{self, Line, Story, Value, What};
use super::{Report, Usage, condition_text, excerpt, grouped, property_text};
use crate::boolean::cfg::{Property, PropertyKind};
use crate::ground::event::Statistics;
use crate::ground::reason::Assurance;
use crate::trace::Trace;
use crate::verdict::{Overall, Verdict};
use std::fmt::Write as _;

/// How wide the text of a property or a statement may get.
const STATEMENT_WIDTH: usize = 72;
/// How wide the column of one of several threads may get.
const THREAD_WIDTH: usize = 40;

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
    out.push_str(&result_line(&report.outcome.overall(), colors));
    out
}

/// How many counterexamples are told in short: nobody reads more at a time.
const TOLD_IN_SHORT: usize = 5;

fn counterexamples(out: &mut String, report: &Report<'_>, length: story::Length, colors: Colors) {
    let traces: Vec<_> =
        report.outcome.verdicts.iter().filter_map(|(_, verdict)| violation(verdict)).collect();
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

fn violation(verdict: &Verdict) -> Option<&Trace> {
    match verdict {
        Verdict::Violated(trace) => Some(trace),
        _ => None,
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
        let word = format!("{:8}", word(verdict));
        let word = colors.verdict(&word, word.trim_end());
        rows.push(vec![property.name.clone(), line, word, text]);
    }
    out.push_str(&columns(rows));
}

/// The word for a verdict.
#[must_use]
pub fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated(_) => "violated",
        Verdict::Unknown(_) => "unknown",
    }
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
    let property = &report.program.properties[story.property];
    let steps =
        if story.steps == 1 { "1 step".to_owned() } else { format!("{} steps", grouped(story.steps)) };
    let _ = writeln!(out, "{}", colors.paint(&format!("counterexample to {}, {steps}:", property.name), "1"));
    let mut rows = Vec::new();
    if story.threads > 1 {
        let heads = (0..story.threads).map(|thread| format!("thread {thread}"));
        rows.push(["  line".to_owned()].into_iter().chain(heads).collect());
    }
    if !story.initial.is_empty() {
        let mut row = cells(story, 0, "(initially)".to_owned(), String::new());
        row.push(values(report, &story.initial));
        rows.push(row);
    }
    rows.extend(story.lines.iter().map(|line| row(report, story, line, length)));
    out.push_str(&columns(rows));
}

/// The cells of a row before its values: the line number, and a column for each thread.
fn cells(story: &Story, thread: usize, text: String, number: String) -> Vec<String> {
    let mut row = vec![String::new(); story.threads + 1];
    row[0] = format!("{number:>6}");
    row[thread + 1] = text;
    row
}

fn row(report: &Report<'_>, story: &Story, line: &Line, length: story::Length) -> Vec<String> {
    if let What::Gap(count) = line.what {
        let more = if length == story::Length::Short { "; see --trace full" } else { "" };
        let text = format!("… {} lines not shown{more}", grouped(count as u64));
        return cells(story, line.thread, text, String::new());
    }
    let width = match (length, story.threads) {
        (story::Length::Full, _) => usize::MAX / 8,
        (_, 1) => STATEMENT_WIDTH,
        _ => THREAD_WIDTH,
    };
    let text = format!("{:1$}", "", 2 * line.depth) + &statement(report, story, line, width);
    let mut row = cells(story, line.thread, text, report.source.line(line.span.start).to_string());
    row.push(news(report, line));
    row
}

/// The statement of a line, in the words of the source.
fn statement(report: &Report<'_>, story: &Story, line: &Line, width: usize) -> String {
    let text = excerpt(report.source, line.span, width);
    match line.what {
        What::Statement | What::Gap(_) => text,
        What::Taken => format!("{}   [true]", condition_text(report.source, line.span, width)),
        What::NotTaken => format!("{}   [false]", condition_text(report.source, line.span, width)),
        What::End => {
            let procedure = report.program.nodes[line.node].procedure;
            format!("end of {}", report.program.procedures[procedure].name)
        }
        What::Started(thread) => format!("{text}   [thread {thread}]"),
        What::Folded(steps) => format!("{text}   … {} steps not shown; see --trace full", grouped(steps)),
        What::Violation => {
            let property = &report.program.properties[story.property];
            let text = property_text(report.source, report.program, property, width);
            format!("{text}   <-- {}", complaint(property))
        }
    }
}

fn complaint(property: &Property) -> String {
    match &property.kind {
        PropertyKind::Assertion => "violated".to_owned(),
        PropertyKind::ErrorLabel(label) => format!("{label} reached"),
    }
}

/// What a line tells about variables.
fn news(report: &Report<'_>, line: &Line) -> String {
    let name = |variable| &report.program.variables[variable].name;
    let mut parts: Vec<String> = Vec::new();
    if !line.given.is_empty() {
        parts.push(values(report, &line.given));
    }
    for change in &line.changes {
        let owner = change.thread.map_or(String::new(), |thread| format!("thread {thread}'s "));
        let (name, after) = (name(change.variable), u8::from(change.after));
        parts.push(match change.before {
            Some(before) => format!("{owner}{name}: {} -> {after}", u8::from(before)),
            None => format!("{owner}{name}={after}"),
        });
    }
    parts.join("  ")
}

fn values(report: &Report<'_>, values: &[Value]) -> String {
    let one = |value: &Value| {
        format!("{}={}", report.program.variables[value.variable].name, u8::from(value.value))
    };
    values.iter().map(one).collect::<Vec<_>>().join("  ")
}

/// The engine and its figures, and with `--stats` all figures.
fn statistics(out: &mut String, report: &Report<'_>) {
    out.push_str(&statistics_line(report.outcome.engine, &report.outcome.statistics));
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

/// One line: the engine and its figures.
pub(super) fn statistics_line(engine: &str, statistics: &Statistics) -> String {
    let figures = statistics.iter().map(|(name, value)| format!("{} {name}", grouped(value)));
    let parts: Vec<String> = [format!("engine {engine}")].into_iter().chain(figures).collect();
    format!("statistics: {}\n", parts.join(", "))
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

fn assumptions(out: &mut String, report: &Report<'_>) {
    out.push_str(&assumptions_line(&report.outcome.assurance));
}

/// One line: what the verdicts rest on.
pub(super) fn assumptions_line(assurance: &Assurance) -> String {
    let list: Vec<String> = assurance.assumptions.iter().map(ToString::to_string).collect();
    format!("assumptions: {}\n", if list.is_empty() { "none".to_owned() } else { list.join("; ") })
}
