//! Who holds which lock.
//!
//! Models of pthread say what happens to a lock (`boolero_takes(lock)`, …); here it is noted. Each thread has a bit for each
//! lock: whether it holds it. That needs no numbers of threads, and so is known of any number of them. Locks whose
//! addresses are constants have a bit each; if there are others, a thread has an array of bits by address.

use super::{Code, LockStep, Whole};
use crate::ground::fault::Fault;
use crate::ir::analysis::points_to::{Origin, Site};
use crate::ir::{Callee, Constant, Operand, Operation};
use crate::program::Role;
use crate::term::{Sort, Symbol, Term};
use std::collections::BTreeMap;

/// What is noted of locks.
#[derive(Clone, Default, Debug)]
pub struct Held {
    /// Whether the thread holds a lock, by its address.
    pub held: BTreeMap<u128, Symbol>,
    /// The same for all, if some addresses are not constant.
    held_by_address: Option<Symbol>,
    /// Whether anybody holds a lock, if locks are made at run time.
    taken: BTreeMap<u128, Symbol>,
    taken_by_address: Option<Symbol>,
    /// The locks that threads wait for, by address, if all addresses are constant; with what C calls them.
    pub wanted: Option<BTreeMap<u128, String>>,
}

/// Makes the notes, if anybody asks for them.
pub fn note_locks(whole: &mut dyn Whole) {
    if !whole.asks(Fault::Lock) && !whole.asks(Fault::Deadlock) {
        return;
    }
    let steps = lock_steps(whole);
    let constant = steps.iter().all(|(_, lock)| lock.is_some());
    let of = |wanted: LockStep| -> BTreeMap<u128, String> {
        let some = steps.iter().filter(|(step, _)| *step == wanted);
        some.filter_map(|(_, lock)| lock.clone()).collect()
    };
    let is_made = steps.iter().any(|(step, _)| *step == LockStep::Anew);
    let mut held = Held::default();
    if constant {
        for (address, name) in of(LockStep::Takes) {
            let bit = whole.ghost(&format!("<{name} is held>"), Sort::Bits(1), Role::Own);
            held.held.insert(address, bit);
            if is_made {
                let bit = whole.ghost(&format!("<{name} is taken>"), Sort::Bits(1), Role::Ghost);
                held.taken.insert(address, bit);
            }
        }
        held.wanted = Some(of(LockStep::Wants));
    } else {
        let bits = Sort::Array { index: whole.pointer_bits(), element: 1 };
        held.held_by_address = Some(whole.ghost("<held>", bits, Role::Own));
        held.taken_by_address = is_made.then(|| whole.ghost("<taken>", bits, Role::Ghost));
    }
    *whole.held() = held;
}

/// Nobody holds anything when the program starts.
pub fn held_at_first(whole: &mut dyn Whole) -> Vec<(Symbol, Term)> {
    let held = whole.held().clone();
    let bits = whole.pointer_bits();
    let no = whole.store().bits(1, 0);
    let none = whole.store().constant_array(bits, no);
    let single = held.held.values().chain(held.taken.values()).map(|&bit| (bit, no));
    let arrays = held.held_by_address.iter().chain(&held.taken_by_address).map(|&array| (array, none));
    single.chain(arrays).collect()
}

/// What happens to locks anywhere, and to which one if its address is constant.
fn lock_steps(whole: &dyn Whole) -> Vec<(LockStep, Option<(u128, String)>)> {
    let steps = whole.sites().into_iter().filter_map(|site| Some((site, whole.lock_step(site)?)));
    let steps = steps.filter(|(_, step)| matters(whole, *step));
    steps.map(|(site, step)| (step, constant_lock(whole, site))).collect()
}

/// Whether a step is about what is noted of locks. Unless misuse is asked for, it is only about who holds them.
fn matters(whole: &dyn Whole, step: LockStep) -> bool {
    match step {
        LockStep::Wants | LockStep::Takes | LockStep::Leaves => true,
        LockStep::Needs | LockStep::Again | LockStep::Anew | LockStep::Misuse => whole.asks(Fault::Lock),
        LockStep::Reads => false,
    }
}

/// The address and name of the lock that one of our models tells of, if it is always the same one: a constant, or all that
/// the address can point to. That it points there at all is a matter of the accesses to the lock, which are checked.
fn constant_lock(whole: &dyn Whole, site: Site) -> Option<(u128, String)> {
    let (origin, offset) = named_lock(whole, site).or_else(|| whole.points().lock(site))?;
    let single = match origin {
        Origin::Global(id) => !whole.module().globals[id].thread_local,
        Origin::Local(function, _) => whole.points().once().contains(&function),
        Origin::Heap(_) => true,
        _ => false,
    };
    let (base, _) = whole.fixed(origin).filter(|_| single)?;
    let object = whole.name_of(origin)?;
    let name = if offset == 0 { object } else { format!("{object} + {offset}") };
    Some((base.wrapping_add_signed(offset).into(), name))
}

/// The place of a lock that the program calls by its name.
fn named_lock(whole: &dyn Whole, site: Site) -> Option<(Origin, i64)> {
    let block = &whole.module().functions[site.function].blocks[site.block];
    let Operation::Call { callee: Callee::Function(_), arguments, .. } =
        &block.instructions[site.number].operation
    else {
        return None;
    };
    let Operand::Constant(Constant::Global(id, offset)) = &arguments.first()?.0 else { return None };
    Some((Origin::Global(*id), *offset))
}

/// The address of the lock at hand, if it is one of those that are known.
pub(super) fn known_lock(code: &mut dyn Code<'_>) -> Option<u128> {
    let site = code.site();
    constant_lock(code, site).map(|(address, _)| address)
}

/// Whether this thread holds the lock at hand.
pub(super) fn holds<'m>(code: &mut dyn Code<'m>, lock: &'m Operand) -> Term {
    let known = known_lock(code).and_then(|address| code.held().held.get(&address).copied());
    let all = code.held().held_by_address;
    noted(code, known, all, lock)
}

/// Whether anybody holds the lock at hand.
pub(super) fn is_taken<'m>(code: &mut dyn Code<'m>, lock: &'m Operand) -> Term {
    let known = known_lock(code).and_then(|address| code.held().taken.get(&address).copied());
    let all = code.held().taken_by_address;
    noted(code, known, all, lock)
}

/// Whether this thread holds the lock at an address.
pub(super) fn holds_at(code: &mut dyn Code<'_>, address: u128) -> Term {
    match code.held().held.get(&address).copied() {
        Some(held) => {
            let held = code.read(held);
            code.is_one(held)
        }
        None => code.store().boolean(false),
    }
}

fn noted<'m>(code: &mut dyn Code<'m>, known: Option<Symbol>, all: Option<Symbol>, lock: &'m Operand) -> Term {
    let bit = match (known, all) {
        (Some(known), _) => code.read(known),
        (None, Some(all)) => {
            let (all, address) = (code.read(all), code.term(lock));
            code.store().select(all, address)
        }
        // Nobody ever takes it.
        (None, None) => return code.store().boolean(false),
    };
    code.is_one(bit)
}

/// A thread has taken the lock at hand, or given it back: after all checks.
pub fn note_step<'m>(code: &mut dyn Code<'m>, step: LockStep, lock: &'m Operand) {
    let value = match step {
        LockStep::Takes => 1,
        LockStep::Leaves => 0,
        _ => return,
    };
    let value = code.store().bits(1, value);
    let address = known_lock(code);
    let held = code.held();
    let of = |notes: &BTreeMap<u128, Symbol>| address.and_then(|address| notes.get(&address).copied());
    let known: Vec<Symbol> = [of(&held.held), of(&held.taken)].into_iter().flatten().collect();
    let arrays: Vec<Symbol> = [held.held_by_address, held.taken_by_address].into_iter().flatten().collect();
    for symbol in known {
        code.write(symbol, value);
    }
    for symbol in arrays {
        let (all, address) = (code.read(symbol), code.term(lock));
        let all = code.store().store(all, address, value);
        code.write(symbol, all);
    }
}
