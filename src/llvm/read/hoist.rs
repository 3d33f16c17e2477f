//! Functions that are called before they are declared, as gcc allows it.
//!
//! A call of a function that nobody has declared yet declares it implicitly, as returning an `int`. If the file declares it
//! later, otherwise or `static`, clang refuses the file; gcc knows the functions of the library, and warns. What CIL writes
//! is full of that. So the file is read again with a copy of the later declaration in front of the function that has the first
//! call: in the same line, so that all lines keep their numbers.

use std::ops::Range;

/// What clang says of such functions, before their names.
const COMPLAINTS: [&str; 2] = ["conflicting types for '", "static declaration of '"];

/// The functions that clang complains about.
pub(super) fn complaints(said: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for complaint in COMPLAINTS {
        let found = said.split(complaint).skip(1).filter_map(|rest| rest.split('\'').next());
        names.extend(found.map(str::to_owned));
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// The text with declarations of these functions before their first calls; nothing if there is no such declaration.
pub(super) fn hoisted(text: &str, names: &[String]) -> Option<String> {
    let items = items(text);
    let mut insertions: Vec<(usize, String)> =
        names.iter().filter_map(|name| insertion(text, &items, name)).collect();
    if insertions.is_empty() {
        return None;
    }
    // From behind, so that places stay what they are; declarations of one place in the order of their names.
    insertions.sort_by(|a, b| b.cmp(a));
    let mut out = text.to_owned();
    for (at, declaration) in insertions {
        out.insert_str(at, &declaration);
    }
    Some(out)
}

fn insertion(text: &str, items: &[Item], name: &str) -> Option<(usize, String)> {
    let user =
        items.iter().position(|item| item.body.clone().is_some_and(|body| calls(&text[body], name)))?;
    let declared = items[user + 1..].iter().find(|item| calls(&text[item.head.clone()], name))?;
    let head = &text[declared.head.clone()];
    let plain: String = without_lines(head);
    Some((items[user].head.start, format!("{}; ", plain.trim_end_matches([';', ' ']))))
}

/// Something at the top of a file: a declaration, or a function with its body.
struct Item {
    /// All but the body.
    head: Range<usize>,
    body: Option<Range<usize>>,
}

/// What a file consists of.
fn items(text: &str) -> Vec<Item> {
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
fn skipped(bytes: &[u8], at: usize) -> usize {
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

/// Whether a name stands in a text with a parenthesis behind it.
fn calls(text: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + name.len()..]);
        let member = before.trim_end().ends_with(['.', '>']);
        !before.ends_with(part) && !member && behind.trim_start().starts_with('(')
    })
}

/// A declaration in one line.
fn without_lines(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (String::new(), 0);
    for (place, c) in text.char_indices() {
        if place < at {
            continue;
        }
        let next = if matches!(bytes[place], b'"' | b'\'') { place } else { skipped(bytes, place) };
        if next > place {
            at = next;
            out.push(' ');
        } else {
            out.push(if c.is_whitespace() { ' ' } else { c });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hoist(text: &str, name: &str) -> Option<String> {
        hoisted(text, &[name.to_owned()])
    }

    #[test]
    fn a_later_declaration_comes_before_the_first_call() {
        let text = "typedef int t;\nstatic t f(void) {\n  return g(1, \"}\");\n}\n/* g( */\nstatic t g(int x,\n  char *s) { return x; }\n";
        let expected = text.replacen("static t f", "static t g(int x,   char *s); static t f", 1);
        assert_eq!(hoist(text, "g"), Some(expected));
    }

    #[test]
    fn what_is_declared_before_stays() {
        assert_eq!(hoist("int g(void); int f(void) { return g(); }", "g"), None);
        assert_eq!(hoist("int f(void) { return 0; } int g(void);", "g"), None);
        assert_eq!(hoist("int f(struct s *p) { return p->g(1); } int g(int);", "g"), None);
    }

    #[test]
    fn types_and_values_with_braces_are_no_functions() {
        let text = "struct s { int a; } x = { 1 };\nint f(void) { return g(x.a); }\nint g(int);\n";
        let expected = text.replacen("int f", "int g(int); int f", 1);
        assert_eq!(hoist(text, "g"), Some(expected));
    }

    #[test]
    fn lines_of_the_preprocessor_are_left_alone() {
        let text = "# 1 \"a.c\"\nint f(void) { return g(); }\n# 7 \"b{.c\"\nlong g(void);\n";
        let expected = text.replacen("int f", "long g(void); int f", 1);
        assert_eq!(hoist(text, "g"), Some(expected));
    }

    #[test]
    fn complaints_are_read() {
        let said = "a.c:5:14: error: conflicting types for 'memcpy'\n…\na.c:9:12: error: static declaration of 'h' follows non-static declaration\n";
        assert_eq!(complaints(said), ["h", "memcpy"]);
    }

    #[test]
    fn anything_is_taken_apart() {
        for text in ["", "{", "}", "\"", "'", "/*", "//", "#", "f(){", "};", "int f() { /* } */ \"", "#\\\n"]
        {
            assert_eq!(hoist(text, "f"), None, "{text:?}");
        }
    }
}
