//! Places of C as witnesses name them, which need the text of the program.

use crate::report::saved::{Invariant, SavedRun, Spot};

/// A line of a file, if its text is known.
fn line(run: &SavedRun, Spot(file, line, _): Spot) -> Option<&str> {
    run.files.get(file)?.text.as_ref()?.lines().nth(line.checked_sub(1)? as usize)
}

/// Where the call that begins at a place ends: the column of its closing parenthesis.
pub(super) fn end_of_call(run: &SavedRun, spot: Spot) -> Option<u32> {
    let text = line(run, spot)?;
    let start = (spot.2 as usize).checked_sub(1)?;
    let mut depth = 0;
    for (position, byte) in text.bytes().enumerate().skip(start) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return u32::try_from(position + 1).ok(),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Where an invariant stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// Before each evaluation of the condition of this loop.
    Loop(Spot),
    /// Before this statement, with which its function begins.
    Entry(Spot),
}

/// Where an invariant stands, if that can be named without doubt: the only loop of a line that begins with `while` or `for`, or
/// the first line of a function, if that is a statement to which control does not come back.
pub(super) fn standing(run: &SavedRun, invariant: &Invariant) -> Option<Standing> {
    let spot = invariant.place?;
    let text = line(run, spot)?;
    let code = text.trim_start();
    let column = u32::try_from(text.len() - code.len() + 1).ok()?;
    let here = Spot(spot.0, spot.1, column);
    let words = || code.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let loops = words().filter(|word| ["while", "for", "do"].contains(word)).count();
    let first = words().next().unwrap_or_default();
    match () {
        () if invariant.is_loop => {
            let is_head = ["while", "for"].contains(&first) && loops == 1;
            is_head.then_some(Standing::Loop(here))
        }
        () if invariant.location == "entry" => {
            let is_statement = code.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '*');
            let comes_back = loops > 0 || code.contains(':') || code.contains(['{', '}']);
            (is_statement && !comes_back).then_some(Standing::Entry(here))
        }
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::saved::File;

    fn run(text: &str) -> SavedRun {
        let file = File { name: "a.c".into(), sha256: None, text: Some(text.into()) };
        SavedRun { files: vec![file], ..SavedRun::default() }
    }

    #[test]
    fn calls_end_at_their_own_parenthesis() {
        let run = run("x = f(g(1), 2) + h();\n");
        assert_eq!(end_of_call(&run, Spot(0, 1, 5)), Some(14));
        assert_eq!(end_of_call(&run, Spot(0, 1, 7)), Some(10));
        assert_eq!(end_of_call(&run, Spot(0, 2, 1)), None);
    }

    #[test]
    fn only_places_without_doubt_are_named() {
        let run = run(
            "  while (x) x--;\n  do { x--; } while (x);\nwhile (x) while (y) y--;\n  f(x);\nagain: f(x);\n",
        );
        let at = |line, is_loop| {
            let location = if is_loop { "L1" } else { "entry" }.to_owned();
            let place = Some(Spot(0, line, 9));
            standing(&run, &Invariant { location, place, is_loop, ..Invariant::default() })
        };
        assert_eq!(at(1, true), Some(Standing::Loop(Spot(0, 1, 3))));
        assert_eq!(at(2, true), None);
        assert_eq!(at(3, true), None);
        assert_eq!(at(4, false), Some(Standing::Entry(Spot(0, 4, 3))));
        assert_eq!(at(5, false), None);
        assert_eq!(at(1, false), None);
    }
}
