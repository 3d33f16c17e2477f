//! Drivers whose headers are not all there: private ones of a subsystem, of a board, of another chip. A header that is missing
//! is taken as empty, and a constant that nobody defines gets a number of its own; functions that nobody declares return
//! anything. A run under such guesses is a run of some driver, so what holds then is reported as unknown, with the
//! headers that are missing. What clang says tells what to guess.

use std::collections::BTreeSet;

/// What was guessed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Repairs {
    /// Headers that are missing.
    pub headers: BTreeSet<String>,
    /// Constants that nobody defines.
    pub constants: BTreeSet<String>,
}

impl Repairs {
    /// Guesses more from what clang says; tells whether there is something new.
    pub fn learn(&mut self, messages: &str) -> bool {
        let before = (self.headers.len(), self.constants.len());
        for line in messages.lines() {
            if let Some(name) = quoted_before(line, "' file not found") {
                self.headers.insert(name.to_owned());
            }
            let undeclared =
                line.split("use of undeclared identifier '").nth(1).and_then(|rest| rest.split('\'').next());
            if let Some(name) = undeclared.filter(|name| name.chars().any(char::is_uppercase)) {
                self.constants.insert(name.to_owned());
            }
        }
        before != (self.headers.len(), self.constants.len())
    }

    /// Whether nothing had to be guessed.
    pub fn is_empty(&self) -> bool {
        self.headers.is_empty() && self.constants.is_empty()
    }

    /// The constants as C.
    pub fn text(&self) -> String {
        self.constants
            .iter()
            .enumerate()
            .map(|(at, name)| format!("#define {name} {}\n", 0x100 + at))
            .collect()
    }

    /// What a verdict would rest on.
    pub fn reason(&self) -> String {
        let list = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(", ");
        match (self.headers.is_empty(), self.constants.is_empty()) {
            (false, _) => format!("no violation was found, but headers are missing: {}", list(&self.headers)),
            _ => format!("no violation was found, but nobody defines {}", list(&self.constants)),
        }
    }
}

/// What stands in quotes before these words.
fn quoted_before<'a>(line: &'a str, words: &str) -> Option<&'a str> {
    let end = line.find(words)?;
    Some(&line[line[..end].rfind('\'')? + 1..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_clang_misses_is_guessed_once() {
        let mut repairs = Repairs::default();
        let text = "a.c:1:10: fatal error: 'x/y.h' file not found\na.c:2:3: error: use of undeclared identifier 'SIZE_X'";
        assert!(repairs.learn(text) && !repairs.learn(text));
        assert_eq!((repairs.headers.len(), repairs.text().as_str()), (1, "#define SIZE_X 256\n"));
        assert!(!repairs.learn("a.c:2:3: error: use of undeclared identifier 'small'"));
    }
}
