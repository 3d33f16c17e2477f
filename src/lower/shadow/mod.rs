//! Shadows: which bits of a value depend on something uninitialised.
//!
//! With `--checks uninitialised` every value that may be undefined (`definedness`) has a shadow: a term of the same
//! width, with a one for each bit that is not defined. The rules are those of Memcheck \[SN05\] and of the machine: bit by
//! bit for logic, from the lowest undefined bit upwards for sums and products, everything or nothing else. Whatever has no
//! rule is undefined as a whole. Shadows of memory are in [`memory`], uses that must be defined in [`uninitialised`](crate::checks::uninitialised).

pub(in crate::lower) mod memory;

use crate::checks::Cut;
use crate::ground::index::IndexVec;
use crate::ir::analysis::definedness::{Definedness, is_undefined};
use crate::ir::{
    BinaryOperator, Comparison, Constant, Exchange, FunctionId, Intrinsic, Operand, Operation, Type, ValueId,
};
use crate::lower::body::aggregate::Value;
use crate::lower::body::{Body, operations};
use crate::term::{Node, Operator, Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A value and its shadow.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Shadowed {
    pub value: Term,
    /// Nothing if all of it is defined.
    pub shadow: Option<Term>,
}

/// What all functions share of shadows.
#[derive(Default)]
pub(in crate::lower) struct Common {
    /// What may depend on something uninitialised.
    pub definedness: Definedness,
    /// Which bits of the result of a function are undefined.
    pub results: BTreeMap<FunctionId, Symbol>,
}

/// The shadows of the values of a function.
pub(in crate::lower) struct Shadows {
    /// Over the state at the start of the pending edge; `None` if all is defined, or nothing is known yet.
    pub values: IndexVec<ValueId, Option<Value>>,
    /// The variables that keep them behind cuts.
    slots: FxHashMap<ValueId, Value>,
    /// That of what the instruction at hand gives, if it said so.
    pub result: Option<Value>,
}

impl Shadows {
    pub fn of(count: usize) -> Self {
        Self { values: IndexVec::filled(None, count), slots: FxHashMap::default(), result: None }
    }

    pub fn forget(&mut self, value: ValueId) {
        self.values[value] = None;
    }
}

/// A phi has the shadow that the edges to its block set.
pub(in crate::lower) fn receive(body: &mut Body<'_, '_>, phi: ValueId) {
    if may_be_undefined(body, phi) {
        body.shadows.values[phi] = Some(slot(body, phi));
    }
}

/// Sets the shadow of the result of an instruction that was executed.
pub(in crate::lower) fn set_result<'m>(body: &mut Body<'_, 'm>, result: ValueId, operation: &'m Operation) {
    if may_be_undefined(body, result) {
        let function = body.function;
        let shadow = of_result(body, operation, &function.values[result].ty);
        body.shadows.values[result] = Some(shadow);
    }
}

/// Other blocks use a value: its shadow goes to a variable, too.
pub(in crate::lower) fn save(body: &mut Body<'_, '_>, value: ValueId) {
    if let Some(shadow) = body.shadows.values[value].clone() {
        let slot = slot(body, value);
        body.save(&slot, &shadow);
    }
}

/// A value is used behind a cut: if its shadow would mean something else there, it goes to a variable.
pub(in crate::lower) fn keep(body: &mut Body<'_, '_>, value: ValueId, cut: Cut) {
    let Some(current) = body.shadows.values[value].clone() else { return };
    if current.leaves().into_iter().any(|leaf| body.is_stale(leaf, cut)) {
        let slot = slot(body, value);
        body.save(&slot, &current);
        body.shadows.values[value] = Some(slot);
    }
}

/// Whether a value may be undefined, and somebody asks.
pub(in crate::lower) fn may_be_undefined(body: &Body<'_, '_>, value: ValueId) -> bool {
    body.lowering.shadow.definedness.value(body.id, value)
}

/// Whether an operand may be undefined, and somebody asks.
pub(in crate::lower) fn is_shadowed(body: &Body<'_, '_>, operand: &Operand) -> bool {
    match operand {
        Operand::Value(value) => may_be_undefined(body, *value),
        Operand::Constant(constant) => body.lowering.checks.needs.shadows && is_undefined(constant),
    }
}

/// The shadow of an operand, in the shape of its value.
pub(in crate::lower) fn of_operand<'m>(body: &mut Body<'_, 'm>, operand: &'m Operand) -> Value {
    match operand {
        Operand::Value(value) if !may_be_undefined(body, *value) => {
            let function = body.function;
            zeros(body, &function.values[*value].ty)
        }
        Operand::Value(value) => match &body.shadows.values[*value] {
            Some(shadow) => shadow.clone(),
            None => slot(body, *value),
        },
        Operand::Constant(constant) => constant_shadow(body, constant),
    }
}

/// The shadow of an operand that is no aggregate.
pub(in crate::lower) fn term<'m>(body: &mut Body<'_, 'm>, operand: &'m Operand) -> Term {
    let shadow = of_operand(body, operand);
    body.joined_term(&shadow)
}

fn constant_shadow<'m>(body: &mut Body<'_, 'm>, constant: &'m Constant) -> Value {
    let width = match constant {
        Constant::Integer { bits, .. } => *bits,
        Constant::Float(_) => 32,
        Constant::Double(_) => 64,
        Constant::Null | Constant::Global(..) | Constant::Function(_) => body.lowering.pointer_bits(),
        Constant::Zero(ty) => return zeros(body, ty),
        Constant::Aggregate(_, members) => {
            return Value::Members(members.iter().map(|member| constant_shadow(body, member)).collect());
        }
        Constant::Undefined(ty) | Constant::Poison(ty) | Constant::Unsupported(ty, _) => {
            return ones(body, ty);
        }
    };
    Value::Term(body.lowering.store.bits(width, 0))
}

/// All of it is defined.
pub(in crate::lower) fn zeros(body: &mut Body<'_, '_>, ty: &Type) -> Value {
    body.fresh_value(ty, &mut |body, width| body.lowering.store.bits(width, 0))
}

/// Nothing of it is defined.
pub(in crate::lower) fn ones(body: &mut Body<'_, '_>, ty: &Type) -> Value {
    body.fresh_value(ty, &mut |body, width| body.lowering.store.bits(width, u128::MAX))
}

/// The variable that keeps a shadow behind cuts.
pub(in crate::lower) fn slot(body: &mut Body<'_, '_>, value: ValueId) -> Value {
    if let Some(slot) = body.shadows.slots.get(&value) {
        return slot.clone();
    }
    let info = &body.function.values[value];
    let name = format!("<undefined {}>", info.name);
    let slot = body.fresh_value(&info.ty, &mut |body, width| {
        let symbol = body.temporary(&name, width);
        body.lowering.store.symbol(symbol)
    });
    body.shadows.slots.insert(value, slot.clone());
    slot
}

/// Whether the result of the instruction at hand may be undefined.
pub(in crate::lower) fn result_is_shadowed(body: &Body<'_, '_>) -> bool {
    let block = &body.function.blocks[body.site.block];
    let result = block.instructions.get(body.site.number).and_then(|instruction| instruction.result);
    result.is_some_and(|result| may_be_undefined(body, result))
}

/// Whether any bit of a shadow is set.
pub(in crate::lower) fn any_undefined(body: &mut Body<'_, '_>, shadow: Term) -> Term {
    let zero = body.lowering.store.bits(body.lowering.store.width(shadow), 0);
    let defined = body.lowering.store.equal(shadow, zero);
    body.lowering.store.not(defined)
}

/// All of a type if any bit of an operand is undefined.
fn whole_if_any<'m>(body: &mut Body<'_, 'm>, operand: &'m Operand, ty: &Type) -> Value {
    let shadow = term(body, operand);
    let any = any_undefined(body, shadow);
    all_if(body, ty, any)
}

/// All of a type, or nothing of it.
fn all_if(body: &mut Body<'_, '_>, ty: &Type, condition: Term) -> Value {
    body.fresh_value(ty, &mut |body, width| ones_if(body, width, condition))
}

pub(in crate::lower) fn ones_if(body: &mut Body<'_, '_>, width: u32, condition: Term) -> Term {
    let (ones, zeros) = (body.lowering.store.bits(width, u128::MAX), body.lowering.store.bits(width, 0));
    body.lowering.store.choose(condition, ones, zeros)
}

/// The shadow of the result of an instruction that was executed.
pub(in crate::lower) fn of_result<'m>(body: &mut Body<'_, 'm>, operation: &'m Operation, ty: &Type) -> Value {
    if let Some(shadow) = body.shadows.result.take() {
        return shadow;
    }
    match operation {
        Operation::Binary { operator, left, right, .. } => {
            let (a, b) = (shadowed(body, left), shadowed(body, right));
            Value::Term(undefined_after(body, *operator, a, b))
        }
        Operation::Compare { comparison, left, right } => {
            let (a, b) = (shadowed(body, left), shadowed(body, right));
            Value::Term(undefined_comparison(body, *comparison, a, b))
        }
        Operation::FloatBinary { left, right, .. } | Operation::FloatCompare { left, right, .. } => {
            let (left, right) = (term(body, left), term(body, right));
            let (left, right) = (any_undefined(body, left), any_undefined(body, right));
            let any = body.lowering.store.or(left, right);
            all_if(body, ty, any)
        }
        Operation::FloatNegate(value) => whole_if_any(body, value, ty),
        Operation::Cast { cast, value } if cast.is_of_floats() => whole_if_any(body, value, ty),
        Operation::Cast { cast, value } => {
            let shadow = term(body, value);
            Value::Term(operations::converted(body, *cast, shadow, ty))
        }
        Operation::Select { condition, yes, no } => of_choice(body, condition, yes, no, ty),
        Operation::Offset { base, terms, .. } => Value::Term(of_offset(body, base, terms)),
        Operation::Extract { aggregate, path, .. } => {
            let shadow = of_operand(body, aggregate).at(path).cloned();
            shadow.unwrap_or_else(|| ones(body, ty))
        }
        Operation::Insert { aggregate, value, path } => {
            let (mut aggregate, value) = (of_operand(body, aggregate), of_operand(body, value));
            if let Some(member) = aggregate.at_mut(path) {
                *member = value;
            }
            aggregate
        }
        Operation::Intrinsic { intrinsic: Intrinsic::First, arguments } => of_operand(body, &arguments[0].0),
        Operation::Intrinsic { arguments, .. } => {
            let any = any_argument(body, arguments);
            all_if(body, ty, any)
        }
        _ => ones(body, ty),
    }
}

/// A value with its shadow.
pub(in crate::lower) fn shadowed<'m>(body: &mut Body<'_, 'm>, operand: &'m Operand) -> Shadowed {
    let value = body.term(operand);
    let shadow = is_shadowed(body, operand).then(|| term(body, operand));
    Shadowed { value, shadow }
}

/// A shadow, zero if all is defined.
pub(in crate::lower) fn or_zero(body: &mut Body<'_, '_>, of: Shadowed) -> Term {
    let width = body.lowering.store.width(of.value);
    of.shadow.unwrap_or_else(|| body.lowering.store.bits(width, 0))
}

fn of_choice<'m>(
    body: &mut Body<'_, 'm>,
    condition: &'m Operand,
    yes: &'m Operand,
    no: &'m Operand,
    ty: &Type,
) -> Value {
    let open = term(body, condition);
    let open = any_undefined(body, open);
    let (yes, no) = (of_operand(body, yes), of_operand(body, no));
    let condition = body.condition(condition);
    let chosen = operations::choose(body, condition, &yes, &no);
    let all = ones(body, ty);
    operations::choose(body, open, &all, &chosen)
}

fn of_offset<'m>(body: &mut Body<'_, 'm>, base: &'m Operand, terms: &'m [(Operand, u32, i64)]) -> Term {
    let mut any = body.lowering.store.boolean(false);
    for (operand, ..) in terms {
        let shadow = term(body, operand);
        let one = any_undefined(body, shadow);
        any = body.lowering.store.or(any, one);
    }
    let base = term(body, base);
    let ones = body.lowering.store.bits(body.lowering.pointer_bits(), u128::MAX);
    body.lowering.store.choose(any, ones, base)
}

fn any_argument<'m>(body: &mut Body<'_, 'm>, arguments: &'m [(Operand, Type)]) -> Term {
    let mut any = body.lowering.store.boolean(false);
    for (operand, _) in arguments {
        let shadow = term(body, operand);
        let one = any_undefined(body, shadow);
        any = body.lowering.store.or(any, one);
    }
    any
}

/// The undefined bits of the result of an operator.
pub(in crate::lower) fn undefined_after(
    body: &mut Body<'_, '_>,
    operator: BinaryOperator,
    left: Shadowed,
    right: Shadowed,
) -> Term {
    use BinaryOperator as B;
    let (a, b) = (or_zero(body, left), or_zero(body, right));
    let width = body.lowering.store.width(a);
    let either = body.lowering.store.binary(Operator::Or, a, b);
    if body.lowering.store.node(either) == Node::Bits(width, 0) {
        return either;
    }
    match operator {
        // A bit that is surely 0 makes a conjunction defined, one that is surely 1 a disjunction.
        B::And => {
            let (open, also) = (or(body, a, left.value), or(body, b, right.value));
            and(body, either, open, also)
        }
        B::Or => {
            let (x, y) =
                (operations::complement(body, left.value), operations::complement(body, right.value));
            let (open, also) = (or(body, a, x), or(body, b, y));
            and(body, either, open, also)
        }
        B::Xor => either,
        B::Add | B::Subtract | B::Multiply => lowest_up(body, either),
        B::ShiftLeft | B::ShiftRight | B::ShiftRightSigned => {
            undefined_after_shift(body, operator, (a, b), right.value)
        }
        B::UnsignedDivide | B::SignedDivide | B::UnsignedRemainder | B::SignedRemainder => {
            let any = any_undefined(body, either);
            ones_if(body, width, any)
        }
    }
}

fn or(body: &mut Body<'_, '_>, a: Term, b: Term) -> Term {
    body.lowering.store.binary(Operator::Or, a, b)
}

fn and(body: &mut Body<'_, '_>, a: Term, b: Term, c: Term) -> Term {
    let two = body.lowering.store.binary(Operator::And, a, b);
    body.lowering.store.binary(Operator::And, two, c)
}

/// All bits from the lowest one that is set.
fn lowest_up(body: &mut Body<'_, '_>, shadow: Term) -> Term {
    let negated = body.lowering.store.negate(shadow);
    or(body, shadow, negated)
}

/// A shift by an undefined distance is undefined; one by too much is an arbitrary value, which is an input.
fn undefined_after_shift(
    body: &mut Body<'_, '_>,
    operator: BinaryOperator,
    (a, b): (Term, Term),
    by: Term,
) -> Term {
    let width = body.lowering.store.width(a);
    let moved = body.lowering.store.binary(operator.into(), a, by);
    let (ones, zero) = (body.lowering.store.bits(width, u128::MAX), body.lowering.store.bits(width, 0));
    let open = any_undefined(body, b);
    let within = body.lowering.store.choose(open, ones, moved);
    let wide = body.lowering.store.shifts_too_far(by);
    body.lowering.store.choose(wide, zero, within)
}

/// Whether the result of a comparison is undefined, as one bit. Two numbers that differ in a defined bit differ.
pub(in crate::lower) fn undefined_comparison(
    body: &mut Body<'_, '_>,
    comparison: Comparison,
    left: Shadowed,
    right: Shadowed,
) -> Term {
    let (a, b) = (or_zero(body, left), or_zero(body, right));
    let either = or(body, a, b);
    let mut open = any_undefined(body, either);
    if matches!(comparison, Comparison::Equal | Comparison::NotEqual) {
        let defined = operations::complement(body, either);
        let difference = body.lowering.store.binary(Operator::Xor, left.value, right.value);
        let seen = body.lowering.store.binary(Operator::And, difference, defined);
        let differ = any_undefined(body, seen);
        let same = body.lowering.store.not(differ);
        open = body.lowering.store.and(open, same);
    }
    body.bit(open)
}

/// The shadow of what an atomic update writes.
pub(in crate::lower) fn undefined_exchange(
    body: &mut Body<'_, '_>,
    exchange: Exchange,
    old: Shadowed,
    operand: Shadowed,
) -> Term {
    let operator = match exchange {
        Exchange::Swap => return or_zero(body, operand),
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
    undefined_after(body, operator, old, operand)
}
