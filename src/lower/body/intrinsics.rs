//! What LLVM provides.

use crate::checks::Event;
use crate::ir::{Intrinsic, Operand, Type};
use crate::lower::body::aggregate::Value;
use crate::lower::body::{Body, Step, floats, numbers, operations};
use crate::lower::calls::varargs;
use crate::lower::memory::layout::constant;
use crate::lower::memory::transfer::Direction;
use crate::lower::memory::{lifetimes, transfer};
use crate::lower::shadow;
use crate::lower::threads::{local, sections};
use crate::program::Action;
use crate::term::overflow::Signed;
use crate::term::{Node, Operator, Term};

/// Executes an intrinsic.
pub(in crate::lower) fn lower<'m>(
    body: &mut Body<'_, 'm>,
    intrinsic: Intrinsic,
    arguments: &'m [(Operand, Type)],
    ty: &Type,
) -> Step<Option<Value>> {
    use Intrinsic as I;
    if numbers::observation(body).is_some() {
        return match intrinsic {
            I::CopyMemory | I::MoveMemory | I::SetMemory => {
                body.unsupported("as many bytes as the number of an address")
            }
            _ => Ok(Some(body.arbitrary(ty, "number of an address"))),
        };
    }
    let argument = |body: &mut Body<'_, 'm>, number: usize| body.term(&arguments[number].0);
    let term = match intrinsic {
        I::CopyMemory | I::MoveMemory => {
            body.block_is_used([Some(&arguments[1].0), Some(&arguments[0].0)], &arguments[2].0);
            let (to, from, bytes) = (argument(body, 0), argument(body, 1), argument(body, 2));
            let direction = if intrinsic == I::CopyMemory { Direction::Forward } else { Direction::Either };
            return transfer::copy(body, to, from, bytes, direction).map(|()| None);
        }
        I::SetMemory => {
            body.block_is_used([Some(&arguments[0].0), None], &arguments[2].0);
            let (to, bytes) = (argument(body, 0), argument(body, 2));
            let byte = shadow::shadowed(body, &arguments[1].0);
            return transfer::set(body, to, byte, bytes).map(|()| None);
        }
        I::SignedAddOverflow => return Ok(Some(with_overflow(body, arguments, Operator::Add, Signed::Yes))),
        I::UnsignedAddOverflow => return Ok(Some(with_overflow(body, arguments, Operator::Add, Signed::No))),
        I::SignedSubtractOverflow => {
            return Ok(Some(with_overflow(body, arguments, Operator::Subtract, Signed::Yes)));
        }
        I::UnsignedSubtractOverflow => {
            return Ok(Some(with_overflow(body, arguments, Operator::Subtract, Signed::No)));
        }
        I::SignedMultiplyOverflow => {
            return Ok(Some(with_overflow(body, arguments, Operator::Multiply, Signed::Yes)));
        }
        I::UnsignedMultiplyOverflow => {
            return Ok(Some(with_overflow(body, arguments, Operator::Multiply, Signed::No)));
        }
        I::ThreadLocalAddress if body.lowering.threaded() => {
            return local::address(body, &arguments[0].0).map(Some);
        }
        I::First | I::ThreadLocalAddress => return Ok(Some(body.operand(&arguments[0].0))),
        I::Nothing | I::EndArguments | I::RestoreStack => return Ok(None),
        I::Assume => {
            sections::let_others_see(body);
            body.depends_on(&arguments[0].0);
            let condition = argument(body, 0);
            let condition = body.is_one(condition);
            let fails = body.lowering.store.not(condition);
            if body.lowering.store.node(fails) != Node::Boolean(false) {
                body.unsupported_if(fails, "an assumption of the compiler that does not hold");
            }
            return Ok(None);
        }
        I::Trap => return body.end(Action::End),
        I::CountOnes => {
            let term = argument(body, 0);
            count_ones(body, term)
        }
        I::LeadingZeros | I::TrailingZeros => {
            let (term, poison) = (argument(body, 0), argument(body, 1));
            let count = zeros(body, term, intrinsic == I::LeadingZeros);
            arbitrary_of_zero(body, (term, poison), count)
        }
        I::SwapBytes => {
            let term = argument(body, 0);
            reversed(body, term, 8)
        }
        I::ReverseBits => {
            let term = argument(body, 0);
            reversed(body, term, 1)
        }
        I::Absolute => {
            if constant(&arguments[1].0) == Some(1) {
                body.tell(&Event::Absolute(&arguments[0].0));
            }
            let term = argument(body, 0);
            absolute(body, term)
        }
        I::SignedMax | I::SignedMin | I::UnsignedMax | I::UnsignedMin => {
            let (a, b) = (argument(body, 0), argument(body, 1));
            let signed =
                if matches!(intrinsic, I::SignedMax | I::SignedMin) { Signed::Yes } else { Signed::No };
            operations::extreme(body, a, b, signed, matches!(intrinsic, I::SignedMax | I::UnsignedMax))
        }
        I::FunnelShiftLeft | I::FunnelShiftRight => {
            let (high, low, by) = (argument(body, 0), argument(body, 1), argument(body, 2));
            funnel(body, (high, low), by, intrinsic == I::FunnelShiftLeft)
        }
        // Some address, which is only ever given back.
        I::SaveStack => body.lowering.store.bits(body.lowering.pointer_bits(), 0),
        I::IsConstant => body.lowering.store.bits(1, 0),
        I::ObjectSize => return Ok(Some(body.arbitrary(ty, "size of an object"))),
        I::StartArguments => {
            body.depends_on(&arguments[0].0);
            return varargs::start(body, &arguments[0].0).map(|()| None);
        }
        I::CopyArguments => {
            body.gives(&arguments[..2]);
            let (to, from) = (argument(body, 0), argument(body, 1));
            let size = if body.lowering.module.pointer_bytes == 8 { 24 } else { 4 };
            let bytes = body.lowering.store.bits(body.lowering.pointer_bits(), size);
            return transfer::copy(body, to, from, bytes, Direction::Forward).map(|()| None);
        }
        I::StartLife => return lifetimes::start(body, arguments).map(|()| None),
        I::EndLife => {
            lifetimes::end(body, &arguments[0].0);
            return Ok(None);
        }
        I::UnknownLife => {
            lifetimes::unknown(body, arguments);
            return Ok(None);
        }
        I::FloatAbsolute => {
            let term = argument(body, 0);
            floats::magnitude(body, term)
        }
        I::CopySign => {
            let (magnitude, sign) = (argument(body, 0), argument(body, 1));
            floats::copy_sign(body, magnitude, sign)
        }
        // Fused or not, as the processor likes.
        I::FloatMultiplyAdd => return Ok(Some(body.arbitrary(ty, "fused multiplication and addition"))),
        I::SquareRoot | I::Floor | I::Ceiling | I::RoundTowardsZero | I::Round | I::RoundEven => {
            let term = argument(body, 0);
            let function = intrinsic.float_function().expect("each of these is one");
            floats::function(body, function, term)
        }
        I::IsOfClass => {
            let (term, Some(classes)) = (argument(body, 0), constant(&arguments[1].0)) else {
                return body.unsupported("classes of floating-point numbers that are not constant");
            };
            let holds = floats::is_of_class(body, term, u128::from(classes));
            body.bit(holds)
        }
    };
    Ok(Some(Value::Term(term)))
}

/// The result, and whether it overflowed.
fn with_overflow<'m>(
    body: &mut Body<'_, 'm>,
    arguments: &'m [(Operand, Type)],
    operator: Operator,
    signed: Signed,
) -> Value {
    let (a, b) = (body.term(&arguments[0].0), body.term(&arguments[1].0));
    let result = body.lowering.store.binary(operator, a, b);
    let overflow = body.lowering.store.overflows(operator, a, b, signed);
    let bit = body.bit(overflow);
    Value::Members(vec![Value::Term(result), Value::Term(bit)])
}

/// What a count of zeros gives, and anything for the number zero, if the second argument says so.
fn arbitrary_of_zero(body: &mut Body<'_, '_>, (term, poison): (Term, Term), count: Term) -> Term {
    let width = body.lowering.store.width(term);
    let zero = body.lowering.store.bits(width, 0);
    let is_zero = body.lowering.store.equal(term, zero);
    let open = body.is_one(poison);
    let open = body.lowering.store.and(is_zero, open);
    if body.lowering.store.node(open) == Node::Boolean(false) {
        return count;
    }
    let any = body.input("undefined value", width);
    body.lowering.store.choose(open, any, count)
}

fn count_ones(body: &mut Body<'_, '_>, term: Term) -> Term {
    let width = body.lowering.store.width(term);
    let store = &mut body.lowering.store;
    let mut sum = store.bits(width, 0);
    for low in 0..width {
        let bit = store.extract(low, 1, term);
        let bit = store.zero_extend(width, bit);
        sum = store.binary(Operator::Add, sum, bit);
    }
    sum
}

/// Zeros before the first one, from above or from below; the width if there is no one.
fn zeros(body: &mut Body<'_, '_>, term: Term, from_above: bool) -> Term {
    let width = body.lowering.store.width(term);
    let mut result = body.lowering.store.bits(width, u128::from(width));
    // The last one chosen wins: so the farthest bit comes first.
    for distance in (0..width).rev() {
        let low = if from_above { width - 1 - distance } else { distance };
        let bit = body.lowering.store.extract(low, 1, term);
        let set = body.is_one(bit);
        let count = body.lowering.store.bits(width, u128::from(distance));
        result = body.lowering.store.choose(set, count, result);
    }
    result
}

/// Pieces of so many bits in opposite order.
fn reversed(body: &mut Body<'_, '_>, term: Term, piece: u32) -> Term {
    let store = &mut body.lowering.store;
    let width = store.width(term);
    let pieces: Vec<Term> =
        (0..width / piece).map(|number| store.extract(number * piece, piece, term)).collect();
    pieces.into_iter().reduce(|high, low| store.concatenate(high, low)).expect("at least one piece")
}

fn absolute(body: &mut Body<'_, '_>, term: Term) -> Term {
    let store = &mut body.lowering.store;
    let width = store.width(term);
    let zero = store.bits(width, 0);
    let negated = store.binary(Operator::Subtract, zero, term);
    let negative = store.signed_less(term, zero);
    store.choose(negative, negated, term)
}

/// The high or low half of two words shifted together; the distance counts modulo the width.
fn funnel(body: &mut Body<'_, '_>, (high, low): (Term, Term), by: Term, left: bool) -> Term {
    let store = &mut body.lowering.store;
    let width = store.width(high);
    let modulus = store.bits(width, u128::from(width));
    let by = store.binary(Operator::UnsignedRemainder, by, modulus);
    let rest = store.binary(Operator::Subtract, modulus, by);
    // A shift by the whole width gives zeros, as it should.
    let (up, down) = if left { (by, rest) } else { (rest, by) };
    let (a, b) = (store.binary(Operator::ShiftLeft, high, up), store.binary(Operator::ShiftRight, low, down));
    store.binary(Operator::Or, a, b)
}
