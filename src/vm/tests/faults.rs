//! The table of faults: each is noticed, and means what the table says if nobody checks it.

use super::{DataModel, End, Fault, MODELS, checking, fault_of, lenient, read, run, run_module};
use crate::ir::Module;
use crate::ir::undefined::Meaning;
use crate::ir::undefined::snippets::{self, Kind, entry};
use crate::vm::{RunOutcome, Settings, Zeros};

fn machine_end(module: &Module, kind: Kind, number: usize, settings: Settings) -> RunOutcome {
    run_module(module, Settings { entry: entry(kind, number), ..settings }, &mut Zeros)
}

/// The program around a snippet.
fn program(line: &str) -> String {
    format!("#include <stdlib.h>\n#include <string.h>\n\n\nint main(void) {{\n{line}\n}}\n")
}

#[test]
fn every_fault_is_noticed_at_its_place() {
    for model in MODELS {
        let module = read(&snippets::program(), model);
        for (number, &(fault, text)) in snippets::FAULTY.iter().enumerate() {
            let outcome = machine_end(&module, Kind::Faulty, number, checking());
            let End::Fault(report) = &outcome.end else { panic!("{text}: {:?}", outcome.end) };
            assert_eq!(report.fault, fault, "{text}: {}", report.text);
            assert!(!report.text.is_empty());
            if !matches!(fault, Fault::Leak) && !text.contains("add(") {
                let line = report.location.place.map(|place| place.line);
                assert_eq!(line, Some(snippets::line(Kind::Faulty, number)), "{text}");
            }
        }
    }
}

#[test]
fn what_is_not_checked_means_what_the_table_says() {
    let module = read(&snippets::program(), DataModel::Lp64);
    for (number, &(fault, text)) in snippets::FAULTY.iter().enumerate() {
        let outcome = machine_end(&module, Kind::Faulty, number, lenient());
        match fault.without_check() {
            Meaning::EndsTheRun => {
                assert!(matches!(outcome.end, End::Stopped(_)), "{text}: {:?}", outcome.end);
                assert_eq!(fault_of(&outcome.end), Some(fault));
            }
            _ => {
                assert_eq!(outcome.end, End::Exit(7), "{text}");
                assert_eq!(outcome.noted[0].fault, fault, "{text}");
            }
        }
    }
}

#[test]
fn nothing_is_reported_where_nothing_is_wrong() {
    for model in MODELS {
        let module = read(&snippets::program(), model);
        for (number, text) in snippets::FINE.iter().enumerate() {
            let outcome = machine_end(&module, Kind::Fine, number, checking());
            assert_eq!(outcome.end, End::Exit(7), "{text}");
            assert!(outcome.noted.is_empty(), "{text}");
        }
    }
}

#[test]
fn faults_name_what_they_concern() {
    let source = program("int *buffer = malloc(4); *buffer = 1;\nfree(buffer);\nreturn *buffer;");
    let End::Fault(report) = run(&source, checking()).end else { panic!() };
    assert!(
        report.text.starts_with("`heap@6` was freed at") && report.text.ends_with("test.c:7"),
        "{}",
        report.text
    );
    let End::Fault(report) = run(&program("int grid[2] = {0}; int i = 5; return grid[i];"), checking()).end
    else {
        panic!()
    };
    assert_eq!(report.text, "`grid` has 8 bytes; 4 are read at offset 20");
}

#[test]
fn an_uninitialised_value_is_the_same_at_every_read() {
    let source = "int main(void) { int x, y = x, z = x; int a[2]; int b = a[1]; int c = a[1]; \
                  return y == z && b == c ? 7 : 1; }";
    for end in super::random_ends(source, &lenient(), 20) {
        assert_eq!(end, End::Exit(7));
    }
    // Both values of a branch are possible.
    let source = "int main(void) { int x; if (x != 5) return 1; return 2; }";
    let module = read(source, DataModel::Lp64);
    let mut machine = crate::vm::Machine::new(&module, lenient());
    let explored = crate::vm::explore::explore(
        &mut machine,
        &crate::vm::explore::Exploration { numbers: vec![0, 5], ..Default::default() },
        &crate::ground::limits::Limits::none(),
    );
    let ends: Vec<&End> = explored.ends.iter().map(|found| &found.outcome.end).collect();
    assert_eq!(ends, [&End::Exit(1), &End::Exit(2)]);
}
