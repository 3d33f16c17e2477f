//! Every step of the program has its abstract step.
//!
//! For each edge and any state of the program that the guard admits: the values of predicates before and behind the step
//! are ones that the statement of the edge relates. That is asked for the thread that takes the edge, and for one
//! other thread, wherever that may be; its local variables have symbols of their own. Variables that say nothing
//! where a thread is may have any value, and keep it.

use super::meaning::{Meaning, Meanings, Place};
use super::possible::Possible;
use super::relation::{Formula, Read, Relation, Relations, Statement, Values, Variable};
use super::{Claim, Failure};
use crate::certify::proof::place as told_place;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::program::tallies::Tally;
use crate::program::{Action, Block, Edge, EdgeId, ProcedureId, Program, PropertyId, Scope};
use crate::smt::{Answer, Budget, Kind, Solver};
use crate::term::substitute::Substitution;
use crate::term::{Sort, Store, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// What one query may cost.
pub(super) const BUDGET: Budget = Budget { resources: Some(40_000_000) };

/// Symbols that stand for what is not known otherwise.
#[derive(Default)]
struct Symbols {
    /// Local variables of another thread.
    others: BTreeMap<Symbol, Symbol>,
    /// Variables that say nothing; of another thread or not.
    silent: BTreeMap<(Variable, bool), Symbol>,
}

impl Symbols {
    fn other(&mut self, store: &mut Store, symbol: Symbol) -> Term {
        let copy = *self.others.entry(symbol).or_insert_with(|| {
            let (name, sort) = (store.name(symbol).to_owned(), store.sort_of_symbol(symbol));
            store.fresh(format!("{name} of another thread"), sort)
        });
        store.symbol(copy)
    }

    fn silent(&mut self, store: &mut Store, variable: Variable, passive: bool) -> Term {
        let fresh = || store.fresh(format!("{variable:?}"), Sort::Boolean);
        let symbol = *self.silent.entry((variable, passive)).or_insert_with(fresh);
        store.symbol(symbol)
    }
}

/// The terms of variables around a step.
struct Around<'c, 'a> {
    meanings: &'c Meanings<'a>,
    symbols: &'c mut Symbols,
    /// Where the thread is before and behind the step.
    own: (Place, Place),
    /// Where another thread is.
    other: Option<Place>,
    /// What is behind the step, over what was before it.
    update: Substitution,
    /// Local variables of another thread.
    rename: Substitution,
}

impl Around<'_, '_> {
    fn term(&mut self, store: &mut Store, read: Read) -> Term {
        let Read { variable, next, passive } = read;
        let (before, behind) = match (passive, self.other) {
            (true, Some(other)) => (other, other),
            _ => self.own,
        };
        let meaning = match self.meanings.at(if next { behind } else { before }, variable) {
            // It keeps the value that it had.
            Meaning::Nothing if next => return self.term(store, Read { next: false, ..read }),
            meaning => meaning,
        };
        match meaning {
            Meaning::Nothing => self.symbols.silent(store, variable, passive),
            Meaning::Constant(value) => store.boolean(value),
            Meaning::Truth(term) => {
                let term = if passive { self.rename.apply(store, term) } else { term };
                if next { self.update.apply(store, term) } else { term }
            }
        }
    }

    fn possible(&mut self, store: &mut Store, formula: &Formula) -> Possible {
        Possible::of(store, formula, |store, read| self.term(store, read))
    }

    /// That these variables get their new values, and keep those that they are not given.
    fn values(
        &mut self,
        store: &mut Store,
        (variables, passive): (&[Variable], bool),
        values: &Values,
    ) -> Result<Vec<Term>, Failure> {
        let mut parts = Vec::new();
        for &variable in variables {
            let place = if passive { self.other.unwrap_or(self.own.1) } else { self.own.1 };
            let silent = self.meanings.at(place, variable) == Meaning::Nothing;
            let given = values.iter().find(|(other, _)| *other == variable);
            if silent && given.is_some() {
                return Err(Failure::rejected(format!("{variable:?} gets a value where it says nothing")));
            }
            if silent {
                continue;
            }
            let now = self.term(store, Read { variable, next: false, passive });
            let next = self.term(store, Read { variable, next: true, passive });
            parts.push(match given {
                Some((_, formula)) => self.possible(store, formula).can_be(store, next),
                None => store.equal(now, next),
            });
        }
        Ok(parts)
    }

    fn constraints(&mut self, store: &mut Store, constraints: &[Formula]) -> Vec<Term> {
        constraints.iter().map(|constraint| self.possible(store, constraint).yes).collect()
    }
}

/// Checks all steps.
pub(super) struct Checker<'c, 'a> {
    /// A copy, for new terms and symbols.
    program: Program,
    meanings: &'c Meanings<'a>,
    relations: &'c Relations,
    variables: Vec<Variable>,
    symbols: Symbols,
    solver: Solver,
    limits: Limits,
    steps: u64,
}

impl<'c, 'a> Checker<'c, 'a> {
    pub fn new(
        claim: Claim<'a>,
        meanings: &'c Meanings<'a>,
        relations: &'c Relations,
        limits: &Limits,
    ) -> Self {
        let mut solver = Solver::new(Kind::Certificate, limits);
        solver.set_budget(BUDGET);
        Self {
            program: claim.program.clone(),
            variables: meanings.variables().collect(),
            meanings,
            relations,
            symbols: Symbols::default(),
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

    /// Proves all steps of runs that go on, or violate one of these properties.
    pub fn check(&mut self, properties: &BTreeSet<PropertyId>) -> Result<(), Failure> {
        for &template in &self.meanings.templates {
            for id in self.program.procedures[template].edges.ids() {
                self.limits.check()?;
                self.edge(template, id, properties)?;
            }
        }
        Ok(())
    }

    fn edge(
        &mut self,
        template: ProcedureId,
        id: EdgeId,
        properties: &BTreeSet<PropertyId>,
    ) -> Result<(), Failure> {
        let edge = self.program.procedures[template].edges[id].clone();
        let statement = &self.relations[&(template, id)];
        if let Some(property) = edge.property {
            return match (&edge.action, statement) {
                (Action::Block(block), Statement::Step(relation)) if properties.contains(&property) => {
                    self.violation(template, &edge, block, relation)
                }
                _ => Ok(()),
            };
        }
        match (&edge.action, statement) {
            (Action::Block(block), Statement::Step(relation)) => {
                self.active(template, &edge, block, relation)?;
                self.passive(template, &edge, block, relation)
            }
            (Action::Start { procedure, arguments }, Statement::Start(values)) => {
                self.unchanged(template, &edge)?;
                self.started(template, &edge, (*procedure, arguments), values)
            }
            (Action::AtomicBegin | Action::AtomicEnd, _) => self.unchanged(template, &edge),
            (Action::End | Action::Unsupported(_), _) => Ok(()),
            _ => Err(Failure::rejected(format!("{}: no statement", self.told(template, &edge)))),
        }
    }

    fn told(&self, template: ProcedureId, edge: &Edge) -> String {
        told_place(&self.program, template, edge)
    }

    /// Whoever violates a property is at a statement that lets him.
    fn violation(
        &mut self,
        template: ProcedureId,
        edge: &Edge,
        block: &Block,
        relation: &Relation,
    ) -> Result<(), Failure> {
        let here = (template, edge.from);
        if relation.constraints.iter().any(|part| part.variables().any(|read| read.next)) {
            return Err(Failure::rejected("a violation depends on what is behind it"));
        }
        let mut around = around(self.meanings, &mut self.symbols, (here, here));
        let parts = around.constraints(&mut self.program.store, &relation.constraints);
        let guard = self.known(template, None, block.guard);
        self.follows(guard, &parts, template, edge, "a violation is left out")
    }

    /// The thread that takes the edge.
    fn active(
        &mut self,
        template: ProcedureId,
        edge: &Edge,
        block: &Block,
        relation: &Relation,
    ) -> Result<(), Failure> {
        let places = ((template, edge.from), (template, edge.to));
        let mut around = around(self.meanings, &mut self.symbols, places);
        around.update = Substitution::new(block.updates.iter().copied());
        let store = &mut self.program.store;
        let mut parts = around.values(store, (&self.variables, false), &relation.own)?;
        parts.extend(around.constraints(store, &relation.constraints));
        let guard = self.known(template, None, block.guard);
        self.follows(guard, &parts, template, edge, "a step is left out")
    }

    /// One other thread, wherever it is: places that look alike to the statement are one case.
    fn passive(
        &mut self,
        template: ProcedureId,
        edge: &Edge,
        block: &Block,
        relation: &Relation,
    ) -> Result<(), Failure> {
        let concerned = self.concerned(block, relation);
        if concerned.is_empty() && relation.about_others.is_empty() {
            return Ok(());
        }
        for other in self.cases(&concerned) {
            let places = ((template, edge.from), (template, edge.to));
            let rename = self.renaming(other.0);
            let mut around = around(self.meanings, &mut self.symbols, places);
            around.other = Some(other);
            around.rename = rename;
            around.update = Substitution::new(block.updates.iter().copied());
            let store = &mut self.program.store;
            let mut parts = around.values(store, (&concerned, true), &relation.others)?;
            parts.extend(around.constraints(store, &relation.about_others));
            let what = "what another thread comes to know is left out";
            let guard = self.known(template, Some(other.0), block.guard);
            self.follows(guard, &parts, template, edge, what)?;
        }
        Ok(())
    }

    /// A guard together with what tallies say of the thread, and of another one that runs a template.
    fn known(&mut self, template: ProcedureId, other: Option<ProcedureId>, guard: Term) -> Term {
        let mentioned: BTreeSet<Symbol> =
            self.meanings.predicates.iter().flat_map(|known| known.symbols.iter().copied()).collect();
        let ghosts = self.program.tallies.iter().flat_map(Tally::ghosts);
        let ghosts = ghosts.filter(|ghost| mentioned.contains(ghost)).collect();
        let known = match other {
            None => self.program.known_of_one(template, &ghosts),
            Some(other) => {
                let others = &self.symbols.others;
                let name = |symbol| others.get(&symbol).copied();
                self.program.known_of_two((template, other), &ghosts, &name)
            }
        };
        self.program.store.and_all(known.into_iter().chain([guard]))
    }

    /// Local variables of other threads that a step may change, or that its statement mentions.
    fn concerned(&self, block: &Block, relation: &Relation) -> Vec<Variable> {
        let written: BTreeSet<Symbol> = block.updates.iter().map(|&(symbol, _)| symbol).collect();
        let values = relation.others.iter().map(|(_, formula)| formula);
        let formulas = values.chain(&relation.about_others);
        let mut mentioned: BTreeSet<Variable> = formulas
            .flat_map(Formula::variables)
            .filter(|read| read.passive)
            .map(|read| read.variable)
            .collect();
        mentioned.extend(relation.others.iter().map(|&(variable, _)| variable));
        let is_concerned = |variable: &Variable| {
            let changed = match *variable {
                Variable::Predicate(id) => {
                    let known = &self.meanings.predicates[id];
                    known.mixed && !known.symbols.is_disjoint(&written)
                }
                Variable::Flag(_) => false,
            };
            mentioned.contains(variable) || changed
        };
        self.variables.iter().copied().filter(is_concerned).collect()
    }

    /// Places of other threads, one for each way in which these variables have meanings.
    fn cases(&self, variables: &[Variable]) -> Vec<Place> {
        let mut cases: BTreeMap<(ProcedureId, Vec<Meaning>), Place> = BTreeMap::new();
        for &template in &self.meanings.templates {
            for location in self.program.procedures[template].locations.ids() {
                let place = (template, location);
                let meanings = variables.iter().map(|&variable| self.meanings.at(place, variable)).collect();
                cases.entry((template, meanings)).or_insert(place);
            }
        }
        cases.into_values().collect()
    }

    /// Symbols for the local variables of another thread.
    fn renaming(&mut self, template: ProcedureId) -> Substitution {
        let mut symbols = BTreeSet::new();
        for known in self.meanings.predicates.iter() {
            symbols.extend(known.symbols.iter().copied());
        }
        let is_local = |symbol: &Symbol| {
            self.program.variables.get(*symbol).map(|it| it.scope) == Some(Scope::Local(template))
        };
        let local: Vec<Symbol> = symbols.into_iter().filter(is_local).collect();
        let store = &mut self.program.store;
        Substitution::new(local.into_iter().map(|symbol| (symbol, self.symbols.other(store, symbol))))
    }

    /// Nothing changes, and what is known behind the edge was known before.
    fn unchanged(&mut self, template: ProcedureId, edge: &Edge) -> Result<(), Failure> {
        let places = ((template, edge.from), (template, edge.to));
        let mut around = around(self.meanings, &mut self.symbols, places);
        let store = &mut self.program.store;
        let parts = around.values(store, (&self.variables, false), &Values::new())?;
        let always = store.boolean(true);
        self.follows(always, &parts, template, edge, "a step is left out")
    }

    /// A new thread may begin with what holds of its arguments.
    fn started(
        &mut self,
        template: ProcedureId,
        edge: &Edge,
        (callee, arguments): (ProcedureId, &[Term]),
        values: &Values,
    ) -> Result<(), Failure> {
        let mut entering = self.renaming(callee);
        let procedure = &self.program.procedures[callee];
        let entry = (callee, procedure.entry);
        for (&parameter, &argument) in procedure.parameters.iter().zip(arguments) {
            entering.set(parameter, argument);
        }
        let here = (template, edge.from);
        let store = &mut self.program.store;
        let mut parts = Vec::new();
        for (variable, formula) in values {
            let value = match self.meanings.at(entry, *variable) {
                Meaning::Nothing => continue,
                Meaning::Constant(value) => store.boolean(value),
                Meaning::Truth(term) => entering.apply(store, term),
            };
            let mut around = around(self.meanings, &mut self.symbols, (here, here));
            parts.push(around.possible(store, formula).can_be(store, value));
        }
        let always = store.boolean(true);
        self.follows(always, &parts, template, edge, "a new thread is left out")
    }

    /// Wherever the guard holds, all parts do.
    fn follows(
        &mut self,
        guard: Term,
        parts: &[Term],
        template: ProcedureId,
        edge: &Edge,
        what: &str,
    ) -> Result<(), Failure> {
        self.steps += 1;
        let store = &mut self.program.store;
        let all = store.and_all(parts.iter().copied());
        let outside = store.not(all);
        if store.truth(outside) == Some(false) || store.truth(guard) == Some(false) {
            return Ok(());
        }
        self.solver.push();
        [guard, outside].iter().for_each(|&part| self.solver.assert(store, part));
        let answer = self.solver.check(store);
        self.solver.pop();
        let place = || format!("{}: {what}", self.told(template, edge));
        match answer? {
            Answer::Unsat { .. } => Ok(()),
            Answer::Sat(_) => Err(Failure::Rejected(place())),
            Answer::Unknown(why) => {
                Err(Stop::Bound(format!("the solver gave up, {}: {why}", place())).into())
            }
        }
    }
}

fn around<'c, 'a>(
    meanings: &'c Meanings<'a>,
    symbols: &'c mut Symbols,
    own: (Place, Place),
) -> Around<'c, 'a> {
    Around {
        meanings,
        symbols,
        own,
        other: None,
        update: Substitution::default(),
        rename: Substitution::default(),
    }
}
