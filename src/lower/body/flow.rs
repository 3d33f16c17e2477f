//! Control flow: how blocks end, and where they lead.

use crate::checks::{Cut, Event};
use crate::ir::{BlockId, Operand, Operation, Terminator};
use crate::lower::body::{Body, numbers};
use crate::lower::calls::parameters;
use crate::lower::memory::lifetimes;
use crate::lower::{calls, shadow};
use crate::program::{NEVER_REACHED, PropertyKind};
use crate::term::{Symbol, Term};

pub(in crate::lower) fn terminator<'m>(body: &mut Body<'_, 'm>, block: BlockId, terminator: &'m Terminator) {
    match terminator {
        Terminator::Return(value) => returns(body, value.as_ref()),
        Terminator::Jump(to) => jump(body, block, *to, None),
        Terminator::Branch { condition, yes, no } => branch(body, block, condition, *yes, *no),
        Terminator::Switch { value, bits, cases, default } => {
            switch(body, block, value, *bits, cases, *default)
        }
        // C leaves open what happens then, and so does the machine.
        Terminator::Unreachable => {
            if body.offer(&Event::NeverReached).is_ok() {
                let _ = body.unsupported::<()>(NEVER_REACHED);
            }
        }
        Terminator::Unsupported(what) => {
            let _ = body.unsupported::<()>(what.clone());
        }
    }
}

pub(in crate::lower) fn returns<'m>(body: &mut Body<'_, 'm>, value: Option<&'m Operand>) {
    if let Some(value) = value {
        let term = body.term(value);
        let width = body.lowering.store.width(term);
        let symbol = calls::result_of(body.lowering, body.procedure, width);
        body.write(symbol, term);
        if let Some(&shadow) = body.lowering.shadow.results.get(&body.id) {
            let undefined = shadow::term(body, value);
            body.write(shadow, undefined);
        }
    }
    leave_function(body);
}

/// The function returns what is in the variable of its result.
pub(in crate::lower) fn leave_function(body: &mut Body<'_, '_>) {
    lifetimes::end_locals(body);
    parameters::leave_atomic_function(body);
    let exit = body.lowering.procedures[body.procedure].exit;
    body.leave(exit, None, &[]);
}

fn jump(body: &mut Body<'_, '_>, from: BlockId, to: BlockId, condition: Option<Term>) {
    let phis = phis(body, from, to);
    body.leave(body.locations[to], condition, &phis);
}

/// The values of the phis of a block, if we come from another.
fn phis(body: &mut Body<'_, '_>, from: BlockId, to: BlockId) -> Vec<(Symbol, Term)> {
    let mut updates = Vec::new();
    for instruction in &body.function.blocks[to].instructions {
        let (Operation::Phi(incoming), Some(result)) = (&instruction.operation, instruction.result) else {
            break;
        };
        let Some((_, operand)) = incoming.iter().find(|(block, _)| *block == from) else { continue };
        let (value, slot) = (body.operand(operand), body.slot(result));
        let pairs = slot.leaves().into_iter().zip(value.leaves());
        updates.extend(pairs.map(|(to, from)| (body.symbol_of(to), from)));
        if shadow::may_be_undefined(body, result) {
            let (shadow, slot) = (shadow::of_operand(body, operand), shadow::slot(body, result));
            let pairs = slot.leaves().into_iter().zip(shadow.leaves());
            updates.extend(pairs.map(|(to, from)| (body.symbol_of(to), from)));
        }
    }
    updates
}

fn branch<'m>(body: &mut Body<'_, 'm>, block: BlockId, condition: &'m Operand, yes: BlockId, no: BlockId) {
    body.depends_on(condition);
    if yes == no {
        return jump(body, block, yes, None);
    }
    settle_inputs(body);
    let condition = body.condition(condition);
    let negated = body.lowering.store.not(condition);
    jump(body, block, yes, Some(condition));
    jump(body, block, no, Some(negated));
}

/// Inputs belong to one edge: several edges cannot share them.
fn settle_inputs(body: &mut Body<'_, '_>) {
    if body.pending().has_inputs() {
        body.cut(Cut::Plain);
    }
}

/// The number that a switch looks at, which several edges are to share.
fn switched<'m>(body: &mut Body<'_, 'm>, value: &'m Operand) -> Term {
    if numbers::observation(body).is_none() {
        settle_inputs(body);
        return body.term(value);
    }
    let number = body.term(value);
    let number = numbers::of_operand(body, 0, number);
    let symbol = body.kept("value", number);
    body.cut(Cut::Plain);
    body.read(symbol)
}

fn switch<'m>(
    body: &mut Body<'_, 'm>,
    block: BlockId,
    value: &'m Operand,
    bits: u32,
    cases: &[(u128, BlockId)],
    default: BlockId,
) {
    body.depends_on(value);
    let value = switched(body, value);
    let mut targets: indexmap::IndexMap<BlockId, Term> = indexmap::IndexMap::new();
    let mut none = body.lowering.store.boolean(true);
    for &(case, to) in cases {
        let store = &mut body.lowering.store;
        let case = store.bits(bits, case);
        let equal = store.equal(value, case);
        let differs = store.not(equal);
        none = store.and(none, differs);
        let joined = targets.get(&to).map_or(equal, |&other| store.or(other, equal));
        targets.insert(to, joined);
    }
    let otherwise = targets.get(&default).map_or(none, |&other| body.lowering.store.or(other, none));
    targets.insert(default, otherwise);
    for (to, condition) in targets {
        jump(body, block, to, Some(condition));
    }
}

pub(in crate::lower) fn error_label(body: &mut Body<'_, '_>, block: BlockId) {
    let name = &body.function.blocks[block].name;
    if body.lowering.settings.error_labels.iter().any(|label| crate::ir::is_label(name, label)) {
        body.place = body.function.blocks[block].start();
        body.property(PropertyKind::ErrorReached, format!("label {name} is not reached"), None);
    }
}
