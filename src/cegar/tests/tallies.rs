//! What threads keep account of: it holds in all runs, and is enough for the idioms that it is for.

use super::threads::verified;
use crate::cegar::Verdict;
use crate::cegar::fewer::length;
use crate::ground::limits::Limits;
use crate::ground::verdict::Overall;
use crate::llvm::tests::threads::Any;
use crate::program::generate::Random;
use crate::program::ready::ready;
use crate::program::run::{Compiled, Execution, Recording, ThreadId, Value};
use crate::program::tallies::{Account, Tally};
use crate::program::{Assumption, ProcedureId, Program};
use crate::simulate::replay::violates;
use crate::simulate::tests::replay::{machine, model};
use crate::term::Symbol;
use crate::term::evaluate::{Assignment, Value as TermValue};
use crate::vm::Machine;
use crate::vm::choices::Given;
use std::collections::{BTreeMap, BTreeSet};

pub(in crate::cegar) const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n\
    extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);\n\
    extern int __VERIFIER_nondet_int(void);\n";

/// Requests are counted; whoever brings the count to zero says that the driver may go.
const DRIVER: &str = "static int pending = 1, stopping, event, stopped;
static int add(int by) {
    __VERIFIER_atomic_begin(); pending += by; int now = pending; __VERIFIER_atomic_end(); return now;
}
static void done(void) { if (add(-1) == 0) event = 1; }
static void *request(void *unused) { add(1); if (!stopping) assert(!stopped); done(); return 0; }
static void *stop(void *unused) { stopping = 1; done(); __VERIFIER_assume(event); stopped = 1; return 0; }
int main(void) {
    pthread_t thread; pthread_create(&thread, 0, stop, 0);
    for (;;) pthread_create(&thread, 0, request, 0);
}";

/// The same with a lock: read, changed, written back.
pub(in crate::cegar) const LOCKED: &str = "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int pending = 1, stopping, event, stopped;
static void enter(void) { pthread_mutex_lock(&m); pending++; pthread_mutex_unlock(&m); }
static void done(void) {
    pthread_mutex_lock(&m); pending--; if (pending == 0) event = 1; pthread_mutex_unlock(&m);
}
static void *request(void *unused) { enter(); if (!stopping) assert(!stopped); done(); return 0; }
static void *stop(void *unused) { stopping = 1; done(); __VERIFIER_assume(event); stopped = 1; return 0; }
int main(void) {
    pthread_t thread; pthread_create(&thread, 0, stop, 0);
    for (;;) pthread_create(&thread, 0, request, 0);
}";

/// Numbers are drawn, and served in turn.
const TICKET: &str = "static unsigned next, serving; static int inside;
static void *worker(void *unused) {
    __VERIFIER_atomic_begin(); unsigned mine = next; next++; __VERIFIER_atomic_end();
    while (serving != mine) ;
    inside++; assert(inside == 1); inside--; serving++; return 0;
}
int main(void) { pthread_t thread; for (;;) pthread_create(&thread, 0, worker, 0); }";

/// The number is left in a local variable.
const TAKEN: &str = "static unsigned next, serving; static int inside;
static void __VERIFIER_atomic_take(unsigned *number) { __VERIFIER_assume(next != -1); *number = next; next = next + 1; }
static void *worker(void *unused) {
    unsigned mine; __VERIFIER_atomic_take(&mine); while (mine != serving) ;
    inside = 1; assert(inside == 1); inside = 0; serving++; return 0;
}
int main(void) {
    pthread_t thread; while (__VERIFIER_nondet_int()) pthread_create(&thread, 0, worker, 0);
    worker(0); return 0;
}";

fn prepared(source: &str) -> Program {
    let (_, mut program) = model(&format!("{HEAD}{source}"), &[]);
    assert_eq!(ready(&mut program), None);
    program
}

fn overall(source: &str) -> Overall {
    verified(&format!("{HEAD}{source}")).0.overall()
}

#[test]
fn any_number_of_requests_is_counted() {
    let program = prepared(DRIVER);
    assert!(
        matches!(program.tallies[..], [Tally { account: Account::Shares(_), .. }]),
        "{:?}",
        program.tallies
    );
    assert!(program.assumptions.iter().any(|it| matches!(it, Assumption::ThreadsInAll(_))));
    assert_eq!(overall(DRIVER), Overall::Holds);
}

#[test]
fn a_counter_may_be_changed_under_a_lock() {
    let program = prepared(LOCKED);
    let [Tally { locked: Some(locked), .. }] = &program.tallies[..] else { panic!("{:?}", program.tallies) };
    assert!(!locked.copies.is_empty() && !locked.held.is_empty());
    assert_eq!(overall(LOCKED), Overall::Holds);
}

#[test]
fn numbers_that_are_drawn_differ() {
    for (source, assumed) in [(TICKET, true), (TAKEN, false)] {
        let program = prepared(source);
        assert!(matches!(program.tallies[..], [Tally { account: Account::Numbers(_), .. }]), "{source}");
        let bounded = |assumption: &Assumption| matches!(assumption, Assumption::ThreadsInAll(_));
        assert_eq!(program.assumptions.iter().any(bounded), assumed, "{source}");
        assert_eq!(overall(source), Overall::Holds, "{source}");
    }
}

/// The first thread starts both others; then the stopper runs between two steps of a request: three switches.
#[test]
fn violations_have_few_switches() {
    let source = DRIVER.replace("add(1); if (!stopping)", "if (stopping) return 0; add(1);");
    let (outcome, program, module) = verified(&format!("{HEAD}{source}"));
    let [(property, Verdict::Violated(violation))] = &outcome.verdicts[..] else {
        panic!("{:?}", outcome.verdicts);
    };
    assert!(length(&violation.choices).1 <= 3, "{:?}", violation.choices);
    let mut again = Given::new(&violation.choices);
    let run = Machine::new(&module, machine(&[])).run(&mut again, &Limits::none());
    assert!(violates(&program, *property, &run) && again.rest().is_empty());
}

/// Programs that look like the others, and are wrong.
#[test]
fn what_is_wrong_is_not_proven() {
    let wrong = [
        DRIVER.replace("add(1); if (!stopping)", "if (stopping) return 0; add(1);"),
        DRIVER.replace("pending = 1", "pending"),
        DRIVER.replace("add(1);", "add(1); done();"),
        TICKET
            .replace("__VERIFIER_atomic_begin(); unsigned", "unsigned")
            .replace("__VERIFIER_atomic_end();", ""),
        TICKET.replace("serving++;", "serving += 2; serving--;"),
        TICKET.replace("inside--; serving++;", "serving++; inside--;"),
    ];
    for source in wrong {
        assert_ne!(overall(&source), Overall::Holds, "{source}");
    }
}

/// Counters that nobody keeps account of: they are set, or change by what is not constant, or wrap around soon.
#[test]
fn not_all_counters_count() {
    let others = [
        DRIVER.replace("stopping = 1;", "stopping = 1; pending = 5;"),
        DRIVER.replace("add(1);", "add(__VERIFIER_nondet_int());"),
        DRIVER.replace("static int pending", "static signed char pending"),
        DRIVER.replace("add(1);", "add(-1); add(1);"),
        DRIVER.replace("add(1);", "while (__VERIFIER_nondet_int()) add(1);"),
        TICKET.replace("inside--;", "inside--; next = 3;"),
        LOCKED.replace("{ pthread_mutex_lock(&m); pending++; pthread_mutex_unlock(&m); }", "{ pending++; }"),
        LOCKED.replace("pthread_mutex_lock(&m); pending--;", "pending--; pthread_mutex_lock(&m);"),
        LOCKED.replace("stopping = 1;", "stopping = 1; pthread_mutex_unlock(&m);"),
    ];
    for source in others {
        assert_eq!(prepared(&source).tallies, [], "{source}");
    }
}

/// Another thread's ghosts, by a symbol of their own.
fn copies(program: &mut Program) -> BTreeMap<Symbol, Symbol> {
    let ghosts: BTreeSet<Symbol> = program.tallies.iter().flat_map(Tally::ghosts).collect();
    let copy = |ghost: Symbol| (ghost, program.store.fresh("copy", program.store.sort_of_symbol(ghost)));
    ghosts.into_iter().map(copy).collect()
}

/// What is said of two threads is so in all states of many runs.
#[test]
fn what_is_said_of_two_threads_holds() {
    for source in [DRIVER, LOCKED, TICKET, TAKEN] {
        let program = prepared(source);
        let mut terms = program.clone();
        let copies = copies(&mut terms);
        let code = Compiled::new(&program);
        let mut looked = 0;
        for seed in 0..40 {
            let mut chooser = Any(Random::new(seed));
            let mut run = Execution::new(&code, Recording::Nothing);
            for _ in 0..150 {
                if run.step(&mut chooser).is_some() {
                    break;
                }
                looked += check_state(&mut terms, &run, &copies);
            }
        }
        assert!(looked > 1_000, "{looked} pairs of threads\n{source}");
    }
}

/// Looks at all pairs of threads; tells how many there were.
fn check_state(program: &mut Program, run: &Execution<'_>, copies: &BTreeMap<Symbol, Symbol>) -> usize {
    use crate::ground::index::Index;
    let ghosts: BTreeSet<Symbol> = copies.keys().copied().collect();
    let threads: Vec<(ThreadId, ProcedureId)> =
        (0..8).map(ThreadId::new).filter_map(|thread| Some((thread, run.location(thread)?.0))).collect();
    let mut pairs = 0;
    for &(first, own) in &threads {
        for &(second, theirs) in threads.iter().filter(|(second, _)| *second != first) {
            let facts = program.known_of_two((own, theirs), &ghosts, &|ghost| copies.get(&ghost).copied());
            let mut values = Assignment::new();
            for symbol in program.variables.ids() {
                let mut set = |name: Symbol, thread: ThreadId| {
                    if let Some(Value::Scalar(value)) = run.value(thread, symbol) {
                        let width = program.store.sort_of_symbol(symbol);
                        values.insert(name, scalar(width, value));
                    }
                };
                set(symbol, first);
                if let Some(&copy) = copies.get(&symbol) {
                    set(copy, second);
                }
            }
            for fact in facts {
                if let Ok(value) = program.store.evaluate(fact, &values) {
                    assert!(value.as_bool(), "{first:?} {second:?} {values:?}");
                    pairs += 1;
                }
            }
        }
    }
    pairs
}

fn scalar(sort: crate::term::Sort, value: u128) -> TermValue {
    match sort {
        crate::term::Sort::Boolean => TermValue::Bool(value == 1),
        _ => TermValue::Bits(value),
    }
}
