//! What matters for a contradiction: the variables that it depends on, backwards along the path.
//!
//! Everything else on the path may be forgotten: a path that is excluded without it is excluded with it.

use crate::path::{Instances, Line, Position, Value, guard_conjuncts, instance, of_step};
use crate::program::Program;
use crate::term::{Symbol, Term};
use rustc_hash::FxHashSet;

struct Walk<'a> {
    program: &'a Program,
    wanted: Instances,
    symbols: FxHashSet<Symbol>,
}

/// The variables that a core depends on.
pub(super) fn symbols(program: &Program, line: &Line<'_>, core: &[Position]) -> FxHashSet<Symbol> {
    let mut walk = Walk { program, wanted: Instances::default(), symbols: FxHashSet::default() };
    let last = core.last().map_or(0, |position| position.step + 1);
    for number in (0..last).rev() {
        walk.step(line, number);
        let own = of_step(core, number);
        if !own.is_empty() {
            let conjuncts = guard_conjuncts(&program.store, line.edge(program, number));
            let own = own.iter().map(|position| conjuncts[position.conjunct]);
            own.for_each(|conjunct| walk.want(line.frames.before[number], conjunct));
        }
    }
    walk.symbols
}

impl Walk<'_> {
    fn want(&mut self, activation: usize, term: Term) {
        let symbols = self.program.store.free_symbols(term);
        symbols.into_iter().for_each(|symbol| self.want_symbol(activation, symbol));
    }

    fn want_symbol(&mut self, activation: usize, symbol: Symbol) {
        if instance(self.program, activation, symbol).is_some() {
            self.wanted.add(self.program, activation, symbol);
            self.symbols.insert(symbol);
        }
    }

    /// What was wanted and is assigned here is wanted no more, but what it is assigned.
    fn step(&mut self, line: &Line<'_>, number: usize) {
        let step = line.assignments(self.program, number);
        let mut found = step.all.clone();
        found.retain(|&(symbol, _)| self.wanted.take(self.program, step.to, symbol));
        for (_, value) in found {
            match value {
                Value::Term(term) => self.want(step.from, term),
                Value::Variable(symbol) => self.want_symbol(step.from, symbol),
            }
        }
    }
}
