//! `pthread_join`.

use super::{Counted, Ended, FIRST, NO_SUCH_THREAD};
use crate::checks::{At, Code as _, Cut, Event, Manner};
use crate::ir::analysis::points_to::Access;
use crate::ir::{Operand, Type, ValueId};
use crate::lower::body::aggregate::Value;
use crate::lower::body::{Body, Step};
use crate::lower::shadow::Shadowed;
use crate::term::{Symbol, Term};

impl<'m> Body<'_, 'm> {
    /// `pthread_join(number, result)`: waits for the end of the thread.
    pub fn join_thread(
        &mut self,
        result: Option<ValueId>,
        arguments: &'m [(Operand, Type)],
    ) -> Step<Option<Value>> {
        let [(number, _), (target, _)] = arguments else {
            return self.unsupported("pthread_join with other arguments");
        };
        let number = self.term(number);
        let number = self.at_pointer_width(number);
        let number = self.kept("number", number);
        self.cut(Cut::Call);
        self.first_is_not_joined(number);
        self.offer(&Event::Join)?;
        self.pending().shared = true;
        let joined = self.joined(number);
        self.assume(joined.ended);
        self.number_is_free();
        let (width, fine) = (self.width(self.result_type(result)), joined.exists);
        let store = &mut self.lowering.store;
        let (zero, none) = (store.bits(width, 0), store.bits(width, NO_SUCH_THREAD));
        let code = store.choose(fine, zero, none);
        let code = self.kept("code", code);
        if let Some(returned) = joined.returned {
            self.write_result(target, returned, fine)?;
        }
        let code = self.read(code);
        Ok(result.map(|_| Value::Term(code)))
    }

    /// What is known of the thread with this number.
    fn joined(&mut self, number: Symbol) -> Joined {
        let bits = self.lowering.pointer_bits();
        let number = self.read(number);
        let single: Vec<Ended> = self.lowering.threads.single.values().flatten().copied().collect();
        let counted = self.lowering.threads.counted;
        let asked = single.iter().copied().chain(counted.map(|counted| counted.ended)).next();
        let asked = asked.is_some_and(|ended| ended.returned.is_some());
        let (mut joined, first) = match counted {
            Some(counted) => (self.joined_counted(counted, number, single.len()), single.len()),
            None => {
                let (yes, no) = (self.lowering.store.boolean(true), self.lowering.store.boolean(false));
                let nothing = self.lowering.store.bits(bits, 0);
                (Joined { exists: no, ended: yes, returned: asked.then_some(nothing) }, single.len())
            }
        };
        for (place, ended) in single.into_iter().enumerate().take(first) {
            let known = self.lowering.store.bits(bits, FIRST + place as u128);
            let same = self.lowering.store.equal(number, known);
            joined.exists = self.lowering.store.or(joined.exists, same);
            let flag = self.read(ended.finished);
            let finished = self.is_one(flag);
            let other = self.lowering.store.not(same);
            let fine = self.lowering.store.or(other, finished);
            joined.ended = self.lowering.store.and(joined.ended, fine);
            if let (Some(value), Some(returned)) = (joined.returned, ended.returned) {
                let own = self.read(returned);
                joined.returned = Some(self.lowering.store.choose(same, own, value));
            }
        }
        joined
    }

    fn joined_counted(&mut self, counted: Counted, number: Term, before: usize) -> Joined {
        let bits = self.lowering.pointer_bits();
        let next = self.read(counted.next);
        let first = self.lowering.store.bits(bits, FIRST + before as u128);
        let early = self.lowering.store.unsigned_less(number, first);
        let late = self.lowering.store.not(early);
        let known = self.lowering.store.unsigned_less(number, next);
        let exists = self.lowering.store.and(late, known);
        let flags = self.read(counted.ended.finished);
        let flag = self.lowering.store.select(flags, number);
        let finished = self.is_one(flag);
        let none = self.lowering.store.not(exists);
        let ended = self.lowering.store.or(none, finished);
        let returned = counted.ended.returned.map(|returned| {
            let all = self.read(returned);
            self.lowering.store.select(all, number)
        });
        Joined { exists, ended, returned }
    }

    /// `*target = value`, if there is such a thread and somebody wants to know.
    fn write_result(&mut self, target: &'m Operand, value: Term, exists: Term) -> Step {
        let value = self.kept("returned", value);
        let exists = self.bit(exists);
        let exists = self.kept("exists", exists);
        let parts = self.lowering.points.accesses(self.site).to_vec();
        self.offer_result(target, &parts)?;
        self.touch(parts.iter().map(|part| part.region));
        let at = self.term(target);
        let null = self.lowering.store.bits(self.lowering.pointer_bits(), 0);
        let nowhere = self.lowering.store.equal(at, null);
        let somewhere = self.lowering.store.not(nowhere);
        for part in parts {
            let exists = self.read(exists);
            let exists = self.is_one(exists);
            let writes = self.lowering.store.and(exists, somewhere);
            let (new, old) = (self.read(value), self.read_shadowed(&part, at));
            let shadow = old.shadow.map(|shadow| {
                let returned = self.shadow_of_returned(part.bits);
                self.lowering.store.choose(writes, returned, shadow)
            });
            let value = self.lowering.store.choose(writes, new, old.value);
            self.write_shadowed(&part, at, Shadowed { value, shadow });
        }
        Ok(())
    }

    /// What a thread returned is written as a block that is empty if nobody wants to know.
    fn offer_result(&mut self, target: &'m Operand, parts: &[Access]) -> Step {
        let bits = self.lowering.pointer_bits();
        let at = self.term(target);
        let store = &mut self.lowering.store;
        let (null, all) = (store.bits(bits, 0), store.bits(bits, u128::from(bits / 8)));
        let nowhere = store.equal(at, null);
        let bytes = store.choose(nowhere, null, all);
        let (at, bytes) = (self.kept("target", at), self.kept("bytes", bytes));
        let targets = self.targets();
        self.offer(&Event::Block { at, bytes, targets: &targets, written: true })?;
        if parts.is_empty() {
            return self.no_object_unless_empty(bytes, &[at]);
        }
        self.offer(&Event::Part { at: At::Kept(at), manner: Manner::Write, parts })
    }
}

impl Body<'_, '_> {
    /// Undefined, if any thread may return what is undefined.
    fn shadow_of_returned(&mut self, width: u32) -> Term {
        let results = self.lowering.definedness.results();
        let open = self.lowering.points.routines().iter().any(|routine| results.contains(routine));
        self.lowering.store.bits(width, if open { u128::MAX } else { 0 })
    }
}

/// What is known of a thread that is joined.
struct Joined {
    exists: Term,
    /// It has ended, or does not exist.
    ended: Term,
    /// What it returned, if anybody asks.
    returned: Option<Term>,
}
