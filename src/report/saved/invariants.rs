//! What was proven at each location, as C expressions over predicates.
//!
//! An invariant is a decision diagram over the values of predicates, now and when the procedure was entered. What they were at
//! the entry cannot be said in C, so either value will do: the expression then says less than was proven, never more. The ways through
//! the diagram become cases; two that differ in one predicate only become one. If there are too many, only what all of them have in
//! common is told.

use super::tables::spot;
use super::{Invariant, budget};
use crate::cegar::Proven;
use crate::certify::proof::{Atom, Decision, DecisionId, Invariant as Diagrams};
use crate::predicate::parse::parse;
use crate::predicate::{PredicateId, PredicateScope};
use crate::program::names::ProgramNames;
use crate::program::text::location_name;
use crate::program::{LocationId, ProcedureId, loop_heads};
use crate::report::shortened;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A case: the values of some predicates.
type Case = BTreeMap<PredicateId, bool>;

/// Ways through a diagram that are looked at.
const WAYS: usize = 400;

/// What was proven at all locations where something was.
pub(super) fn invariants(proven: &Proven<'_>) -> Vec<Invariant> {
    let names = ProgramNames::new(proven.program);
    let readable = readable(proven, &names);
    let mut found = Vec::new();
    for (id, procedure) in proven.program.procedures.enumerate() {
        let heads = loop_heads(procedure);
        for location in procedure.locations.ids() {
            let used = Used { proven, names: &names, readable: &readable };
            found.extend(at(used, (id, location), heads[location]));
        }
    }
    found
}

/// What invariants are made of.
#[derive(Clone, Copy)]
struct Used<'a> {
    proven: &'a Proven<'a>,
    names: &'a ProgramNames<'a>,
    /// The predicates that are C.
    readable: &'a BTreeSet<PredicateId>,
}

/// The predicates that are C: read again, each is the same term. Names of ours are not.
fn readable(proven: &Proven<'_>, names: &ProgramNames<'_>) -> BTreeSet<PredicateId> {
    let mut program = proven.program.clone();
    let mut is_readable = |id: PredicateId| {
        let predicate = &proven.precision.predicates[id];
        let scope = match predicate.scope {
            PredicateScope::Global => "global",
            PredicateScope::Local(procedure) => names.procedure(procedure),
        };
        let text = names.term(predicate.term);
        let is_ours = text.contains(['#', '@', '<', '$', '\u{2026}']) && !is_comparison_only(&text);
        let again = parse(&mut program, &format!("{scope}: {text}"));
        !is_ours && again.is_ok_and(|again| matches!(again.as_slice(), [one] if one.term == predicate.term))
    };
    proven.precision.predicates.ids().filter(|&id| is_readable(id)).collect()
}

/// Whether `<` stands only where C compares or shifts.
fn is_comparison_only(text: &str) -> bool {
    !text.contains(['#', '@', '$', '\u{2026}'])
        && text.match_indices('<').all(|(at, _)| {
            let rest = text[at..].trim_start_matches(['<', '=']);
            text[..at].ends_with([' ', '<']) && rest.starts_with(' ')
        })
}

fn at(used: Used<'_>, (id, location): (ProcedureId, LocationId), is_loop: bool) -> Option<Invariant> {
    let Used { proven, names, readable } = used;
    let set = proven.invariant.at(id, location);
    if let Decision::Constant(_) = proven.invariant.decision(set) {
        return None;
    }
    let (common, cases, exact) = cases(proven.invariant, set);
    let text = expression(proven, names, &common, &cases)?;
    let procedure = &proven.program.procedures[id];
    Some(Invariant {
        procedure: names.procedure(id).to_owned(),
        location: location_name(procedure, location),
        place: procedure.locations[location].place.map(spot),
        is_loop,
        text,
        exact,
        is_c: common.keys().chain(cases.iter().flat_map(Case::keys)).all(|id| readable.contains(id)),
    })
}

/// What all cases have in common, the cases without that, and whether this is all that was proven.
fn cases(diagrams: &Diagrams, set: DecisionId) -> (Case, Vec<Case>, bool) {
    let (ways, all) = ways(diagrams, set);
    let common = common(diagrams, set);
    if !all {
        return (common, Vec::new(), false);
    }
    let asks_entry = diagrams
        .reachable(&[set])
        .into_iter()
        .any(|id| matches!(diagrams.decision(id), Decision::Choice { atom: Atom::Entry(_), .. }));
    let rest = |way: Case| way.into_iter().filter(|(id, _)| !common.contains_key(id)).collect();
    let cases = merged(ways.into_iter().map(rest).collect());
    match cases.len() {
        number if number > budget::CASES => (common, Vec::new(), false),
        _ => (common, cases, !asks_entry),
    }
}

/// The ways through a diagram, and whether these are all.
fn ways(diagrams: &Diagrams, set: DecisionId) -> (BTreeSet<Case>, bool) {
    let mut found = BTreeSet::new();
    let mut open = vec![(set, Case::new())];
    let mut looked = 0;
    while let Some((set, case)) = open.pop() {
        looked += 1;
        if looked > WAYS {
            return (found, false);
        }
        match diagrams.decision(set) {
            Decision::Constant(false) => {}
            Decision::Constant(true) => _ = found.insert(case),
            Decision::Choice { atom: Atom::Entry(_), no, yes } => {
                open.extend([(no, case.clone()), (yes, case)]);
            }
            Decision::Choice { atom: Atom::Now(id), no, yes } => {
                let with =
                    |value| case.iter().map(|(&id, &value)| (id, value)).chain([(id, value)]).collect();
                let known = case.get(&id).copied();
                open.extend((known != Some(true)).then(|| (no, with(false))));
                open.extend((known != Some(false)).then(|| (yes, with(true))));
            }
        }
    }
    (found, true)
}

/// The values of predicates that all valuations of a set share. Nothing is in the empty set: everything is shared there.
fn common(diagrams: &Diagrams, set: DecisionId) -> Case {
    let mut shared: FxHashMap<DecisionId, Option<Case>> = FxHashMap::default();
    for id in diagrams.reachable(&[set]) {
        let case = match diagrams.decision(id) {
            Decision::Constant(value) => value.then(Case::new),
            Decision::Choice { atom, no, yes } => {
                either(with(&shared[&no], atom, false), with(&shared[&yes], atom, true))
            }
        };
        shared.insert(id, case);
    }
    shared.remove(&set).flatten().unwrap_or_default()
}

fn with(case: &Option<Case>, atom: Atom, value: bool) -> Option<Case> {
    let mut case = case.clone()?;
    if let Atom::Now(id) = atom {
        case.insert(id, value);
    }
    Some(case)
}

fn either(one: Option<Case>, other: Option<Case>) -> Option<Case> {
    match (one, other) {
        (Some(one), Some(other)) => {
            Some(one.into_iter().filter(|(id, value)| other.get(id) == Some(value)).collect())
        }
        (one, other) => one.or(other),
    }
}

/// Fewer cases that say the same.
fn merged(mut cases: BTreeSet<Case>) -> Vec<Case> {
    while let Some((one, other, both)) = merger(&cases) {
        cases.remove(&one);
        cases.remove(&other);
        cases.insert(both);
    }
    cases.into_iter().collect()
}

/// Two cases, and one that says as much as both.
fn merger(cases: &BTreeSet<Case>) -> Option<(Case, Case, Case)> {
    for one in cases {
        for other in cases.iter().filter(|&other| other != one) {
            if one.iter().all(|(id, value)| other.get(id) == Some(value)) {
                return Some((one.clone(), other.clone(), one.clone()));
            }
            if let Some(both) = differ_in_one(one, other) {
                return Some((one.clone(), other.clone(), both));
            }
        }
    }
    None
}

fn differ_in_one(one: &Case, other: &Case) -> Option<Case> {
    if one.len() != other.len() || !one.keys().eq(other.keys()) {
        return None;
    }
    let same: Case = one
        .iter()
        .filter(|(id, value)| other.get(id) == Some(value))
        .map(|(&id, &value)| (id, value))
        .collect();
    (same.len() + 1 == one.len()).then_some(same)
}

/// The expression; none if it says nothing.
fn expression(
    proven: &Proven<'_>,
    names: &ProgramNames<'_>,
    common: &Case,
    cases: &[Case],
) -> Option<String> {
    let literal = |(&id, &value): (&PredicateId, &bool)| {
        let text = names.term(proven.precision.predicates[id].term);
        shortened(if value { text } else { negated(&text) }, budget::PREDICATE)
    };
    let conjunction = |case: &Case| -> Vec<String> { case.iter().map(literal).collect() };
    let mut parts = conjunction(common);
    let says_nothing = cases.is_empty() || cases.iter().any(Case::is_empty);
    if !says_nothing {
        let several = |parts: Vec<String>| match parts.as_slice() {
            [one] if !one.contains("&&") && !one.contains("||") => one.clone(),
            _ => format!("({})", parts.iter().map(|part| within(part)).collect::<Vec<_>>().join(" && ")),
        };
        let cases: Vec<String> = cases.iter().map(|case| several(conjunction(case))).collect();
        let together = cases.join(" || ");
        parts.push(if parts.is_empty() || cases.len() == 1 { together } else { format!("({together})") });
        if parts.len() == 1 {
            return parts.pop();
        }
    }
    let parts: Vec<String> = match parts.len() {
        1 => parts,
        _ => parts.iter().map(|part| within(part)).collect(),
    };
    (!parts.is_empty()).then(|| parts.join(" && "))
}

/// A part of a conjunction or disjunction: in parentheses if C reads it otherwise.
fn within(text: &str) -> String {
    let simple = !text.contains("||") && !text.contains(" ? ");
    let closed = text.starts_with('(') && closes_at_end(text);
    if simple || closed { text.to_owned() } else { format!("({text})") }
}

/// Whether the parenthesis that a text begins with is closed by its last character.
fn closes_at_end(text: &str) -> bool {
    let mut depth = 0;
    for (position, c) in text.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 {
            return position + c.len_utf8() == text.len();
        }
    }
    false
}

const COMPARISONS: [(&str, &str); 6] =
    [(" == ", " != "), (" != ", " == "), (" < ", " >= "), (" <= ", " > "), (" > ", " <= "), (" >= ", " < ")];

/// The opposite of a predicate: of a single comparison the opposite comparison.
#[must_use]
pub(super) fn negated(text: &str) -> String {
    let found: Vec<(usize, &str, &str)> = COMPARISONS
        .iter()
        .flat_map(|(operator, opposite)| {
            text.match_indices(operator).map(move |(at, found)| (at, found, *opposite))
        })
        .collect();
    let others = ["&&", "||", " ? ", " & ", " | ", " ^ ", "!("].iter().any(|other| text.contains(other));
    match found.as_slice() {
        [(at, operator, opposite)] if !others && !text[..*at].contains('(') => {
            format!("{}{opposite}{}", &text[..*at], &text[at + operator.len()..])
        }
        _ => format!("!({text})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_turned_around() {
        assert_eq!(negated("locked == 0"), "locked != 0");
        assert_eq!(negated("i < n + 1"), "i >= n + 1");
        assert_eq!(negated("a == 0 && b == 0"), "!(a == 0 && b == 0)");
        assert_eq!(negated("(a < b) + c == 1"), "!((a < b) + c == 1)");
        assert_eq!(negated("x"), "!(x)");
    }

    #[test]
    fn cases_that_differ_in_one_predicate_become_one() {
        let case = |values: &[(usize, bool)]| -> Case {
            values.iter().map(|&(id, value)| (crate::ground::index::Index::new(id), value)).collect()
        };
        let cases = BTreeSet::from([
            case(&[(0, true), (1, true)]),
            case(&[(0, true), (1, false)]),
            case(&[(0, false), (1, true)]),
        ]);
        // Greedy: what is left denotes the same set, with fewer literals.
        let found = merged(cases);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(merged(BTreeSet::from([case(&[(0, true)]), case(&[(0, false)])])), [Case::new()]);
    }
}
