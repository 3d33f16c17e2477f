//! Functions that are called before they are declared, as gcc allows it.
//!
//! A call of a function that nobody has declared yet declares it implicitly, as returning an `int`. If the file declares it
//! later, otherwise or `static`, clang refuses the file; gcc knows the functions of the library, and warns. What CIL writes
//! is full of that. So the file is read again with a copy of the later declaration in front of the function that has the first
//! call: in the same line, so that all lines keep their numbers.

use super::words::{Item, items, skipped};

/// What clang says of such functions, before their names.
const COMPLAINTS: [&str; 2] = ["conflicting types for '", "static declaration of '"];

/// The functions that clang complains about.
pub(in crate::llvm::read) fn complaints(said: &str) -> Vec<String> {
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
pub(in crate::llvm::read) fn hoisted(text: &str, names: &[String]) -> Option<String> {
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
