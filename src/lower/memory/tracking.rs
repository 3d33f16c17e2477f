//! Which memory may be accessed: sizes and lifetimes of objects that come into being at run time.
//!
//! If asked for, each such object starts at a multiple of one power of two that none of them exceeds, so that the start
//! of an object is found from any address in it; two arrays of ours hold its size and whether it lives.

use crate::checks::Event;
use crate::checks::code::Tracking;
use crate::ir::analysis::points_to::{Origin, Site};
use crate::ir::{Callee, Module, Operand, Operation, Type};
use crate::library::functions::{Known, known};
use crate::lower::body::Body;
use crate::lower::memory::layout::constant;
use crate::lower::{Lowering, sites};
use crate::program::{Role, Scope, Variable};
use crate::term::{Operator, Sort, Symbol, Term};

/// Objects whose size is computed may have so many bits of address.
const COMPUTED: [u32; 2] = [16, 32];

impl Lowering<'_> {
    /// Starts tracking, if a check needs it.
    pub fn track(&mut self) {
        let checked = self.needs.objects;
        if !checked && !self.reallocates() {
            return;
        }
        let bits = self.pointer_bits();
        let mut ghost = |name: &str, sort| {
            self.variable(name, sort, Variable { scope: Scope::Global, ty: None, role: Role::Ghost })
        };
        let size = ghost("<size>", Sort::Array { index: bits, element: bits });
        if !checked {
            self.sizes = Some(size);
            return;
        }
        let alive = ghost("<alive>", Sort::Array { index: bits, element: 1 });
        let count = ghost("<allocated>", Sort::Bits(bits));
        let slot = self.slot();
        self.sizes = Some(size);
        self.tracking = Some(Tracking { size, alive, count, slot });
        self.watch_single_allocations();
    }

    /// Whether sizes of objects are needed for `realloc`.
    fn reallocates(&self) -> bool {
        let mut calls = self.points.reachable().iter().flat_map(|&function| sites(self.module, function));
        calls.any(|site| called(self.module, self.settings, site) == Some(Known::Reallocate))
    }

    /// A power of two that no allocation exceeds.
    fn slot(&mut self) -> u64 {
        let computed = 1u64 << COMPUTED[usize::from(self.module.pointer_bytes == 8)];
        let mut slot = 64;
        for &function in self.points.reachable() {
            let copies = self.module.functions[function].parameters.iter().filter_map(|p| p.copied);
            slot = copies.fold(slot, |slot, size| slot.max(size.next_power_of_two()));
            for site in sites(self.module, function) {
                slot = slot.max(further(self.module, site).next_power_of_two());
                if !self.is_dynamic(Origin::Heap(site)) {
                    continue;
                }
                match allocated(self.module, self.settings, site) {
                    None => {}
                    Some(Some(size)) => slot = slot.max(size.max(1).next_power_of_two()),
                    Some(None) => {
                        slot = slot.max(computed);
                    }
                }
            }
        }
        slot
    }

    /// Whether an object was made by a function that allocates memory.
    pub fn is_allocation(&self, site: Site) -> bool {
        allocated(self.module, self.settings, site).is_some()
    }
}

/// How many bytes the arguments behind `...` may take, at most.
fn further(module: &Module, site: Site) -> u64 {
    let block = &module.functions[site.function].blocks[site.block];
    match &block.instructions[site.number].operation {
        Operation::Call { arguments, .. } => {
            arguments.iter().map(|(_, ty)| module.size_of(ty).next_multiple_of(8)).sum::<u64>().max(1)
        }
        _ => 1,
    }
}

/// The known function that an instruction calls.
pub(in crate::lower) fn called(
    module: &Module,
    settings: &crate::lower::Settings,
    site: Site,
) -> Option<Known> {
    let function = &module.functions[site.function];
    match &function.blocks[site.block].instructions[site.number].operation {
        Operation::Call { callee: Callee::Function(callee), .. } => {
            let callee = &module.functions[*callee];
            known(&callee.name, &settings.error_functions).filter(|_| !callee.is_defined())
        }
        _ => None,
    }
}

/// If an instruction allocates memory: how much, if that is a constant.
fn allocated(module: &Module, settings: &crate::lower::Settings, site: Site) -> Option<Option<u64>> {
    let function = &module.functions[site.function];
    match &function.blocks[site.block].instructions[site.number].operation {
        Operation::Allocate { size, count, .. } => {
            Some(constant(count).and_then(|count| count.checked_mul(*size)))
        }
        Operation::Call { callee: Callee::Function(callee), arguments, .. } => {
            let callee = &module.functions[*callee];
            let sizes =
                || arguments.iter().map(|(operand, _)| constant(operand)).collect::<Option<Vec<u64>>>();
            match known(&callee.name, &settings.error_functions).filter(|_| !callee.is_defined())? {
                Known::Allocate | Known::AllocateLocally | Known::AllocateZeroed => {
                    Some(sizes().and_then(|sizes| sizes.into_iter().try_fold(1u64, u64::checked_mul)))
                }
                Known::Reallocate => Some(arguments.get(1).and_then(|(operand, _)| constant(operand))),
                _ => None,
            }
        }
        _ => None,
    }
}

impl<'m> Body<'_, 'm> {
    /// Objects that are tracked fit in a slot. Where one may be larger, control cuts off before it comes into being: gives
    /// the number of bytes in the state behind the cut.
    pub fn at_most_a_slot(&mut self, bytes: Term) -> Term {
        let Some(tracking) = self.lowering.tracking else { return bytes };
        let limit = self.lowering.store.bits(self.lowering.pointer_bits(), u128::from(tracking.slot) + 1);
        let fits = self.lowering.store.unsigned_less(bytes, limit);
        if self.lowering.store.truth(fits) == Some(true) {
            return bytes;
        }
        let kept = self.kept("bytes", bytes);
        let too_large = self.lowering.store.not(fits);
        self.unsupported_if(too_large, "an object that is too large");
        self.read(kept)
    }

    /// An object comes into being.
    pub fn born(&mut self, base: Term, bytes: Term, heap: bool) {
        if let Some(sizes) = self.lowering.sizes {
            self.put(sizes, base, bytes);
        }
        let Some(tracking) = self.lowering.tracking else { return };
        let one = self.lowering.store.bits(1, 1);
        self.put(tracking.alive, base, one);
        if heap {
            self.count(tracking, 1);
        }
    }

    fn put(&mut self, array: Symbol, index: Term, value: Term) {
        let old = self.read(array);
        let new = self.lowering.store.store(old, index, value);
        self.write(array, new);
    }

    fn count(&mut self, tracking: Tracking, by: i128) {
        let old = self.read(tracking.count);
        let by = self.lowering.store.bits(self.lowering.pointer_bits(), by.cast_unsigned());
        let new = self.lowering.store.binary(Operator::Add, old, by);
        self.write(tracking.count, new);
    }

    pub fn lives(&mut self, tracking: Tracking, base: Term) -> Term {
        let alive = self.read(tracking.alive);
        let bit = self.lowering.store.select(alive, base);
        self.is_one(bit)
    }

    /// `free`: of null, or of the start of an object that lives.
    pub fn free(&mut self, arguments: &'m [(Operand, Type)]) {
        let address = self.term(&arguments[0].0);
        let address = self.kept("freed", address);
        self.tell(&Event::Free(address));
        self.free_at(address);
    }

    /// The object ends. If nothing was allocated there, nothing happens.
    pub fn free_at(&mut self, address: Symbol) {
        self.tell(&Event::Freed);
        let Some(tracking) = self.lowering.tracking else { return };
        self.touch_objects();
        let address = self.read(address);
        self.end_single(address);
        if !self.may_free_others() {
            return;
        }
        let lives = self.lives(tracking, address);
        let (alive, gone) = (self.read(tracking.alive), self.lowering.store.bits(1, 0));
        let without = self.lowering.store.store(alive, address, gone);
        self.write(tracking.alive, without);
        let (old, one) =
            (self.read(tracking.count), self.lowering.store.bits(self.lowering.pointer_bits(), 1));
        let less = self.lowering.store.binary(Operator::Subtract, old, one);
        let new = self.lowering.store.choose(lives, less, old);
        self.write(tracking.count, new);
    }
}

/// Origins of this kind are tracked.
pub(in crate::lower) fn is_tracked(lowering: &Lowering<'_>, origin: Origin) -> bool {
    match origin {
        Origin::Heap(site) => lowering.is_allocation(site),
        Origin::Local(..) | Origin::Copy(..) | Origin::Arguments(_) => true,
        Origin::Global(_) | Origin::Outside | Origin::Unset(_) => false,
    }
}
