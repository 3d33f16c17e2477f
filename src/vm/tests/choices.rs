//! Choices: given lists, exploration, inputs, settings.

use super::{DataModel, End, Limits, Machine, checking, lenient, random_ends, read, run, run_module};
use crate::vm::choices::{ChoiceKind, format};
use crate::vm::explore::{Coverage, Exploration, explore};
use crate::vm::{Allocation, Event, Given, Settings, Tracing, Undefined, Zeros};

const INPUTS: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
    extern unsigned char __VERIFIER_nondet_uchar(void); extern _Bool __VERIFIER_nondet_bool(void);\n\
    extern void __VERIFIER_assume(int);\n\
    int main(void) { int x = __VERIFIER_nondet_int(); unsigned char c = __VERIFIER_nondet_uchar();\n\
    __VERIFIER_assume(x != 1); if (__VERIFIER_nondet_bool() && x == -5 && c == 200) reach_error(); return c; }\n";

fn given(source: &str, text: &str) -> End {
    let module = read(source, DataModel::Lp64);
    let list = format::parse(text).unwrap();
    Machine::new(&module, lenient()).run(&mut Given::new(&list), &Limits::none()).end
}

#[test]
fn given_inputs_are_taken() {
    let error = End::ErrorReached("reach_error".into());
    assert_eq!(given(INPUTS, "input int -5\ninput uchar 200\ninput bool 1"), error);
    assert_eq!(given(INPUTS, "input int -5\ninput uchar 201\ninput bool 1"), End::Exit(201));
    assert_eq!(given(INPUTS, "input int 1\ninput uchar 0\n"), End::AssumptionFailed);
    assert!(matches!(given(INPUTS, "input int 1"), End::Choices(_)));
    assert!(matches!(given(INPUTS, "input int 1\ninput uchar 256\ninput bool 1"), End::Choices(_)));
    assert!(matches!(given(INPUTS, "thread 1"), End::Choices(_)));
}

#[test]
fn exploration_finds_what_the_numbers_allow() {
    let module = read(INPUTS, DataModel::Ilp32);
    let mut machine = Machine::new(&module, lenient());
    let few = Exploration { numbers: vec![0, 1], ..Exploration::default() };
    let explored = explore(&mut machine, &few, &Limits::none());
    assert!(explored.violation().is_none() && explored.coverage == Coverage::Complete);
    let more = Exploration { numbers: vec![0, -5, 200], ..Exploration::default() };
    let explored = explore(&mut machine, &more, &Limits::none());
    assert_eq!(explored.runs, 3 * 3 * 2);
    let found = explored.violation().unwrap();
    assert_eq!(found.runs, 1);
    let again = machine.run(&mut Given::new(&found.choices), &Limits::none());
    assert_eq!(again, found.outcome);
}

#[test]
fn allocations_fail_where_they_may() {
    let source = "#include <stdlib.h>\nint main(void) { char *p = malloc(1); if (!p) return 9; *p = 1; free(p); return 0; }";
    let settings = Settings { allocation: Allocation::MayFail, ..checking() };
    let ends = random_ends(source, &settings, 80);
    assert!(ends.contains(&End::Exit(9)) && ends.contains(&End::Exit(0)));
    assert!(random_ends(source, &checking(), 20).iter().all(|end| *end == End::Exit(0)));
}

#[test]
fn addresses_are_chosen_only_where_they_are_observed() {
    let quiet = "#include <stdlib.h>\nint main(void) { int a[4]; int *p = a, *q = a + 3; int *h = malloc(4); free(h);\n\
                 return q - p == 3 && p != 0 && p < q && p != h ? 0 : 1; }";
    let loud = "int g; int main(void) { unsigned long n = (unsigned long)&g; return n % 4 == 0 ? 0 : 1; }";
    for (source, expected) in [(quiet, 0), (loud, 1)] {
        let module = read(source, DataModel::Lp64);
        let mut zeros = Zeros;
        let mut recorder = crate::vm::Recorder::new(&mut zeros);
        let outcome = Machine::new(&module, checking()).run(&mut recorder, &Limits::none());
        assert_eq!(outcome.end, End::Exit(0));
        let addresses = recorder.list.iter().filter(|chosen| chosen.kind == ChoiceKind::Address).count();
        assert_eq!(addresses, expected, "{source}");
    }
    assert_eq!(given(loud, "address g 0x20000"), End::Exit(0));
    assert!(matches!(given(loud, "address g 0x20001"), End::Choices(_)), "not aligned");
    assert!(matches!(given(loud, "address g 0"), End::Choices(_)), "null");
}

#[test]
fn undefined_functions_do_what_the_settings_say() {
    let source = "int f(int *p); int main(void) { int x = 3; int r = f(&x); return x == 3 ? 1 : 2; }";
    assert!(matches!(run(source, lenient()).end, End::Unsupported(_)));
    let pure = Settings { undefined: Undefined::Pure, ..lenient() };
    assert!(random_ends(source, &pure, 10).iter().all(|end| *end == End::Exit(1)));
    let havoc = Settings { undefined: Undefined::Havoc, ..lenient() };
    assert!(random_ends(source, &havoc, 20).contains(&End::Exit(2)));
    let apart = "int f(void); static int x = 3; int main(void) { f(); return x == 3 ? 1 : 2; }";
    assert!(random_ends(apart, &havoc, 20).iter().all(|end| *end == End::Exit(1)));
}

#[test]
fn a_trace_speaks_c() {
    let source = "struct s { int a[2]; struct s *next; } g;\nint twice(int n) { return -2 * n; }\n\
                  int main(void) { int i = 1; g.a[i] = twice(-21); g.next = &g; return 0; }";
    let module = read(source, DataModel::Ilp32);
    let settings = Settings { tracing: Tracing::On, ..lenient() };
    let outcome = run_module(&module, settings, &mut Zeros);
    let called = Event::Call { function: "twice".into(), arguments: vec!["-21".into()] };
    assert!(outcome.trace.iter().any(|step| step.event == called));
    let stores: Vec<String> = outcome
        .trace
        .iter()
        .filter_map(|step| match &step.event {
            Event::Store { target, value } => Some(format!("{target} = {value}")),
            _ => None,
        })
        .collect();
    for wanted in ["i = 1", "n = -21", "g.a[1] = 42", "g.next = &g"] {
        assert!(stores.iter().any(|store| store == wanted), "{wanted}: {stores:?}");
    }
}

#[test]
fn inputs_without_a_sign_are_told_without_one() {
    let source = "extern unsigned char __VERIFIER_nondet_uchar(void); extern char __VERIFIER_nondet_char(void);\n\
                  int main(void) { return __VERIFIER_nondet_uchar() + __VERIFIER_nondet_char(); }";
    let list = format::parse("input uchar 255\ninput char -1\n");
    let list = list.unwrap_or_else(|error| panic!("{error}"));
    let settings = Settings { tracing: Tracing::On, ..lenient() };
    let module = read(source, DataModel::Lp64);
    let outcome = Machine::new(&module, settings).run(&mut Given::new(&list), &Limits::none());
    let told: Vec<String> = outcome
        .trace
        .iter()
        .filter_map(|step| match &step.event {
            Event::Choice { what, value } => Some(format!("{what}: {value}")),
            _ => None,
        })
        .collect();
    assert_eq!(told, ["input uchar: 255", "input char: -1"]);
}

#[test]
fn errors_and_labels() {
    let source = "void bad(void) {} int main(void) { bad(); ERROR: return 3; }";
    assert_eq!(run(source, lenient()).end, End::Exit(3));
    let functions = Settings { error_functions: ["bad".to_owned()].into(), ..lenient() };
    assert_eq!(run(source, functions).end, End::ErrorReached("bad".into()));
    let labels = Settings { error_labels: ["ERROR".to_owned()].into(), ..lenient() };
    let labelled = "int main(void) { goto ERROR; ERROR: return 3; }";
    assert_eq!(run(labelled, labels).end, End::ErrorReached("ERROR".into()));
    // LLVM has given the name to the variable.
    let taken = "int main(void) { int ERROR = 1; if (ERROR) goto ERROR; return 2; ERROR: return 3; }";
    let labels = Settings { error_labels: ["ERROR".to_owned()].into(), ..lenient() };
    assert_eq!(run(taken, labels).end, End::ErrorReached("ERROR".into()));
    let asserting = "#include <assert.h>\nint main(void) { int x = 1; assert(x == 2); return 0; }";
    assert_eq!(run(asserting, lenient()).end, End::AssertionFailed("x == 2".into()));
}
