//! Whole ranges: copies, fills, strings.

use crate::vm::code::Access;
use crate::vm::exact;
use crate::vm::memory::shadow;
use crate::vm::run::{Run, Step};
use crate::vm::value::{ObjectId, Slot};

/// Copies bytes, with all that is known of them. The ranges may overlap.
pub(super) fn copy(run: &mut Run<'_>, to: Slot, from: Slot, length: u64) -> Step {
    if length == 0 {
        return Ok(());
    }
    exact::settle_range(run, &[to, from], length)?;
    let (source, from) = run.resolve(from, length, Access::Read)?;
    let (target, to) = run.resolve(to, length, Access::Write)?;
    // Both copies of an uninitialised byte must be the same later.
    run.choose_bytes(source, from, length as usize)?;
    copy_range(run, (target, to), (source, from), length as usize)
}

/// Copies a range of one object to another; bytes that nobody chose stay so.
pub(super) fn copy_range(
    run: &mut Run<'_>,
    (target, to): (ObjectId, usize),
    (source, from): (ObjectId, usize),
    length: usize,
) -> Step {
    let word = run.memory.word;
    if to % word == from % word {
        observe_edges(run, source, from, length)?;
    } else {
        run.observe_words(source, from, length)?;
    }
    observe_edges(run, target, to, length)?;
    // The ranges may overlap: everything is read before anything is written.
    let words = words_inside(run, source, from, length);
    let object = &run.memory[source];
    let bytes = object.bytes[from..from + length].to_vec();
    let known = (!object.shadow.is_empty()).then(|| object.shadow[from..from + length].to_vec());
    let partial: Vec<(usize, u8)> =
        object.partial.range(from..from + length).map(|(at, bits)| (at - from + to, *bits)).collect();
    run.forget_words(target, to, length)?;
    put_range(run, target, to, &bytes, known);
    let object = &mut run.memory[target];
    partial.into_iter().for_each(|(at, bits)| object.mark_bits(at, bits));
    for (at, held) in words {
        run.publish(held);
        let offset = to + (at * word - from);
        let address = Slot::address(held, run.memory[target].read(offset, word));
        run.memory[target].write_address(offset, word, address);
    }
    Ok(())
}

fn put_range(run: &mut Run<'_>, target: ObjectId, to: usize, bytes: &[u8], known: Option<Vec<u8>>) {
    let object = &mut run.memory[target];
    object.bytes[to..to + bytes.len()].copy_from_slice(bytes);
    object.mark(to, bytes.len(), shadow::DEFINED);
    if let Some(known) = known.filter(|known| known.iter().any(|&byte| byte != shadow::DEFINED)) {
        // Makes room for the shadow, if there was none.
        object.mark(to, bytes.len(), shadow::FRESH);
        object.shadow[to..to + bytes.len()].copy_from_slice(&known);
    }
}

/// Words of a range that hold addresses.
fn words_inside(run: &Run<'_>, id: ObjectId, offset: usize, length: usize) -> Vec<(usize, ObjectId)> {
    let object = &run.memory[id];
    let range = object.words_of(offset, length, run.memory.word);
    range.filter(|&at| object.words[at] != ObjectId::NONE).map(|at| (at, object.words[at])).collect()
}

/// Addresses that lie only partly in a range become numbers.
fn observe_edges(run: &mut Run<'_>, id: ObjectId, offset: usize, length: usize) -> Step {
    let word = run.memory.word;
    if !offset.is_multiple_of(word) {
        run.observe_words(id, offset, 1)?;
    }
    if !(offset + length).is_multiple_of(word) {
        run.observe_words(id, offset + length - 1, 1)?;
    }
    Ok(())
}

/// Fills a range with one byte.
pub(super) fn fill(run: &mut Run<'_>, to: Slot, byte: Slot, length: u64) -> Step {
    if length == 0 {
        return Ok(());
    }
    exact::settle_range(run, &[to], length)?;
    let (id, offset) = run.resolve(to, length, Access::Write)?;
    let (byte, length) = (run.number(byte, 8)?, length as usize);
    run.forget_words(id, offset, length)?;
    let object = &mut run.memory[id];
    object.bytes[offset..offset + length].fill(byte.bits as u8);
    object.mark(offset, length, if byte.undefined & 0xff == 0 { shadow::DEFINED } else { shadow::CHOSEN });
    Ok(())
}

/// The bytes of a string, without the zero at its end.
pub(super) fn string(run: &mut Run<'_>, address: Slot) -> Step<Vec<u8>> {
    string_up_to(run, address, u64::MAX)
}

/// The bytes of a string of at most so many bytes.
pub(super) fn string_up_to(run: &mut Run<'_>, address: Slot, most: u64) -> Step<Vec<u8>> {
    let mut text = Vec::new();
    while (text.len() as u64) < most {
        let byte = run.load(run.moved(address, text.len() as u64), 1, 8)?;
        run.branch_on(byte)?;
        if byte.bits == 0 {
            break;
        }
        text.push(byte.bits as u8);
    }
    Ok(text)
}

/// Writes bytes.
pub(super) fn put_bytes(run: &mut Run<'_>, address: Slot, bytes: &[u8]) -> Step {
    for (at, &byte) in bytes.iter().enumerate() {
        run.store(run.moved(address, at as u64), Slot::number(byte.into()), 1, 8)?;
    }
    Ok(())
}
