//! What a search has found so far, and what its bound on threads has cut off.

use super::{Answers, Query};
use crate::boolean::cfg::PropertyId;
use crate::boolean::trace::Trace;
use crate::engine::Answer;
use crate::ground::assurance::{Assumption, Assurance};
use crate::ground::event::Statistics;
use crate::ground::reason::{Defect, Reason, Stop};

/// Why a search ends before all states are seen.
pub enum Halt {
    /// Every property has an answer.
    AllFound,
    /// It was stopped.
    Stopped(Stop),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// What happens when one more thread than allowed would start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtBound {
    /// Any number may run.
    Never,
    /// Nothing: the statement is a skip.
    Skip(usize),
    /// The run is given up: the bound is ours, not the user's.
    GiveUp(usize),
}

impl AtBound {
    /// Whether one more thread would be one too many.
    #[must_use]
    pub fn is_reached(self, threads: usize) -> bool {
        match self {
            Self::Never => false,
            Self::Skip(bound) | Self::GiveUp(bound) => threads >= bound,
        }
    }
}

/// The answers found so far.
pub struct Ledger<'q> {
    query: &'q Query,
    at_bound: AtBound,
    found: Vec<Option<Answer>>,
    suppressed: bool,
    gave_up: bool,
}

impl<'q> Ledger<'q> {
    /// Nothing is found.
    #[must_use]
    pub fn new(query: &'q Query, at_bound: AtBound) -> Self {
        let found = vec![None; query.properties.len()];
        Self { query, at_bound, found, suppressed: false, gave_up: false }
    }

    /// What happens at the bound.
    #[must_use]
    pub fn at_bound(&self) -> AtBound {
        self.at_bound
    }

    /// A thread was not started because of the bound.
    pub fn suppress(&mut self) {
        self.suppressed = true;
    }

    /// A run was given up because of the bound.
    pub fn give_up(&mut self) {
        self.gave_up = true;
    }

    /// Whether a property is asked for and not answered yet.
    #[must_use]
    pub fn is_open(&self, property: PropertyId) -> bool {
        let mut asked = self.query.properties.iter().zip(&self.found);
        asked.any(|(&other, found)| other == property && found.is_none())
    }

    /// Whether something is asked for, and all of it is answered.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.found.is_empty() && self.found.iter().all(Option::is_some)
    }

    /// Notes the answer to a property.
    pub fn note(&mut self, property: PropertyId, answer: &Answer) {
        for (&asked, found) in self.query.properties.iter().zip(&mut self.found) {
            if asked == property {
                *found = Some(answer.clone());
            }
        }
    }

    /// Notes a violation; one without a concrete run is a defect of ours, and no violation.
    ///
    /// # Errors
    /// A [`Halt`] if that was the last property.
    pub fn record(&mut self, property: PropertyId, trace: Option<Trace>) -> Result<(), Halt> {
        let none = || Reason::Defect(Defect::ReplayMismatch("the abstract run has no concrete one".into()));
        let answer =
            trace.map_or_else(|| Answer::Unknown(none()), |trace| Answer::Reachable(Box::new(trace)));
        self.note(property, &answer);
        self.halt_if_all_found()
    }

    /// Halts a search that has nothing left to look for.
    ///
    /// # Errors
    /// A [`Halt`] then.
    pub fn halt_if_all_found(&self) -> Result<(), Halt> {
        if self.found.iter().all(Option::is_some) { Err(Halt::AllFound) } else { Ok(()) }
    }

    /// The answers at the end of a search.
    ///
    /// # Errors
    /// Why the search was stopped, if it found nothing.
    pub fn answers(self, end: Result<(), Halt>, statistics: Statistics) -> Result<Answers, Stop> {
        let stop = match end {
            Ok(()) | Err(Halt::AllFound) => None,
            Err(Halt::Stopped(stop)) => Some(stop),
        };
        if let Some(stop) = &stop
            && self.found.iter().all(Option::is_none)
        {
            return Err(stop.clone());
        }
        Ok(self.conclude(stop, statistics))
    }

    fn conclude(self, stop: Option<Stop>, statistics: Statistics) -> Answers {
        let bound = match self.at_bound {
            AtBound::GiveUp(bound) if self.gave_up => Some(Stop::Bound(format!("more than {bound} threads"))),
            _ => None,
        };
        let stop = stop.or(bound);
        let undecided =
            stop.clone().map_or(Answer::Unreachable, |stop| Answer::Unknown(Reason::Stopped(stop)));
        let mut assurance = Assurance { sound: stop.is_none(), ..Assurance::exact() };
        if let (AtBound::Skip(bound), true) = (self.at_bound, self.suppressed) {
            assurance = assurance.assuming(Assumption::Threads(bound));
        }
        let answers = self.found.into_iter().map(|found| found.unwrap_or_else(|| undecided.clone()));
        Answers { answers: answers.collect(), assurance, statistics }
    }
}
