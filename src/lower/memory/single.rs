//! Allocations that happen at most once: their objects have fixed addresses.
//!
//! An object of the heap gets its address at run time, in general, and an array says which of them live (`validity`). A program
//! proves something about such an object by arithmetic on addresses and by facts about arrays, which is expensive. But
//! many allocations have a constant size, and a run gets there at most once. Such an object is like a variable: its address
//! is a constant, and one bit says whether it lives.

use crate::checks::code::Tracking;
use crate::ir::analysis::points_to::{Origin, Site};
use crate::lower::Lowering;
use crate::lower::body::{Body, Step};
use crate::program::{Role, Scope, Variable};
use crate::term::{Sort, Symbol, Term};

impl Lowering<'_> {
    /// Gives addresses to what is allocated at most once.
    pub fn place_single_allocations(&mut self) {
        for (&site, &size) in self.points.single() {
            self.layout.add(Origin::Heap(site), self.allocation_name(site), size);
        }
    }

    /// As the machine calls it: `heap@7` is allocated in line 7.
    fn allocation_name(&self, site: Site) -> String {
        let instruction = &self.module.functions[site.function].blocks[site.block].instructions[site.number];
        instruction.place.map_or_else(|| "heap".to_owned(), |place| format!("heap@{}", place.line))
    }

    /// Makes a bit for each of them: whether it lives.
    pub fn watch_single_allocations(&mut self) {
        for origin in self.points.single().keys().map(|&site| Origin::Heap(site)) {
            let name = self.layout.object(origin).map(|object| object.name.clone()).unwrap_or_default();
            let variable = Variable { scope: Scope::Global, ty: None, role: Role::Ghost };
            let flag = self.variable(&format!("<lives {name}>"), Sort::Bits(1), variable);
            self.lifetimes.insert(origin, flag);
        }
    }

    fn is_single(&self, origin: Origin) -> bool {
        matches!(origin, Origin::Heap(_)) && !self.is_dynamic(origin)
    }

    /// What must be zero if nothing of the heap lives.
    pub fn what_lives(&self, tracking: Tracking) -> Vec<Symbol> {
        let flags =
            self.lifetimes.iter().filter(|(origin, _)| self.is_single(**origin)).map(|(_, &flag)| flag);
        let others = self.points.origins().any(|origin| {
            matches!(origin, Origin::Heap(site) if self.is_allocation(site)) && !self.is_single(origin)
        });
        flags.chain(others.then_some(tracking.count)).collect()
    }
}

impl Body<'_, '_> {
    /// An object that comes into being at most once comes into being.
    pub fn take_single(&mut self, origin: Origin, base: u64) -> Step<Term> {
        let base = self.lowering.store.bits(self.lowering.pointer_bits(), base.into());
        self.make_arbitrary(origin, base)?;
        if let Some(&flag) = self.lowering.lifetimes.get(&origin) {
            let lives = self.lowering.store.bits(1, 1);
            self.write(flag, lives);
        }
        Ok(base)
    }

    /// The allocation at hand fails if the condition holds: there is no object.
    pub fn not_single_if(&mut self, fails: Term) {
        if let Some(&flag) = self.lowering.lifetimes.get(&Origin::Heap(self.site)) {
            let (lives, gone) = (self.read(flag), self.lowering.store.bits(1, 0));
            let lives = self.lowering.store.choose(fails, gone, lives);
            self.write(flag, lives);
        }
    }

    /// Those of them that the instruction at hand may free: the address, and the bit.
    fn single_targets(&mut self) -> Vec<(Origin, Term)> {
        let targets = self.lowering.points.argument(self.site, 0);
        // What `realloc` allocates was not there before.
        let own = Origin::Heap(self.site);
        let targets = targets.into_iter().filter(|&origin| origin != own && self.lowering.is_single(origin));
        let bases = targets
            .filter_map(|origin| Some((origin, self.lowering.layout.base(origin)?)))
            .collect::<Vec<_>>();
        let bits = self.lowering.pointer_bits();
        bases
            .into_iter()
            .map(|(origin, base)| (origin, self.lowering.store.bits(bits, base.into())))
            .collect()
    }

    /// Whether the instruction at hand may free something else.
    pub fn may_free_others(&self) -> bool {
        let targets = self.lowering.points.argument(self.site, 0);
        targets.is_empty() || targets.into_iter().any(|origin| !self.lowering.is_single(origin))
    }

    /// Whether an object of the heap that lives starts at the address that is freed.
    pub fn heap_lives(&mut self, tracking: Tracking, address: Term) -> Term {
        let mut lives = if self.may_free_others() {
            self.lives(tracking, address)
        } else {
            self.lowering.store.boolean(false)
        };
        for (origin, base) in self.single_targets() {
            let Some(&flag) = self.lowering.lifetimes.get(&origin) else { continue };
            let flag = self.read(flag);
            let (here, there) = (self.is_one(flag), self.lowering.store.equal(address, base));
            let both = self.lowering.store.and(there, here);
            lives = self.lowering.store.or(lives, both);
        }
        lives
    }

    /// What starts at the address that is freed ends.
    pub fn end_single(&mut self, address: Term) {
        for (origin, base) in self.single_targets() {
            let Some(&flag) = self.lowering.lifetimes.get(&origin) else { continue };
            let (before, gone) = (self.read(flag), self.lowering.store.bits(1, 0));
            let there = self.lowering.store.equal(address, base);
            let after = self.lowering.store.choose(there, gone, before);
            self.write(flag, after);
        }
    }

    /// The size of the object that is reallocated. That it is one of those that the address can point to was checked, or is
    /// assumed.
    pub fn size_before(&mut self, address: Term) -> Term {
        let bits = self.lowering.pointer_bits();
        let mut known = None;
        if self.may_free_others() {
            let sizes = self.lowering.sizes.expect("sizes are kept for realloc");
            let sizes = self.read(sizes);
            known = Some(self.lowering.store.select(sizes, address));
        }
        for (origin, base) in self.single_targets() {
            let size = self.lowering.layout.size(origin).unwrap_or(0);
            let size = self.lowering.store.bits(bits, size.into());
            let there = self.lowering.store.equal(address, base);
            known = Some(known.map_or(size, |other| self.lowering.store.choose(there, size, other)));
        }
        known.unwrap_or_else(|| self.lowering.store.bits(bits, 0))
    }
}
