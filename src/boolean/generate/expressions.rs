//! Random expressions.

use super::{Generator, Scope, wrap};
use crate::boolean::ast::{Expression, Name, Reference};
use crate::boolean::expression::{self, Binary};
use std::sync::Arc;

type Body = expression::Expression<Reference>;

/// Which variables an expression may read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reads {
    /// The executing thread's.
    Own,
    /// Also `v$`.
    Passive,
    /// Also `'v` and `'v$`.
    Constraint,
}

fn variable(name: &str, next: bool) -> Body {
    Body::variable(Reference { name: Name::new(name), next })
}

impl Generator {
    /// The value of an assignment, an argument, a condition.
    pub(super) fn value(&mut self, scope: &Scope, reads: Reads) -> Expression {
        let depth = self.seed.below(self.shape.expressions + 1);
        wrap(self.body_of(scope, reads, depth))
    }

    /// An initial value: mostly a constant, so that programs do not begin in too many states.
    pub(super) fn initial_value(&mut self, scope: &Scope) -> Expression {
        if self.seed.percent(70) {
            wrap(Body::constant(self.seed.percent(50)))
        } else {
            self.value(scope, Reads::Own)
        }
    }

    /// A condition that holds more often than not.
    pub(super) fn likely_condition(&mut self, scope: &Scope) -> Expression {
        self.likely(scope, Reads::Own)
    }

    /// The same with a choice of what it may read.
    pub(super) fn likely(&mut self, scope: &Scope, reads: Reads) -> Expression {
        let depth = self.shape.expressions.saturating_sub(1);
        let left = self.body_of(scope, reads, depth);
        let operator = *self.seed.pick(&[Binary::Or, Binary::Or, Binary::Implies]);
        let right = self.body_of(scope, reads, depth);
        wrap(left.binary(operator, right))
    }

    fn body_of(&mut self, scope: &Scope, reads: Reads, depth: usize) -> Body {
        if depth == 0 {
            return self.leaf(scope, reads);
        }
        match self.seed.weighted(&[20, 20, 55, 5]) {
            0 => self.leaf(scope, reads),
            1 => self.body_of(scope, reads, depth - 1).negate(),
            2 => {
                let operator = *self.seed.pick(&Binary::ALL);
                let left = self.body_of(scope, reads, depth - 1);
                left.binary(operator, self.body_of(scope, reads, depth - 1))
            }
            _ => self.schoose(scope, reads),
        }
    }

    fn leaf(&mut self, scope: &Scope, reads: Reads) -> Body {
        if self.seed.percent(self.shape.choices) {
            if self.seed.percent(67) { Body::choice() } else { self.schoose(scope, reads) }
        } else if self.seed.percent(12) {
            Body::constant(self.seed.percent(50))
        } else {
            self.reference(scope, reads)
        }
    }

    fn schoose(&mut self, scope: &Scope, reads: Reads) -> Body {
        if self.odd() {
            return Body::schoose(self.body_of(scope, reads, 1), self.body_of(scope, reads, 1));
        }
        let positive = self.reference(scope, reads);
        let negative =
            if self.seed.percent(50) { positive.clone().negate() } else { self.reference(scope, reads) };
        Body::schoose(positive, negative)
    }

    fn reference(&mut self, scope: &Scope, reads: Reads) -> Body {
        let next = reads == Reads::Constraint && self.seed.percent(60);
        if reads != Reads::Own && !scope.locals.is_empty() && self.seed.percent(self.shape.broadcasts) {
            let name = self.seed.pick(&scope.locals).clone();
            return variable(&format!("{name}$"), next);
        }
        let names = self.variables(scope);
        match names.is_empty() {
            true => Body::constant(self.seed.percent(50)),
            false => variable(self.seed.pick::<Arc<str>>(&names), next),
        }
    }
}
