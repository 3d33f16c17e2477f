//! A story as rows of cells: line numbers, what the threads do, the values.
//!
//! One thread has one column, the values beside it. Several threads have a column each, with the values of their
//! own variables behind the statements; the shared variables stand beside the columns, and a value that a broadcast
//! gives to another thread in that thread's column. Only threads that do something have a column. As one thread
//! acts at a time, columns that are too wide for [`WIDTH`] may begin closer together than they are wide. Where even
//! that does not fit, there is one column for all threads, and every line tells its thread.

use super::story::{Change, Length, Line, Story, Value, What};
use super::{Report, condition_text, excerpt, grouped, property_text};
use crate::boolean::cfg::{Property, PropertyKind};

/// How wide the columns of several threads may get together.
const WIDTH: usize = 120;
/// How wide a statement may get: in one column, and in one of several.
const STATEMENT_WIDTHS: [usize; 2] = [72, 40];
/// How far apart columns begin that would be too wide side by side.
const DISTANCES: [usize; 3] = [32, 24, 16];

/// The rows of a story.
pub(super) fn rows(report: &Report<'_>, story: &Story, length: Length) -> Vec<Vec<String>> {
    let [alone, beside] = match length {
        Length::Short => STATEMENT_WIDTHS,
        Length::Full => [usize::MAX / 8; 2],
    };
    let teller = |width| Teller { report, story, length, width };
    if story.threads == 1 {
        return teller(alone).in_one_column(|_| String::new());
    }
    let lines = teller(beside).in_columns(&active_threads(story));
    let distances = std::iter::once(None).chain(DISTANCES.map(Some));
    let fitting = distances.map(|distance| arranged(&lines, distance)).find(|rows| width_of(rows) <= WIDTH);
    fitting.unwrap_or_else(|| teller(alone).in_one_column(|thread| format!("thread {thread}: ")))
}

/// A row before it is arranged.
struct Row {
    number: String,
    /// A cell for each thread.
    threads: Vec<String>,
    shared: String,
}

/// Rows with the cells of the threads at their places: as far apart as they are wide, or as is given.
fn arranged(rows: &[Row], distance: Option<usize>) -> Vec<Vec<String>> {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        widths.resize(widths.len().max(row.threads.len()), 0);
        for (width, cell) in widths.iter_mut().zip(&row.threads) {
            *width = (*width).max(cell.chars().count() + 2);
        }
    }
    if let Some(distance) = distance {
        widths.iter_mut().for_each(|width| *width = (*width).min(distance));
    }
    rows.iter()
        .map(|row| vec![row.number.clone(), side_by_side(&row.threads, &widths), row.shared.clone()])
        .collect()
}

/// Cells in one line; one that begins where another one still goes on follows it.
fn side_by_side(cells: &[String], widths: &[usize]) -> String {
    let (mut line, mut begin) = (String::new(), 0);
    for (cell, width) in cells.iter().zip(widths) {
        if !cell.is_empty() {
            let used = line.chars().count();
            let gap = if used > 0 { (begin.max(used + 2)) - used } else { begin };
            line.push_str(&" ".repeat(gap));
            line.push_str(cell);
        }
        begin += width;
    }
    line
}

/// The threads that do something, or to which something is done, in the order of their numbers.
fn active_threads(story: &Story) -> Vec<usize> {
    let acting = story.lines.iter().map(|line| line.thread);
    let changed = story.lines.iter().flat_map(|line| line.changes.iter().filter_map(|change| change.thread));
    let mut threads: Vec<usize> = acting.chain(changed).collect();
    threads.sort_unstable();
    threads.dedup();
    threads
}

fn width_of(rows: &[Vec<String>]) -> usize {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    widths.iter().map(|width| width + 2).sum()
}

struct Teller<'a> {
    report: &'a Report<'a>,
    story: &'a Story,
    length: Length,
    width: usize,
}

/// Whose variables are meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Shared,
    Own,
    /// Another thread's.
    Of(usize),
}

impl Teller<'_> {
    /// One column for what happens, one for all values.
    fn in_one_column(&self, prefix: impl Fn(usize) -> String) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        if !self.story.initial.is_empty() {
            let values = self.values(self.story.initial.iter());
            rows.push(vec![number(None), "(initially)".to_owned(), values]);
        }
        for line in &self.story.lines {
            let changes = line.changes.iter().map(|change| {
                let owner = change.thread.map_or(String::new(), |thread| format!("thread {thread}'s "));
                owner + &self.change(change)
            });
            let given = Some(self.values(line.given.iter())).filter(|given| !given.is_empty());
            let news: Vec<String> = given.into_iter().chain(changes).collect();
            rows.push(vec![self.number(line), prefix(line.thread) + &self.text(line), news.join("  ")]);
        }
        rows
    }

    /// A column for each thread, one for the shared variables.
    fn in_columns(&self, threads: &[usize]) -> Vec<Row> {
        let heads = threads.iter().map(|thread| format!("thread {thread}")).collect();
        let mut rows = vec![Row { number: "  line".to_owned(), threads: heads, shared: String::new() }];
        rows.extend(self.initial_row(threads));
        rows.extend(self.story.lines.iter().map(|line| {
            let cell = |&thread: &usize| match thread == line.thread {
                true => joined(self.text(line), &self.news(line, Whose::Own)),
                false => self.news(line, Whose::Of(thread)),
            };
            let (number, shared) = (self.number(line), self.news(line, Whose::Shared));
            Row { number, threads: threads.iter().map(cell).collect(), shared }
        }));
        rows
    }

    fn initial_row(&self, threads: &[usize]) -> Option<Row> {
        if self.story.initial.is_empty() {
            return None;
        }
        let is_shared = |value: &&Value| self.report.program.is_global(value.variable);
        let own = self.values(self.story.initial.iter().filter(|value| !is_shared(value)));
        let shared = self.values(self.story.initial.iter().filter(is_shared));
        let mut cells = vec![String::new(); threads.len()];
        if let Some(first) = cells.first_mut() {
            *first = joined("(initially)".to_owned(), &own);
        }
        Some(Row { number: number(None), threads: cells, shared })
    }

    fn number(&self, line: &Line) -> String {
        let told = !matches!(line.what, What::Gap(_));
        number(told.then(|| self.report.source.line(line.span.start)))
    }

    fn text(&self, line: &Line) -> String {
        if let What::Gap(count) = line.what {
            let more = if self.length == Length::Short { "; see --trace full" } else { "" };
            return format!("… {} lines not shown{more}", grouped(count as u64));
        }
        format!("{:1$}", "", 2 * line.depth) + &self.statement(line)
    }

    /// The statement of a line, in the words of the source.
    fn statement(&self, line: &Line) -> String {
        let (report, width) = (self.report, self.width);
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
                let property = &report.program.properties[self.story.property];
                let text = property_text(report.source, report.program, property, width);
                format!("{text}   <-- {}", complaint(property))
            }
        }
    }

    /// What a line tells about the variables of one owner.
    fn news(&self, line: &Line, whose: Whose) -> String {
        let owner = |variable, thread: Option<usize>| match thread {
            Some(thread) => Whose::Of(thread),
            None if self.report.program.is_global(variable) => Whose::Shared,
            None => Whose::Own,
        };
        // Parameters of a new thread are told where it is started, as values of the one that starts it.
        let given = line.given.iter().filter(|value| owner(value.variable, None) == whose);
        let given = Some(self.values(given)).filter(|given| !given.is_empty());
        let changes = line.changes.iter().filter(|change| owner(change.variable, change.thread) == whose);
        let parts: Vec<String> = given.into_iter().chain(changes.map(|change| self.change(change))).collect();
        parts.join("  ")
    }

    fn change(&self, change: &Change) -> String {
        let (name, after) = (&self.report.program.variables[change.variable].name, u8::from(change.after));
        match change.before {
            Some(before) => format!("{name}: {} -> {after}", u8::from(before)),
            None => format!("{name}={after}"),
        }
    }

    fn values<'v>(&self, values: impl Iterator<Item = &'v Value>) -> String {
        let one = |value: &Value| {
            format!("{}={}", self.report.program.variables[value.variable].name, u8::from(value.value))
        };
        values.map(one).collect::<Vec<_>>().join("  ")
    }
}

/// What happens, and the values behind it.
fn joined(text: String, values: &str) -> String {
    if values.is_empty() { text } else { format!("{text}   {values}") }
}

fn number(line: Option<usize>) -> String {
    line.map_or(" ".repeat(6), |line| format!("{line:>6}"))
}

fn complaint(property: &Property) -> String {
    match &property.kind {
        PropertyKind::Assertion => "violated".to_owned(),
        PropertyKind::ErrorLabel(label) => format!("{label} reached"),
    }
}
