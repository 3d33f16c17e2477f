//! The suite: text files that say in their own header what they expect, transcripts of command lines, and the
//! behaviour of the process as a whole, all against the built binary.
//!
//! - every `.bp` file under `tests/` and `examples/` ([`programs`]);
//! - every `.txt` file under `tests/cli/` ([`transcripts`]); `BLESS=1` writes what is printed into them;
//! - limits, signals, pipes, hostile input ([`process`]); the JSON report against its schema ([`schema`]);
//! - proofs for other tools ([`proof`]), by a checker of our own ([`drat`]);
//! - saved runs and the reports made of them ([`report`]), the HTML report in a real browser ([`browser`]);
//! - witnesses, written and judged ([`witness`]);
//! - the layers of the source ([`layers`]);
//! - the table of idioms of drivers ([`idioms`]);
//! - the drivers in `drivers/cases` under their rules ([`drivers`]).

mod browser;
mod command;
mod drat;
mod drivers;
mod idioms;
mod layers;
mod process;
mod programs;
mod proof;
mod report;
mod schema;
mod transcripts;
mod witness;

use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};

fn main() {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = Vec::new();
    trials.extend(programs::trials());
    trials.extend(transcripts::trials());
    trials.extend(process::trials());
    trials.extend(proof::trials());
    trials.extend(schema::trials());
    trials.extend(report::trials());
    trials.extend(witness::trials());
    trials.extend(browser::trials());
    trials.extend(layers::trials());
    trials.extend(idioms::trials());
    trials.extend(drivers::trials());
    libtest_mimic::run(&arguments, trials).exit();
}

/// The top of the package.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files with an extension below a folder, sorted, relative to the top of the package.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder can be listed") {
            let path = entry.expect("the folder can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path.strip_prefix(root()).expect("it is below the top").to_owned());
            }
        }
    }
    found.sort();
    found
}
