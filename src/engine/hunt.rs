//! The hunt: violations among any number of threads, looked for with one thread, with two, with three, …
//!
//! A violation with at most n threads is one with any number. If the search with a bound of n threads is
//! complete and never met the bound, it is complete for any number, too; then the answer is exact.
//! Otherwise the hunt ends, undecided, at a bound of its own: it decides programs that start few
//! threads, and finds shallow violations of the others.

use super::explicit::{Bounds, Explicit};
use super::{Answers, Engine, Query, Run, Threads};
use crate::boolean::cfg::Program;
use crate::ground::event::{Event, Statistics};
use crate::ground::reason::{Assurance, Reason, Stop};
use crate::verdict::Answer;

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hunt;

impl Engine for Hunt {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop> {
        let most = match query.threads {
            Threads::AtMost(number) => number,
            Threads::Unbounded => Bounds::default().threads,
        };
        let mut hunted = Hunted::new(query);
        for threads in 1..=most {
            run.observer.event(Event::Phase(format!("explicit engine, {threads} threads")));
            match hunted.round(program, threads, run) {
                Ok(Round::Open) => {}
                Ok(Round::Decided) => return Ok(hunted.answers()),
                Err(stop) => return hunted.stopped(stop),
            }
        }
        Ok(hunted.answers())
    }
}

/// Whether another round is of use.
enum Round {
    Open,
    Decided,
}

/// What the hunt has found so far.
struct Hunted<'q> {
    query: &'q Query,
    answers: Vec<Answer>,
    statistics: Statistics,
}

impl<'q> Hunted<'q> {
    fn new(query: &'q Query) -> Self {
        let unknown = Answer::Unknown(Reason::Unsupported("no number of threads was tried".into()));
        Self { query, answers: vec![unknown; query.properties.len()], statistics: Statistics::default() }
    }

    /// Searches with a number of threads for violations of what is still open.
    fn round(&mut self, program: &Program, threads: usize, run: Run<'_>) -> Result<Round, Stop> {
        let open: Vec<usize> = (0..self.answers.len()).filter(|&index| self.is_open(index)).collect();
        let properties = open.iter().map(|&index| self.query.properties[index]).collect();
        let query = Query { properties, threads: Threads::AtMost(threads) };
        let found = Explicit::default().check(program, &query, run)?;
        let exact = found.assurance.assumptions.is_empty() && found.assurance.sound;
        for (name, value) in found.statistics.iter() {
            self.statistics.add(name, value);
        }
        self.statistics.maximum("threads", threads as u64);
        for (&index, answer) in open.iter().zip(found.answers) {
            self.answers[index] = match answer {
                Answer::Unreachable if !exact => Answer::Unknown(Reason::Unsupported(format!(
                    "no violation with up to {threads} threads; any number of them cannot be decided yet"
                ))),
                answer => answer,
            };
        }
        let decided = (0..self.answers.len()).all(|index| !self.is_open(index));
        // A search that a bound on states ended will not get further with more threads.
        let exhausted = self.answers.iter().any(|answer| matches!(answer, Answer::Unknown(Reason::Stopped(_))));
        Ok(if decided || exhausted { Round::Decided } else { Round::Open })
    }

    fn is_open(&self, index: usize) -> bool {
        matches!(self.answers[index], Answer::Unknown(_))
    }

    /// The run was stopped: what was found stands, the rest is unknown because of the stop.
    fn stopped(mut self, stop: Stop) -> Result<Answers, Stop> {
        if (0..self.answers.len()).all(|index| self.is_open(index)) {
            return Err(stop);
        }
        for answer in &mut self.answers {
            if matches!(answer, Answer::Unknown(_)) {
                *answer = Answer::Unknown(stop.clone().into());
            }
        }
        Ok(self.answers())
    }

    fn answers(self) -> Answers {
        Answers { answers: self.answers, assurance: Assurance::exact(), statistics: self.statistics }
    }
}
