//! The hunt: violations among any number of threads, looked for with one thread, with two, with three, …
//!
//! The number of threads is a bound of the search, not of the question: a run that would start one more is
//! given up, so what is found is a run of the program as it is, and a search that gave up nothing is
//! complete. Otherwise the hunt ends, undecided, at its last number of threads: it decides programs that
//! start few threads, and finds shallow violations of the others.

use super::explicit::{Bounds, Explicit};
use super::{Answers, Engine, Query, Run};
use crate::boolean::cfg::Program;
use crate::engine::Answer;
use crate::ground::assurance::Assurance;
use crate::ground::event::Statistics;
use crate::ground::reason::{Reason, Stop};

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hunt;

impl Engine for Hunt {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop> {
        let mut hunted = Hunted::new(query);
        for threads in 1..=Bounds::default().threads {
            match hunted.round(program, threads, run) {
                Ok(Round::Open) => {}
                Ok(Round::Last) => break,
                Err(stop) => return hunted.stopped(stop),
            }
        }
        Ok(hunted.answers())
    }
}

/// Whether another round is of use.
enum Round {
    Open,
    Last,
}

/// What the hunt has found so far.
struct Hunted<'q> {
    query: &'q Query,
    answers: Vec<Answer>,
    assurance: Assurance,
    statistics: Statistics,
}

impl<'q> Hunted<'q> {
    fn new(query: &'q Query) -> Self {
        let unknown = Answer::Unknown(Reason::Unsupported("no number of threads was tried".into()));
        let answers = vec![unknown; query.properties.len()];
        Self { query, answers, assurance: Assurance::exact(), statistics: Statistics::default() }
    }

    /// Searches with a number of threads for violations of what is still open.
    fn round(&mut self, program: &Program, threads: usize, run: Run<'_>) -> Result<Round, Stop> {
        let open: Vec<usize> = (0..self.answers.len()).filter(|&index| self.is_open(index)).collect();
        let properties = open.iter().map(|&index| self.query.properties[index]).collect();
        let query = Query { properties, threads: self.query.threads };
        let bounds = Bounds { threads, ..Bounds::default() };
        let found = Explicit::within(bounds).check(program, &query, run)?;
        // A search that was stopped by the number of states gets less far with more threads.
        let full = found.statistics.get("states") >= bounds.states as u64;
        self.assurance = found.assurance;
        for (name, value) in found.statistics.iter() {
            self.statistics.add(name, value);
        }
        for (&index, answer) in open.iter().zip(found.answers) {
            self.answers[index] = answer;
        }
        let decided = (0..self.answers.len()).all(|index| !self.is_open(index));
        Ok(if decided || full { Round::Last } else { Round::Open })
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
        Answers { answers: self.answers, assurance: self.assurance, statistics: self.statistics }
    }
}
