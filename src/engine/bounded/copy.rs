//! Copies of formulas with other inputs [Bas10, 10.3.1].
//!
//! A summary that is applied at a call is copied: values at the entry become the values at the call, and every choice
//! becomes a fresh one. The copy is built by the store, so that it is simplified on the way.

use super::formula::{Formula, Input, Node, Store};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// What happens to choices that nothing is known of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choices {
    /// Each becomes a fresh choice.
    Fresh,
    /// They stay.
    Kept,
}

/// A copy in the making: the same input becomes the same formula everywhere in it.
pub struct Copy {
    choices: Choices,
    images: HashMap<usize, Formula, FxBuildHasher>,
    fresh: Vec<(Formula, Formula)>,
}

impl Copy {
    /// A copy in which these inputs become these formulas.
    pub fn new(images: impl IntoIterator<Item = (Formula, Formula)>, choices: Choices) -> Self {
        let mut copy = Self { choices, images: HashMap::default(), fresh: Vec::new() };
        for (input, image) in images {
            copy.images.insert(input.node(), image.negated_if(input.is_negated()));
        }
        copy
    }

    /// The fresh choices so far, each after what it is a copy of.
    pub fn into_fresh(self) -> Vec<(Formula, Formula)> {
        self.fresh
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
                Node::Input(kind) => self.input(store, top.negated_if(top.is_negated()), kind),
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

    fn input(&mut self, store: &mut Store, input: Formula, kind: Input) -> Formula {
        if kind == Input::Choice && self.choices == Choices::Fresh {
            let fresh = store.input(Input::Choice);
            self.fresh.push((input, fresh));
            return fresh;
        }
        input
    }

    fn looked_up(&self, formula: Formula) -> Option<Formula> {
        self.images.get(&formula.node()).map(|image| image.negated_if(formula.is_negated()))
    }
}
