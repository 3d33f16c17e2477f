//! Random terms over what a procedure sees.

use super::{Generator, Random};
use crate::term::{Operator, Symbol, Term};

/// What can be seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub globals: Vec<Symbol>,
    pub locals: Vec<Symbol>,
    pub memories: Vec<Symbol>,
    pub flags: Vec<Symbol>,
}

impl Scope {
    /// A variable of eight bits; more often a local one.
    pub fn byte_variable(&self, random: &mut Random) -> Symbol {
        let list = if random.below(3) == 0 { &self.globals } else { &self.locals };
        list[random.below(list.len())]
    }
}

const OPERATORS: [Operator; 13] = [
    Operator::Add,
    Operator::Subtract,
    Operator::Multiply,
    Operator::UnsignedDivide,
    Operator::SignedDivide,
    Operator::UnsignedRemainder,
    Operator::SignedRemainder,
    Operator::ShiftLeft,
    Operator::ShiftRight,
    Operator::ShiftRightSigned,
    Operator::And,
    Operator::Or,
    Operator::Xor,
];

impl Generator {
    /// A bit vector of eight bits.
    pub(super) fn byte(&mut self, depth: usize) -> Term {
        if depth == 0 || self.random.below(3) == 0 {
            return self.leaf();
        }
        match self.random.below(7) {
            0 => {
                let index = self.byte(depth - 1);
                let memory = self.builder.read(self.scope.memories[0]);
                self.builder.program.store.select(memory, index)
            }
            1 => self.narrowed(depth),
            2 => {
                let (condition, yes, no) = (self.condition(), self.byte(depth - 1), self.byte(depth - 1));
                self.builder.program.store.choose(condition, yes, no)
            }
            _ => {
                let operator = match self.random.below(3) {
                    0 => OPERATORS[self.random.below(OPERATORS.len())],
                    _ => OPERATORS[self.random.below(2)],
                };
                let (a, b) = (self.byte(depth - 1), self.byte(depth - 1));
                self.builder.program.store.binary(operator, a, b)
            }
        }
    }

    fn leaf(&mut self) -> Term {
        if self.random.below(3) == 0 {
            let value = self.random.below(6) as u128;
            return self.builder.bits(value);
        }
        let variable = self.scope.byte_variable(&mut self.random);
        self.builder.read(variable)
    }

    /// A wide product or an extension, and eight bits of it.
    fn narrowed(&mut self, depth: usize) -> Term {
        let (a, b) = (self.byte(depth - 1), self.byte(depth - 1));
        let low = self.random.below(9) as u32;
        let kind = self.random.below(3);
        let store = &mut self.builder.program.store;
        let wide = match kind {
            0 => store.concatenate(a, b),
            1 => store.sign_extend(16, a),
            _ => {
                let (a, b) = (store.zero_extend(16, a), store.sign_extend(16, b));
                store.binary(Operator::Multiply, a, b)
            }
        };
        store.extract(low, 8, wide)
    }

    /// A truth value that is neither nearly always true nor nearly always false.
    pub(super) fn condition(&mut self) -> Term {
        let kind = self.random.below(6);
        let (a, b) = (self.byte(1), self.leaf());
        let flag = self.builder.read(self.scope.flags[0]);
        let store = &mut self.builder.program.store;
        match kind {
            0 => flag,
            1 => store.equal(a, b),
            2 => store.signed_less(a, b),
            3 => store.unsigned_less(a, b),
            4 => {
                let less = store.unsigned_less(b, a);
                store.and(less, flag)
            }
            _ => {
                let same = store.equal(a, b);
                store.not(same)
            }
        }
    }

    pub(super) fn rare_condition(&mut self) -> Term {
        let (a, b) = (self.condition(), self.condition());
        self.builder.program.store.and(a, b)
    }
}
