//! The C files in `programs`: machine and model violate just those assertions that are marked, in all schedules.

use super::runs::read;
use super::threaded::explore_all;
use super::threads::modelled;
use crate::llvm::read::clang::DataModel;
use crate::llvm::read::program::Library;
use crate::program::run::explore::{Exploration, explore};
use crate::program::run::{Compiled, Outcome};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Lines that are marked as violated.
fn marked(text: &str) -> BTreeSet<u32> {
    (1..).zip(text.lines()).filter(|(_, line)| line.ends_with("// violated")).map(|(line, _)| line).collect()
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/llvm/tests/programs");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn compare(path: &Path) {
    let name = path.display();
    let text = std::fs::read_to_string(path).unwrap();
    let module = read(&text, DataModel::Lp64, Library::Models, &[]);
    let program = modelled(&module);
    let lines = |ids: Vec<_>| -> BTreeSet<u32> {
        ids.into_iter().filter_map(|id| program.properties[id].place).map(|place| place.line).collect()
    };
    let machine = explore_all(&module, &program).unwrap_or_else(|| panic!("{name} is too large"));
    let machine = machine.into_iter().filter(|&(_, violated)| violated).map(|(id, _)| id).collect();
    assert_eq!(lines(machine), marked(&text), "machine: {name}");
    let explored = explore(&Compiled::new(&program), &Exploration { numbers: vec![0, 1], states: 100_000 });
    assert!(explored.complete, "{name} is too large");
    let strange = explored.ends.iter().find(|end| matches!(end, Outcome::Unsupported(..)));
    assert_eq!(strange, None, "{name}");
    let violated = explored.ends.iter().filter_map(|end| match end {
        Outcome::Violated(id) => Some(*id),
        _ => None,
    });
    assert_eq!(lines(violated.collect()), marked(&text), "model: {name}");
}

/// The files are shared out, so that each test is short.
fn share(number: usize) {
    let files = files();
    assert!(files.len() > 40, "{}", files.len());
    files.iter().skip(number).step_by(3).for_each(|path| compare(path));
}

#[test]
fn machine_and_model_agree_on_the_first_share() {
    share(0);
}

#[test]
fn machine_and_model_agree_on_the_second_share() {
    share(1);
}

#[test]
fn machine_and_model_agree_on_the_third_share() {
    share(2);
}
