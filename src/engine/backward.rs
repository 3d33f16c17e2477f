//! Any number of threads: the program as a net, and coverability on it \[KKW14\].
//!
//! The thread states are enumerated ([`enumerate`](crate::system::enumerate)), the net is decided
//! ([`coverability`]), a run of the net is told as a trace of the program (`way_back`). The net is shared by all
//! properties: they are asked about together, those with a run are taken out, and the others asked about again.
//!
//! If the question bounds the number of threads, a `start_thread` at the bound does nothing. The net then lets
//! every `start_thread` do nothing at any time: that has all runs of the bounded program and more. What it cannot
//! reach is unreachable; its runs must pass the interpreter, which knows the bound.

use super::coverability::{self, Method, NetAnswer};
use super::way_back::{Lost, way_back};
use super::{Answers, Engine, Query, Run, Threads};
use crate::boolean::cfg::{Program, PropertyId};
use crate::engine::Answer;
use crate::ground::assurance::Assurance;
use crate::ground::event::{Event, Statistics};
use crate::ground::reason::{Reason, Stop};
use crate::system::enumerate::{Bounds, Enumeration, Spawning};
use crate::system::net::{NetTrace, Target};
use crate::system::template::Refusal;
use indexmap::IndexMap;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Backward {
    /// How coverability is decided.
    pub method: Method,
    /// How large the net may become.
    pub bounds: Bounds,
}

impl Default for Backward {
    fn default() -> Self {
        Self { method: Method::Auto, bounds: Bounds::default() }
    }
}

impl Backward {
    /// The engine with the forward search alone.
    #[must_use]
    pub fn forward() -> Self {
        Self { method: Method::KarpMiller, ..Self::default() }
    }
}

impl Engine for Backward {
    fn name(&self) -> &'static str {
        match self.method {
            Method::KarpMiller => "karp_miller",
            Method::Auto | Method::Backward => "backward",
        }
    }

    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop> {
        let enumeration = match enumerate(program, query, self.bounds, run) {
            Ok(enumeration) => enumeration,
            Err(refusal) => return refused(query, refusal),
        };
        let mut findings = Findings::new(&enumeration);
        let mut decision = Decision { program, query, enumeration, method: self.method, run };
        let stopped = decision.decide_all(&mut findings).err();
        findings.answers(query, stopped.map(Reason::from))
    }
}

/// The net of a program for a question.
pub(super) fn enumerate(
    program: &Program,
    query: &Query,
    bounds: Bounds,
    run: Run<'_>,
) -> Result<Enumeration, Refusal> {
    let spawning = match query.threads {
        Threads::Unbounded => Spawning::Always,
        Threads::AtMost(_) => Spawning::MayFail,
    };
    let enumeration = Enumeration::new(program, &query.properties, spawning, bounds, run.limits)?;
    let net = &enumeration.net;
    run.observer.event(Event::Note(format!(
        "net: {} control states, {} places, {} transitions, {} targets",
        net.controls.len(),
        net.places.len(),
        net.transitions.len(),
        net.targets.len()
    )));
    Ok(enumeration)
}

/// The answers when there is no net.
pub(super) fn refused(query: &Query, refusal: Refusal) -> Result<Answers, Stop> {
    match refusal {
        Refusal::Stopped(stop) if !matches!(stop, Stop::Bound(_)) => Err(stop),
        refusal => {
            let reason: Reason = refusal.into();
            let answers = query.properties.iter().map(|_| Answer::Unknown(reason.clone())).collect();
            Ok(Answers { answers, assurance: Assurance::exact(), statistics: Statistics::default() })
        }
    }
}

/// What is known about the properties so far.
pub(super) struct Findings {
    answers: IndexMap<PropertyId, Answer>,
    /// Figures of the run.
    pub(super) statistics: Statistics,
}

impl Findings {
    pub(super) fn new(enumeration: &Enumeration) -> Self {
        let mut statistics = Statistics::default();
        statistics.add("control states", enumeration.net.controls.len() as u64);
        statistics.add("places", enumeration.net.places.len() as u64);
        statistics.add("transitions", enumeration.net.transitions.len() as u64);
        Self { answers: IndexMap::new(), statistics }
    }

    /// Notes the answer about a property.
    pub(super) fn note(&mut self, property: PropertyId, answer: Answer) {
        self.answers.insert(property, answer);
    }

    /// The properties without an answer, each once.
    pub(super) fn open(&self, query: &Query) -> Vec<PropertyId> {
        let mut open: Vec<PropertyId> = query.properties.clone();
        open.sort_unstable();
        open.dedup();
        open.retain(|property| !self.answers.contains_key(property));
        open
    }

    /// The answers; what has none is unknown for this reason.
    ///
    /// # Errors
    /// The stop, if there is no answer at all.
    pub(super) fn answers(self, query: &Query, reason: Option<Reason>) -> Result<Answers, Stop> {
        let bound = || Stop::Bound("the search was given up".to_owned()).into();
        let reason = reason.unwrap_or_else(bound);
        let decided = self.answers.values().any(|answer| !matches!(answer, Answer::Unknown(_)));
        match reason {
            Reason::Stopped(stop) if !decided && !matches!(stop, Stop::Bound(_)) => return Err(stop),
            _ => {}
        }
        let answer = |property: &PropertyId| {
            let answer = self.answers.get(property).cloned();
            answer.unwrap_or_else(|| Answer::Unknown(reason.clone()))
        };
        let answers = query.properties.iter().map(answer).collect();
        Ok(Answers { answers, assurance: Assurance::exact(), statistics: self.statistics })
    }
}

/// The answer that a run of the net amounts to.
pub(super) fn told(
    program: &Program,
    query: &Query,
    enumeration: &Enumeration,
    trace: &NetTrace,
    run: Run<'_>,
) -> Answer {
    match way_back(program, query.threads, enumeration, trace, run.limits) {
        Ok(trace) => Answer::Reachable(Box::new(trace)),
        Err(Lost::Nowhere(_)) if query.threads != Threads::Unbounded => Answer::Unknown(Reason::Unsupported(
            "only runs in which threads are not started were found, and the bound on threads may forbid them"
                .to_owned(),
        )),
        Err(lost) => Answer::Unknown(lost.into()),
    }
}

struct Decision<'a> {
    program: &'a Program,
    query: &'a Query,
    enumeration: Enumeration,
    method: Method,
    run: Run<'a>,
}

impl Decision<'_> {
    /// Decides all properties together, and each by itself if that gives no answer.
    fn decide_all(&mut self, findings: &mut Findings) -> Result<(), Stop> {
        let all: Vec<(PropertyId, Target)> = self.violations();
        loop {
            let open = findings.open(self.query);
            if open.is_empty() {
                return Ok(());
            }
            match self.decide(&all, &open, findings)? {
                NetAnswer::Uncoverable => {
                    open.into_iter().for_each(|property| findings.note(property, Answer::Unreachable));
                }
                NetAnswer::Covered(trace) => self.covered(&trace, findings),
                NetAnswer::Unknown(reason) if open.len() == 1 => {
                    findings.note(open[0], Answer::Unknown(reason));
                }
                NetAnswer::Unknown(_) => {
                    for property in open {
                        self.decide_one(&all, property, findings)?;
                    }
                }
            }
        }
    }

    fn decide_one(
        &mut self,
        all: &[(PropertyId, Target)],
        property: PropertyId,
        findings: &mut Findings,
    ) -> Result<(), Stop> {
        match self.decide(all, &[property], findings)? {
            NetAnswer::Uncoverable => findings.note(property, Answer::Unreachable),
            NetAnswer::Covered(trace) => self.covered(&trace, findings),
            NetAnswer::Unknown(reason) => findings.note(property, Answer::Unknown(reason)),
        }
        Ok(())
    }

    fn violations(&self) -> Vec<(PropertyId, Target)> {
        let targets = self.enumeration.net.targets.iter().cloned();
        self.enumeration.violated.iter().copied().zip(targets).collect()
    }

    /// Decides whether any of some properties is violated.
    fn decide(
        &mut self,
        all: &[(PropertyId, Target)],
        open: &[PropertyId],
        findings: &mut Findings,
    ) -> Result<NetAnswer, Stop> {
        let asked = all.iter().filter(|(property, _)| open.contains(property)).cloned();
        (self.enumeration.violated, self.enumeration.net.targets) = asked.unzip();
        if self.enumeration.net.targets.is_empty() {
            return Ok(NetAnswer::Uncoverable);
        }
        let found = coverability::decide(&self.enumeration.net, self.method, self.run)?;
        findings.statistics.include(&found.statistics);
        Ok(found.answer)
    }

    fn covered(&self, trace: &NetTrace, findings: &mut Findings) {
        let answer = told(self.program, self.query, &self.enumeration, trace, self.run);
        findings.note(self.enumeration.violated[trace.target], answer);
    }
}
