//! Threads with a bound on context switches, recursive ones included, against the oracle with the same bound.

use super::*;
use crate::engine::context_bounded::ContextBounded;
use crate::engine::{Answers, Engine};

/// Programs by default, for each bound.
const PROGRAMS: u64 = 30;

/// An engine whose traces must keep the bound.
struct Counted<E>(E, usize);

impl<E: Engine> Engine for Counted<E> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop> {
        let found = self.0.check(program, query, run)?;
        for answer in &found.answers {
            if let Answer::Reachable(trace) = answer {
                let turns: Vec<usize> =
                    trace.steps.iter().map(|step| step.thread).chain([trace.thread]).collect();
                let mut switches = usize::from(turns[0] != 0);
                switches += turns.windows(2).filter(|pair| pair[0] != pair[1]).count();
                assert!(switches <= self.1, "{switches} context switches, not {}", self.1);
            }
        }
        Ok(found)
    }
}

/// Compares with 0, 1, 2 and 3 context switches.
fn compared<E: Engine + 'static>(shape: &Shape, threads: Bound, most: usize, engine: impl Fn() -> E) {
    for switches in 0..=most {
        let comparison = Comparison {
            length: Length::Any,
            threads,
            silence: Silence::WhereTheOracleIsSilent,
            programs: PROGRAMS,
            oracle: Explicit::within(BOUNDS).with_switches(switches),
        };
        compare(shape, comparison, || Box::new(Counted(ContextBounded::new(engine(), switches), switches)));
    }
}

/// Small programs: every context multiplies the variables.
fn threaded() -> Shape {
    Shape { globals: (1, 3), ..Shape::threaded() }
}

#[test]
fn summary_agrees_with_few_context_switches() {
    compared(&threaded(), Bound::Unbounded, 3, || Reducing::new(Summary::new(BackEnd::Biodivine)));
}

#[test]
fn summary_agrees_with_few_threads_and_context_switches() {
    compared(&threaded(), Bound::InTurn, 2, || Reducing::new(Summary::new(BackEnd::Biodivine)));
}

#[test]
fn bounded_agrees_with_few_context_switches() {
    compared(&threaded(), Bound::Unbounded, 2, || Reducing::new(Bounded::default()));
}

#[test]
fn reductions_before_sequentialisation_keep_the_answers() {
    let comparison = Comparison {
        length: Length::Any,
        threads: Bound::Unbounded,
        silence: Silence::WhereTheOracleIsSilent,
        programs: PROGRAMS,
        oracle: Explicit::within(BOUNDS).with_switches(2),
    };
    compare(&threaded(), comparison, || {
        let sequential = Reducing::new(Summary::new(BackEnd::Biodivine));
        Box::new(Reducing::new(ContextBounded::new(sequential, 2)))
    });
}
