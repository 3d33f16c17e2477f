//! Memory from outside: what pointers lead to that the program did not make.
//!
//! An undefined function returns a pointer, or a pointer was never initialised: its number is a choice, and nothing is
//! known to lie there. The program model gives such pointers memory of their own, with arbitrary contents. Here an
//! object comes into being when the program accesses such an address, just as large as the access: that is all that is known
//! of its extent. What it holds is a choice again, and may be another pointer of this kind.
//!
//! Where accesses are checked (`--checks pointer` or `bounds`), nothing is invented: an access through an uninitialised pointer is a
//! fault, and whether one to memory from outside is within bounds is not known.

use super::Undefined;
use super::memory::address::FIRST_PAGE;
use super::memory::{Contents, Lifetime, Object, Origin, shadow};
use super::run::{Run, Step};
use super::value::{ObjectId, Slot};
use crate::ir::undefined::Fault;
use std::collections::BTreeSet;

/// How far from a pointer from outside the program may get, in bytes: a member of the object there, an element of
/// an array, or what it is a member of.
const REACH: u64 = 1 << 20;

/// The pointers from outside that a run has seen, as numbers.
#[derive(Clone, Default, Debug)]
pub struct Pointers(BTreeSet<u64>);

impl Pointers {
    /// A number that the environment gave where a pointer may be.
    pub fn note(&mut self, number: u64) {
        if number >= FIRST_PAGE {
            self.0.insert(number);
        }
    }

    /// Whether an address may be made from such a pointer.
    fn lead_to(&self, address: u64) -> bool {
        let range = address.saturating_sub(REACH)..=address.saturating_add(REACH);
        self.0.range(range).next().is_some()
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().copied()
    }
}

/// The object from outside that an access meets, which may have to be made; none if the address leads to no such object.
///
/// # Errors
/// The access is a fault that is checked, or it is not known whether it is one.
pub(super) fn target(run: &mut Run<'_>, address: Slot, length: u64) -> Step<Option<(ObjectId, u64)>> {
    if address.is_address() || address.is_unchosen() || address.bits < FIRST_PAGE {
        return Ok(None);
    }
    let unset = address.undefined != 0;
    if !unset && !run.outside.lead_to(address.bits) {
        return Ok(None);
    }
    if let Some((id, offset)) = run.memory.find(address.bits)
        && (offset < run.memory[id].size || run.memory[id].size == 0)
    {
        grow(run, id, offset, length);
        return Ok(None);
    }
    let checked = |fault: Fault| run.settings.checks.contains(&fault);
    if checked(Fault::Pointer) || checked(Fault::Bounds) {
        if unset {
            return Ok(None);
        }
        return run.unsupported("an access to memory from outside, whose extent is not known");
    }
    if unset {
        run.fault(Fault::Uninitialised, |_| "an address is uninitialised".into())?;
    }
    make(run, address.bits, length)
}

/// Whether a call through this address is one of a function from outside, and such functions may be called.
///
/// # Errors
/// The address is uninitialised, and that is checked.
pub(super) fn is_function(run: &mut Run<'_>, address: Slot) -> Step<bool> {
    let possible =
        run.settings.undefined != Undefined::Unknown && !run.settings.checks.contains(&Fault::Pointer);
    let number = !address.is_address() && !address.is_unchosen() && address.bits >= FIRST_PAGE;
    if !possible || !number || run.memory.find(address.bits).is_some() {
        return Ok(false);
    }
    if address.undefined != 0 {
        run.fault(Fault::Uninitialised, |_| "an address is uninitialised".into())?;
        return Ok(true);
    }
    Ok(run.outside.lead_to(address.bits))
}

/// An access to an object from outside that is known to be smaller: it is larger, if nothing else is in the way.
fn grow(run: &mut Run<'_>, id: ObjectId, offset: u64, length: u64) {
    let object = &run.memory[id];
    let (Some(start), size) = (object.address, object.size) else { return };
    let Some(wanted) = offset.checked_add(length).filter(|wanted| *wanted > size) else { return };
    let rest = Object::new(Origin::Outside, wanted - size, 1, Contents::Fresh);
    if object.origin == Origin::Outside && run.memory.addresses.fits(&rest, start + size) {
        let word = run.memory.word;
        run.memory[id].grow(wanted, word);
        run.memory[id].mark(size as usize, (wanted - size) as usize, shadow::HAVOCKED);
        run.memory.used += wanted - size;
        run.memory.place(id, start);
        run.publish(id);
    }
}

/// An object that lies there, with arbitrary contents.
fn make(run: &mut Run<'_>, address: u64, length: u64) -> Step<Option<(ObjectId, u64)>> {
    let object = Object::new(Origin::Outside, length, 1, Contents::Fresh);
    if length == 0 || !run.memory.addresses.fits(&object, address) {
        return Ok(None);
    }
    let id = run.new_object(Origin::Outside, length, 1, Contents::Fresh)?;
    debug_assert_eq!(run.memory[id].lifetime, Lifetime::Live);
    run.memory[id].mark(0, length as usize, shadow::HAVOCKED);
    run.memory.place(id, address);
    run.publish(id);
    Ok(Some((id, 0)))
}
