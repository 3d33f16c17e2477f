//! What the loop says of its work: which contradiction it refutes, and what it is stuck on.

use super::Loop;
use crate::ground::event::Event;
use crate::path::Position;
use crate::predicate::{PathStep, PredicateScope};
use crate::program::names::ProgramNames;
use crate::program::{Program, PropertyId};
use indexmap::{IndexMap, IndexSet};

/// Predicates that differ in numbers only are worth a remark if there are this many.
const MANY: usize = 10;

/// No more places of a contradiction are named.
const PLACES: usize = 6;

impl Loop<'_> {
    /// Tells of a property what is known now, or what becomes of it: one line for `-v`.
    pub(super) fn tell_verdict(&self, property: PropertyId, what: &str) {
        let id = &self.task.program.properties[property].id;
        self.run.observer.event(Event::Note(format!("{id} {what}")));
    }

    /// Tells what was made of a counterexample: one line for `-v`.
    pub(super) fn tell_refinement(&self, path: &[PathStep], core: &[Position], learnt: &str) {
        let number = self.iterations.len() - 1;
        let places = places(self.task.program, path, core);
        let text = format!(
            "iteration {number}: a path of {} steps contradicts itself at {places}: {learnt}",
            path.len()
        );
        self.run.observer.event(Event::Note(text));
    }
}

/// Where the constraints of a contradiction stand, in the order of the path.
fn places(program: &Program, path: &[PathStep], core: &[Position]) -> String {
    let place = |position: &Position| {
        let step = &path[position.step];
        let edge = &program.procedures[step.procedure].edges[step.edge];
        edge.places.last().map(|&place| program.place_text(place))
    };
    let found: IndexSet<String> = core.iter().filter_map(place).collect();
    let more = if found.len() > PLACES { ", …" } else { "" };
    let first: Vec<String> = found.into_iter().take(PLACES).collect();
    if first.is_empty() { "a place that C does not have".to_owned() } else { first.join(", ") + more }
}

/// What the work was stuck on, if many predicates are alike: `30 predicates of the form "a + … < 56" in main`.
pub(super) fn stuck(search: &Loop<'_>) -> Option<String> {
    let program = &*search.task.program;
    let predicates = &search.precision.predicates;
    if predicates.len() < MANY {
        return None;
    }
    let names = ProgramNames::new(program);
    let mut forms: IndexMap<(PredicateScope, String), usize> = IndexMap::new();
    for predicate in predicates.iter() {
        *forms.entry((predicate.scope, without_numbers(&names.term(predicate.term)))).or_default() += 1;
    }
    let ((scope, form), count) = forms.into_iter().max_by_key(|(_, count)| *count)?;
    let whose = match scope {
        PredicateScope::Global => "over global variables".to_owned(),
        PredicateScope::Local(procedure) => format!("in {}", names.procedure(procedure)),
    };
    (count >= MANY).then(|| format!("{count} predicates of the form \"{form}\" {whose}"))
}

/// A term with dots in the place of numbers. Digits that belong to names stay.
fn without_numbers(text: &str) -> String {
    let mut kept = String::new();
    let mut before = ' ';
    let mut inside = false;
    for c in text.chars() {
        let begins = c.is_ascii_digit() && !(before.is_alphanumeric() || "_@#".contains(before));
        inside = begins || inside && c.is_ascii_alphanumeric();
        match (begins, inside) {
            (true, _) => kept.push('…'),
            (false, true) => {}
            (false, false) => kept.push(c),
        }
        before = c;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_have_no_numbers_but_names_keep_theirs() {
        assert_eq!(without_numbers("a + 12 < 0x38"), "a + … < …");
        assert_eq!(without_numbers("x1 == heap@9+8 && t_2[3] < i#2"), "x1 == heap@9+… && t_2[…] < i#2");
    }
}
