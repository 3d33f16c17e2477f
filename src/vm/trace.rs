//! Writing down what happens, in the words of C. Whoever calls these has asked whether the run is traced.

use crate::ir::{DebugType, DebugTypeId, FunctionId, debug};
use crate::vm::choices::format::is_signed;
use crate::vm::choices::{ChoiceKind, Chosen};
use crate::vm::code::Register;
use crate::vm::names;
use crate::vm::outcome::{Event, TraceStep};
use crate::vm::run::{Run, ThreadState};
use crate::vm::value::{ObjectId, Slot, mask, signed, signed128};

/// How functions begin that make threads wait for each other, or let them go on; the first argument says for what.
const SYNCHRONISING: [&str; 13] = [
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_unlock",
    "pthread_spin_",
    "pthread_rwlock_",
    "pthread_cond_",
    "pthread_barrier_wait",
    "pthread_join",
    "sem_wait",
    "sem_post",
    "mtx_",
    "cnd_",
    "thrd_join",
];

/// Writes down an event.
pub(super) fn record(run: &mut Run<'_>, event: Event) {
    let step = TraceStep { location: run.location(), depth: run.thread.frames.len(), event };
    run.trace.push(step);
}

/// A local variable in a register was written.
pub(super) fn local(run: &mut Run<'_>, local: Register, value: Slot, bits: u32) {
    let Some(frame) = run.thread.frames.last() else { return };
    let locals = &run.image.functions[frame.function].locals;
    let Some((_, id)) = locals.iter().find(|(register, _)| *register == local) else { return };
    let Some(variable) = &run.module.functions[frame.function].values[*id].variable else { return };
    let (target, value) = (variable.name.clone(), value_text(run, value, bits, variable.ty));
    record(run, Event::Store { target, value });
}

/// Memory was written.
pub(super) fn store(run: &mut Run<'_>, id: ObjectId, offset: usize, bytes: usize, value: Slot) {
    let (target, ty) = names::typed_path(run, id, offset, bytes);
    let value = value_text(run, value, 8 * bytes as u32, ty);
    record(run, Event::Store { target, value });
}

/// A choice was made; those of the scheduler show in the threads of the steps.
pub(super) fn choice(run: &mut Run<'_>, chosen: &Chosen) {
    let what = format!("{} {}", chosen.kind.name(), chosen.name).trim_end().to_owned();
    let value = match chosen.kind {
        ChoiceKind::Address => format!("{:#x}", chosen.value),
        ChoiceKind::Input if !is_signed(&chosen.name) => chosen.value.to_string(),
        _ if chosen.bits > 1 => signed128(chosen.value, chosen.bits).to_string(),
        _ => chosen.value.to_string(),
    };
    if chosen.kind != ChoiceKind::Thread {
        record(run, Event::Choice { what, value });
    }
}

/// A function begins.
pub(super) fn call(run: &mut Run<'_>, function: FunctionId, parameters: &[Slot]) {
    debug_assert!(run.thread.state == ThreadState::Alive);
    let callee = &run.module.functions[function];
    let simple = callee.parameters.len() == parameters.len();
    let bits = |number: usize| match callee.parameters.get(number) {
        Some(parameter) if simple => 8 * run.module.size_of(&callee.values[parameter.value].ty) as u32,
        _ => 64,
    };
    let text = |(number, slot): (usize, &Slot)| value_text(run, *slot, bits(number), None);
    let arguments = parameters.iter().enumerate().map(text).collect();
    record(run, Event::Call { function: callee.name.clone(), arguments });
}

/// Locks and the like are what people look for in a run of several threads.
pub(super) fn synchronisation(run: &mut Run<'_>, function: FunctionId, object: Slot) {
    let name = &run.module.functions[function].name;
    if SYNCHRONISING.iter().any(|prefix| name.starts_with(prefix)) {
        let (function, object) = (name.clone(), value_text(run, object, 64, None));
        record(run, Event::Call { function, arguments: vec![object] });
    }
}

/// The innermost function is about to return.
pub(super) fn returned(run: &mut Run<'_>, value: Option<Slot>) {
    let Some(frame) = run.thread.frames.last() else { return };
    let function = &run.module.functions[frame.function];
    let bits = run.module.size_of(&function.result) as u32 * 8;
    let value = value.map(|slot| value_text(run, slot, bits, None));
    record(run, Event::Return { function: function.name.clone(), value });
}

/// A value as C would write it.
fn value_text(run: &Run<'_>, value: Slot, bits: u32, ty: Option<DebugTypeId>) -> String {
    if value.is_unchosen() {
        return "?".to_owned();
    }
    if value.is_address() {
        let name = names::path(run, value.object, value.bits as usize, 0);
        return format!("&{name}");
    }
    let number = value.bits & mask(bits.min(64));
    let plain = signed(number, bits.clamp(1, 64)).to_string();
    let Some(ty) = ty else { return plain };
    match &run.module.types[debug::resolve(&run.module.types, ty)] {
        DebugType::Basic { name, .. } if name == "float" => f32::from_bits(number as u32).to_string(),
        DebugType::Basic { name, .. } if name == "double" => f64::from_bits(number).to_string(),
        DebugType::Basic { signed: false, .. } => number.to_string(),
        DebugType::Enumeration { values, .. } => {
            let wanted = signed(number, bits.clamp(1, 64));
            let named = values.iter().find(|(_, value)| *value == wanted);
            named.map_or(plain, |(name, _)| name.clone())
        }
        DebugType::Pointer(_) if number == 0 => "NULL".to_owned(),
        DebugType::Pointer(_) => format!("{number:#x}"),
        _ => plain,
    }
}
