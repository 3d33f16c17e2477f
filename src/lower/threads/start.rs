//! `pthread_create`.

use super::FIRST;
use crate::checks::{Cut, Event};
use crate::ir::{Constant, FunctionId, Operand, Type, ValueId};
use crate::lower::body::aggregate::Value;
use crate::lower::body::{Body, Step};
use crate::lower::threads::{identity, local};
use crate::lower::{memory, threads};
use crate::program::{Action, Assumption};
use crate::term::Symbol;

/// `pthread_create(handle, attributes, routine, argument)`.
pub(in crate::lower) fn create<'m>(
    body: &mut Body<'_, 'm>,
    result: Option<ValueId>,
    arguments: &'m [(Operand, Type)],
) -> Step<Option<Value>> {
    let [(handle, _), _, (routine, _), (argument, _)] = arguments else {
        return body.unsupported("pthread_create with other arguments");
    };
    body.lowering.claims.assume(Assumption::ThreadsStart);
    let argument = body.term(argument);
    let argument = body.kept("argument", argument);
    let number = give_number(body, handle)?;
    local::set_up(body, number)?;
    let started = match routine {
        Operand::Constant(Constant::Function(function)) => vec![*function],
        _ => started(body),
    };
    match started[..] {
        [] => return body.unsupported("a thread that runs an unknown function"),
        [only] if matches!(routine, Operand::Constant(_)) => start_routine(body, only, argument, number)?,
        _ => start_one_of(body, &started, routine, argument, number)?,
    }
    let ty = body.result_type(result);
    Ok(result.map(|_| body.fresh_value(ty, &mut |body, width| body.lowering.store.bits(width, 0))))
}

/// The functions that a thread may run, if all are known.
fn started(body: &Body<'_, '_>) -> Vec<FunctionId> {
    let started = body.lowering.points.started(body.site);
    if started.complete { started.functions } else { Vec::new() }
}

/// One edge for each function that the thread may run.
fn start_one_of<'m>(
    body: &mut Body<'_, 'm>,
    functions: &[FunctionId],
    routine: &'m Operand,
    argument: Symbol,
    number: Symbol,
) -> Step {
    let address = body.term(routine);
    let address = body.keep_terms(vec![address])[0];
    body.cut(Cut::Call);
    body.offer(&Event::CallThrough(address))?;
    let (start, behind) = (body.pending().from, body.new_location());
    let values = body.snapshot();
    for &function in functions {
        body.restore(values.clone());
        body.restart(start);
        let target = body.lowering.memory.layout.function(function);
        let target = body.lowering.store.bits(body.lowering.pointer_bits(), target.into());
        let same = body.lowering.store.equal(address, target);
        body.assume(same);
        if start_routine(body, function, argument, number).is_ok() {
            body.leave(behind, None, &[]);
        }
    }
    body.restore(values);
    body.tell(&Event::NoRoutine);
    body.restart(behind);
    Ok(())
}

/// The number of a new thread; it is written where the program wants it before the thread starts.
fn give_number<'m>(body: &mut Body<'_, 'm>, handle: &'m Operand) -> Step<Symbol> {
    let bits = body.lowering.pointer_bits();
    identity::number_is_taken(body);
    let single = body.lowering.threads.single.get_index_of(&body.site);
    let number = match (single, body.lowering.threads.counted) {
        (Some(number), _) => body.lowering.store.bits(bits, FIRST + number as u128),
        (None, Some(counted)) => {
            body.cut(Cut::Plain);
            let number = body.read(counted.next);
            let next = body.plus(number, 1);
            body.write(counted.next, next);
            number
        }
        (None, None) => body.input("number of a thread", bits),
    };
    let number = body.kept("number", number);
    for part in memory::offer_written(body, handle)? {
        let (at, value) = (body.term(handle), body.read(number));
        memory::write_piece(body, &part, at, value);
    }
    Ok(number)
}

fn start_routine(body: &mut Body<'_, '_>, function: FunctionId, argument: Symbol, number: Symbol) -> Step {
    let callee = &body.lowering.module.functions[function];
    let bits = body.lowering.pointer_bits();
    if callee.variadic {
        return body.unsupported(format!("a thread that runs {}, which is variadic", callee.name));
    }
    if !callee.is_defined() {
        return body.unsupported(format!("a thread that runs {}, which is not defined", callee.name));
    }
    let widths: Vec<u32> = callee
        .parameters
        .iter()
        .map(|parameter| body.lowering.width_of(&callee.values[parameter.value].ty))
        .collect();
    let takes = match widths[..] {
        [] => false,
        [width] if width == bits => true,
        _ => return body.unsupported("a thread that runs a function with other parameters"),
    };
    body.cut(Cut::Call);
    let (argument, number) = (body.read(argument), body.read(number));
    let action = match body.lowering.threads.end_of(body.site) {
        Some(ended) => {
            let procedure = threads::procedure(body.lowering, function, body.site, ended);
            let single = body.lowering.threads.single.contains_key(&body.site);
            let arguments = if single { vec![argument] } else { vec![argument, number] };
            Action::Start { procedure, arguments }
        }
        None => {
            let procedure = body.lowering.of_function[&function];
            Action::Start { procedure, arguments: if takes { vec![argument] } else { Vec::new() } }
        }
    };
    body.act(action, Cut::Call);
    Ok(())
}
