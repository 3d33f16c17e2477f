//! When local variables end: at the end of their function.
//!
//! A variable with a fixed address has a flag if others may still have its address when its function has returned. If the
//! function runs again, its variables are at the same addresses again: then an old address is not told from a new one,
//! and what is proved rests on that. Blocks within a function are not looked at, nor are copies of arguments.

use super::super::points_to::{Multiplicity, Origin, Placement};
use super::body::Body;
use super::{Lowering, sites};
use crate::ir::undefined::Fault;
use crate::ir::{FunctionId, ValueId};
use crate::program::{Role, Scope, Variable};
use crate::term::{Sort, Symbol, Term};

impl Lowering<'_> {
    /// Makes flags for variables that may be accessed when they have ended.
    pub fn watch_lifetimes(&mut self) {
        if !self.checks(Fault::Pointer) {
            return;
        }
        let mut watched = std::collections::BTreeSet::new();
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

    /// Whether an object may have ended when an instruction of a function accesses it: a local variable of another
    /// activation.
    fn may_have_ended(&self, origin: Origin, function: FunctionId) -> bool {
        let (Origin::Local(owner, _) | Origin::Copy(owner, _) | Origin::Arguments(owner)) = origin else {
            return false;
        };
        // Nobody has the address of what needs none.
        if self.points.object(origin) == Placement::Promoted {
            return false;
        }
        let first = self.module.functions[owner].name == self.settings.entry;
        let several = self.points.multiplicity(owner) == Multiplicity::Several;
        let ends = !first || self.points.routines().contains(&owner);
        ends && (owner != function || several)
    }

    /// Whether an access to an object that has ended may go unnoticed.
    pub fn may_be_missed(&self, origin: Origin, function: FunctionId) -> bool {
        let told = match origin {
            Origin::Local(owner, _) => self.lifetimes.contains_key(&origin) && self.once.contains(&owner),
            _ => false,
        };
        !told && self.may_have_ended(origin, function)
    }
}

impl Body<'_, '_> {
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
