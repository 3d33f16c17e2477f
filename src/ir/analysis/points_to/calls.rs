//! Calls: arguments flow to parameters, results flow back.
//!
//! A call by address waits at its node for functions to arrive. A function is bound only if it fits the call: as many
//! arguments as parameters (at least as many if it is variadic, any number if it has no parameters, as old definitions
//! `f() {…}` do), each of the same size, and a result of the size that is expected. A call to a function that does not
//! fit is undefined in C. A thread may start with any function.

use super::Origin;
use super::external::External;
use super::graph::Cell;
use super::state::{Analysis, CopyKey, Entry, RawAccess, RawCall, RawTransfer};
use crate::ir::{FunctionId, Type, ValueId};

impl Analysis<'_> {
    /// A call of a function by name.
    pub fn direct_call(&mut self, call: RawCall, target: FunctionId) {
        let number = self.calls.len();
        self.calls.push(call);
        self.bind(number, target);
    }

    /// A call by address.
    pub fn indirect_call(&mut self, call: RawCall) {
        let number = self.calls.len();
        let address = call.address;
        self.calls.push(call);
        if let Some(address) = address {
            self.graph.inhabit(address, |body| body.calls.push(number));
        }
    }

    /// Binds calls to functions that have met; says whether there was any.
    pub fn bind_callable(&mut self) -> bool {
        let mut nodes = std::mem::take(&mut self.graph.callable);
        let some = !nodes.is_empty();
        nodes.sort_unstable();
        nodes.dedup();
        for node in nodes {
            let body = self.graph.body(node);
            let (calls, functions, outside) = (body.calls.clone(), body.functions.clone(), body.outside);
            for number in calls {
                for &function in &functions {
                    if self.fits(&self.calls[number], function) {
                        self.bind(number, function);
                    }
                }
                if outside && self.incomplete.insert(self.calls[number].site) {
                    self.external(&self.calls[number].clone(), External::Anything);
                }
            }
        }
        some
    }

    /// Whether a function can be called so.
    fn fits(&self, call: &RawCall, target: FunctionId) -> bool {
        let function = &self.module.functions[target];
        let (given, taken) = (call.arguments.len(), function.parameters.len());
        if call.entry == Entry::Thread {
            return true;
        }
        let enough = given == taken || taken == 0 || function.variadic && given > taken;
        let size = |ty: &Type| self.module.size_of(ty);
        let parameter = |number: usize| size(&function.values[function.parameters[number].value].ty);
        enough
            && (0..taken).all(|number| size(&call.arguments[number].1) == parameter(number))
            && call.result_type.as_ref().is_none_or(|ty| size(ty) == size(&function.result))
    }

    fn bind(&mut self, number: usize, target: FunctionId) {
        if !self.bound.insert((number, target)) {
            return;
        }
        let call = self.calls[number].clone();
        self.edges.push((call.site, target, call.entry));
        let function = &self.module.functions[target];
        if !function.is_defined() {
            let effect = (self.externals)(&function.name);
            self.other_files |= effect == External::Anything;
            return self.external(&call, effect);
        }
        self.reach(target);
        for (parameter, (declared, argument)) in function.parameters.iter().zip(&call.arguments).enumerate() {
            match declared.copied {
                Some(size) => self.pass_copy(&call, target, parameter, argument.0, size),
                None => self.pass(target, declared.value, argument),
            }
        }
        if function.variadic {
            self.pass_further(&call, target, function.parameters.len());
        }
        let returned = self.result(target);
        self.assign(call.result, Some(returned));
        if call.result_type == Some(Type::Pointer) && function.result != Type::Pointer {
            self.adopted.extend(call.result);
        }
    }

    fn pass(&mut self, target: FunctionId, parameter: ValueId, (argument, ty): &(Option<Cell>, Type)) {
        let to = self.value(target, parameter);
        self.assign(to, *argument);
        // An integer may be passed for an address if the call does not know the types of the parameters.
        let address = self.module.functions[target].values[parameter].ty == Type::Pointer;
        if address && argument.is_some() && *ty != Type::Pointer {
            self.adopted.extend(to);
        }
    }

    /// The object that a parameter passed by value is.
    pub fn parameter_copy(&mut self, target: FunctionId, parameter: usize, size: u64) -> Cell {
        let cell = self.object(Origin::Copy(target, parameter), Some(size));
        let declared = &self.module.functions[target].parameters[parameter];
        if let Some(value) = self.value(target, declared.value) {
            self.graph.unify(value, cell);
        }
        cell
    }

    fn pass_copy(
        &mut self,
        call: &RawCall,
        target: FunctionId,
        parameter: usize,
        from: Option<Cell>,
        size: u64,
    ) {
        let to = self.parameter_copy(target, parameter, size);
        if from.is_some() {
            let key = CopyKey::Argument(call.site, target, parameter);
            self.transfers.push(RawTransfer { key, to, from, length: Some(size) });
        }
    }

    /// Arguments behind `...`.
    fn pass_further(&mut self, call: &RawCall, target: FunctionId, first: usize) {
        let area = self.arguments_area(target);
        for (number, (argument, ty)) in call.arguments.iter().enumerate().skip(first) {
            if let Some(Some(size)) = call.copied.get(number) {
                let (key, length) = (CopyKey::Silent, Some(*size));
                if argument.is_some() {
                    self.transfers.push(RawTransfer { key, to: area, from: *argument, length });
                }
                continue;
            }
            let width = u32::try_from(self.module.size_of(ty)).unwrap_or(u32::MAX).max(1);
            self.graph.touch(area, width, |slot| {
                slot.stored = true;
                slot.number_stored |= *ty != Type::Pointer;
            });
            if width >= self.pointer() {
                let link = self.graph.link(area, width);
                self.assign(Some(link), *argument);
            }
        }
    }

    /// The effect of a function without a body.
    pub fn external(&mut self, call: &RawCall, effect: External) {
        let argument = |number: usize| call.arguments.get(number).and_then(|argument| argument.0);
        match effect {
            External::Nothing | External::Prints | External::Frees => {}
            External::Allocates(_) => self.allocation(call),
            External::Invents => {
                self.allocation(call);
                let object = self.by_origin[&Origin::Heap(call.site)];
                self.objects[object].invented = true;
            }
            External::Reallocates(old, _) => {
                self.allocation(call);
                self.assign(call.result, argument(old));
            }
            External::ReturnsArgument(number) => self.assign(call.result, argument(number)),
            External::CopiesMemory(to, from) => {
                if let (Some(to), Some(from)) = (argument(to), argument(from)) {
                    let key = CopyKey::Site(call.site);
                    self.transfers.push(RawTransfer { key, to, from: Some(from), length: None });
                }
                self.assign(call.result, argument(to));
            }
            External::StartsThread { handle, routine, argument: passed } => {
                self.write_handle(call, argument(handle));
                self.start_thread(call, argument(routine), passed);
            }
            External::JoinsThread { result } => self.join_thread(call, argument(result)),
            External::EndsThread { result } => self.assign(Some(self.thread_result), argument(result)),
            External::Anything => {
                self.unknown_code = true;
                for &(argument, _) in &call.arguments {
                    self.assign(Some(self.outside), argument);
                }
                if call.result_type == Some(Type::Pointer) {
                    self.assign(call.result, Some(self.outside));
                }
            }
        }
    }

    fn allocation(&mut self, call: &RawCall) {
        let cell = self.object(Origin::Heap(call.site), None);
        self.assign(call.result, Some(cell));
    }

    fn start_thread(&mut self, call: &RawCall, routine: Option<Cell>, passed: usize) {
        let arguments = call.arguments.get(passed).cloned().into_iter().collect();
        self.indirect_call(RawCall {
            site: call.site,
            entry: Entry::Thread,
            address: routine,
            arguments,
            copied: Vec::new(),
            result: Some(self.thread_result),
            result_type: None,
        });
    }

    /// `*handle = the number of the thread`.
    fn write_handle(&mut self, call: &RawCall, handle: Option<Cell>) {
        let Some(cell) = handle else { return };
        let width = self.pointer();
        self.graph.touch(cell, width, |slot| {
            slot.stored = true;
            slot.number_stored = true;
        });
        self.accesses.push(RawAccess { site: call.site, cell, offset: 0, width });
    }

    /// `*result = what the thread returned`.
    fn join_thread(&mut self, call: &RawCall, result: Option<Cell>) {
        let Some(cell) = result else { return };
        let width = self.pointer();
        self.graph.touch(cell, width, |slot| slot.stored = true);
        let link = self.graph.link(cell, width);
        self.graph.assign(link, self.thread_result);
        self.accesses.push(RawAccess { site: call.site, cell, offset: 0, width });
    }
}
