//! What verification tasks ask of their environment: inputs, assumptions, atomic sections.

use super::{Arguments, Flow, Handler, Run, Step, Table};
use crate::checks::bounds::are_asked;
use crate::ir::Type;
use crate::vm::choices::{ChoiceKind, Domain};
use crate::vm::outcome::End;
use crate::vm::run::schedule::Wait;
use crate::vm::state;

pub(super) const TABLE: Table = &[
    ("__VERIFIER_assume", assume),
    ("assume_abort_if_not", assume),
    ("__VERIFIER_assert", assert),
    ("__VERIFIER_atomic_begin", atomic_begin),
    ("__VERIFIER_atomic_end", atomic_end),
];

const INPUT: &str = "__VERIFIER_nondet_";

/// Inputs of our models of library functions, which go by their whole names.
const MODEL: &str = "boolero_nondet_";

/// The handler of an input function.
pub(super) fn input(name: &str) -> Option<Handler> {
    (name.starts_with(MODEL) || name.starts_with(INPUT)).then_some(nondet as Handler)
}

fn nondet(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let function = &run.module.functions[arguments.function];
    let ty = function.name.strip_prefix(INPUT).unwrap_or(&function.name);
    // Nobody knows what such a function does with its arguments, or what it is for.
    if arguments.len() > 0 || function.result == Type::Void {
        return run.unsupported(format!("a call of {}, which is more than an input", function.name));
    }
    let bits = match function.result {
        Type::Integer(bits) if bits > 64 => return run.unsupported("an input of more than 64 bits"),
        Type::Integer(_) if ty == "bool" || ty == "_Bool" => 1,
        Type::Integer(bits) => bits,
        _ => run.module.size_of(&function.result) as u32 * 8,
    };
    let is_pointer = function.result == Type::Pointer;
    let value = match state::classes(run, bits) {
        Some(values) => run.choose(ChoiceKind::Input, ty, Domain::Among(values))? as u64,
        None => run.choose_bits(ChoiceKind::Input, ty, bits)?,
    };
    // As in the program model, such a pointer leads to memory of its own; but an access through any number is a fault.
    if is_pointer && !are_asked(&run.settings.checks) {
        run.outside.note(value);
    }
    Flow::number(value)
}

/// A thread that assumes what does not hold stands still for ever. If others can go on, they do, unless it is in an
/// atomic section.
fn assume(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    if arguments.number(run, 0)? != 0 {
        return Flow::zero();
    }
    if run.thread.atomic > 0 || !run.concurrent {
        return Err(Box::new(End::AssumptionFailed));
    }
    Ok(Flow::Blocked(Wait::Never))
}

fn assert(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    if arguments.number(run, 0)? == 0 {
        if run.pauses_here() {
            return Ok(Flow::Again);
        }
        return Err(Box::new(End::AssertionFailed("__VERIFIER_assert".into())));
    }
    Flow::zero()
}

fn atomic_begin(run: &mut Run<'_>, _: &Arguments) -> Step<Flow> {
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    run.thread.atomic += 1;
    Flow::zero()
}

fn atomic_end(run: &mut Run<'_>, _: &Arguments) -> Step<Flow> {
    run.thread.atomic = run.thread.atomic.saturating_sub(1);
    Flow::zero()
}
