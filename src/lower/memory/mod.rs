//! Memory: reading and writing regions.

pub(in crate::lower) mod constants;
pub(in crate::lower) mod heap;
pub(in crate::lower) mod layout;
pub(in crate::lower) mod lifetimes;
pub(in crate::lower) mod objects;
pub(in crate::lower) mod single;
pub(in crate::lower) mod tracking;
pub(in crate::lower) mod transfer;

use crate::checks::null::{NULL_PAGE, null_access};
use crate::checks::{Code as _, Cut, Event};
use crate::ground::index::Index;
use crate::ir::analysis::points_to::{Access, ObjectCell, Origin, RegionId, RegionKind};
use crate::ir::{FunctionId, Operand, Type};
use crate::lower::Lowering;
use crate::lower::body::aggregate::{Value, scalars};
use crate::lower::body::{Body, Step};
use crate::lower::shadow::Shadowed;
use crate::program::{Action, Role, Scope, Variable};
use crate::term::{Operator, Sort, Symbol, Term};
use rustc_hash::FxHashMap;

/// How a region is held.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) struct Held {
    pub symbol: Symbol,
    pub kind: RegionKind,
    /// Whether all of it starts as zero, not only what C initialises: then what is allocated there must be made
    /// arbitrary by hand.
    pub zeroed: bool,
    /// What it always holds, if nothing ever changes it.
    pub constant: Option<Term>,
    /// Which bits are undefined, if some may be.
    pub shadow: Option<Symbol>,
}

/// The functions that access a region.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Accessors {
    One(FunctionId),
    Several,
}

impl Lowering<'_> {
    /// Makes a variable for every region.
    pub fn hold_regions(&mut self) {
        let accessors = self.accessors();
        for (id, region) in self.points.regions().enumerate() {
            let owner = accessors.get(&id).copied();
            let name = self.region_name(id);
            let (sort, role, scope) = match region.kind {
                RegionKind::Scalar { bits, origin, .. } => {
                    (Sort::Bits(bits), Role::Plain, self.scope_of(origin, owner))
                }
                RegionKind::Cells { bits } => (self.array(bits), Role::Memory, Scope::Global),
                RegionKind::Bytes => (self.array(8), Role::Memory, Scope::Global),
            };
            let symbol = self.variable(&name, sort, Variable { scope, ty: region.ty, role });
            let kind = region.kind;
            self.regions.push(Held { symbol, kind, zeroed: false, constant: None, shadow: None });
        }
        self.find_constants();
        self.hold_shadows();
    }

    fn region_name(&self, id: RegionId) -> String {
        let region = &self.points.regions()[id];
        let object = |origin| self.layout.object(origin).map(|object| object.name.clone());
        match region.kind {
            _ if !region.name.is_empty() => region.name.clone(),
            RegionKind::Scalar { origin, offset: 0, .. }
                if object(origin).is_some_and(|name| !name.is_empty()) =>
            {
                object(origin).unwrap_or_default()
            }
            RegionKind::Scalar { origin: origin @ Origin::Heap(_), offset, .. } => {
                format!("{}+{offset}", object(origin).unwrap_or_default())
            }
            _ => format!("<memory {}>", id.index()),
        }
    }

    fn array(&self, element: u32) -> Sort {
        Sort::Array { index: self.pointer_bits(), element }
    }

    /// A local variable that only its own function accesses is local in the program model, too.
    fn scope_of(&self, origin: Origin, accessors: Option<Accessors>) -> Scope {
        match (origin, accessors) {
            (Origin::Local(function, _), None) => Scope::Local(self.of_function[&function]),
            (Origin::Local(function, _), Some(Accessors::One(only))) if function == only => {
                Scope::Local(self.of_function[&function])
            }
            // Copies of arguments are written by the caller.
            _ => Scope::Global,
        }
    }

    fn accessors(&self) -> FxHashMap<RegionId, Accessors> {
        let mut out: FxHashMap<RegionId, Accessors> = FxHashMap::default();
        for &function in self.points.reachable() {
            for site in crate::lower::sites(self.module, function) {
                for region in self.touched(site) {
                    let entry = out.entry(region).or_insert(Accessors::One(function));
                    if *entry != Accessors::One(function) {
                        *entry = Accessors::Several;
                    }
                }
            }
        }
        out
    }
}

impl<'m> Body<'_, 'm> {
    /// Reads a value of a type.
    pub fn load(&mut self, address: &'m Operand, ty: &Type) -> Step<Value> {
        self.depends_on(address);
        let access = self.prepare(address, ty)?;
        if self.result_is_shadowed() {
            self.shadow = Some(self.read_shadow_at(&access, ty));
        }
        self.read_at(&access, ty)
    }

    /// Writes a value of a type.
    pub fn store(&mut self, address: &'m Operand, value: &'m Operand, ty: &Type) -> Step {
        self.depends_on(address);
        let access = self.prepare(address, ty)?;
        // Not before: the access may have cut the block.
        let shadow = self.is_shadowed(value).then(|| self.shadow(value));
        let value = self.operand(value);
        self.write_at(&access, &value, shadow.as_ref(), ty)
    }

    /// Checks an access and cuts before it if need be.
    pub fn prepare(&mut self, address: &'m Operand, ty: &Type) -> Step<Prepared> {
        let parts = self.lowering.points.accesses(self.site).to_vec();
        let (bytes, manner) = (self.lowering.module.size_of(ty), self.lowering.manner(self.site));
        self.offer(&Event::Access { address, bytes, manner, parts: &parts })?;
        if parts.is_empty() {
            let at = self.term(address);
            let page = self.lowering.store.bits(self.lowering.pointer_bits(), NULL_PAGE);
            let null = self.lowering.store.unsigned_less(at, page);
            return self.no_object(null);
        }
        if self.is_unset() {
            self.look_for_null(address)?;
        }
        self.touch(parts.iter().map(|part| part.region));
        let at = self.term(address);
        Ok(Prepared { at, parts })
    }

    pub fn read_at(&mut self, access: &Prepared, ty: &Type) -> Step<Value> {
        let mut terms = Vec::new();
        for (offset, scalar) in scalars(ty) {
            let Some(part) = access.parts.iter().find(|part| part.offset == offset) else {
                return self.unsupported("an access to a part of memory that no region has");
            };
            let stored = self.read_piece(part, access.at);
            let width = self.width(&scalar);
            terms.push(self.lowering.store.extract(0, width, stored));
        }
        let mut terms = terms.into_iter();
        Ok(self.fresh_value(ty, &mut |_, _| terms.next().expect("one for each scalar")))
    }

    /// Writes a value and its shadow, if not all of it is defined.
    pub fn write_at(&mut self, access: &Prepared, value: &Value, shadow: Option<&Value>, ty: &Type) -> Step {
        let shadows = shadow.map(Value::leaves);
        for (number, ((offset, _), leaf)) in scalars(ty).into_iter().zip(value.leaves()).enumerate() {
            let Some(part) = access.parts.iter().find(|part| part.offset == offset) else {
                return self.unsupported("an access to a part of memory that no region has");
            };
            let value = self.lowering.store.zero_extend(part.bits, leaf);
            let shadow = shadows.as_ref().and_then(|leaves| leaves.get(number).copied());
            let shadow = shadow.map(|leaf| self.lowering.store.zero_extend(part.bits, leaf));
            self.write_shadowed(part, access.at, Shadowed { value, shadow });
        }
        Ok(())
    }

    /// Whether the access at hand is through an uninitialised pointer, or through null.
    fn is_unset(&self) -> bool {
        self.targets().iter().all(|origin| matches!(origin, Origin::Unset(_)))
    }

    /// The access is a fault, or the run ends if the pointer is null.
    fn look_for_null(&mut self, address: &'m Operand) -> Step {
        let at = self.term(address);
        let (null, _) = null_access(self, at);
        if self.lowering.store.truth(null) == Some(true) {
            return self.no_object(null);
        }
        self.offer(&Event::UnsetPointer)?;
        let somewhere = self.lowering.store.not(null);
        self.assume(somewhere);
        Ok(())
    }

    /// An access to what is no object is a fault, or the run ends if the pointer is null. An uninitialised
    /// pointer may by chance point to something, and nobody knows to what.
    pub fn no_object<T>(&mut self, null: Term) -> Step<T> {
        self.offer(&Event::NoObject)?;
        let condition = self.lowering.store.not(null);
        if self.lowering.store.truth(condition) == Some(false) {
            return self.end(Action::End);
        }
        self.assume(condition);
        self.unsupported("an access through an uninitialised pointer")
    }

    /// Cuts before a second access to shared memory: other threads may run between them.
    pub fn touch(&mut self, regions: impl Iterator<Item = RegionId>) {
        let changes = |region: &RegionId| self.lowering.regions[*region].constant.is_none();
        let mut regions = regions.filter(changes).map(|region| self.lowering.regions[region].symbol);
        let global = |symbol: Symbol| self.lowering.variables[symbol].scope == Scope::Global;
        let shared = self.lowering.threaded && regions.any(global);
        if shared && self.pending().shared && self.section.is_none() {
            self.cut(Cut::Plain);
        }
        self.pending().shared |= shared;
    }

    /// Which objects live is about to change, and others can see that: it is like an access to shared memory.
    pub fn touch_objects(&mut self) {
        let kept = self.lowering.tracking.is_some() || !self.lowering.lifetimes.is_empty();
        if !kept || !self.lowering.threaded {
            return;
        }
        if self.pending().shared && self.section.is_none() {
            self.cut(Cut::Plain);
        }
        self.pending().shared = true;
    }

    pub fn read_piece(&mut self, piece: &Access, base: Term) -> Term {
        let held = self.lowering.regions[piece.region];
        if let Some(constant) = held.constant {
            return constant;
        }
        if let RegionKind::Cells { .. } = held.kind {
            let memory = self.read(held.symbol);
            let address = self.plus(base, piece.offset);
            return self.lowering.read_cell(piece.region, memory, address);
        }
        self.read_element(held.kind, held.symbol, piece, base)
    }

    /// Reads from the variable of a region, or from its shadow.
    pub fn read_element(&mut self, kind: RegionKind, symbol: Symbol, piece: &Access, base: Term) -> Term {
        let memory = self.read(symbol);
        match kind {
            RegionKind::Scalar { .. } => memory,
            RegionKind::Cells { .. } => {
                let address = self.plus(base, piece.offset);
                self.lowering.store.select(memory, address)
            }
            RegionKind::Bytes => {
                let bytes = u64::from(piece.bits / 8);
                let mut parts = (0..bytes).map(|byte| piece.offset + byte).collect::<Vec<_>>();
                parts.reverse();
                let mut read = |offset| {
                    let address = self.plus(base, offset);
                    self.lowering.store.select(memory, address)
                };
                let bytes: Vec<Term> = parts.into_iter().map(&mut read).collect();
                let joined = bytes.into_iter().reduce(|high, low| self.lowering.store.concatenate(high, low));
                joined.expect("at least one byte")
            }
        }
    }

    /// Writes what is defined.
    pub fn write_piece(&mut self, piece: &Access, base: Term, value: Term) {
        self.write_shadowed(piece, base, Shadowed { value, shadow: None });
    }

    /// Writes to the variable of a region, or to its shadow.
    pub fn write_element(
        &mut self,
        kind: RegionKind,
        symbol: Symbol,
        piece: &Access,
        (base, value): (Term, Term),
    ) {
        let new = match kind {
            RegionKind::Scalar { .. } => value,
            RegionKind::Cells { .. } => {
                let memory = self.read(symbol);
                let address = self.plus(base, piece.offset);
                self.lowering.store.store(memory, address, value)
            }
            RegionKind::Bytes => {
                let mut memory = self.read(symbol);
                for byte in 0..piece.bits / 8 {
                    let address = self.plus(base, piece.offset + u64::from(byte));
                    let part = self.lowering.store.extract(byte * 8, 8, value);
                    memory = self.lowering.store.store(memory, address, part);
                }
                memory
            }
        };
        self.write(symbol, new);
    }

    /// An address so many bytes on.
    pub fn plus(&mut self, address: Term, bytes: u64) -> Term {
        let bytes = self.lowering.store.bits(self.lowering.pointer_bits(), u128::from(bytes));
        self.lowering.store.binary(Operator::Add, address, bytes)
    }
}

/// An access that was checked: the address, and what is accessed there.
pub(in crate::lower) struct Prepared {
    pub at: Term,
    pub parts: Vec<Access>,
}

/// More cells than these are not set one by one.
pub(in crate::lower) const MOST_CELLS: u64 = 4096;

/// How often a cell is there in an object of this size.
pub(in crate::lower) fn how_many(cell: &ObjectCell, size: u64) -> u64 {
    let bytes = u64::from(cell.bits / 8).max(1);
    let Some(room) = size.checked_sub(cell.offset + bytes) else { return 0 };
    cell.repeats.map_or(1, |stride| room / stride.max(1) + 1)
}

/// Where a cell is in an object of this size.
pub(in crate::lower) fn offsets(cell: &ObjectCell, size: u64) -> impl Iterator<Item = u64> + use<> {
    let (offset, stride) = (cell.offset, cell.repeats.unwrap_or(0));
    (0..how_many(cell, size)).map(move |number| offset + number * stride)
}

/// A cell as an access.
pub(in crate::lower) fn at(cell: &ObjectCell, offset: u64) -> Access {
    Access { offset, bits: cell.bits, region: cell.region }
}

/// An access in parts that are not wider than a term can be.
pub(in crate::lower) fn parts(access: &Access) -> Vec<Access> {
    let count = access.bits.div_ceil(64);
    let part = |number: u32| Access {
        offset: access.offset + u64::from(number) * 8,
        bits: (access.bits - number * 64).min(64),
        region: access.region,
    };
    if access.bits <= 128 { vec![*access] } else { (0..count).map(part).collect() }
}
