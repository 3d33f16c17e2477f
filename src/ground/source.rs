//! Source files and places in them.

/// A half-open range of byte offsets in one source file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end`.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        let offset = |number: usize| u32::try_from(number).expect("source files are below 4 GiB");
        Self { start: offset(start), end: offset(end) }
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span as a range of `usize`.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A line and a column, both from 1; the column counts characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// A source file: its name as the user gave it, and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    line_starts: Vec<u32>,
}

/// Line feeds for carriage returns that stand alone; offsets stay.
fn with_line_feeds(text: String) -> String {
    let bytes = text.as_bytes();
    let alone = |&(offset, &byte): &(usize, &u8)| byte == b'\r' && bytes.get(offset + 1) != Some(&b'\n');
    if !bytes.iter().enumerate().any(|pair| alone(&pair)) {
        return text;
    }
    let mut characters = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(character) = characters.next() {
        let ends_line = character == '\r' && characters.peek() != Some(&'\n');
        out.push(if ends_line { '\n' } else { character });
    }
    out
}

impl SourceFile {
    /// A file with this name and text. The text must be shorter than 4 GiB. A carriage return that no line feed
    /// follows ends a line as well: it is made one, so that nobody else needs to know.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = with_line_feeds(text.into());
        let mut line_starts = vec![0];
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        line_starts.extend(ends.map(|(offset, _)| u32::try_from(offset + 1).expect("below 4 GiB")));
        Self { name: name.into(), text, line_starts }
    }

    /// The name as the user gave it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.range()]
    }

    /// Line and column of a byte offset.
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start = self.line_starts[line - 1] as usize;
        let column = self.text[start..offset as usize].chars().count() + 1;
        Position { line, column }
    }

    /// The line of a byte offset, from 1.
    #[must_use]
    pub fn line(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_end_ends_a_line() {
        for text in ["a\nb // c\nd", "a\rb // c\rd", "a\r\nb // c\r\nd", "a\rb // c\nd"] {
            let source = SourceFile::new("x.bp", text);
            assert_eq!(source.text().len(), text.len());
            let last = u32::try_from(text.len() - 1).expect("short");
            assert_eq!(source.position(last), Position { line: 3, column: 1 }, "{text:?}");
            assert!(source.text().lines().any(|line| line == "d"), "{text:?}");
        }
    }
}
