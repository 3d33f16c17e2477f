//! Calls and returns, and the arguments behind `...`.

use crate::ir::FunctionId;
use crate::ir::transform::opaque::{self, Changes};
use crate::ir::undefined::Fault;
use crate::library::functions::OUTSIDE_FUNCTION;
use crate::vm::Undefined;
use crate::vm::builtin::{Arguments, Flow, process};
use crate::vm::choices::ChoiceKind;
use crate::vm::code::{ArgumentCode, Body, CallCode, CalleeCode, Ref};
use crate::vm::decode::object_of_global;
use crate::vm::memory::{Contents, Origin, shadow};
use crate::vm::outcome::End;
use crate::vm::run::schedule::Wait;
use crate::vm::run::{Run, Step};
use crate::vm::value::{ObjectId, Slot};
use crate::vm::{exact, names, outside, range, trace};

/// The number of the argument of `memcpy`, `memmove` and `memset` that is the length.
const LENGTH: usize = 2;

/// A call: of code, of a function that the machine provides, or of one that nobody defined.
pub(super) fn call(run: &mut Run<'_>, call: &CallCode) -> Step {
    let function = match call.callee {
        CalleeCode::Known(function) => function,
        CalleeCode::Address(address) => {
            let address = run.get(address);
            if outside::is_function(run, address)? {
                return call_outside(run, call);
            }
            function_of(run, address)?
        }
    };
    match run.image.functions[function].body {
        Body::Code => call_code(run, function, call),
        Body::Error if run.pauses_here() => run.switch(),
        Body::Error => Err(Box::new(End::ErrorReached(run.module.functions[function].name.clone()))),
        Body::Builtin(handler) => {
            let module = run.module;
            let name = &module.functions[function].name;
            exact::settle_by(run, name)?;
            let arguments = builtin_arguments(run, function, call)?;
            if exact::stops(run, name, &arguments)? {
                return run.switch();
            }
            let flow = match handler(run, &arguments)? {
                Flow::Return(value) => Flow::Return(exact::result_of(run, name, value)),
                other => other,
            };
            if run.tracing && matches!(flow, Flow::Return(_)) {
                trace::synchronisation(run, function, arguments.get(0));
            }
            after_builtin(run, call, flow)
        }
        Body::Undefined => call_undefined(run, function, call),
    }
}

/// The function that an address points to.
pub(in crate::vm) fn function_of(run: &mut Run<'_>, address: Slot) -> Step<FunctionId> {
    let (id, offset) = run.target(address)?;
    if let (Origin::Function(function), 0) = (run.memory[id].origin, offset) {
        return Ok(function);
    }
    run.fault(Fault::Pointer, |run| {
        format!("`{}` is called, and is no function", names::of_object(run, id))
    })?;
    run.unsupported("a call of what is no function")
}

fn call_code(run: &mut Run<'_>, function: FunctionId, call: &CallCode) -> Step {
    let code = &run.image.functions[function];
    // The scheduler must have its say before an atomic function starts.
    if code.atomic && run.concurrent && run.pauses_here() {
        return run.switch();
    }
    let mut slots = Vec::with_capacity(code.parameter_slots as usize);
    let fixed = code.parameters.len().min(call.arguments.len());
    for (argument, parameter) in call.arguments.iter().zip(&code.parameters) {
        if argument.pieces.len() != parameter.slots as usize {
            return run.unsupported("a call with arguments of other types than the function has");
        }
        (0..parameter.slots).for_each(|slot| slots.push(run.get(argument.from.plus(slot))));
    }
    if fixed < code.parameters.len() {
        return run.unsupported("a call with too few arguments");
    }
    let arguments = if code.variadic { Some(pack(run, function, &call.arguments[fixed..])?) } else { None };
    let (resume, into, result) = (run.thread.position, call.into, call.result.len() as u32);
    run.push_frame(function, &slots, resume, into, result)?;
    if let (Some(frame), Some(arguments)) = (run.thread.frames.last_mut(), arguments) {
        frame.objects.push(arguments);
        frame.arguments = Some(arguments);
    }
    Ok(())
}

/// The arguments behind `...` as an object: each takes whole words.
fn pack(run: &mut Run<'_>, function: FunctionId, arguments: &[ArgumentCode]) -> Step<ObjectId> {
    let word = u64::from(run.image.word);
    let size_of = |argument: &ArgumentCode| argument.copied.unwrap_or(argument.bytes).next_multiple_of(word);
    let size = arguments.iter().map(size_of).sum();
    let id = run.new_object(Origin::Argument(function), size, 16, Contents::Fresh)?;
    let mut offset = 0;
    for argument in arguments {
        let at = Slot::address(id, offset);
        match argument.copied {
            Some(size) => {
                let from = run.chosen(argument.from, run.pointer_bits())?;
                exact::settle_copy(run, from)?;
                range::copy(run, at, from, size)?;
            }
            None => {
                for (slot, piece) in (0..).zip(&argument.pieces) {
                    let value = run.get(argument.from.plus(slot));
                    let at = run.moved(at, piece.offset);
                    run.store(at, value, usize::from(piece.bytes), u32::from(piece.bits))?;
                }
            }
        }
        offset += size_of(argument);
    }
    Ok(id)
}

/// `va_start`. On x86-64 the list says that all registers are used up, so that `va_arg` looks in memory.
pub(super) fn start_arguments(run: &mut Run<'_>, list: Slot) -> Step {
    let arguments = run.thread.frames.last().and_then(|frame| frame.arguments);
    let Some(arguments) = arguments else {
        return run.unsupported("va_start in a function without `...`");
    };
    let area = Slot::address(arguments, 0);
    if run.image.word == 4 {
        return run.store(list, area, 4, 32);
    }
    run.store(list, Slot::number(48), 4, 32)?;
    run.store(run.moved(list, 4), Slot::number(176), 4, 32)?;
    run.store(run.moved(list, 8), area, 8, 64)?;
    run.store(run.moved(list, 16), Slot::ZERO, 8, 64)
}

/// The innermost function returns.
pub(super) fn return_from(run: &mut Run<'_>, value: Ref, slots: u32) -> Step {
    exact::settle_end_of_frame(run)?;
    let result: [Slot; 2] = match slots {
        0 => [Slot::ZERO; 2],
        1 => [run.get(value), Slot::ZERO],
        _ => [run.get(value), run.get(value.plus(1))],
    };
    if run.thread.frames.len() == 1 {
        return process::return_from_thread(run, result[0]);
    }
    let rest: Vec<Slot> = (2..slots).map(|slot| run.get(value.plus(slot))).collect();
    let wanted = run.thread.frames.last().map_or(0, |frame| frame.slots);
    if run.tracing {
        trace::returned(run, (slots > 0).then_some(result[0]));
    }
    let into = run.pop_frame();
    for (register, slot) in (into..into + wanted.min(slots)).zip(result.into_iter().chain(rest)) {
        run.set(register, slot);
    }
    if wanted > slots {
        return run.unsupported("a function that returns less than its caller expects");
    }
    Ok(())
}

/// The arguments of a function that the machine provides.
fn builtin_arguments(run: &mut Run<'_>, function: FunctionId, call: &CallCode) -> Step<Arguments> {
    let mut arguments = Arguments::new(function);
    // What copies or fills memory takes what is undefined with it. An address counts when it is used.
    let name = run.module.functions[function].name.as_str();
    let carries = matches!(name, "memcpy" | "memmove" | "memset");
    for (number, argument) in call.arguments.iter().enumerate() {
        for (slot, piece) in (0..).zip(&argument.pieces) {
            let bits = u32::from(piece.bits);
            let value = run.chosen(argument.from.plus(slot), bits)?;
            if !carries || number == LENGTH {
                run.give_away(value)?;
            }
            arguments.push(value, bits);
        }
    }
    arguments.result = call.result.first().map_or(0, |piece| u32::from(piece.bits));
    Ok(arguments)
}

fn after_builtin(run: &mut Run<'_>, call: &CallCode, flow: Flow) -> Step {
    match flow {
        Flow::Return(value) => {
            if !call.result.is_empty() {
                run.set(call.into, value);
            }
            Ok(())
        }
        Flow::Blocked(wait) => {
            run.thread.wait = Some(wait);
            match wait {
                Wait::Condition(..) | Wait::Barrier(..) => run.switch_after_effect(),
                _ => run.switch(),
            }
        }
        Flow::Again => run.switch(),
        Flow::Elsewhere => Ok(()),
    }
}

fn call_undefined(run: &mut Run<'_>, function: FunctionId, call: &CallCode) -> Step {
    let name = &run.module.functions[function].name;
    exact::settle(run, "an undefined function")?;
    let undefined = undefined(name, run.settings.undefined);
    if undefined == Undefined::Unknown {
        return run.unsupported(format!("a call of `{name}`, which is not defined"));
    }
    if crate::library::libc::has_effects(name) {
        return run.unsupported(format!("a call of `{name}`, which is not modelled"));
    }
    let arguments = builtin_arguments(run, function, call)?;
    if undefined == Undefined::Havoc {
        havoc(run, arguments.objects());
    }
    if run.module.functions[function].never_returns {
        return Err(Box::new(End::Abort));
    }
    any_result(run, name, call)
}

/// What a function without a body does; what stands for assembly does what the assembly says.
fn undefined(name: &str, said: Undefined) -> Undefined {
    match opaque::changes(name) {
        None => said,
        Some(Changes::Outputs) => Undefined::Pure,
        Some(Changes::Memory) => Undefined::Havoc,
    }
}

/// A function that is none of the program's, called through a pointer from outside.
fn call_outside(run: &mut Run<'_>, call: &CallCode) -> Step {
    exact::settle(run, "an undefined function")?;
    let mut objects = Vec::new();
    for argument in &call.arguments {
        for (slot, piece) in (0..).zip(&argument.pieces) {
            let value = run.chosen(argument.from.plus(slot), u32::from(piece.bits))?;
            run.give_away(value)?;
            objects.extend(value.is_address().then_some(value.object));
        }
    }
    if run.settings.undefined == Undefined::Havoc {
        havoc(run, objects.into_iter());
    }
    any_result(run, OUTSIDE_FUNCTION, call)
}

/// An undefined function returns anything.
fn any_result(run: &mut Run<'_>, name: &str, call: &CallCode) -> Step {
    for (register, piece) in (call.into..).zip(&call.result) {
        let value = run.choose_bits(ChoiceKind::Result, name, u32::from(piece.bits))?;
        if u32::from(piece.bits) == run.pointer_bits() {
            run.outside.note(value);
        }
        run.set(register, Slot::number(value));
    }
    Ok(())
}

/// Whatever these objects, and variables that other files can name, lead to is arbitrary from now on.
fn havoc(run: &mut Run<'_>, objects: impl Iterator<Item = ObjectId>) {
    let named = run.module.globals.enumerate().filter(|(_, global)| global.exported && !global.thread_local);
    let named: Vec<ObjectId> = named.map(|(id, _)| object_of_global(id)).collect();
    run.tell_change();
    for id in run.memory.reachable(objects.chain(named)) {
        let object = &mut run.memory[id];
        let changeable =
            !object.constant && !matches!(object.origin, Origin::Function(_) | Origin::Stream(_));
        if changeable {
            object.words = Vec::new();
            object.mark(0, object.size as usize, shadow::HAVOCKED);
        }
    }
}
