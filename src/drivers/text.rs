//! Names and definitions in C text. Our headers and models keep to one form: a definition begins in the first column and
//! says on its first line what it defines; one that does not end there ends with a brace in the first column.

use std::collections::BTreeSet;

/// The names in a text, outside of strings and comments.
pub fn names(text: &str) -> BTreeSet<String> {
    let clean = without_comments(text);
    let words = clean.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
        .map(str::to_owned)
        .collect()
}

/// The text with comments, strings and characters blanked; lines stay where they are.
pub fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            ('/', Some('*')) => block(&mut rest, &mut out),
            ('/', Some('/')) => line(&mut rest),
            ('"' | '\'', _) => quoted(c, &mut rest, &mut out),
            _ => out.push(c),
        }
    }
    out
}

type Rest<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn block(rest: &mut Rest<'_>, out: &mut String) {
    let mut last = ' ';
    rest.next();
    for c in rest.by_ref() {
        if c == '\n' {
            out.push('\n');
        }
        if last == '*' && c == '/' {
            break;
        }
        last = c;
    }
    out.push(' ');
}

fn line(rest: &mut Rest<'_>) {
    while rest.peek().is_some_and(|c| *c != '\n') {
        rest.next();
    }
}

fn quoted(quote: char, rest: &mut Rest<'_>, out: &mut String) {
    out.push(quote);
    while let Some(c) = rest.next() {
        match c {
            '\\' => _ = rest.next(),
            '\n' => out.push('\n'),
            _ => {}
        }
        if c == quote {
            break;
        }
    }
    out.push(quote);
}

/// A function: what stands before its body, and all of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The line before the brace or the semicolon.
    pub head: String,
    /// The definition; empty where there is none.
    pub body: String,
}

impl Function {
    /// The parameters, each with its declaration and its name.
    pub fn parameters(&self) -> Vec<(String, String)> {
        let open = self.head.find(&format!("{}(", self.name)).map_or(0, |at| at + self.name.len() + 1);
        let close = self.head.rfind(')').unwrap_or(self.head.len());
        let parts = split(&self.head[open..close]);
        let declared = parts.into_iter().filter(|part| part != "void" && part != "..." && !part.is_empty());
        declared.map(|part| (part.clone(), parameter_name(&part))).collect()
    }

    /// What it returns.
    pub fn returns(&self) -> &str {
        let end = self.head.find(&format!("{}(", self.name)).unwrap_or(0);
        self.head[..end]
            .trim()
            .trim_start_matches("static ")
            .trim_start_matches("extern ")
            .trim_start_matches("inline ")
    }
}

/// Parts between commas that are in no parentheses.
fn split(text: &str) -> Vec<String> {
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        match (c, depth) {
            (',', 0) => parts.push(String::new()),
            _ => parts.last_mut().expect("there is a first part").push(c),
        }
    }
    parts.into_iter().map(|part| part.trim().to_owned()).collect()
}

fn parameter_name(declaration: &str) -> String {
    if let Some(at) = declaration.find("(*") {
        return declaration[at + 2..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    }
    let name: String = declaration
        .trim_end_matches([']', '['])
        .chars()
        .rev()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    name.chars().rev().collect()
}

/// The functions of one of our files, and what else stands in it.
pub fn functions(text: &str) -> (Vec<Function>, String) {
    let (mut found, mut others) = (Vec::new(), String::new());
    let mut lines = text.lines();
    while let Some(first) = lines.next() {
        let Some((name, head)) = defined(first) else {
            others.push_str(first);
            others.push('\n');
            continue;
        };
        let mut body = first.to_owned();
        if !first.ends_with('}') {
            for next in lines.by_ref() {
                body.push('\n');
                body.push_str(next);
                if next.starts_with('}') {
                    break;
                }
            }
        }
        found.push(Function { name, head, body });
    }
    (found, others)
}

/// The name and the head of the function that a line defines.
fn defined(line: &str) -> Option<(String, String)> {
    let begins = line.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let ends = line.ends_with('{') || line.ends_with('}');
    if !begins || !ends || line.contains("#define") || line.starts_with("typedef") {
        return None;
    }
    let head = line[..line.find(" {")?].trim();
    (!head.contains('=')).then(|| named(head)).flatten()
}

/// The functions that a header declares.
pub fn declared(text: &str) -> Vec<Function> {
    let declarations =
        text.lines().filter(|line| line.ends_with(");") && !line.starts_with([' ', '\t', '#']));
    let heads =
        declarations.filter_map(|line| named(line.trim_end_matches(';').trim_start_matches("extern ")));
    heads.map(|(name, head)| Function { name, head, body: String::new() }).collect()
}

fn named(head: &str) -> Option<(String, String)> {
    let open = head.find('(')?;
    let name = head[..open].rsplit([' ', '*']).next()?;
    (!name.is_empty()).then(|| (name.to_owned(), head.to_owned()))
}
