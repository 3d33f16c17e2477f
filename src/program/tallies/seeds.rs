//! Predicates that speak of shares and numbers.
//!
//! Refinement looks at one run after another, and a run has no need of ghosts: it knows what everybody did. So these
//! predicates are there from the beginning: the values of shares, and whether the number that a thread drew is what it was
//! compared with. What that is compared with is not ahead of the counter.

use super::super::{Action, Assumption, ProcedureId, Program, Scope};
use super::{Account, MOST_THREADS, Share, Tally};
use crate::term::arithmetic::from_signed;
use crate::term::{Node, Symbol, Term};
use std::collections::BTreeSet;

/// More values of a share are not told apart.
const VALUES: i128 = 4;

/// The predicates of tallies, each a truth value over shared variables and those of one template. Counters that are changed
/// under a lock are left out: most of them need no account.
pub fn seeds(program: &mut Program) -> Vec<Term> {
    let tallies = program.tallies.clone();
    let at_once = tallies.iter().filter(|tally| tally.locked.is_none());
    at_once.flat_map(|tally| of_tally(program, tally)).collect()
}

/// The predicates of the others. What is proven with them rests on the assumption that comes with them.
pub fn late_seeds(program: &mut Program) -> Vec<Term> {
    let tallies = program.tallies.clone();
    let found: Vec<Term> = tallies
        .iter()
        .filter(|tally| tally.locked.is_some())
        .flat_map(|tally| of_tally(program, tally))
        .collect();
    if !found.is_empty() {
        program.assumptions.insert(Assumption::ThreadsInAll(MOST_THREADS));
    }
    found
}

fn of_tally(program: &mut Program, tally: &Tally) -> Vec<Term> {
    match &tally.account {
        Account::Shares(shares) => {
            let all = shares.once.values().chain(shares.many.values());
            all.flat_map(|share| of_share(program, share)).collect()
        }
        Account::Numbers(numbers) => {
            let of_template = |(&template, &number): (&ProcedureId, &Symbol)| {
                of_number(program, tally.counter, template, number)
            };
            numbers.iter().flat_map(of_template).collect()
        }
    }
}

/// That a share has one of its values, but for the least.
fn of_share(program: &mut Program, share: &Share) -> Vec<Term> {
    let store = &mut program.store;
    let symbol = store.symbol(share.symbol);
    let width = store.width(symbol);
    let (least, most) = share.range();
    let mut found = Vec::new();
    for value in (least + 1..=most).take(VALUES as usize) {
        let value = store.bits(width, from_signed(width, value));
        found.push(store.equal(symbol, value));
    }
    found
}

fn of_number(program: &mut Program, counter: Symbol, template: ProcedureId, number: Symbol) -> Vec<Term> {
    let mut found = BTreeSet::new();
    for (copy, with) in compared(program, template, counter) {
        let store = &mut program.store;
        let (number, counter) = (store.symbol(number), store.symbol(counter));
        let width = store.width(number);
        // Nobody waits for what will not be drawn for long.
        found.insert(store.unsigned_less(counter, with));
        for term in [copy, with] {
            let extended = store.zero_extend(width, term);
            found.insert(store.equal(number, extended));
        }
    }
    for copy in copies(program, template, counter) {
        let store = &mut program.store;
        let (number, copy) = (store.symbol(number), store.symbol(copy));
        let extended = store.zero_extend(store.width(number), copy);
        found.insert(store.equal(number, extended));
    }
    found.into_iter().collect()
}

/// Where a template compares what it drew from a counter with something shared.
pub(super) fn compared(program: &Program, template: ProcedureId, counter: Symbol) -> BTreeSet<(Term, Term)> {
    let copies = copies(program, template, counter);
    let store = &program.store;
    let is_copy = |term: Term| store.as_symbol(term).is_some_and(|symbol| copies.contains(&symbol));
    let is_shared = |term: Term| {
        let symbols = store.free_symbols(term);
        let global =
            |symbol: &Symbol| program.variables[*symbol].scope == Scope::Global && *symbol != counter;
        !symbols.is_empty() && symbols.iter().all(global)
    };
    let mut found = BTreeSet::new();
    for edge in program.procedures[template].edges.iter() {
        let Action::Block(block) = &edge.action else { continue };
        let terms: Vec<Term> = block.updates.iter().map(|&(_, value)| value).chain([block.guard]).collect();
        for term in store.reachable(&terms) {
            let Node::Equal(left, right) = store.node(term) else { continue };
            for (copy, with) in [(left, right), (right, left)] {
                if is_copy(copy) && is_shared(with) {
                    found.insert((copy, with));
                }
            }
        }
    }
    found
}

/// Local variables that get the value of a counter as it is counted up, or of one of these.
fn copies(program: &Program, template: ProcedureId, counter: Symbol) -> BTreeSet<Symbol> {
    let mut found = BTreeSet::new();
    let procedure = &program.procedures[template];
    loop {
        let before = found.len();
        for edge in procedure.edges.iter() {
            let Action::Block(block) = &edge.action else { continue };
            let draws = block.updates.iter().any(|&(symbol, _)| symbol == counter);
            for &(symbol, value) in &block.updates {
                let local = program.variables[symbol].scope == Scope::Local(template);
                let is_copied = |symbol: Symbol| draws && symbol == counter || found.contains(&symbol);
                if local && program.store.as_symbol(value).is_some_and(is_copied) {
                    found.insert(symbol);
                }
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
