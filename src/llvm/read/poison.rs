//! Flags of instructions that make a result `poison`: `nuw`, `exact`, `nneg`, `disjoint`.
//!
//! clang writes few of them at `-O0`, but `.ll` files have them. The instruction is followed by a choice: if the flag is
//! violated, the result is `poison`, otherwise what was computed. `nsw` is not among them: signed overflow is a fault of its
//! own. Nor is `exact` of a signed division, with which clang computes differences of pointers.

use super::function::Builder;
use crate::ir::{BinaryOperator as B, Cast, Comparison, Constant, Operand, Operation, Type, Wrap};

/// The widest product whose exact value fits an integer of ours.
const WIDEST_FACTOR: u32 = 64;

impl Builder<'_, '_> {
    /// An operation on integers; if a flag of it is violated, `poison`.
    pub fn guarded(&mut self, operator: B, left: Operand, right: Operand, wrap: Wrap) -> Operation {
        let plain = Operation::Binary { operator, left: left.clone(), right: right.clone(), wrap };
        let disjoint = operator == B::Or && self.item.is_disjoint();
        let exact = wrap.exact && operator != B::SignedDivide;
        let Type::Integer(bits) = self.operand_type(0) else { return plain };
        if !wrap.unsigned && !exact && !disjoint {
            return plain;
        }
        if operator == B::Multiply && bits > WIDEST_FACTOR {
            return Operation::Unsupported("a wide product that must not wrap".to_owned());
        }
        let ty = Type::Integer(bits);
        let result = self.emit(ty.clone(), plain);
        let violated = match operator {
            B::Add => self.holds(Comparison::UnsignedLess, result.clone(), left),
            B::Subtract => self.holds(Comparison::UnsignedLess, left, right),
            B::Multiply => self.product_wraps(bits, left, right),
            B::Or => {
                let common = self.combined(B::And, &ty, left, right);
                self.holds(Comparison::NotEqual, common, number(bits, 0))
            }
            // What was lost is not there when it is undone.
            _ => {
                let undo = match operator {
                    B::ShiftLeft => B::ShiftRight,
                    B::UnsignedDivide => B::Multiply,
                    _ => B::ShiftLeft,
                };
                let back = self.combined(undo, &ty, result.clone(), right);
                self.holds(Comparison::NotEqual, back, left)
            }
        };
        chosen(violated, result, ty)
    }

    /// A conversion of a number that is said not to be negative.
    pub fn extended(&mut self, value: Operand) -> Operation {
        let plain = Operation::Cast { cast: Cast::ZeroExtend, value: value.clone() };
        let Type::Integer(bits) = self.operand_type(0) else { return plain };
        if !self.item.is_not_negative() {
            return plain;
        }
        let ty = self.reader.constants.type_of(self.item);
        let result = self.emit(ty.clone(), plain);
        let violated = self.holds(Comparison::SignedLess, value, number(bits, 0));
        chosen(violated, result, ty)
    }

    fn product_wraps(&mut self, bits: u32, left: Operand, right: Operand) -> Operand {
        let wide = Type::Integer(2 * bits);
        let [left, right] = [left, right]
            .map(|value| self.emit(wide.clone(), Operation::Cast { cast: Cast::ZeroExtend, value }));
        let product = self.combined(B::Multiply, &wide, left, right);
        self.holds(Comparison::UnsignedGreaterEqual, product, number(2 * bits, 1 << bits))
    }

    fn combined(&mut self, operator: B, ty: &Type, left: Operand, right: Operand) -> Operand {
        self.emit(ty.clone(), Operation::Binary { operator, left, right, wrap: Wrap::default() })
    }

    fn holds(&mut self, comparison: Comparison, left: Operand, right: Operand) -> Operand {
        self.emit(Type::Integer(1), Operation::Compare { comparison, left, right })
    }
}

fn number(bits: u32, value: u128) -> Operand {
    Operand::Constant(Constant::Integer { bits, value })
}

fn chosen(violated: Operand, result: Operand, ty: Type) -> Operation {
    Operation::Select { condition: violated, yes: Operand::Constant(Constant::Poison(ty)), no: result }
}
