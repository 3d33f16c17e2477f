//! Variables that count.
//!
//! A variable counts if somewhere it becomes the result of arithmetic on variables, or a copy of one that counts. Only
//! such variables take ever new values when a loop is unwound, so only predicates about them are limited in number. The
//! state of a state machine is compared with many numbers, all of which stand in the program.

use super::{Action, Program, Scope};
use crate::term::{Node, Store, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// The variables of a program that count.
#[derive(Debug, Default)]
pub struct Counting {
    symbols: FxHashSet<Symbol>,
    /// From variables to those that become copies of them.
    copies: FxHashMap<Symbol, Vec<Symbol>>,
}

impl Counting {
    /// The variables of this program.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let mut counting = Self::default();
        for procedure in program.procedures.iter() {
            for edge in procedure.edges.iter() {
                match &edge.action {
                    Action::Block(block) => {
                        block.updates.iter().for_each(|&(to, value)| counting.flow(program, to, value));
                    }
                    Action::Call { procedure, arguments, result } => {
                        let callee = &program.procedures[*procedure];
                        let pairs = callee.parameters.iter().zip(arguments);
                        pairs.for_each(|(&to, &value)| counting.flow(program, to, value));
                        if let (Some(to), Some(from)) = (*result, callee.result) {
                            counting.copies.entry(from).or_default().push(to);
                        }
                    }
                    _ => {}
                }
            }
        }
        counting.close();
        counting
    }

    /// A variable gets a value.
    fn flow(&mut self, program: &Program, to: Symbol, value: Term) {
        let store = &program.store;
        let (mut open, mut seen) = (vec![value], FxHashSet::default());
        while let Some(part) = open.pop() {
            if !seen.insert(part) {
                continue;
            }
            match store.node(part) {
                Node::Symbol(from) if from != to && program.variables[from].scope != Scope::Input => {
                    self.copies.entry(from).or_default().push(to);
                }
                Node::Choose(_, yes, no) => open.extend([yes, no]),
                Node::Select(array, _) => open.push(array),
                Node::Store(array, _, element) => open.extend([array, element]),
                Node::Binary(..) if computed(program, part) => {
                    self.symbols.insert(to);
                }
                Node::ZeroExtend(_, inner) | Node::SignExtend(_, inner) | Node::Extract { of: inner, .. } => {
                    open.push(inner);
                }
                Node::Concatenate(high, low) => open.extend([high, low]),
                _ => {}
            }
        }
    }

    /// Copies of what counts count.
    fn close(&mut self) {
        let mut open: Vec<Symbol> = self.symbols.iter().copied().collect();
        while let Some(from) = open.pop() {
            for &to in self.copies.get(&from).into_iter().flatten() {
                if self.symbols.insert(to) {
                    open.push(to);
                }
            }
        }
    }

    /// Whether a term is about a variable that counts.
    #[must_use]
    pub fn touches(&self, store: &Store, term: Term) -> bool {
        store.free_symbols(term).iter().any(|symbol| self.symbols.contains(symbol))
    }
}

/// Whether a result of arithmetic depends on the state.
fn computed(program: &Program, term: Term) -> bool {
    let symbols = program.store.free_symbols(term);
    symbols.iter().any(|&symbol| program.variables[symbol].scope != Scope::Input)
}
