//! Memory: reading and writing regions.
//!
//! `layout` gives fixed addresses, `objects` has those that come into being, `heap` has `malloc` and its kin, `transfer` copies. `tracking`, `single`
//! and `lifetimes` keep account of which objects live, `constants` finds what nobody changes, `outside` has pointers from elsewhere.

pub(in crate::lower) mod constants;
pub(in crate::lower) mod heap;
pub(in crate::lower) mod layout;
pub(in crate::lower) mod lifetimes;
pub(in crate::lower) mod objects;
pub(in crate::lower) mod outside;
pub(in crate::lower) mod single;
pub(in crate::lower) mod tracking;
pub(in crate::lower) mod transfer;

use crate::checks::code::Tracking;
use crate::checks::null::{NULL_PAGE, null_access};
use crate::checks::{Code as _, Cut, Event, Manner};
use crate::ground::index::{Index, IndexVec};
use crate::ir::analysis::points_to::{
    Access, Multiplicity, ObjectCell, Origin, Placement, PointsTo, RegionId, RegionKind, Site, Transfer,
};
use crate::ir::{FunctionId, Module, Operand, Operation, Type};
use crate::lower::body::aggregate::{Value, scalars};
use crate::lower::body::{Body, Step};
use crate::lower::shadow::Shadowed;
use crate::lower::shadow::memory::{hold_shadows, read_shadow_at, write_shadowed};
use crate::lower::{Lowering, shadow, sites};
use crate::program::{Action, Role, Scope, Variable};
use crate::term::{Sort, Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

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

/// Where objects are, and how their bytes are held.
pub(in crate::lower) struct Memory {
    /// Objects with fixed addresses.
    pub layout: layout::Layout,
    pub regions: IndexVec<RegionId, Held>,
    /// What small arrays hold that nobody changes, by address.
    pub tables: BTreeMap<RegionId, Vec<(u64, Term)>>,
    /// The first address that nothing lives at yet.
    pub frontier: Symbol,
    /// Whose pointers lead to nobody knows what, if anybody's do.
    pub given_pointers: Option<&'static str>,
    /// What is known of objects that come into being at run time.
    pub tracking: Option<Tracking>,
    /// The sizes of objects of the heap, by address, if somebody asks for them.
    pub sizes: Option<Symbol>,
    /// Flags of objects with fixed addresses: whether they live, if that is in question.
    pub lifetimes: BTreeMap<Origin, Symbol>,
    /// Local variables that begin or end within their functions.
    pub scoped: lifetimes::Scoped,
}

impl Memory {
    pub fn new(layout: layout::Layout, frontier: Symbol) -> Self {
        Self {
            layout,
            regions: IndexVec::new(),
            tables: BTreeMap::new(),
            frontier,
            given_pointers: None,
            tracking: None,
            sizes: None,
            lifetimes: BTreeMap::new(),
            scoped: lifetimes::Scoped::default(),
        }
    }

    /// The flag that says whether an object with a fixed address lives, if that is in question.
    pub fn life(&self, origin: Origin) -> Option<Symbol> {
        self.lifetimes.get(&origin).copied()
    }

    /// Whether anybody keeps account of which objects live.
    fn notes_lives(&self) -> bool {
        self.tracking.is_some() || !self.lifetimes.is_empty()
    }
}

/// Makes a variable for every region.
pub(in crate::lower) fn hold_regions(lowering: &mut Lowering<'_>) {
    let accessors = accessors(lowering);
    for (id, region) in lowering.points.regions().enumerate() {
        let owner = accessors.get(&id).copied();
        let name = region_name(lowering, id);
        let (sort, role, scope) = match region.kind {
            RegionKind::Scalar { bits, origin, .. } => {
                (Sort::Bits(bits), Role::Plain, scope_of(lowering, origin, owner))
            }
            RegionKind::Cells { bits } => (array(lowering, bits), Role::Memory, Scope::Global),
            RegionKind::Bytes => (array(lowering, 8), Role::Memory, Scope::Global),
        };
        let symbol = lowering.variable(&name, sort, Variable { scope, ty: region.ty, role });
        let kind = region.kind;
        lowering.memory.regions.push(Held { symbol, kind, zeroed: false, constant: None, shadow: None });
    }
    constants::find(lowering);
    hold_shadows(lowering);
}

fn region_name(lowering: &Lowering<'_>, id: RegionId) -> String {
    let region = &lowering.points.regions()[id];
    let object = |origin| lowering.memory.layout.name(origin);
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

fn array(lowering: &Lowering<'_>, element: u32) -> Sort {
    Sort::Array { index: lowering.pointer_bits(), element }
}

/// A local variable that only its own function accesses is local in the program model, too.
fn scope_of(lowering: &Lowering<'_>, origin: Origin, accessors: Option<Accessors>) -> Scope {
    match (origin, accessors) {
        (Origin::Local(function, _), None) => Scope::Local(lowering.of_function[&function]),
        (Origin::Local(function, _), Some(Accessors::One(only))) if function == only => {
            Scope::Local(lowering.of_function[&function])
        }
        // Copies of arguments are written by the caller.
        _ => Scope::Global,
    }
}

fn accessors(lowering: &Lowering<'_>) -> FxHashMap<RegionId, Accessors> {
    let mut out: FxHashMap<RegionId, Accessors> = FxHashMap::default();
    for &function in lowering.points.reachable() {
        for site in sites(lowering.module, function) {
            for region in touched(lowering.points, site) {
                let entry = out.entry(region).or_insert(Accessors::One(function));
                if *entry != Accessors::One(function) {
                    *entry = Accessors::Several;
                }
            }
        }
    }
    out
}

/// Reads a value of a type.
pub(in crate::lower) fn load<'m>(body: &mut Body<'_, 'm>, address: &'m Operand, ty: &Type) -> Step<Value> {
    body.depends_on(address);
    let access = prepare(body, address, ty)?;
    if shadow::result_is_shadowed(body) {
        body.shadows.result = Some(read_shadow_at(body, &access, ty));
    }
    read_at(body, &access, ty)
}

/// Writes a value of a type.
pub(in crate::lower) fn store<'m>(
    body: &mut Body<'_, 'm>,
    address: &'m Operand,
    value: &'m Operand,
    ty: &Type,
) -> Step {
    body.depends_on(address);
    let access = prepare(body, address, ty)?;
    // Not before: the access may have cut the block.
    let shadow = shadow::is_shadowed(body, value).then(|| shadow::of_operand(body, value));
    let value = body.operand(value);
    write_at(body, &access, &value, shadow.as_ref(), ty)
}

/// Checks an access and cuts before it if need be.
pub(in crate::lower) fn prepare<'m>(
    body: &mut Body<'_, 'm>,
    address: &'m Operand,
    ty: &Type,
) -> Step<Prepared> {
    let parts = body.lowering.points.accesses(body.site).to_vec();
    let (bytes, manner) = (body.lowering.module.size_of(ty), manner(body.lowering.module, body.site));
    body.offer(&Event::Access { address, bytes, manner, parts: &parts })?;
    if parts.is_empty() {
        let at = body.term(address);
        let page = body.lowering.store.bits(body.lowering.pointer_bits(), NULL_PAGE);
        let null = body.lowering.store.unsigned_less(at, page);
        return no_object(body, null);
    }
    if is_unset(body) {
        look_for_null(body, address)?;
    }
    touch(body, parts.iter().map(|part| part.region));
    let at = body.term(address);
    Ok(Prepared { at, parts })
}

pub(in crate::lower) fn read_at(body: &mut Body<'_, '_>, access: &Prepared, ty: &Type) -> Step<Value> {
    let mut terms = Vec::new();
    for (offset, scalar) in scalars(ty) {
        let Some(part) = access.parts.iter().find(|part| part.offset == offset) else {
            return body.unsupported("an access to a part of memory that no region has");
        };
        let stored = read_piece(body, part, access.at);
        let width = body.lowering.width_of(&scalar);
        terms.push(body.lowering.store.extract(0, width, stored));
    }
    let mut terms = terms.into_iter();
    Ok(body.fresh_value(ty, &mut |_, _| terms.next().expect("one for each scalar")))
}

/// Writes a value and its shadow, if not all of it is defined.
pub(in crate::lower) fn write_at(
    body: &mut Body<'_, '_>,
    access: &Prepared,
    value: &Value,
    shadow: Option<&Value>,
    ty: &Type,
) -> Step {
    let shadows = shadow.map(Value::leaves);
    for (number, ((offset, _), leaf)) in scalars(ty).into_iter().zip(value.leaves()).enumerate() {
        let Some(part) = access.parts.iter().find(|part| part.offset == offset) else {
            return body.unsupported("an access to a part of memory that no region has");
        };
        let value = body.lowering.store.zero_extend(part.bits, leaf);
        let shadow = shadows.as_ref().and_then(|leaves| leaves.get(number).copied());
        let shadow = shadow.map(|leaf| body.lowering.store.zero_extend(part.bits, leaf));
        write_shadowed(body, part, access.at, Shadowed { value, shadow });
    }
    Ok(())
}

/// Whether the access at hand is through an uninitialised pointer, or through null.
fn is_unset(body: &Body<'_, '_>) -> bool {
    body.targets().iter().all(|origin| matches!(origin, Origin::Unset(_)))
}

/// The access is a fault, or the run ends if the pointer is null.
fn look_for_null<'m>(body: &mut Body<'_, 'm>, address: &'m Operand) -> Step {
    let at = body.term(address);
    let (null, _) = null_access(body, at);
    if body.lowering.store.truth(null) == Some(true) {
        return no_object(body, null);
    }
    body.offer(&Event::UnsetPointer)?;
    let somewhere = body.lowering.store.not(null);
    body.assume(somewhere);
    Ok(())
}

/// An access to what is no object is a fault, or the run ends if the pointer is null. An uninitialised
/// pointer may by chance point to something, and nobody knows to what.
pub(in crate::lower) fn no_object<T>(body: &mut Body<'_, '_>, null: Term) -> Step<T> {
    body.offer(&Event::NoObject)?;
    let condition = body.lowering.store.not(null);
    if body.lowering.store.truth(condition) == Some(false) {
        return body.end(Action::End);
    }
    body.assume(condition);
    body.unsupported("an access through an uninitialised pointer")
}

/// Cuts before a second access to shared memory: other threads may run between them.
pub(in crate::lower) fn touch(body: &mut Body<'_, '_>, regions: impl Iterator<Item = RegionId>) {
    let changes = |region: &RegionId| body.lowering.memory.regions[*region].constant.is_none();
    let mut regions = regions.filter(changes).map(|region| body.lowering.memory.regions[region].symbol);
    let global = |symbol: Symbol| body.lowering.variables[symbol].scope == Scope::Global;
    let shared = body.lowering.threaded() && regions.any(global);
    if shared && body.pending().shared && body.section.is_none() {
        body.cut(Cut::Plain);
    }
    body.pending().shared |= shared;
}

/// The instruction at hand writes to memory without being a store: gives what it writes there.
pub(in crate::lower) fn offer_written<'m>(
    body: &mut Body<'_, 'm>,
    address: &'m Operand,
) -> Step<Vec<Access>> {
    let parts = body.lowering.points.accesses(body.site).to_vec();
    let ends = parts.iter().map(|part| part.offset + u64::from(part.bits / 8));
    let bytes = ends.max().unwrap_or(body.lowering.module.pointer_bytes.into());
    body.offer(&Event::Access { address, bytes, manner: Manner::Write, parts: &parts })?;
    touch(body, parts.iter().map(|part| part.region));
    Ok(parts)
}

/// Which objects live is about to change, and others can see that: it is like an access to shared memory.
pub(in crate::lower) fn touch_objects(body: &mut Body<'_, '_>) {
    if !body.lowering.memory.notes_lives() || !body.lowering.threaded() {
        return;
    }
    if body.pending().shared && body.section.is_none() {
        body.cut(Cut::Plain);
    }
    body.pending().shared = true;
}

pub(in crate::lower) fn read_piece(body: &mut Body<'_, '_>, piece: &Access, base: Term) -> Term {
    let held = body.lowering.memory.regions[piece.region];
    if let Some(constant) = held.constant {
        return constant;
    }
    if let RegionKind::Cells { .. } = held.kind {
        let memory = body.read(held.symbol);
        let address = body.plus(base, piece.offset);
        return constants::read_cell(body.lowering, piece.region, memory, address);
    }
    read_element(body, held.kind, held.symbol, piece, base)
}

/// Reads from the variable of a region, or from its shadow.
pub(in crate::lower) fn read_element(
    body: &mut Body<'_, '_>,
    kind: RegionKind,
    symbol: Symbol,
    piece: &Access,
    base: Term,
) -> Term {
    let memory = body.read(symbol);
    match kind {
        RegionKind::Scalar { .. } => memory,
        RegionKind::Cells { .. } => {
            let address = body.plus(base, piece.offset);
            body.lowering.store.select(memory, address)
        }
        RegionKind::Bytes => {
            let bytes = u64::from(piece.bits / 8);
            let mut parts = (0..bytes).map(|byte| piece.offset + byte).collect::<Vec<_>>();
            parts.reverse();
            let mut read = |offset| {
                let address = body.plus(base, offset);
                body.lowering.store.select(memory, address)
            };
            let bytes: Vec<Term> = parts.into_iter().map(&mut read).collect();
            let joined = bytes.into_iter().reduce(|high, low| body.lowering.store.concatenate(high, low));
            joined.expect("at least one byte")
        }
    }
}

/// Writes what is defined.
pub(in crate::lower) fn write_piece(body: &mut Body<'_, '_>, piece: &Access, base: Term, value: Term) {
    write_shadowed(body, piece, base, Shadowed { value, shadow: None });
}

/// Writes to the variable of a region, or to its shadow.
pub(in crate::lower) fn write_element(
    body: &mut Body<'_, '_>,
    kind: RegionKind,
    symbol: Symbol,
    piece: &Access,
    (base, value): (Term, Term),
) {
    let new = match kind {
        RegionKind::Scalar { .. } => value,
        RegionKind::Cells { .. } => {
            let memory = body.read(symbol);
            let address = body.plus(base, piece.offset);
            body.lowering.store.store(memory, address, value)
        }
        RegionKind::Bytes => {
            let mut memory = body.read(symbol);
            for byte in 0..piece.bits / 8 {
                let address = body.plus(base, piece.offset + u64::from(byte));
                let part = body.lowering.store.extract(byte * 8, 8, value);
                memory = body.lowering.store.store(memory, address, part);
            }
            memory
        }
    };
    body.write(symbol, new);
}

/// The regions that an instruction accesses.
pub(in crate::lower) fn touched(points: &PointsTo, site: Site) -> Vec<RegionId> {
    let mut out: Vec<RegionId> = points.accesses(site).iter().map(|access| access.region).collect();
    match points.copy(site) {
        Transfer::Pieces(pieces) => pieces.iter().for_each(|piece| {
            out.push(piece.to);
            out.extend(piece.from);
        }),
        Transfer::Loop { to, from, .. } => {
            out.push(to);
            out.extend(from);
        }
        Transfer::Nowhere => {}
    }
    out
}

/// Whether an object has no address before it comes into being.
pub(in crate::lower) fn is_dynamic(lowering: &Lowering<'_>, origin: Origin) -> bool {
    match origin {
        Origin::Global(_) => false,
        Origin::Local(function, _) | Origin::Copy(function, _) => {
            let several = lowering.points.multiplicity(function) == Multiplicity::Several;
            several && lowering.points.object(origin) == Placement::Addressed
        }
        Origin::Heap(_) => lowering.memory.layout.object(origin).is_none(),
        Origin::Arguments(_) | Origin::Outside | Origin::Unset(_) => true,
    }
}

/// How an instruction accesses memory.
pub(in crate::lower) fn manner(module: &Module, site: Site) -> Manner {
    let block = &module.functions[site.function].blocks[site.block];
    match &block.instructions[site.number].operation {
        Operation::Load { atomic: false, .. } => Manner::Read,
        Operation::Load { .. } => Manner::AtomicRead,
        Operation::Store { atomic: true, .. }
        | Operation::AtomicUpdate { .. }
        | Operation::CompareExchange { .. } => Manner::AtomicWrite,
        _ => Manner::Write,
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
    let end = cell.until.map_or(size, |until| until.min(size));
    let Some(room) = end.checked_sub(cell.offset + bytes) else { return 0 };
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
