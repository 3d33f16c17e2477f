//! The program with what is known folded into it.

use super::dead_end;
use super::view::View;
use crate::boolean::cfg::{Copy, Expression, NodeId, Op, Program, Read, Target, Time};
use crate::boolean::reduce::fold::{always_passes, as_constant};
use std::collections::BTreeMap;

/// Folds what is known into one node.
pub(super) fn rewrite(program: &mut Program, id: NodeId, view: &View<'_>) {
    let node = &mut program.nodes[id];
    match &mut node.op {
        Op::Assume(condition) => {
            *condition = view.fold(condition);
            if always_passes(condition) {
                node.op = Op::Skip;
            } else if as_constant(condition) == Some(false) {
                dead_end(program, id);
            }
        }
        Op::Assert(condition, _) => {
            *condition = view.fold(condition);
            if as_constant(condition) == Some(true) {
                node.op = Op::Skip;
            }
        }
        Op::Assign { .. } => rewrite_assignment(program, id, view),
        Op::Call { arguments: values, .. }
        | Op::StartThread { arguments: values, .. }
        | Op::Return(values) => {
            for value in values {
                *value = view.fold(value);
            }
        }
        Op::Skip | Op::StartLabel(_) | Op::EndThread | Op::AtomicBegin | Op::AtomicEnd => {}
    }
}

fn rewrite_assignment(program: &mut Program, id: NodeId, view: &View<'_>) {
    let Op::Assign { targets, values, constrain } = &mut program.nodes[id].op else { return };
    let mut folded: BTreeMap<Target, Expression> =
        targets.iter().copied().zip(values.iter().map(|value| view.fold(value))).collect();
    if let Some(constraint) = constrain {
        *constraint = view.fold_constraint(constraint, &folded);
        if as_constant(constraint) == Some(false) {
            return dead_end(program, id);
        }
        if always_passes(constraint) {
            *constrain = None;
        }
    }
    let mentioned = |target: &Target| {
        let next = Read { variable: target.variable, time: Time::Next, copy: target.copy };
        constrain.as_ref().is_some_and(|constraint| constraint.variables().any(|read| *read == next))
    };
    targets.retain(|target| {
        let idle = target.copy == Copy::Own
            && view.tracked.contains(target.variable)
            && view.literal(&folded[target]) == Some(view.facts.resolve(target.variable));
        !idle || mentioned(target)
    });
    *values = targets.iter().filter_map(|target| folded.remove(target)).collect();
    if targets.is_empty() && constrain.is_none() {
        program.nodes[id].op = Op::Skip;
    }
}
