//! Words, numbers and marks of mist's format, without comments.

use crate::ground::diagnostic::Diagnostic;
use crate::ground::source::Span;

/// A piece of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// A name or a keyword.
    Word(&'a str),
    /// A number.
    Number(u32),
    /// A mark, such as `->`.
    Mark(&'a str),
    /// The end of the file.
    End,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'a> {
    pub(super) token: Token<'a>,
    pub(super) span: Span,
}

const MARKS: [&str; 10] = ["->", ">=", "=", ",", ";", "'", "+", "-", "[", "]"];

/// Cuts a text into tokens; the last one is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Placed<'_>>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut offset = 0;
    while let Some(start) = next(text, offset) {
        let (token, length) = token(&text[start..])
            .map_err(|(message, length)| Diagnostic::error(Span::new(start, start + length), message))?;
        offset = start + length;
        tokens.push(Placed { token, span: Span::new(start, offset) });
    }
    tokens.push(Placed { token: Token::End, span: Span::new(text.len(), text.len()) });
    Ok(tokens)
}

/// Where the next token starts.
fn next(text: &str, mut offset: usize) -> Option<usize> {
    loop {
        let rest = &text[offset..];
        let blank = rest.len() - rest.trim_start().len();
        let rest = &rest[blank..];
        offset += blank;
        if !rest.starts_with('#') {
            return (!rest.is_empty()).then_some(offset);
        }
        offset += rest.find('\n').unwrap_or(rest.len());
    }
}

/// The first token of a text and its length, or what is wrong and how long that is.
fn token(text: &str) -> Result<(Token<'_>, usize), (String, usize)> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let word = text.find(|c| !is_letter(c)).unwrap_or(text.len());
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    if digits > 0 {
        let number = text[..digits].parse().map_err(|_| ("the number is too large".to_owned(), digits))?;
        return Ok((Token::Number(number), digits));
    }
    if word > 0 {
        return Ok((Token::Word(&text[..word]), word));
    }
    if let Some(mark) = MARKS.into_iter().find(|mark| text.starts_with(mark)) {
        return Ok((Token::Mark(&text[..mark.len()]), mark.len()));
    }
    let unknown = text.chars().next().unwrap_or_default();
    Err((format!("`{unknown}` has no meaning here"), unknown.len_utf8()))
}
