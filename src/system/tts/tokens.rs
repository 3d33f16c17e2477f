//! Lines of numbers and marks, without comments and blank lines.

use crate::ground::diagnostic::Diagnostic;
use crate::ground::source::{SourceFile, Span};

/// A piece of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A number; too large ones are as large as possible.
    Number(u64),
    /// `->`
    Step,
    /// `~>`
    Transfer,
    /// `+>`
    Spawn,
    /// `|`
    Bar,
    /// `/`
    Slash,
    /// `,`
    Comma,
    /// Anything else.
    Other,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) span: Span,
}

/// What is left of a line.
pub(super) struct Line<'a> {
    text: &'a str,
    offset: usize,
    /// The number of the line, from 1.
    pub(super) number: u32,
}

/// The lines that hold something.
pub(super) fn lines(source: &SourceFile) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    let pieces = source.text().split_inclusive('\n').zip(1..);
    let lines = pieces.map(move |(piece, number)| {
        let offset = start;
        start += piece.len();
        let text = piece.split('#').next().unwrap_or_default();
        Line { text: text.trim_end(), offset, number }
    });
    lines.map(Line::trimmed).filter(|line| !line.is_empty())
}

impl<'a> Line<'a> {
    fn trimmed(mut self) -> Self {
        self.cut(self.text.len() - self.text.trim_start().len());
        self
    }

    /// Cuts a piece off the front, and the blanks behind it.
    fn cut(&mut self, length: usize) {
        let rest = &self.text[length..];
        let trimmed = rest.trim_start();
        self.offset += self.text.len() - trimmed.len();
        self.text = trimmed;
    }

    /// Whether nothing is left.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// All that is left.
    pub(super) fn span(&self) -> Span {
        Span::new(self.offset, self.offset + self.text.len())
    }

    fn peek(&self) -> Option<(Token, usize)> {
        let text: &'a str = self.text;
        let first = text.chars().next()?;
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let marks = [
            ("->", Token::Step),
            ("~>", Token::Transfer),
            ("+>", Token::Spawn),
            ("|", Token::Bar),
            ("/", Token::Slash),
            (",", Token::Comma),
        ];
        let mark = marks.into_iter().find(|(mark, _)| text.starts_with(mark));
        Some(match mark {
            Some((mark, token)) => (token, mark.len()),
            None if digits > 0 => (Token::Number(text[..digits].parse().unwrap_or(u64::MAX)), digits),
            None => (Token::Other, first.len_utf8()),
        })
    }

    /// Takes the next token.
    pub(super) fn next(&mut self) -> Option<Placed> {
        let (token, length) = self.peek()?;
        let span = Span::new(self.offset, self.offset + length);
        self.cut(length);
        Some(Placed { token, span })
    }

    /// Takes the next token if it is this one.
    pub(super) fn skip(&mut self, wanted: &Token) -> bool {
        match self.peek() {
            Some((token, length)) if token == *wanted => {
                self.cut(length);
                true
            }
            _ => false,
        }
    }

    /// Takes a number.
    pub(super) fn number(&mut self, what: &str) -> Result<(u64, Span), Diagnostic> {
        match self.next() {
            Some(Placed { token: Token::Number(number), span }) => Ok((number, span)),
            Some(other) => Err(Diagnostic::error(other.span, format!("{what} was expected here"))),
            None => Err(self.missing(what)),
        }
    }

    /// The line ends too early.
    pub(super) fn missing(&self, what: &str) -> Diagnostic {
        let place = Span::new(self.offset, self.offset);
        Diagnostic::error(place, format!("the line ends where {what} was expected"))
    }

    /// Nothing may be left.
    pub(super) fn end(&self, help: &str) -> Result<(), Diagnostic> {
        if self.is_empty() {
            return Ok(());
        }
        Err(Diagnostic::error(self.span(), "the line should end here").help(help))
    }
}
