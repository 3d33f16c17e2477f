//! Where accesses may go: within an object that lives.
//!
//! Objects with fixed addresses are ranges of addresses, and a bit says whether they live if that is in question; of the
//! others, arrays hold sizes and lives by address. The program model knows addresses, not which object a pointer comes
//! from: an access is outside if it is within none of the objects that it may be to.

use super::code::Tracking;
use super::{Code, Event};
use crate::ground::fault::Fault;
use crate::ir::analysis::points_to::Origin;
use crate::term::{Node, Operator, Symbol, Term};

/// An object with a fixed address.
#[derive(Clone, Copy, Debug)]
struct Range {
    base: u64,
    size: u64,
    /// Whether it lives, if that is in question.
    lives: Option<Symbol>,
    /// Whether it may have ended, whether or not somebody keeps account of that.
    may_end: bool,
}

/// The objects that an access may be to.
pub struct Objects {
    ranges: Vec<Range>,
    /// Some of them come into being at run time, and are tracked.
    tracking: Option<Tracking>,
    /// Some of them are not known.
    pub unknown: bool,
    /// The program calls the object by its name.
    named: bool,
    /// An access to one that has ended may go unnoticed.
    pub missed: bool,
}

/// What is known of an access before anything is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// It is within an object that lives.
    Fine,
    /// It is within an object that may have ended.
    Within,
    /// Nothing.
    Open,
}

/// An access: where, how many bytes, and to which objects.
pub struct Reach {
    /// Where it starts.
    pub at: Term,
    /// How many bytes.
    pub bytes: Term,
    /// To which objects.
    pub objects: Objects,
}

impl Reach {
    /// What an event accesses, in the state here; nothing if it is no access, or if what it accesses is no object.
    pub fn of<'m>(event: &Event<'_, 'm>, code: &mut dyn Code<'m>) -> Option<Self> {
        match *event {
            Event::Access { address, bytes, .. } => {
                let (targets, named) = (code.targets(), code.named(address));
                let objects = Objects::new(code, &targets, named);
                let (at, bytes) = (code.term(address), code.address(bytes.into()));
                Some(Self { at, bytes, objects })
            }
            // To no object at all: that is an event of its own.
            Event::Block { targets: [], .. } => None,
            Event::Block { at, bytes, targets, .. } => {
                let objects = Objects::new(code, targets, None);
                let (at, bytes) = (code.read(at), code.read(bytes));
                Some(Self { at, bytes, objects })
            }
            _ => None,
        }
    }

    /// How many bits are accessed, if that is a constant.
    pub fn bits(&self, code: &mut dyn Code<'_>) -> Option<u32> {
        match code.store().node(self.bytes) {
            Node::Bits(_, bytes) => u32::try_from(bytes.saturating_mul(8)).ok(),
            _ => None,
        }
    }

    /// What a constant address tells.
    pub fn known(&self, code: &mut dyn Code<'_>) -> Known {
        let store = code.store();
        let (Node::Bits(_, address), Node::Bits(_, bytes)) = (store.node(self.at), store.node(self.bytes))
        else {
            return Known::Open;
        };
        let within = self.objects.ranges.iter().find(|range| {
            let (base, size) = (u128::from(range.base), u128::from(range.size));
            address >= base && address + bytes <= base + size
        });
        match within {
            Some(range) if range.may_end => Known::Within,
            Some(_) => Known::Fine,
            None => Known::Open,
        }
    }

    /// Whether the access leaves all objects that it may be to.
    pub fn is_outside(&self, code: &mut dyn Code<'_>) -> Term {
        let outside = self.objects.outside_of(code, self.at, self.bytes);
        let outside = match self.objects.tracking {
            Some(tracking) => {
                let beyond = beyond(code, tracking, self.at, self.bytes);
                self.objects.fixed_or(code, self.at, outside, beyond)
            }
            None => outside,
        };
        let something = code.is_something(self.bytes);
        code.store().and(something, outside)
    }

    /// Whether the object has ended.
    pub fn has_ended(&self, code: &mut dyn Code<'_>) -> Term {
        let ended = self.objects.ended(code, self.at);
        let ended = match self.objects.tracking {
            Some(tracking) => {
                let (lives, _) = life(code, tracking, self.at);
                let dead = code.store().not(lives);
                self.objects.fixed_or(code, self.at, ended, dead)
            }
            None => ended,
        };
        let something = code.is_something(self.bytes);
        code.store().and(something, ended)
    }

    /// Whether the access writes to a constant.
    pub fn writes_constant(&self, code: &mut dyn Code<'_>, targets: &[Origin]) -> Option<Term> {
        let constants: Vec<Range> = targets.iter().filter_map(|&origin| constant(code, origin)).collect();
        if constants.is_empty() {
            return None;
        }
        let constants =
            Objects { ranges: constants, tracking: None, unknown: false, named: false, missed: false };
        let outside = constants.outside_of(code, self.at, self.bytes);
        let within = code.store().not(outside);
        let something = code.is_something(self.bytes);
        Some(code.store().and(within, something))
    }

    /// Which fault an access outside of all objects is.
    ///
    /// If the pointer comes from an object, it is one of bounds; if it comes from nowhere (a number, or null and a large
    /// index), of pointers. The program model has addresses only, and cannot tell, unless the program names the object.
    /// So only where bounds are checked may a fault of pointers be called one of bounds: it is looked for either way.
    pub fn fault_outside(&self, code: &mut dyn Code<'_>) -> Fault {
        let bounds = self.objects.any_known() && (self.objects.named || code.asks(Fault::Bounds));
        if bounds { Fault::Bounds } else { Fault::Pointer }
    }
}

/// A constant of C with a fixed address.
fn constant(code: &mut dyn Code<'_>, origin: Origin) -> Option<Range> {
    let Origin::Global(global) = origin else { return None };
    let constant = code.module().globals[global].constant;
    let (base, size) = code.fixed(origin).filter(|_| constant)?;
    Some(Range { base, size, lives: None, may_end: false })
}

impl Objects {
    fn new(code: &mut dyn Code<'_>, targets: &[Origin], named: Option<Origin>) -> Self {
        let mut objects = Self {
            ranges: Vec::new(),
            tracking: None,
            unknown: false,
            named: named.is_some(),
            missed: false,
        };
        let function = code.site().function;
        for &origin in targets {
            // What the program calls by its name lives.
            let is_named = named == Some(origin);
            objects.missed |= !is_named && code.may_be_missed(origin, function);
            match code.fixed(origin) {
                Some((base, size)) => {
                    let lives = code.life(origin).filter(|_| !is_named);
                    let may_end = lives.is_some() || matches!(origin, Origin::Heap(_));
                    objects.ranges.push(Range { base, size, lives, may_end });
                }
                None if code.is_tracked(origin) => objects.tracking = code.tracking(),
                None => objects.unknown = true,
            }
        }
        objects
    }

    /// Whether anything is known of them.
    pub fn any_known(&self) -> bool {
        !self.ranges.is_empty() || self.tracking.is_some()
    }

    /// One term for objects with fixed addresses, another for those that come into being at run time.
    fn fixed_or(&self, code: &mut dyn Code<'_>, at: Term, fixed: Term, tracked: Term) -> Term {
        let end = code.end_of_fixed();
        let end = code.address(end.into());
        let is_fixed = code.store().unsigned_less(at, end);
        code.store().choose(is_fixed, fixed, tracked)
    }

    /// Whether bytes are not all within one of the objects with fixed addresses.
    fn outside_of(&self, code: &mut dyn Code<'_>, at: Term, bytes: Term) -> Term {
        let mut outside = code.store().boolean(true);
        for range in &self.ranges {
            let within = range.has(code, at, bytes);
            let not = code.store().not(within);
            outside = code.store().and(outside, not);
        }
        outside
    }

    /// Whether an address is that of an object with a fixed address that has ended.
    fn ended(&self, code: &mut dyn Code<'_>, at: Term) -> Term {
        let mut ended = code.store().boolean(false);
        let one = code.address(1);
        for range in &self.ranges {
            let Some(lives) = range.lives else { continue };
            let within = range.has(code, at, one);
            let flag = code.read(lives);
            let lives = code.is_one(flag);
            let dead = code.store().not(lives);
            let here = code.store().and(within, dead);
            ended = code.store().or(ended, here);
        }
        ended
    }
}

impl Range {
    /// Whether bytes from an address on are all within: offsets 0 … size − bytes are.
    fn has(&self, code: &mut dyn Code<'_>, at: Term, bytes: Term) -> Term {
        let bits = code.pointer_bits();
        let store = code.store();
        let base = store.bits(bits, self.base.into());
        let offset = store.binary(Operator::Subtract, at, base);
        if let Node::Bits(_, bytes) = store.node(bytes) {
            return match (u128::from(self.size) + 1).checked_sub(bytes) {
                Some(limit) if limit > 0 => {
                    let limit = store.bits(bits, limit);
                    store.unsigned_less(offset, limit)
                }
                _ => store.boolean(false),
            };
        }
        let size = store.bits(bits, self.size.into());
        let large = store.unsigned_less(size, bytes);
        let room = store.binary(Operator::Subtract, size, bytes);
        let far = store.unsigned_less(room, offset);
        let outside = store.or(large, far);
        store.not(outside)
    }
}

/// Whether the object lives that came into being at run time and has an address, and where it starts.
fn life(code: &mut dyn Code<'_>, tracking: Tracking, at: Term) -> (Term, Term) {
    let bits = code.pointer_bits();
    let mask = u128::from(tracking.slot - 1) ^ crate::term::build::mask(bits);
    let mask = code.address(mask);
    let base = code.store().binary(Operator::And, at, mask);
    let alive = code.read(tracking.alive);
    let bit = code.store().select(alive, base);
    (code.is_one(bit), base)
}

/// Whether an access leaves a living object that came into being at run time.
fn beyond(code: &mut dyn Code<'_>, tracking: Tracking, at: Term, bytes: Term) -> Term {
    let (lives, base) = life(code, tracking, at);
    let sizes = code.read(tracking.size);
    let store = code.store();
    let size = store.select(sizes, base);
    let offset = store.binary(Operator::Subtract, at, base);
    let end = store.binary(Operator::Add, offset, bytes);
    let mut beyond = store.unsigned_less(size, end);
    if !matches!(store.node(bytes), Node::Bits(..)) {
        // A computed number may be so large that the sum wraps around.
        let large = store.unsigned_less(size, bytes);
        beyond = store.or(beyond, large);
    }
    store.and(lives, beyond)
}
