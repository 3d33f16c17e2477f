//! Numbers of addresses, which depend on where objects lie.
//!
//! The program model has one layout of memory, but what it finds must hold in all of them. So wherever the program
//! observes the number of an address ([`PointsTo::observed`]), the model puts *any* number in its place: a new one each time,
//! which no layout excludes. What is the same in all layouts stays: null, the bits that alignment fixes, and that two
//! addresses are equal if they point to the same place of an object that lasts. Integers are followed together with addresses:
//! one whose value is far from all addresses of the model is no address, and keeps its value.
//!
//! [`PointsTo::observed`]: crate::ir::analysis::points_to::PointsTo::observed

use crate::checks::Event;
use crate::ir::analysis::points_to::Observation;
use crate::ir::{BinaryOperator, Comparison, Operand, Type, Wrap};
use crate::lower::body::aggregate::Value;
use crate::lower::body::{Body, Step};
use crate::lower::shadow::Shadowed;
use crate::lower::shadow::memory::{kept_shadowed, read_kept};
use crate::term::{Operator, Term};

/// No object lies that close to the end of memory: error numbers that are kept in pointers are there.
const LAST_PAGE: u128 = 4096;

/// Integers from minus this on are no addresses.
const SMALL: u128 = 1 << 16;

/// What the instruction at hand observes of addresses.
pub(in crate::lower) fn observation<'m>(body: &Body<'_, 'm>) -> Option<&'m Observation> {
    body.lowering.points.observed.get(&body.site)
}

/// The operands of the instruction at hand, by position, with any number in place of an address that is observed.
pub(in crate::lower) fn of_operands<const N: usize>(
    body: &mut Body<'_, '_>,
    operands: [Term; N],
) -> [Term; N] {
    let Some(observation) = observation(body) else { return operands };
    let mut numbers = operands;
    for position in 0..N {
        if !observation.operands.contains_key(&position) {
            continue;
        }
        numbers[position] = some_number(body, operands[position], observation, position);
        let before = (0..position).filter(|other| observation.operands.contains_key(other));
        for other in before.filter(|_| observation.lasting) {
            let same = body.lowering.store.equal(operands[other], operands[position]);
            numbers[position] = body.lowering.store.choose(same, numbers[other], numbers[position]);
        }
    }
    numbers
}

/// The operands of a comparison. Null and what lies in the last page are no addresses of objects, in no layout: how an address
/// compares with them needs no number, and predicates without one are easier to find.
pub(in crate::lower) fn of_comparison(
    body: &mut Body<'_, '_>,
    comparison: Comparison,
    operands: [Term; 2],
) -> [Term; 2] {
    use Comparison as C;
    let pointer = body.lowering.pointer_bits();
    let store = &body.lowering.store;
    let apart = |term: Term| {
        let from = (1 << pointer) - LAST_PAGE;
        let constant = store.constant(term).filter(|_| store.width(term) == pointer);
        constant.is_some_and(|value| value == 0 || value >= from)
    };
    let signed =
        matches!(comparison, C::SignedLess | C::SignedLessEqual | C::SignedGreater | C::SignedGreaterEqual);
    if !signed && operands.into_iter().any(apart) { operands } else { of_operands(body, operands) }
}

/// One operand, by position.
pub(in crate::lower) fn of_operand(body: &mut Body<'_, '_>, position: usize, operand: Term) -> Term {
    match observation(body).filter(|observation| observation.operands.contains_key(&position)) {
        Some(observation) => some_number(body, operand, observation, position),
        None => operand,
    }
}

/// Any number that an address may have, if it is one of an object of the program: so many low bits are known.
fn some_number(body: &mut Body<'_, '_>, address: Term, observation: &Observation, position: usize) -> Term {
    let aligned = observation.operands[&position];
    let width = body.lowering.store.width(address);
    if width < body.lowering.pointer_bits() {
        return address;
    }
    let mut number = body.input("number of an address", width - aligned);
    let store = &mut body.lowering.store;
    if aligned > 0 {
        let low = store.extract(0, aligned, address);
        number = store.concatenate(number, low);
    }
    let page = store.bits(width, LAST_PAGE);
    let shifted = store.binary(Operator::Add, number, page);
    let possible = store.unsigned_less(page, shifted);
    let number = store.choose(possible, number, address);
    let mut plain = is_no_address(body, address);
    if observation.foreign.contains(&position) {
        let above = is_above_objects(body, address);
        plain = body.lowering.store.or(plain, above);
    }
    body.lowering.store.choose(plain, address, number)
}

/// Whether a number is greater than all addresses of objects that there have been so far: it is no address of the program's own.
fn is_above_objects(body: &mut Body<'_, '_>, number: Term) -> Term {
    let frontier = body.read(body.lowering.memory.frontier);
    let store = &mut body.lowering.store;
    let width = store.width(number);
    let (frontier, small) = (store.zero_extend(width, frontier), store.bits(width, SMALL));
    // There is always that much room above the frontier.
    let bound = store.binary(Operator::Add, frontier, small);
    store.unsigned_less(bound, number)
}

/// Whether an integer is far from all addresses of the model.
fn is_no_address(body: &mut Body<'_, '_>, number: Term) -> Term {
    let least = u128::from(body.lowering.memory.layout.start()) / 2;
    let store = &mut body.lowering.store;
    let width = store.width(number);
    let (small, bound) = (store.bits(width, SMALL), store.bits(width, least + SMALL));
    let shifted = store.binary(Operator::Add, number, small);
    store.unsigned_less(shifted, bound)
}

/// A sum or a difference with an address that is followed: it must not get far from all addresses, or else nobody
/// knows any more that it comes from one.
pub(in crate::lower) fn check_moved<'m>(
    body: &mut Body<'_, 'm>,
    operator: BinaryOperator,
    (left, right): (&'m Operand, &'m Operand),
    wrap: Wrap,
) {
    let Some(&far) = body.lowering.points.moved.get(&body.site) else { return };
    if wrap.signed {
        body.tell(&Event::SignedOnAddress);
    }
    if !far {
        return;
    }
    let (left, right) = (body.term(left), body.term(right));
    let result = body.lowering.store.binary(operator.into(), left, right);
    let (numbers, gone) =
        ([is_no_address(body, left), is_no_address(body, right)], is_no_address(body, result));
    let store = &mut body.lowering.store;
    let plain = store.and(numbers[0], numbers[1]);
    let address = store.not(plain);
    let lost = store.and(address, gone);
    if body.lowering.store.truth(lost) != Some(false) {
        body.unsupported_if(lost, "arithmetic that makes another number of an address");
    }
}

/// What a load gives: any bytes if they are a part of an address; and an address that is made of numbers is not modelled.
pub(in crate::lower) fn loaded(body: &mut Body<'_, '_>, value: Value, ty: &Type) -> Step<Value> {
    if observation(body).is_some() {
        return Ok(body.arbitrary(ty, "bytes of an address"));
    }
    if !body.lowering.points.forged.contains(&body.site) {
        return Ok(value);
    }
    let (address, shadow) = (body.joined_term(&value), body.shadows.result.take());
    let shadow = shadow.map(|shadow| body.joined_term(&shadow));
    let content = Shadowed { value: address, shadow };
    let kept = kept_shadowed(body, "address", content);
    check_forged(body, address);
    let content = read_kept(body, kept);
    body.shadows.result = content.shadow.map(Value::Term);
    Ok(Value::Term(content.value))
}

/// An integer becomes an address.
pub(in crate::lower) fn check_made<'m>(body: &mut Body<'_, 'm>, integer: &'m Operand) {
    if body.lowering.points.forged.contains(&body.site) {
        let integer = body.term(integer);
        check_forged(body, integer);
    }
}

/// An address made of numbers may be that of an object, which lies elsewhere in the model.
fn check_forged(body: &mut Body<'_, '_>, address: Term) {
    let plain = is_no_address(body, address);
    let forged = body.lowering.store.not(plain);
    if body.lowering.store.truth(forged) != Some(false) {
        body.unsupported_if(forged, "an address that is computed from numbers");
    }
}
