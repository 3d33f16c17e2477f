//! What shares no variable cannot contradict each other: a step falls into parts, and each part is asked once and
//! remembered as long as the loop runs. A new predicate so makes a few parts new, not all steps of all paths.

use super::{Literal, Steps};
use crate::ground::reason::Stop;
use crate::smt::{Answer, Solver};
use crate::term::{Store, Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What shares no variable with the rest of a step.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Part {
    pub guard: BTreeSet<Term>,
    pub literals: BTreeSet<Term>,
}

impl Steps {
    /// The parts of a step that say something about predicates.
    pub(super) fn parts<'l>(
        &mut self,
        store: &Store,
        guard: &[Term],
        literals: impl Iterator<Item = &'l Literal>,
    ) -> Vec<Part> {
        let mut parts = Parts::default();
        for &conjunct in guard {
            let symbols = self.free.of(store, conjunct);
            parts.joined(&symbols).guard.insert(conjunct);
        }
        for &(_, term) in literals.filter(|(_, term)| store.truth(*term) != Some(true)) {
            let symbols = self.free.of(store, term);
            parts.joined(&symbols).literals.insert(term);
        }
        parts.parts.into_values().filter(|part| !part.literals.is_empty()).collect()
    }

    /// The literals of a part that contradict each other.
    pub(super) fn core(&mut self, store: &Store, part: Part) -> Result<Option<Vec<Term>>, Stop> {
        if let Some(known) = self.known.get(&part) {
            return Ok(known.clone());
        }
        self.solver.push();
        for &conjunct in &part.guard {
            self.solver.assert(store, conjunct);
        }
        let literals: Vec<Term> = part.literals.iter().copied().collect();
        let core = smallest(&mut self.solver, store, literals);
        self.solver.pop();
        let core = core?;
        self.known.insert(part, core.clone());
        Ok(core)
    }
}

/// Parts that grow together.
#[derive(Default)]
struct Parts {
    owners: FxHashMap<Symbol, usize>,
    parts: BTreeMap<usize, Part>,
    next: usize,
}

impl Parts {
    /// The part that has these symbols; parts that share them become one.
    fn joined(&mut self, symbols: &BTreeSet<Symbol>) -> &mut Part {
        let old: BTreeSet<usize> =
            symbols.iter().filter_map(|symbol| self.owners.get(symbol).copied()).collect();
        let mut whole = Part::default();
        for number in &old {
            let part = self.parts.remove(number).expect("owners have parts");
            whole.guard.extend(part.guard);
            whole.literals.extend(part.literals);
        }
        let number = self.next;
        self.next += 1;
        if !old.is_empty() {
            self.owners.values_mut().filter(|owner| old.contains(owner)).for_each(|owner| *owner = number);
        }
        self.owners.extend(symbols.iter().map(|&symbol| (symbol, number)));
        self.parts.entry(number).or_insert(whole)
    }
}

/// The literals that contradict each other, none of which can be left out; none if they do not.
fn smallest(solver: &mut Solver, store: &Store, literals: Vec<Term>) -> Result<Option<Vec<Term>>, Stop> {
    let Answer::Unsat { mut core } = solver.check_assuming(store, &literals)? else { return Ok(None) };
    let mut next = 0;
    while next < core.len() {
        let mut fewer = core.clone();
        fewer.remove(next);
        match solver.check_assuming(store, &fewer)? {
            Answer::Unsat { core: smaller } => core = smaller,
            Answer::Sat(_) | Answer::Unknown(_) => next += 1,
        }
    }
    Ok(Some(core))
}
