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
use crate::lower::{Lowering, sites};
use crate::program::{Role, Scope, Variable};
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

impl Lowering<'_> {
    /// Makes flags for variables that may be accessed when they have ended.
    pub fn watch_lifetimes(&mut self) {
        self.scoped = Scoped::of(self.module, self.points.reachable());
        if !self.needs.lives {
            return;
        }
        let mut watched = BTreeSet::new();
        for &function in self.points.reachable() {
            for site in sites(self.module, function) {
                let regions = self.points.accesses(site).iter().map(|access| access.region);
                let accessed = regions.flat_map(|region| self.points.regions()[region].origins.clone());
                let sides = self.points.sides(site);
                let all = accessed.chain(sides.to).chain(sides.from);
                watched.extend(all.filter(|&origin| self.may_have_ended(origin, function)));
            }
        }
        for origin in watched {
            if matches!(origin, Origin::Local(..)) && self.has_fixed_address(origin) {
                let name = self.layout.object(origin).map(|object| object.name.clone()).unwrap_or_default();
                let variable = Variable { scope: Scope::Global, ty: None, role: Role::Ghost };
                let flag = self.variable(&format!("<lives {name}>"), Sort::Bits(1), variable);
                self.lifetimes.insert(origin, flag);
            }
        }
    }

    fn has_fixed_address(&self, origin: Origin) -> bool {
        self.layout.object(origin).is_some() && !self.is_dynamic(origin)
    }

    /// Nothing lives when the program starts.
    pub fn lifetimes_at_first(&mut self) -> Vec<(Symbol, Term)> {
        let no = self.store.bits(1, 0);
        self.lifetimes.values().map(|&flag| (flag, no)).collect()
    }

    /// Whether an object may have ended when an instruction of a function accesses it.
    fn may_have_ended(&self, origin: Origin, function: FunctionId) -> bool {
        let (Origin::Local(owner, _) | Origin::Copy(owner, _) | Origin::Arguments(owner)) = origin else {
            return false;
        };
        // Nobody has the address of what needs none.
        self.points.object(origin) != Placement::Promoted
            && (self.ends_with_function(origin, owner, function) || self.ends_with_block(origin, owner))
    }

    /// Whether it may be a variable of an activation that has ended.
    fn ends_with_function(&self, origin: Origin, owner: FunctionId, function: FunctionId) -> bool {
        let first = self.module.functions[owner].name == self.settings.entry;
        let several = self.points.multiplicity(owner) == Multiplicity::Several;
        let ends = !first || self.points.routines().contains(&owner);
        // A function that runs again may have kept the address of a variable that it had before.
        let other = owner != function || several || !self.points.once().contains(&owner);
        ends && other && self.points.kept.outlived.contains(&origin)
    }

    /// Whether its block may have ended, and somebody still has its address: a variable whose own block lasts longer.
    fn ends_with_block(&self, origin: Origin, owner: FunctionId) -> bool {
        let kept = &self.points.kept;
        let own = self.block_of(origin, owner);
        let lasts = |holder: &Origin| match (own, self.block_of(*holder, owner)) {
            (Some(own), Some(block)) => !block.starts_with(own),
            _ => true,
        };
        self.scoped.ends.contains(&origin)
            && (kept.outlived.contains(&origin)
                || kept.beside.get(&origin).is_some_and(|holders| holders.iter().any(lasts)))
    }

    /// The block of a local variable, if it is known.
    fn block_of(&self, origin: Origin, owner: FunctionId) -> Option<&[u32]> {
        let Origin::Local(_, value) = origin else { return None };
        self.module.functions[owner].values[value].variable.as_ref().map(|variable| variable.scope.as_slice())
    }

    /// Whether an access to an object that has ended may go unnoticed.
    pub fn may_be_missed(&self, origin: Origin, function: FunctionId) -> bool {
        let told = match origin {
            Origin::Local(owner, _) => {
                let again =
                    self.ends_with_function(origin, owner, function) && !self.points.once().contains(&owner);
                self.lifetimes.contains_key(&origin) && !again && !self.scoped.starts.contains(&origin)
            }
            _ => false,
        };
        !told && self.may_have_ended(origin, function)
    }
}

impl<'m> Body<'_, 'm> {
    /// The variable that an address is made of, by name: it lives, or the compiler would not know the name.
    pub fn named(&self, address: &Operand) -> Option<Origin> {
        root(&self.roots, address)
    }

    /// A local variable begins again: it holds anything, unless the program writes it at once.
    pub fn start_life(&mut self, arguments: &'m [(Operand, Type)]) -> Step {
        let Operand::Value(value) = arguments[0].0 else { return Ok(()) };
        if arguments.len() == 1 {
            let base = self.term(&arguments[0].0);
            self.make_indeterminate(Origin::Local(self.id, value), base)?;
        }
        self.change_life(value, 1);
        Ok(())
    }

    /// A local variable ends, though its function goes on.
    pub fn end_life(&mut self, variable: &Operand) {
        if let Operand::Value(value) = *variable {
            self.change_life(value, 0);
        }
    }

    /// Nobody knows when a local variable begins and ends.
    pub fn unknown_life(&mut self, arguments: &[(Operand, Type)]) {
        let Operand::Value(value) = arguments[0].0 else { return };
        let kept = &self.lowering.points.kept;
        let origin = Origin::Local(self.id, value);
        let known = kept.outlived.contains(&origin) || kept.beside.contains_key(&origin);
        self.place = self.function.values[value].variable.as_ref().and_then(|variable| variable.place);
        self.tell(&Event::UnknownLife { kept: known, again: arguments.len() == 1 });
    }

    fn change_life(&mut self, value: ValueId, lives: u128) {
        let origin = Origin::Local(self.id, value);
        self.tell(&if lives == 1 { Event::Begins(origin) } else { Event::Ends(origin) });
        if self.lowering.lifetimes.contains_key(&origin) {
            self.touch_objects();
            self.set_life(value, lives);
        }
    }

    /// A local variable comes into being.
    pub fn begins(&mut self, value: ValueId) {
        self.set_life(value, 1);
    }

    /// The function returns: its local variables end.
    pub fn end_locals(&mut self) {
        let own = |origin: &Origin| matches!(origin, Origin::Local(function, _) if *function == self.id);
        let ending: Vec<Origin> = self.lowering.lifetimes.keys().copied().filter(own).collect();
        if !ending.is_empty() {
            self.touch_objects();
        }
        for origin in ending {
            if let Origin::Local(_, value) = origin {
                self.set_life(value, 0);
            }
        }
    }

    fn set_life(&mut self, value: ValueId, lives: u128) {
        if let Some(&flag) = self.lowering.lifetimes.get(&Origin::Local(self.id, value)) {
            let bit = self.lowering.store.bits(1, lives);
            self.write(flag, bit);
        }
    }
}
