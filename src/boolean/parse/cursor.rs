//! The parser's place in the text: one token of lookahead, and the comments on the way.
//!
//! Comments in front of an item (a declaration, a procedure, a statement with its labels) and comments
//! inside it go before it; a comment behind it on the same line, with nothing else behind, stays there;
//! comments in front of a closing keyword go to the end of the block. None is lost.

use super::super::ast::Trivia;
use super::lexer::{Comment, Kind, Lexer, Token};
use crate::ground::source::Span;
use std::sync::Arc;

/// A place in the text.
pub struct Cursor<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    token: Token,
    /// Comments before `token`.
    leading: Vec<Comment>,
    /// Comments that were passed and belong before the current item.
    passed: Vec<Comment>,
    /// The end of the last token that was taken.
    end: u32,
}

impl<'a> Cursor<'a> {
    /// The beginning of a text.
    pub fn new(text: &'a str) -> Self {
        let mut lexer = Lexer::new(text);
        let mut leading = Vec::new();
        let token = lexer.next(&mut leading);
        Self { text, lexer, token, leading, passed: Vec::new(), end: token.span.start }
    }

    /// The next token.
    pub fn peek(&self) -> Token {
        self.token
    }

    /// The text of the next token.
    pub fn word(&self) -> &'a str {
        &self.text[self.token.span.range()]
    }

    /// Takes the next token. Comments before it are kept for the current item.
    pub fn take(&mut self) -> Token {
        self.passed.append(&mut self.leading);
        let token = self.token;
        self.end = token.span.end;
        self.token = self.lexer.next(&mut self.leading);
        token
    }

    /// The empty span behind the last token that was taken.
    pub fn behind(&self) -> Span {
        Span { start: self.end, end: self.end }
    }

    /// Where a comment began that does not end.
    pub fn unterminated(&self) -> Option<Span> {
        self.lexer.unterminated
    }

    /// Whether the next token is a label: a colon follows it.
    pub fn at_label(&self) -> bool {
        matches!(self.token.kind, Kind::Word | Kind::Number)
            && Lexer::at(self.text, self.token.span.end).next(&mut Vec::new()).kind == Kind::Colon
    }

    /// The comments before an item that begins with the next token.
    pub fn begin_item(&mut self) -> Trivia {
        let mut trivia = Trivia::default();
        let passed = std::mem::take(&mut self.passed);
        trivia.before.extend(passed.iter().map(|comment| self.comment(comment.span)));
        let lines = self.leading.first().map_or(self.token.lines, |comment| comment.lines);
        trivia.blank_before = passed.is_empty() && lines > 1;
        let leading = std::mem::take(&mut self.leading);
        self.append(&mut trivia.before, &leading);
        if !trivia.before.is_empty() && self.token.lines > 1 {
            trivia.before.push("".into());
        }
        self.leading = leading;
        self.leading.clear();
        trivia
    }

    /// The comments inside and behind an item that ended with the last token taken.
    pub fn end_item(&mut self, trivia: &mut Trivia) {
        let passed = std::mem::take(&mut self.passed);
        trivia.before.extend(passed.iter().map(|comment| self.comment(comment.span)));
        let alone = self.leading.len() > 1 || self.token.lines > 0 || self.token.kind == Kind::End;
        if alone && self.leading.first().is_some_and(|comment| comment.lines == 0) {
            let comment = self.leading.remove(0);
            trivia.after = Some(self.comment(comment.span));
        }
    }

    /// The comments before a closing keyword, which is the next token.
    pub fn end_block(&mut self) -> Vec<Arc<str>> {
        let passed = std::mem::take(&mut self.passed);
        let mut comments: Vec<_> = passed.iter().map(|comment| self.comment(comment.span)).collect();
        let leading = std::mem::take(&mut self.leading);
        if leading.first().is_some_and(|comment| comment.lines > 1) {
            comments.push("".into());
        }
        self.append(&mut comments, &leading);
        comments
    }

    /// The comments that were passed since the last item.
    pub fn passed(&mut self) -> Vec<Arc<str>> {
        let passed = std::mem::take(&mut self.passed);
        passed.iter().map(|comment| self.comment(comment.span)).collect()
    }

    fn append(&self, to: &mut Vec<Arc<str>>, comments: &[Comment]) {
        for (position, comment) in comments.iter().enumerate() {
            if position > 0 && comment.lines > 1 {
                to.push("".into());
            }
            to.push(self.comment(comment.span));
        }
    }

    fn comment(&self, span: Span) -> Arc<str> {
        let text = self.text[span.range()].trim_end();
        if text.contains("\r\n") { text.replace("\r\n", "\n").into() } else { text.into() }
    }
}
