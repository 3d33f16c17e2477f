//! C as a row of words: enough to find statements, names and calls in a text that clang has not read yet.
//!
//! Nothing here understands C. Comments, strings and lines of the preprocessor are stepped over, so that what they
//! contain is never taken for a part of the program.

use std::ops::Range;

/// A word of C: a name, a number, a string, or a single sign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::llvm::read) struct Word {
    /// Where it stands.
    pub range: Range<usize>,
    /// Whether it is a name or a keyword.
    pub name: bool,
}

/// The words of a part of a text.
pub(in crate::llvm::read) fn words(text: &str, part: Range<usize>) -> Vec<Word> {
    let bytes = text.as_bytes();
    let (mut all, mut at) = (Vec::new(), part.start);
    while at < part.end {
        let next = skipped(bytes, at);
        if next > at {
            if matches!(bytes[at], b'"' | b'\'') {
                all.push(Word { range: at..next, name: false });
            }
            at = next;
            continue;
        }
        if bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let length = bytes[at..part.end].iter().take_while(|byte| is_part(**byte)).count().max(1);
        let name = is_part(bytes[at]) && !bytes[at].is_ascii_digit();
        all.push(Word { range: at..at + length, name });
        at += length;
    }
    all
}

/// Whether a byte belongs to names. All that is not ASCII does.
fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 128
}

/// The end of the statement that starts with this word: the number of its last word. Nothing if it has no end.
pub(in crate::llvm::read) fn end_of_statement(text: &str, words: &[Word], start: usize) -> Option<usize> {
    let block = text[words.get(start)?.range.clone()] == *"{";
    let mut depth = 0usize;
    for (number, word) in words.iter().enumerate().skip(start) {
        match &text[word.range.clone()] {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" => depth = depth.checked_sub(1)?,
            "}" => {
                depth = depth.checked_sub(1)?;
                if block && depth == 0 {
                    return Some(number);
                }
            }
            ";" if depth == 0 => return Some(number),
            _ => {}
        }
    }
    None
}

/// The number of the parenthesis that closes the one with this number.
pub(in crate::llvm::read) fn closing(text: &str, words: &[Word], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (number, word) in words.iter().enumerate().skip(open) {
        match &text[word.range.clone()] {
            "(" => depth += 1,
            ")" if depth == 1 => return Some(number),
            ")" => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Something at the top of a file: a declaration, or a function with its body.
pub(in crate::llvm::read) struct Item {
    /// All but the body.
    pub head: Range<usize>,
    /// The body, with its braces.
    pub body: Option<Range<usize>>,
}

/// What a file consists of.
pub(in crate::llvm::read) fn items(text: &str) -> Vec<Item> {
    let bytes = text.as_bytes();
    let mut items = Vec::new();
    let (mut at, mut depth) = (0, 0usize);
    // Where the item at hand starts, its last character so far, and where its body starts.
    let (mut start, mut last, mut body): (Option<usize>, u8, Option<usize>) = (None, 0, None);
    while at < bytes.len() {
        let next = skipped(bytes, at);
        if next > at {
            at = next;
            continue;
        }
        let byte = bytes[at];
        if !byte.is_ascii_whitespace() && start.is_none() {
            start = Some(at);
        }
        match byte {
            b'{' => {
                // A function, after its parameters; everything else with braces is a type or a value.
                if depth == 0 && (last == b')' || start == Some(at)) {
                    body = Some(at);
                }
                depth += 1;
            }
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = depth == 0 && (byte == b';' || byte == b'}' && body.is_some());
        if let (true, Some(first)) = (ends, start) {
            let head = first..body.unwrap_or(at + 1);
            items.push(Item { head, body: body.map(|open| open..at + 1) });
            (start, body) = (None, None);
        }
        if depth == 0 && !byte.is_ascii_whitespace() {
            last = byte;
        }
        at += 1;
    }
    items
}

/// Behind the comment, the string or the line of the preprocessor that starts here.
pub(in crate::llvm::read) fn skipped(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    let found = |end: &[u8]| rest.windows(end.len()).skip(2).position(|window| window == end);
    if rest.starts_with(b"//") {
        return at + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    }
    if rest.starts_with(b"/*") {
        return found(b"*/").map_or(bytes.len(), |end| at + end + 4);
    }
    match rest[0] {
        quote @ (b'"' | b'\'') => at + string(rest, quote),
        b'#' if bytes[..at].iter().rev().take_while(|byte| **byte != b'\n').all(u8::is_ascii_whitespace) => {
            at + directive(rest)
        }
        _ => at,
    }
}

/// The length of a string or character.
fn string(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 2,
            byte if byte == quote || byte == b'\n' => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// The length of a line of the preprocessor, with those that continue it.
fn directive(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(end) = text[at..].iter().position(|&byte| byte == b'\n') {
        at += end + 1;
        if !text[..at - 1].ends_with(b"\\") {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<&str> {
        words(text, 0..text.len()).into_iter().map(|word| &text[word.range]).collect()
    }

    #[test]
    fn comments_and_lines_of_the_preprocessor_are_no_words() {
        assert_eq!(
            told("a+=/* b */b2; // c\n# 1 \"d\"\ne(\"f;\")"),
            ["a", "+", "=", "b2", ";", "e", "(", "\"f;\"", ")"]
        );
        assert_eq!(told("é = 'x';"), ["é", "=", "'x'", ";"]);
    }

    #[test]
    fn statements_end_with_their_semicolon_or_brace() {
        for (text, last) in [("f(a; b); c;", 6), ("{ a; { b; } } c;", 7), ("a = (b[1]);", 8)] {
            assert_eq!(end_of_statement(text, &words(text, 0..text.len()), 0), Some(last), "{text}");
        }
        for text in ["", "f(", "{ a;", "a }"] {
            assert_eq!(end_of_statement(text, &words(text, 0..text.len()), 0), None, "{text}");
        }
    }

    #[test]
    fn a_parenthesis_has_its_other() {
        let text = "f((a), b) c)";
        assert_eq!(closing(text, &words(text, 0..text.len()), 1), Some(7));
    }
}
