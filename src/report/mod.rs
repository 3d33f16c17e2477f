//! Reports: what people and programs are told about a result.
//!
//! Everything here turns values into text; nothing prints. The same [`Report`] becomes text ([`text`]) or
//! JSON ([`json`], described by `grammar/report.schema.json`); counterexamples are told by [`story`].
//! Results about nets are told by [`net`].

pub mod boom;
pub mod c;
pub mod diagnostics;
pub mod dot;
mod frames;
pub mod harness;
pub mod html;
pub mod json;
pub mod net;
pub mod run;
pub mod sarif;
pub mod saved;
pub mod states;
pub mod story;
#[cfg(test)]
mod story_tests;
pub mod text;
mod timeline;
pub mod verify;
pub mod witness;

use crate::boolean::cfg::{Program, Property, PropertyKind};
use crate::checker::Outcome;
use crate::ground::source::{SourceFile, Span};
use std::time::Duration;

/// A result and what is needed to tell it.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    /// The source of the program.
    pub source: &'a SourceFile,
    /// The program.
    pub program: &'a Program,
    /// The result.
    pub outcome: &'a Outcome,
    /// How much of counterexamples to tell; `None`: nothing.
    pub trace: Option<story::Length>,
    /// Time and memory, if they are to be told. They differ from run to run.
    pub usage: Option<Usage>,
}

/// What a run took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Usage {
    /// Time since the start.
    pub elapsed: Duration,
    /// The largest resident memory, in bytes, where the system tells it.
    pub memory: Option<u64>,
}

/// The source text of a span on one line, white space collapsed, cut to a number of characters.
#[must_use]
pub fn excerpt(source: &SourceFile, span: Span, limit: usize) -> String {
    let mut text = String::new();
    for word in source.slice(span).split_whitespace() {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
        // A statement may be megabytes long.
        if text.len() > 4 * limit {
            break;
        }
    }
    shortened(text, limit)
}

/// A text cut to a number of characters.
#[must_use]
pub fn shortened(text: String, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text,
        Some(_) => text.chars().take(limit.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// What a property says, in the words of the source.
#[must_use]
pub fn property_text(source: &SourceFile, program: &Program, property: &Property, limit: usize) -> String {
    match &property.kind {
        PropertyKind::Assertion => excerpt(source, property.span, limit),
        PropertyKind::ErrorLabel(label) => {
            let statement = excerpt(source, program.nodes[property.node].span, limit);
            shortened(format!("{label}: {statement}"), limit)
        }
    }
}

/// The condition at a span with the word before it: `if (a)`, `elsif (a)`, `while (a)`.
#[must_use]
pub fn condition_text(source: &SourceFile, span: Span, limit: usize) -> String {
    let before = source.text()[..span.range().start].trim_end();
    let word = ["elsif", "if", "while"].into_iter().find(|word| before.ends_with(word));
    let condition = excerpt(source, span, limit);
    word.map_or(condition.clone(), |word| format!("{word} {condition}"))
}

/// A number with commas between groups of three digits.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_048_576), "1,048,576");
    }

    #[test]
    fn conditions_have_their_keyword() {
        let source = SourceFile::new("x.bp", "if * then elsif (a) then");
        assert_eq!(condition_text(&source, Span::new(3, 4), 40), "if *");
        assert_eq!(condition_text(&source, Span::new(16, 19), 40), "elsif (a)");
        assert_eq!(condition_text(&source, Span::new(0, 2), 40), "if");
    }

    #[test]
    fn excerpts_are_one_short_line() {
        let source = SourceFile::new("x.bp", "a,\n   b := ä, *;");
        let all = Span::new(0, source.text().len());
        assert_eq!(excerpt(&source, all, 40), "a, b := ä, *;");
        assert_eq!(excerpt(&source, all, 9), "a, b := …");
    }
}
