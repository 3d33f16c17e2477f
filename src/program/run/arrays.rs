//! Values of arrays: the cells that were written, over a constant or over arbitrary contents.
//!
//! Arbitrary contents are chosen cell by cell when they are first read. They have an identity ([`UnknownId`]), so that
//! a copy that was made before a cell is chosen agrees with the original afterwards.

use rustc_hash::FxHashMap;
use std::sync::Arc;

use crate::term::Symbol;

/// Arbitrary contents, by number.
pub(super) type UnknownId = usize;

/// What an array holds where nothing was written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Base {
    /// The same element everywhere.
    Constant(u128),
    /// Arbitrary contents.
    Unknown(UnknownId),
}

/// An array; cells are shared between copies until one of them is written.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub base: Base,
    pub cells: Arc<FxHashMap<u128, u128>>,
}

impl Array {
    /// Nothing was written.
    pub fn new(base: Base) -> Self {
        Self { base, cells: Arc::default() }
    }

    /// Writes cells, in order.
    pub fn write(&mut self, writes: impl IntoIterator<Item = (u128, u128)>) {
        let cells = Arc::make_mut(&mut self.cells);
        cells.extend(writes);
    }

    /// The cells that were written, in order of their indices.
    pub fn written(&self) -> Vec<(u128, u128)> {
        let mut cells: Vec<_> = self.cells.iter().map(|(&index, &value)| (index, value)).collect();
        cells.sort_unstable();
        cells
    }
}

/// Arbitrary contents: which variable they belong to, and the cells that were chosen.
#[derive(Clone, Debug)]
pub(super) struct Unknown {
    pub symbol: Symbol,
    pub cells: FxHashMap<u128, u128>,
}

/// All arbitrary contents of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Unknowns {
    contents: Vec<Unknown>,
}

impl Unknowns {
    /// New contents.
    pub fn fresh(&mut self, symbol: Symbol) -> UnknownId {
        self.contents.push(Unknown { symbol, cells: FxHashMap::default() });
        self.contents.len() - 1
    }

    /// The cells that were chosen, of all contents, in order.
    pub fn chosen(&self) -> impl Iterator<Item = Vec<(u128, u128)>> {
        self.contents.iter().map(|unknown| {
            let mut cells: Vec<_> = unknown.cells.iter().map(|(&index, &value)| (index, value)).collect();
            cells.sort_unstable();
            cells
        })
    }

    /// A cell of an array; `choose` picks it if it is read for the first time.
    pub fn read(&mut self, array: &Array, index: u128, choose: impl FnOnce(Symbol) -> u128) -> u128 {
        match (array.cells.get(&index), array.base) {
            (Some(&value), _) | (None, Base::Constant(value)) => value,
            (None, Base::Unknown(id)) => self.cell(id, index, choose),
        }
    }

    /// A cell of arbitrary contents.
    pub fn cell(&mut self, id: UnknownId, index: u128, choose: impl FnOnce(Symbol) -> u128) -> u128 {
        let unknown = &mut self.contents[id];
        let symbol = unknown.symbol;
        *unknown.cells.entry(index).or_insert_with(|| choose(symbol))
    }
}
