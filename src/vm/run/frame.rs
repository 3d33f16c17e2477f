//! Activations of functions: how they begin and end.

use super::{Frame, Run, Step};
use crate::ir::FunctionId;
use crate::vm::code::{Ref, Register};
use crate::vm::memory::{Contents, Lifetime, Origin};
use crate::vm::outcome::{Bound, End};
use crate::vm::value::Slot;
use crate::vm::{exact, range, trace};

impl Run<'_> {
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
            trace::call(self, function, parameters);
        }
        Ok(())
    }

    /// Structs passed by value are copied.
    fn copy_parameters(&mut self, function: FunctionId) -> Step {
        let mut register = 0;
        for parameter in &self.image.functions[function].parameters {
            if let Some(size) = parameter.copied {
                let from = self.chosen(Ref(register), self.pointer_bits())?;
                exact::settle_copy(self, from)?;
                let copy = self.new_object(Origin::Argument(function), size, 16, Contents::Fresh)?;
                range::copy(self, Slot::address(copy, 0), from, size)?;
                self.set(register, Slot::address(copy, 0));
                if let Some(frame) = self.thread.frames.last_mut() {
                    frame.objects.push(copy);
                }
            }
            register += parameter.slots;
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
}
