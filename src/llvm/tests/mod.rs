//! The front end proved by running: compiled program, machine and program model must do the same.
//!
//! [`generated`] takes programs of our own generator, general ones and those with the idioms of drivers, [`processor`] instructions with arbitrary results, [`csmith`] those of Csmith, [`sanitizer`] small programs with one
//! error each, which the sanitizers of clang judge; [`threaded`] has programs with threads, whose schedules are all tried. `make test` runs a few of each; `make fuzz-c` runs as many as
//! `COUNT` says, from `SEED`.

mod csmith;
mod floats;
mod generated;
mod native;
mod processor;
pub(crate) mod runs;
mod sanitizer;
mod scanning;
mod schedules;
pub(crate) mod threaded;
pub(crate) mod threads;
mod uninitialised;

use super::read::clang::DataModel;

/// How many programs, and from which seed: what the environment says, or a few.
fn programs(few: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("BOOLERO_SEED").unwrap_or(1);
    seed..seed + number("BOOLERO_COUNT").unwrap_or(few)
}

/// Data models take turns.
fn model_of(seed: u64) -> DataModel {
    if seed.is_multiple_of(2) { DataModel::Ilp32 } else { DataModel::Lp64 }
}

/// What is missing on this machine may be left out, but not where everything has to be there.
fn left_out(what: &str) {
    assert!(std::env::var_os("CI").is_none(), "{what} is missing: ./setup test installs it");
    eprintln!("left out: {what} is missing; ./setup test installs it");
}
