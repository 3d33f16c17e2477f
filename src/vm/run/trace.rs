//! Writing down what happens, in the words of C.

use super::{Run, ThreadState};
use crate::ir::{DebugType, DebugTypeId, FunctionId, debug};
use crate::vm::choices::format::is_signed;
use crate::vm::choices::{ChoiceKind, Chosen};
use crate::vm::code::Register;
use crate::vm::outcome::{Event, TraceStep};
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

impl Run<'_> {
    /// Writes down an event.
    pub(in crate::vm) fn record(&mut self, event: Event) {
        let step = TraceStep { location: self.location(), depth: self.thread.frames.len(), event };
        self.trace.push(step);
    }

    pub(super) fn trace_local(&mut self, local: Register, value: Slot, bits: u32) {
        let Some(frame) = self.thread.frames.last() else { return };
        let locals = &self.image.functions[frame.function].locals;
        let Some((_, id)) = locals.iter().find(|(register, _)| *register == local) else { return };
        let Some(variable) = &self.module.functions[frame.function].values[*id].variable else { return };
        let (target, value) = (variable.name.clone(), self.value_text(value, bits, variable.ty));
        self.record(Event::Store { target, value });
    }

    pub(super) fn trace_store(&mut self, id: ObjectId, offset: usize, bytes: usize, value: Slot) {
        let (target, ty) = self.path(id, offset, bytes);
        let value = self.value_text(value, 8 * bytes as u32, ty);
        self.record(Event::Store { target, value });
    }

    pub(super) fn trace_choice(&mut self, chosen: &Chosen) {
        let what = format!("{} {}", chosen.kind.name(), chosen.name).trim_end().to_owned();
        let value = match chosen.kind {
            ChoiceKind::Address => format!("{:#x}", chosen.value),
            ChoiceKind::Input if !is_signed(&chosen.name) => chosen.value.to_string(),
            _ if chosen.bits > 1 => signed128(chosen.value, chosen.bits).to_string(),
            _ => chosen.value.to_string(),
        };
        if chosen.kind != ChoiceKind::Thread {
            self.record(Event::Choice { what, value });
        }
    }

    pub(super) fn trace_call(&mut self, function: FunctionId, parameters: &[Slot]) {
        debug_assert!(self.thread.state == ThreadState::Alive);
        let callee = &self.module.functions[function];
        let simple = callee.parameters.len() == parameters.len();
        let bits = |number: usize| match callee.parameters.get(number) {
            Some(parameter) if simple => 8 * self.module.size_of(&callee.values[parameter.value].ty) as u32,
            _ => 64,
        };
        let text = |(number, slot): (usize, &Slot)| self.value_text(*slot, bits(number), None);
        let arguments = parameters.iter().enumerate().map(text).collect();
        self.record(Event::Call { function: callee.name.clone(), arguments });
    }

    /// Locks and the like are what people look for in a run of several threads.
    pub(super) fn trace_synchronisation(&mut self, function: FunctionId, object: Slot) {
        let name = &self.module.functions[function].name;
        if SYNCHRONISING.iter().any(|prefix| name.starts_with(prefix)) {
            let (function, object) = (name.clone(), self.value_text(object, 64, None));
            self.record(Event::Call { function, arguments: vec![object] });
        }
    }

    pub(super) fn trace_return(&mut self, value: Option<Slot>) {
        let Some(frame) = self.thread.frames.last() else { return };
        let function = &self.module.functions[frame.function];
        let bits = self.module.size_of(&function.result) as u32 * 8;
        let value = value.map(|slot| self.value_text(slot, bits, None));
        self.record(Event::Return { function: function.name.clone(), value });
    }

    /// A value as C would write it.
    pub(in crate::vm) fn value_text(&self, value: Slot, bits: u32, ty: Option<DebugTypeId>) -> String {
        if value.is_unchosen() {
            return "?".to_owned();
        }
        if value.is_address() {
            let name = self.path_name(value.object, value.bits as usize, 0);
            return format!("&{name}");
        }
        let number = value.bits & mask(bits.min(64));
        let plain = signed(number, bits.clamp(1, 64)).to_string();
        let Some(ty) = ty else { return plain };
        match &self.module.types[debug::resolve(&self.module.types, ty)] {
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
}
