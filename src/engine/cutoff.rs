//! Thread states with 1, 2, 3, … threads, until more threads reach no more \[KKW10\].
//!
//! A thread state is what is shared together with what one thread has for itself. With n threads at a time a set
//! of thread states is reached; it grows with n, and as there are finitely many thread states, from some n on it
//! grows no more: n is a *cutoff*. That two consecutive sets are equal does not make n one, for the set may grow
//! again. What does: a backward search shows that none of the thread states which are missing, but have not been
//! ruled out otherwise, can be covered with any number of threads. It is asked when the set did not grow.
//!
//! The search with n threads is exact, so what it finds is a violation, and often finds it soon. It needs programs
//! without `$`: only there is a violation a matter of one thread state, and only there do more threads never keep
//! others from a step.

mod search;

use super::backward::{Findings, enumerate, refused, told};
use super::coverability::{self, Method, NetAnswer};
use super::{Answers, Engine, Query, Run};
use crate::boolean::cfg::Program;
use crate::engine::Answer;
use crate::ground::assurance::Assurance;
use crate::ground::event::{Event, Statistics};
use crate::ground::reason::{Reason, Stop};
use crate::system::enumerate::{Bounds, Enumeration};
use crate::system::net::{ControlId, PlaceId, Target};
use search::Search;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Cutoff {
    /// How large the net may become.
    pub bounds: Bounds,
    /// How many configurations the searches may store.
    pub configurations: usize,
}

impl Default for Cutoff {
    fn default() -> Self {
        Self { bounds: Bounds::default(), configurations: 1 << 21 }
    }
}

impl Engine for Cutoff {
    fn name(&self) -> &'static str {
        "cutoff"
    }

    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop> {
        let enumeration = match enumerate(program, query, self.bounds, run) {
            Ok(enumeration) => enumeration,
            Err(refusal) => return refused(query, refusal),
        };
        if enumeration.template.has_broadcasts() {
            return Ok(not_monotone(query));
        }
        let mut findings = Findings::new(&enumeration);
        let mut rounds = Rounds { program, query, enumeration, run, awaited: None };
        let stopped = rounds.all(self.configurations, &mut findings).err();
        findings.answers(query, stopped)
    }
}

fn not_monotone(query: &Query) -> Answers {
    let reason = Reason::Unsupported("cutoffs of programs with `$`".to_owned());
    let answers = query.properties.iter().map(|_| Answer::Unknown(reason.clone())).collect();
    Answers { answers, assurance: Assurance::exact(), statistics: Statistics::default() }
}

/// A thread state.
type ThreadState = (ControlId, PlaceId);

struct Rounds<'a> {
    program: &'a Program,
    query: &'a Query,
    enumeration: Enumeration,
    run: Run<'a>,
    /// A thread state that can be covered and has not been reached: before it is, no number is a cutoff.
    awaited: Option<ThreadState>,
}

impl Rounds<'_> {
    fn all(&mut self, configurations: usize, findings: &mut Findings) -> Result<(), Reason> {
        let net = self.enumeration.net.clone();
        let mut search = Search::new(&net, configurations, self.run.limits);
        for threads in 1.. {
            let before = search.reached.len();
            search.round(threads)?;
            self.note_violations(&search, findings);
            self.tell(threads, search.reached.len());
            findings.statistics.maximum("threads", threads.into());
            findings.statistics.maximum("thread states", search.reached.len() as u64);
            findings.statistics.maximum("configurations", search.configurations() as u64);
            let grew = search.reached.len() > before;
            let open = findings.open(self.query);
            if open.is_empty() {
                return Ok(());
            }
            if search.is_done() || (!grew && self.is_cutoff(&search, findings)?) {
                self.run.observer.event(Event::Note(format!("{threads} is a cutoff")));
                findings.statistics.maximum("cutoff", threads.into());
                open.into_iter().for_each(|property| findings.note(property, Answer::Unreachable));
                return Ok(());
            }
        }
        Ok(())
    }

    fn tell(&self, threads: u32, states: usize) {
        let plural = if threads == 1 { "" } else { "s" };
        let text = format!("{threads} thread{plural}: {states} thread states");
        self.run.observer.event(Event::Note(text));
    }

    /// Answers the properties whose violations were reached.
    fn note_violations(&self, search: &Search<'_>, findings: &mut Findings) {
        let mut open = findings.open(self.query);
        for (number, property) in self.enumeration.violated.iter().enumerate() {
            let target = &self.enumeration.net.targets[number];
            if let (true, [(place, 1)]) = (open.contains(property), &target.tokens[..])
                && let Some(trace) = search.trace((target.control, *place), number)
            {
                let answer = told(self.program, self.query, &self.enumeration, &trace, self.run);
                findings.note(*property, answer);
                open.retain(|other| other != property);
            }
        }
    }

    /// Whether no thread state that was not reached can be covered.
    fn is_cutoff(&mut self, search: &Search<'_>, findings: &mut Findings) -> Result<bool, Reason> {
        if self.awaited.is_some_and(|state| !search.reached.contains_key(&state)) {
            return Ok(false);
        }
        let missing = self.enumeration.pairs.iter().filter(|pair| !search.reached.contains_key(*pair));
        let target = |&(control, place): &ThreadState| Target { control, tokens: vec![(place, 1)] };
        let targets: Vec<Target> = missing.map(target).collect();
        if targets.is_empty() {
            return Ok(true);
        }
        let mut net = self.enumeration.net.clone();
        net.targets = targets;
        let found = coverability::decide(&net, Method::Backward, self.run)?;
        findings.statistics.add("backward searches", 1);
        match found.answer {
            NetAnswer::Uncoverable => Ok(true),
            NetAnswer::Covered(trace) => {
                let target = &net.targets[trace.target];
                self.awaited = target.tokens.first().map(|&(place, _)| (target.control, place));
                Ok(false)
            }
            NetAnswer::Unknown(reason) => Err(reason),
        }
    }
}
