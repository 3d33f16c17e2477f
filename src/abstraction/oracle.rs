//! Questions to the solver, each asked once.
//!
//! There is one kind of question: which truth values can these atoms have together, where a condition holds? It is
//! answered by enumerating models, each excluded by a clause once it is found [Lahiri, Nieuwenhuis, Oliveras: SMT
//! techniques for fast predicate abstraction, CAV 2006]. Terms are canonical within a store, so answers are kept by the
//! ids of condition and atoms, across edges and iterations. Where the solver gives up, everything is possible.

use super::table::Table;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::smt::{Answer, Budget, Model, Solver};
use crate::term::free::FreeSymbols;
use crate::term::{Store, Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The solver and what it answered.
pub(super) struct Oracle {
    solver: Solver,
    free: FreeSymbols,
    known: FxHashMap<(Term, Vec<Term>), Rc<Table>>,
    pub hits: u64,
    pub given_up: u64,
}

impl Oracle {
    pub fn new(budget: Budget, limits: &Limits) -> Self {
        let mut solver = Solver::new(limits);
        solver.set_budget(budget);
        Self { solver, free: FreeSymbols::default(), known: FxHashMap::default(), hits: 0, given_up: 0 }
    }

    /// The symbols of a term.
    pub fn symbols(&mut self, store: &Store, term: Term) -> Rc<BTreeSet<Symbol>> {
        self.free.of(store, term)
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
        if let Some(known) = self.known.get(&key) {
            self.hits += 1;
            return Ok(known.clone());
        }
        self.solver.push();
        self.solver.assert(store, condition);
        let table = self.enumerate(store, atoms);
        self.solver.pop();
        let table = Rc::new(table?);
        self.known.insert(key, table.clone());
        Ok(table)
    }

    fn enumerate(&mut self, store: &mut Store, atoms: &[Term]) -> Result<Table, Stop> {
        let mut table = Table::empty(atoms.len());
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
                    let other = other_than(store, atoms, assignment);
                    if store.truth(other) == Some(false) {
                        return Ok(table);
                    }
                    self.solver.assert(store, other);
                }
            }
        }
    }
}

fn assignment(store: &Store, model: &Model, atoms: &[Term]) -> usize {
    let values = atoms.iter().enumerate();
    values.map(|(number, &atom)| usize::from(model.evaluate(store, atom).as_bool()) << number).sum()
}

/// Some atom has another value.
fn other_than(store: &mut Store, atoms: &[Term], assignment: usize) -> Term {
    let mut clause = store.boolean(false);
    for (number, &atom) in atoms.iter().enumerate() {
        let literal = if assignment >> number & 1 == 1 { store.not(atom) } else { atom };
        clause = store.or(clause, literal);
    }
    clause
}
