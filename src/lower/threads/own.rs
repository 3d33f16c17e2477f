//! Which thread runs a function: `pthread_self`, `pthread_exit`.
//!
//! The number of the thread is one more parameter of those functions that need it, and of all that call them. `main` has
//! number 1.

use super::FIRST;
use crate::checks::{Cut, Event};
use crate::ir::analysis::callees;
use crate::ir::{FunctionId, Operand, Type, ValueId};
use crate::library::functions::Known;
use crate::lower::body::aggregate::Value;
use crate::lower::body::{Body, Dead, Step, flow};
use crate::lower::calls::parameters;
use crate::lower::memory::tracking::called;
use crate::lower::threads::{local, sections};
use crate::lower::{Lowering, sites, whole};
use crate::term::{Sort, Symbol, Term};
use std::collections::BTreeSet;

/// The number of the thread that the program starts with.
pub(super) const MAIN: u128 = 1;

/// Functions that must know the number of their thread: they ask for it, or call such functions.
pub(super) fn who_must_know(lowering: &Lowering<'_>, main: FunctionId) -> BTreeSet<FunctionId> {
    let mut knowing = BTreeSet::new();
    for &function in lowering.points.reachable() {
        let asks = |site| {
            lowering.threaded() && local::is_address(lowering, site)
                || match called(lowering.module, lowering.settings, site) {
                    Some(Known::OwnThread) => true,
                    Some(Known::EndThread) => !ends_by_returning(lowering, function, main),
                    _ => false,
                }
        };
        if sites(lowering.module, function).any(asks) {
            knowing.insert(function);
        }
    }
    // A chain of calls is as long as there are functions.
    loop {
        let before = knowing.len();
        for &function in lowering.points.reachable() {
            let mut callees = sites(lowering.module, function)
                .flat_map(|site| callees(lowering.module, lowering.points, site));
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
pub(super) fn ends_by_returning(lowering: &Lowering<'_>, function: FunctionId, main: FunctionId) -> bool {
    let routine = lowering.points.routines().contains(&function);
    !lowering.threads.called.contains(&function) && (function == main) != routine
}

/// The number of the first thread, if `main` must know it.
pub(in crate::lower) fn first_number_for(lowering: &mut Lowering<'_>, main: FunctionId) -> Option<Term> {
    let bits = lowering.pointer_bits();
    lowering.threads.knowing.contains(&main).then(|| lowering.store.bits(bits, MAIN))
}

/// At the entry: a parameter says which thread this is.
pub(in crate::lower) fn receive(body: &mut Body<'_, '_>) {
    if body.lowering.threads.knowing.contains(&body.id) {
        body.own = Some(parameters::hidden(body, "thread"));
    }
}

/// What a function is told that must know.
pub(in crate::lower) fn number_for(body: &mut Body<'_, '_>, function: FunctionId) -> Option<Term> {
    body.lowering.threads.knowing.contains(&function).then(|| number(body))
}

/// The number of this thread.
pub(super) fn number(body: &mut Body<'_, '_>) -> Term {
    let own = body.own.expect("whoever asks is known to ask");
    body.read(own)
}

/// `pthread_self()`.
pub(in crate::lower) fn this_thread(body: &mut Body<'_, '_>, result: Option<ValueId>) -> Option<Value> {
    let width = body.lowering.width_of(body.result_type(result));
    result.map(|_| {
        let own = number(body);
        let own = body.lowering.store.zero_extend(width.max(body.lowering.pointer_bits()), own);
        Value::Term(body.lowering.store.extract(0, width, own))
    })
}

/// Only who asks for its own number can join the first thread; that is not modelled.
pub(super) fn first_is_not_joined(body: &mut Body<'_, '_>, number: Symbol) {
    if body.lowering.threads.knowing.is_empty() {
        return;
    }
    let bits = body.lowering.pointer_bits();
    let (number, main) = (body.read(number), body.lowering.store.bits(bits, MAIN));
    let first = body.lowering.store.equal(number, main);
    body.unsupported_if(first, "joining the first thread");
}

/// `pthread_exit(value)`: the routine of the thread returns, or the thread goes no further; `main` waits for ever.
pub(in crate::lower) fn exit<'m, T>(body: &mut Body<'_, 'm>, arguments: &'m [(Operand, Type)]) -> Step<T> {
    let main = body.lowering.threads.main.expect("there is a main");
    if body.id == main || body.own.is_some() {
        body.offer(&Event::FirstThreadEnds)?;
    }
    let value = arguments.first().map(|(operand, _)| operand);
    if body.own.is_some() && !ends_by_returning(body.lowering, body.id, main) {
        return end_below(body, value);
    }
    if body.id == main {
        note_end(body);
        body.cut(Cut::Plain);
        return Err(Dead);
    }
    if let (Some(value), Some(result)) = (value, body.lowering.procedures[body.procedure].result) {
        let value = body.term(value);
        let value = body.at_pointer_width(value);
        let Sort::Bits(width) = body.lowering.store.sort_of_symbol(result) else {
            return body.unsupported("pthread_exit in a routine whose result is no number");
        };
        let wide = body.lowering.store.zero_extend(width.max(body.lowering.pointer_bits()), value);
        let value = body.lowering.store.extract(0, width, wide);
        body.write(result, value);
    }
    flow::leave_function(body);
    Err(Dead)
}

/// The thread ends here, and goes no further: checks note what they want to know of it.
fn note_end(body: &mut Body<'_, '_>) {
    let updates = whole::notes_at_end(body.lowering);
    if updates.is_empty() {
        return;
    }
    body.cut(Cut::Call);
    body.pending().shared = true;
    updates.into_iter().for_each(|(symbol, value)| body.write(symbol, value));
}

/// The thread has ended, as its number says, and goes no further.
fn end_below<'m, T>(body: &mut Body<'_, 'm>, value: Option<&'m Operand>) -> Step<T> {
    if may_be_in_section(body) {
        return body.unsupported("pthread_exit in an atomic section");
    }
    let bits = body.lowering.pointer_bits();
    let value = match value {
        Some(value) => body.term(value),
        None => body.lowering.store.bits(bits, 0),
    };
    let value = body.at_pointer_width(value);
    let value = body.kept("returned", value);
    body.cut(Cut::Call);
    body.pending().shared = true;
    for (symbol, left) in whole::notes_at_end(body.lowering) {
        body.write(symbol, left);
    }
    let single = body.lowering.threads.ends();
    let counted = body.lowering.threads.counted;
    for (place, ended) in single.iter().enumerate() {
        let (own, known) = (number(body), body.lowering.store.bits(bits, FIRST + place as u128));
        let same = body.lowering.store.equal(own, known);
        let yes = body.lowering.store.bits(1, 1);
        write_if(body, same, ended.finished, yes);
        if let Some(returned) = ended.returned {
            let value = body.read(value);
            write_if(body, same, returned, value);
        }
    }
    if let Some(counted) = counted {
        // The cells of those that are not counted are never looked at.
        let (own, yes) = (number(body), body.lowering.store.bits(1, 1));
        let flags = body.read(counted.ended.finished);
        let flags = body.lowering.store.store(flags, own, yes);
        body.write(counted.ended.finished, flags);
        if let Some(returned) = counted.ended.returned {
            let (all, value) = (body.read(returned), body.read(value));
            let all = body.lowering.store.store(all, own, value);
            body.write(returned, all);
        }
    }
    body.cut(Cut::Plain);
    Err(Dead)
}

fn write_if(body: &mut Body<'_, '_>, condition: Term, symbol: Symbol, value: Term) {
    let old = body.read(symbol);
    let value = body.lowering.store.choose(condition, value, old);
    body.write(symbol, value);
}

/// Whether some way to this function leads through a call within an atomic section, or this place is in one.
fn may_be_in_section(body: &Body<'_, '_>) -> bool {
    let mut waiting = vec![body.id];
    let mut seen = BTreeSet::new();
    let lowering = &body.lowering;
    if sections::inside(lowering, body.id).contains(&body.site) {
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
            let inside = sections::inside(lowering, caller);
            for site in sites(lowering.module, caller) {
                if callees(lowering.module, lowering.points, site).contains(&function) {
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
