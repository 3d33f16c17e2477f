//! The invariant as terms over the state of the program.

use super::invariant::{Atom, Decision, DecisionId, Invariant};
use crate::predicate::{Precision, PredicateId};
use crate::program::{ProcedureId, Program, Scope};
use crate::term::substitute::Substitution;
use crate::term::{Sort, Store, Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Which states an invariant speaks of.
pub(super) struct Reading {
    /// The state at the entry of the procedure, over variables of another; unknown if there is none.
    pub entry: Option<Substitution>,
    /// The state now.
    pub now: Substitution,
}

impl Reading {
    /// The state as the variables have it.
    pub fn plain() -> Self {
        Self { entry: None, now: Substitution::default() }
    }

    /// The state with some variables changed.
    pub fn changed(changes: impl IntoIterator<Item = (Symbol, Term)>) -> Self {
        Self { entry: None, now: Substitution::new(changes) }
    }
}

/// Makes terms of diagrams.
pub(super) struct Formulas {
    /// What predicates say.
    predicates: FxHashMap<PredicateId, Term>,
    /// Truth values that predicates had at the entry of the procedure that an obligation is about.
    ghosts: FxHashMap<PredicateId, Symbol>,
}

impl Formulas {
    pub fn new(precision: &Precision) -> Self {
        let terms = precision.predicates.enumerate().map(|(id, predicate)| (id, predicate.term));
        Self { predicates: terms.collect(), ghosts: FxHashMap::default() }
    }

    /// The variables that predicates mention.
    pub fn mentioned(&self, store: &Store) -> BTreeSet<Symbol> {
        self.predicates.values().flat_map(|&term| store.free_symbols(term)).collect()
    }

    /// A predicate in the invariant of a procedure that has no meaning there.
    pub fn meaningless(
        &self,
        program: &Program,
        procedure: ProcedureId,
        invariant: &Invariant,
    ) -> Option<PredicateId> {
        let used: BTreeSet<PredicateId> = invariant
            .reachable(&invariant.roots(procedure))
            .into_iter()
            .filter_map(|id| match invariant.decision(id) {
                Decision::Choice { atom: Atom::Entry(predicate) | Atom::Now(predicate), .. } => {
                    Some(predicate)
                }
                Decision::Constant(_) => None,
            })
            .collect();
        used.into_iter().find(|&predicate| !self.has_meaning(program, procedure, predicate))
    }

    fn has_meaning(&self, program: &Program, procedure: ProcedureId, predicate: PredicateId) -> bool {
        let Some(&term) = self.predicates.get(&predicate) else { return false };
        program.store.sort(term) == Sort::Boolean
            && program.store.free_symbols(term).into_iter().all(|symbol| {
                match program.variables.get(symbol).map(|variable| variable.scope) {
                    Some(Scope::Global) => true,
                    Some(Scope::Local(other)) => other == procedure,
                    Some(Scope::Input) | None => false,
                }
            })
    }

    /// The term of a diagram.
    pub fn formula(
        &mut self,
        store: &mut Store,
        invariant: &Invariant,
        root: DecisionId,
        reading: &mut Reading,
    ) -> Term {
        let mut terms: FxHashMap<DecisionId, Term> = FxHashMap::default();
        for id in invariant.reachable(&[root]) {
            let term = match invariant.decision(id) {
                Decision::Constant(value) => store.boolean(value),
                Decision::Choice { atom, no, yes } => {
                    let condition = self.atom(store, atom, reading);
                    store.choose(condition, terms[&yes], terms[&no])
                }
            };
            terms.insert(id, term);
        }
        terms[&root]
    }

    fn atom(&mut self, store: &mut Store, atom: Atom, reading: &mut Reading) -> Term {
        match (atom, &mut reading.entry) {
            (Atom::Now(predicate), _) => reading.now.apply(store, self.predicates[&predicate]),
            (Atom::Entry(predicate), Some(entry)) => entry.apply(store, self.predicates[&predicate]),
            (Atom::Entry(predicate), None) => {
                let fresh = || store.fresh(format!("entry of {predicate:?}"), Sort::Boolean);
                let ghost = *self.ghosts.entry(predicate).or_insert_with(fresh);
                store.symbol(ghost)
            }
        }
    }
}
