//! The textbook loop, with an explicit abstract explorer instead of an abstraction and an engine.

mod explorer;

use super::*;
use crate::ir::undefined::Fault;
use crate::predicate::Transition;
use crate::program::Program;
use crate::program::blocks::{Granularity, Options, large_blocks};
use crate::simulate::replay::{Confirmation, confirm};
use crate::simulate::tests::replay::{machine, model};
use crate::simulate::{Simulation, simulate};
use explorer::explore;
use sources::preconditions;

#[derive(Debug, PartialEq)]
enum Verdict {
    Holds,
    Violated(String),
    Stuck(String),
}

/// Abstracts, explores, simulates, refines.
fn verify(source: &str, checks: &[Fault]) -> (Verdict, Precision, Program) {
    let (module, mut program) = model(source, checks);
    let labels = std::collections::BTreeSet::new();
    let options = Options { granularity: Granularity::Sequential, budget: 2000, labels: &labels };
    large_blocks(&mut program, options);
    let mut precision = Precision::default();
    let mut refiner = Refiner::new(Sources::Auto, &Limits::none());
    let show = std::env::var("SHOW").is_ok();
    let start = std::time::Instant::now();
    for iteration in 0..40 {
        let Some(path) = explore(&mut program, &precision) else {
            return (Verdict::Holds, precision, program);
        };
        let limits = Limits::none();
        if show {
            eprintln!("{iteration}: path of {} steps (after {:?})", path.len(), start.elapsed());
        }
        let verdict = match simulate(&program, &path, &limits).unwrap() {
            Simulation::Unknown(reason) | Simulation::NoPath(reason) => Verdict::Stuck(reason),
            Simulation::Feasible(feasible) => {
                let last = path.last().unwrap();
                let property = program.procedures[last.procedure].edges[last.edge].property.unwrap();
                let settings = machine(checks);
                match confirm(&module, &settings, &program, &path, &feasible, property, &limits) {
                    Confirmation::Confirmed(..) => Verdict::Violated(program.properties[property].id.clone()),
                    Confirmation::Mismatch(text) => Verdict::Stuck(text),
                }
            }
            Simulation::Infeasible(found) => {
                if show {
                    eprintln!("{iteration}: {found:?} (after {:?})", start.elapsed());
                }
                let frozen = &mut Frozen::new(&mut program);
                match refiner.refine(frozen, &path, &found.cores, &precision, iteration).unwrap() {
                    Refinement::Predicates(new) => {
                        assert!(!new.is_empty());
                        for predicate in new {
                            if show {
                                let names = crate::program::names::ProgramNames::new(&program);
                                eprintln!(
                                    "{iteration}: {} ({})",
                                    names.term(predicate.term),
                                    predicate.reason
                                );
                            }
                            assert!(precision.add(predicate).1, "a new predicate is new");
                        }
                        continue;
                    }
                    other => Verdict::Stuck(format!("{other:?}")),
                }
            }
        };
        return (verdict, precision, program);
    }
    (Verdict::Stuck("too many iterations".into()), precision, program)
}

fn example(name: &str) -> String {
    let folder = format!("{}/examples/{name}", env!("CARGO_MANIFEST_DIR"));
    let found = std::fs::read_dir(&folder)
        .unwrap()
        .filter_map(Result::ok)
        .find(|entry| entry.path().extension().is_some_and(|end| end == "c"));
    std::fs::read_to_string(found.unwrap_or_else(|| panic!("{name}")).path()).unwrap()
}

#[test]
fn a_counter_is_proven() {
    assert_eq!(verify(&example("c-counter"), &[Fault::Overflow]).0, Verdict::Holds);
}

#[test]
fn a_lock_is_proven() {
    assert_eq!(verify(&example("c-lock"), &[]).0, Verdict::Holds);
}

#[test]
fn a_port_table_is_proven() {
    assert_eq!(verify(&example("c-port-table"), &[Fault::Bounds]).0, Verdict::Holds);
}

#[test]
fn a_state_machine_is_proven() {
    assert_eq!(verify(&example("c-state-machine"), &[]).0, Verdict::Holds);
}

#[test]
fn an_overflow_is_found() {
    let (verdict, ..) = verify(&example("c-overflow"), &[Fault::Overflow]);
    assert!(matches!(verdict, Verdict::Violated(_)), "{verdict:?}");
}

#[test]
fn an_access_too_far_is_found_in_a_short_table() {
    let source = "static int t[3]; int main(void) { int i; for (i = 0; i <= 3; i++) t[i] = 0; }";
    let (verdict, ..) = verify(source, &[Fault::Bounds]);
    assert!(matches!(verdict, Verdict::Violated(_)), "{verdict:?}");
}

#[test]
fn an_access_too_far_is_found() {
    let (verdict, ..) = verify(&example("c-off-by-one"), &[Fault::Bounds]);
    assert!(matches!(verdict, Verdict::Violated(_)), "{verdict:?}");
}

const NONDET: &str = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n";

#[test]
fn loops_get_their_relations() {
    let sources = [
        "int main(void) { int x = 0, y = 0; while (__VERIFIER_nondet_int()) { x++; y++; } assert(x == y); }",
        "int main(void) { int x = 0, y = 0; while (__VERIFIER_nondet_int()) { x++; y += 2; } assert(y == 2 * x); }",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0; int i = 0; while (i < n) i++; assert(i == n); }",
        // Relations that hold in one part of the loop only.
        "int main(void) { int x = 0, y = 5; while (x < 10) { if (x < 5) x++; else { x++; y++; } } assert(y == 10); }",
        "int main(void) { unsigned i = 1000; while (i > 0) i--; assert(i == 0); }",
    ];
    for source in sources {
        let (verdict, precision, _) = verify(&format!("{NONDET}{source}"), &[]);
        assert_eq!(verdict, Verdict::Holds, "{source}");
        assert!(precision.predicates.len() < 12, "{source}");
    }
}

#[test]
fn results_of_calls_are_followed() {
    let sources = [
        "static int f(int x) { return x + 1; }\nint main(void) { int a = __VERIFIER_nondet_int(); if (a != 7) return 0; int b = f(a); assert(b == 8); }",
        "static int g; static void set(int v) { g = v; }\nint main(void) { set(3); assert(g == 3); }",
        "static int f(int x) { if (x > 10) return 10; return x; }\nint main(void) { int b = f(__VERIFIER_nondet_int()); assert(b <= 10); }",
    ];
    for source in sources {
        let (verdict, ..) = verify(&format!("{NONDET}{source}"), &[]);
        assert_eq!(verdict, Verdict::Holds, "{source}");
    }
}

#[test]
fn results_of_calls_that_are_added_up_are_followed() {
    let source = "static int f(int n) { if (n > 5) return 2; return 1; }\nint main(void) { int a = f(3); int b = f(7); assert(a + b == 3); }";
    assert_eq!(verify(&format!("{NONDET}{source}"), &[]).0, Verdict::Holds);
}

#[test]
fn the_guard_of_a_loop_serves_its_invariant() {
    let source = "int main(void) { int z = 1; int k = __VERIFIER_nondet_int(); if (k > 1000) return 0; while (z < k) z = 2 * z; assert(z >= 1); }";
    let (verdict, precision, _) = verify(&format!("{NONDET}{source}"), &[]);
    assert_eq!(verdict, Verdict::Holds);
    assert!(precision.predicates.len() < 8, "{}", precision.predicates.len());
}

#[test]
fn choices_that_the_path_decides_are_made() {
    let source = "static int a, b; static int get(int h) { if (h == 1) return a; if (h == 2) return b; return 7; }\nint main(void) { a = 5; b = __VERIFIER_nondet_int(); int c = get(1); assert(c == 5); }";
    let (verdict, precision, program) = verify(&format!("{NONDET}{source}"), &[]);
    assert_eq!(verdict, Verdict::Holds);
    let names = crate::program::names::ProgramNames::new(&program);
    for predicate in precision.predicates.iter() {
        assert!(!names.term(predicate.term).to_string().starts_with("b "), "the other case is of no use");
    }
}

/// The variable of a program with this name.
fn variable(program: &Program, name: &str) -> Term {
    let mut named = program.variables.ids().filter(|&symbol| program.store.name(symbol) == name);
    program.store.find_symbol(named.next().expect(name)).expect("a variable that is used")
}

#[test]
fn states_do_not_count_and_counters_and_their_copies_do() {
    let source = "int state, counter, copy, input; int main(void) { while (__VERIFIER_nondet_int()) { if (state == 0) state = 3; else if (state == 3) state = 4; else state = input; counter++; copy = counter; input = __VERIFIER_nondet_int(); } return state + copy; }";
    let (_, program) = model(&format!("{NONDET}{source}"), &[]);
    let counting = crate::program::counting::Counting::of(&program);
    let counts = |name| counting.touches(&program.store, variable(&program, name));
    assert!(counts("counter") && counts("copy"));
    assert!(!counts("state") && !counts("input"));
}

#[test]
fn all_values_of_a_state_are_siblings() {
    let source = "int state; int main(void) { while (__VERIFIER_nondet_int()) { if (state == 10) state = 11; else if (state == 11) state = 12; else if (state < 3) state = 10; } return 0; }";
    let (_, mut program) = model(&format!("{NONDET}{source}"), &[]);
    let state = variable(&program, "state");
    let width = program.store.width(state);
    let equal = |program: &mut Program, value| {
        let value = program.store.bits(width, value);
        Candidate { term: program.store.equal(state, value), scope: PredicateScope::Global }
    };
    let (ten, eleven, twelve) = (equal(&mut program, 10), equal(&mut program, 11), equal(&mut program, 12));
    let found = sources::siblings::siblings(&mut Frozen::new(&mut program), twelve);
    assert!([ten, eleven, twelve].iter().all(|one| found.contains(one)), "{found:?}");
}

#[test]
fn many_states_are_no_unwinding() {
    let cases: String = (0..12).map(|n| format!("else if (s == {}) s = {};", 100 + n, 101 + n)).collect();
    let source = format!(
        "int main(void) {{ int s = 100; while (__VERIFIER_nondet_int()) {{ if (s == 112) s = 100; {cases} else s = 7; }} assert(s != 7); }}"
    );
    assert_eq!(verify(&format!("{NONDET}{source}"), &[]).0, Verdict::Holds);
}

#[test]
fn a_wrong_step_is_named_by_the_values_that_are_to_blame() {
    let source =
        format!("{NONDET}int main(void) {{ int x = 5; if (__VERIFIER_nondet_int()) x = 6; assert(x < 7); }}");
    let (_, mut program) = model(&source, &[]);
    // Any path will do: its first edge with an update that makes a constant is given a wrong value.
    let path = explore(&mut program, &Precision::default()).unwrap();
    let (number, symbol, value) = path
        .iter()
        .enumerate()
        .find_map(|(number, step)| {
            let edge = &program.procedures[step.procedure].edges[step.edge];
            let crate::program::Action::Block(block) = &edge.action else { return None };
            let constant = |&&(_, value): &&(crate::term::Symbol, Term)| {
                matches!(program.store.node(value), Node::Bits(..))
            };
            block.updates.iter().find(constant).map(|&(symbol, value)| (number, symbol, value))
        })
        .expect("a constant is assigned");
    let variable = program.store.symbol(symbol);
    let term = program.store.equal(variable, value);
    let mut precision = Precision::default();
    let scope = match program.variables[symbol].scope {
        crate::program::Scope::Local(procedure) => PredicateScope::Local(procedure),
        _ => PredicateScope::Global,
    };
    let predicate = Predicate { term, scope, iteration: 0, reason: String::new() };
    let (id, _) = precision.add(predicate);
    let mut wrong = path.clone();
    wrong[number].behind = vec![(id, false)];
    let mut refiner = Refiner::new(Sources::Auto, &Limits::none());
    let found = refiner.refine(&mut Frozen::new(&mut program), &wrong, &[], &precision, 1).unwrap();
    let Refinement::Steps(found) = found else { panic!("{found:?}") };
    let place = (path[number].procedure, path[number].edge);
    let expected = Exclusion::new(Transition::Edge, vec![], vec![(id, false)]);
    assert_eq!(found, [(place, expected.clone())]);
    // Once it is excluded, the same step is not told again.
    assert!(precision.exclude(place, expected));
    let again = refiner.refine(&mut Frozen::new(&mut program), &wrong, &[], &precision, 2).unwrap();
    assert!(!matches!(again, Refinement::Steps(_)), "{again:?}");
}

#[test]
fn atoms_have_no_stores_and_no_structure() {
    let mut store = Store::new();
    let sort = crate::term::Sort::Array { index: 8, element: 8 };
    let array = store.fresh("M", sort);
    let names: Vec<Term> = ["i", "j", "v"]
        .iter()
        .map(|name| {
            let symbol = store.fresh(*name, crate::term::Sort::Bits(8));
            store.symbol(symbol)
        })
        .collect();
    let memory = store.symbol(array);
    let written = store.store(memory, names[0], names[2]);
    let read = store.select(written, names[1]);
    let five = store.bits(8, 5);
    let term = store.unsigned_less(read, five);
    let found = atoms::atoms(&mut store, term);
    let same = store.equal(names[0], names[1]);
    let before = store.select(memory, names[1]);
    let other = store.unsigned_less(before, five);
    let own = store.unsigned_less(names[2], five);
    let mut expected = vec![same, own, other];
    let mut found: Vec<Term> = found.into_iter().collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected);
}

/// Paths may have a million steps: a limit is seen on the way, and not only when the solver is asked.
#[test]
fn a_limit_stops_the_walk_along_a_path() {
    let source = "#include <assert.h>\nint main(void) { int i, n = 0; for (i = 0; i < 9; i++) n += i;\n\
                  assert(n == 36); return 0; }";
    let (_, mut program) = model(source, &[]);
    let precision = Precision::default();
    let path = explore(&mut program, &precision).unwrap();
    let limits = Limits::none();
    let mut steps = Steps::new(&limits);
    let Ok(Simulation::Infeasible(found)) = simulate(&program, &path, &limits) else { panic!("a run") };
    let core = &found.cores[0];
    let line = Line::new(&program, &path);
    let mut program = Frozen::new(&mut program);
    assert_eq!(steps.exclusions(&mut program, &line, &precision), Ok(vec![]));
    let facts = forward::facts(&mut program, &line, &limits).unwrap();
    let walk = |program: &mut Frozen<'_>| {
        preconditions::candidates(program, &line, core, &facts, (preconditions::Start::Guards, &limits))
            .map(|_| ())
    };
    assert_eq!(walk(&mut program), Ok(()));
    limits.interrupt();
    assert_eq!(walk(&mut program), Err(Stop::Interrupted));
    assert_eq!(steps.exclusions(&mut program, &line, &precision), Err(Stop::Interrupted));
    assert_eq!(forward::facts(&mut program, &line, &limits).map(|_| ()), Err(Stop::Interrupted));
}
