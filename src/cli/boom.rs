//! `boolero boom`: BOOM's command line and output, so that SATABS can run Boolero in its place.
//!
//! SATABS runs `boom --stats -t --threadbound N FILE`, reads standard output and takes no notice of the exit code. An
//! output without a verdict line is an error to it ("unexpected result"), which is what an unknown should be. After
//! a verdict line the exit code is 0, as with BOOM.

use super::arguments::Boom;
use super::ending::{complain, print, print_error};
use super::load::{self, Refused};
use crate::api::{self, BooleanInput, Checked, CheckedProgram, CheckingOptions, Observer};
use crate::boolean::check::CheckOptions;
use crate::checker;
use crate::engine::Threads;
use crate::ground::diagnostic::Diagnostic;
use crate::ground::exit::Exit;
use crate::ground::source::SourceFile;
use crate::report::boom::{Steps, report};
use crate::report::diagnostics;
use crate::report::text::Colors;
use std::path::{Path, PathBuf};

/// BOOM's bound where none is given.
const DEFAULT_BOUND: usize = 2;

/// Runs the command.
pub fn run(arguments: &Boom, errors: Colors) -> Exit {
    let Some(file) = file(arguments) else { return Exit::Usage };
    super::panic_on_demand();
    let threads = threads(arguments);
    let (program, outcome) = match checked(file, threads, errors) {
        Ok(checked) => (checked.program, checked.outcome),
        Err(Refused(exit)) => return exit,
    };
    let steps = if arguments.trace { Steps::Told } else { Steps::Omitted };
    match report(&program, &outcome, threads, steps) {
        Some(text) => {
            print(&text);
            Exit::Holds
        }
        None => {
            complain(&format!("there is no verdict: {}", outcome.overall()));
            if outcome.overall().exit() == Exit::Internal { Exit::Internal } else { Exit::Unknown }
        }
    }
}

fn checked(file: &Path, threads: Threads, errors: Colors) -> Result<CheckedProgram, Refused> {
    let (source, said) = (load::source(file)?, CheckOptions::default());
    let input = BooleanInput::Program { source, options: said, properties: Vec::new() };
    let checker = checker::Options { threads, ..checker::Options::default() };
    let options = CheckingOptions { checker, ..CheckingOptions::default() };
    match api::check(&input, &options, &mut Warner(errors)) {
        Ok(Checked::Program(checked)) => Ok(*checked),
        Ok(Checked::Net(_)) => unreachable!("it is a program"),
        Err(refusal) => Err(load::refuse(&refusal, errors)),
    }
}

/// Tells warnings, and nothing else.
struct Warner(Colors);

impl Observer for Warner {
    fn warned(&mut self, source: &SourceFile, warnings: &[Diagnostic]) {
        print_error(&diagnostics::render(source, warnings, self.0));
    }
}

/// The file, which is named in one of two ways.
fn file(arguments: &Boom) -> Option<&PathBuf> {
    match (&arguments.file, &arguments.input_file) {
        (Some(file), None) | (None, Some(file)) => Some(file),
        (Some(_), Some(_)) => {
            complain("there are two input files; name one, with `--input-file` or without");
            None
        }
        (None, None) => {
            complain("there is no input file; name it, with `--input-file` or without");
            None
        }
    }
}

/// With `--karp-miller` any number of threads. A bound of 0 is none.
fn threads(arguments: &Boom) -> Threads {
    match arguments.threadbound {
        _ if arguments.karp_miller => Threads::Unbounded,
        Some(bound) if bound > 0 => Threads::AtMost(bound),
        _ => Threads::AtMost(DEFAULT_BOUND),
    }
}
