//! Calls and returns, and the arguments behind `...`.

use super::{Frame, Run, Step};
use crate::ir::FunctionId;
use crate::ir::undefined::Fault;
use crate::vm::Undefined;
use crate::vm::builtin::{Arguments, Flow};
use crate::vm::choices::ChoiceKind;
use crate::vm::code::{Access, ArgumentCode, Body, CallCode, CalleeCode, Ref, Register};
use crate::vm::memory::{Contents, Lifetime, Origin, shadow};
use crate::vm::outcome::{Bound, End};
use crate::vm::value::{ObjectId, Slot};

/// The number of the argument of `memcpy`, `memmove` and `memset` that is the length.
const LENGTH: usize = 2;

impl Run<'_> {
    pub(super) fn call(&mut self, call: &CallCode) -> Step {
        let function = match call.callee {
            CalleeCode::Known(function) => function,
            CalleeCode::Address(address) => self.function_at(address)?,
        };
        match self.image.functions[function].body {
            Body::Code => self.call_code(function, call),
            Body::Error if self.pauses_here() => self.switch(),
            Body::Error => Err(Box::new(End::ErrorReached(self.module.functions[function].name.clone()))),
            Body::Builtin(handler) => {
                let module = self.module;
                let name = &module.functions[function].name;
                self.settle_by(name)?;
                let arguments = self.builtin_arguments(function, call)?;
                let flow = match handler(self, &arguments)? {
                    Flow::Return(value) => Flow::Return(self.result_of(name, value)),
                    other => other,
                };
                if self.tracing && matches!(flow, Flow::Return(_)) {
                    self.trace_synchronisation(function, arguments.get(0));
                }
                self.after_builtin(call, flow)
            }
            Body::Undefined => self.call_undefined(function, call),
        }
    }

    /// The function that an address points to.
    fn function_at(&mut self, address: Ref) -> Step<FunctionId> {
        let address = self.get(address);
        self.function_of(address)
    }

    /// The function that an address points to.
    pub(in crate::vm) fn function_of(&mut self, address: Slot) -> Step<FunctionId> {
        let (id, offset) = self.target(address)?;
        if let (Origin::Function(function), 0) = (self.memory[id].origin, offset) {
            return Ok(function);
        }
        self.fault(Fault::Pointer, |run| format!("`{}` is called, and is no function", run.object_name(id)))?;
        self.unsupported("a call of what is no function")
    }

    fn call_code(&mut self, function: FunctionId, call: &CallCode) -> Step {
        let code = &self.image.functions[function];
        // The scheduler must have its say before an atomic function starts.
        if code.atomic && self.concurrent && self.pauses_here() {
            return self.switch();
        }
        let mut slots = Vec::with_capacity(code.parameter_slots as usize);
        let fixed = code.parameters.len().min(call.arguments.len());
        for (argument, parameter) in call.arguments.iter().zip(&code.parameters) {
            if argument.pieces.len() != parameter.slots as usize {
                return self.unsupported("a call with arguments of other types than the function has");
            }
            (0..parameter.slots).for_each(|slot| slots.push(self.get(argument.from.plus(slot))));
        }
        if fixed < code.parameters.len() {
            return self.unsupported("a call with too few arguments");
        }
        let arguments =
            if code.variadic { Some(self.pack(function, &call.arguments[fixed..])?) } else { None };
        let (resume, into, result) = (self.thread.position, call.into, call.result.len() as u32);
        self.push_frame(function, &slots, resume, into, result)?;
        if let (Some(frame), Some(arguments)) = (self.thread.frames.last_mut(), arguments) {
            frame.objects.push(arguments);
            frame.arguments = Some(arguments);
        }
        Ok(())
    }

    /// Starts a function: its first registers are these.
    pub(in crate::vm) fn push_frame(
        &mut self,
        function: FunctionId,
        parameters: &[Slot],
        resume: usize,
        into: Register,
        slots: u32,
    ) -> Step {
        if self.thread.frames.len() >= self.settings.depth {
            return Err(Box::new(End::Bound(Bound::Stack)));
        }
        let code = &self.image.functions[function];
        let base = self.thread.slots.len();
        self.thread.slots.extend_from_slice(parameters);
        self.thread.slots.resize(base + code.registers as usize, Slot::ZERO);
        let frame = Frame { function, base, resume, into, slots, objects: Vec::new(), arguments: None };
        self.thread.frames.push(frame);
        self.thread.position = 0;
        self.thread.atomic += u32::from(code.atomic);
        self.reload();
        self.copy_parameters(function)?;
        if self.tracing {
            self.trace_call(function, parameters);
        }
        Ok(())
    }

    /// Structs passed by value are copied.
    fn copy_parameters(&mut self, function: FunctionId) -> Step {
        let mut register = 0;
        for parameter in &self.image.functions[function].parameters {
            if let Some(size) = parameter.copied {
                let from = self.chosen(Ref(register), self.pointer_bits())?;
                let copy = self.new_object(Origin::Argument(function), size, 16, Contents::Fresh)?;
                self.copy(Slot::address(copy, 0), from, size)?;
                self.set(register, Slot::address(copy, 0));
                if let Some(frame) = self.thread.frames.last_mut() {
                    frame.objects.push(copy);
                }
            }
            register += parameter.slots;
        }
        Ok(())
    }

    /// The arguments behind `...` as an object: each takes whole words.
    fn pack(&mut self, function: FunctionId, arguments: &[ArgumentCode]) -> Step<ObjectId> {
        let word = u64::from(self.image.word);
        let size_of =
            |argument: &ArgumentCode| argument.copied.unwrap_or(argument.bytes).next_multiple_of(word);
        let size = arguments.iter().map(size_of).sum();
        let id = self.new_object(Origin::Argument(function), size, 16, Contents::Fresh)?;
        let mut offset = 0;
        for argument in arguments {
            let at = Slot::address(id, offset);
            match argument.copied {
                Some(size) => {
                    let from = self.chosen(argument.from, self.pointer_bits())?;
                    self.copy(at, from, size)?;
                }
                None => {
                    for (slot, piece) in (0..).zip(&argument.pieces) {
                        let value = self.get(argument.from.plus(slot));
                        let at = self.moved(at, piece.offset);
                        self.store(at, value, usize::from(piece.bytes), u32::from(piece.bits))?;
                    }
                }
            }
            offset += size_of(argument);
        }
        Ok(id)
    }

    /// `va_start`. On x86-64 the list says that all registers are used up, so that `va_arg` looks in memory.
    pub(super) fn start_arguments(&mut self, list: Slot) -> Step {
        let arguments = self.thread.frames.last().and_then(|frame| frame.arguments);
        let Some(arguments) = arguments else {
            return self.unsupported("va_start in a function without `...`");
        };
        let area = Slot::address(arguments, 0);
        if self.image.word == 4 {
            return self.store(list, area, 4, 32);
        }
        self.store(list, Slot::number(48), 4, 32)?;
        self.store(self.moved(list, 4), Slot::number(176), 4, 32)?;
        self.store(self.moved(list, 8), area, 8, 64)?;
        self.store(self.moved(list, 16), Slot::ZERO, 8, 64)
    }

    pub(super) fn return_from(&mut self, value: Ref, slots: u32) -> Step {
        let result: [Slot; 2] = match slots {
            0 => [Slot::ZERO; 2],
            1 => [self.get(value), Slot::ZERO],
            _ => [self.get(value), self.get(value.plus(1))],
        };
        if self.thread.frames.len() == 1 {
            return self.return_from_thread(result[0]);
        }
        let rest: Vec<Slot> = (2..slots).map(|slot| self.get(value.plus(slot))).collect();
        let wanted = self.thread.frames.last().map_or(0, |frame| frame.slots);
        if self.tracing {
            self.trace_return((slots > 0).then_some(result[0]));
        }
        let into = self.pop_frame();
        for (register, slot) in (into..into + wanted.min(slots)).zip(result.into_iter().chain(rest)) {
            self.set(register, slot);
        }
        if wanted > slots {
            return self.unsupported("a function that returns less than its caller expects");
        }
        Ok(())
    }

    /// Ends the innermost frame; returns where the caller wants the result.
    pub(in crate::vm) fn pop_frame(&mut self) -> Register {
        let Some(frame) = self.thread.frames.pop() else { return 0 };
        for id in frame.objects {
            self.memory.end(id, Lifetime::Ended);
        }
        self.thread.atomic -= u32::from(self.image.functions[frame.function].atomic);
        self.thread.slots.truncate(frame.base);
        self.thread.position = frame.resume;
        self.reload();
        frame.into
    }

    /// The arguments of a function that the machine provides.
    fn builtin_arguments(&mut self, function: FunctionId, call: &CallCode) -> Step<Arguments> {
        let mut arguments = Arguments::new(function);
        // What copies or fills memory takes what is undefined with it. An address counts when it is used.
        let name = self.module.functions[function].name.as_str();
        let carries = matches!(name, "memcpy" | "memmove" | "memset");
        for (number, argument) in call.arguments.iter().enumerate() {
            for (slot, piece) in (0..).zip(&argument.pieces) {
                let bits = u32::from(piece.bits);
                let value = self.chosen(argument.from.plus(slot), bits)?;
                if !carries || number == LENGTH {
                    self.give_away(value)?;
                }
                arguments.push(value, bits);
            }
        }
        arguments.result = call.result.first().map_or(0, |piece| u32::from(piece.bits));
        Ok(arguments)
    }

    fn after_builtin(&mut self, call: &CallCode, flow: Flow) -> Step {
        match flow {
            Flow::Return(value) => {
                if !call.result.is_empty() {
                    self.set(call.into, value);
                }
                Ok(())
            }
            Flow::Blocked(wait) => {
                self.thread.wait = Some(wait);
                self.switch()
            }
            Flow::Again => self.switch(),
            Flow::Elsewhere => Ok(()),
        }
    }

    fn call_undefined(&mut self, function: FunctionId, call: &CallCode) -> Step {
        let name = &self.module.functions[function].name;
        self.settle("an undefined function")?;
        if self.settings.undefined == Undefined::Unknown {
            return self.unsupported(format!("a call of `{name}`, which is not defined"));
        }
        if crate::library::libc::has_effects(name) {
            return self.unsupported(format!("a call of `{name}`, which is not modelled"));
        }
        let arguments = self.builtin_arguments(function, call)?;
        if self.settings.undefined == Undefined::Havoc {
            self.havoc(&arguments);
        }
        if self.module.functions[function].never_returns {
            return Err(Box::new(End::Abort));
        }
        for (register, piece) in (call.into..).zip(&call.result) {
            let value = self.choose_bits(ChoiceKind::Result, name, u32::from(piece.bits))?;
            self.set(register, Slot::number(value));
        }
        Ok(())
    }

    /// Whatever the arguments lead to is arbitrary from now on.
    fn havoc(&mut self, arguments: &Arguments) {
        for id in self.memory.reachable(arguments.objects()) {
            let object = &mut self.memory[id];
            let changeable =
                !object.constant && !matches!(object.origin, Origin::Function(_) | Origin::Stream(_));
            if changeable {
                object.words = Vec::new();
                object.mark(0, object.size as usize, shadow::HAVOCKED);
            }
        }
    }

    /// Reads a word through an address, for functions that the machine provides.
    pub(in crate::vm) fn load_word(&mut self, address: Slot) -> Step<Slot> {
        let word = self.image.word;
        let (id, offset) = self.resolve(address, u64::from(word), Access::Read)?;
        self.read(id, offset, word as usize, word * 8)
    }
}
