//! The edge that is being built: a guard and updates over the state at its start.

use crate::ir::Place;
use crate::program::{Block, LocationId};
use crate::term::{Store, Symbol, Term};
use indexmap::IndexMap;

/// What has been executed since the last location.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Pending {
    /// Where the edge starts.
    pub from: LocationId,
    guard: Option<Term>,
    updates: IndexMap<Symbol, Term>,
    inputs: Vec<Symbol>,
    /// Lines of C.
    pub places: Vec<Place>,
    /// Whether shared memory has been accessed.
    pub shared: bool,
}

impl Pending {
    pub fn at(from: LocationId) -> Self {
        let (updates, inputs, places) = (IndexMap::new(), Vec::new(), Vec::new());
        Self { from, guard: None, updates, inputs, places, shared: false }
    }

    /// Whether an edge would do nothing.
    pub fn is_idle(&self) -> bool {
        self.guard.is_none() && self.updates.is_empty() && self.inputs.is_empty()
    }

    pub fn has_inputs(&self) -> bool {
        !self.inputs.is_empty()
    }

    /// The value of a variable now, over the state at the start.
    pub fn read(&self, store: &mut Store, symbol: Symbol) -> Term {
        self.updates.get(&symbol).copied().unwrap_or_else(|| store.symbol(symbol))
    }

    pub fn write(&mut self, symbol: Symbol, value: Term) {
        self.updates.insert(symbol, value);
    }

    pub fn changes(&self, symbol: Symbol) -> bool {
        self.updates.contains_key(&symbol) || self.inputs.contains(&symbol)
    }

    pub fn assume(&mut self, store: &mut Store, condition: Term) {
        let guard = self.guard.map_or(condition, |guard| store.and(guard, condition));
        self.guard = Some(guard);
    }

    pub fn input(&mut self, symbol: Symbol) {
        self.inputs.push(symbol);
    }

    pub fn place(&mut self, place: Option<Place>) {
        // A line is told once, however many instructions it has.
        let line = |place: &Place| (place.file, place.line);
        if let Some(place) = place.filter(|place| place.line != 0)
            && self.places.last().map(line) != Some(line(&place))
        {
            self.places.push(place);
        }
    }

    /// The edge, with a further condition and further updates.
    pub fn block(&self, store: &mut Store, condition: Option<Term>, more: &[(Symbol, Term)]) -> Block {
        let always = store.boolean(true);
        let guard = [self.guard, condition].into_iter().flatten().fold(always, |a, b| store.and(a, b));
        let mut updates = self.updates.clone();
        updates.extend(more.iter().copied());
        // What stays as it is is no update.
        updates.retain(|&symbol, value| store.symbol(symbol) != *value);
        Block { guard, updates: updates.into_iter().collect(), inputs: self.inputs.clone() }
    }
}
