//! The loop against all runs of the machine.

mod attack;
mod generate;
mod programs;
mod slices;
mod states;
pub(super) mod tallies;
pub(super) mod threads;

use super::*;
use crate::abstraction;
use crate::ground::event::Silent;
use crate::ground::limits::{Limits, Watchdog};
use crate::ir::Module;
use crate::ir::undefined::Fault;
use crate::program::blocks::{self, Granularity, large_blocks};
use crate::program::copies::use_originals;
use crate::program::liveness::{Drop, drop_dead};
use crate::program::{Program, PropertyKind};
use crate::simulate::tests::replay::{machine, model};
use crate::vm::explore::{Coverage, Exploration, explore};
use crate::vm::{self, Machine};
use generate::Source;
use std::collections::BTreeSet;
use std::time::Duration;

/// Watches nothing.
struct Blind;

impl Watcher for Blind {
    fn abstraction(&mut self, _: usize, _: &Abstracted<'_>) {}
    fn violated(&mut self, _: &Program, _: &dyn Fn(Reason) -> Outcome) {}
    fn iteration(&mut self, _: usize, _: &Iteration) {}
}

fn options(runs: u64) -> Options {
    Options { iterations: 40, hunt: Hunt::of(runs), ..Options::default() }
}

/// Verifies a program, without hunting, so that refinement has to find everything.
fn verified(source: &str) -> (Outcome, Program, Module) {
    verified_with(source, &options(0))
}

fn verified_with(source: &str, options: &Options) -> (Outcome, Program, Module) {
    let (module, mut program) = model(source, &[]);
    let labels = BTreeSet::new();
    let blocks = blocks::Options { granularity: Granularity::Sequential, budget: 2000, labels: &labels };
    large_blocks(&mut program, blocks);
    use_originals(&mut program, Drop::Temporaries);
    drop_dead(&mut program, Drop::Temporaries);
    let task = task(&module, &mut program, &[]);
    let outcome =
        within(Duration::from_secs(30), |run| verify(task, Precision::default(), options, &mut Blind, run));
    (outcome, program, module)
}

/// All properties of a program, with faults that the machine looks for.
fn task<'a>(module: &'a Module, program: &'a mut Program, checks: &[Fault]) -> Task<'a> {
    let properties = program.properties.ids().collect();
    Task {
        module,
        machine: machine(checks),
        program,
        unready: None,
        properties,
        anywhere: BTreeSet::new(),
        models: None,
    }
}

/// Does something within a time.
fn within<T>(time: Duration, work: impl FnOnce(Run<'_>) -> T) -> T {
    let limits = Limits::new(Some(time), None);
    Watchdog::start(&limits, |_| ());
    let result = work(Run { limits: &limits, observer: &Silent });
    // So that the watchdog goes home.
    limits.interrupt();
    result
}

/// Why there is no certificate, unless that is a matter of time.
fn not_certified(certified: &Certified) -> Option<String> {
    match certified {
        Certified::Rejected(why) => Some(format!("rejected: {why}")),
        Certified::No(why) if *why != Stop::Timeout.to_string() => Some(format!("no certificate: {why}")),
        _ => None,
    }
}

/// What is wrong with the verdicts on a program, if anything is.
fn disagreement(source: &str) -> (Option<String>, [usize; 3]) {
    let (outcome, program, module) = verified(source);
    let settings = vm::Settings { steps: 20_000, ..machine(&[]) };
    let all = Exploration { numbers: vec![0, 1, 2], runs: 20_000, choices: 200 };
    let explored = explore(&mut Machine::new(&module, settings), &all, &Limits::none());
    let mut counts = [0; 3];
    if let Some(why) = not_certified(&outcome.certified) {
        return (Some(why), counts);
    }
    for (id, verdict) in &outcome.verdicts {
        let run = explored
            .ends
            .iter()
            .find(|found| crate::simulate::replay::violates(&program, *id, &found.outcome));
        match verdict {
            Verdict::Holds => {
                counts[0] += 1;
                if let Some(found) = run {
                    let text = format!("{} holds, but {:?}", program.properties[*id].id, found.outcome.end);
                    return (Some(text), counts);
                }
            }
            Verdict::Violated(_) => {
                counts[1] += 1;
                if run.is_none() && explored.coverage == Coverage::Complete {
                    return (Some(format!("{} is violated by no run", program.properties[*id].id)), counts);
                }
            }
            Verdict::Unknown(Reason::ReplayMismatch(text)) => {
                return (Some(format!("mismatch: {text}")), counts);
            }
            Verdict::Unknown(Reason::Defect(defect)) => return (Some(format!("defect: {defect}")), counts),
            Verdict::Unknown(_) => counts[2] += 1,
        }
    }
    (None, counts)
}

/// The smallest program that can be found with a disagreement.
fn shrunk(mut source: Source) -> (Source, String) {
    let mut text = String::new();
    while let Some((smaller, what)) = source
        .smaller()
        .into_iter()
        .find_map(|smaller| disagreement(&smaller.text()).0.map(|what| (smaller, what)))
    {
        (source, text) = (smaller, what);
    }
    (source, text)
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn verdicts_agree_with_all_runs() {
    let (seed, count) = (number("BOOLERO_SEED", 1), number("BOOLERO_COUNT", 15));
    let mut counts = [0; 3];
    for seed in seed..seed + count {
        let source = Source::new(seed);
        let (found, these) = disagreement(&source.text());
        if let Some(what) = found {
            let (small, smaller) = shrunk(source);
            panic!("seed {seed}: {what}; {smaller}\n{}", small.text());
        }
        counts = [0, 1, 2].map(|kind| counts[kind] + these[kind]);
    }
    eprintln!("holds {}, violated {}, unknown {}", counts[0], counts[1], counts[2]);
    assert!(counts[0] > 0 && counts[1] > 0, "{counts:?}");
    assert!(counts[2] * 4 < counts.iter().sum::<usize>(), "too many unknown: {counts:?}");
}

/// The same programs without what spares the abstraction queries.
#[test]
fn fewer_queries_change_no_verdict() {
    let plain = abstraction::Options { resolves: false, live_only: false, ..abstraction::Options::default() };
    let without = Options { abstraction: plain, ..options(0) };
    let (mut decided, mut queries) = (0, [0; 2]);
    for seed in 40..52 {
        let source = Source::new(seed).text();
        let [(one, ..), (other, ..)] = [verified(&source), verified_with(&source, &without)];
        queries[0] += one.iterations.iter().map(|iteration| iteration.queries).sum::<u64>();
        queries[1] += other.iterations.iter().map(|iteration| iteration.queries).sum::<u64>();
        for ((id, verdict), (_, plain)) in one.verdicts.iter().zip(&other.verdicts) {
            let open = |verdict: &Verdict<Violation>| matches!(verdict, Verdict::Unknown(_));
            let same = std::mem::discriminant(verdict) == std::mem::discriminant(plain);
            assert!(
                same || open(verdict) || open(plain),
                "seed {seed}, {id:?}: {verdict:?}, {plain:?}\n{source}"
            );
            decided += usize::from(same && !open(verdict));
        }
    }
    eprintln!("{decided} decided, queries {queries:?}");
    assert!(decided > 10, "{decided}");
}

#[test]
fn random_runs_find_what_is_near() {
    let source = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
                  int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 0); return 0; }";
    let (module, mut program) = model(source, &[]);
    let task = task(&module, &mut program, &[]);
    let run = Run { limits: &Limits::none(), observer: &Silent };
    let outcome = verify(task, Precision::default(), &options(500), &mut Blind, run);
    let (_, Verdict::Violated(violation)) = &outcome.verdicts[0] else { panic!("{:?}", outcome.verdicts) };
    assert!(violation.seed.is_some() && outcome.iterations.is_empty());
}

/// Keeps what it is told of violations.
#[derive(Default)]
struct Listener(Vec<Outcome>);

impl Watcher for Listener {
    fn abstraction(&mut self, _: usize, _: &Abstracted<'_>) {}
    fn violated(&mut self, _: &Program, so_far: &dyn Fn(Reason) -> Outcome) {
        self.0.push(so_far(Stop::Timeout.into()));
    }
    fn iteration(&mut self, _: usize, _: &Iteration) {}
}

/// A violation is told before anything else is done: whoever breaks the work off then still has it.
#[test]
fn violations_are_told_at_once() {
    let source = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
                  int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 0); assert(x != 77777); return 0; }";
    for runs in [500, 0] {
        let (module, mut program) = model(source, &[]);
        let task = task(&module, &mut program, &[]);
        let mut listener = Listener::default();
        let run = Run { limits: &Limits::none(), observer: &Silent };
        verify(task, Precision::default(), &options(runs), &mut listener, run);
        let first = listener.0.first().expect("it is told");
        assert_eq!(first.overall(), crate::ground::verdict::Overall::Violated, "{runs}");
        let open =
            |(_, verdict): &(_, Verdict<Violation>)| *verdict == Verdict::Unknown(Stop::Timeout.into());
        assert!(first.verdicts.iter().any(open), "{:?}", first.verdicts);
    }
}

/// A run that ends in a violation counts, though no property of the model is about it.
#[test]
fn random_runs_count_where_the_model_claims_nothing() {
    let source = "#include <assert.h>\nint main(void) { int x = 0; assert(x != 0); return 0; }";
    for (anywhere, wanted) in [(BTreeSet::from([PropertyKind::Assertion]), 1), (BTreeSet::new(), 0)] {
        let (module, mut program) = model(source, &[]);
        program.properties = crate::ground::index::IndexVec::new();
        for procedure in program.procedures.iter_mut() {
            procedure.edges.iter_mut().for_each(|edge| edge.property = None);
        }
        let (properties, unready) = (Vec::new(), None);
        let task = Task {
            module: &module,
            machine: machine(&[]),
            program: &mut program,
            unready,
            properties,
            anywhere,
            models: None,
        };
        let run = Run { limits: &Limits::none(), observer: &Silent };
        let outcome = verify(task, Precision::default(), &options(50), &mut Blind, run);
        assert_eq!(outcome.verdicts.len(), wanted);
        for (id, verdict) in &outcome.verdicts {
            assert!(matches!(verdict, Verdict::Violated(_)) && program.properties[*id].id == "main.assert.1");
        }
    }
}

#[test]
fn what_is_not_modelled_leaves_nothing_proven() {
    let source = "#include <assert.h>\nvoid mystery(void);\n\
                  int main(void) { mystery(); assert(1 == 1); int x = 0; assert(x == 0); return 0; }";
    let (outcome, ..) = verified(source);
    let overall = outcome.overall().to_string();
    assert!(overall.starts_with("unknown (unsupported"), "{overall}");
}

#[test]
fn proofs_are_certified_unless_nobody_wants_that() {
    let source = "#include <assert.h>\nint g; static int twice(int x) { g = 1; return x + x; }\n\
                  int main(void) { int x = twice(3); assert(x == 6 && g == 1); return 0; }";
    for (certificate, wanted) in [(Certificates::All, true), (Certificates::None, false)] {
        let (module, mut program) = model(source, &[]);
        let task = task(&module, &mut program, &[]);
        let run = Run { limits: &Limits::none(), observer: &Silent };
        let options = Options { certificate, ..options(0) };
        let outcome = verify(task, Precision::default(), &options, &mut Blind, run);
        assert_eq!(outcome.overall(), crate::ground::verdict::Overall::Holds);
        assert_eq!(matches!(outcome.certified, Certified::Yes(_)), wanted, "{:?}", outcome.certified);
        let skipped = Certified::No("--no-certificate".to_owned());
        assert_eq!(outcome.certified == skipped, !wanted);
    }
}

/// Limits that are raised at any moment: never a wrong verdict, and where it was is told.
#[test]
fn what_a_limit_stopped_is_told() {
    let source = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
                  int main(void) { int x = __VERIFIER_nondet_int(), y = x; if (x > 3) y = y + 1;\n\
                  assert(y == x || x > 3); return 0; }";
    let (module, program) = model(source, &[]);
    let mut places = BTreeSet::new();
    for check in (1..400).step_by(3) {
        let mut program = program.clone();
        let task = task(&module, &mut program, &[]);
        let limits = Limits::firing_at(check);
        let run = Run { limits: &limits, observer: &Silent };
        let outcome = verify(task, Precision::default(), &options(2), &mut Blind, run);
        match &outcome.verdicts[0].1 {
            Verdict::Holds => break,
            Verdict::Unknown(Reason::Stopped(Stop::Timeout)) => {
                let place = outcome.stopped.expect("a place");
                let iteration = format!("in iteration {}", outcome.iterations.len().wrapping_sub(1));
                assert!(place == "during random runs" || place.ends_with(&iteration), "{place}");
                places.insert(place);
            }
            other => panic!("{check}: {other:?}"),
        }
    }
    for phase in ["random runs", "abstraction", "checking", "simulation", "refinement"] {
        assert!(places.iter().any(|place| place.contains(phase)), "{phase}: {places:?}");
    }
}
