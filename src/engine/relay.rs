//! Engines one after the other: each is asked about what the ones before left open.
//!
//! A violation among few threads is found soonest by trying few threads, a proof needs an engine for any number; what
//! is too large for one form may fit another. A relay puts such engines in a row. Answers stand as soon as one engine has
//! given them: "unreachable" only from an engine that left nothing out.

use super::{Answers, Engine, Query, Run};
use crate::boolean::cfg::Program;
use crate::engine::Answer;
use crate::ground::assurance::Assurance;
use crate::ground::event::{Event, Statistics};
use crate::ground::reason::{Reason, Stop};

/// What an engine in a relay is there for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// To find violations; that it found none is no news.
    Hunter,
    /// To decide. If it cannot, its reason is told.
    Judge,
}

/// When an engine is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// If something is open.
    Open,
    /// If something is open because the program was too large for the judge before.
    TooLarge,
    /// If something is open because the program is recursive.
    Recursive,
    /// If something is open although the program is neither too large nor recursive.
    Otherwise,
}

/// An engine in a relay.
pub struct Stage {
    /// The engine.
    pub engine: Box<dyn Engine>,
    /// What it is there for.
    pub role: Role,
    /// When it is asked.
    pub when: When,
}

impl Stage {
    /// An engine that is always asked.
    pub fn new(role: Role, engine: impl Engine + 'static) -> Self {
        Self { engine: Box::new(engine), role, when: When::Open }
    }

    /// Asked only then.
    #[must_use]
    pub fn only(self, when: When) -> Self {
        Self { when, ..self }
    }
}

/// The engines, in their order.
pub struct Relay {
    name: &'static str,
    stages: Vec<Stage>,
}

impl Relay {
    /// A relay of these engines.
    #[must_use]
    pub fn new(name: &'static str, stages: Vec<Stage>) -> Self {
        Self { name, stages }
    }
}

/// What is known so far.
struct Baton<'q> {
    query: &'q Query,
    /// By property: the answer, or why there is none.
    answers: Vec<Result<Answer, Option<Reason>>>,
    assurance: Assurance,
    statistics: Statistics,
}

impl Engine for Relay {
    fn name(&self) -> &'static str {
        self.name
    }

    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop> {
        let mut baton = Baton {
            query,
            answers: vec![Err(None); query.properties.len()],
            assurance: Assurance::exact(),
            statistics: Statistics::default(),
        };
        for stage in &mut self.stages {
            let open = baton.open(stage.when);
            if open.is_empty() {
                continue;
            }
            run.observer.event(Event::Phase(stage.engine.name().to_owned()));
            let properties = open.iter().map(|&place| query.properties[place]).collect();
            let asked = Query { properties, threads: query.threads };
            match stage.engine.check(program, &asked, run) {
                Ok(answers) => baton.take(&open, answers, stage.role),
                Err(stop @ Stop::Bound(_)) => baton.give_reason(&open, &stop.into(), stage.role),
                Err(stop) => return baton.stopped(stop),
            }
            run.limits.check().or_else(|stop| baton.any_answer().then_some(()).ok_or(stop))?;
        }
        Ok(baton.answers(None))
    }
}

impl Baton<'_> {
    /// The places of what is open, and open in the way an engine is there for.
    fn open(&self, when: When) -> Vec<usize> {
        let fits = |reason: &Option<Reason>| match (when, reason) {
            (When::Open, _) => true,
            (When::TooLarge, reason) => matches!(reason, Some(Reason::Stopped(Stop::Bound(_)))),
            (When::Recursive, reason) => matches!(reason, Some(Reason::Recursion(_))),
            (When::Otherwise, reason) => {
                !matches!(reason, Some(Reason::Recursion(_) | Reason::Stopped(Stop::Bound(_))))
            }
        };
        let places = self.answers.iter().enumerate();
        places.filter(|(_, answer)| answer.as_ref().is_err_and(fits)).map(|(place, _)| place).collect()
    }

    fn any_answer(&self) -> bool {
        self.answers.iter().any(Result::is_ok)
    }

    fn take(&mut self, open: &[usize], found: Answers, role: Role) {
        self.statistics.include(&found.statistics);
        for assumption in found.assurance.assumptions {
            self.assurance = self.assurance.clone().assuming(assumption);
        }
        for (&place, answer) in open.iter().zip(found.answers) {
            match answer {
                Answer::Unknown(reason) => self.give_reason(&[place], &reason, role),
                Answer::Unreachable if !found.assurance.sound => {}
                answer => self.answers[place] = Ok(answer),
            }
        }
    }

    /// Notes why properties are open. A hunter's reason is told only if there is no other.
    fn give_reason(&mut self, open: &[usize], reason: &Reason, role: Role) {
        for &place in open {
            if let Err(known) = &mut self.answers[place]
                && (role == Role::Judge || known.is_none())
            {
                *known = Some(reason.clone());
            }
        }
    }

    /// The run was stopped: what was found stands, the rest is unknown because of the stop.
    fn stopped(self, stop: Stop) -> Result<Answers, Stop> {
        if self.any_answer() { Ok(self.answers(Some(stop))) } else { Err(stop) }
    }

    fn answers(self, stop: Option<Stop>) -> Answers {
        let nothing = || Reason::Unsupported("no engine for this program".to_owned());
        let answer = |answer: Result<Answer, Option<Reason>>| {
            answer.unwrap_or_else(|reason| {
                let stopped = stop.clone().map(Reason::from);
                Answer::Unknown(stopped.or(reason).unwrap_or_else(nothing))
            })
        };
        debug_assert_eq!(self.answers.len(), self.query.properties.len());
        let answers = self.answers.into_iter().map(answer).collect();
        Answers { answers, assurance: self.assurance, statistics: self.statistics }
    }
}
