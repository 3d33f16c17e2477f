//! The table of faults against the lowering, on the snippets that the machine is held against, too.

use super::super::Settings;
use crate::ir::Module;
use crate::ir::undefined::snippets::{self, FAULTY, FINE, Kind};
use crate::ir::undefined::{Fault, Meaning};
use crate::llvm::read::clang::DataModel;
use crate::llvm::read::program::Library;
use crate::llvm::tests::runs::{Inputs, Verdict, model, models, read};
use crate::program::{Assumption, Program};

const MODELS: [DataModel; 2] = [DataModel::Ilp32, DataModel::Lp64];

fn lowered(module: &Module, kind: Kind, number: usize, checks: &[Fault]) -> [Program; 2] {
    let entry = snippets::entry(kind, number);
    let checks = checks.iter().copied().collect();
    models(module, &Settings { entry, checks, ..Settings::default() })
}

/// What all forms of the model do.
fn verdict(programs: &[Program; 2]) -> Verdict {
    let [basic, large] = [0, 1].map(|form| model(&programs[form], &Inputs::default()));
    assert_eq!(basic, large, "basic and large blocks");
    basic
}

/// What is wrong with a snippet: all are told at once.
fn complain(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// What the lowering does otherwise than the machine, and says: an unsupported edge. Besides, it takes all memory that is
/// still allocated at the end for a leak; the machine asks whether anybody can reach it, and has the last word.
fn is_left_out(text: &str, found: &Verdict) -> bool {
    // A pointer that is copied byte by byte: its bytes are those of no layout.
    let torn = text.contains("(char *)&p)[i]");
    torn || text.contains("kept") && matches!(found, Verdict::Fault(Fault::Leak, _))
}

/// The lowering leaves this to the machine, and says so.
fn is_assumed(program: &Program, fault: Fault) -> bool {
    let assumed = |it: &Assumption| matches!(it, Assumption::No(unasked) if unasked.fault() == fault);
    program.assumptions.iter().any(assumed) || program.gaps.iter().any(|gap| gap.fault == fault)
}

#[test]
fn every_checked_fault_violates_a_property_of_its_kind_at_its_place() {
    let faults: Vec<Fault> = Fault::of_one_thread().collect();
    let mut complaints = Vec::new();
    for data_model in MODELS {
        let module = read(&snippets::program(), data_model, Library::Models, &[]);
        for (number, &(fault, text)) in FAULTY.iter().enumerate() {
            let programs = lowered(&module, Kind::Faulty, number, &faults);
            let found = verdict(&programs);
            let place = snippets::line(Kind::Faulty, number);
            // Leaks are found at the end, and other faults where they are: in the function, or in a model.
            let elsewhere = fault == Fault::Leak || text.contains("strcpy(") || text.contains("add(");
            let right = match found {
                Verdict::Fault(kind, line) => kind == fault && (line == place || elsewhere),
                _ => is_assumed(&programs[0], fault),
            };
            if !right && !is_left_out(text, &found) {
                complaints.push(format!("{data_model:?} {fault:?} {text}: {found:?}, line {place}"));
            }
        }
    }
    complain(&complaints);
}

#[test]
fn a_fault_that_is_not_checked_means_what_the_table_says() {
    let mut complaints = Vec::new();
    for data_model in MODELS {
        let module = read(&snippets::program(), data_model, Library::Models, &[]);
        for (number, &(fault, text)) in FAULTY.iter().enumerate() {
            let programs = lowered(&module, Kind::Faulty, number, &[]);
            let found = verdict(&programs);
            let right = match fault.without_check() {
                // Where the model does not cut the run off, what is found there is not believed before the machine
                // has replayed it; what is proved rests on the assumption.
                Meaning::EndsTheRun => found == Verdict::Stuck || is_assumed(&programs[0], fault),
                _ => found == Verdict::Done,
            };
            if !right && !is_left_out(text, &found) {
                complaints.push(format!("{data_model:?} {fault:?} {text}: {found:?}"));
            }
        }
    }
    complain(&complaints);
}

#[test]
fn what_only_looks_like_a_fault_is_none() {
    let faults: Vec<Fault> = Fault::of_one_thread().collect();
    let mut complaints = Vec::new();
    for data_model in MODELS {
        let module = read(&snippets::program(), data_model, Library::Models, &[]);
        for (number, text) in FINE.iter().enumerate() {
            for checks in [&faults[..], &[]] {
                let found = verdict(&lowered(&module, Kind::Fine, number, checks));
                if found != Verdict::Done && !is_left_out(text, &found) {
                    complaints.push(format!("{data_model:?} {} checks {text}: {found:?}", checks.len()));
                }
            }
        }
    }
    complain(&complaints);
}

/// Each check by itself: a fault of another kind is not reported.
#[test]
fn a_check_reports_only_faults_of_its_kind() {
    let module = read(&snippets::program(), DataModel::Lp64, Library::Models, &[]);
    for (number, &(fault, text)) in FAULTY.iter().enumerate() {
        for other in Fault::of_one_thread().filter(|&other| other != fault) {
            let found = verdict(&lowered(&module, Kind::Faulty, number, &[other]));
            let wrong = matches!(found, Verdict::Fault(kind, _) if kind != other);
            assert!(!wrong, "{other:?} alone, {text}: {found:?}");
        }
    }
}
