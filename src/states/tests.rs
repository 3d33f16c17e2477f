//! States against runs: on generated programs with threads, whatever is reduced, runs end in the same ways as all runs
//! of the machine do, which are made anew for each list of choices.

use super::{Explored, Incomplete, Options, Recheck, explore};
use crate::ground::event::Silent;
use crate::ground::limits::Limits;
use crate::ground::run::Run;
use crate::ir::Module;
use crate::ir::undefined::Fault;
use crate::llvm::tests::threaded::{Means, Source};
use crate::simulate::tests::replay::model;
use crate::vm::explore::{Coverage, Exploration, explore_states};
use crate::vm::state::{Answers, Cut, Dead, Stops};
use crate::vm::{End, Location, Machine, Settings};
use std::collections::{BTreeMap, BTreeSet};

const STOPS: [Stops; 5] = [Stops::Instructions, Stops::Accesses, Stops::Loops, Stops::Shared, Stops::Visible];

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn quiet(limits: &Limits) -> Run<'_> {
    Run { limits, observer: &Silent }
}

/// How a run ends, as far as all searches must agree.
fn key(end: &End, location: &Location) -> String {
    let place = if let End::Fault(report) = end { report.location.place } else { location.place };
    let what = match end {
        End::Fault(report) => format!("{:?}", report.fault),
        End::Exit(code) => format!("exit {code}"),
        End::AssertionFailed(text) | End::ErrorReached(text) => text.clone(),
        _ => String::new(),
    };
    // Where everybody has come to a stop, any of them may be the last one.
    let place = if matches!(end, End::Deadlock(_) | End::AssumptionFailed) { None } else { place };
    let place = if what == "Deadlock" || matches!(end, End::Exit(_)) { None } else { place };
    format!("{} {what} {:?}", end.name(), place.map(|place| (place.line, place.column)))
}

fn settings(checks: &[Fault]) -> Settings {
    Settings { steps: 20_000, checks: checks.iter().copied().collect(), ..Settings::default() }
}

/// The ends of all runs; nothing if there are too many runs.
fn ends_of_runs(module: &Module, checks: &[Fault]) -> Option<BTreeSet<String>> {
    let all = Exploration { numbers: vec![0, 1], runs: 20_000, choices: 400 };
    let explored = explore_states(&mut Machine::new(module, settings(checks)), &all, &Limits::none());
    let ends = explored.ends.iter().map(|found| key(&found.outcome.end, &found.outcome.location));
    (explored.coverage == Coverage::Complete).then(|| ends.collect())
}

fn options(stops: Stops, dead: Dead) -> Options {
    let cut = Cut { stops, dead, ..Cut::default() };
    Options { cut, answers: Answers::Among(vec![0, 1]), states: 4_000, ..Options::default() }
}

fn explored(module: &Module, checks: &[Fault], options: &Options) -> Explored {
    let limits = Limits::none();
    explore(&Machine::new(module, settings(checks)), options, quiet(&limits))
}

/// What is wrong with a search of a program, if anything is.
fn disagreement(source: &str, checks: &[Fault], sizes: &mut BTreeMap<Stops, usize>) -> Option<String> {
    let (module, _) = model(source, checks);
    let runs = ends_of_runs(&module, checks)?;
    let (mut here, mut finished): (BTreeMap<Stops, usize>, bool) = (BTreeMap::new(), true);
    for stops in STOPS {
        for dead in [Dead::Kept, Dead::Forgotten] {
            let options = options(stops, dead);
            let found = explored(&module, checks, &options);
            if matches!(found.incomplete, Some(Incomplete::States(_))) {
                finished = false;
                continue;
            }
            *here.entry(stops).or_default() += found.states;
            let states: BTreeSet<String> =
                found.ends.iter().map(|row| key(&row.end, &row.location)).collect();
            if states != runs {
                return Some(format!("{stops:?}, {dead:?}: {states:#?}, but runs: {runs:#?}"));
            }
            let fine = matches!(found.recheck, Recheck::Passed);
            if !fine {
                return Some(format!("{stops:?}, {dead:?}: second pass: {:?}", found.recheck));
            }
            if let Some(what) = not_replayed(&module, checks, &found, &options) {
                return Some(format!("{stops:?}, {dead:?}: {what}"));
            }
        }
    }
    // Only what all of them could finish can be compared.
    if finished {
        here.into_iter().for_each(|(stops, states)| *sizes.entry(stops).or_default() += states);
    }
    None
}

/// An end that the machine does not come to when it makes the same steps from the start.
fn not_replayed(module: &Module, checks: &[Fault], found: &Explored, options: &Options) -> Option<String> {
    let limits = Limits::none();
    let machine = Machine::new(module, settings(checks));
    found.ends.iter().find_map(|row| {
        let again = found.run_to(&machine, row, options, quiet(&limits)).run;
        let (wanted, came) = (key(&row.end, &row.location), key(&again.end, &again.location));
        (wanted != came).then(|| format!("{wanted}, but from the start: {came}"))
    })
}

/// The smallest program that can be found with a disagreement.
fn shrunk(mut source: Source, checks: &[Fault]) -> String {
    let mut text = String::new();
    while let Some((smaller, what)) = source.smaller().into_iter().find_map(|smaller| {
        let found = disagreement(&smaller.text(), checks, &mut BTreeMap::new());
        found.map(|what| (smaller, what))
    }) {
        (source, text) = (smaller, what);
    }
    format!("{}\n{text}", source.text())
}

fn agree(means: Means, checks: &[Fault], count: u64) {
    let (seed, count) = (number("BOOLERO_SEED", 1), number("BOOLERO_COUNT", count));
    let mut sizes = BTreeMap::new();
    for seed in seed..seed + count {
        let source = Source::of(seed, means);
        if let Some(what) = disagreement(&source.text(), checks, &mut sizes) {
            panic!("seed {seed}: {what}\n{}\n{}", source.text(), shrunk(source, checks));
        }
    }
    if std::env::var("BOOLERO_VERBOSE").is_ok() {
        eprintln!("{means:?} {checks:?}: {sizes:?}");
    }
    let least = sizes.get(&Stops::Visible);
    assert!(STOPS.iter().all(|stops| sizes.get(stops) >= least), "reductions reduce: {sizes:?}");
}

#[test]
fn states_and_runs_end_alike() {
    agree(Means::Few, &[], 12);
}

#[test]
fn states_and_runs_end_alike_with_many_means() {
    agree(Means::Many, &[], 6);
}

#[test]
fn states_and_runs_end_alike_with_counters_and_recursion() {
    agree(Means::Counters, &[], 4);
    agree(Means::Recursion, &[], 4);
}

#[test]
fn states_and_runs_show_the_same_deadlocks() {
    agree(Means::Many, &[Fault::Deadlock, Fault::Lock], 6);
}

/// Whether there is a race depends on where others have stopped: that nothing was seen means nothing.
#[test]
fn races_are_not_decided() {
    let (module, _) = model("int main(void) { return 0; }", &[Fault::Race]);
    let found = explored(&module, &[Fault::Race], &options(Stops::Visible, Dead::Forgotten));
    assert_eq!(found.incomplete, Some(Incomplete::Races));
}

/// The number of workers changes nothing.
#[test]
fn workers_find_the_same_states_in_the_same_order() {
    let (module, _) = model(&counting(2, 2), &[]);
    let options = Options { states: 100_000, ..options(Stops::Loops, Dead::Forgotten) };
    let one = explored(&module, &[], &Options { workers: 1, ..options.clone() });
    let two = explored(&module, &[], &Options { workers: 2, ..options });
    assert!(one.states > 1_000, "{}", one.states);
    assert_eq!((one.states, one.steps, one.depth), (two.states, two.steps, two.depth));
    assert_eq!(one.space.parents, two.space.parents);
    assert_eq!(two.recheck, Recheck::Passed);
}

/// So many threads count so far.
fn counting(threads: usize, far: usize) -> String {
    let create: String = (0..threads).map(|n| format!("pthread_create(&t[{n}], 0, work, 0);")).collect();
    let join: String = (0..threads).map(|n| format!("pthread_join(t[{n}], 0);")).collect();
    format!(
        "#include <assert.h>\n#include <pthread.h>\nint x;\n\
         void *work(void *a) {{ for (int i = 0; i < {far}; i++) {{ int y = x; x = y + 1; }} return 0; }}\n\
         int main(void) {{ pthread_t t[{threads}]; {create} {join} assert(x >= 2); return 0; }}"
    )
}

/// DiVM joins loads; then this outcome is lost.
#[test]
fn loads_are_not_joined() {
    let source = "#include <assert.h>\n#include <pthread.h>\nint x, y;\n\
        void *write(void *a) { x = 1; y = 1; return 0; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, write, 0); int a = x, b = y;\n\
        assert(!(a == 0 && b == 1)); return 0; }";
    let (module, _) = model(source, &[]);
    let found = explored(&module, &[], &options(Stops::Visible, Dead::Forgotten));
    assert!(found.ends.iter().any(|row| row.end.is_violation()));
}

/// A loop without an end has finitely many states, whether or not others could notice what it does.
#[test]
fn endless_loops_have_states() {
    let programs = [
        "int main(void) { for (;;) ; }",
        "#include <pthread.h>\nvoid *work(void *a) { for (;;) ; }\n\
         int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); return 0; }",
        "#include <pthread.h>\nint x; void *work(void *a) { for (;;) x = 1 - x; }\n\
         int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); while (x != 1) ; for (;;) ; }",
    ];
    for source in programs {
        let (module, _) = model(source, &[]);
        for stops in STOPS {
            let found = explored(&module, &[], &options(stops, Dead::Forgotten));
            assert_eq!(found.incomplete, None, "{stops:?} {source}");
            assert!(found.ends.is_empty() && found.states > 1, "{stops:?} {source} {:?}", found.ends);
        }
    }
}

/// The order in which objects were made is not part of a state.
#[test]
fn equal_heaps_are_one_state() {
    let program = |order: &str| {
        let source = format!(
            "#include <stdlib.h>\nint *p[2]; _Bool __VERIFIER_nondet_bool(void);\n\
             static void make(int i) {{ p[i] = malloc(4); *p[i] = 1; }}\n\
             int main(void) {{ int i = {order}; make(i); make(1 - i); i = 0; for (;;) ; }}"
        );
        let (module, _) = model(&source, &[]);
        explored(&module, &[], &options(Stops::Visible, Dead::Forgotten)).states
    };
    assert_eq!(program("__VERIFIER_nondet_bool()"), program("0"));
}

/// Memory that is lost long before the end is lost at the end.
#[test]
fn leaks_are_remembered() {
    let source = "#include <stdlib.h>\n#include <pthread.h>\nint x;\n\
        void *work(void *a) { malloc(4); x = 1; x = 2; return 0; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); return 0; }";
    let (module, _) = model(source, &[]);
    let found = explored(&module, &[Fault::Leak], &options(Stops::Visible, Dead::Kept));
    assert!(found.ends.iter().all(|row| matches!(&row.end, End::Fault(_))), "{:?}", found.ends);
    assert_eq!(not_replayed(&module, &[Fault::Leak], &found, &options(Stops::Visible, Dead::Kept)), None);
}

/// An input of which only one comparison matters has as many values as the comparison has outcomes.
#[test]
fn inputs_that_are_compared_once_have_few_values() {
    let cases = [("!= 0", 2), ("> 7", 2), ("<= 2147483647", 1), ("< (-2147483647 - 1)", 1), ("== x", 0)];
    for (comparison, ends) in cases {
        let source = format!(
            "int __VERIFIER_nondet_int(void); volatile int x;\n\
             int main(void) {{ if (__VERIFIER_nondet_int() {comparison}) return 1; return 2; }}"
        );
        let (module, _) = model(&source, &[]);
        let options = Options { answers: Answers::All(256), ..options(Stops::Visible, Dead::Forgotten) };
        let found = explored(&module, &[], &options);
        let exits = found.ends.iter().filter(|row| matches!(row.end, End::Exit(_))).count();
        assert_eq!((exits, found.incomplete.is_none()), (ends, ends > 0), "{comparison} {:?}", found.ends);
    }
}

/// Limits that fire at the n-th check end the search, whatever n is; what was found until then stays.
#[test]
fn limits_end_the_search() {
    let (module, _) = model(&counting(2, 2), &[]);
    let machine = Machine::new(&module, settings(&[]));
    for check in [1, 2, 5, 17, 60] {
        let limits = Limits::firing_at(check);
        let found = explore(&machine, &options(Stops::Visible, Dead::Forgotten), quiet(&limits));
        assert!(matches!(found.incomplete, Some(Incomplete::Stopped(_))), "{check}");
    }
    let few = Options { states: 10, ..options(Stops::Visible, Dead::Forgotten) };
    assert_eq!(explored(&module, &[], &few).incomplete, Some(Incomplete::States(10)));
}
