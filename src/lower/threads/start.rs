//! `pthread_create`.

use super::FIRST;
use crate::checks::{Cut, Event};
use crate::ir::{Constant, FunctionId, Operand, Type, ValueId};
use crate::lower::body::aggregate::Value;
use crate::lower::body::{Body, Step};
use crate::program::{Action, Assumption};
use crate::term::Symbol;

impl<'m> Body<'_, 'm> {
    /// `pthread_create(handle, attributes, routine, argument)`.
    pub fn start_thread(
        &mut self,
        result: Option<ValueId>,
        arguments: &'m [(Operand, Type)],
    ) -> Step<Option<Value>> {
        let [(handle, _), _, (routine, _), (argument, _)] = arguments else {
            return self.unsupported("pthread_create with other arguments");
        };
        self.lowering.assume(Assumption::ThreadsStart);
        let argument = self.term(argument);
        let argument = self.kept("argument", argument);
        let number = self.give_number(handle)?;
        self.set_locals(number)?;
        let started = match routine {
            Operand::Constant(Constant::Function(function)) => vec![*function],
            _ => self.started(),
        };
        match started[..] {
            [] => return self.unsupported("a thread that runs an unknown function"),
            [only] if matches!(routine, Operand::Constant(_)) => self.start(only, argument, number)?,
            _ => self.start_one_of(&started, routine, argument, number)?,
        }
        let ty = self.result_type(result);
        Ok(result.map(|_| self.fresh_value(ty, &mut |body, width| body.lowering.store.bits(width, 0))))
    }

    /// The functions that a thread may run, if all are known.
    fn started(&self) -> Vec<FunctionId> {
        let started = self.lowering.points.started(self.site);
        if started.complete { started.functions } else { Vec::new() }
    }

    /// One edge for each function that the thread may run.
    fn start_one_of(
        &mut self,
        functions: &[FunctionId],
        routine: &'m Operand,
        argument: Symbol,
        number: Symbol,
    ) -> Step {
        let address = self.term(routine);
        let address = self.keep_terms(vec![address])[0];
        self.cut(Cut::Call);
        self.offer(&Event::CallThrough(address))?;
        let (start, behind) = (self.pending().from, self.new_location());
        let values = self.snapshot();
        for &function in functions {
            self.restore(values.clone());
            self.restart(start);
            let target = self.lowering.layout.function(function);
            let target = self.lowering.store.bits(self.lowering.pointer_bits(), target.into());
            let same = self.lowering.store.equal(address, target);
            self.assume(same);
            if self.start(function, argument, number).is_ok() {
                self.leave(behind, None, &[]);
            }
        }
        self.restore(values);
        self.tell(&Event::NoRoutine);
        self.restart(behind);
        Ok(())
    }

    /// The number of a new thread; it is written where the program wants it before the thread starts.
    fn give_number(&mut self, handle: &'m Operand) -> Step<Symbol> {
        let bits = self.lowering.pointer_bits();
        self.number_is_taken();
        let single = self.lowering.threads.single.get_index_of(&self.site);
        let number = match (single, self.lowering.threads.counted) {
            (Some(number), _) => self.lowering.store.bits(bits, FIRST + number as u128),
            (None, Some(counted)) => {
                self.cut(Cut::Plain);
                let number = self.read(counted.next);
                let next = self.plus(number, 1);
                self.write(counted.next, next);
                number
            }
            (None, None) => self.input("number of a thread", bits),
        };
        let number = self.kept("number", number);
        for part in self.offer_written(handle)? {
            let (at, value) = (self.term(handle), self.read(number));
            self.write_piece(&part, at, value);
        }
        Ok(number)
    }

    fn start(&mut self, function: FunctionId, argument: Symbol, number: Symbol) -> Step {
        let callee = &self.lowering.module.functions[function];
        let bits = self.lowering.pointer_bits();
        if callee.variadic {
            return self.unsupported(format!("a thread that runs {}, which is variadic", callee.name));
        }
        if !callee.is_defined() {
            return self.unsupported(format!("a thread that runs {}, which is not defined", callee.name));
        }
        let widths: Vec<u32> = callee
            .parameters
            .iter()
            .map(|parameter| self.width(&callee.values[parameter.value].ty))
            .collect();
        let takes = match widths[..] {
            [] => false,
            [width] if width == bits => true,
            _ => return self.unsupported("a thread that runs a function with other parameters"),
        };
        self.cut(Cut::Call);
        let (argument, number) = (self.read(argument), self.read(number));
        let threads = &self.lowering.threads;
        let ended = match (threads.single.get(&self.site), threads.counted) {
            (Some(ended), _) => *ended,
            (None, counted) => counted.map(|counted| counted.ended),
        };
        let action = match ended {
            Some(ended) => {
                let procedure = self.lowering.thread_procedure(function, self.site, ended);
                let single = self.lowering.threads.single.contains_key(&self.site);
                let arguments = if single { vec![argument] } else { vec![argument, number] };
                Action::Start { procedure, arguments }
            }
            None => {
                let procedure = self.lowering.of_function[&function];
                Action::Start { procedure, arguments: if takes { vec![argument] } else { Vec::new() } }
            }
        };
        self.act(action, Cut::Call);
        Ok(())
    }
}
