//! The oracle: breadth-first search over the states of the interpreter, call stacks included.
//!
//! Every state is stored whole, every choice and every interleaving tried out. That is hopeless for
//! large programs and meant to be: the engine shares nothing with the others but the semantics, and
//! their answers are held against its own. Its counterexamples are as short as any.
//!
//! Recursion and thread creation make the state space infinite. Bounds of our own on states, stack depth
//! and live threads end the search; what is then not decided is unknown. The user's bound on threads is
//! part of the question: a verdict rests on it only if it kept a thread from starting.

mod history;
mod turns;

use super::{Answers, Engine, Query, Run, Threads};
use crate::boolean::cfg::{Program, PropertyId};
use crate::boolean::interpret::{Effect, Interpreter, State, Successor};
use crate::boolean::trace::Trace;
use crate::engine::Answer;
use crate::ground::assurance::{Assumption, Assurance};
use crate::ground::event::{Event, Statistics};
use crate::ground::reason::{Reason, Stop};
use history::History;
use turns::{Turn, Turns};

/// Bounds of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// How many states may be stored.
    pub states: usize,
    /// How many frames a thread may have.
    pub depth: usize,
    /// How many threads may be alive if the question sets no bound.
    pub threads: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { states: 1_000_000, depth: 64, threads: 8 }
    }
}

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Explicit {
    bounds: Bounds,
    /// The largest number of context switches that runs may have.
    switches: Option<usize>,
}

impl Explicit {
    /// With these bounds of the search.
    #[must_use]
    pub const fn within(bounds: Bounds) -> Self {
        Self { bounds, switches: None }
    }

    /// Only runs with at most so many context switches are looked at.
    #[must_use]
    pub fn with_switches(self, most: usize) -> Self {
        Self { switches: Some(most), ..self }
    }
}

impl Engine for Explicit {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop> {
        let mut search = Search::new(program, query, run, *self);
        let stop = match search.explore() {
            Ok(()) | Err(End::AllFound) => None,
            Err(End::Stopped(stop)) => Some(stop),
        };
        if let Some(stop) = &stop
            && !matches!(stop, Stop::Bound(_))
            && search.found.iter().all(Option::is_none)
        {
            return Err(stop.clone());
        }
        Ok(search.answers(stop))
    }
}

/// Why a search ends before all states are seen.
enum End {
    AllFound,
    Stopped(Stop),
}

impl From<Stop> for End {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// How often progress is told, in states.
const PROGRESS: usize = 1 << 16;

struct Search<'a> {
    interpreter: Interpreter<'a>,
    query: &'a Query,
    run: Run<'a>,
    bounds: Bounds,
    turns: Turns,
    history: History,
    found: Vec<Option<Trace>>,
    /// The first bound that cut a successor off.
    cut: Option<Stop>,
    suppressed: bool,
    steps: u64,
}

impl<'a> Search<'a> {
    fn new(program: &'a Program, query: &'a Query, run: Run<'a>, engine: Explicit) -> Self {
        Self {
            interpreter: Interpreter::new(program, query.threads),
            query,
            run,
            bounds: engine.bounds,
            turns: Turns { most: engine.switches },
            history: History::default(),
            found: vec![None; query.properties.len()],
            cut: None,
            suppressed: false,
            steps: 0,
        }
    }

    fn explore(&mut self) -> Result<(), End> {
        self.run.observer.event(Event::Phase("explicit search".into()));
        self.stop_if_all_found()?;
        for state in self.interpreter.representative_initial_states() {
            self.run.limits.check()?;
            self.insert((state, self.turns.first()), None)?;
        }
        let mut current = 0;
        while let Some((state, turn)) = self.history.get(current).cloned() {
            self.expand(&state, turn, current)?;
            current += 1;
        }
        Ok(())
    }

    fn expand(&mut self, state: &State, turn: Turn, number: usize) -> Result<(), End> {
        let interpreter = self.interpreter;
        for candidate in interpreter.candidates(state) {
            self.run.limits.check()?;
            let Some(successor) = candidate else { continue };
            let Some(turn) = self.turns.after(turn, &successor) else { continue };
            self.steps += 1;
            self.suppressed |= successor.effect == Effect::Suppressed;
            match self.out_of_bounds(&successor) {
                Some(bound) => self.cut = self.cut.take().or(Some(Stop::Bound(bound))),
                None => self.insert((successor.state, turn), Some(number))?,
            }
        }
        Ok(())
    }

    /// The bound on stacks or threads that a step breaks.
    fn out_of_bounds(&self, successor: &Successor) -> Option<String> {
        let state = &successor.state;
        let deepest = state.threads.iter().map(|thread| thread.frames.len()).max().unwrap_or(0);
        let unbounded = self.query.threads == Threads::Unbounded;
        if deepest > self.bounds.depth {
            Some(format!("call stack deeper than {}", self.bounds.depth))
        } else if unbounded && state.threads.len() > self.bounds.threads {
            Some(format!("more than {} threads", self.bounds.threads))
        } else {
            None
        }
    }

    /// Stores a state that is new and looks for violations in it.
    fn insert(&mut self, seen: (State, Turn), predecessor: Option<usize>) -> Result<(), End> {
        if self.history.contains(&seen) {
            return Ok(());
        }
        if self.history.len() >= self.bounds.states {
            return Err(Stop::Bound(format!("more than {} states", self.bounds.states)).into());
        }
        let mut violations = self.interpreter.violations(&seen.0);
        violations.retain(|&(thread, _)| self.turns.at(seen.1, thread).is_some());
        let number = self.history.push(seen, predecessor);
        for (thread, property) in violations {
            self.record(number, thread, property)?;
        }
        if self.history.len().is_multiple_of(PROGRESS) {
            self.run.observer.event(Event::Progress(format!("{} states", self.history.len())));
        }
        Ok(())
    }

    fn record(&mut self, number: usize, thread: usize, property: PropertyId) -> Result<(), End> {
        let asked = |&place: &usize| self.query.properties[place] == property && self.found[place].is_none();
        let places: Vec<usize> = (0..self.found.len()).filter(asked).collect();
        if places.is_empty() {
            return Ok(());
        }
        let trace = self.history.trace(&self.interpreter, number, thread, property);
        for place in places {
            self.found[place] = Some(trace.clone());
        }
        self.stop_if_all_found()
    }

    fn stop_if_all_found(&self) -> Result<(), End> {
        if self.found.iter().all(Option::is_some) { Err(End::AllFound) } else { Ok(()) }
    }

    fn answers(self, stop: Option<Stop>) -> Answers {
        let stop = stop.or(self.cut);
        let undecided =
            stop.clone().map_or(Answer::Unreachable, |stop| Answer::Unknown(Reason::Stopped(stop)));
        let answer = |trace: Option<Trace>| {
            trace.map_or_else(|| undecided.clone(), |trace| Answer::Reachable(Box::new(trace)))
        };
        let mut statistics = Statistics::default();
        statistics.add("states", self.history.len() as u64);
        statistics.add("steps", self.steps);
        let mut assurance = Assurance { sound: stop.is_none(), ..Assurance::exact() };
        if let (Threads::AtMost(bound), true) = (self.query.threads, self.suppressed) {
            assurance = assurance.assuming(Assumption::Threads(bound));
        }
        if let Some(most) = self.turns.most {
            assurance = assurance.assuming(Assumption::ContextSwitches(most));
        }
        Answers { answers: self.found.into_iter().map(answer).collect(), assurance, statistics }
    }
}

#[cfg(test)]
mod tests;
