//! Which memory may be accessed: sizes and lifetimes of objects that come into being at run time.
//!
//! If asked for, each such object starts at a multiple of one power of two that none of them exceeds, so that the start
//! of an object is found from any address in it; two arrays of ours hold its size and whether it lives.

use super::super::points_to::{Origin, Site};
use super::body::Body;
use super::environment::{Known, known};
use super::layout::constant;
use super::{Lowering, sites};
use crate::ir::undefined::Fault;
use crate::ir::{Callee, Module, Operand, Operation, Type};
use crate::program::{Assumption, PropertyKind, Role, Scope, Variable};
use crate::term::{Operator, Sort, Symbol, Term};

/// What is known of objects that come into being at run time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tracking {
    /// The size of each, by its address.
    pub size: Symbol,
    /// One bit for each, by its address: whether it lives.
    pub alive: Symbol,
    /// How many live on the heap.
    pub count: Symbol,
    /// Addresses of objects are multiples of this, and no object is larger.
    pub slot: u64,
}

/// Objects whose size is computed may have so many bits of address.
const COMPUTED: [u32; 2] = [16, 32];

impl Lowering<'_> {
    /// Starts tracking, if a check needs it.
    pub fn track(&mut self) {
        if ![Fault::Bounds, Fault::Pointer, Fault::Free, Fault::Leak].iter().any(|&fault| self.checks(fault))
        {
            return;
        }
        let bits = self.pointer_bits();
        let mut ghost = |name: &str, sort| {
            self.variable(name, sort, Variable { scope: Scope::Global, ty: None, role: Role::Ghost })
        };
        let size = ghost("<size>", Sort::Array { index: bits, element: bits });
        let alive = ghost("<alive>", Sort::Array { index: bits, element: 1 });
        let count = ghost("<allocated>", Sort::Bits(bits));
        let slot = self.slot();
        self.tracking = Some(Tracking { size, alive, count, slot });
    }

    /// A power of two that no allocation exceeds.
    fn slot(&mut self) -> u64 {
        let computed = 1u64 << COMPUTED[usize::from(self.module.pointer_bytes == 8)];
        let mut slot = 64;
        for &function in self.points.reachable() {
            for site in sites(self.module, function) {
                match allocated(self.module, self.settings, site) {
                    None => {}
                    Some(Some(size)) => slot = slot.max(size.max(1).next_power_of_two()),
                    Some(None) => {
                        slot = slot.max(computed);
                        self.assume(Assumption::ObjectsBelow(computed));
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

/// If an instruction allocates memory: how much, if that is a constant.
fn allocated(module: &Module, settings: &super::Settings, site: Site) -> Option<Option<u64>> {
    let function = &module.functions[site.function];
    match &function.blocks[site.block].instructions[site.number].operation {
        Operation::Allocate { size, count, .. } => {
            Some(constant(count).and_then(|count| count.checked_mul(*size)))
        }
        Operation::Call { callee: Callee::Function(callee), arguments, .. } => {
            let callee = &module.functions[*callee];
            let sizes =
                || arguments.iter().map(|(operand, _)| constant(operand)).collect::<Option<Vec<u64>>>();
            match known(&callee.name, settings).filter(|_| !callee.is_defined())? {
                Known::Allocate | Known::AllocateLocally | Known::AllocateZeroed => {
                    Some(sizes().and_then(|sizes| sizes.into_iter().try_fold(1u64, u64::checked_mul)))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

impl<'m> Body<'_, 'm> {
    /// An object comes into being.
    pub fn born(&mut self, base: Term, bytes: Term, heap: bool) {
        let Some(tracking) = self.lowering.tracking else { return };
        let bits = self.lowering.pointer_bits();
        let limit = self.lowering.store.bits(bits, u128::from(tracking.slot) + 1);
        let fits = self.lowering.store.unsigned_less(bytes, limit);
        self.assume(fits);
        self.put(tracking.size, base, bytes);
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

    fn lives(&mut self, tracking: Tracking, base: Term) -> Term {
        let alive = self.read(tracking.alive);
        let bit = self.lowering.store.select(alive, base);
        self.is_one(bit)
    }

    /// `free`: of null, or of the start of an object that lives.
    pub fn free(&mut self, arguments: &'m [(Operand, Type)]) {
        let Some(tracking) = self.lowering.tracking else {
            self.lowering.assume(Assumption::No(Fault::Free));
            return;
        };
        let address = self.term(&arguments[0].0);
        let lives = self.lives(tracking, address);
        let dead = self.lowering.store.not(lives);
        let zero = self.lowering.store.bits(self.lowering.pointer_bits(), 0);
        let null = self.lowering.store.equal(address, zero);
        let some = self.lowering.store.not(null);
        let wrong = self.lowering.store.and(some, dead);
        self.fault(Fault::Free, wrong, address);
        // Again: a check cuts the block. If nothing was allocated there, nothing happens.
        let address = self.term(&arguments[0].0);
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

    /// Whether an access to what came into being at run time is to a dead object, and whether it leaves a living one.
    pub fn dynamic_faults(&mut self, tracking: Tracking, at: Term, bytes: u64) -> (Term, Term) {
        let bits = self.lowering.pointer_bits();
        let mask =
            self.lowering.store.bits(bits, u128::from(tracking.slot - 1) ^ crate::term::build::mask(bits));
        let base = self.lowering.store.binary(Operator::And, at, mask);
        let lives = self.lives(tracking, base);
        let dead = self.lowering.store.not(lives);
        let sizes = self.read(tracking.size);
        let size = self.lowering.store.select(sizes, base);
        let offset = self.lowering.store.binary(Operator::Subtract, at, base);
        let count = self.lowering.store.bits(bits, bytes.into());
        let end = self.lowering.store.binary(Operator::Add, offset, count);
        let beyond = self.lowering.store.unsigned_less(size, end);
        (dead, self.lowering.store.and(lives, beyond))
    }
}

/// At the end of the program: what is still allocated may be a leak.
pub(super) fn leak_property(lowering: &Lowering<'_>) -> Option<(PropertyKind, String)> {
    lowering
        .checks(Fault::Leak)
        .then(|| (PropertyKind::Fault(Fault::Leak), "all memory is freed at the end".to_owned()))
}

/// Origins of this kind are tracked.
pub(super) fn is_tracked(lowering: &Lowering<'_>, origin: Origin) -> bool {
    match origin {
        Origin::Heap(site) => lowering.is_allocation(site),
        Origin::Local(..) | Origin::Copy(..) | Origin::Arguments(_) => true,
        Origin::Global(_) | Origin::Outside => false,
    }
}
