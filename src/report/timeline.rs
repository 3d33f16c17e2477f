//! A story as rows of cells: line numbers, what the threads do, the values.
//!
//! One thread has one column, the values beside it. Several threads have a column each, with the values of their
//! own variables behind the statements; the shared variables stand beside the columns, and a value that a broadcast
//! gives to another thread in that thread's column. Only threads that do something have a column. Where the
//! columns do not fit into [`WIDTH`] even with short statements, there is one column for all threads, and every
//! line tells its thread.

use super::story::{Change, Length, Line, Story, Value, What};
use super::{Report, condition_text, excerpt, grouped, property_text};
use crate::boolean::cfg::{Property, PropertyKind};

/// How wide the columns of several threads may get together.
const WIDTH: usize = 120;
/// How wide a statement may get: in one column, in one of several, and where that is too wide.
const STATEMENT_WIDTHS: [usize; 3] = [72, 40, 24];

/// The rows of a story.
pub(super) fn rows(report: &Report<'_>, story: &Story, length: Length) -> Vec<Vec<String>> {
    let threads = active_threads(story);
    let [alone, wide, narrow] = match length {
        Length::Short => STATEMENT_WIDTHS,
        Length::Full => [usize::MAX / 8; 3],
    };
    let teller = |width| Teller { report, story, length, width };
    if story.threads == 1 {
        return teller(alone).in_one_column(|_| String::new());
    }
    let in_columns = [wide, narrow].into_iter().map(|width| teller(width).in_columns(&threads));
    let fitting = in_columns.into_iter().find(|rows| width_of(rows) <= WIDTH);
    fitting.unwrap_or_else(|| teller(alone).in_one_column(|thread| format!("thread {thread}: ")))
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
    fn in_columns(&self, threads: &[usize]) -> Vec<Vec<String>> {
        let heads = threads.iter().map(|thread| format!("thread {thread}"));
        let mut rows = vec![["  line".to_owned()].into_iter().chain(heads).collect()];
        rows.extend(self.initial_row(threads));
        rows.extend(self.story.lines.iter().map(|line| {
            let text = self.text(line);
            let own = [text, self.news(line, Whose::Own)];
            let cells = threads.iter().map(|&thread| match thread == line.thread {
                true => own.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join("   "),
                false => self.news(line, Whose::Of(thread)),
            });
            let shared = self.news(line, Whose::Shared);
            [self.number(line)].into_iter().chain(cells).chain([shared]).collect()
        }));
        rows
    }

    fn initial_row(&self, threads: &[usize]) -> Option<Vec<String>> {
        if self.story.initial.is_empty() {
            return None;
        }
        let is_shared = |value: &&Value| self.report.program.is_global(value.variable);
        let own = self.values(self.story.initial.iter().filter(|value| !is_shared(value)));
        let shared = self.values(self.story.initial.iter().filter(is_shared));
        let mut row = vec![String::new(); threads.len() + 2];
        row[0] = number(None);
        row[1] = "(initially)".to_owned();
        if let (Some(0), false) = (threads.first(), own.is_empty()) {
            row[1].push_str(&format!("   {own}"));
        }
        row[threads.len() + 1] = shared;
        Some(row)
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

fn number(line: Option<usize>) -> String {
    line.map_or(" ".repeat(6), |line| format!("{line:>6}"))
}

fn complaint(property: &Property) -> String {
    match &property.kind {
        PropertyKind::Assertion => "violated".to_owned(),
        PropertyKind::ErrorLabel(label) => format!("{label} reached"),
    }
}
