//! Blocks of C, as debug information names them.
//!
//! A DILocation has a scope: a lexical block, or the function. What was inlined (`always_inline`) has the scope of the
//! function that it comes from, and the location of the call that it was inlined at. So a block is a pair of both, and around
//! the outermost block of an inlined function is the block of the call.

use super::super::debug::{Node, Wrapped};
use super::{Flow, ScopeId};
use crate::ground::index::IndexVec;
use crate::ir::BlockId;
use rustc_hash::FxHashMap;

/// A scope, and the call that it was inlined at.
type Pair<'d> = (Node<'d>, Option<Node<'d>>);

/// The blocks of a function, as they are met.
pub struct Told<'d> {
    ids: FxHashMap<Pair<'d>, ScopeId>,
    /// The block around each block; none around the function.
    pub around: Vec<Option<ScopeId>>,
}

impl<'d> Told<'d> {
    /// Of a function; nothing if it was optimised, which moves instructions out of their blocks.
    #[must_use]
    pub fn of(subprogram: Node<'d>) -> Option<Self> {
        let optimised = subprogram.text().contains("DISPFlagOptimized");
        let ids = FxHashMap::from_iter([((subprogram, None), 0)]);
        (!optimised).then(|| Self { ids, around: vec![None] })
    }

    /// The block of a DILocation.
    pub fn location(&mut self, location: Node<'d>) -> Option<ScopeId> {
        let mut new = Vec::new();
        let mut next = pair(location);
        let mut around = None;
        while let Some(pair) = next {
            if let Some(&known) = self.ids.get(&pair) {
                around = Some(known);
                break;
            }
            new.push(pair);
            next = outer(pair);
        }
        for pair in new.into_iter().rev() {
            let id = self.around.len();
            self.around.push(around);
            self.ids.insert(pair, id);
            around = Some(id);
        }
        around
    }

    /// A block and those around it, but for the function, from the outermost on.
    #[must_use]
    pub fn chain(&self, scope: ScopeId) -> Vec<u32> {
        let around = std::iter::successors(Some(scope), |&inner| self.around[inner]);
        let mut all: Vec<u32> = around
            .filter(|&scope| scope != 0)
            .map(|scope| u32::try_from(scope).unwrap_or(u32::MAX))
            .collect();
        all.reverse();
        all
    }
}

fn pair(location: Node<'_>) -> Option<Pair<'_>> {
    Some((location.scope()?, location.inlined_at()))
}

/// The block around a block.
fn outer<'d>((scope, call): Pair<'d>) -> Option<Pair<'d>> {
    if scope.is_subprogram() {
        return pair(call?);
    }
    match scope.operands().get(1) {
        Some(Some(Wrapped::Node(outer))) => Some((*outer, call)),
        _ => None,
    }
}

/// The block of each instruction. One that tells none is in the block of the instruction before; at the start, of the one
/// after. If a whole block of instructions tells none, it is where control comes from.
pub(super) fn completed(
    told: &IndexVec<BlockId, Vec<Option<ScopeId>>>,
    flow: &Flow,
) -> IndexVec<BlockId, Vec<ScopeId>> {
    let mut first: IndexVec<BlockId, Option<ScopeId>> =
        told.iter().map(|block| block.iter().find_map(|scope| *scope)).collect();
    let last = |block: BlockId| told[block].iter().rev().find_map(|scope| *scope);
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for block in told.ids() {
            let before = || flow.predecessors[block].iter().find_map(|&from| last(from).or(first[from]));
            if first[block].is_none()
                && let Some(scope) = before()
            {
                first[block] = Some(scope);
                changed = true;
            }
        }
    }
    let complete = |(block, scopes): (BlockId, &Vec<Option<ScopeId>>)| {
        let mut current = first[block].unwrap_or(0);
        scopes
            .iter()
            .map(|scope| {
                current = scope.unwrap_or(current);
                current
            })
            .collect()
    };
    told.enumerate().map(complete).collect()
}
