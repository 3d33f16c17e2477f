//! Questions to the solver, each asked once.
//!
//! There are two kinds. Which truth values can these atoms have together, where a condition holds? It is answered by
//! enumerating models, each excluded by a clause once it is found [Lahiri, Nieuwenhuis, Oliveras: SMT techniques for fast
//! predicate abstraction, CAV 2006]. And: what do these facts say about a term, where a condition holds? It is answered by
//! cubes of facts that imply the term or its negation, each a core of the values in one model: so a term that hangs on two
//! of eight facts costs a handful of queries, and an answer may stop early, at any time.
//!
//! Some questions need no solver ([`unary`]). Terms are canonical within a store, so answers are kept by the ids of
//! condition and atoms, across edges and iterations. Where the solver gives up, everything is possible.

use super::Options;
use super::relevant::{About, Handles, conjuncts};
use super::table::{Cube, Table, cover};
use super::{samples, unary};
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::smt::{Answer, Budget, Kind, Model, Solver};
use crate::term::free::FreeSymbols;
use crate::term::{Store, Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// So many cubes are looked for, unless a value may hang on more facts than usual. Half of them may leave the term open.
const CUBES: usize = 16;
/// So many facts are usual.
const USUAL: usize = 6;
/// Conditions with more parts than this are not asked for being possible: the budget does not count the solver's preparations.
const LARGE: usize = 2_000;
/// So few are always looked at in all ways.
const FEW: usize = 3;
/// With more of them, it is over when so many cubes have said nothing, and none something.
const VAIN: usize = 3;

/// What facts say about a term.
#[derive(Clone, Debug, Default)]
pub(super) struct Judgement {
    /// Cubes of facts that imply it.
    pub yes: Vec<Cube>,
    /// Cubes of facts that exclude it.
    pub no: Vec<Cube>,
    /// Whether every state is in one of them.
    pub complete: bool,
}

type Known<T> = FxHashMap<(Term, Vec<Term>), Rc<T>>;

/// The solver and what it answered.
pub(super) struct Oracle {
    solver: Solver,
    free: FreeSymbols,
    about: About,
    tables: Known<Table>,
    judgements: Known<Judgement>,
    /// So many cubes are looked for.
    cubes: usize,
    budget: Budget,
    remembers: bool,
    pub hits: u64,
    pub given_up: u64,
}

impl Oracle {
    pub fn new(options: &Options, limits: &Limits) -> Self {
        let mut solver = Solver::new(Kind::Image, limits);
        solver.set_budget(options.budget);
        Self {
            solver,
            free: FreeSymbols::default(),
            about: About::default(),
            tables: Known::default(),
            judgements: Known::default(),
            cubes: if options.literals > USUAL { 1 << options.literals } else { CUBES },
            budget: options.budget,
            remembers: options.remembers,
            hits: 0,
            given_up: 0,
        }
    }

    /// The symbols of a term.
    pub fn symbols(&mut self, store: &Store, term: Term) -> Rc<BTreeSet<Symbol>> {
        self.free.of(store, term)
    }

    /// The scalar variables and cells of a term.
    pub fn about(&mut self, store: &Store, term: Term) -> Handles {
        self.about.of(store, term)
    }

    /// How many queries Z3 was given, and for how long it worked.
    pub fn statistics(&self) -> crate::smt::Statistics {
        self.solver.statistics()
    }

    /// The values that atoms can have where a condition holds.
    pub fn valuations(
        &mut self,
        store: &mut Store,
        condition: Term,
        atoms: &[Term],
    ) -> Result<Rc<Table>, Stop> {
        let key = (condition, atoms.to_vec());
        if let Some(known) = self.tables.get(&key).filter(|_| self.remembers) {
            self.hits += 1;
            return Ok(known.clone());
        }
        let bound = self.bound(store, condition, atoms);
        let table = match unary::valuations(store, &conjuncts(store, condition), atoms) {
            Some(table) => table,
            None if bound.len() < atoms.len() => {
                let fewer: Vec<Term> = bound.iter().map(|&number| atoms[number]).collect();
                let table = self.valuations(store, condition, &fewer)?;
                Table::of(atoms.len(), |it| table.contains(projected(it, &bound)))
            }
            None => self.ask_for_valuations(store, condition, atoms)?,
        };
        let table = Rc::new(table);
        self.tables.insert(key, table.clone());
        Ok(table)
    }

    /// The atoms that are not free.
    fn bound(&mut self, store: &Store, condition: Term, atoms: &[Term]) -> Vec<usize> {
        let mut bound: Vec<usize> = (0..atoms.len()).collect();
        let fixed = self.symbols(store, condition);
        let symbols: Vec<_> = atoms.iter().map(|&atom| self.symbols(store, atom)).collect();
        loop {
            let free = bound.iter().position(|&number| {
                let others = || bound.iter().filter(|&&other| other != number);
                unary::is_free(store, atoms[number], |symbol| {
                    fixed.contains(&symbol) || others().any(|&other| symbols[other].contains(&symbol))
                })
            });
            match free {
                Some(place) => _ = bound.remove(place),
                None => return bound,
            }
        }
    }

    fn ask_for_valuations(
        &mut self,
        store: &mut Store,
        condition: Term,
        atoms: &[Term],
    ) -> Result<Table, Stop> {
        let seen = samples::valuations(store, condition, atoms);
        if seen == Table::full(atoms.len()) {
            return Ok(seen);
        }
        if atoms.is_empty() {
            if store.reachable(&[condition]).len() > LARGE {
                return Ok(Table::full(0));
            }
            self.solver.set_budget(hasty(self.budget));
        }
        self.solver.push();
        self.solver.assert(store, condition);
        let table = self.enumerate(store, atoms, seen);
        self.solver.pop();
        if atoms.is_empty() {
            self.solver.set_budget(self.budget);
        }
        table
    }

    /// All valuations, of which some are known.
    fn enumerate(&mut self, store: &mut Store, atoms: &[Term], mut table: Table) -> Result<Table, Stop> {
        for assignment in table.assignments() {
            let other = outside(store, atoms, Cube::minterm(atoms.len(), assignment));
            self.solver.assert(store, other);
        }
        loop {
            match self.solver.check(store)? {
                Answer::Unsat { .. } => return Ok(table),
                Answer::Unknown(_) => {
                    self.given_up += 1;
                    return Ok(Table::full(atoms.len()));
                }
                Answer::Sat(model) => {
                    let assignment = assignment(store, &model, atoms);
                    debug_assert!(!table.contains(assignment), "an excluded model came again");
                    table.insert(assignment);
                    let cube = Cube::minterm(atoms.len(), assignment);
                    let other = outside(store, atoms, cube);
                    if store.truth(other) == Some(false) {
                        return Ok(table);
                    }
                    self.solver.assert(store, other);
                }
            }
        }
    }

    /// What facts say about a term where a condition holds.
    pub fn judge(
        &mut self,
        store: &mut Store,
        condition: Term,
        facts: &[Term],
        term: Term,
    ) -> Result<Rc<Judgement>, Stop> {
        let mut key = (condition, facts.to_vec());
        key.1.push(term);
        if let Some(known) = self.judgements.get(&key).filter(|_| self.remembers) {
            self.hits += 1;
            return Ok(known.clone());
        }
        let bound = self.bound(store, condition, &key.1);
        let judgement = match unary::valuations(store, &conjuncts(store, condition), &key.1) {
            Some(table) => judged(&table, facts.len()),
            None if !bound.contains(&facts.len()) => Judgement::default(),
            None if bound.len() <= facts.len() => {
                let places = &bound[..bound.len() - 1];
                let fewer: Vec<Term> = places.iter().map(|&number| facts[number]).collect();
                let judgement = self.judge(store, condition, &fewer, term)?;
                let moved = |cubes: &[Cube]| cubes.iter().map(|cube| cube.moved(places)).collect();
                Judgement { yes: moved(&judgement.yes), no: moved(&judgement.no), ..*judgement }
            }
            None => {
                let seen = samples::valuations(store, condition, &key.1);
                self.solver.push();
                self.solver.assert(store, condition);
                let judgement = self.enumerate_cubes(store, facts, term, &seen);
                self.solver.pop();
                judgement?
            }
        };
        let judgement = Rc::new(judgement);
        self.judgements.insert(key, judgement.clone());
        Ok(judgement)
    }

    /// Cubes, where some valuations of facts and the term are known.
    fn enumerate_cubes(
        &mut self,
        store: &mut Store,
        facts: &[Term],
        term: Term,
        seen: &Table,
    ) -> Result<Judgement, Stop> {
        let mut found = Judgement::default();
        // That a state is in no cube so far is assumed, not asserted: a core must not rest on it.
        let mut elsewhere = Vec::new();
        for assignment in 0..1 << facts.len() {
            if seen.contains(assignment) && seen.contains(assignment | 1 << facts.len()) {
                let other = outside(store, facts, Cube::minterm(facts.len(), assignment));
                elsewhere.push(other);
            }
        }
        let seen = elsewhere.len();
        let mut open = 0;
        if seen == 1 << facts.len() {
            return Ok(found);
        }
        for _ in 0..self.cubes {
            let model = match self.solver.check_assuming(store, &elsewhere)? {
                Answer::Unsat { .. } => {
                    found.complete = seen + open == 0;
                    return Ok(found);
                }
                Answer::Unknown(_) => {
                    self.given_up += 1;
                    return Ok(found);
                }
                Answer::Sat(model) => model,
            };
            let whole = Cube::minterm(facts.len(), assignment(store, &model, facts));
            let value = model.evaluate(store, term).as_bool();
            let decided = self.decided(store, facts, whole, (term, value))?;
            match decided {
                Some(cube) if value => found.yes.push(cube),
                Some(cube) => found.no.push(cube),
                None => open += 1,
            }
            let nothing = found.yes.is_empty() && found.no.is_empty();
            let vain = facts.len() > FEW && open > 0 && seen + open >= VAIN && nothing;
            if vain || open > self.cubes / 2 {
                return Ok(found);
            }
            let other = outside(store, facts, decided.unwrap_or(whole));
            if store.truth(other) == Some(false) {
                found.complete = seen + open == 0;
                return Ok(found);
            }
            elsewhere.push(other);
        }
        Ok(found)
    }

    /// The part of a cube that gives a term its value, if the cube does.
    fn decided(
        &mut self,
        store: &mut Store,
        facts: &[Term],
        cube: Cube,
        (term, value): (Term, bool),
    ) -> Result<Option<Cube>, Stop> {
        let mut literals: Vec<Term> =
            cube.literals().map(|(number, value)| literal(store, facts[number], value)).collect();
        let opposite = literal(store, term, !value);
        literals.push(opposite);
        match self.solver.check_assuming(store, &literals)? {
            Answer::Unsat { core } => Ok(Some(cube.retain(|number| core.contains(&literals[number])))),
            Answer::Sat(_) => Ok(None),
            Answer::Unknown(_) => {
                self.given_up += 1;
                Ok(None)
            }
        }
    }
}

/// Whether an edge can be taken at all is worth less than what its values are.
fn hasty(budget: Budget) -> Budget {
    Budget { resources: budget.resources.map(|resources| resources / 8) }
}

/// What all valuations of facts and a term, which comes last, say about the term.
fn judged(table: &Table, facts: usize) -> Judgement {
    let can = |assignment: usize, value: bool| table.contains(assignment | usize::from(value) << facts);
    let only = |value: bool| Table::of(facts, |it| can(it, value) && !can(it, !value));
    let never = Table::of(facts, |it| !can(it, true) && !can(it, false));
    let complete = (0..1 << facts).all(|it| !can(it, true) || !can(it, false));
    Judgement { yes: cover(&only(true), &never), no: cover(&only(false), &never), complete }
}

/// The values of some of the atoms.
fn projected(assignment: usize, places: &[usize]) -> usize {
    places.iter().enumerate().map(|(number, place)| (assignment >> place & 1) << number).sum()
}

fn literal(store: &mut Store, term: Term, value: bool) -> Term {
    if value { term } else { store.not(term) }
}

fn assignment(store: &Store, model: &Model, atoms: &[Term]) -> usize {
    let values = atoms.iter().enumerate();
    values.map(|(number, &atom)| usize::from(model.evaluate(store, atom).as_bool()) << number).sum()
}

/// Some atom of a cube has another value.
fn outside(store: &mut Store, atoms: &[Term], cube: Cube) -> Term {
    let mut clause = store.boolean(false);
    for (number, value) in cube.literals() {
        let literal = literal(store, atoms[number], !value);
        clause = store.or(clause, literal);
    }
    clause
}
