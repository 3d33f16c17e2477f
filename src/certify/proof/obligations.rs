//! What has to be proven: at the start, and of each edge.
//!
//! Every obligation is a conjunction that must have no model: a state in the invariant that takes a step out of it. A
//! run ends where it violates a property and where no edge goes on; nothing has to hold there.

use super::calls::{Call, Copies, state};
use super::formula::{Formulas, Reading};
use super::invariant::{DecisionId, Invariant};
use super::written::Written;
use super::{Claim, Failure};
use crate::ground::index::{Index, IndexVec};
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::program::{Action, Edge, EdgeId, LocationId, ProcedureId, Program, PropertyId};
use crate::smt::{Answer, Budget, Kind, Solver};
use crate::term::{Symbol, Term};
use std::collections::BTreeSet;

/// What one query may cost.
const BUDGET: Budget = Budget { resources: Some(40_000_000) };

/// Checks a proof.
pub(super) struct Checker<'a> {
    /// A copy, for new terms and symbols.
    program: Program,
    invariant: &'a Invariant,
    properties: &'a BTreeSet<PropertyId>,
    formulas: Formulas,
    written: Written,
    mentioned: BTreeSet<Symbol>,
    copies: Copies,
    /// Locations where runs end.
    ends: IndexVec<ProcedureId, IndexVec<LocationId, bool>>,
    solver: Solver,
    limits: Limits,
    steps: u64,
}

impl<'a> Checker<'a> {
    pub fn new(claim: Claim<'a>, limits: &Limits) -> Self {
        let formulas = Formulas::new(claim.precision);
        let mut solver = Solver::new(Kind::Certificate, limits);
        solver.set_budget(BUDGET);
        Self {
            written: Written::of(claim.program),
            mentioned: formulas.mentioned(&claim.program.store),
            ends: claim.program.procedures.ids().map(|id| ends(claim.program, id)).collect(),
            program: claim.program.clone(),
            invariant: claim.invariant,
            properties: claim.properties,
            formulas,
            copies: Copies::default(),
            solver,
            limits: limits.clone(),
            steps: 0,
        }
    }

    pub fn steps(&self) -> u64 {
        self.steps
    }

    pub fn queries(&self) -> u64 {
        self.solver.statistics().queries
    }

    /// Proves everything, or tells what cannot be proven.
    pub fn check(&mut self) -> Result<(), Failure> {
        if self.program.starts_threads() {
            return Err(Stop::Bound("the program starts threads".to_owned()).into());
        }
        self.meanings()?;
        self.start()?;
        for procedure in self.program.procedures.ids() {
            for edge in self.program.procedures[procedure].edges.ids() {
                self.limits.check()?;
                self.edge(procedure, edge)?;
            }
        }
        Ok(())
    }

    /// Invariants must speak of what there is.
    fn meanings(&self) -> Result<(), Failure> {
        for (id, procedure) in self.program.procedures.enumerate() {
            if let Some(predicate) = self.formulas.meaningless(&self.program, id, self.invariant) {
                let why = format!("{}: {predicate:?} has no meaning there", procedure.name);
                return Err(Failure::Rejected(why));
            }
        }
        Ok(())
    }

    /// Every state can be the first.
    fn start(&mut self) -> Result<(), Failure> {
        let id = self.program.entry;
        let root = self.invariant.at(id, self.program.procedures[id].entry);
        let entry = Some(state(&[]));
        let behind = self.formula(root, &mut Reading { entry, ..Reading::plain() });
        let outside = self.program.store.not(behind);
        let name = self.program.procedures[id].name.clone();
        self.impossible(&[outside], || format!("{name}: a run starts outside the invariant"))
    }

    fn formula(&mut self, root: DecisionId, reading: &mut Reading) -> Term {
        self.formulas.formula(&mut self.program.store, self.invariant, root, reading)
    }

    fn edge(&mut self, procedure: ProcedureId, id: EdgeId) -> Result<(), Failure> {
        let edge = self.program.procedures[procedure].edges[id].clone();
        let root = self.invariant.at(procedure, edge.from);
        let before = self.formula(root, &mut Reading::plain());
        if self.program.store.truth(before) == Some(false) {
            self.steps += 1;
            return Ok(());
        }
        let place = place(&self.program, procedure, &edge);
        if matches!(edge.action, Action::Unsupported(_)) {
            return self.impossible(&[before], || format!("{place}: a run gets to what is not modelled"));
        }
        if let Some(property) = edge.property {
            return self.property(property, before, &edge, &place);
        }
        match &edge.action {
            Action::Block(block) => {
                let reading = Reading::changed(block.updates.iter().copied());
                self.arrival(procedure, edge.to, &[before, block.guard], reading, &place)
            }
            Action::Call { procedure: callee, arguments, result } => {
                let call = Call { callee: *callee, arguments, result: *result };
                self.call(procedure, &edge, &call, before, &place)
            }
            Action::AtomicBegin | Action::AtomicEnd => {
                self.arrival(procedure, edge.to, &[before], Reading::plain(), &place)
            }
            Action::End | Action::Start { .. } | Action::Unsupported(_) => Ok(()),
        }
    }

    /// A run that violates a property ends; if the property is claimed, there must be none.
    fn property(
        &mut self,
        property: PropertyId,
        before: Term,
        edge: &Edge,
        place: &str,
    ) -> Result<(), Failure> {
        if !self.properties.contains(&property) {
            return Ok(());
        }
        let name = self.program.properties[property].id.clone();
        let mut parts = vec![before];
        if let Action::Block(block) = &edge.action {
            parts.push(block.guard);
        }
        self.impossible(&parts, || format!("{place}: {name} can be violated"))
    }

    /// Whoever satisfies these conditions must be in the invariant of a location.
    fn arrival(
        &mut self,
        procedure: ProcedureId,
        to: LocationId,
        conditions: &[Term],
        mut reading: Reading,
        place: &str,
    ) -> Result<(), Failure> {
        if self.ends[procedure][to] {
            return Ok(());
        }
        let behind = self.formula(self.invariant.at(procedure, to), &mut reading);
        if conditions.contains(&behind) {
            self.steps += 1;
            return Ok(());
        }
        let outside = self.program.store.not(behind);
        let parts: Vec<Term> = conditions.iter().copied().chain([outside]).collect();
        self.impossible(&parts, || format!("{place}: a step leaves the invariant"))
    }

    /// The callee is entered within its invariant, and the caller goes on within its own.
    fn call(
        &mut self,
        procedure: ProcedureId,
        edge: &Edge,
        call: &Call<'_>,
        before: Term,
        place: &str,
    ) -> Result<(), Failure> {
        let states = call.states(&mut self.program, &self.written, &self.mentioned, &mut self.copies);
        let callee = &self.program.procedures[call.callee];
        let (entry, exit) = (callee.entry, callee.exit);
        let enters = Reading { entry: Some(state(&states.entry)), now: state(&states.entry) };
        self.arrival(call.callee, entry, &[before], enters, place)?;
        let mut leaves = Reading { entry: Some(state(&states.entry)), now: state(&states.exit) };
        let returned = self.formula(self.invariant.at(call.callee, exit), &mut leaves);
        self.arrival(procedure, edge.to, &[before, returned], Reading::changed(states.behind), place)
    }

    /// There must be no model of all of these.
    fn impossible(&mut self, parts: &[Term], what: impl Fn() -> String) -> Result<(), Failure> {
        self.steps += 1;
        let store = &self.program.store;
        if parts.iter().any(|&part| store.truth(part) == Some(false)) {
            return Ok(());
        }
        self.solver.push();
        parts.iter().for_each(|&part| self.solver.assert(store, part));
        let answer = self.solver.check(store);
        self.solver.pop();
        match answer? {
            Answer::Unsat { .. } => Ok(()),
            Answer::Sat(_) => Err(Failure::Rejected(what())),
            Answer::Unknown(why) => Err(Stop::Bound(format!("the solver gave up, {}: {why}", what())).into()),
        }
    }
}

/// Locations that are no exit and that no edge leaves.
fn ends(program: &Program, id: ProcedureId) -> IndexVec<LocationId, bool> {
    let procedure = &program.procedures[id];
    let mut ends = IndexVec::filled(true, procedure.locations.len());
    ends[procedure.exit] = false;
    procedure.edges.iter().for_each(|edge| ends[edge.from] = false);
    ends
}

/// An edge, for people.
pub(in crate::certify) fn place(program: &Program, procedure: ProcedureId, edge: &Edge) -> String {
    let name = &program.procedures[procedure].name;
    let (from, to) = (edge.from.index(), edge.to.index());
    let line = edge
        .places
        .first()
        .map_or_else(String::new, |place| format!(", {}:{}", program.files[place.file], place.line));
    format!("{name}, edge {from} to {to}{line}")
}
