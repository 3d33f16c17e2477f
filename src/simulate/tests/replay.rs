//! Violations that random runs of the model find, simulated and judged by the machine.

use super::helpers::path_of;
use crate::ground::limits::Limits;
use crate::ir::Module;
use crate::ir::undefined::Fault;
use crate::llvm::read::clang::CompileOptions;
use crate::llvm::read::program::{Folder, Library, ReadOptions, read_here};
use crate::lower::{Settings, lower};
use crate::program::run::{Compiled, Outcome, run};
use crate::program::tests::Seeded;
use crate::program::{Program, PropertyId};
use crate::simulate::replay::{Confirmation, confirm};
use crate::simulate::{Simulation, simulate};
use crate::vm;

/// Reads and lowers a program.
pub(crate) fn model(source: &str, checks: &[Fault]) -> (Module, Program) {
    let folder = Folder::new().unwrap();
    let path = folder.0.join("test.c");
    std::fs::write(&path, source).unwrap();
    let locks = [Fault::Lock, Fault::Deadlock].iter().any(|fault| checks.contains(fault));
    let library = if locks { Library::ModelsWithLocks } else { Library::Models };
    let options = ReadOptions { compile: CompileOptions::default(), library };
    let module = read_here(&[path], &options).unwrap_or_else(|error| panic!("{error}\n{source}"));
    let settings = Settings { checks: checks.iter().copied().collect(), ..Settings::default() };
    let program = lower(&module, &settings).unwrap();
    (module, program)
}

pub(crate) fn machine(checks: &[Fault]) -> vm::Settings {
    vm::Settings { checks: checks.iter().copied().collect(), steps: 1_000_000, ..vm::Settings::default() }
}

/// Looks for a violation by random runs, and has it confirmed.
fn violated(source: &str, checks: &[Fault]) -> (Confirmation, PropertyId, Program) {
    let (module, program) = model(source, checks);
    let code = Compiled::new(&program);
    let found = (0..5000).find_map(|seed| match run(&code, &mut Seeded::new(seed), 500) {
        (Outcome::Violated(property), execution) => Some((property, path_of(&program, execution.path()))),
        _ => None,
    });
    let (property, path) = found.expect("some run violates something");
    let simulation = simulate(&program, &path, &Limits::none()).unwrap();
    let Simulation::Feasible(feasible) = simulation else { panic!("{simulation:?}") };
    let answer = confirm(&module, &machine(checks), &program, &path, &feasible, property, &Limits::none());
    (answer, property, program)
}

#[test]
fn the_machine_confirms_violations() {
    let nondet = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\nvoid reach_error(void);\n";
    let cases: [(&str, &[Fault]); 8] = [
        ("int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 3); }", &[]),
        ("static int t[10]; int main(void) { for (int i = 0; i <= 10; i++) t[i] = 0; }", &[Fault::Bounds]),
        (
            "int main(void) { int a = __VERIFIER_nondet_int(); if (a > 5) { int b = a + a; return b > 0; } }",
            &[Fault::Overflow],
        ),
        ("int main(void) { int u; if (u != 2) assert(0); }", &[]),
        (
            "static int f(int x) { return __VERIFIER_nondet_uchar() ? x : 0; }\nint main(void) { int s = 0; for (int i = 0; i < 3; i++) s += f(i); assert(s != 2); }",
            &[],
        ),
        ("int main(void) { int x = __VERIFIER_nondet_int(); if (x == 1) reach_error(); }", &[]),
        ("int main(void) { int x = __VERIFIER_nondet_int(); return 7 / x; }", &[Fault::Division]),
        (
            "int main(void) { int a[3]; int i = __VERIFIER_nondet_uchar() % 3; a[i] = 4; assert(a[1] != 4); }",
            &[],
        ),
    ];
    for (source, checks) in cases {
        let (answer, property, program) = violated(&format!("{nondet}{source}"), checks);
        let text = &program.properties[property].id;
        assert!(matches!(answer, Confirmation::Confirmed(..)), "{text}: {answer:?}\n{source}");
    }
}

#[test]
fn another_property_is_not_confirmed() {
    let source = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) { int x = __VERIFIER_nondet_int();\nassert(x > 90);\nassert(x > 80); }";
    let (module, program) = model(source, &[]);
    let code = Compiled::new(&program);
    let (_, execution) = run(&code, &mut Seeded::new(1), 100);
    let path = path_of(&program, execution.path());
    let Simulation::Feasible(feasible) = simulate(&program, &path, &Limits::none()).unwrap() else {
        panic!()
    };
    let answers: Vec<bool> = program
        .properties
        .ids()
        .map(|property| {
            let settings = machine(&[]);
            let answer = confirm(&module, &settings, &program, &path, &feasible, property, &Limits::none());
            matches!(answer, Confirmation::Confirmed(..))
        })
        .collect();
    assert_eq!(answers, [true, false]);
}
