//! `pthread_join`.

use super::{Counted, FIRST, NO_SUCH_THREAD};
use crate::checks::{At, Code as _, Cut, Event, Manner};
use crate::ir::analysis::points_to::Access;
use crate::ir::{Operand, Type, ValueId};
use crate::lower::body::aggregate::Value;
use crate::lower::body::{Body, Step};
use crate::lower::memory;
use crate::lower::memory::transfer;
use crate::lower::shadow::Shadowed;
use crate::lower::shadow::memory::{read_shadowed, write_shadowed};
use crate::lower::threads::{identity, own};
use crate::term::{Symbol, Term};

/// `pthread_join(number, result)`: waits for the end of the thread.
pub(in crate::lower) fn join<'m>(
    body: &mut Body<'_, 'm>,
    result: Option<ValueId>,
    arguments: &'m [(Operand, Type)],
) -> Step<Option<Value>> {
    let [(number, _), (target, _)] = arguments else {
        return body.unsupported("pthread_join with other arguments");
    };
    let number = body.term(number);
    let number = body.at_pointer_width(number);
    let number = body.kept("number", number);
    body.cut(Cut::Call);
    own::first_is_not_joined(body, number);
    body.offer(&Event::Join)?;
    body.pending().shared = true;
    let joined = joined(body, number);
    body.assume(joined.ended);
    identity::number_is_free(body);
    let (width, fine) = (body.lowering.width_of(body.result_type(result)), joined.exists);
    let store = &mut body.lowering.store;
    let (zero, none) = (store.bits(width, 0), store.bits(width, NO_SUCH_THREAD));
    let code = store.choose(fine, zero, none);
    let code = body.kept("code", code);
    if let Some(returned) = joined.returned {
        write_result(body, target, returned, fine)?;
    }
    let code = body.read(code);
    Ok(result.map(|_| Value::Term(code)))
}

/// What is known of the thread with this number.
fn joined(body: &mut Body<'_, '_>, number: Symbol) -> Joined {
    let bits = body.lowering.pointer_bits();
    let number = body.read(number);
    let single = body.lowering.threads.ends();
    let counted = body.lowering.threads.counted;
    let asked = single.iter().copied().chain(counted.map(|counted| counted.ended)).next();
    let asked = asked.is_some_and(|ended| ended.returned.is_some());
    let (mut joined, first) = match counted {
        Some(counted) => (joined_counted(body, counted, number, single.len()), single.len()),
        None => {
            let (yes, no) = (body.lowering.store.boolean(true), body.lowering.store.boolean(false));
            let nothing = body.lowering.store.bits(bits, 0);
            (Joined { exists: no, ended: yes, returned: asked.then_some(nothing) }, single.len())
        }
    };
    for (place, ended) in single.into_iter().enumerate().take(first) {
        let known = body.lowering.store.bits(bits, FIRST + place as u128);
        let same = body.lowering.store.equal(number, known);
        joined.exists = body.lowering.store.or(joined.exists, same);
        let flag = body.read(ended.finished);
        let finished = body.is_one(flag);
        let other = body.lowering.store.not(same);
        let fine = body.lowering.store.or(other, finished);
        joined.ended = body.lowering.store.and(joined.ended, fine);
        if let (Some(value), Some(returned)) = (joined.returned, ended.returned) {
            let own = body.read(returned);
            joined.returned = Some(body.lowering.store.choose(same, own, value));
        }
    }
    joined
}

fn joined_counted(body: &mut Body<'_, '_>, counted: Counted, number: Term, before: usize) -> Joined {
    let bits = body.lowering.pointer_bits();
    let next = body.read(counted.next);
    let first = body.lowering.store.bits(bits, FIRST + before as u128);
    let early = body.lowering.store.unsigned_less(number, first);
    let late = body.lowering.store.not(early);
    let known = body.lowering.store.unsigned_less(number, next);
    let exists = body.lowering.store.and(late, known);
    let flags = body.read(counted.ended.finished);
    let flag = body.lowering.store.select(flags, number);
    let finished = body.is_one(flag);
    let none = body.lowering.store.not(exists);
    let ended = body.lowering.store.or(none, finished);
    let returned = counted.ended.returned.map(|returned| {
        let all = body.read(returned);
        body.lowering.store.select(all, number)
    });
    Joined { exists, ended, returned }
}

/// `*target = value`, if there is such a thread and somebody wants to know.
fn write_result<'m>(body: &mut Body<'_, 'm>, target: &'m Operand, value: Term, exists: Term) -> Step {
    let value = body.kept("returned", value);
    let exists = body.bit(exists);
    let exists = body.kept("exists", exists);
    let parts = body.lowering.points.accesses(body.site).to_vec();
    offer_result(body, target, &parts)?;
    memory::touch(body, parts.iter().map(|part| part.region));
    let at = body.term(target);
    let null = body.lowering.store.bits(body.lowering.pointer_bits(), 0);
    let nowhere = body.lowering.store.equal(at, null);
    let somewhere = body.lowering.store.not(nowhere);
    for part in parts {
        let exists = body.read(exists);
        let exists = body.is_one(exists);
        let writes = body.lowering.store.and(exists, somewhere);
        let (new, old) = (body.read(value), read_shadowed(body, &part, at));
        let shadow = old.shadow.map(|shadow| {
            let returned = shadow_of_returned(body, part.bits);
            body.lowering.store.choose(writes, returned, shadow)
        });
        let value = body.lowering.store.choose(writes, new, old.value);
        write_shadowed(body, &part, at, Shadowed { value, shadow });
    }
    Ok(())
}

/// What a thread returned is written as a block that is empty if nobody wants to know.
fn offer_result<'m>(body: &mut Body<'_, 'm>, target: &'m Operand, parts: &[Access]) -> Step {
    let bits = body.lowering.pointer_bits();
    let at = body.term(target);
    let store = &mut body.lowering.store;
    let (null, all) = (store.bits(bits, 0), store.bits(bits, u128::from(bits / 8)));
    let nowhere = store.equal(at, null);
    let bytes = store.choose(nowhere, null, all);
    let (at, bytes) = (body.kept("target", at), body.kept("bytes", bytes));
    let targets = body.targets();
    body.offer(&Event::Block { at, bytes, targets: &targets, written: true })?;
    if parts.is_empty() {
        return transfer::no_object_unless_empty(body, bytes, &[at]);
    }
    body.offer(&Event::Part { at: At::Kept(at), manner: Manner::Write, parts })
}

/// Undefined, if any thread may return what is undefined.
fn shadow_of_returned(body: &mut Body<'_, '_>, width: u32) -> Term {
    let results = body.lowering.shadow.definedness.results();
    let open = body.lowering.points.routines().iter().any(|routine| results.contains(routine));
    body.lowering.store.bits(width, if open { u128::MAX } else { 0 })
}

/// What is known of a thread that is joined.
struct Joined {
    exists: Term,
    /// It has ended, or does not exist.
    ended: Term,
    /// What it returned, if anybody asks.
    returned: Option<Term>,
}
