//! Data races.
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
//! made for several threads.

use super::{Answer, At, Check, Code, Cut, Event, Manner, Topic, Whole};
use crate::ground::fault::Fault;
use crate::ir::analysis::points_to::{Access, Origin, RegionId, RegionKind, Site};
use crate::program::Role;
use crate::term::{Operator, Sort, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// What is watched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    PlainWrite,
    AtomicWrite,
    PlainRead,
}

/// An access that somebody is about to make.
#[derive(Clone, Copy, Debug)]
struct Watch {
    /// One bit: whether there is one.
    set: Symbol,
    /// Its address, unless the region is one variable.
    at: Option<Symbol>,
    /// How many bytes, if the region holds bytes.
    bytes: Option<Symbol>,
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

/// Looks for data races.
#[derive(Default)]
pub struct Race {
    watches: BTreeMap<(RegionId, Kind), Watch>,
}

impl Check for Race {
    fn fault(&self) -> Fault {
        Fault::Race
    }

    fn concerns(&self) -> &'static [Topic] {
        &[Topic::Access, Topic::Part, Topic::Call, Topic::Life]
    }

    fn prepare(&mut self, whole: &mut dyn Whole) {
        if !whole.threaded() {
            return;
        }
        // It writes where the program says, from within a model.
        if whole.module().functions.iter().any(|it| it.name == "sem_getvalue" && it.is_defined()) {
            whole.uncovered(Fault::Race, None, "what sem_getvalue writes");
        }
        let (mut seen, mut silent): (BTreeMap<RegionId, Seen>, _) = (BTreeMap::new(), BTreeSet::new());
        let mut written: BTreeMap<RegionId, Site> = BTreeMap::new();
        for site in whole.sites() {
            for (region, manner) in whole.accessed(site) {
                if whole.is_of_pthread(site) {
                    silent.insert(region);
                } else {
                    see(whole, seen.entry(region).or_default(), site, manner);
                    if manner == Manner::Write {
                        written.entry(region).or_insert(site);
                    }
                }
            }
        }
        // An object of pthread that the program itself writes to.
        let meets = |region: &RegionId| seen[region].plain_write && silent.contains(region);
        for site in written.iter().filter(|(region, _)| meets(region)).map(|(_, &site)| site) {
            let block = &whole.module().functions[site.function].blocks[site.block];
            let place = block.instructions[site.number].place;
            whole.uncovered(Fault::Race, place, "an object of pthread that is written directly");
        }
        for (region, seen) in seen {
            let plain = seen.plain_read || seen.plain_write;
            let kinds = [
                (Kind::PlainWrite, seen.plain_write),
                (Kind::AtomicWrite, seen.atomic_write && plain),
                (Kind::PlainRead, seen.plain_read && seen.section_write),
            ];
            let shared = whole.is_shared(region);
            for (kind, _) in kinds.into_iter().filter(|&(_, wanted)| wanted && shared) {
                self.watches.insert((region, kind), watch(whole, region, kind));
            }
        }
    }

    /// Nobody is about to do anything when the program starts.
    fn at_first(&self, whole: &mut dyn Whole) -> Vec<(Symbol, Term)> {
        let no = whole.store().bits(1, 0);
        self.watches.values().map(|watch| (watch.set, no)).collect()
    }

    fn offer<'m>(&mut self, event: &Event<'_, 'm>, code: &mut dyn Code<'m>) -> Answer {
        if !code.threaded() {
            return Answer::Never;
        }
        if !code.asks(Fault::Race) {
            return unasked(event, code);
        }
        match *event {
            Event::Access { address, manner, parts, .. } => {
                self.access(code, parts, manner, At::Operand(address))
            }
            Event::Part { at, manner, parts } => self.access(code, parts, manner, at),
            // Its parts are offered one by one, or as a loop.
            Event::Block { .. } | Event::NoObject | Event::UnsetPointer => Answer::Never,
            Event::Loop(regions) => {
                if regions.iter().any(|&region| code.is_shared(region)) {
                    return Answer::Unseen("a copy of computed length");
                }
                Answer::Never
            }
            Event::ReadsUnseen => Answer::Unseen("what a library function reads"),
            Event::OutsideCode => Answer::Unseen("what a function without a body does to memory"),
            Event::Freed if shares_heap(code) => Answer::Unseen("accesses at the same time as this free"),
            // Who accesses a variable that begins or ends accesses it at another time, or accesses what is no object any more.
            Event::Free(_) | Event::Freed | Event::Reallocated => Answer::Never,
            Event::Begins(_) | Event::Ends(_) | Event::UnknownLife { .. } => Answer::Never,
            Event::CallThrough(_) | Event::NoFunction { .. } | Event::NoRoutine => Answer::Never,
            _ => Answer::Unanswered,
        }
    }
}

/// A block lives when a copy begins. Another thread that ends it while the copy goes on could have done so before,
/// unless it waited for a byte of the copy, and that is a race.
fn unasked(event: &Event<'_, '_>, code: &mut dyn Code<'_>) -> Answer {
    let ends = |code: &dyn Code<'_>, origin: Origin| code.life(origin).is_some() || code.is_tracked(origin);
    match *event {
        Event::Block { targets, .. } if targets.iter().any(|&origin| ends(code, origin)) => {
            Answer::Unseen("whether others end what is copied")
        }
        _ => Answer::Never,
    }
}

fn see(whole: &dyn Whole, seen: &mut Seen, site: Site, manner: Manner) {
    let (always, sometimes) = whole.atomicity();
    let always = always.contains(&site);
    seen.section_write |= manner.writes() && sometimes.contains(&site);
    seen.plain_read |= manner == Manner::Read && !always;
    seen.plain_write |= manner == Manner::Write && !always;
    seen.atomic_write |= manner == Manner::AtomicWrite && !always;
}

fn watch(whole: &mut dyn Whole, region: RegionId, kind: Kind) -> Watch {
    let (symbol, held) = whole.region(region);
    let word = match kind {
        Kind::PlainWrite => "write",
        Kind::AtomicWrite => "atomic write",
        Kind::PlainRead => "read",
    };
    let name = whole.store().name(symbol).to_owned();
    let bits = whole.pointer_bits();
    let mut ghost = |name: String, bits| whole.ghost(&name, Sort::Bits(bits), Role::Watch);
    let set = ghost(format!("<{word} of {name}>"), 1);
    let one = matches!(held, RegionKind::Scalar { .. });
    let at = (!one).then(|| ghost(format!("<{word} at {name}>"), bits));
    let whole_cells = !matches!(held, RegionKind::Bytes);
    let bytes = (!whole_cells).then(|| ghost(format!("<bytes of {word} of {name}>"), bits));
    Watch { set, at, bytes }
}

/// Whether threads share any object of the heap.
fn shares_heap(code: &dyn Code<'_>) -> bool {
    let points = code.points();
    let heap = points.origins().filter(|origin| matches!(origin, Origin::Heap(_)));
    let mut cells = heap.flat_map(|origin| points.cells(origin));
    cells.any(|cell| code.is_shared(cell.region))
}

/// What others must not be about to do.
fn dangers(code: &dyn Code<'_>, manner: Manner) -> Vec<Kind> {
    let (always, sometimes) = code.atomicity();
    let site = code.site();
    let mut kinds = vec![Kind::PlainWrite];
    if !manner.is_atomic() && !always.contains(&site) {
        kinds.push(Kind::AtomicWrite);
    }
    if manner.writes() && sometimes.contains(&site) {
        kinds.push(Kind::PlainRead);
    }
    kinds
}

/// What others are told of.
fn announced(code: &dyn Code<'_>, manner: Manner) -> Option<Kind> {
    match manner {
        _ if code.atomicity().0.contains(&code.site()) => None,
        Manner::Read => Some(Kind::PlainRead),
        Manner::AtomicRead => None,
        Manner::Write => Some(Kind::PlainWrite),
        Manner::AtomicWrite => Some(Kind::AtomicWrite),
    }
}

impl Race {
    /// An access to these parts of what is at an address: others must not be about to write there. It comes next.
    fn access<'m>(
        &self,
        code: &mut dyn Code<'m>,
        parts: &[Access],
        manner: Manner,
        address: At<'m>,
    ) -> Answer {
        let others = self.watches_of(parts, &dangers(code, manner));
        let own = self.watches_of(parts, announced(code, manner).as_slice());
        if others.is_empty() && own.is_empty() || code.is_of_pthread(code.site()) {
            return Answer::Never;
        }
        // In the words of the program, which the cut may replace.
        let subject = code.at(address);
        code.cut_here(Cut::Plain);
        let at = code.at(address);
        if !others.is_empty() {
            let race = others.iter().fold(code.store().boolean(false), |race, (part, watch)| {
                let meets = meets(code, part, watch, at);
                code.store().or(race, meets)
            });
            code.claim(Fault::Race, &[race], subject, others.first().map(|(part, _)| part.bits));
        }
        if !own.is_empty() {
            announce(code, &own, at);
        }
        Answer::Asserted
    }

    fn watches_of(&self, parts: &[Access], kinds: &[Kind]) -> Vec<(Access, Watch)> {
        let of = |part: Access, kind: Kind| self.watches.get(&(part.region, kind));
        let all = parts.iter().flat_map(|&part| kinds.iter().map(move |&kind| (part, kind)));
        all.filter_map(|(part, kind)| Some((part, *of(part, kind)?))).collect()
    }
}

/// Whether a watch is about a part of an access.
fn meets(code: &mut dyn Code<'_>, part: &Access, watch: &Watch, at: Term) -> Term {
    let start = code.plus(at, part.offset);
    let end = code.plus(start, u64::from(part.bits / 8));
    let store = code.store();
    let (set, one) = (store.symbol(watch.set), store.bits(1, 1));
    let set = store.equal(set, one);
    let Some(watched) = watch.at.map(|symbol| store.symbol(symbol)) else { return set };
    let Some(bytes) = watch.bytes.map(|symbol| store.symbol(symbol)) else {
        let same = store.equal(watched, start);
        return store.and(set, same);
    };
    let behind = store.binary(Operator::Add, watched, bytes);
    let (before, after) = (store.unsigned_less(start, behind), store.unsigned_less(watched, end));
    let meet = store.and(before, after);
    store.and(set, meet)
}

/// One way from here is to say what would be done, and to go no further.
fn announce(code: &mut dyn Code<'_>, own: &[(Access, Watch)], at: Term) {
    let mut guard = code.store().boolean(true);
    let mut updates = Vec::new();
    for (part, watch) in own {
        let start = code.plus(at, part.offset);
        let bytes = code.address(u128::from(part.bits / 8));
        let store = code.store();
        let (set, yes, no) = (store.symbol(watch.set), store.bits(1, 1), store.bits(1, 0));
        let unset = store.equal(set, no);
        guard = store.and(guard, unset);
        updates.push((watch.set, yes));
        updates.extend(watch.at.map(|symbol| (symbol, start)));
        updates.extend(watch.bytes.map(|symbol| (symbol, bytes)));
    }
    code.stop_aside(guard, updates);
}
