//! What shares no variable cannot contradict each other: a step falls into parts, and each part is asked once and
//! remembered as long as the loop runs. A new predicate so makes a few parts new, not all steps of all paths.

use super::{Literal, RESOURCES, Steps};
use crate::ground::reason::Stop;
use crate::smt::{Answer, Budget, Solver};
use crate::term::{Store, Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What a query may cost if nothing else is left to be done.
const LAST_RESOURCES: u32 = 600_000_000;

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
        let found = smallest(&mut self.solver, store, literals);
        self.solver.pop();
        let core = match found? {
            Found::Core(core) => Some(core),
            Found::None => None,
            Found::TooHard => {
                self.hard.insert(part.clone());
                None
            }
        };
        self.known.insert(part, core.clone());
        Ok(core)
    }

    /// Forgets that parts were too hard, and lets queries cost more; says whether there were any.
    pub fn harder(&mut self) -> bool {
        let hard = std::mem::take(&mut self.hard);
        self.solver.set_budget(Budget { resources: Some(LAST_RESOURCES) });
        hard.iter().for_each(|part| drop(self.known.remove(part)));
        !hard.is_empty()
    }

    /// As ever again; says whether parts are too hard even so.
    pub fn as_ever(&mut self) -> bool {
        self.solver.set_budget(Budget { resources: Some(RESOURCES) });
        !self.hard.is_empty()
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

/// Whether literals contradict each other.
enum Found {
    /// These do, and none of them can be left out.
    Core(Vec<Term>),
    /// They do not.
    None,
    /// It is too hard to tell.
    TooHard,
}

/// The literals that contradict each other, as few as can be.
fn smallest(solver: &mut Solver, store: &Store, literals: Vec<Term>) -> Result<Found, Stop> {
    let mut core = match solver.check_assuming(store, &literals)? {
        Answer::Unsat { core } => core,
        Answer::Sat(_) => return Ok(Found::None),
        Answer::Unknown(_) => return Ok(Found::TooHard),
    };
    let mut next = 0;
    while next < core.len() {
        let mut fewer = core.clone();
        fewer.remove(next);
        match solver.check_assuming(store, &fewer)? {
            Answer::Unsat { core: smaller } => core = smaller,
            Answer::Sat(_) | Answer::Unknown(_) => next += 1,
        }
    }
    Ok(Found::Core(core))
}
