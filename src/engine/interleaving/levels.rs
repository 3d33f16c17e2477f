//! The levels of N threads: shared variables on top, then one block of slots for each thread.
//!
//! Threads that have nothing to do with each other then add to the size of a diagram, and do not multiply it. Blocks
//! have the same inner order, so that threads which move up when another has ended are renamed in order.

use crate::bdd::Level;
use crate::engine::symmetry::{self, Pair};
use crate::ground::index::Index;
use crate::system::template::Template;

/// The levels of all variables of all threads.
pub struct Levels {
    /// By shared variable.
    pub shared: Vec<Pair>,
    /// By position of the thread, then by slot.
    pub threads: Vec<Vec<Pair>>,
    /// A passive copy that is nobody's, by position in the frame.
    pub nobody: Vec<Pair>,
    /// How many levels there are.
    pub count: usize,
}

impl Levels {
    /// Levels for this many threads of a template.
    pub fn new(template: &Template, threads: usize) -> Self {
        let order = symmetry::Levels::new(template);
        let mut count = 0;
        let shared = block(&order.shared, &mut count);
        let threads = (0..threads).map(|_| block(&order.slots, &mut count)).collect();
        let nobody = block(&order.passive, &mut count);
        Self { shared, threads, nobody, count }
    }
}

/// Fresh levels, in the same order as some others.
fn block(model: &[Pair], count: &mut usize) -> Vec<Pair> {
    let mut order: Vec<usize> = (0..model.len()).collect();
    order.sort_unstable_by_key(|&item| model[item].now);
    let mut pairs = model.to_vec();
    for item in order {
        pairs[item] = Pair { now: Level::new(*count), next: Level::new(*count + 1) };
        *count += 2;
    }
    pairs
}
