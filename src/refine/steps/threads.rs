//! What other threads hear of a step, and what two threads cannot know at once.
//!
//! A step of one thread changes what others know, by a broadcast \[DKKW11\]. Values of their local predicates before and behind the
//! step may contradict what the thread that makes it knows, its guard and its updates.
//!
//! Tallies say what holds of any two threads: no two drew the same number. Values of predicates in two threads that
//! contradict that contradict each other wherever the threads are, so the contradiction is told of all edges.

use super::known::Heard;
use super::{Literal, Place, Steps, Values, literals, pick};
use crate::ground::reason::Stop;
use crate::path::position::conjuncts;
use crate::predicate::{Exclusion, Precision, PredicateId, Transition};
use crate::program::overlay::Frozen;
use crate::program::{Action, ProcedureId, Program, Scope};
use crate::term::substitute::Substitution;
use crate::term::{Symbol, Term};
use std::collections::BTreeSet;

/// What another thread has heard of a step.
pub(super) struct Hearing<'a> {
    /// What the thread that makes the step knows before it.
    pub before: &'a Values,
    pub heard: &'a Heard,
}

impl Steps {
    /// Whether another thread came to know what it cannot.
    pub(super) fn of_others(
        &mut self,
        program: &mut Frozen<'_>,
        precision: &Precision,
        place: Place,
        hearing: &Hearing<'_>,
    ) -> Result<Vec<Exclusion>, Stop> {
        let Action::Block(block) = &program.procedures[place.0].edges[place.1].action else {
            return Ok(Vec::new());
        };
        let block = block.clone();
        let heard = hearing.heard;
        let others = heard.passive.iter().chain(&heard.behind).map(|&(id, _)| id);
        let mut names = self.renaming(program, precision, others);
        let mut substitution = Substitution::new(block.updates.iter().copied());
        let before = literals(program.terms(), precision, hearing.before, |_, term| term);
        let passive =
            literals(program.terms(), precision, &heard.passive, |store, term| names.apply(store, term));
        let behind = literals(program.terms(), precision, &heard.behind, |store, term| {
            let renamed = names.apply(store, term);
            substitution.apply(store, renamed)
        });
        let mut found = Vec::new();
        let all = before.iter().chain(&passive).chain(&behind);
        let templates = (place.0, heard.template);
        let guard =
            self.with_two(program, precision, templates, block.guard, (hearing.before, &heard.passive));
        let guard = conjuncts(&program.store, guard);
        for part in self.parts(&program.store, &guard, all) {
            let Some(core) = self.core(&program.store, part)? else { continue };
            let wrong = Exclusion {
                transition: Transition::Heard(heard.template),
                before: pick(&core, &before, &[]),
                other: pick(&core, &passive, &[&before]),
                behind: pick(&core, &behind, &[&before, &passive]),
            };
            if !wrong.behind.is_empty() {
                found.push(wrong);
            }
        }
        Ok(found)
    }

    /// Stands for a local variable of another thread.
    fn other(&mut self, program: &mut Frozen<'_>, symbol: Symbol) -> Term {
        let other = *self.others.entry(symbol).or_insert_with(|| {
            let name = format!("{} of another thread", program.store.name(symbol));
            program.input(name, symbol)
        });
        program.terms().symbol(other)
    }

    /// Whether two threads know what cannot be. Of the second only local predicates count.
    pub(super) fn of_pair(
        &mut self,
        program: &mut Frozen<'_>,
        precision: &Precision,
        templates: (ProcedureId, ProcedureId),
        (before, passive): (&Values, &Values),
    ) -> Result<Vec<(Place, Exclusion)>, Stop> {
        if program.tallies.is_empty() {
            return Ok(Vec::new());
        }
        let is_tally = |id: PredicateId, steps: &mut Self| {
            let symbols = steps.free.of(&program.store, precision.predicates[id].term);
            symbols.iter().any(|&symbol| program.is_tally(symbol))
        };
        if !passive.iter().any(|&(id, _)| is_tally(id, self)) {
            return Ok(Vec::new());
        }
        let mut names = self.renaming(program, precision, passive.iter().map(|&(id, _)| id));
        let always = program.terms().boolean(true);
        let guard = self.with_two(program, precision, templates, always, (before, passive));
        let guard = conjuncts(&program.store, guard);
        let own = literals(program.terms(), precision, before, |_, term| term);
        let theirs = literals(program.terms(), precision, passive, |store, term| names.apply(store, term));
        let mut found = Vec::new();
        for part in self.parts(&program.store, &guard, own.iter().chain(&theirs)) {
            let Some(core) = self.core(&program.store, part)? else { continue };
            let wrong = Exclusion {
                transition: Transition::Heard(templates.1),
                before: pick(&core, &own, &[]),
                other: pick(&core, &theirs, &[&own]),
                behind: Vec::new(),
            };
            if !wrong.other.is_empty() {
                found.extend(everywhere(program, templates.0, &wrong));
            }
        }
        Ok(found)
    }

    /// Local variables of another thread have symbols of their own.
    pub(super) fn renaming(
        &mut self,
        program: &mut Frozen<'_>,
        precision: &Precision,
        predicates: impl Iterator<Item = PredicateId>,
    ) -> Substitution {
        let mut names = Vec::new();
        for id in predicates {
            for &symbol in self.free.of(&program.store, precision.predicates[id].term).iter() {
                if program.variables[symbol].scope != Scope::Global {
                    names.push((symbol, self.other(program, symbol)));
                }
            }
        }
        Substitution::new(names)
    }

    /// A guard together with what is known of a thread, as far as it is about these literals.
    pub(super) fn with_one<'l>(
        &mut self,
        program: &mut Frozen<'_>,
        template: ProcedureId,
        guard: Term,
        literals: impl Iterator<Item = &'l Literal>,
    ) -> Term {
        if program.tallies.is_empty() {
            return guard;
        }
        let mut symbols = BTreeSet::new();
        literals.for_each(|&(_, term)| symbols.extend(self.free.of(&program.store, term).iter().copied()));
        let known = program.known_of_one(template, &symbols);
        program.terms().and_all(known.into_iter().chain([guard]))
    }

    /// A guard together with what is known of two threads, as far as it is about what they know.
    pub(super) fn with_two(
        &mut self,
        program: &mut Frozen<'_>,
        precision: &Precision,
        templates: (ProcedureId, ProcedureId),
        guard: Term,
        (own, theirs): (&Values, &Values),
    ) -> Term {
        if program.tallies.is_empty() {
            return guard;
        }
        let mut symbols: BTreeSet<Symbol> = BTreeSet::new();
        for &(id, _) in own.iter().chain(theirs) {
            symbols.extend(self.free.of(&program.store, precision.predicates[id].term).iter().copied());
        }
        let others = &self.others;
        let known = program.known_of_two(templates, &symbols, &|symbol| others.get(&symbol).copied());
        program.terms().and_all(known.into_iter().chain([guard]))
    }
}

/// The same at all edges of a template.
fn everywhere(program: &Program, template: ProcedureId, wrong: &Exclusion) -> Vec<(Place, Exclusion)> {
    let edges = program.procedures[template].edges.enumerate();
    let blocks = edges.filter(|(_, edge)| matches!(edge.action, Action::Block(_)) && edge.property.is_none());
    blocks.map(|(id, _)| ((template, id), wrong.clone())).collect()
}
