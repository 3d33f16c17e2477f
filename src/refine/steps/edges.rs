//! Steps along edges with a guard and updates.

use super::parts::Part;
use super::{Place, Steps, Taken, literals, pick};
use crate::ground::reason::Stop;
use crate::path::position::conjuncts;
use crate::predicate::{Exclusion, Precision, PredicateId, PredicateScope, Transition};
use crate::program::Action;
use crate::program::overlay::Frozen;
use crate::term::Store;
use crate::term::substitute::Substitution;
use std::collections::BTreeSet;

impl Steps {
    /// The exclusions of one step, if it is an edge with a guard and updates.
    pub(super) fn of_step(
        &mut self,
        program: &mut Frozen<'_>,
        precision: &Precision,
        (place, before, behind): Taken<'_>,
    ) -> Result<Vec<Exclusion>, Stop> {
        let Action::Block(block) = &program.procedures[place.0].edges[place.1].action else {
            return self.of_entry(program, precision, (place, before, behind));
        };
        let block = block.clone();
        let before = literals(program.terms(), precision, before, |_, term| term);
        let mut substitution = Substitution::new(block.updates.iter().copied());
        let behind = literals(program.terms(), precision, behind, |store, term| {
            *self.through.entry((place, term)).or_insert_with(|| substitution.apply(store, term))
        });
        let guard = self.with_one(program, place.0, block.guard, before.iter().chain(&behind));
        let guard = conjuncts(&program.store, guard);
        let mut found = Vec::new();
        for part in self.parts(&program.store, &guard, before.iter().chain(&behind)) {
            if let Some(core) = self.core(&program.store, part)? {
                let (before, behind) = (pick(&core, &before, &[]), pick(&core, &behind, &[&before]));
                found.push(Exclusion::new(Transition::Edge, before, behind));
            }
        }
        Ok(found)
    }

    /// More exclusions of the kind of one: other values that the guard excludes by itself, or that exclude one of
    /// two that exclude each other. The abstraction had no room for the one, and will have none for the others.
    pub(super) fn like(
        &mut self,
        program: &mut Frozen<'_>,
        precision: &Precision,
        place: Place,
        one: &Exclusion,
    ) -> Result<Vec<Exclusion>, Stop> {
        let others = self.related(&program.store, precision, place, one);
        let mut found = Vec::new();
        if let ([], [(first, true), (second, true)]) = (&one.before[..], &one.behind[..]) {
            for (known, other) in
                [first, second].into_iter().flat_map(|known| others.iter().map(move |other| (known, other)))
            {
                let terms = [*known, *other].map(|id| precision.predicates[id].term);
                let part = Part { guard: BTreeSet::new(), literals: terms.into() };
                if known != other && self.core(&program.store, part)?.is_some_and(|core| core.len() == 2) {
                    let mut behind = vec![(*known, true), (*other, true)];
                    behind.sort_unstable();
                    found.push(Exclusion::new(Transition::Edge, Vec::new(), behind));
                }
            }
        } else if one.behind.is_empty() {
            for value in others.iter().flat_map(|&id| [(id, true), (id, false)]) {
                found.extend(self.of_step(program, precision, (place, &vec![value], &Vec::new()))?);
            }
        }
        Ok(found)
    }

    /// Predicates that can be spoken of at an edge, and are about what a contradiction is about.
    fn related(
        &mut self,
        store: &Store,
        precision: &Precision,
        (procedure, _): Place,
        one: &Exclusion,
    ) -> Vec<PredicateId> {
        let mut symbols = BTreeSet::new();
        for &(id, _) in one.before.iter().chain(&one.behind) {
            symbols.extend(self.free.of(store, precision.predicates[id].term).iter().copied());
        }
        let mut related = |id: &PredicateId| {
            let predicate = &precision.predicates[*id];
            let here = matches!(predicate.scope, PredicateScope::Global)
                || predicate.scope == PredicateScope::Local(procedure);
            here && !precision.places.contains_key(id)
                && !self.free.of(store, predicate.term).is_disjoint(&symbols)
        };
        precision.predicates.ids().filter(|id| related(id)).collect()
    }
}
