//! Residues: a loop that moves a variable by multiples of four keeps its two lowest bits.
//!
//! What a variable starts with decides them; variables that are moved by other variables are given the same chance.

use super::loops::Loop;
use crate::path::Line;
use crate::program::{Action, Program, Scope};
use crate::term::{Sort, Store, Symbol, Term};
use indexmap::IndexSet;
use std::collections::{BTreeMap, BTreeSet};

/// Variables that a loop writes, in its activation.
pub(super) fn written(program: &Program, line: &Line<'_>, one: &Loop) -> BTreeSet<Symbol> {
    let mut found = BTreeSet::new();
    for number in one.first..one.last {
        let own = line.frames.before[number] == one.activation;
        if let Action::Block(block) = &line.edge(program, number).action {
            let visible = |symbol: &Symbol| own || program.variables[*symbol].scope == Scope::Global;
            found.extend(block.updates.iter().map(|&(symbol, _)| symbol).filter(visible));
        }
    }
    found
}

/// That the lowest bits of variables are those that they start with, for each power of two that a variable is moved by.
pub(super) fn residues(
    store: &mut Store,
    written: &BTreeSet<Symbol>,
    moving: &IndexSet<(Symbol, u128)>,
    start: &BTreeMap<Symbol, Term>,
) -> Vec<Term> {
    let powers: BTreeSet<u32> =
        moving.iter().filter(|(_, by)| *by != 0).map(|(_, by)| by.trailing_zeros()).collect();
    let mut found = Vec::new();
    for &bits in powers.iter().filter(|&&bits| bits > 0) {
        for symbol in written {
            let (Some(&first), Sort::Bits(width)) = (start.get(symbol), store.sort_of_symbol(*symbol)) else {
                continue;
            };
            if bits < width {
                let variable = store.symbol(*symbol);
                let (low, first) = (store.extract(0, bits, variable), store.extract(0, bits, first));
                found.push(store.equal(low, first));
            }
        }
    }
    found
}
