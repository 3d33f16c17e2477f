//! Memory resolved: a conjunction of truth values, told with fewer arrays.
//!
//! A path through C with pointers reads bytes of an array that dozens of writes have made, each at an address that is another
//! variable plus a constant. Z3's theory of arrays compares every index with every other. Most of these
//! comparisons are decided by what the path says elsewhere: that a pointer from outside points to no object of the
//! program, that another one is null. So a read walks down the writes, and passes over those that it cannot meet; what is
//! left becomes choices by comparisons. At the bottom is a constant, or a read of memory that nobody has written.
//! Variables that equations define are replaced, too. Symbolic execution reads memory in this way, e.g. \[CDE08\].
//!
//! Deviation: symbolic executors resolve memory while they walk along the path. We do it for each query, because what a
//! read is resolved to depends on all constraints that are asked for: a core must name those that were used.
//!
//! The result has the same models as the terms that it was made of, but for variables of definitions that were left out;
//! [`Resolved::complete`] finds their values. Why that is so: a fact is used for a term only after the term was rewritten, so
//! by induction over the order of rewriting every term has the value of what became of it, in each model of the result.

mod facts;
mod ranges;
mod read;

#[cfg(test)]
mod tests;

use super::evaluate::Assignment;
use super::{Node, Sort, Store, Symbol, Term};
use crate::ground::index::Index as _;
use facts::Facts;
use read::Reads;
use rustc_hash::{FxHashMap, FxHashSet};

/// Deeper terms are not put in the place of variables: solvers recurse on terms.
const DEEP: u32 = 400;

/// Truth values that are resolved.
pub struct Resolved {
    /// Terms and symbols of the store that was given keep their ids.
    pub store: Store,
    /// What holds if and only if all that was given does.
    pub terms: Vec<Term>,
    /// Variables that are mentioned no more, and what they are.
    dropped: Vec<(Symbol, Term)>,
}

impl Resolved {
    /// Resolves truth values that are to hold together; none if there are no writes to arrays among them.
    #[must_use]
    pub fn of(store: &Store, terms: &[Term]) -> Option<Self> {
        if !writes_arrays(store, terms) {
            return None;
        }
        let mut resolver = Resolver::new(store.clone(), terms);
        let (definitions, rest) = resolver.definitions(terms);
        let mut resolved: Vec<Term> = rest.into_iter().map(|term| resolver.rewrite(term)).collect();
        let dropped = resolver.needed(definitions, &mut resolved);
        Some(Self { store: resolver.store, terms: resolved, dropped })
    }

    /// Adds the values of variables that are mentioned no more.
    pub fn complete(&self, values: &mut Assignment) {
        for &(symbol, term) in &self.dropped {
            for other in self.store.free_symbols(term) {
                let zero = super::evaluate::Value::zero(self.store.sort_of_symbol(other));
                values.entry(other).or_insert(zero);
            }
            let value = self.store.evaluate(term, values).expect("every symbol has a value");
            values.insert(symbol, value);
        }
    }
}

/// Resolves reads of terms where conditions hold, in the store that they are in: the conditions, told anew, and what became of the terms. The
/// conditions that are returned hold together if and only if those that were given do, and there each term has the value of what became of it.
/// Variables stay, whatever equations say of them. None if there is no write to an array among all these.
pub fn resolve_where(
    store: &mut Store,
    conditions: &[Term],
    terms: &[Term],
) -> Option<(Vec<Term>, Vec<Term>)> {
    let all: Vec<Term> = conditions.iter().chain(terms).copied().collect();
    if !writes_arrays(store, &all) {
        return None;
    }
    let mut resolver = Resolver::new(std::mem::take(store), conditions);
    resolver.reads = Reads::of_many(resolver.store.len());
    let conditions = conditions.iter().map(|&term| resolver.rewrite(term)).collect();
    let terms = terms.iter().map(|&term| resolver.rewrite(term)).collect();
    *store = resolver.store;
    Some((conditions, terms))
}

fn writes_arrays(store: &Store, terms: &[Term]) -> bool {
    let parts = store.reachable(terms);
    parts.iter().any(|&part| matches!(store.node(part), Node::Store(..) | Node::Constant(..)))
}

/// Rewrites terms, operands first.
struct Resolver {
    store: Store,
    /// What was given says about its terms.
    given: Facts,
    /// The same about what they became.
    facts: Facts,
    /// What terms became.
    done: FxHashMap<Term, Term>,
    /// What arrays are by definition.
    arrays: FxHashMap<Term, Term>,
    reads: Reads,
    depths: Vec<u32>,
}

impl Resolver {
    fn new(store: Store, terms: &[Term]) -> Self {
        let given = Facts::of(&store, terms);
        let reads = Reads::new(store.len());
        Self {
            store,
            given,
            facts: Facts::default(),
            done: FxHashMap::default(),
            arrays: FxHashMap::default(),
            reads,
            depths: Vec::new(),
        }
    }

    /// Takes the equations that define variables from the terms, and uses them; the others are told, too. Variables
    /// that were made later may be defined by earlier ones.
    fn definitions(&mut self, terms: &[Term]) -> (Vec<(Symbol, Term)>, Vec<Term>) {
        let mut found: Vec<(Symbol, Term)> = Vec::new();
        let (mut taken, mut rest) = (FxHashSet::default(), Vec::new());
        for &term in terms {
            match defined(&self.store, term).filter(|(symbol, _)| taken.insert(*symbol)) {
                Some(definition) => found.push(definition),
                None => rest.push(term),
            }
        }
        found.sort_unstable();
        let mut kept = Vec::new();
        for (symbol, value) in found {
            let value = self.rewrite(value);
            let variable = self.store.symbol(symbol);
            if self.store.free_symbols(value).contains(&symbol) {
                rest.push(self.store.equal(variable, value));
                continue;
            }
            kept.push((symbol, value));
            if matches!(self.store.sort(value), Sort::Array { .. }) {
                self.arrays.insert(variable, value);
            } else if self.depth(value) <= DEEP {
                self.transfer(variable, value);
                self.done.insert(variable, value);
            }
        }
        (kept, rest)
    }

    /// Adds the definitions of variables that are still mentioned; the others are returned, in an order in which each
    /// can be evaluated.
    fn needed(&mut self, definitions: Vec<(Symbol, Term)>, terms: &mut Vec<Term>) -> Vec<(Symbol, Term)> {
        let mut dropped = Vec::new();
        let mut mentioned: FxHashSet<Symbol> = FxHashSet::default();
        terms.iter().for_each(|&term| mentioned.extend(self.store.free_symbols(term)));
        // Values mention variables of earlier definitions only, or such as are mentioned before they are defined.
        let mut early: FxHashSet<Symbol> = FxHashSet::default();
        for (place, (_, value)) in definitions.iter().enumerate() {
            let free = self.store.free_symbols(*value);
            early.extend(
                free.into_iter().filter(|it| definitions[place..].iter().any(|(later, _)| later == it)),
            );
        }
        for (symbol, value) in definitions.into_iter().rev() {
            if mentioned.contains(&symbol) || early.contains(&symbol) {
                let variable = self.store.symbol(symbol);
                mentioned.extend(self.store.free_symbols(value));
                terms.push(self.store.equal(variable, value));
            } else {
                dropped.push((symbol, value));
            }
        }
        dropped.reverse();
        dropped
    }

    /// What a term becomes.
    fn rewrite(&mut self, term: Term) -> Term {
        for part in self.store.reachable_unless(&[term], |part| self.done.contains_key(&part)) {
            let new = self.step(part);
            self.transfer(part, new);
            self.done.insert(part, new);
        }
        self.done[&term]
    }

    fn step(&mut self, part: Term) -> Term {
        match self.store.node(part) {
            Node::Select(array, index) => self.read(self.done[&array], self.done[&index]),
            node if node.operands().all(|operand| self.done[&operand] == operand) => part,
            node => self.store.rebuild(node, |operand| self.done[&operand]),
        }
    }

    /// What is known of a term is known of what it became.
    fn transfer(&mut self, old: Term, new: Term) {
        if matches!(self.store.sort(old), Sort::Bits(_))
            && let Some(range) = self.given.known(&self.store, old)
        {
            self.facts.learn(&self.store, new, &range);
        }
    }

    /// How deep a term is. Operands have smaller numbers than what they are operands of.
    fn depth(&mut self, term: Term) -> u32 {
        for number in self.depths.len()..self.store.len() {
            let operands = self.store.node(Term::new(number)).operands();
            let below = operands.map(|operand| self.depths[operand.index()]).max();
            self.depths.push(below.map_or(0, |depth| depth + 1));
        }
        self.depths[term.index()]
    }
}

/// The variable that an equation defines: the one that was made last, if both sides are variables.
fn defined(store: &Store, term: Term) -> Option<(Symbol, Term)> {
    let Node::Equal(a, b) = store.node(term) else { return None };
    match (store.as_symbol(a), store.as_symbol(b)) {
        (Some(x), Some(y)) if y > x => Some((y, a)),
        (Some(x), _) => Some((x, b)),
        (None, Some(y)) => Some((y, a)),
        (None, None) => None,
    }
}
