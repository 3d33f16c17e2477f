//! What a driver registers. The harness calls what was registered when it runs, whatever its name; the map says beforehand
//! which functions these are, so that a user can check it: members of operation structs that are set to functions of
//! the file, functions that are given to registering functions, and those of `module_init` and its like.

use super::text::without_comments;
use std::collections::BTreeSet;

/// A function that the kernel calls.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Entry {
    /// The function.
    pub function: String,
    /// Where it is registered: `.probe`, `request_irq`, `module_init`.
    pub by: String,
    /// The line.
    pub line: usize,
}

/// What a text says of a driver.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Map {
    /// The functions that the kernel calls, in the order of the file.
    pub entries: Vec<Entry>,
    /// The functions that the file defines.
    pub functions: BTreeSet<String>,
}

/// A word or a sign, with its line.
struct Token<'a> {
    text: &'a str,
    line: usize,
}

/// Reads a driver's text.
pub fn scan(source: &str) -> Map {
    let text = without_comments(source);
    let tokens = tokens(&text);
    let functions = definitions(&tokens);
    let mut entries = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if !functions.contains(token.text) || tokens.get(at + 1).is_some_and(|next| next.text == "(") {
            continue;
        }
        if let Some(by) = registration(&tokens, at) {
            let entry = Entry { function: token.text.to_owned(), by, line: token.line };
            if !entries.iter().any(|known: &Entry| known.function == entry.function && known.by == entry.by) {
                entries.push(entry);
            }
        }
    }
    Map { entries, functions }
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let word = |c: char| c.is_alphanumeric() || c == '_';
            let end =
                if word(first) { rest.find(|c| !word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
            found.push(Token { text: &rest[..end], line: number + 1 });
            rest = rest[end..].trim_start();
        }
    }
    found
}

/// Names that stand before parameters and a body, outside of all braces.
fn definitions(tokens: &[Token<'_>]) -> BTreeSet<String> {
    let (mut found, mut depth, mut at) = (BTreeSet::new(), 0usize, 0);
    while at < tokens.len() {
        match tokens[at].text {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "(" if depth == 0 && at > 0 => {
                let close = closing(tokens, at);
                if tokens.get(close + 1).is_some_and(|next| next.text == "{") {
                    found.insert(tokens[at - 1].text.to_owned());
                }
                at = close;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn closing(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len() - 1
}

/// By what a function is registered whose name stands here as a value.
fn registration(tokens: &[Token<'_>], at: usize) -> Option<String> {
    let before = |steps: usize| at.checked_sub(steps).map_or("", |at| tokens[at].text);
    match before(1) {
        "=" | "&" => member(tokens, at),
        // A cast, or the argument of `__exit_p` and its like.
        "(" | "," => call(tokens, at),
        ")" => member(tokens, at).or_else(|| call(tokens, at)),
        _ => None,
    }
}

/// The member on the left of the nearest `=` in front.
fn member(tokens: &[Token<'_>], at: usize) -> Option<String> {
    let equals = (at.saturating_sub(8)..at).rev().find(|&place| tokens[place].text == "=")?;
    let name = tokens[equals.checked_sub(1)?].text;
    let dotted = matches!(tokens.get(equals.checked_sub(2)?)?.text, "." | ">");
    dotted.then(|| format!(".{name}"))
}

/// The function or macro whose argument stands here.
fn call(tokens: &[Token<'_>], at: usize) -> Option<String> {
    let mut depth = 0;
    for place in (1..at).rev() {
        match tokens[place].text {
            ")" => depth += 1,
            "(" if depth > 0 => depth -= 1,
            "(" if tokens[place - 1].text.starts_with("__exit_p")
                || tokens[place - 1].text == "__devexit_p" =>
            {
                return member(tokens, place);
            }
            "(" => {
                let name = tokens[place - 1].text;
                return name.starts_with(|c: char| c.is_alphabetic() || c == '_').then(|| name.to_owned());
            }
            ";" | "{" | "}" => return None,
            _ => {}
        }
    }
    None
}
