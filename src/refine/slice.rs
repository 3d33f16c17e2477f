//! What matters for a contradiction: the variables that it depends on, backwards along the path.
//!
//! Everything else on the path may be forgotten: a path that is excluded without it is excluded with it.

use crate::predicate::PathStep;
use crate::predicate::frames::Frames;
use crate::predicate::path::{Position, guard_conjuncts, of_step};
use crate::program::{Action, Program, Scope};
use crate::term::{Node, Symbol, Term};
use rustc_hash::FxHashSet;

/// A variable of an activation; globals belong to none.
type Instance = (Option<usize>, Symbol);

struct Walk<'a> {
    program: &'a Program,
    wanted: FxHashSet<Instance>,
    symbols: FxHashSet<Symbol>,
}

/// The variables that a core depends on.
pub(super) fn symbols(program: &Program, path: &[PathStep], core: &[Position]) -> FxHashSet<Symbol> {
    let frames = Frames::of(program, path);
    let mut walk = Walk { program, wanted: FxHashSet::default(), symbols: FxHashSet::default() };
    let last = core.last().map_or(0, |position| position.step + 1);
    for number in (0..last).rev() {
        walk.step(number, &path[number], &frames);
        let edge = &program.procedures[path[number].procedure].edges[path[number].edge];
        let own = of_step(core, number);
        if !own.is_empty() {
            let conjuncts = guard_conjuncts(&program.store, edge);
            let own: Vec<Term> = own.iter().map(|position| conjuncts[position.conjunct]).collect();
            walk.want(frames.before[number], &own);
        }
    }
    walk.symbols
}

impl Walk<'_> {
    fn instance(&self, activation: usize, symbol: Symbol) -> Option<Instance> {
        match self.program.variables[symbol].scope {
            Scope::Global => Some((None, symbol)),
            Scope::Local(_) => Some((Some(activation), symbol)),
            Scope::Input => None,
        }
    }

    fn want(&mut self, activation: usize, terms: &[Term]) {
        for part in self.program.store.reachable(terms) {
            if let Node::Symbol(symbol) = self.program.store.node(part)
                && let Some(instance) = self.instance(activation, symbol)
            {
                self.wanted.insert(instance);
                self.symbols.insert(symbol);
            }
        }
    }

    /// Whether a variable was wanted, which is written now.
    fn take(&mut self, activation: usize, symbol: Symbol) -> bool {
        self.instance(activation, symbol).is_some_and(|instance| self.wanted.remove(&instance))
    }

    fn step(&mut self, number: usize, step: &PathStep, frames: &Frames) {
        let (before, behind) = (frames.before[number], frames.behind[number]);
        match &self.program.procedures[step.procedure].edges[step.edge].action {
            Action::Call { procedure, result, .. } if step.returns => {
                let value = self.program.procedures[*procedure].result;
                if let (Some(target), Some(value)) = (*result, value)
                    && self.take(behind, target)
                    && let Some(instance) = self.instance(before, value)
                {
                    self.wanted.insert(instance);
                    self.symbols.insert(value);
                }
            }
            Action::Call { procedure, arguments, .. } | Action::Start { procedure, arguments } => {
                let callee = frames.started[number].unwrap_or(behind);
                let parameters = self.program.procedures[*procedure].parameters.iter();
                for (&parameter, &argument) in parameters.zip(arguments) {
                    if self.take(callee, parameter) {
                        self.want(before, &[argument]);
                    }
                }
            }
            Action::Block(block) => {
                let written = block.updates.iter().filter(|&&(symbol, _)| self.take(before, symbol));
                let values: Vec<Term> = written.map(|&(_, value)| value).collect();
                self.want(before, &values);
            }
            _ => {}
        }
    }
}
