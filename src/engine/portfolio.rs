//! Two engines beside each other: summaries on BDDs, and SAT.
//!
//! BDDs decide every sequential program if there are not too many variables; SAT finds near violations among any number of
//! variables. Nobody knows before which of them a program needs, so both run, each on a core of its own. They count their
//! work, and the first one in rounds of equal work that has an answer to everything has won
//! ([`rounds`](crate::ground::rounds)): the winner depends on the program alone. The first rounds
//! belong to the summary engine: most programs are decided in them, and cost no more than before. In the loop that is worth
//! more than the time it takes: the counterexamples of the summary engine are short, and short ones teach more.
//!
//! If neither answers everything, the answers of both are put together.

use super::bounded::Bounded;
use super::summary::Summary;
use super::{Answer, Answers, Engine, Kept, Query};
use crate::boolean::cfg::Program;
use crate::ground::event::{Event, Silent};
use crate::ground::reason::Stop;
use crate::ground::rounds::{Pace, Rounds};
use crate::ground::run::Run;

/// The work of a round, in units ([`Limits::spend`](crate::ground::limits::Limits::spend)): one or two milliseconds.
const QUOTA: u64 = 100_000;

/// So many rounds belong to the summary engine alone: about a tenth of a second.
const HEAD_START: u64 = 80;

/// Both engines.
pub struct Portfolio {
    summary: Summary,
    bounded: Bounded,
    winner: &'static str,
}

impl Portfolio {
    /// The summary engine and the bounded engine.
    #[must_use]
    pub fn new(summary: Summary, bounded: Bounded) -> Self {
        Self { winner: summary.name(), summary, bounded }
    }
}

/// Whether everything has an answer.
fn is_complete(found: &Result<Answers, Stop>) -> bool {
    let is_open = |answer: &Answer| matches!(answer, Answer::Unknown(_));
    found.as_ref().is_ok_and(|found| !found.answers.iter().any(is_open))
}

impl Engine for Portfolio {
    /// After a check: the engine that won.
    fn name(&self) -> &'static str {
        self.winner
    }

    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop> {
        let rounds = Rounds::new(2);
        let (first, second) = (Pace::new(&rounds, 0, QUOTA, 0), Pace::new(&rounds, 1, QUOTA, HEAD_START));
        // What a loser has done depends on the clock: it is dropped.
        let mut searching = self.bounded.clone();
        let (summary, bounded) = (&mut self.summary, &mut searching);
        let limits = run.limits;
        let (one, other) = std::thread::scope(|scope| {
            let beside = scope.spawn(|| {
                let mut ending = second.ending();
                let limits = limits.paced(second.clone());
                if !second.wait_for(0, || limits.raised().is_some()) {
                    return Err(Stop::Interrupted);
                }
                let found = bounded.check(program, query, Run { limits: &limits, observer: &Silent });
                ending.answered = is_complete(&found);
                found
            });
            let limits = run.limits.paced(first.clone());
            let mut ending = first.ending();
            let found = summary.check(program, query, Run { limits: &limits, observer: run.observer });
            ending.answered = is_complete(&found);
            drop(ending);
            (found, beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        match rounds.winner() {
            Some(0) => one,
            Some(_) => {
                self.bounded = searching;
                self.winner = self.bounded.name();
                run.observer.event(Event::Note("the bounded engine was first".into()));
                other
            }
            None => both(one, other),
        }
    }

    fn kept(&self) -> Option<&Kept> {
        self.bounded.kept()
    }
}

/// What both have found: for each property the first answer, or the reason of the first engine.
fn both(one: Result<Answers, Stop>, other: Result<Answers, Stop>) -> Result<Answers, Stop> {
    let (mut found, others) = match (one, other) {
        (Ok(one), Ok(other)) => (one, other),
        (Ok(found), Err(_)) | (Err(_), Ok(found)) => return Ok(found),
        (Err(stop), Err(_)) => return Err(stop),
    };
    for (answer, other) in found.answers.iter_mut().zip(others.answers) {
        if matches!((&*answer, &other), (Answer::Unknown(_), Answer::Reachable(_) | Answer::Unreachable)) {
            *answer = other;
        }
    }
    found.statistics.include(&others.statistics);
    found.assurance = found.assurance.and(&others.assurance);
    Ok(found)
}
