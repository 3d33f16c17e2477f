//! `boolero boom`: BOOM's command line and output, so that SATABS can run Boolero in its place.
//!
//! SATABS runs `boom --stats -t --threadbound N FILE`, reads standard output and takes no notice of the exit code. An
//! output without a verdict line is an error to it ("unexpected result"), which is what an unknown should be. After
//! a verdict line the exit code is 0, as with BOOM.

use super::arguments::Boom;
use super::ending::{complain, print};
use super::load::{self, Refused};
use crate::bdd::BackEnd;
use crate::boolean::check::CheckOptions;
use crate::checker::{self, Options};
use crate::engine::auto::{Reductions, Wish};
use crate::engine::partial_order::PartialOrder;
use crate::engine::{Run, Threads};
use crate::ground::event::Silent;
use crate::ground::exit::Exit;
use crate::ground::limits::Limits;
use crate::report::boom::{Steps, report};
use crate::report::text::Colors;
use std::path::PathBuf;

/// BOOM's bound where none is given.
const DEFAULT_BOUND: usize = 2;

/// Runs the command.
pub fn run(arguments: &Boom, errors: Colors) -> Exit {
    let Some(file) = file(arguments) else { return Exit::Usage };
    let loaded = match load::with_options(file, &CheckOptions::default(), errors) {
        Ok(loaded) => loaded,
        Err(Refused(exit)) => return exit,
    };
    let threads = threads(arguments);
    let (engine, back_end, reductions) = (Wish::Auto, BackEnd::Biodivine, Reductions::On);
    let options = Options {
        engine,
        back_end,
        reductions,
        partial_order: PartialOrder::default(),
        threads,
        properties: None,
    };
    let limits = Limits::none();
    let run = Run { limits: &limits, observer: &Silent };
    let outcome = checker::check_program(&loaded.program, &options, run);
    let steps = if arguments.trace { Steps::Told } else { Steps::Omitted };
    match report(&loaded.program, &outcome, threads, steps) {
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
