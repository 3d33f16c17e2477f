//! `boolero doctor`: is everything there?

use super::ending::print;
use crate::ground::exit::Exit;
use crate::llvm::read::doctor::{Check, Finding, checks};

/// Runs the checks and tells what they found.
pub fn doctor() -> Exit {
    let mut found = checks();
    found.push(z3());
    let width = found.iter().map(|check| check.what.chars().count()).max().unwrap_or(0);
    for Check { what, result } in &found {
        let (sign, text) = match result {
            Finding::Fine(details) => ("ok     ", details.clone()),
            Finding::Wrong { problem, remedy } => {
                ("MISSING", format!("{problem}\n{:width$}          help: {remedy}", ""))
            }
        };
        print(&format!("{sign} {what:width$}  {text}\n"));
    }
    let fine = found.iter().all(|check| check.result.is_fine());
    print(if fine { "everything is there\n" } else { "something is missing: C cannot be verified\n" });
    if fine { Exit::Holds } else { Exit::Input }
}

/// The solver.
fn z3() -> Check {
    let result = match crate::smt::self_test() {
        Ok(()) => Finding::Fine(crate::smt::version()),
        Err(problem) => {
            Finding::Wrong { problem, remedy: "./setup, or apt-get install libz3-dev".to_owned() }
        }
    };
    Check { what: "Z3".to_owned(), result }
}
