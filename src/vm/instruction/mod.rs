//! Instructions: the loop that runs them, and what they do, by families.
//!
//! All are functions over [`Run`], which has the state and the few operations that they share. The loop does what is frequent
//! and simple itself, for speed: numbers without addresses or undefined bits, loads, stores and jumps. What is left goes to
//!
//! - [`compute`]: integers and addresses, where a value is an address, undefined, wide or at fault; [`float`];
//! - [`local`]: where local objects begin and end; [`pieces`]: values of several slots in memory; [`exchange`]: atomic updates;
//! - [`call`]: calls, returns, and the arguments behind `...`; [`intrinsic`]: what LLVM provides.

pub(super) mod call;
mod compute;
mod exchange;
mod float;
mod intrinsic;
mod local;
mod pieces;

use crate::ir::undefined::Fault;
use crate::vm::arithmetic::{compare_narrow, narrow};
use crate::vm::code::{Access, Code, Ref, SwitchCode};
use crate::vm::outcome::End;
use crate::vm::run::{Run, Step};
use crate::vm::value::{Slot, mask, signed};
use crate::vm::{race, trace};

/// Between two looks at the limits.
const SLICE: u64 = 1024;
/// A thread that does nothing that others can see lets them go on after about so many instructions: it may never end.
const PATIENCE: u64 = 8 * SLICE;

/// Runs until the end; there is always one.
pub(super) fn execute(run: &mut Run<'_>) -> Step {
    loop {
        if run.steps.is_multiple_of(SLICE) || run.steps >= run.settings.steps {
            run.look_at_limits()?;
            if run.concurrent && run.thread.atomic == 0 && run.steps - run.asked > PATIENCE {
                run.give_way()?;
            }
        }
        step_next(run)?;
    }
}

/// Runs the next instruction.
#[inline(always)]
pub(super) fn step_next(run: &mut Run<'_>) -> Step {
    run.steps += 1;
    let list = run.code;
    let code = &list[run.thread.position];
    run.thread.position += 1;
    step(run, code)
}

#[inline(always)]
fn step(run: &mut Run<'_>, code: &Code) -> Step {
    match *code {
        Code::Binary { operator, wrap, bits, into, left, right } => {
            let (left, right) = (run.get(left), run.get(right));
            if left.is_plain() && right.is_plain() {
                let (value, fault) = narrow(operator, wrap, u32::from(bits), left.bits, right.bits);
                if fault.is_none() {
                    run.set(into, Slot::number(value));
                    return Ok(());
                }
            }
            let value = compute::binary(run, operator, wrap, u32::from(bits), left, right)?;
            run.set(into, value);
        }
        Code::Compare { comparison, bits, into, left, right } => {
            let (left, right) = (run.get(left), run.get(right));
            let value = if left.is_plain() && right.is_plain() {
                Slot::number(compare_narrow(comparison, u32::from(bits), left.bits, right.bits).into())
            } else {
                compute::compare(run, comparison, u32::from(bits), left, right)?
            };
            run.set(into, value);
        }
        Code::LoadLocal { local, into, bits } => {
            let mut value = run.get(Ref(local));
            if value.is_unchosen() {
                value = run.choose_local(local, u32::from(bits))?;
                run.set(local, value);
            }
            run.set(into, value);
        }
        Code::StoreLocal { local, value, bits } => {
            let value = run.chosen(value, u32::from(bits))?;
            run.set(local, value);
            if run.tracing {
                trace::local(run, local, value, u32::from(bits));
            }
        }
        Code::Load { address, into, bytes, bits } => {
            let address = run.get(address);
            if run.concurrent && race::stops(run, address, u64::from(bytes), Access::Read)? {
                return run.switch();
            }
            let value = run.load(address, usize::from(bytes), u32::from(bits))?;
            run.set(into, value);
        }
        Code::Store { address, value, bytes, bits } => {
            let address = run.get(address);
            if run.concurrent && race::stops(run, address, u64::from(bytes), Access::Write)? {
                return run.switch();
            }
            let value = run.get(value);
            run.store(address, value, usize::from(bytes), u32::from(bits))?;
        }
        Code::OffsetConstant { base, constant, into } => {
            let base = run.chosen(base, run.pointer_bits())?;
            run.set(into, run.moved(base, constant as u64));
        }
        Code::OffsetOne { base, term, bits, scale, into } => {
            let (base, term) = (run.get(base), run.get(term));
            if term.is_plain() && !base.is_unchosen() {
                let by = signed(term.bits, u32::from(bits)).wrapping_mul(scale);
                run.set(into, run.moved(base, by as u64));
            } else {
                let value = compute::offset(run, base, 0, &[(term, bits, scale)])?;
                run.set(into, value);
            }
        }
        Code::Jump(to) => run.thread.position = to as usize,
        Code::Branch { condition, yes, no } => {
            let condition = run.get(condition);
            let taken = if condition.is_plain() { condition.bits != 0 } else { run.decide(condition)? };
            run.thread.position = if taken { yes } else { no } as usize;
        }
        Code::Cast { cast, from, to, into, value } => {
            let value = run.get(value);
            let value = compute::cast(run, cast, u32::from(from), u32::from(to), value)?;
            run.set(into, value);
        }
        Code::Move { from, into, slots } => (0..slots).for_each(|slot| {
            let value = run.get(from.plus(slot));
            run.set(into + slot, value);
        }),
        Code::FreshLocal { local } => run.set(local, Slot::UNCHOSEN),
        _ => return rare_step(run, code),
    }
    Ok(())
}

/// What is not worth a place in the loop.
#[inline(never)]
fn rare_step(run: &mut Run<'_>, code: &Code) -> Step {
    match code {
        Code::Call(call) => call::call(run, call),
        Code::Return { value, slots } => call::return_from(run, *value, *slots),
        Code::Switch(switch) => switch_on(run, switch),
        Code::Select { condition, yes, no, into, slots } => {
            let condition = run.chosen(*condition, 1)?;
            let from = if condition.bits & 1 != 0 { *yes } else { *no };
            for slot in 0..*slots {
                let mut value = run.get(from.plus(slot));
                if condition.undefined != 0 && !value.is_unchosen() {
                    value.undefined = u64::MAX;
                }
                run.set(into + slot, value);
            }
            Ok(())
        }
        Code::Freeze { from, into, bits } => {
            let mut value = run.chosen(*from, u32::from(*bits))?;
            value.undefined = 0;
            run.set(*into, value);
            Ok(())
        }
        Code::Allocate { value, size, count, count_bits, align, into } => {
            let count = run.get(*count);
            local::allocate(run, *value, *size, (count, u32::from(*count_bits)), u64::from(*align), *into)
        }
        Code::StartLocal { local, promoted, read } => local::start(run, *local, *promoted, *read),
        Code::EndLocal { local } => local::end(run, *local),
        Code::LoadPieces { address, into, pieces } => pieces::load(run, *address, *into, pieces),
        Code::StorePieces { address, value, pieces } => pieces::store(run, *address, *value, pieces),
        Code::Offset { base, constant, terms, into } => {
            let terms: Vec<(Slot, u8, i64)> = terms.iter().map(|(t, b, s)| (run.get(*t), *b, *s)).collect();
            let value = compute::offset(run, run.get(*base), *constant, &terms)?;
            run.set(*into, value);
            Ok(())
        }
        Code::Intrinsic(intrinsic) => intrinsic::intrinsic(run, intrinsic),
        Code::ErrorLabel(_) if run.pauses_here() => run.switch(),
        Code::ErrorLabel(label) => Err(Box::new(End::ErrorReached(label.to_string()))),
        Code::Unreachable => {
            run.fault(Fault::Unreachable, |_| "control gets where the program says it never does".into())?;
            run.unsupported("control gets where the program says it never does")
        }
        Code::Unsupported(text) => run.unsupported(text.to_string()),
        _ => unusual_step(run, code),
    }
}

fn unusual_step(run: &mut Run<'_>, code: &Code) -> Step {
    match code {
        Code::WideBinary { operator, wrap, bits, into, left, right } => {
            let (left, right) =
                (compute::wide_operand(run, *left, *bits)?, compute::wide_operand(run, *right, *bits)?);
            let value = compute::wide_binary(run, *operator, *wrap, u32::from(*bits), left, right)?;
            compute::set_wide(run, *into, value);
            Ok(())
        }
        Code::WideCompare { comparison, bits, into, left, right } => {
            let (left, right) =
                (compute::wide_operand(run, *left, *bits)?, compute::wide_operand(run, *right, *bits)?);
            let value = compute::wide_compare(*comparison, u32::from(*bits), left, right);
            run.set(*into, value);
            Ok(())
        }
        Code::WideCast { cast, from, to, into, value } => {
            compute::wide_cast(run, *cast, *from, *to, *into, *value)
        }
        Code::FloatBinary { operator, precision, into, left, right } => {
            float::binary(run, *operator, *precision, *into, *left, *right)
        }
        Code::FloatCompare { comparison, precision, into, left, right } => {
            float::compare(run, *comparison, *precision, *into, *left, *right)
        }
        Code::FloatNegate { precision, into, value } => float::negate(run, *precision, *into, *value),
        Code::AtomicUpdate { exchange, address, value, piece, into } => {
            exchange::update(run, *exchange, *address, *value, *piece, *into)
        }
        Code::CompareExchange(exchange) => exchange::compare_exchange(run, exchange),
        _ => run.unsupported("an instruction of unknown kind"),
    }
}

fn switch_on(run: &mut Run<'_>, switch: &SwitchCode) -> Step {
    let mut value = run.get(switch.value);
    if !value.is_plain() {
        value = run.number(value, u32::from(switch.bits))?;
        run.branch_on(value)?;
    }
    let wanted = value.bits & mask(u32::from(switch.bits));
    let found = switch.cases.binary_search_by_key(&wanted, |(case, _)| *case);
    run.thread.position = found.map_or(switch.default, |case| switch.cases[case].1) as usize;
    Ok(())
}
