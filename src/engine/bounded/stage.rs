//! One stage of the search: the summaries of all opened procedures, callees first, within some bounds [Bas10, 4.2 and 4.3].
//!
//! A procedure that is not opened may do anything with what it may write: the havoc summary of structural abstraction.
//! Recursive procedures are summarised level by level, with one more nested call on each (`pieces`, if a proof is
//! wanted); on the lowest level a recursive call is given up.

use super::copy::Copy;
use super::cover::Covering;
use super::facts::Facts;
use super::formula::{Formula, Input, Store};
use super::meaning::Meaning;
use super::pieces;
pub use super::proof::Claim;
use super::summary::{Application, Entry, Outcome, Summary};
use super::unroll::{Effect, Unroll};
use crate::boolean::cfg::{ProcedureId, PropertyId};
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The largest number of nodes that formulas may have.
const NODES: usize = 12_000_000;

/// The limits are looked at once for so many calls of [`Stage::check`], or so many new nodes: about a millisecond.
const CALLS: u32 = 32;
const NEW_NODES: usize = 4_096;
/// What a call and a node cost, in units of work ([`Limits::spend`]).
const CALL: u64 = 48;
const NODE: u64 = 6;

/// How far a stage goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mode {
    /// How often a loop is unrolled at most.
    pub unrollings: usize,
    /// How deep recursive calls are nested at most.
    pub nesting: usize,
    /// Whether loops and recursion are checked for having nothing new.
    pub prove: bool,
    /// How many instances such a check may need.
    pub instances: usize,
    /// How often such a check of one loop may need more, before there is only the fall-back.
    pub tries: u32,
}

/// What is known in a stage.
pub struct Stage<'p> {
    /// The program.
    pub facts: &'p Facts<'p>,
    /// The formulas.
    pub store: Store,
    /// How far it goes.
    pub mode: Mode,
    /// The largest number of unrollings of a loop.
    pub unrollings: usize,
    /// Figures of the checks for fixed points.
    pub covering: Covering,
    /// What was shown of loops and recursion, and is needed for the summaries: formulas that contradict each other.
    pub claims: Vec<(Claim, Vec<Formula>)>,
    limits: &'p Limits,
    /// The calls since the limits were looked at, and the nodes there were then.
    since: Cell<(u32, usize)>,
    opened: &'p BTreeSet<ProcedureId>,
    switches: BTreeMap<PropertyId, Formula>,
    open: BTreeSet<PropertyId>,
    entries: BTreeMap<ProcedureId, Entry>,
    summaries: BTreeMap<ProcedureId, Rc<Summary>>,
}

impl<'p> Stage<'p> {
    /// A stage with these procedures opened, and these properties still without an answer.
    pub fn new(
        facts: &'p Facts<'p>,
        mode: Mode,
        opened: &'p BTreeSet<ProcedureId>,
        open: &BTreeSet<PropertyId>,
        limits: &'p Limits,
    ) -> Self {
        let mut store = Store::default();
        let switches = open
            .iter()
            .map(|&property| (property, store.input(Input::Switch, Meaning::Asked(property))))
            .collect();
        Self {
            facts,
            store,
            mode,
            unrollings: 0,
            covering: Covering::default(),
            claims: Vec::new(),
            limits,
            since: Cell::new((0, 0)),
            opened,
            switches,
            open: open.clone(),
            entries: BTreeMap::new(),
            summaries: BTreeMap::new(),
        }
    }

    /// Something was shown.
    pub fn claim(&mut self, claim: Claim, contradiction: Vec<Formula>) {
        self.claims.push((claim, contradiction));
    }

    /// The limits of the run.
    pub fn limits(&self) -> &'p Limits {
        self.limits
    }

    /// Whether to go on.
    ///
    /// # Errors
    /// A limit was reached, or there are too many formulas.
    pub fn check(&self) -> Result<(), Stop> {
        if self.store.len() > NODES {
            return Err(Stop::Bound(format!("the formulas have more than {NODES} nodes")));
        }
        let (calls, nodes) = self.since.get();
        if calls > 0 && calls < CALLS && self.store.len() < nodes + NEW_NODES {
            self.since.set((calls + 1, nodes));
            return Ok(());
        }
        self.since.set((1, self.store.len()));
        self.limits.spend(CALL * u64::from(calls) + NODE * (self.store.len() - nodes) as u64)
    }

    /// The input that says that a property is asked about; none if it never is.
    pub fn switch(&self, property: PropertyId) -> Option<Formula> {
        self.switches.get(&property).copied()
    }

    /// A property has its answer.
    pub fn answered(&mut self, property: PropertyId) {
        self.open.remove(&property);
    }

    /// The switches as they are now.
    pub fn switches(&self) -> Vec<Formula> {
        let set =
            |(property, &switch): (&PropertyId, &Formula)| switch.negated_if(!self.open.contains(property));
        self.switches.iter().map(set).collect()
    }

    /// The values at the entry of a procedure: the same inputs for all its summaries.
    pub fn entry(&mut self, procedure: ProcedureId) -> Entry {
        let (globals, body) = (self.facts.program.global_count, &self.facts.program.procedures[procedure]);
        let store = &mut self.store;
        let mut input = |position| store.input(Input::Entry, Meaning::Entry(procedure, position));
        let new = || Entry {
            globals: (0..globals).map(&mut input).collect(),
            parameters: (globals..globals + body.parameter_count).map(&mut input).collect(),
        };
        self.entries.entry(procedure).or_insert_with(new).clone()
    }

    /// The summary of the entry procedure of the program.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn summarise(&mut self) -> Result<Rc<Summary>, Stop> {
        let facts = self.facts;
        for members in facts.calls.components() {
            let opened: Vec<ProcedureId> =
                members.iter().copied().filter(|member| self.opened.contains(member)).collect();
            match opened[..] {
                [single] if !facts.calls.is_recursive(single) => {
                    let summary = Unroll::run(self, single)?;
                    self.set(summary);
                }
                _ if self.mode.prove => pieces::summarise(self, &opened)?,
                _ => self.levels(&opened)?,
            }
        }
        Ok(Rc::clone(&self.summaries[&facts.program.entry]))
    }

    /// The summary of the entry procedure, once it is made.
    pub fn of_entry(&self) -> Option<&Summary> {
        self.summaries.get(&self.facts.program.entry).map(Rc::as_ref)
    }

    /// Sets the summary that calls of its procedure use from now on.
    pub fn set(&mut self, summary: Summary) {
        self.summaries.insert(summary.procedure, Rc::new(summary));
    }

    /// Recursive procedures, one level of nesting after the other.
    fn levels(&mut self, members: &[ProcedureId]) -> Result<(), Stop> {
        for _ in 0..self.mode.nesting {
            let level: Vec<Summary> =
                members.iter().map(|&member| Unroll::run(self, member)).collect::<Result<_, _>>()?;
            let last = level.iter().all(|summary| summary.cut == Formula::FALSE);
            level.into_iter().for_each(|summary| self.set(summary));
            if last {
                break;
            }
        }
        Ok(())
    }

    /// What a call does.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn apply(
        &mut self,
        callee: ProcedureId,
        globals: Vec<Formula>,
        arguments: Vec<Formula>,
    ) -> Result<Effect, Stop> {
        self.check()?;
        if !self.opened.contains(&callee) {
            return Ok(self.havoc(callee, globals));
        }
        match self.summaries.get(&callee) {
            Some(summary) => Ok(self.copy(&Rc::clone(summary), globals, arguments)),
            None => Ok(given_up(callee, self.facts.program.procedures[callee].returns, globals)),
        }
    }

    /// A procedure that is not opened: it returns anything and writes anything into what it may write [Bas10, 4.3].
    fn havoc(&mut self, callee: ProcedureId, mut globals: Vec<Formula>) -> Effect {
        let meaning = Meaning::Closed(callee);
        for written in self.facts.touched.may_write(callee).iter() {
            let position = crate::ground::index::Index::index(written);
            globals[position] = self.store.input(Input::Choice, meaning);
        }
        let returns = self.facts.program.procedures[callee].returns;
        let values = (0..returns).map(|_| self.store.input(Input::Choice, meaning)).collect();
        let fails = self.facts.may_fail(callee);
        let failed = if fails { self.store.input(Input::Choice, meaning) } else { Formula::FALSE };
        let outcome = Outcome { returned: !failed, failed, globals, values };
        let application = Rc::new(Application { callee, summary: None, images: Vec::new() });
        Effect { application, outcome, cut: Formula::FALSE }
    }

    /// A copy of a summary for the values at a call.
    fn copy(&mut self, summary: &Rc<Summary>, globals: Vec<Formula>, arguments: Vec<Formula>) -> Effect {
        let mut images: Vec<(Formula, Formula)> =
            summary.entry.inputs().zip(globals.into_iter().chain(arguments)).collect();
        let mut fresh = Vec::new();
        let mut copy = Copy::new(images.clone(), |store: &mut Store, choice| {
            let new = store.input(Input::Choice, Meaning::Called(choice.node()));
            fresh.push((choice, new));
            new
        });
        let outcome = copied(&mut copy, &mut self.store, &summary.outcome);
        let cut = copy.of(&mut self.store, summary.cut);
        images.append(&mut fresh);
        let (callee, summary) = (summary.procedure, Some(Rc::clone(summary)));
        Effect { application: Rc::new(Application { callee, summary, images }), outcome, cut }
    }
}

/// A copy of how runs end.
pub fn copied<F: FnMut(&mut Store, Formula) -> Formula>(
    copy: &mut Copy<F>,
    store: &mut Store,
    outcome: &Outcome,
) -> Outcome {
    Outcome {
        returned: copy.of(store, outcome.returned),
        failed: copy.of(store, outcome.failed),
        globals: outcome.globals.iter().map(|&formula| copy.of(store, formula)).collect(),
        values: outcome.values.iter().map(|&formula| copy.of(store, formula)).collect(),
    }
}

/// A call that is not followed.
fn given_up(callee: ProcedureId, returns: usize, globals: Vec<Formula>) -> Effect {
    let (returned, failed) = (Formula::FALSE, Formula::FALSE);
    let outcome = Outcome { returned, failed, globals, values: vec![Formula::FALSE; returns] };
    let application = Rc::new(Application { callee, summary: None, images: Vec::new() });
    Effect { application, outcome, cut: Formula::TRUE }
}
