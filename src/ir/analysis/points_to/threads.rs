//! How many activations of a function there may be at a time.
//!
//! A function is recursive if it is on a cycle of the call graph (strongly connected components, Tarjan 1972, with a
//! stack of its own). It has several activations if it is recursive or reached from several threads. A thread counts
//! twice unless it is started at a place that is passed once: outside of loops, in a root that nobody calls.

use super::once::in_loops;
use super::state::{Analysis, Entry};
use crate::ir::FunctionId;
use std::collections::{BTreeMap, BTreeSet};

/// Functions with what is known of their activations.
#[derive(Default)]
pub(super) struct Activations {
    pub recursive: BTreeSet<FunctionId>,
    pub several: BTreeSet<FunctionId>,
    /// Functions that threads start with.
    pub routines: BTreeSet<FunctionId>,
}

type CallGraph = BTreeMap<FunctionId, BTreeSet<FunctionId>>;

impl Activations {
    pub fn new(analysis: &Analysis<'_>, roots: &[FunctionId]) -> Self {
        let mut calls = CallGraph::new();
        for &(site, target, entry) in &analysis.edges {
            if entry == Entry::Call {
                calls.entry(site.function).or_default().insert(target);
            }
        }
        let recursive = cyclic(&calls, &analysis.reachable);
        let mut activations = Self { several: recursive.clone(), recursive, routines: BTreeSet::new() };
        activations.count_threads(analysis, roots, &calls);
        activations.count_callbacks(analysis, roots, &calls);
        activations
    }

    /// Whether a thread is ever started.
    pub fn has_threads(&self) -> bool {
        !self.routines.is_empty()
    }

    fn count_threads(&mut self, analysis: &Analysis<'_>, roots: &[FunctionId], calls: &CallGraph) {
        let mut threads: BTreeMap<FunctionId, usize> = BTreeMap::new();
        count(&mut threads, calls, roots.iter().copied(), 1);
        let called: BTreeSet<FunctionId> = calls.values().flatten().copied().collect();
        let starts = || analysis.edges.iter().filter(|(_, _, entry)| *entry == Entry::Thread);
        self.routines.extend(starts().map(|&(_, routine, _)| routine));
        for &(site, routine, _) in starts() {
            let once = roots.contains(&site.function)
                && !called.contains(&site.function)
                && !self.routines.contains(&site.function)
                && !in_loops(&analysis.module.functions[site.function])[site.block];
            count(&mut threads, calls, [routine], if once { 1 } else { 2 });
        }
        // A thread may start with what is a root or starts threads itself.
        self.several.extend(threads.into_iter().filter(|&(_, times)| times > 1).map(|(id, _)| id));
    }

    /// What is called from outside may be called at any time, from within itself as well.
    fn count_callbacks(&mut self, analysis: &Analysis<'_>, roots: &[FunctionId], calls: &CallGraph) {
        let foreign = analysis.callbacks.iter().copied().filter(|id| !roots.contains(id));
        for function in reached(calls, foreign) {
            self.several.insert(function);
            self.recursive.insert(function);
        }
    }
}

fn count(
    threads: &mut BTreeMap<FunctionId, usize>,
    calls: &CallGraph,
    from: impl IntoIterator<Item = FunctionId>,
    times: usize,
) {
    for function in reached(calls, from) {
        *threads.entry(function).or_default() += times;
    }
}

fn reached(calls: &CallGraph, from: impl IntoIterator<Item = FunctionId>) -> BTreeSet<FunctionId> {
    let mut stack: Vec<FunctionId> = from.into_iter().collect();
    let mut reached = BTreeSet::new();
    while let Some(function) = stack.pop() {
        if reached.insert(function) {
            stack.extend(calls.get(&function).into_iter().flatten());
        }
    }
    reached
}

/// Tarjan's state of a function.
#[derive(Clone, Copy)]
struct Mark {
    number: usize,
    low: usize,
    open: bool,
}

/// Functions on cycles.
fn cyclic(calls: &CallGraph, functions: &BTreeSet<FunctionId>) -> BTreeSet<FunctionId> {
    let mut marks: BTreeMap<FunctionId, Mark> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for &start in functions {
        if !marks.contains_key(&start) {
            component(calls, start, &mut marks, &mut found);
        }
    }
    found
}

fn component(
    calls: &CallGraph,
    start: FunctionId,
    marks: &mut BTreeMap<FunctionId, Mark>,
    found: &mut BTreeSet<FunctionId>,
) {
    let callees = |id: FunctionId| -> Vec<FunctionId> {
        calls.get(&id).map(|set| set.iter().copied().collect()).unwrap_or_default()
    };
    let (mut open, mut frames) = (Vec::new(), Vec::new());
    enter(start, marks, &mut open);
    frames.push((start, callees(start)));
    while let Some((function, rest)) = frames.last_mut() {
        let function = *function;
        let Some(callee) = rest.pop() else {
            frames.pop();
            close(calls, function, marks, &mut open, found);
            if let Some((caller, _)) = frames.last() {
                let low = marks[&function].low;
                lower(marks, *caller, low);
            }
            continue;
        };
        match marks.get(&callee).copied() {
            None => {
                enter(callee, marks, &mut open);
                frames.push((callee, callees(callee)));
            }
            Some(mark) if mark.open => lower(marks, function, mark.number),
            Some(_) => {}
        }
    }
}

fn enter(function: FunctionId, marks: &mut BTreeMap<FunctionId, Mark>, open: &mut Vec<FunctionId>) {
    let number = marks.len();
    marks.insert(function, Mark { number, low: number, open: true });
    open.push(function);
}

fn lower(marks: &mut BTreeMap<FunctionId, Mark>, function: FunctionId, low: usize) {
    if let Some(mark) = marks.get_mut(&function) {
        mark.low = mark.low.min(low);
    }
}

/// If the function is the first of its component, the component is complete.
fn close(
    calls: &CallGraph,
    function: FunctionId,
    marks: &mut BTreeMap<FunctionId, Mark>,
    open: &mut Vec<FunctionId>,
    found: &mut BTreeSet<FunctionId>,
) {
    if marks[&function].low != marks[&function].number {
        return;
    }
    let first = open.iter().rposition(|&id| id == function).unwrap_or(0);
    let members = open.split_off(first);
    let itself = calls.get(&function).is_some_and(|callees| callees.contains(&function));
    if members.len() > 1 || itself {
        found.extend(&members);
    }
    for member in members {
        if let Some(mark) = marks.get_mut(&member) {
            mark.open = false;
        }
    }
}
