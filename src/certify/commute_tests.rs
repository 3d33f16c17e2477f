//! Counterexamples with fewer context switches.

use super::*;
use crate::boolean::cfg::Program;
use crate::boolean::check::{CheckOptions, InitialThreads, check};
use crate::boolean::generate::{Seed, Shape, generate};
use crate::boolean::interpret::Threads;
use crate::boolean::parse::parse;
use crate::boolean::trace::Trace;
use crate::engine::Answer;
use crate::engine::explicit::{Bounds, Explicit};
use crate::engine::{Engine, Query};
use crate::ground::event::Silent;
use crate::ground::limits::Limits;
use crate::ground::run::Run;
use crate::ground::source::SourceFile;

/// How many times as many seeds to try as in the everyday run.
fn patience() -> u64 {
    std::env::var("BOOLERO_PATIENCE").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1)
}

fn counterexamples(program: &Program, threads: Threads) -> Vec<Trace> {
    let query = Query { properties: program.properties.ids().collect(), threads };
    let run = Run { limits: &Limits::none(), observer: &Silent };
    let bounds = Bounds { states: 10_000, depth: 8, threads: 3 };
    let answers = Explicit::within(bounds).check(program, &query, run).expect("there is no limit").answers;
    let traces = answers.into_iter().filter_map(|answer| match answer {
        Answer::Reachable(trace) => Some(*trace),
        _ => None,
    });
    traces.collect()
}

fn program(text: &str, initial_threads: InitialThreads) -> Program {
    let syntax = parse(&SourceFile::new("test.bp", text)).expect("the program is well-formed");
    let options = CheckOptions { initial_threads, ..CheckOptions::default() };
    check(&syntax, &options).expect("the program is well-formed").0
}

/// The switches before and after, of the first counterexample.
fn switches(text: &str, initial: usize, threads: Threads) -> (usize, usize) {
    let program = program(text, InitialThreads::Exactly(initial));
    let traces = counterexamples(&program, threads);
    let trace = traces.first().expect("there is a violation");
    let after = commute(&program, trace, threads, &Limits::none());
    let before = context_switches(&program, trace);
    (before, after.map_or(before, |trace| context_switches(&program, &trace)))
}

#[test]
fn commuted_traces_replay_with_fewer_switches() {
    let (mut compared, mut better) = (0, 0);
    for (shape, seeds) in [(Shape::threaded(), 0..120 * patience()), (Shape::broadcast(), 0..60 * patience())]
    {
        for seed in seeds {
            let syntax = generate(seed, &shape);
            for initial in [1, 2] {
                let initial_threads = InitialThreads::Exactly(initial);
                let options = CheckOptions { initial_threads, ..CheckOptions::default() };
                let (program, _) = check(&syntax, &options).expect("the program is well-formed");
                for threads in [Threads::AtMost(3), Threads::Unbounded] {
                    for trace in counterexamples(&program, threads) {
                        let scrambled = scrambled(&program, &trace, threads, seed);
                        compared += 1;
                        better += usize::from(is_better(&program, &scrambled, threads, seed));
                        is_better(&program, &trace, threads, seed);
                    }
                }
            }
        }
    }
    assert!(compared > 200 && better > 30, "{better} of {compared}");
}

/// The same run with neighbouring steps changing places at random, where the result replays: the runs of the explicit
/// engine have the fewest steps, and seldom more switches than they need.
fn scrambled(program: &Program, trace: &Trace, threads: Threads, seed: u64) -> Trace {
    let mut random = Seed::new(seed);
    let mut trace = trace.clone();
    for _ in 0..trace.steps.len() * 4 {
        let mut order: Vec<usize> = (0..trace.steps.len()).collect();
        let place = random.below(trace.steps.len());
        if place + 1 < order.len() && trace.steps[place].thread != trace.steps[place + 1].thread {
            order.swap(place, place + 1);
            let other = commute::reordered(program, &trace, &order);
            if replay(program, &other, threads).is_ok() {
                trace = other;
            }
        }
    }
    trace
}

/// Whether a trace got better; it must not be another run.
fn is_better(program: &Program, trace: &Trace, threads: Threads, seed: u64) -> bool {
    let Some(commuted) = commute(program, trace, threads, &Limits::none()) else { return false };
    assert_eq!(replay(program, &commuted, threads), Ok(()), "seed {seed}");
    let (before, after) = (context_switches(program, trace), context_switches(program, &commuted));
    assert!(after < before, "seed {seed}: {after} switches instead of {before}");
    assert_eq!(commuted.steps.len(), trace.steps.len(), "seed {seed}");
    for thread in 0..=trace.steps.len() {
        let nodes = |trace: &Trace| -> Vec<_> {
            trace.steps.iter().filter(|step| step.thread == thread).map(|step| step.node).collect()
        };
        assert_eq!(nodes(trace), nodes(&commuted), "seed {seed}: the steps of thread {thread}");
    }
    true
}

const INDEPENDENT: &str = "decl a := F, b := F;\n\
     void left() begin decl x; x := T; x := F; x := T; a := x; end\n\
     void right() begin decl y; y := T; y := F; y := T; b := y; end\n\
     void main() begin start_thread left(); start_thread right(); assert(!a | !b); end\n";

#[test]
fn independent_threads_run_one_after_the_other() {
    let (_, after) = switches(INDEPENDENT, 1, Threads::Unbounded);
    assert_eq!(after, 3, "main, one, the other, main");
}

#[test]
fn preparations_do_not_count() {
    let text = "decl a := F; void main() begin if (*) then a := T; else assert(!a); fi; end";
    let (_, after) = switches(text, 2, Threads::Unbounded);
    assert_eq!(after, 1, "one sets it, the other one fails");
}

#[test]
fn a_broadcast_stays_where_it_is() {
    let text =
        "void main() begin decl mine := F; if (*) then mine$ := T; else skip; skip; assert(!mine); fi; end";
    let (before, after) = switches(text, 2, Threads::Unbounded);
    assert!(after <= before && after >= 1, "{after} of {before}");
}

#[test]
fn limits_leave_the_trace_as_it_is() {
    let program = program(INDEPENDENT, InitialThreads::ONE);
    for trace in counterexamples(&program, Threads::Unbounded) {
        assert_eq!(commute(&program, &trace, Threads::Unbounded, &Limits::firing_at(1)), None);
    }
}
