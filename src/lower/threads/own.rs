//! Which thread runs a function: `pthread_self`, `pthread_exit`.
//!
//! The number of the thread is one more parameter of those functions that need it, and of all that call them. `main` has
//! number 1.

use super::{Ended, FIRST};
use crate::checks::{Cut, Event};
use crate::ir::{FunctionId, Operand, Type, ValueId};
use crate::library::functions::Known;
use crate::lower::body::aggregate::Value;
use crate::lower::body::{Body, Dead, Step};
use crate::lower::memory::tracking::called;
use crate::lower::{Lowering, sites};
use crate::term::{Sort, Symbol, Term};
use std::collections::BTreeSet;

/// The number of the thread that the program starts with.
pub(super) const MAIN: u128 = 1;

impl Lowering<'_> {
    /// Functions that must know the number of their thread: they ask for it, or call such functions.
    pub(super) fn who_must_know(&self, main: FunctionId) -> BTreeSet<FunctionId> {
        let mut knowing = BTreeSet::new();
        for &function in self.points.reachable() {
            let asks = |site| {
                self.threaded && self.is_local_address(site)
                    || match called(self.module, self.settings, site) {
                        Some(Known::OwnThread) => true,
                        Some(Known::EndThread) => !self.ends_by_returning(function, main),
                        _ => false,
                    }
            };
            if sites(self.module, function).any(asks) {
                knowing.insert(function);
            }
        }
        // A chain of calls is as long as there are functions.
        loop {
            let before = knowing.len();
            for &function in self.points.reachable() {
                let mut callees = sites(self.module, function).flat_map(|site| self.callees(site));
                if callees.any(|callee| knowing.contains(&callee)) {
                    knowing.insert(function);
                }
            }
            if knowing.len() == before {
                return knowing;
            }
        }
    }

    /// Whether `pthread_exit` in a function is its return: it is what a thread runs, and nobody calls it; or `main`.
    pub(super) fn ends_by_returning(&self, function: FunctionId, main: FunctionId) -> bool {
        let routine = self.points.routines().contains(&function);
        !self.threads.called.contains(&function) && (function == main) != routine
    }

    /// The number of the first thread, if `main` must know it.
    pub fn first_number_for(&mut self, main: FunctionId) -> Option<Term> {
        let bits = self.pointer_bits();
        self.threads.knowing.contains(&main).then(|| self.store.bits(bits, MAIN))
    }
}

impl<'m> Body<'_, 'm> {
    /// At the entry: a parameter says which thread this is.
    pub fn receive_own_number(&mut self) {
        if self.lowering.threads.knowing.contains(&self.id) {
            self.own = Some(self.hidden_parameter("thread"));
        }
    }

    /// What a function is told that must know.
    pub fn own_number_for(&mut self, function: FunctionId) -> Option<Term> {
        self.lowering.threads.knowing.contains(&function).then(|| self.own_number())
    }

    /// The number of this thread.
    pub(super) fn own_number(&mut self) -> Term {
        let own = self.own.expect("whoever asks is known to ask");
        self.read(own)
    }

    /// `pthread_self()`.
    pub fn this_thread(&mut self, result: Option<ValueId>) -> Option<Value> {
        let width = self.width(self.result_type(result));
        result.map(|_| {
            let own = self.own_number();
            let own = self.lowering.store.zero_extend(width.max(self.lowering.pointer_bits()), own);
            Value::Term(self.lowering.store.extract(0, width, own))
        })
    }

    /// Only who asks for its own number can join the first thread; that is not modelled.
    pub(super) fn first_is_not_joined(&mut self, number: Symbol) {
        if self.lowering.threads.knowing.is_empty() {
            return;
        }
        let bits = self.lowering.pointer_bits();
        let (number, main) = (self.read(number), self.lowering.store.bits(bits, MAIN));
        let first = self.lowering.store.equal(number, main);
        self.unsupported_if(first, "joining the first thread");
    }

    /// `pthread_exit(value)`: the routine of the thread returns, or the thread goes no further; `main` waits for ever.
    pub fn end_thread<T>(&mut self, arguments: &'m [(Operand, Type)]) -> Step<T> {
        let main = self.lowering.threads.main.expect("there is a main");
        if self.id == main || self.own.is_some() {
            self.offer(&Event::FirstThreadEnds)?;
        }
        let value = arguments.first().map(|(operand, _)| operand);
        if self.own.is_some() && !self.lowering.ends_by_returning(self.id, main) {
            return self.end_below(value);
        }
        if self.id == main {
            self.notes_at_end();
            self.cut(Cut::Plain);
            return Err(Dead);
        }
        if let (Some(value), Some(result)) = (value, self.lowering.procedures[self.procedure].result) {
            let value = self.term(value);
            let value = self.at_pointer_width(value);
            let Sort::Bits(width) = self.lowering.store.sort_of_symbol(result) else {
                return self.unsupported("pthread_exit in a routine whose result is no number");
            };
            let wide = self.lowering.store.zero_extend(width.max(self.lowering.pointer_bits()), value);
            let value = self.lowering.store.extract(0, width, wide);
            self.write(result, value);
        }
        self.leaves();
        Err(Dead)
    }

    /// The thread ends here, and goes no further: checks note what they want to know of it.
    fn notes_at_end(&mut self) {
        let updates = self.lowering.notes_at_end();
        if updates.is_empty() {
            return;
        }
        self.cut(Cut::Call);
        self.pending().shared = true;
        updates.into_iter().for_each(|(symbol, value)| self.write(symbol, value));
    }

    /// The thread has ended, as its number says, and goes no further.
    fn end_below<T>(&mut self, value: Option<&'m Operand>) -> Step<T> {
        if self.may_be_in_section() {
            return self.unsupported("pthread_exit in an atomic section");
        }
        let bits = self.lowering.pointer_bits();
        let value = match value {
            Some(value) => self.term(value),
            None => self.lowering.store.bits(bits, 0),
        };
        let value = self.at_pointer_width(value);
        let value = self.kept("returned", value);
        self.cut(Cut::Call);
        self.pending().shared = true;
        for (symbol, left) in self.lowering.notes_at_end() {
            self.write(symbol, left);
        }
        let single: Vec<Ended> = self.lowering.threads.single.values().flatten().copied().collect();
        let counted = self.lowering.threads.counted;
        for (place, ended) in single.iter().enumerate() {
            let (own, known) = (self.own_number(), self.lowering.store.bits(bits, FIRST + place as u128));
            let same = self.lowering.store.equal(own, known);
            let yes = self.lowering.store.bits(1, 1);
            self.write_if(same, ended.finished, yes);
            if let Some(returned) = ended.returned {
                let value = self.read(value);
                self.write_if(same, returned, value);
            }
        }
        if let Some(counted) = counted {
            // The cells of those that are not counted are never looked at.
            let (own, yes) = (self.own_number(), self.lowering.store.bits(1, 1));
            let flags = self.read(counted.ended.finished);
            let flags = self.lowering.store.store(flags, own, yes);
            self.write(counted.ended.finished, flags);
            if let Some(returned) = counted.ended.returned {
                let (all, value) = (self.read(returned), self.read(value));
                let all = self.lowering.store.store(all, own, value);
                self.write(returned, all);
            }
        }
        self.cut(Cut::Plain);
        Err(Dead)
    }

    fn write_if(&mut self, condition: Term, symbol: Symbol, value: Term) {
        let old = self.read(symbol);
        let value = self.lowering.store.choose(condition, value, old);
        self.write(symbol, value);
    }

    /// Whether some way to this function leads through a call within an atomic section, or this place is in one.
    fn may_be_in_section(&self) -> bool {
        let mut waiting = vec![self.id];
        let mut seen = BTreeSet::new();
        let lowering = &self.lowering;
        if lowering.inside_sections(self.id).contains(&self.site) {
            return true;
        }
        while let Some(function) = waiting.pop() {
            if !seen.insert(function) {
                continue;
            }
            if lowering.module.functions[function].name.starts_with("__VERIFIER_atomic_") {
                return true;
            }
            for &caller in lowering.points.reachable() {
                let inside = lowering.inside_sections(caller);
                for site in sites(lowering.module, caller) {
                    if lowering.callees(site).contains(&function) {
                        if inside.contains(&site) {
                            return true;
                        }
                        waiting.push(caller);
                    }
                }
            }
        }
        false
    }
}
