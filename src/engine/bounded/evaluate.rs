//! The value of formulas for values of their inputs.

use super::formula::{Formula, Node, Store};
use rustc_hash::FxHashMap;

/// Values of inputs, and what was computed from them.
pub struct Valuation<F> {
    inputs: F,
    known: FxHashMap<usize, bool>,
}

impl<F: Fn(Formula) -> bool> Valuation<F> {
    /// The inputs have the values that the function tells.
    pub fn new(inputs: F) -> Self {
        Self { inputs, known: FxHashMap::default() }
    }

    /// The value of a formula.
    pub fn value(&mut self, store: &Store, formula: Formula) -> bool {
        let mut open = vec![formula];
        while let Some(&top) = open.last() {
            if self.known.contains_key(&top.node()) {
                open.pop();
                continue;
            }
            let value = match store.node(top) {
                Node::Constant => false,
                Node::Input(_) => (self.inputs)(top.negated_if(top.is_negated())),
                Node::And(left, right) => match (self.looked_up(left), self.looked_up(right)) {
                    (Some(left), Some(right)) => left && right,
                    (Some(false), _) | (_, Some(false)) => false,
                    (None, _) => {
                        open.push(left);
                        continue;
                    }
                    (_, None) => {
                        open.push(right);
                        continue;
                    }
                },
            };
            self.known.insert(top.node(), value);
            open.pop();
        }
        self.looked_up(formula).expect("it was just computed")
    }

    fn looked_up(&self, formula: Formula) -> Option<bool> {
        self.known.get(&formula.node()).map(|&value| value != formula.is_negated())
    }
}
