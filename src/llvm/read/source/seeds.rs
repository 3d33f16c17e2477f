//! Predicates that a program asks for: `__CPROVER_predicate(e)` in a function `f` is the line `f: e` of a file of
//! predicates. It is a hint for the abstraction, and changes no verdict.

use super::words::{Word, closing, items, words};

/// What asks for a predicate.
pub const PREDICATE: &str = "__CPROVER_predicate";

/// The predicates that a text asks for, as lines of a file of predicates. The preprocessor has been over the text.
#[must_use]
pub fn seeds(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for item in items(text) {
        let Some(body) = item.body else { continue };
        let Some(function) = name_of(text, &words(text, item.head)) else { continue };
        let inside = words(text, body);
        for (number, _) in
            inside.iter().enumerate().filter(|(_, word)| text[word.range.clone()] == *PREDICATE)
        {
            lines.extend(argument(text, &inside, number).map(|said| format!("{function}: {said}")));
        }
    }
    lines
}

/// The name of a function: the last one before its parameters.
fn name_of<'t>(text: &'t str, head: &[Word]) -> Option<&'t str> {
    let open = head.iter().position(|word| text[word.range.clone()] == *"(")?;
    let name = head[..open].last().filter(|word| word.name)?;
    Some(&text[name.range.clone()])
}

/// What stands between the parentheses of a call, in one line.
fn argument(text: &str, words: &[Word], name: usize) -> Option<String> {
    let open = words.get(name + 1).filter(|word| text[word.range.clone()] == *"(")?;
    let close = &words[closing(text, words, name + 1)?];
    let said = text[open.range.end..close.range.start].split_whitespace();
    Some(said.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_function_has_its_predicates() {
        let text = "int g; int f(int x)\n{ __CPROVER_predicate(x >\n 0 && (g == 1)); }\nstatic void main(void) { f(1); __CPROVER_predicate(g == 2); }";
        assert_eq!(seeds(text), ["f: x > 0 && (g == 1)", "main: g == 2"]);
    }

    #[test]
    fn nothing_is_made_of_what_is_no_call() {
        assert!(seeds("void __CPROVER_predicate(int); int f(void) { int __CPROVER_predicate; f(").is_empty());
    }
}
