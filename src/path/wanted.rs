//! Sets of instances: what a walk back along a path still looks for, and finds where it is assigned.

use crate::program::{Program, Scope};
use crate::term::{Symbol, Term};
use rustc_hash::FxHashSet;

/// A variable of an activation; global ones belong to none.
pub type Instance = (Option<usize>, Symbol);

/// The instance that a symbol is in an activation; inputs are none.
#[must_use]
pub fn instance(program: &Program, activation: usize, symbol: Symbol) -> Option<Instance> {
    match program.variables[symbol].scope {
        Scope::Global => Some((None, symbol)),
        Scope::Local(_) => Some((Some(activation), symbol)),
        Scope::Input => None,
    }
}

/// A set of instances.
#[derive(Clone, Debug, Default)]
pub struct Instances(FxHashSet<Instance>);

impl Instances {
    /// Whether a variable of an activation is in the set.
    #[must_use]
    pub fn contains(&self, program: &Program, activation: usize, symbol: Symbol) -> bool {
        instance(program, activation, symbol).is_some_and(|one| self.0.contains(&one))
    }

    /// Whether a variable was in the set: it is found, and wanted no more.
    pub fn take(&mut self, program: &Program, activation: usize, symbol: Symbol) -> bool {
        instance(program, activation, symbol).is_some_and(|one| self.0.remove(&one))
    }

    /// Adds a variable.
    pub fn add(&mut self, program: &Program, activation: usize, symbol: Symbol) {
        self.0.extend(instance(program, activation, symbol));
    }

    /// Adds what a term mentions.
    pub fn add_all(&mut self, program: &Program, activation: usize, term: Term) {
        for symbol in program.store.free_symbols(term) {
            self.add(program, activation, symbol);
        }
    }

    /// Whether a variable is in the set, in any activation.
    #[must_use]
    pub fn mentions(&self, of: impl Fn(Symbol) -> bool) -> bool {
        self.0.iter().any(|&(_, symbol)| of(symbol))
    }

    /// Empties the set.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
