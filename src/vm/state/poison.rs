//! Values in registers that nobody reads any more, to check that nobody does: if somebody did, the step would lead elsewhere.

use super::{Dead, Stepping};
use crate::vm::run::{Run, Thread};
use crate::vm::value::Slot;

/// No address, and no number that a program is likely to have.
const NOTICED: Slot = Slot::number(0x5ca1_ab1e_0ddb_a11d);

/// Puts it into those registers, if reductions are checked.
pub(super) fn poison(run: &mut Run<'_>) {
    let Some(mut stepping) = run.stepping.take() else { return };
    if stepping.cut.checked && stepping.cut.dead == Dead::Forgotten {
        let image = run.image;
        let threads = run.threads.iter_mut().chain(std::iter::once(&mut run.thread));
        threads.for_each(|thread| poison_thread(&mut stepping, thread, image));
    }
    run.stepping = Some(stepping);
}

fn poison_thread(stepping: &mut Stepping, thread: &mut Thread, image: &crate::vm::code::Image) {
    for depth in 0..thread.frames.len() {
        let frame = &thread.frames[depth];
        let above = thread.frames.get(depth + 1);
        let end = above.map_or(thread.slots.len(), |above| above.base);
        let position = above.map_or(thread.position, |above| above.resume);
        let live = stepping.live.of(frame.function, &image.functions[frame.function]);
        for register in 0..end - frame.base {
            if !live.is_live(position, register) {
                thread.slots[frame.base + register] = NOTICED;
            }
        }
    }
}
