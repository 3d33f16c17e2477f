//! The statements of an edge.
//!
//! A block is one statement: a parallel assignment whose `constrain` clause carries the guard as well. An edge that
//! violates a property, or is not modelled, is followed by `assert(F)`. Calls are in [`calls`](super::calls).

use super::exclusions::{Exclusion, clause};
use super::image::{Image, Imager, Step};
use super::oracle::Oracle;
use super::signature::Signature;
use super::threads::{PassiveSymbols, Threads};
use super::tracking::Tracking;
use super::variables::{Expression, Fact, Variable, literal, syntax};
use super::{Options, Part};
use crate::boolean::ast::{Name, Reference, StatementKind};
use crate::ground::index::IndexVec;
use crate::ground::reason::Stop;
use crate::predicate::{Precision, PredicateId, Transition};
use crate::program::{Action, Block, Edge, EdgeId, LocationId, ProcedureId, Program};
use crate::term::{Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A statement of an edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    pub kind: StatementKind,
    pub part: Part,
}

/// Exclusions by the predicates that they are among.
pub(super) type Exclusions = FxHashMap<Vec<Fact>, Rc<Vec<Exclusion>>>;

/// A statement that reads fewer variables than this is a small relation in any case.
const MANY_READ: usize = 8;

/// What the statements of an edge depend on.
pub(super) struct Context<'a> {
    pub program: &'a mut Program,
    pub precision: &'a Precision,
    pub tracking: &'a Tracking,
    pub signatures: &'a IndexVec<ProcedureId, Signature>,
    pub written: &'a IndexVec<ProcedureId, BTreeSet<Symbol>>,
    /// Stand for what procedures return.
    pub results: &'a BTreeMap<ProcedureId, Symbol>,
    /// Stand for the values of global variables before a call.
    pub old: &'a mut BTreeMap<Symbol, Symbol>,
    /// Stand for local variables of other threads.
    pub passive: &'a mut PassiveSymbols,
    /// What threads run, if any are started.
    pub threads: Option<&'a Threads>,
    pub names: &'a IndexVec<ProcedureId, Name>,
    pub oracle: &'a mut Oracle,
    pub exclusions: &'a mut Exclusions,
    pub options: &'a Options,
}

impl Context<'_> {
    /// The statements of an edge, in order; the last leads to where the edge does.
    pub fn edge(&mut self, procedure: ProcedureId, id: EdgeId) -> Result<Vec<Piece>, Stop> {
        let edge = self.program.procedures[procedure].edges[id].clone();
        let take = |kind| Piece { kind, part: Part::Take };
        let violated = Piece { kind: assert_false(), part: Part::Violated };
        if edge.property.is_some() {
            return Ok(vec![take(self.guard_only(procedure, id, &edge)?), violated]);
        }
        Ok(match &edge.action {
            Action::Block(block) => vec![take(self.block(procedure, id, &edge, block)?)],
            Action::Call { .. } => self.call(procedure, id, &edge)?,
            Action::Start { procedure: callee, arguments } => {
                let arguments = self.started(procedure, &edge, *callee, arguments)?;
                let procedure = self.names[*callee].clone();
                vec![take(StatementKind::StartThread { procedure, arguments })]
            }
            Action::AtomicBegin => vec![take(StatementKind::AtomicBegin)],
            Action::AtomicEnd => vec![take(StatementKind::AtomicEnd)],
            Action::End if self.threads.is_some() => end_of_all().map(take).into(),
            Action::End => vec![take(stop())],
            Action::Unsupported(_) => vec![take(StatementKind::Skip), violated],
        })
    }

    pub(super) fn imager(&mut self) -> Imager<'_> {
        Imager { oracle: self.oracle, store: &mut self.program.store, options: self.options }
    }

    pub(super) fn fact(&self, id: PredicateId) -> Fact {
        Fact { variable: Variable::Predicate(id), term: self.precision.predicates[id].term }
    }

    /// What is known at a location.
    pub(super) fn facts(&self, procedure: ProcedureId, location: LocationId) -> Vec<Fact> {
        self.tracking.at(procedure, location).map(|id| self.fact(id)).collect()
    }

    pub(super) fn mentions(&mut self, fact: Fact, symbols: &BTreeSet<Symbol>) -> bool {
        !self.oracle.symbols(&self.program.store, fact.term).is_disjoint(symbols)
    }

    /// Whether the edge can be taken: what it does makes no difference any more.
    fn guard_only(&mut self, procedure: ProcedureId, id: EdgeId, edge: &Edge) -> Result<StatementKind, Stop> {
        let Action::Block(block) = &edge.action else { return Ok(StatementKind::Skip) };
        let facts = self.facts(procedure, edge.from);
        let guard = self.with_one(procedure, block.guard, &facts);
        let step = Step { guard, updates: &[], facts: &facts, wanted: &[] };
        let mut image = self.imager().image(&step)?;
        // Nothing is said of values behind the edge.
        let known: BTreeSet<PredicateId> = self.tracking.at(procedure, edge.from).collect();
        self.contradict((procedure, id), &known, &BTreeSet::new(), &mut image);
        image.constraints.extend(self.is_there());
        Ok(statement(image))
    }

    /// A guard together with what is known of the thread, as far as it is about these facts.
    fn with_one(&mut self, procedure: ProcedureId, guard: Term, facts: &[Fact]) -> Term {
        if self.program.tallies.is_empty() {
            return guard;
        }
        let mut symbols = BTreeSet::new();
        for fact in facts {
            symbols.extend(self.oracle.symbols(&self.program.store, fact.term).iter().copied());
        }
        let known = self.program.known_of_one(procedure, &symbols);
        self.program.store.and_all(known.into_iter().chain([guard]))
    }

    fn block(
        &mut self,
        procedure: ProcedureId,
        id: EdgeId,
        edge: &Edge,
        block: &Block,
    ) -> Result<StatementKind, Stop> {
        let facts = self.facts(procedure, edge.from);
        let written: BTreeSet<Symbol> = edge.writes().into_iter().collect();
        let mut wanted = Vec::new();
        for fact in self.facts(procedure, edge.to) {
            if !facts.contains(&fact) || self.mentions(fact, &written) {
                wanted.push(fact);
            }
        }
        let guard = self.with_one(procedure, block.guard, &facts);
        let step = Step { guard, updates: &block.updates, facts: &facts, wanted: &wanted };
        let mut image = self.imager().image(&step)?;
        self.exclude_behind(procedure, edge.to, &mut image)?;
        self.exclude_read(procedure, edge.from, &mut image)?;
        let known: BTreeSet<PredicateId> = self.tracking.at(procedure, edge.from).collect();
        let behind: BTreeSet<PredicateId> = self.tracking.at(procedure, edge.to).collect();
        self.contradict((procedure, id), &known, &behind, &mut image);
        self.broadcast((procedure, id), edge, block, &mut image)?;
        image.constraints.extend(self.is_there());
        Ok(statement(image))
    }

    /// What excludes each other at a location.
    pub(super) fn exclusions_at(
        &mut self,
        procedure: ProcedureId,
        location: LocationId,
    ) -> Result<Rc<Vec<Exclusion>>, Stop> {
        let facts = self.facts(procedure, location);
        if let Some(known) = self.exclusions.get(&facts) {
            return Ok(known.clone());
        }
        let found = Rc::new(self.imager().exclusions(&facts)?);
        self.exclusions.insert(facts, found.clone());
        Ok(found)
    }

    /// New values that were chosen do not exclude each other, nor other values behind the edge.
    pub(super) fn exclude_behind(
        &mut self,
        procedure: ProcedureId,
        location: LocationId,
        image: &mut Image,
    ) -> Result<(), Stop> {
        if image.undetermined.is_empty() {
            return Ok(());
        }
        for exclusion in self.exclusions_at(procedure, location)?.iter() {
            if exclusion.iter().any(|(variable, _)| image.undetermined.contains(variable)) {
                image.constraints.push(clause(exclusion, Variable::next));
            }
        }
        Ok(())
    }

    /// Values before the edge exclude each other, too. That is true already; it is said where many of them are read, because an
    /// assignment like `x == 1, x == 2, … := y == 1, y == 2, …` is a huge relation if any of `y == 1, y == 2, …` may be true together.
    fn exclude_read(
        &mut self,
        procedure: ProcedureId,
        location: LocationId,
        image: &mut Image,
    ) -> Result<(), Stop> {
        let read: FxHashSet<Name> = image
            .assignments
            .iter()
            .flat_map(|(_, value)| value.variables())
            .map(|it| it.name.clone())
            .collect();
        if read.len() < MANY_READ {
            return Ok(());
        }
        for exclusion in self.exclusions_at(procedure, location)?.iter() {
            if exclusion.iter().all(|(variable, _)| read.contains(&variable.name())) {
                image.constraints.push(clause(exclusion, Variable::now));
            }
        }
        Ok(())
    }

    /// Steps of the edge that the precision excludes, as far as they speak of what is known before and tracked behind.
    pub(super) fn contradict(
        &mut self,
        place: (ProcedureId, EdgeId),
        known: &BTreeSet<PredicateId>,
        behind: &BTreeSet<PredicateId>,
        image: &mut Image,
    ) {
        let all = self.precision.excluded_at(place).filter(|it| it.transition == Transition::Edge);
        for wrong in all {
            let (before, after) = (&wrong.before, &wrong.behind);
            let applies = before.iter().all(|(id, _)| known.contains(id))
                && after.iter().all(|(id, _)| behind.contains(id));
            if applies {
                let before = before.iter().map(|&(id, value)| literal(Variable::Predicate(id).now(), value));
                let after = after.iter().map(|&(id, value)| literal(Variable::Predicate(id).next(), value));
                image.constraints.push(Expression::conjunction(before.chain(after)).negate());
            }
        }
    }
}

/// The thread gets no further.
pub(super) fn stop() -> StatementKind {
    StatementKind::Assume(syntax(Expression::constant(false)))
}

/// The program ends, with all its threads: nobody can move while one is in an atomic section.
pub(super) fn end_of_all() -> [StatementKind; 2] {
    [StatementKind::AtomicBegin, stop()]
}

fn assert_false() -> StatementKind {
    StatementKind::Assert(syntax(Expression::constant(false)))
}

/// The statement of an image.
pub(super) fn statement(image: Image) -> StatementKind {
    let mut constraints: Vec<Expression> = Vec::new();
    for constraint in image.constraints {
        if !constraints.contains(&constraint) {
            constraints.push(constraint);
        }
    }
    let constrain = (!constraints.is_empty()).then(|| Expression::conjunction(constraints));
    if !image.assignments.is_empty() {
        let (targets, values): (Vec<Name>, Vec<_>) =
            image.assignments.into_iter().map(|(variable, value)| (variable.name(), syntax(value))).unzip();
        return StatementKind::Assign { targets, values, constrain: constrain.map(syntax) };
    }
    // Nothing changes: new values are the old ones.
    let now =
        |reference: &Reference| Expression::variable(Reference { name: reference.name.clone(), next: false });
    constrain.map_or(StatementKind::Skip, |it| StatementKind::Assume(syntax(it.substitute(now))))
}
