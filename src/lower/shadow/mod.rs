//! Shadows: which bits of a value depend on something uninitialised.
//!
//! With `--checks uninitialised` every value that may be undefined (`definedness`) has a shadow: a term of the same
//! width, with a one for each bit that is not defined. The rules are those of Memcheck \[SN05\] and of the machine: bit by
//! bit for logic, from the lowest undefined bit upwards for sums and products, everything or nothing else. Whatever has no
//! rule is undefined as a whole. Shadows of memory are in `shadow_memory`, uses that must be defined in [`uninitialised`](crate::checks::uninitialised).

pub(in crate::lower) mod memory;

use crate::ir::analysis::definedness::is_undefined;
use crate::ir::{
    BinaryOperator, Comparison, Constant, Exchange, Intrinsic, Operand, Operation, Type, ValueId,
};
use crate::lower::body::Body;
use crate::lower::body::aggregate::Value;
use crate::term::{Node, Operator, Term};

/// A value and its shadow.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Shadowed {
    pub value: Term,
    /// Nothing if all of it is defined.
    pub shadow: Option<Term>,
}

impl<'m> Body<'_, 'm> {
    /// Whether a value may be undefined, and somebody asks.
    pub fn may_be_undefined(&self, value: ValueId) -> bool {
        self.lowering.definedness.value(self.id, value)
    }

    /// Whether an operand may be undefined, and somebody asks.
    pub fn is_shadowed(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Value(value) => self.may_be_undefined(*value),
            Operand::Constant(constant) => self.lowering.needs.shadows && is_undefined(constant),
        }
    }

    /// The shadow of an operand, in the shape of its value.
    pub fn shadow(&mut self, operand: &'m Operand) -> Value {
        match operand {
            Operand::Value(value) if !self.may_be_undefined(*value) => {
                let function = self.function;
                self.zeros(&function.values[*value].ty)
            }
            Operand::Value(value) => match &self.shadows[*value] {
                Some(shadow) => shadow.clone(),
                None => self.shadow_slot(*value),
            },
            Operand::Constant(constant) => self.constant_shadow(constant),
        }
    }

    /// The shadow of an operand that is no aggregate.
    pub fn shadow_term(&mut self, operand: &'m Operand) -> Term {
        let shadow = self.shadow(operand);
        self.joined_term(&shadow)
    }

    fn constant_shadow(&mut self, constant: &'m Constant) -> Value {
        let width = match constant {
            Constant::Integer { bits, .. } => *bits,
            Constant::Float(_) => 32,
            Constant::Double(_) => 64,
            Constant::Null | Constant::Global(..) | Constant::Function(_) => self.lowering.pointer_bits(),
            Constant::Zero(ty) => return self.zeros(ty),
            Constant::Aggregate(_, members) => {
                return Value::Members(members.iter().map(|member| self.constant_shadow(member)).collect());
            }
            Constant::Undefined(ty) | Constant::Poison(ty) | Constant::Unsupported(ty, _) => {
                return self.ones(ty);
            }
        };
        Value::Term(self.lowering.store.bits(width, 0))
    }

    /// All of it is defined.
    pub fn zeros(&mut self, ty: &Type) -> Value {
        self.fresh_value(ty, &mut |body, width| body.lowering.store.bits(width, 0))
    }

    /// Nothing of it is defined.
    pub fn ones(&mut self, ty: &Type) -> Value {
        self.fresh_value(ty, &mut |body, width| body.lowering.store.bits(width, u128::MAX))
    }

    /// The variable that keeps a shadow behind cuts.
    pub fn shadow_slot(&mut self, value: ValueId) -> Value {
        if let Some(slot) = self.shadow_slots.get(&value) {
            return slot.clone();
        }
        let info = &self.function.values[value];
        let name = format!("<undefined {}>", info.name);
        let slot = self.fresh_value(&info.ty, &mut |body, width| {
            let symbol = body.temporary(&name, width);
            body.lowering.store.symbol(symbol)
        });
        self.shadow_slots.insert(value, slot.clone());
        slot
    }

    /// Whether the result of the instruction at hand may be undefined.
    pub fn result_is_shadowed(&self) -> bool {
        let block = &self.function.blocks[self.site.block];
        let result = block.instructions.get(self.site.number).and_then(|instruction| instruction.result);
        result.is_some_and(|result| self.may_be_undefined(result))
    }

    /// Whether any bit of a shadow is set.
    pub fn any_undefined(&mut self, shadow: Term) -> Term {
        let zero = self.lowering.store.bits(self.lowering.store.width(shadow), 0);
        let defined = self.lowering.store.equal(shadow, zero);
        self.lowering.store.not(defined)
    }

    /// All of a type, or nothing of it.
    fn all_if(&mut self, ty: &Type, condition: Term) -> Value {
        self.fresh_value(ty, &mut |body, width| body.ones_if(width, condition))
    }

    pub fn ones_if(&mut self, width: u32, condition: Term) -> Term {
        let (ones, zeros) = (self.lowering.store.bits(width, u128::MAX), self.lowering.store.bits(width, 0));
        self.lowering.store.choose(condition, ones, zeros)
    }

    /// The shadow of the result of an instruction that was executed.
    pub fn shadow_of_result(&mut self, operation: &'m Operation, ty: &Type) -> Value {
        if let Some(shadow) = self.shadow.take() {
            return shadow;
        }
        match operation {
            Operation::Binary { operator, left, right, .. } => {
                let (a, b) = (self.shadowed(left), self.shadowed(right));
                Value::Term(self.undefined_after(*operator, a, b))
            }
            Operation::Compare { comparison, left, right } => {
                let (a, b) = (self.shadowed(left), self.shadowed(right));
                Value::Term(self.undefined_comparison(*comparison, a, b))
            }
            Operation::Cast { cast, value } => {
                let shadow = self.shadow_term(value);
                Value::Term(self.cast(*cast, shadow, ty))
            }
            Operation::Select { condition, yes, no } => self.shadow_of_choice(condition, yes, no, ty),
            Operation::Offset { base, terms, .. } => Value::Term(self.shadow_of_offset(base, terms)),
            Operation::Extract { aggregate, path, .. } => {
                let shadow = self.shadow(aggregate).at(path).cloned();
                shadow.unwrap_or_else(|| self.ones(ty))
            }
            Operation::Insert { aggregate, value, path } => {
                let (mut aggregate, value) = (self.shadow(aggregate), self.shadow(value));
                if let Some(member) = aggregate.at_mut(path) {
                    *member = value;
                }
                aggregate
            }
            Operation::Intrinsic { intrinsic: Intrinsic::First, arguments } => self.shadow(&arguments[0].0),
            Operation::Intrinsic { arguments, .. } => {
                let any = self.any_argument(arguments);
                self.all_if(ty, any)
            }
            _ => self.ones(ty),
        }
    }

    /// A value with its shadow.
    pub fn shadowed(&mut self, operand: &'m Operand) -> Shadowed {
        let value = self.term(operand);
        let shadow = self.is_shadowed(operand).then(|| self.shadow_term(operand));
        Shadowed { value, shadow }
    }

    /// A shadow, zero if all is defined.
    pub fn shadow_or_zero(&mut self, of: Shadowed) -> Term {
        let width = self.lowering.store.width(of.value);
        of.shadow.unwrap_or_else(|| self.lowering.store.bits(width, 0))
    }

    fn shadow_of_choice(
        &mut self,
        condition: &'m Operand,
        yes: &'m Operand,
        no: &'m Operand,
        ty: &Type,
    ) -> Value {
        let open = self.shadow_term(condition);
        let open = self.any_undefined(open);
        let (yes, no) = (self.shadow(yes), self.shadow(no));
        let condition = self.condition(condition);
        let chosen = self.choose(condition, &yes, &no);
        let all = self.ones(ty);
        self.choose(open, &all, &chosen)
    }

    fn shadow_of_offset(&mut self, base: &'m Operand, terms: &'m [(Operand, u32, i64)]) -> Term {
        let mut any = self.lowering.store.boolean(false);
        for (operand, ..) in terms {
            let shadow = self.shadow_term(operand);
            let one = self.any_undefined(shadow);
            any = self.lowering.store.or(any, one);
        }
        let base = self.shadow_term(base);
        let ones = self.lowering.store.bits(self.lowering.pointer_bits(), u128::MAX);
        self.lowering.store.choose(any, ones, base)
    }

    fn any_argument(&mut self, arguments: &'m [(Operand, Type)]) -> Term {
        let mut any = self.lowering.store.boolean(false);
        for (operand, _) in arguments {
            let shadow = self.shadow_term(operand);
            let one = self.any_undefined(shadow);
            any = self.lowering.store.or(any, one);
        }
        any
    }

    /// The undefined bits of the result of an operator.
    pub fn undefined_after(&mut self, operator: BinaryOperator, left: Shadowed, right: Shadowed) -> Term {
        use BinaryOperator as B;
        let (a, b) = (self.shadow_or_zero(left), self.shadow_or_zero(right));
        let width = self.lowering.store.width(a);
        let either = self.lowering.store.binary(Operator::Or, a, b);
        if self.lowering.store.node(either) == Node::Bits(width, 0) {
            return either;
        }
        match operator {
            // A bit that is surely 0 makes a conjunction defined, one that is surely 1 a disjunction.
            B::And => {
                let (open, also) = (self.either(a, left.value), self.either(b, right.value));
                self.both(either, open, also)
            }
            B::Or => {
                let (x, y) = (self.complement(left.value), self.complement(right.value));
                let (open, also) = (self.either(a, x), self.either(b, y));
                self.both(either, open, also)
            }
            B::Xor => either,
            B::Add | B::Subtract | B::Multiply => self.lowest_up(either),
            B::ShiftLeft | B::ShiftRight | B::ShiftRightSigned => {
                self.undefined_after_shift(operator, (a, b), right.value)
            }
            B::UnsignedDivide | B::SignedDivide | B::UnsignedRemainder | B::SignedRemainder => {
                let any = self.any_undefined(either);
                self.ones_if(width, any)
            }
        }
    }

    fn either(&mut self, a: Term, b: Term) -> Term {
        self.lowering.store.binary(Operator::Or, a, b)
    }

    fn both(&mut self, a: Term, b: Term, c: Term) -> Term {
        let two = self.lowering.store.binary(Operator::And, a, b);
        self.lowering.store.binary(Operator::And, two, c)
    }

    /// All bits from the lowest one that is set.
    fn lowest_up(&mut self, shadow: Term) -> Term {
        let negated = self.lowering.store.negate(shadow);
        self.either(shadow, negated)
    }

    /// A shift by an undefined distance is undefined; one by too much is an arbitrary value, which is an input.
    fn undefined_after_shift(&mut self, operator: BinaryOperator, (a, b): (Term, Term), by: Term) -> Term {
        let width = self.lowering.store.width(a);
        let moved = self.lowering.store.binary(operator.into(), a, by);
        let (ones, zero) = (self.lowering.store.bits(width, u128::MAX), self.lowering.store.bits(width, 0));
        let open = self.any_undefined(b);
        let within = self.lowering.store.choose(open, ones, moved);
        let wide = self.lowering.store.shifts_too_far(by);
        self.lowering.store.choose(wide, zero, within)
    }

    /// Whether the result of a comparison is undefined, as one bit. Two numbers that differ in a defined bit differ.
    pub fn undefined_comparison(&mut self, comparison: Comparison, left: Shadowed, right: Shadowed) -> Term {
        let (a, b) = (self.shadow_or_zero(left), self.shadow_or_zero(right));
        let either = self.either(a, b);
        let mut open = self.any_undefined(either);
        if matches!(comparison, Comparison::Equal | Comparison::NotEqual) {
            let defined = self.complement(either);
            let difference = self.lowering.store.binary(Operator::Xor, left.value, right.value);
            let seen = self.lowering.store.binary(Operator::And, difference, defined);
            let differ = self.any_undefined(seen);
            let same = self.lowering.store.not(differ);
            open = self.lowering.store.and(open, same);
        }
        self.bit(open)
    }

    /// The shadow of what an atomic update writes.
    pub fn undefined_exchange(&mut self, exchange: Exchange, old: Shadowed, operand: Shadowed) -> Term {
        let operator = match exchange {
            Exchange::Swap => return self.shadow_or_zero(operand),
            Exchange::Add => BinaryOperator::Add,
            Exchange::Subtract => BinaryOperator::Subtract,
            Exchange::And | Exchange::Nand => BinaryOperator::And,
            Exchange::Or => BinaryOperator::Or,
            // Of the larger or smaller one any bit may be either.
            Exchange::Xor
            | Exchange::SignedMax
            | Exchange::SignedMin
            | Exchange::UnsignedMax
            | Exchange::UnsignedMin => BinaryOperator::Xor,
        };
        self.undefined_after(operator, old, operand)
    }
}
