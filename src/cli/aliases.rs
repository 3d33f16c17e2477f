//! Options of CBMC and SATABS by their names there: each becomes ours, and a note says what it is called here.

use std::ffi::OsString;

/// What becomes of an option.
enum Meaning {
    /// It has another name here.
    Is(&'static str),
    /// It is a check, or several.
    Checks(&'static str),
    /// It changes nothing here; whether it has a value, and why.
    Needless(bool, &'static str),
    /// There is nothing of the kind; why, or what to do instead.
    Missing(&'static str),
}

/// Their options.
const OPTIONS: [(&str, Meaning); 24] = [
    ("--function", Meaning::Is("--entry")),
    ("--claim", Meaning::Is("--property")),
    ("--iterations", Meaning::Is("--max-iterations")),
    ("--bounds-check", Meaning::Checks("bounds")),
    // CBMC means all of a dereferenced pointer by it, and what is freed.
    ("--pointer-check", Meaning::Checks("null,bounds,pointer,free")),
    ("--div-by-zero-check", Meaning::Checks("division")),
    ("--signed-overflow-check", Meaning::Checks("overflow")),
    ("--overflow-check", Meaning::Checks("overflow")),
    ("--undefined-shift-check", Meaning::Checks("shift")),
    ("--data-race-check", Meaning::Checks("race")),
    ("--data-races-check", Meaning::Checks("race")),
    ("--memory-leak-check", Meaning::Checks("leak")),
    ("--memory-cleanup-check", Meaning::Checks("leak")),
    ("--uninitialized-check", Meaning::Checks("uninitialised")),
    ("--deadlock-check", Meaning::Checks("deadlock")),
    ("--unwind", Meaning::Needless(true, "loops are not bounded")),
    ("--unwinding-assertions", Meaning::Needless(false, "loops are not bounded")),
    ("--no-unwinding-assertions", Meaning::Needless(false, "loops are not bounded")),
    ("--show-properties", Meaning::Missing("`boolero list FILE` lists the properties")),
    ("--show-claims", Meaning::Missing("`boolero list FILE` lists the properties")),
    ("--unsigned-overflow-check", Meaning::Missing("C defines it, and Boolero does not look for it")),
    ("--conversion-check", Meaning::Missing("Boolero does not look for it")),
    ("--float-overflow-check", Meaning::Missing("C defines it, and Boolero does not look for it")),
    ("--nan-check", Meaning::Missing("C defines it, and Boolero does not look for it")),
];

/// Commands that take C.
const COMMANDS: [&str; 5] = ["verify", "list", "run", "emit", "abstract"];

/// A command line in our words, and what to tell about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renamed {
    /// The words.
    pub arguments: Vec<OsString>,
    /// Notes for the user.
    pub notes: Vec<String>,
}

/// Puts our options in the place of theirs. What comes after `--` is not ours.
///
/// # Errors
/// There is nothing of the kind; the text says why.
pub fn renamed(arguments: Vec<OsString>) -> Result<Renamed, String> {
    let takes_c = arguments.iter().any(|word| COMMANDS.iter().any(|command| word == command));
    let mut out = Renamed { arguments: Vec::new(), notes: Vec::new() };
    let mut rest = arguments.into_iter();
    while let Some(word) = rest.next() {
        if !takes_c || word == "--" {
            out.arguments.push(word);
            out.arguments.extend(rest);
            break;
        }
        let text = word.to_string_lossy().into_owned();
        let (name, value) = text.split_once('=').map_or((text.as_str(), None), |(a, b)| (a, Some(b)));
        match OPTIONS.iter().find(|(theirs, _)| *theirs == name).map(|(_, meaning)| meaning) {
            None => out.arguments.push(word),
            Some(Meaning::Is(ours)) => {
                out.notes.push(format!("`{name}` is called `{ours}` here"));
                out.arguments.push((*ours).into());
                out.arguments.extend(value.map(OsString::from));
            }
            Some(Meaning::Checks(checks)) => {
                out.notes.push(format!("`{name}` is called `--checks {checks}` here"));
                out.arguments.extend(["--checks".into(), (*checks).into()]);
            }
            Some(Meaning::Needless(valued, why)) => {
                out.notes.push(format!("`{name}` is left out: {why}"));
                if *valued && value.is_none() {
                    rest.next();
                }
            }
            Some(Meaning::Missing(why)) => return Err(format!("there is no `{name}` here: {why}")),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::arguments::{Cli, Command};
    use clap::Parser as _;

    fn words(line: &str) -> Result<Renamed, String> {
        renamed(line.split(' ').map(OsString::from).collect())
    }

    fn line(renamed: &Renamed) -> String {
        let words: Vec<_> = renamed.arguments.iter().map(|word| word.to_string_lossy()).collect();
        words.join(" ")
    }

    #[test]
    fn their_options_are_ours() {
        let found =
            words("boolero verify a.c --function f --bounds-check --claim=main.1 --unwind 5 -D X").unwrap();
        assert_eq!(line(&found), "boolero verify a.c --entry f --checks bounds --property main.1 -D X");
        assert_eq!(found.notes.len(), 4);
        assert_eq!(found.notes[0], "`--function` is called `--entry` here");
    }

    #[test]
    fn checks_add_up() {
        let found = words("boolero verify a.c --bounds-check --checks shift --div-by-zero-check").unwrap();
        let cli = Cli::try_parse_from(&found.arguments).expect("it is a command");
        let Command::Verify(arguments) = cli.command else { panic!("it is verify") };
        assert_eq!(arguments.input.c.checks.len(), 3);
    }

    #[test]
    fn flags_of_clang_and_other_commands_stay() {
        for same in ["boolero verify a.c -- --function f", "boolero check a.bp --function f"] {
            let found = words(same).unwrap();
            assert!(found.notes.is_empty());
            assert_eq!(line(&found), same);
        }
    }

    #[test]
    fn what_there_is_not_is_refused() {
        assert!(words("boolero verify a.c --show-claims").unwrap_err().contains("boolero list"));
    }
}
