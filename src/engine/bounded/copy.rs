//! Copies of formulas with other inputs [Bas10, 10.3.1].
//!
//! A summary that is applied at a call is copied: values at the entry become the values at the call, and every choice
//! becomes a fresh one. An instance of a formula is a copy in which choices are constants. Copies are built by the store,
//! so that they are simplified on the way.

use super::formula::{Formula, Input, Node, Store};
use rustc_hash::FxHashMap;

/// A copy in the making: the same input becomes the same formula everywhere in it.
pub struct Copy<F> {
    choice: F,
    images: FxHashMap<usize, Formula>,
}

impl<F: FnMut(&mut Store, Formula) -> Formula> Copy<F> {
    /// A copy in which these inputs become these formulas, and the function tells what other choices become. All
    /// other inputs stay.
    pub fn new(images: impl IntoIterator<Item = (Formula, Formula)>, choice: F) -> Self {
        let images = images.into_iter().map(|(input, image)| (input.node(), image)).collect();
        Self { choice, images }
    }

    /// The copy of a formula.
    pub fn of(&mut self, store: &mut Store, formula: Formula) -> Formula {
        let mut open = vec![formula];
        while let Some(&top) = open.last() {
            if self.images.contains_key(&top.node()) {
                open.pop();
                continue;
            }
            let image = match store.node(top) {
                Node::Constant => Formula::FALSE,
                Node::Input(Input::Choice) => (self.choice)(store, top.negated_if(top.is_negated())),
                Node::Input(_) => top.negated_if(top.is_negated()),
                Node::And(left, right) => match (self.looked_up(left), self.looked_up(right)) {
                    (Some(left), Some(right)) => store.and(left, right),
                    (Some(Formula::FALSE), _) | (_, Some(Formula::FALSE)) => Formula::FALSE,
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
            self.images.insert(top.node(), image);
            open.pop();
        }
        self.looked_up(formula).expect("it was just copied")
    }

    fn looked_up(&self, formula: Formula) -> Option<Formula> {
        self.images.get(&formula.node()).map(|image| image.negated_if(formula.is_negated()))
    }
}
