//! A small lexer: just enough to cut the text into pieces.
//!
//! It knows where names, symbols and comments begin and end, and nothing of grammar. It never fails: a
//! character that no token begins with is a token of its own, and the piece that contains it fails later.
//! Tokens are handed out one by one and not kept, so that memory does not grow with the text.

use crate::ground::source::Span;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A name or keyword, SLAM's `{x==0}` included.
    Word,
    /// Something that begins with a digit.
    Number,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// `;`
    Semicolon,
    /// `:`
    Colon,
    /// `:=`
    Becomes,
    /// `{` that begins no name.
    OpenBrace,
    /// `}` that ends no name.
    CloseBrace,
    /// Any other symbol.
    Symbol,
    /// A character that means nothing here.
    Unknown,
    /// The end of the text.
    End,
}

/// A token. `lines` counts the ends of lines since the token or comment before, up to 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
    /// Ends of lines before, up to 2.
    pub lines: u8,
}

/// A comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comment {
    /// Where it stands.
    pub span: Span,
    /// Ends of lines before, up to 2.
    pub lines: u8,
}

/// Cuts a text into tokens.
pub struct Lexer<'a> {
    text: &'a str,
    position: usize,
    lines: u8,
    /// Where a comment began that does not end.
    pub unterminated: Option<Span>,
}

/// Symbols of more than one character; longer ones first.
const SYMBOLS: [&str; 12] = ["<=>", ":=", "=>", "==", "!=", "&&", "||", "<=", ">=", "++", "--", "->"];

/// Whether a byte may stand in a name.
pub fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#' | b'.')
}

impl<'a> Lexer<'a> {
    /// A lexer at the beginning of a text.
    pub fn new(text: &'a str) -> Self {
        let position = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { text, position, lines: 1, unterminated: None }
    }

    /// A lexer at an offset of a text.
    pub fn at(text: &'a str, offset: u32) -> Self {
        Self { text, position: offset as usize, lines: 0, unterminated: None }
    }

    /// The next token; the comments before it are appended to `comments`.
    pub fn next(&mut self, comments: &mut Vec<Comment>) -> Token {
        loop {
            self.skip_space();
            let Some(length) = self.comment_length() else { return self.token() };
            let span = Span::new(self.position, self.position + length);
            comments.push(Comment { span, lines: std::mem::take(&mut self.lines) });
            self.position += length;
        }
    }

    fn skip_space(&mut self) {
        for &byte in &self.text.as_bytes()[self.position..] {
            match byte {
                b'\n' => self.lines = (self.lines + 1).min(2),
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {}
                _ => break,
            }
            self.position += 1;
        }
    }

    fn comment_length(&mut self) -> Option<usize> {
        let rest = &self.text[self.position..];
        if rest.starts_with("//") {
            return Some(rest.find('\n').unwrap_or(rest.len()));
        }
        if !rest.starts_with("/*") {
            return None;
        }
        let end = rest[2..].find("*/");
        if end.is_none() {
            self.unterminated = Some(Span::new(self.position, self.position + 2));
        }
        Some(end.map_or(rest.len(), |end| end + 4))
    }

    fn token(&mut self) -> Token {
        let (kind, length) = self.kind_and_length();
        let span = Span::new(self.position, self.position + length);
        self.position += length;
        Token { kind, span, lines: std::mem::take(&mut self.lines) }
    }

    fn kind_and_length(&self) -> (Kind, usize) {
        let rest = &self.text[self.position..];
        let Some(&byte) = rest.as_bytes().first() else { return (Kind::End, 0) };
        match byte {
            b'(' => (Kind::Open, 1),
            b')' => (Kind::Close, 1),
            b'[' => (Kind::OpenBracket, 1),
            b']' => (Kind::CloseBracket, 1),
            b';' => (Kind::Semicolon, 1),
            b':' if rest.starts_with(":=") => (Kind::Becomes, 2),
            b':' => (Kind::Colon, 1),
            b'{' => braced_length(rest).map_or((Kind::OpenBrace, 1), |length| (Kind::Word, length)),
            b'}' => (Kind::CloseBrace, 1),
            _ if in_name(byte) => {
                let length = rest.bytes().take_while(|&byte| in_name(byte)).count();
                (if byte.is_ascii_digit() { Kind::Number } else { Kind::Word }, length)
            }
            _ => symbol(rest),
        }
    }
}

fn symbol(rest: &str) -> (Kind, usize) {
    if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
        return (Kind::Symbol, symbol.len());
    }
    let character = rest.chars().next().map_or(0, char::len_utf8);
    let known = character == 1 && b"!~&|^=<>*?',+-/%\"\\@".contains(&rest.as_bytes()[0]);
    (if known { Kind::Symbol } else { Kind::Unknown }, character)
}

/// The length of SLAM's `{x==0}`, with a `$` behind it if there is one.
fn braced_length(rest: &str) -> Option<usize> {
    let end = rest[1..].find(['{', '}', '\n']).map(|end| end + 1)?;
    if end == 1 || !rest[end..].starts_with('}') {
        return None;
    }
    Some(end + 1 + usize::from(rest[end + 1..].starts_with('$')))
}

/// How deep parentheses and brackets nest anywhere in the text, counted up to the end of each statement.
pub fn nesting(text: &str) -> usize {
    let mut lexer = Lexer::new(text);
    let mut comments = Vec::new();
    let (mut depth, mut deepest) = (0usize, 0);
    loop {
        comments.clear();
        match lexer.next(&mut comments).kind {
            Kind::Open | Kind::OpenBracket => depth += 1,
            Kind::Close | Kind::CloseBracket => depth = depth.saturating_sub(1),
            Kind::Semicolon => depth = 0,
            Kind::End => return deepest,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
}
