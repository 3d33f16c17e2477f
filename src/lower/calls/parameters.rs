//! Parameters.
//!
//! clang stores every parameter in a local variable at once. If that is all that happens to it, parameter and variable
//! are one. Behind the parameters of C there may be others of ours: the shadows of those that may be undefined, where
//! further arguments are, and the number of the thread.

use crate::checks::Cut;
use crate::ground::index::Index;
use crate::ir::analysis::points_to::{RegionKind, Site};
use crate::ir::{BlockId, Operand, Operation, ValueId};
use crate::lower::body::Body;
use crate::lower::body::aggregate::Value;
use crate::lower::calls::varargs;
use crate::lower::memory::touched;
use crate::lower::shadow;
use crate::lower::shadow::memory::passes_shadows;
use crate::lower::threads::own;
use crate::program::{Action, Role, Scope, Variable};
use crate::term::{Sort, Symbol};

/// Sets up parameters, and the atomic section of a `__VERIFIER_atomic_…` function.
pub(in crate::lower) fn set_up(body: &mut Body<'_, '_>) {
    for parameter in &body.function.parameters {
        let info = &body.function.values[parameter.value];
        let width = body.lowering.width_of(&info.ty);
        let symbol = variable_of(body, parameter.value, width).unwrap_or_else(|| {
            let variable = Variable { scope: Scope::Local(body.procedure), ty: None, role: Role::Temporary };
            body.lowering.variable(&info.name, Sort::Bits(width), variable)
        });
        body.lowering.procedures[body.procedure].parameters.push(symbol);
        body.set_parameter(parameter.value, symbol);
    }
    receive_shadows(body);
    varargs::receive(body);
    own::receive(body);
    if is_atomic(body) {
        body.act(Action::AtomicBegin, Cut::Plain);
    }
}

/// Parameters that may be undefined have shadows, as further parameters.
fn receive_shadows(body: &mut Body<'_, '_>) {
    for parameter in &body.function.parameters {
        if !shadow::may_be_undefined(body, parameter.value) {
            continue;
        }
        let info = &body.function.values[parameter.value];
        let width = body.lowering.width_of(&info.ty);
        let shadow = if passes_shadows(body.lowering, body.id) {
            let symbol = body.temporary(&format!("<undefined {}>", info.name), width);
            body.lowering.procedures[body.procedure].parameters.push(symbol);
            body.lowering.store.symbol(symbol)
        } else {
            body.lowering.store.bits(width, u128::MAX)
        };
        body.shadows.values[parameter.value] = Some(Value::Term(shadow));
    }
}

/// A parameter that C does not have: as wide as a pointer.
pub(in crate::lower) fn hidden(body: &mut Body<'_, '_>, name: &str) -> Symbol {
    let width = body.lowering.pointer_bits();
    let symbol = body.temporary(name, width);
    body.lowering.procedures[body.procedure].parameters.push(symbol);
    symbol
}

fn is_atomic(body: &Body<'_, '_>) -> bool {
    body.function.name.starts_with("__VERIFIER_atomic_")
}

pub(in crate::lower) fn leave_atomic_function(body: &mut Body<'_, '_>) {
    if is_atomic(body) {
        body.act(Action::AtomicEnd, Cut::Plain);
    }
}

/// The variable that a parameter is stored in, if that is its only use and the first access to it.
fn variable_of(body: &Body<'_, '_>, parameter: ValueId, width: u32) -> Option<Symbol> {
    if body.uses[parameter].count != 1 {
        return None;
    }
    let block = BlockId::new(0);
    let stored = |operation: &Operation| matches!(operation, Operation::Store { value: Operand::Value(value), .. } if *value == parameter);
    let instructions = &body.function.blocks[block].instructions;
    let number = instructions.iter().position(|instruction| stored(&instruction.operation))?;
    let region = body.lowering.points.access(Site { function: body.id, block, number })?;
    let earlier = (0..number).any(|number| {
        let site = Site { function: body.id, block, number };
        touched(body.lowering.points, site).contains(&region)
    });
    let held = body.lowering.memory.regions[region];
    let local = body.lowering.variables[held.symbol].scope == Scope::Local(body.procedure);
    let fits = matches!(held.kind, RegionKind::Scalar { bits, .. } if bits == width);
    (local && fits && !earlier).then_some(held.symbol)
}
