//! Data races as properties.
//!
//! A race is a state in which two threads can access the same bytes next, one of them writes, and not both accesses are
//! atomic. So a thread that is about to write may, instead of writing, say so for ever: it sets a *watch* of what it would
//! write, and goes no further. Every access has the property that no watch of another thread is about the same bytes.
//! A watch is never taken back, because the state that counts is the one in which it is set; and nobody meets its own.
//!
//! Each region has watches of its own: for plain writes, for atomic ones, and for plain reads if the region is written
//! within atomic sections, where nobody can stop. A region that is one variable needs no address; cells are told apart by
//! their addresses, and bytes by where they start and how many they are.
//!
//! Nothing is checked of what only one thread gets at (`points_to::escape`), nor in the models of pthread, whose objects are
//! made for several threads. What nobody can check here (copies of computed length, what `printf` reads, `free`) is a gap.

use super::atomicity::Atomicity;
use super::body::{Body, Cut};
use super::{Claim, Lowering, sites};
use crate::ir::analysis::points_to::{Access, Origin, RegionId, RegionKind, Site, Transfer};
use crate::ir::undefined::Fault;
use crate::ir::{BlockId, FunctionId, Operation, Place};
use crate::program::{Action, Block, Edge, PropertyKind, Role, Scope, Variable};
use crate::term::{Operator, Sort, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// How memory is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Manner {
    Read,
    Write,
    AtomicRead,
    AtomicWrite,
}

impl Manner {
    fn writes(self) -> bool {
        matches!(self, Self::Write | Self::AtomicWrite)
    }

    fn is_atomic(self) -> bool {
        matches!(self, Self::AtomicRead | Self::AtomicWrite)
    }
}

/// What is watched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    PlainWrite,
    AtomicWrite,
    PlainRead,
}

/// An access that somebody is about to make.
#[derive(Clone, Copy)]
struct Watch {
    /// One bit: whether there is one.
    set: Symbol,
    /// Its address, unless the region is one variable.
    at: Option<Symbol>,
    /// How many bytes, if the region holds bytes.
    bytes: Option<Symbol>,
}

/// All watches, and where they do not matter.
#[derive(Default)]
pub(super) struct Watches {
    of: BTreeMap<(RegionId, Kind), Watch>,
    atomicity: Atomicity,
    /// Blocks that came from models of pthread.
    pub of_models: BTreeSet<(FunctionId, BlockId)>,
}

/// How a region is accessed somewhere.
#[derive(Clone, Copy, Default)]
struct Seen {
    plain_read: bool,
    plain_write: bool,
    atomic_write: bool,
    /// Within a section, maybe.
    section_write: bool,
}

impl Lowering<'_> {
    /// Makes the watches, if races are checked.
    pub fn watch_races(&mut self, main: FunctionId) {
        if !self.threaded || !self.checks(Fault::Race) {
            return;
        }
        // It writes where the program says, from within a model.
        if self.module.functions.iter().any(|it| it.name == "sem_getvalue" && it.is_defined()) {
            self.some_races_unseen(None, "what sem_getvalue writes");
        }
        self.watches.atomicity = self.atomicity(main);
        let (mut seen, mut silent): (BTreeMap<RegionId, Seen>, _) = (BTreeMap::new(), BTreeSet::new());
        let mut written: BTreeMap<RegionId, Site> = BTreeMap::new();
        for &function in self.points.reachable() {
            for site in sites(self.module, function) {
                for (region, manner) in self.accessed(site) {
                    if self.is_silent(site) {
                        silent.insert(region);
                    } else {
                        self.see(seen.entry(region).or_default(), site, manner);
                        if manner == Manner::Write {
                            written.entry(region).or_insert(site);
                        }
                    }
                }
            }
        }
        // An object of pthread that the program itself writes to.
        let meets = |region: &RegionId| seen[region].plain_write && silent.contains(region);
        for site in written.iter().filter(|(region, _)| meets(region)).map(|(_, &site)| site) {
            let block = &self.module.functions[site.function].blocks[site.block];
            let place = block.instructions[site.number].place;
            self.some_races_unseen(place, "an object of pthread that is written directly");
        }
        for (region, seen) in seen {
            let plain = seen.plain_read || seen.plain_write;
            let kinds = [
                (Kind::PlainWrite, seen.plain_write),
                (Kind::AtomicWrite, seen.atomic_write && plain),
                (Kind::PlainRead, seen.plain_read && seen.section_write),
            ];
            let shared = self.is_shared(region);
            for (kind, _) in kinds.into_iter().filter(|&(_, wanted)| wanted && shared) {
                self.watch(region, kind);
            }
        }
    }

    fn see(&self, seen: &mut Seen, site: Site, manner: Manner) {
        let always = self.watches.atomicity.always.contains(&site);
        let sometimes = self.watches.atomicity.sometimes.contains(&site);
        seen.section_write |= manner.writes() && sometimes;
        seen.plain_read |= manner == Manner::Read && !always;
        seen.plain_write |= manner == Manner::Write && !always;
        seen.atomic_write |= manner == Manner::AtomicWrite && !always;
    }

    /// Whether several threads may access a region, and something changes there.
    fn is_shared(&self, region: RegionId) -> bool {
        let held = self.regions[region];
        let global = self.variables[held.symbol].scope == Scope::Global;
        global && held.constant.is_none() && !self.points.regions()[region].private
    }

    /// Whether an instruction belongs to a model of pthread.
    fn is_silent(&self, site: Site) -> bool {
        self.watches.of_models.contains(&(site.function, site.block))
    }

    /// The regions that an instruction accesses, and how.
    fn accessed(&self, site: Site) -> Vec<(RegionId, Manner)> {
        let manner = self.manner(site);
        let parts = self.points.accesses(site).iter();
        let mut out: Vec<(RegionId, Manner)> = parts.map(|part| (part.region, manner)).collect();
        match self.points.copy(site) {
            Transfer::Pieces(pieces) => pieces.iter().for_each(|piece| {
                out.push((piece.to, Manner::Write));
                out.extend(piece.from.map(|from| (from, Manner::Read)));
            }),
            Transfer::Loop { to, from, .. } => {
                out.push((to, Manner::Write));
                out.extend(from.map(|from| (from, Manner::Read)));
            }
            Transfer::Nowhere => {}
        }
        out
    }

    fn manner(&self, site: Site) -> Manner {
        let block = &self.module.functions[site.function].blocks[site.block];
        match &block.instructions[site.number].operation {
            Operation::Load { atomic: false, .. } => Manner::Read,
            Operation::Load { .. } => Manner::AtomicRead,
            Operation::Store { atomic: true, .. }
            | Operation::AtomicUpdate { .. }
            | Operation::CompareExchange { .. } => Manner::AtomicWrite,
            _ => Manner::Write,
        }
    }

    fn watch(&mut self, region: RegionId, kind: Kind) {
        let held = self.regions[region];
        let word = match kind {
            Kind::PlainWrite => "write",
            Kind::AtomicWrite => "atomic write",
            Kind::PlainRead => "read",
        };
        let name = self.store.name(held.symbol).to_owned();
        let bits = self.pointer_bits();
        let mut symbol = |name: String, bits| {
            let variable = Variable { scope: Scope::Global, ty: None, role: Role::Watch };
            self.variable(&name, Sort::Bits(bits), variable)
        };
        let set = symbol(format!("<{word} of {name}>"), 1);
        let one = matches!(held.kind, RegionKind::Scalar { .. });
        let at = (!one).then(|| symbol(format!("<{word} at {name}>"), bits));
        let whole = !matches!(held.kind, RegionKind::Bytes);
        let bytes = (!whole).then(|| symbol(format!("<bytes of {word} of {name}>"), bits));
        self.watches.of.insert((region, kind), Watch { set, at, bytes });
    }

    /// Nobody is about to do anything when the program starts.
    pub fn watches_at_first(&mut self) -> Vec<(Symbol, Term)> {
        let no = self.store.bits(1, 0);
        self.watches.of.values().map(|watch| (watch.set, no)).collect()
    }

    /// Nobody looks at how something is accessed there.
    fn some_races_unseen(&mut self, place: Option<Place>, what: &'static str) {
        if self.threaded && self.checks(Fault::Race) {
            self.without(Fault::Race, place, what);
        }
    }

    /// Whether threads share any object of the heap.
    fn shares_heap(&self) -> bool {
        let heap = self.points.origins().filter(|origin| matches!(origin, Origin::Heap(_)));
        let mut cells = heap.flat_map(|origin| self.points.cells(origin));
        cells.any(|cell| self.is_shared(cell.region))
    }
}

impl<'m> Body<'_, 'm> {
    /// Nobody looks at how something is accessed here.
    pub fn some_races_unseen(&mut self, what: &'static str) {
        self.lowering.some_races_unseen(self.place, what);
    }

    /// Nobody looks at how these regions are accessed here.
    pub fn races_unseen(&mut self, regions: impl IntoIterator<Item = RegionId>) {
        if regions.into_iter().any(|region| self.lowering.is_shared(region)) {
            self.some_races_unseen("a copy of computed length");
        }
    }

    /// Nobody looks at who else accesses what is freed here.
    pub fn races_with_free_unseen(&mut self) {
        if self.lowering.checks(Fault::Race) && self.lowering.shares_heap() {
            self.some_races_unseen("accesses at the same time as this free");
        }
    }

    /// An access of the instruction at hand, as in [`check_race`](Self::check_race).
    pub fn check_race_here(&mut self, parts: &[Access], address: &mut dyn FnMut(&mut Self) -> Term) {
        let manner = self.lowering.manner(self.site);
        self.check_race(parts, manner, address);
    }

    /// An access to these parts of what is at an address: others must not be about to write there. It comes next.
    pub fn check_race(
        &mut self,
        parts: &[Access],
        manner: Manner,
        address: &mut dyn FnMut(&mut Self) -> Term,
    ) {
        let others = self.watches_of(parts, &self.dangers(manner));
        let own = self.watches_of(parts, &self.announced(manner));
        if others.is_empty() && own.is_empty() || self.lowering.is_silent(self.site) {
            return;
        }
        // In the words of the program, which the cut may replace.
        let subject = address(self);
        self.cut(Cut::Plain);
        let at = address(self);
        if !others.is_empty() {
            self.race_property(&others, at, subject);
        }
        if !own.is_empty() {
            self.announce(&own, at);
        }
    }

    fn watches_of(&self, parts: &[Access], kinds: &[Kind]) -> Vec<(Access, Watch)> {
        let of = |part: Access, kind: Kind| self.lowering.watches.of.get(&(part.region, kind));
        let all = parts.iter().flat_map(|&part| kinds.iter().map(move |&kind| (part, kind)));
        all.filter_map(|(part, kind)| Some((part, *of(part, kind)?))).collect()
    }

    fn is_always_atomic(&self) -> bool {
        self.lowering.watches.atomicity.always.contains(&self.site)
    }

    /// What others must not be about to do.
    fn dangers(&self, manner: Manner) -> Vec<Kind> {
        let mut kinds = vec![Kind::PlainWrite];
        if !manner.is_atomic() && !self.is_always_atomic() {
            kinds.push(Kind::AtomicWrite);
        }
        if manner.writes() && self.lowering.watches.atomicity.sometimes.contains(&self.site) {
            kinds.push(Kind::PlainRead);
        }
        kinds
    }

    /// What others are told of.
    fn announced(&self, manner: Manner) -> Vec<Kind> {
        match manner {
            _ if self.is_always_atomic() => Vec::new(),
            Manner::Read => vec![Kind::PlainRead],
            Manner::AtomicRead => Vec::new(),
            Manner::Write => vec![Kind::PlainWrite],
            Manner::AtomicWrite => vec![Kind::AtomicWrite],
        }
    }

    fn race_property(&mut self, others: &[(Access, Watch)], at: Term, subject: Term) {
        let mut race = self.lowering.store.boolean(false);
        for (part, watch) in others {
            let meets = self.meets(part, watch, at);
            race = self.lowering.store.or(race, meets);
        }
        let id = self.property(PropertyKind::Fault(Fault::Race), "no data race".into(), Some(race));
        let accessed = others.first().map(|(part, _)| part.bits);
        self.lowering.claims.insert(id, Claim { subject, accessed });
    }

    /// Whether a watch is about a part of an access.
    fn meets(&mut self, part: &Access, watch: &Watch, at: Term) -> Term {
        let start = self.plus(at, part.offset);
        let store = &mut self.lowering.store;
        let (set, one) = (store.symbol(watch.set), store.bits(1, 1));
        let set = store.equal(set, one);
        let Some(watched) = watch.at.map(|symbol| store.symbol(symbol)) else { return set };
        let Some(bytes) = watch.bytes.map(|symbol| store.symbol(symbol)) else {
            let same = store.equal(watched, start);
            return store.and(set, same);
        };
        let behind = store.binary(Operator::Add, watched, bytes);
        let end = self.plus(start, u64::from(part.bits / 8));
        let store = &mut self.lowering.store;
        let (before, after) = (store.unsigned_less(start, behind), store.unsigned_less(watched, end));
        let meet = store.and(before, after);
        store.and(set, meet)
    }

    /// One way from here is to say what would be done, and to go no further.
    fn announce(&mut self, own: &[(Access, Watch)], at: Term) {
        let mut guard = self.lowering.store.boolean(true);
        let mut updates = Vec::new();
        for (part, watch) in own {
            let start = self.plus(at, part.offset);
            let bits = self.lowering.pointer_bits();
            let store = &mut self.lowering.store;
            let (set, yes, no) = (store.symbol(watch.set), store.bits(1, 1), store.bits(1, 0));
            let unset = store.equal(set, no);
            guard = store.and(guard, unset);
            updates.push((watch.set, yes));
            updates.extend(watch.at.map(|symbol| (symbol, start)));
            let bytes = store.bits(bits, u128::from(part.bits / 8));
            updates.extend(watch.bytes.map(|symbol| (symbol, bytes)));
        }
        let (from, to) = (self.pending().from, self.new_location());
        let places = self.place.into_iter().collect();
        let action = Action::Block(Block { guard, updates, inputs: Vec::new() });
        self.edge(Edge { from, to, action, property: None, places });
    }
}
