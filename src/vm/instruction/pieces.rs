//! Reads and writes of values that take several slots, piece by piece.

use crate::vm::code::{Access, Piece, Ref, Register};
use crate::vm::race;
use crate::vm::run::{Run, Step};

/// The bytes that pieces reach over.
fn length_of(pieces: &[Piece]) -> u64 {
    pieces.iter().map(|piece| piece.offset + u64::from(piece.bytes)).max().unwrap_or(0)
}

/// Reads a value of several slots.
pub(super) fn load(run: &mut Run<'_>, address: Ref, into: Register, pieces: &[Piece]) -> Step {
    let address = run.get(address);
    if run.concurrent && race::stops(run, address, length_of(pieces), Access::Read)? {
        return run.switch();
    }
    for (slot, piece) in (into..).zip(pieces) {
        let at = run.moved(address, piece.offset);
        let value = run.load(at, usize::from(piece.bytes), u32::from(piece.bits))?;
        run.set(slot, value);
    }
    Ok(())
}

/// Writes a value of several slots.
pub(super) fn store(run: &mut Run<'_>, address: Ref, value: Ref, pieces: &[Piece]) -> Step {
    let address = run.get(address);
    if run.concurrent && race::stops(run, address, length_of(pieces), Access::Write)? {
        return run.switch();
    }
    for (slot, piece) in (0..).zip(pieces) {
        let value = run.get(value.plus(slot));
        let at = run.moved(address, piece.offset);
        run.store(at, value, usize::from(piece.bytes), u32::from(piece.bits))?;
    }
    Ok(())
}
