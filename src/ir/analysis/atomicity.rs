//! Which instructions are always, and which are sometimes, executed within an atomic section.
//!
//! A section is one of the function itself, or of a caller; functions named `__VERIFIER_atomic_…` are sections as a whole.
//! Depths are the least ones of all ways to an instruction where "always" is asked, and [`Sections::inside`] has the others.

use super::points_to::{PointsTo, Site};
use super::{callees, sites};
use crate::ir::check::successors;
use crate::ir::{BlockId, FunctionId, Module, Terminator};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Instructions within atomic sections.
#[derive(Default)]
pub struct Atomicity {
    /// On all ways to them.
    pub always: BTreeSet<Site>,
    /// On some way.
    pub sometimes: BTreeSet<Site>,
}

/// Where sections begin and end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A section begins.
    Begin,
    /// A section ends.
    End,
}

/// What the analysis looks at.
#[derive(Clone, Copy)]
pub struct Sections<'a> {
    /// The module.
    pub module: &'a Module,
    /// What pointers point to.
    pub points: &'a PointsTo,
    /// Whether an instruction begins or ends a section.
    pub mark: &'a dyn Fn(Site) -> Option<Mark>,
}

impl Sections<'_> {
    /// Instructions of a function that lie in an atomic section that the function began, on some way to them.
    #[must_use]
    pub fn inside(&self, function: FunctionId) -> BTreeSet<Site> {
        let blocks = &self.module.functions[function].blocks;
        let (mut inside, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let mut waiting = vec![(BlockId::FIRST, 0usize)];
        while let Some((block, mut depth)) = waiting.pop() {
            // Sections that a loop opens again and again are deep enough.
            if blocks.is_empty() || !seen.insert((block, depth.min(4))) {
                continue;
            }
            self.walk(function, block, &mut depth, &mut |site| _ = inside.insert(site));
            let next = successors(&blocks[block].terminator).into_iter();
            waiting.extend(next.map(|next| (next, depth.min(4))));
        }
        inside
    }

    fn callees(&self, site: Site) -> Vec<FunctionId> {
        callees(self.module, self.points, site)
    }

    /// What is executed within atomic sections, if `main` is where the program starts.
    #[must_use]
    pub fn atomicity(&self, main: FunctionId) -> Atomicity {
        let mut out = Atomicity { always: self.always_inside(main), sometimes: BTreeSet::new() };
        let sometimes = self.sometimes_inside();
        for &function in self.points.reachable() {
            let own = self.inside(function);
            let all = sites(self.module, function);
            out.sometimes.extend(all.filter(|site| sometimes.contains(&function) || own.contains(site)));
        }
        out
    }

    fn is_section(&self, function: FunctionId) -> bool {
        self.module.functions[function].name.starts_with("__VERIFIER_atomic_")
    }

    /// Instructions that are always within a section. Functions are taken for such as are only called within one, until a
    /// call is found that is not.
    fn always_inside(&self, main: FunctionId) -> BTreeSet<Site> {
        let started = self.points.routines();
        let free = |&function: &FunctionId| function == main || started.contains(&function);
        let mut inside: BTreeSet<FunctionId> =
            self.points.reachable().iter().copied().filter(|function| !free(function)).collect();
        inside.extend(self.points.reachable().iter().filter(|&&function| self.is_section(function)));
        loop {
            let before = inside.len();
            let mut always = BTreeSet::new();
            for &function in self.points.reachable() {
                let own = self.least_depths(function, usize::from(inside.contains(&function)));
                for site in sites(self.module, function).filter(|site| !own.contains(site)) {
                    for callee in self.callees(site) {
                        if !self.is_section(callee) {
                            inside.remove(&callee);
                        }
                    }
                }
                always.extend(own);
            }
            if inside.len() == before {
                return always;
            }
        }
    }

    /// Instructions that are within a section on all ways to them, if the function starts at this depth.
    fn least_depths(&self, function: FunctionId, start: usize) -> BTreeSet<Site> {
        let blocks = &self.module.functions[function].blocks;
        let mut least: FxHashMap<BlockId, usize> = FxHashMap::default();
        let mut waiting = if blocks.is_empty() { Vec::new() } else { vec![(BlockId::FIRST, start)] };
        while let Some((block, mut depth)) = waiting.pop() {
            if least.get(&block).is_some_and(|&known| known <= depth) {
                continue;
            }
            least.insert(block, depth);
            self.walk(function, block, &mut depth, &mut |_| ());
            waiting.extend(successors(&blocks[block].terminator).into_iter().map(|next| (next, depth)));
        }
        let mut inside = BTreeSet::new();
        for (&block, &depth) in &least {
            self.walk(function, block, &mut depth.clone(), &mut |site| _ = inside.insert(site));
        }
        inside
    }

    /// Goes through a block; tells what is within a section.
    fn walk(&self, function: FunctionId, block: BlockId, depth: &mut usize, inside: &mut dyn FnMut(Site)) {
        for number in 0..self.module.functions[function].blocks[block].instructions.len() {
            let site = Site { function, block, number };
            match (self.mark)(site) {
                Some(Mark::Begin) => *depth += 1,
                Some(Mark::End) => *depth = depth.saturating_sub(1),
                _ if *depth > 0 => inside(site),
                _ => {}
            }
        }
    }

    /// Functions that some call within a section leads to.
    fn sometimes_inside(&self) -> BTreeSet<FunctionId> {
        let reachable = self.points.reachable();
        if reachable.iter().any(|&function| self.leaves_section_open(function)) {
            return reachable.clone();
        }
        let mut waiting: Vec<FunctionId> =
            reachable.iter().copied().filter(|&function| self.is_section(function)).collect();
        for &function in reachable {
            let own = self.inside(function);
            waiting.extend(own.into_iter().flat_map(|site| self.callees(site)));
        }
        let mut inside = BTreeSet::new();
        while let Some(function) = waiting.pop() {
            if inside.insert(function) {
                waiting.extend(sites(self.module, function).flat_map(|site| self.callees(site)));
            }
        }
        inside
    }

    /// Whether a function may return within a section that it began.
    fn leaves_section_open(&self, function: FunctionId) -> bool {
        let blocks = &self.module.functions[function].blocks;
        let mut seen = BTreeSet::new();
        let mut waiting = if blocks.is_empty() { Vec::new() } else { vec![(BlockId::FIRST, 0)] };
        while let Some((block, mut depth)) = waiting.pop() {
            if !seen.insert((block, depth)) {
                continue;
            }
            self.walk(function, block, &mut depth, &mut |_| ());
            if depth > 0 && matches!(blocks[block].terminator, Terminator::Return(_)) {
                return true;
            }
            // Sections that a loop opens again and again are deep enough.
            let next = successors(&blocks[block].terminator).into_iter();
            waiting.extend(next.map(|next| (next, depth.min(4))));
        }
        false
    }
}
