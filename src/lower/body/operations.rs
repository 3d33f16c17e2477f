//! Instructions, one by one.

use crate::checks::Event;
use crate::ir::analysis::points_to::in_loops;
use crate::ir::{BinaryOperator, Cast, Comparison, Exchange, Operand, Operation, Type, ValueId};
use crate::lower::body::aggregate::Value;
use crate::lower::body::{Body, Step, floats, intrinsics, numbers};
use crate::lower::memory::{Prepared, objects};
use crate::lower::shadow::Shadowed;
use crate::lower::shadow::memory::read_shadow_at;
use crate::lower::threads::identity;
use crate::lower::{calls, memory, shadow};
use crate::term::overflow::Signed;
use crate::term::{Node, Operator, Term};

/// Executes an operation; gives its result.
pub(in crate::lower) fn execute<'m>(
    body: &mut Body<'_, 'm>,
    result: Option<ValueId>,
    operation: &'m Operation,
) -> Step<Option<Value>> {
    let function = body.function;
    let ty = result.map_or(&Type::Void, |value| &function.values[value].ty);
    if let Some(what) = unmodelled(operation, ty) {
        return body.unsupported(what);
    }
    let term = match operation {
        Operation::Binary { operator, left, right, wrap } => {
            numbers::check_moved(body, *operator, (left, right), *wrap);
            body.offer(&Event::Arithmetic { operator: *operator, operands: [left, right], wrap: *wrap })?;
            let operands = [body.term(left), body.term(right)];
            let [left, right] = numbers::of_operands(body, operands);
            binary(body, *operator, left, right)
        }
        Operation::Compare { comparison, left, right } => identity::looked(body, &mut |body| {
            let operands = [body.term(left), body.term(right)];
            let [left, right] = numbers::of_comparison(body, *comparison, operands);
            let holds = compare(body, *comparison, left, right);
            body.bit(holds)
        }),
        Operation::Cast { cast, value } => {
            numbers::check_made(body, value);
            let value = body.term(value);
            let value = numbers::of_operand(body, 0, value);
            floats::converted(body, *cast, value, ty).unwrap_or_else(|| converted(body, *cast, value, ty))
        }
        Operation::Select { condition, yes, no } => return Ok(Some(select(body, condition, yes, no))),
        Operation::Allocate { .. } if allocates_in_loop(body) => {
            return body.unsupported("an allocation on the stack in a loop");
        }
        Operation::Allocate { .. } if numbers::observation(body).is_some() => {
            return body.unsupported("an object as large as the number of an address");
        }
        Operation::Allocate { size, count, align } => {
            return objects::allocate(body, *size, count, *align).map(Some);
        }
        Operation::Load { address, .. } => {
            let value = memory::load(body, address, ty)?;
            return numbers::loaded(body, value, ty).map(Some);
        }
        Operation::Store { address, value, ty, .. } => {
            return memory::store(body, address, value, ty).map(|()| None);
        }
        Operation::Offset { base, constant, terms, .. } => {
            check_index(body, terms)?;
            offset(body, base, *constant, terms)
        }
        Operation::AtomicUpdate { exchange, address, value } => {
            return update(body, *exchange, address, value, ty).map(Some);
        }
        Operation::CompareExchange { address, expected, new, ty, weak } => {
            return compare_exchange(body, address, (expected, new), ty, *weak).map(Some);
        }
        Operation::Extract { aggregate, path, .. } => {
            let aggregate = body.operand(aggregate);
            return Ok(aggregate.at(path).cloned());
        }
        Operation::Insert { aggregate, value, path } => {
            let (mut aggregate, value) = (body.operand(aggregate), body.operand(value));
            if let Some(member) = aggregate.at_mut(path) {
                *member = value;
            }
            return Ok(Some(aggregate));
        }
        Operation::Call { callee, arguments, .. } => return calls::call(body, result, callee, arguments),
        Operation::Intrinsic { intrinsic, arguments } => {
            return intrinsics::lower(body, *intrinsic, arguments, ty);
        }
        Operation::Freeze(value) => return Ok(Some(body.operand(value))),
        Operation::Fence => return Ok(None),
        Operation::Phi(_) => unreachable!("phis are set by the edges to their block"),
        Operation::FloatBinary { operator, left, right } => {
            let operands = [body.term(left), body.term(right)];
            let [left, right] = numbers::of_operands(body, operands);
            floats::binary(body, *operator, left, right)
        }
        Operation::FloatCompare { comparison, left, right } => {
            let operands = [body.term(left), body.term(right)];
            let [left, right] = numbers::of_operands(body, operands);
            let holds = floats::compare(body, *comparison, left, right);
            body.bit(holds)
        }
        Operation::FloatNegate(value) => {
            let value = body.term(value);
            let value = numbers::of_operand(body, 0, value);
            floats::negate(body, value)
        }
        Operation::Unsupported(what) => return body.unsupported(what.clone()),
    };
    Ok(Some(Value::Term(term)))
}

fn binary(body: &mut Body<'_, '_>, operator: BinaryOperator, left: Term, right: Term) -> Term {
    let result = body.lowering.store.binary(operator.into(), left, right);
    match operator {
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight | BinaryOperator::ShiftRightSigned => {
            arbitrary_if_too_wide(body, result, right)
        }
        _ => result,
    }
}

/// A shift by too much gives anything, unless that was checked.
fn arbitrary_if_too_wide(body: &mut Body<'_, '_>, result: Term, by: Term) -> Term {
    let wide = body.lowering.store.shifts_too_far(by);
    let excluded = crate::checks::shift::excluded(&body.lowering.settings.checks);
    if excluded || body.lowering.store.node(wide) == Node::Boolean(false) {
        return result;
    }
    let width = body.lowering.store.width(result);
    let any = body.input("result of too wide a shift", width);
    body.lowering.store.choose(wide, any, result)
}

/// A relation between two bit vectors.
pub(in crate::lower) fn compare(body: &mut Body<'_, '_>, comparison: Comparison, a: Term, b: Term) -> Term {
    use Comparison as C;
    let store = &mut body.lowering.store;
    match comparison {
        C::Equal => store.equal(a, b),
        C::NotEqual => {
            let equal = store.equal(a, b);
            store.not(equal)
        }
        C::UnsignedLess => store.unsigned_less(a, b),
        C::UnsignedGreater => store.unsigned_less(b, a),
        C::UnsignedLessEqual => {
            let greater = store.unsigned_less(b, a);
            store.not(greater)
        }
        C::UnsignedGreaterEqual => {
            let less = store.unsigned_less(a, b);
            store.not(less)
        }
        C::SignedLess => store.signed_less(a, b),
        C::SignedGreater => store.signed_less(b, a),
        C::SignedLessEqual => {
            let greater = store.signed_less(b, a);
            store.not(greater)
        }
        C::SignedGreaterEqual => {
            let less = store.signed_less(a, b);
            store.not(less)
        }
    }
}

pub(in crate::lower) fn converted(body: &mut Body<'_, '_>, cast: Cast, value: Term, ty: &Type) -> Term {
    let width = body.lowering.width_of(ty);
    let from = body.lowering.store.width(value);
    let store = &mut body.lowering.store;
    match cast {
        Cast::SignExtend => store.sign_extend(width, value),
        _ if from > width => store.extract(0, width, value),
        _ => store.zero_extend(width, value),
    }
}

fn select<'m>(body: &mut Body<'_, 'm>, condition: &'m Operand, yes: &'m Operand, no: &'m Operand) -> Value {
    let condition = body.condition(condition);
    // An arm that is never taken needs no value: it may be `poison`, and would be an input.
    match body.lowering.store.node(condition) {
        Node::Boolean(true) => body.operand(yes),
        Node::Boolean(false) => body.operand(no),
        _ => {
            let (yes, no) = (body.operand(yes), body.operand(no));
            choose(body, condition, &yes, &no)
        }
    }
}

pub(in crate::lower) fn choose(body: &mut Body<'_, '_>, condition: Term, yes: &Value, no: &Value) -> Value {
    match (yes, no) {
        (Value::Members(yes), Value::Members(no)) => {
            Value::Members(yes.iter().zip(no).map(|(yes, no)| choose(body, condition, yes, no)).collect())
        }
        (Value::Term(yes), Value::Term(no)) => Value::Term(body.lowering.store.choose(condition, *yes, *no)),
        _ => unreachable!("both arms have one type"),
    }
}

/// An array in a struct is kept apart from the struct: nothing is known of what its index does outside of it.
fn check_index<'m>(body: &mut Body<'_, 'm>, terms: &'m [(Operand, u32, i64)]) -> Step {
    let (Some(&count), [(index, _, _)]) = (body.lowering.points.indexed.get(&body.site), terms) else {
        return Ok(());
    };
    if numbers::observation(body).is_some() {
        return body.unsupported("an index that is the number of an address");
    }
    let bits = body.lowering.pointer_bits();
    let index = body.term(index);
    let index = extended(body, index);
    let count = body.lowering.store.bits(bits, count.into());
    let inside = body.lowering.store.unsigned_less(index, count);
    let outside = body.lowering.store.not(inside);
    body.unsupported_if(outside, "an index outside of the array that it is for");
    Ok(())
}

/// An index as a distance between addresses: sign-extended or truncated.
fn extended(body: &mut Body<'_, '_>, index: Term) -> Term {
    let bits = body.lowering.pointer_bits();
    let store = &mut body.lowering.store;
    if store.width(index) < bits { store.sign_extend(bits, index) } else { store.extract(0, bits, index) }
}

fn offset<'m>(
    body: &mut Body<'_, 'm>,
    base: &'m Operand,
    constant: i64,
    terms: &'m [(Operand, u32, i64)],
) -> Term {
    let bits = body.lowering.pointer_bits();
    let mut sum = body.term(base);
    for (position, (operand, _, scale)) in terms.iter().enumerate() {
        let index = body.term(operand);
        let index = numbers::of_operand(body, position, index);
        let index = extended(body, index);
        let store = &mut body.lowering.store;
        let scale = store.bits(bits, i128::from(*scale).cast_unsigned());
        let scaled = store.binary(Operator::Multiply, index, scale);
        sum = store.binary(Operator::Add, sum, scaled);
    }
    let constant = body.lowering.store.bits(bits, i128::from(constant).cast_unsigned());
    body.lowering.store.binary(Operator::Add, sum, constant)
}

fn update<'m>(
    body: &mut Body<'_, 'm>,
    exchange: Exchange,
    address: &'m Operand,
    value: &'m Operand,
    ty: &Type,
) -> Step<Value> {
    body.depends_on(address);
    // Both accesses are one step.
    let access = memory::prepare(body, address, ty)?;
    let old = memory::read_at(body, &access, ty)?;
    let operand = shadow::shadowed(body, value);
    let [before] = old.leaves()[..] else { return body.unsupported("an atomic update of an aggregate") };
    let numbers = numbers::of_operands(body, [before, operand.value]);
    let new = exchanged(body, exchange, numbers[0], numbers[1]);
    let shadow = body.lowering.checks.needs.shadows.then(|| {
        let known = read_shadow_at(body, &access, ty);
        let before = Shadowed { value: before, shadow: Some(body.joined_term(&known)) };
        body.shadows.result = Some(known);
        Value::Term(shadow::undefined_exchange(body, exchange, before, operand))
    });
    memory::write_at(body, &access, &Value::Term(new), shadow.as_ref(), ty)?;
    Ok(old)
}

fn exchanged(body: &mut Body<'_, '_>, exchange: Exchange, old: Term, operand: Term) -> Term {
    let plain = |operator| Some((operator, false));
    let simple = match exchange {
        Exchange::Swap => return operand,
        Exchange::Add => plain(Operator::Add),
        Exchange::Subtract => plain(Operator::Subtract),
        Exchange::And => plain(Operator::And),
        Exchange::Nand => Some((Operator::And, true)),
        Exchange::Or => plain(Operator::Or),
        Exchange::Xor => plain(Operator::Xor),
        Exchange::SignedMax | Exchange::SignedMin | Exchange::UnsignedMax | Exchange::UnsignedMin => None,
    };
    let Some((operator, negated)) = simple else {
        let signed = matches!(exchange, Exchange::SignedMax | Exchange::SignedMin);
        let max = matches!(exchange, Exchange::SignedMax | Exchange::UnsignedMax);
        return extreme(body, old, operand, if signed { Signed::Yes } else { Signed::No }, max);
    };
    let result = body.lowering.store.binary(operator, old, operand);
    if negated { complement(body, result) } else { result }
}

/// All bits the other way round.
pub(in crate::lower) fn complement(body: &mut Body<'_, '_>, term: Term) -> Term {
    let width = body.lowering.store.width(term);
    let ones = body.lowering.store.bits(width, u128::MAX);
    body.lowering.store.binary(Operator::Xor, term, ones)
}

/// The larger or the smaller one.
pub(in crate::lower) fn extreme(
    body: &mut Body<'_, '_>,
    a: Term,
    b: Term,
    signed: Signed,
    max: bool,
) -> Term {
    let store = &mut body.lowering.store;
    let less = if signed == Signed::Yes { store.signed_less(a, b) } else { store.unsigned_less(a, b) };
    if max { store.choose(less, b, a) } else { store.choose(less, a, b) }
}

fn compare_exchange<'m>(
    body: &mut Body<'_, 'm>,
    address: &'m Operand,
    (expected, new): (&'m Operand, &'m Operand),
    ty: &Type,
    weak: bool,
) -> Step<Value> {
    body.depends_on(address);
    let mut access = memory::prepare(body, address, ty)?;
    if body.lowering.checks.needs.shadows {
        branches_on(body, &access, expected, ty)?;
        // Again: a check cuts the block.
        access.at = body.term(address);
    }
    let old = memory::read_at(body, &access, ty)?;
    let shadow = body.lowering.checks.needs.shadows.then(|| read_shadow_at(body, &access, ty));
    let expected = body.term(expected);
    let new = shadow::shadowed(body, new);
    let [before] = old.leaves()[..] else {
        return body.unsupported("a compare-and-exchange of an aggregate");
    };
    let compared = numbers::of_operands(body, [before, expected]);
    let mut success = body.lowering.store.equal(compared[0], compared[1]);
    if weak {
        let may = body.input("success of a weak compare-and-exchange", 1);
        let may = body.is_one(may);
        success = body.lowering.store.and(success, may);
    }
    let after = body.lowering.store.choose(success, new.value, before);
    let undefined = shadow.as_ref().map(|shadow| {
        let before = body.joined_term(shadow);
        let added = shadow::or_zero(body, new);
        Value::Term(body.lowering.store.choose(success, added, before))
    });
    memory::write_at(body, &access, &Value::Term(after), undefined.as_ref(), ty)?;
    let (bit, known) = (body.bit(success), body.lowering.store.bits(1, 0));
    body.shadows.result = shadow.map(|shadow| Value::Members(vec![shadow, Value::Term(known)]));
    Ok(Value::Members(vec![old, Value::Term(bit)]))
}

/// A compare-and-exchange branches on what it finds.
fn branches_on<'m>(body: &mut Body<'_, 'm>, access: &Prepared, expected: &'m Operand, ty: &Type) -> Step {
    let (known, expected) = (read_shadow_at(body, access, ty), shadow::shadowed(body, expected));
    let old = memory::read_at(body, access, ty)?;
    let old = Shadowed { value: body.joined_term(&old), shadow: Some(body.joined_term(&known)) };
    let open = shadow::undefined_comparison(body, Comparison::Equal, old, expected);
    let open = body.is_one(open);
    body.offer(&Event::Compared { open, found: old.value })
}

/// What an operation does that is not modelled.
fn unmodelled(operation: &Operation, ty: &Type) -> Option<String> {
    match (operation, ty) {
        (_, Type::Other { name, .. }) => Some(format!("values of type {name}")),
        (Operation::Store { ty: Type::Other { name, .. }, .. }, _) => Some(format!("values of type {name}")),
        _ => None,
    }
}

/// Whether this instruction may be executed several times in one activation: its object would be several.
fn allocates_in_loop(body: &Body<'_, '_>) -> bool {
    let function = &body.lowering.module.functions[body.site.function];
    in_loops(function)[body.site.block]
}
