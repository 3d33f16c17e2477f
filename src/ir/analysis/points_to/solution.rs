//! What the analysis has found out, for those who ask.

use super::{Origin, RegionId, RegionKind, Site};
use crate::ground::index::IndexVec;
use crate::ir::{DebugTypeId, FunctionId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A region of memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Region {
    /// How it is held.
    pub kind: RegionKind,
    /// The objects that have a part in it, in order.
    pub origins: Vec<Origin>,
    /// What C calls it: `counter`, `dev.lock`, `struct device.lock`; empty if nothing is known.
    pub name: String,
    /// The type of one cell in C, if known.
    pub ty: Option<DebugTypeId>,
    /// Whether an object of it is there once for each thread (`thread_local`).
    pub thread_local: bool,
    /// Whether no object of it is ever accessed by another thread than the one that made it.
    pub private: bool,
}

/// A part of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Offset from the address of the access, in bytes.
    pub offset: u64,
    /// Width.
    pub bits: u32,
    /// Where.
    pub region: RegionId,
}

/// A part of a copy, or of setting memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Offset from both addresses, in bytes.
    pub offset: u64,
    /// Width: one cell, or any number of bytes if the regions hold bytes.
    pub bits: u32,
    /// What is written.
    pub to: RegionId,
    /// What is read; nothing if memory is set.
    pub from: Option<RegionId>,
}

/// How memory is copied or set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Transfer {
    /// One of the addresses points to no object at all.
    Nowhere,
    /// Piece by piece; bytes that no piece mentions are never looked at.
    Pieces(Vec<Piece>),
    /// From the addresses on, cell after cell, as long as the length says. A length that is no multiple of the cell
    /// splits a cell, which regions of cells cannot do: that is to be reported as not supported where it happens.
    Loop {
        /// Width of a cell.
        bits: u32,
        /// What is written.
        to: RegionId,
        /// What is read; nothing if memory is set.
        from: Option<RegionId>,
    },
}

/// The objects that a copy may have to do with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sides {
    /// Those that are written, in order.
    pub to: Vec<Origin>,
    /// Those that are read, in order.
    pub from: Vec<Origin>,
}

/// A place of an object that is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObjectCell {
    /// Offset in the object, in bytes.
    pub offset: u64,
    /// Width; of all bytes that belong together if the region holds bytes.
    pub bits: u32,
    /// Where it is held.
    pub region: RegionId,
    /// The distance at which it is repeated, from this offset on, as often as it fits.
    pub repeats: Option<u64>,
    /// Where that ends, if it is not at the end of the object.
    pub until: Option<u64>,
}

/// Whether an object needs an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placement {
    /// All its regions are scalars, and its address is never needed as a value.
    Promoted,
    /// It has an address.
    Addressed,
}

/// Which functions a call may reach.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Callees {
    /// In order. For a call by address: those it may point to whose parameters and result fit the call.
    pub functions: Vec<FunctionId>,
    /// Whether there is no other.
    pub complete: bool,
    /// Whether it may be a function from outside, which gets at whatever the call hands over.
    pub outside: bool,
}

/// How many activations of a function there may be at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Multiplicity {
    /// At most one.
    Once,
    /// Several: it is recursive, or several threads run it.
    Several,
}

/// What an instruction observes of addresses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Observation {
    /// Its operands that may be addresses, by position, and how many of their low bits are the same wherever objects lie.
    pub operands: BTreeMap<usize, u32>,
    /// Those of them that may be addresses from outside, which are numbers like any other, where nobody moves addresses of objects.
    pub foreign: BTreeSet<usize>,
    /// Whether two operands that point to the same place of the same object are the same number for sure. They may
    /// not be if the object is a local variable: its next activation lies elsewhere.
    pub lasting: bool,
}

/// What the analysis has found out.
#[derive(Clone, Debug, Default)]
pub struct PointsTo {
    pub(super) regions: IndexVec<RegionId, Region>,
    pub(super) accesses: FxHashMap<Site, Vec<Access>>,
    pub(super) transfers: FxHashMap<Site, Transfer>,
    pub(super) argument_copies: FxHashMap<(Site, FunctionId, usize), Transfer>,
    pub(super) sides: FxHashMap<Site, Sides>,
    pub(super) argument_sides: FxHashMap<(Site, FunctionId, usize), Sides>,
    pub(super) objects: BTreeMap<Origin, (Placement, Vec<ObjectCell>)>,
    pub(super) callees: FxHashMap<Site, Callees>,
    pub(super) started: FxHashMap<Site, Callees>,
    pub(super) reachable: BTreeSet<FunctionId>,
    pub(super) routines: BTreeSet<FunctionId>,
    pub(super) recursive: BTreeSet<FunctionId>,
    pub(super) several: BTreeSet<FunctionId>,
    /// Functions that run at most once.
    pub(super) once: BTreeSet<FunctionId>,
    /// Where objects of the heap come into being that exist at most once, and their sizes.
    pub(super) single: BTreeMap<Site, u64>,
    /// Who may have addresses of local variables.
    pub kept: super::Kept,
    /// Functions that code elsewhere may call by their addresses.
    pub(super) callbacks: BTreeSet<FunctionId>,
    /// What the pointers that functions for printing get may point to, by position; the same of those that free memory.
    pub(super) arguments: FxHashMap<(Site, usize), BTreeSet<Origin>>,
    /// The places that our models of locks tell of.
    pub(super) locks: FxHashMap<Site, (Origin, i64)>,
    /// Where the number or the order of an address is observed.
    pub observed: BTreeMap<Site, Observation>,
    /// Where the number of an address is moved and followed; and whether it may get far.
    pub moved: BTreeMap<Site, bool>,
    /// Indices that must stay within their arrays, and how many elements those have.
    pub indexed: BTreeMap<Site, u64>,
    /// Where an address of an object may be made of numbers that are not followed.
    pub forged: BTreeSet<Site>,
}

impl PointsTo {
    /// The region of a load, a store or an atomic operation on a value that is no aggregate; nothing if the address
    /// points to no object at all.
    #[must_use]
    pub fn access(&self, site: Site) -> Option<RegionId> {
        self.accesses(site).first().map(|access| access.region)
    }

    /// The regions of an access, member by member; none if the address points to no object at all.
    #[must_use]
    pub fn accesses(&self, site: Site) -> &[Access] {
        self.accesses.get(&site).map_or(&[], Vec::as_slice)
    }

    /// How memory is copied there.
    #[must_use]
    pub fn copy(&self, site: Site) -> Transfer {
        self.transfers.get(&site).cloned().unwrap_or(Transfer::Nowhere)
    }

    /// How memory is set there.
    #[must_use]
    pub fn set(&self, site: Site) -> Transfer {
        self.copy(site)
    }

    /// How the call copies an argument that is a struct passed by value: the callee and the number of its parameter.
    #[must_use]
    pub fn argument_copy(&self, site: Site, callee: FunctionId, parameter: usize) -> Transfer {
        self.argument_copies.get(&(site, callee, parameter)).cloned().unwrap_or(Transfer::Nowhere)
    }

    /// The objects that memory is copied or set in there.
    #[must_use]
    pub fn sides(&self, site: Site) -> Sides {
        self.sides.get(&site).cloned().unwrap_or_default()
    }

    /// The objects that the copy of an argument goes to and comes from.
    #[must_use]
    pub fn argument_sides(&self, site: Site, callee: FunctionId, parameter: usize) -> Sides {
        self.argument_sides.get(&(site, callee, parameter)).cloned().unwrap_or_default()
    }

    /// All objects that an instruction copies to or from, or sets, those that it passes by value among them.
    pub fn copied(&self, site: Site) -> impl Iterator<Item = Origin> {
        let passed =
            self.argument_sides.iter().filter(move |((at, ..), _)| *at == site).map(|(_, sides)| sides);
        passed.chain(self.sides.get(&site)).flat_map(|sides| sides.to.iter().chain(&sides.from).copied())
    }

    /// All objects that an argument of a function for printing, or of one that frees memory, may point to: none if it is null
    /// or no pointer.
    #[must_use]
    pub fn argument(&self, site: Site, position: usize) -> BTreeSet<Origin> {
        self.arguments.get(&(site, position)).cloned().unwrap_or_default()
    }

    /// The object that a lock is in, and its offset there, where one of our models tells what happens to the lock. Nothing if
    /// there may be several.
    #[must_use]
    pub fn lock(&self, site: Site) -> Option<(Origin, i64)> {
        self.locks.get(&site).copied()
    }

    /// All regions.
    #[must_use]
    pub fn regions(&self) -> &IndexVec<RegionId, Region> {
        &self.regions
    }

    /// All objects that were seen, in order.
    pub fn origins(&self) -> impl Iterator<Item = Origin> {
        self.objects.keys().copied()
    }

    /// Whether an object needs an address. An object that was never seen needs none.
    #[must_use]
    pub fn object(&self, origin: Origin) -> Placement {
        self.objects.get(&origin).map_or(Placement::Promoted, |object| object.0)
    }

    /// What of an object is ever accessed.
    #[must_use]
    pub fn cells(&self, origin: Origin) -> &[ObjectCell] {
        self.objects.get(&origin).map_or(&[], |object| object.1.as_slice())
    }

    /// Which functions a call may reach.
    #[must_use]
    pub fn callees(&self, site: Site) -> Callees {
        self.callees.get(&site).cloned().unwrap_or_default()
    }

    /// Which functions a thread that is started there may run.
    #[must_use]
    pub fn started(&self, site: Site) -> Callees {
        self.started.get(&site).cloned().unwrap_or_default()
    }

    /// Functions that can be reached from the roots, threads and callbacks included, in order.
    #[must_use]
    pub fn reachable(&self) -> &BTreeSet<FunctionId> {
        &self.reachable
    }

    /// Functions that run at most once in a run of the program.
    #[must_use]
    pub fn once(&self) -> &BTreeSet<FunctionId> {
        &self.once
    }

    /// Where objects of the heap come into being that exist at most once, and their sizes.
    #[must_use]
    pub fn single(&self) -> &BTreeMap<Site, u64> {
        &self.single
    }

    /// Functions that code elsewhere may call by their addresses, in order.
    #[must_use]
    pub fn callbacks(&self) -> &BTreeSet<FunctionId> {
        &self.callbacks
    }

    /// Functions that threads start with, in order.
    #[must_use]
    pub fn routines(&self) -> &BTreeSet<FunctionId> {
        &self.routines
    }

    /// Whether a function may call itself, directly or not.
    #[must_use]
    pub fn recursive(&self, function: FunctionId) -> bool {
        self.recursive.contains(&function)
    }

    /// How many activations of a function there may be at a time.
    #[must_use]
    pub fn multiplicity(&self, function: FunctionId) -> Multiplicity {
        if self.several.contains(&function) { Multiplicity::Several } else { Multiplicity::Once }
    }
}
