//! Both questions, for growing k.

use super::read;
use super::run::Runs;
use crate::boolean::cfg::{Program, PropertyId};
use crate::engine::bounded::formula::Formula;
use crate::engine::ledger::{AtBound, Halt, Ledger};
use crate::engine::{Answers, Query};
use crate::ground::event::{Event, Statistics};
use crate::ground::reason::Stop;
use crate::ground::run::Run;
use crate::sat::{Answer, Effort};
use crate::system::template::{LocationId, Template};

/// How much the solver may learn for one question about the step, in bytes for each step of the run. What is too hard now may
/// be easy with a longer run.
const EFFORT: u64 = 256 << 10;

/// A search.
pub struct Search<'a> {
    program: &'a Program,
    template: &'a Template,
    run: Run<'a>,
    ledger: Ledger<'a>,
    /// The checks of properties that are asked for: each by its location and its number there.
    checks: Vec<(LocationId, usize)>,
    threads: usize,
    base: Runs<'a>,
    step: Runs<'a>,
    /// The length of the runs.
    length: u64,
}

impl<'a> Search<'a> {
    /// A search for violations with so many threads.
    pub fn new(
        program: &'a Program,
        template: &'a Template,
        threads: usize,
        query: &'a Query,
        run: Run<'a>,
    ) -> Result<Self, Stop> {
        let mut ledger = Ledger::new(query, AtBound::Skip(threads));
        if template.starts_threads() {
            // Whether the bound matters is not asked.
            ledger.suppress();
        }
        let mut checks = Vec::new();
        for (location, contents) in template.locations.enumerate() {
            run.limits.check()?;
            let numbers = contents.checks.iter().enumerate();
            checks.extend(
                numbers
                    .filter(|(_, check)| ledger.is_open(check.property))
                    .map(|(number, _)| (location, number)),
            );
        }
        let (base, step) = (Runs::from_start(template, threads), Runs::from_anywhere(template, threads));
        Ok(Self { program, template, run, ledger, checks, threads, base, step, length: 0 })
    }

    /// Runs the search and tells what it found.
    pub fn answers(mut self) -> Result<Answers, Stop> {
        let end = self.search();
        let mut statistics = Statistics::default();
        statistics.add("steps of the longest run", self.length);
        statistics.add("SAT questions", self.base.questions() + self.step.questions());
        statistics.add("formula nodes", (self.base.store.len() + self.step.store.len()) as u64);
        statistics.add("pairs of states that must differ", (self.base.pairs + self.step.pairs) as u64);
        self.ledger.answers(end, statistics)
    }

    fn search(&mut self) -> Result<(), Halt> {
        self.ledger.halt_if_all_found()?;
        loop {
            let open = self.open().len();
            self.base()?;
            if self.open().len() < open {
                self.step_anew()?;
            }
            if self.is_inductive()? {
                return Ok(());
            }
            self.base.grow(self.run.limits)?;
            if self.base.ask(Formula::TRUE, Effort::Unbounded, self.run.limits)? == Answer::Unsatisfiable {
                // No state is left that was not seen.
                return Ok(());
            }
            self.step.grow(self.run.limits)?;
            self.length += 1;
            let text = format!("no other violation within {} steps", self.length - 1);
            self.run.observer.event(Event::Progress(text));
        }
    }

    /// The checks that are still to be decided.
    fn open(&self) -> Vec<(LocationId, usize)> {
        let is_open =
            |&(location, number): &(LocationId, usize)| self.ledger.is_open(self.property(location, number));
        self.checks.iter().copied().filter(is_open).collect()
    }

    fn property(&self, location: LocationId, number: usize) -> PropertyId {
        self.template.locations[location].checks[number].property
    }

    /// Looks for violations at the end of the runs from the start.
    fn base(&mut self) -> Result<(), Halt> {
        loop {
            let checks = self.open();
            let violated = self.base.violated(&checks);
            let any = self.base.store.any(violated.iter().copied());
            if any == Formula::FALSE
                || self.base.ask(any, Effort::Unbounded, self.run.limits)? != Answer::Satisfiable
            {
                return Ok(());
            }
            let mut value = self.base.values();
            let found = violated.iter().position(|&violated| value(violated)).expect("one of them is true");
            drop(value);
            let (location, number) = checks[found];
            let property = self.property(location, number);
            let trace = read::trace(self.program, self.template, &self.base, (location, property));
            self.ledger.record(property, trace)?;
        }
    }

    /// Builds the runs from anywhere once more. What is violated after all must not be ruled out on the way to
    /// another violation: the run to it may go through both.
    fn step_anew(&mut self) -> Result<(), Stop> {
        let checks = self.open();
        self.step = Runs::from_anywhere(self.template, self.threads);
        for _ in 0..self.length {
            let violated = self.step.violated(&checks);
            let any = self.step.store.any(violated);
            self.step.require(!any);
            self.step.grow(self.run.limits)?;
        }
        Ok(())
    }

    /// Whether no run from anywhere ends in the first violation of it. If some does, later runs have none before their last state.
    fn is_inductive(&mut self) -> Result<bool, Stop> {
        let checks = self.open();
        let violated = self.step.violated(&checks);
        let any = self.step.store.any(violated);
        let effort = Effort::Learned(EFFORT * (self.length + 1));
        let answer = self.step.ask(any, effort, self.run.limits)?;
        if answer == Answer::Unsatisfiable {
            return Ok(true);
        }
        self.step.require(!any);
        Ok(false)
    }
}
