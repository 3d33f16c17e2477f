//! When local variables end: with their block of C, at the latest with their function.
//!
//! A variable with a fixed address has a flag if others may still have its address when it has ended. If it begins again (its
//! function runs again, or a loop enters its block again), it is at the same address again: then an old address is not told
//! from a new one, and that is a gap of the check. What matters is who may still have the address
//! ([`Kept`](crate::ir::analysis::points_to::Kept)): one that is only passed down is gone when the variable ends.
//!
//! A variable that begins again holds anything, whether or not somebody checks that.

use crate::checks::Event;
use crate::ground::index::IndexVec;
use crate::ir::analysis::points_to::{Multiplicity, Origin, Placement};
use crate::ir::{Constant, Function, FunctionId, Intrinsic, Module, Operand, Operation, Type, ValueId};
use crate::lower::body::{Body, Step};
use crate::lower::memory::{is_dynamic, objects};
use crate::lower::{Lowering, memory, sites};
use crate::term::{Sort, Symbol, Term};
use std::collections::BTreeSet;

/// Local variables that begin or end within their functions.
#[derive(Default)]
pub(in crate::lower) struct Scoped {
    /// Those that may begin again.
    starts: BTreeSet<Origin>,
    /// Those that end before their function does.
    ends: BTreeSet<Origin>,
}

impl Scoped {
    fn of(module: &Module, functions: &BTreeSet<FunctionId>) -> Self {
        let mut scoped = Self::default();
        for &id in functions {
            for instruction in module.functions[id].blocks.iter().flat_map(|block| &block.instructions) {
                match life(&instruction.operation) {
                    Some((Intrinsic::StartLife, value)) => _ = scoped.starts.insert(Origin::Local(id, value)),
                    Some((Intrinsic::EndLife, value)) => _ = scoped.ends.insert(Origin::Local(id, value)),
                    _ => {}
                }
            }
        }
        scoped
    }
}

/// The local variable that an operation says something about.
fn life(operation: &Operation) -> Option<(Intrinsic, ValueId)> {
    match operation {
        Operation::Intrinsic {
            intrinsic: intrinsic @ (Intrinsic::StartLife | Intrinsic::EndLife),
            arguments,
        } => match arguments.first() {
            Some((Operand::Value(value), _)) => Some((*intrinsic, *value)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an operation only says something about the life of a local variable.
pub(in crate::lower) fn is_mark(operation: &Operation) -> bool {
    let marks = [Intrinsic::StartLife, Intrinsic::EndLife, Intrinsic::UnknownLife];
    matches!(operation, Operation::Intrinsic { intrinsic, .. } if marks.contains(intrinsic))
}

/// The variable that each address is made of, by name.
pub(in crate::lower) fn roots(id: FunctionId, function: &Function) -> IndexVec<ValueId, Option<Origin>> {
    let mut roots: IndexVec<ValueId, Option<Origin>> = IndexVec::filled(None, function.values.len());
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        let Some(result) = instruction.result else { continue };
        roots[result] = match &instruction.operation {
            Operation::Allocate { .. } => Some(Origin::Local(id, result)),
            Operation::Offset { base, .. } => root(&roots, base),
            _ => None,
        };
    }
    roots
}

/// The variable that an operand is the address of, or lies at an offset from.
fn root(roots: &IndexVec<ValueId, Option<Origin>>, operand: &Operand) -> Option<Origin> {
    match operand {
        Operand::Value(value) => roots[*value],
        Operand::Constant(Constant::Global(global, _)) => Some(Origin::Global(*global)),
        Operand::Constant(_) => None,
    }
}

/// Makes flags for variables that may be accessed when they have ended.
pub(in crate::lower) fn watch(lowering: &mut Lowering<'_>) {
    lowering.memory.scoped = Scoped::of(lowering.module, lowering.points.reachable());
    if !lowering.checks.needs.lives {
        return;
    }
    let mut watched = BTreeSet::new();
    for &function in lowering.points.reachable() {
        for site in sites(lowering.module, function) {
            let regions = lowering.points.accesses(site).iter().map(|access| access.region);
            let accessed = regions.flat_map(|region| lowering.points.regions()[region].origins.clone());
            let sides = lowering.points.sides(site);
            let all = accessed.chain(sides.to).chain(sides.from);
            watched.extend(all.filter(|&origin| may_have_ended(lowering, origin, function)));
        }
    }
    for origin in watched {
        if matches!(origin, Origin::Local(..)) && has_fixed_address(lowering, origin) {
            let name = lowering.memory.layout.name(origin).unwrap_or_default();
            let flag = lowering.ghost(&format!("<lives {name}>"), Sort::Bits(1));
            lowering.memory.lifetimes.insert(origin, flag);
        }
    }
}

fn has_fixed_address(lowering: &Lowering<'_>, origin: Origin) -> bool {
    lowering.memory.layout.object(origin).is_some() && !is_dynamic(lowering, origin)
}

/// Nothing lives when the program starts.
pub(in crate::lower) fn at_first(lowering: &mut Lowering<'_>) -> Vec<(Symbol, Term)> {
    let no = lowering.store.bits(1, 0);
    lowering.memory.lifetimes.values().map(|&flag| (flag, no)).collect()
}

/// Whether an object may have ended when an instruction of a function accesses it.
fn may_have_ended(lowering: &Lowering<'_>, origin: Origin, function: FunctionId) -> bool {
    let (Origin::Local(owner, _) | Origin::Copy(owner, _) | Origin::Arguments(owner)) = origin else {
        return false;
    };
    // Nobody has the address of what needs none.
    lowering.points.object(origin) != Placement::Promoted
        && (ends_with_function(lowering, origin, owner, function) || ends_with_block(lowering, origin, owner))
}

/// Whether it may be a variable of an activation that has ended.
fn ends_with_function(
    lowering: &Lowering<'_>,
    origin: Origin,
    owner: FunctionId,
    function: FunctionId,
) -> bool {
    let first = lowering.module.functions[owner].name == lowering.settings.entry;
    let several = lowering.points.multiplicity(owner) == Multiplicity::Several;
    let ends = !first || lowering.points.routines().contains(&owner);
    // A function that runs again may have kept the address of a variable that it had before.
    let other = owner != function || several || !lowering.points.once().contains(&owner);
    ends && other && lowering.points.kept.outlived.contains(&origin)
}

/// Whether its block may have ended, and somebody still has its address: a variable whose own block lasts longer.
fn ends_with_block(lowering: &Lowering<'_>, origin: Origin, owner: FunctionId) -> bool {
    let kept = &lowering.points.kept;
    let own = block_of(lowering, origin, owner);
    let lasts = |holder: &Origin| match (own, block_of(lowering, *holder, owner)) {
        (Some(own), Some(block)) => !block.starts_with(own),
        _ => true,
    };
    lowering.memory.scoped.ends.contains(&origin)
        && (kept.outlived.contains(&origin)
            || kept.beside.get(&origin).is_some_and(|holders| holders.iter().any(lasts)))
}

/// The block of a local variable, if it is known.
fn block_of<'m>(lowering: &Lowering<'m>, origin: Origin, owner: FunctionId) -> Option<&'m [u32]> {
    let Origin::Local(_, value) = origin else { return None };
    lowering.module.functions[owner].values[value].variable.as_ref().map(|variable| variable.scope.as_slice())
}

/// Whether an access to an object that has ended may go unnoticed.
pub(in crate::lower) fn may_be_missed(lowering: &Lowering<'_>, origin: Origin, function: FunctionId) -> bool {
    let told = match origin {
        Origin::Local(owner, _) => {
            let again = ends_with_function(lowering, origin, owner, function)
                && !lowering.points.once().contains(&owner);
            lowering.memory.lifetimes.contains_key(&origin)
                && !again
                && !lowering.memory.scoped.starts.contains(&origin)
        }
        _ => false,
    };
    !told && may_have_ended(lowering, origin, function)
}

/// The variable that an address is made of, by name: it lives, or the compiler would not know the name.
pub(in crate::lower) fn named(body: &Body<'_, '_>, address: &Operand) -> Option<Origin> {
    root(&body.roots, address)
}

/// A local variable begins again: it holds anything, unless the program writes it at once.
pub(in crate::lower) fn start<'m>(body: &mut Body<'_, 'm>, arguments: &'m [(Operand, Type)]) -> Step {
    let Operand::Value(value) = arguments[0].0 else { return Ok(()) };
    if arguments.len() == 1 {
        let base = body.term(&arguments[0].0);
        objects::make_indeterminate(body, Origin::Local(body.id, value), base)?;
    }
    change(body, value, 1);
    Ok(())
}

/// A local variable ends, though its function goes on.
pub(in crate::lower) fn end(body: &mut Body<'_, '_>, variable: &Operand) {
    if let Operand::Value(value) = *variable {
        change(body, value, 0);
    }
}

/// Nobody knows when a local variable begins and ends.
pub(in crate::lower) fn unknown(body: &mut Body<'_, '_>, arguments: &[(Operand, Type)]) {
    let Operand::Value(value) = arguments[0].0 else { return };
    let kept = &body.lowering.points.kept;
    let origin = Origin::Local(body.id, value);
    let known = kept.outlived.contains(&origin) || kept.beside.contains_key(&origin);
    body.place = body.function.values[value].variable.as_ref().and_then(|variable| variable.place);
    body.tell(&Event::UnknownLife { kept: known, again: arguments.len() == 1 });
}

fn change(body: &mut Body<'_, '_>, value: ValueId, lives: u128) {
    let origin = Origin::Local(body.id, value);
    body.tell(&if lives == 1 { Event::Begins(origin) } else { Event::Ends(origin) });
    if body.lowering.memory.lifetimes.contains_key(&origin) {
        memory::touch_objects(body);
        set(body, value, lives);
    }
}

/// The function returns: its local variables end.
pub(in crate::lower) fn end_locals(body: &mut Body<'_, '_>) {
    let own = |origin: &Origin| matches!(origin, Origin::Local(function, _) if *function == body.id);
    let ending: Vec<Origin> = body.lowering.memory.lifetimes.keys().copied().filter(own).collect();
    if !ending.is_empty() {
        memory::touch_objects(body);
    }
    for origin in ending {
        if let Origin::Local(_, value) = origin {
            set(body, value, 0);
        }
    }
}

/// A local variable begins (1) or ends (0), if anybody asks.
pub(in crate::lower) fn set(body: &mut Body<'_, '_>, value: ValueId, lives: u128) {
    if let Some(flag) = body.lowering.memory.life(Origin::Local(body.id, value)) {
        let bit = body.lowering.store.bits(1, lives);
        body.write(flag, bit);
    }
}
