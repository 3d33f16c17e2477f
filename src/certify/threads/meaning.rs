//! What a variable of a thread says, by where the thread is.
//!
//! A predicate is tracked at some locations: there its variable is its truth value. Where it is not, the variable of a
//! mixed predicate (over shared and local variables) is false, so that nobody has to keep it up to date; the variable
//! of any other says nothing. A flag is constant at each location. All this is a claim, which `steps` checks.

use super::relation::Variable;
use super::{Claim, Failure};
use crate::ground::index::IndexVec;
use crate::predicate::{PredicateId, PredicateScope};
use crate::program::inline::templates;
use crate::program::{LocationId, ProcedureId, Scope};
use crate::term::{Sort, Symbol, Term};
use std::collections::BTreeSet;

/// What a variable says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Meaning {
    /// Whether this holds.
    Truth(Term),
    /// It is constant.
    Constant(bool),
    /// Nothing: it has any value.
    Nothing,
}

/// A predicate.
pub(super) struct Known {
    pub term: Term,
    pub scope: PredicateScope,
    /// It is local, and mentions shared variables.
    pub mixed: bool,
    pub symbols: BTreeSet<Symbol>,
}

/// A template and a location of it.
pub(super) type Place = (ProcedureId, LocationId);

/// The meanings of variables.
pub(super) struct Meanings<'a> {
    claim: Claim<'a>,
    pub predicates: IndexVec<PredicateId, Known>,
    pub templates: Vec<ProcedureId>,
}

impl<'a> Meanings<'a> {
    /// The meanings that a proof claims.
    pub fn new(claim: Claim<'a>) -> Result<Self, Failure> {
        let mut predicates = IndexVec::new();
        for (id, predicate) in claim.precision.predicates.enumerate() {
            let symbols = claim.program.store.free_symbols(predicate.term);
            let scope = |symbol: &Symbol| claim.program.variables.get(*symbol).map(|variable| variable.scope);
            let fits = |symbol: &Symbol| match (scope(symbol), predicate.scope) {
                (Some(Scope::Global), _) => true,
                (Some(Scope::Local(owner)), PredicateScope::Local(procedure)) => owner == procedure,
                _ => false,
            };
            if claim.program.store.sort(predicate.term) != Sort::Boolean || !symbols.iter().all(fits) {
                return Err(Failure::rejected(format!("{id:?} has no meaning")));
            }
            let mixed = predicate.scope != PredicateScope::Global
                && symbols.iter().any(|symbol| scope(symbol) == Some(Scope::Global));
            predicates.push(Known { term: predicate.term, scope: predicate.scope, mixed, symbols });
        }
        Ok(Self { claim, predicates, templates: templates(claim.program).into_iter().collect() })
    }

    /// What a variable of a thread says at a location.
    pub fn at(&self, (template, location): Place, variable: Variable) -> Meaning {
        match variable {
            Variable::Flag(number) => {
                let flag = &self.claim.flags[number];
                let there = flag.places.as_ref().is_none_or(|places| places.contains(&location));
                Meaning::Constant(flag.template == template && there)
            }
            Variable::Predicate(id) => {
                let known = &self.predicates[id];
                match known.scope {
                    PredicateScope::Global => Meaning::Truth(known.term),
                    PredicateScope::Local(owner)
                        if owner == template && self.is_tracked((template, location), id) =>
                    {
                        Meaning::Truth(known.term)
                    }
                    PredicateScope::Local(_) if known.mixed => Meaning::Constant(false),
                    PredicateScope::Local(_) => Meaning::Nothing,
                }
            }
        }
    }

    /// Whether a local predicate is tracked at a location.
    fn is_tracked(&self, place: Place, id: PredicateId) -> bool {
        self.claim.tracked.get(&place).is_some_and(|tracked| tracked.contains(&id))
    }

    /// The local predicates that are tracked at a location.
    pub fn tracked(&self, place: Place) -> impl Iterator<Item = PredicateId> {
        let here = move |&id: &PredicateId| {
            self.predicates[id].scope == PredicateScope::Local(place.0) && self.is_tracked(place, id)
        };
        self.predicates.ids().filter(here)
    }

    /// Predicates over shared variables only.
    pub fn shared(&self) -> impl Iterator<Item = PredicateId> {
        self.predicates.ids().filter(|&id| self.predicates[id].scope == PredicateScope::Global)
    }

    /// All variables.
    pub fn variables(&self) -> impl Iterator<Item = Variable> {
        let flags = (0..self.claim.flags.len()).map(Variable::Flag);
        self.predicates.ids().map(Variable::Predicate).chain(flags)
    }

    /// Whether a variable is shared by all threads.
    pub fn is_shared(&self, variable: Variable) -> bool {
        match variable {
            Variable::Predicate(id) => self.predicates[id].scope == PredicateScope::Global,
            Variable::Flag(_) => false,
        }
    }
}
