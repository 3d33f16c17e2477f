//! Keywords of other languages: `elif`, `endif`, `done`, `for`, …
//!
//! They are no keywords here and may be names. Only where a statement makes no sense otherwise are they told as
//! what they were meant to be, and reading goes on as if the right word stood there: one error instead of several.

use super::super::ast::{At, Expression};
use super::super::expression::Expression as Postfix;
use super::assemble::Assembler;
use super::blocks::Shape;
use super::lexer::{Kind, Lexer};
use super::statement::Piece;
use super::words::{Role, role};
use crate::ground::diagnostic::Diagnostic;
use crate::ground::source::Span;

/// What a word of another language is called here, if it stands alone.
fn closer(word: &str) -> Option<&'static str> {
    match word {
        "endif" | "end_if" => Some("fi"),
        "endwhile" | "end_while" | "done" => Some("od"),
        _ => None,
    }
}

impl Assembler<'_> {
    /// Whether a piece that was cut as a statement is such a slip; then it is told.
    pub fn slip(&mut self, piece: Piece) -> bool {
        let first = Lexer::at(self.text, piece.span.start).next(&mut Vec::new()).span;
        let word = &self.text[first.range()];
        let found = match (word, self.cursor.word()) {
            ("elif" | "elseif" | "else_if", "then") => {
                self.misspelt(first, "elsif");
                self.cursor.take();
                true
            }
            ("for", _) if piece.unclosed.is_some() => self.for_loop(first),
            (_, opener @ ("then" | "do")) => self.headless(piece, opener),
            _ if piece.tokens == 1 => closer(word).is_some_and(|right| self.closes(first, right)),
            _ => false,
        };
        if found {
            self.item = None;
        }
        found
    }

    fn misspelt(&mut self, span: Span, right: &str) {
        let message = format!("`{}` is written `{right}`", &self.text[span.range()]);
        self.errors.push(Diagnostic::error(span, message).label(format!("write `{right}`")));
    }

    /// A word that was meant to close the innermost block.
    fn closes(&mut self, span: Span, right: &str) -> bool {
        let fits = self.open.last().is_some_and(|open| open.shape.closer() == right);
        if fits {
            self.misspelt(span, right);
            self.close_top(span);
        }
        fits
    }

    /// `for (…; …; …) do`, of which the part up to the first `;` was cut.
    fn for_loop(&mut self, span: Span) -> bool {
        let error = Diagnostic::error(span, "there is no `for`").label("not a keyword of Boolean programs");
        self.errors.push(error.help("the loop is `while (e) do … od`"));
        let mut depth = 1;
        while depth > 0 && self.cursor.peek().kind != Kind::End {
            if matches!(role(self.cursor.word()), Role::Closes | Role::Opens) {
                break;
            }
            match self.cursor.take().kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                _ => {}
            }
        }
        if self.cursor.word() == "do" {
            self.open_anyway("do", span);
        }
        true
    }

    /// `then` or `do` behind something that is no `if` or `while`.
    fn headless(&mut self, piece: Piece, opener: &str) -> bool {
        let token = self.cursor.peek();
        let head = if opener == "then" { "if" } else { "while" };
        let error = Diagnostic::error(token.span, format!("`{opener}` without `{head}`"));
        self.errors.push(error.label(format!("no `{head}` stands before it")));
        self.open_anyway(opener, piece.span);
        true
    }

    /// Takes a `then` or `do` and opens its block, so that what closes it finds it open.
    fn open_anyway(&mut self, opener: &str, at: Span) {
        self.cursor.take();
        let condition = Expression { body: Postfix::constant(true), at: At(at) };
        let shape = match opener {
            "then" => Shape::If { branches: Vec::new(), condition: Some(condition) },
            _ => Shape::While(condition),
        };
        self.push_open(shape, at, at, super::assemble::Item::default());
    }
}
