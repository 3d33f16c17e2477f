//! A program as the lowering makes it becomes one that can be verified.

use super::blocks::{Granularity, Options, large_blocks};
use super::copies::use_originals;
use super::inline::inline_calls;
use super::liveness::{Drop, drop_dead};
use super::split::split;
use super::tallies::keep;
use super::{Action, Assumption, Program, Scope, prune};
use crate::ground::index::{Index, IndexVec};
use crate::term::Symbol;
use std::collections::BTreeSet;

/// Merged edges may have so many nodes.
const BUDGET: usize = 2_000;

/// Makes a program ready to be verified: large blocks; with threads, procedures in place of their calls. Tells why if
/// that cannot be done.
pub fn ready(program: &mut Program) -> Option<String> {
    ready_by(program, inline_calls)
}

/// The same with one copy of procedures that call themselves, so that tests get to what is forgotten.
#[cfg(test)]
pub(crate) fn ready_with_one_copy(program: &mut Program) -> Option<String> {
    use super::inline::{Further, Recursion, inline_with};
    ready_by(program, |program| {
        let original = program.clone();
        inline_with(program, Recursion { depth: 1, further: Further::Forget }).or_else(|_| {
            *program = original;
            inline_with(program, Recursion { depth: 1, further: Further::Stop })
        })
    })
}

fn ready_by(program: &mut Program, inline: impl Fn(&mut Program) -> Result<(), String>) -> Option<String> {
    let mut unready = None;
    if program.starts_threads() {
        program.assumptions.insert(Assumption::SequentialConsistency);
        let mut without_calls = program.clone();
        match inline(&mut without_calls) {
            Ok(()) => *program = without_calls,
            Err(why) => unready = Some(why),
        }
    }
    merge(program);
    if unready.is_none() && program.starts_threads() {
        split(program);
        merge(program);
        drop_unstarted(program);
        keep(program);
    }
    unready
}

/// Empties what no thread runs: all places that start it were found to be unreachable.
fn drop_unstarted(program: &mut Program) {
    let mut run = BTreeSet::new();
    let mut open = vec![program.entry];
    while let Some(id) = open.pop() {
        if run.insert(id) {
            let started = program.procedures[id].edges.iter().filter_map(|edge| match edge.action {
                Action::Start { procedure, .. } => Some(procedure),
                _ => None,
            });
            open.extend(started);
        }
    }
    for id in program.procedures.ids().filter(|id| !run.contains(id)) {
        program.procedures[id].edges = IndexVec::new();
    }
    prune(program);
}

/// Makes large blocks.
pub fn merge(program: &mut Program) {
    let labels = BTreeSet::new();
    let threaded = program.starts_threads();
    let globals: Vec<bool> =
        program.variables.iter().map(|variable| variable.scope == Scope::Global).collect();
    // Merging makes new inputs, which nobody else sees.
    let shared = |symbol: Symbol| globals.get(symbol.index()).copied().unwrap_or(false);
    let granularity = if threaded { Granularity::Threaded(&shared) } else { Granularity::Sequential };
    large_blocks(program, Options { granularity, budget: BUDGET, labels: &labels });
    use_originals(program, Drop::Temporaries);
    drop_dead(program, Drop::Temporaries);
}
