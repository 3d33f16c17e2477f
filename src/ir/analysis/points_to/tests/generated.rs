//! Generated programs: flat memory and regions agree.

use super::generate::Generator;
use super::machine::{Machine, Stop};
use super::{analyse, read};
use crate::llvm::read::clang::DataModel;

/// Runs a program with several seeds; the number of values compared.
pub fn run(source: &str, data_model: DataModel, seeds: u64) -> usize {
    let module = read(source, data_model);
    let points_to = analyse(&module);
    let main = module.function("main").expect("there is a main");
    let mut compared = 0;
    for seed in 0..seeds {
        let mut machine = Machine::new(&module, &points_to, seed);
        match machine.call(main, Vec::new()) {
            Ok(_) | Err(Stop::Fault(_) | Stop::Limit) => {}
            Err(Stop::Unsupported(what)) => assert_eq!(what, "part of a cell", "{source}"),
        }
        compared += machine.compared;
    }
    compared
}

/// Where the analysis is wrong, the program is shown.
fn check(number: u64, data_model: DataModel) -> usize {
    let source = Generator::new(number).program();
    let outcome = std::panic::catch_unwind(|| run(&source, data_model, 4));
    outcome.unwrap_or_else(|_| panic!("program {number}, {data_model:?}:\n{source}"))
}

#[test]
fn generated_programs_on_32_bits() {
    let compared: usize = (0..40).map(|number| check(number, DataModel::Ilp32)).sum();
    assert!(compared > 20_000, "only {compared} values were compared");
}

#[test]
fn generated_programs_on_64_bits() {
    let compared: usize = (1000..1040).map(|number| check(number, DataModel::Lp64)).sum();
    assert!(compared > 20_000, "only {compared} values were compared");
}
