//! What may happen between two locations of a procedure, and inside of a call.
//!
//! What is asked of a program is asked again for the same places of a path, and so the answers are kept.

use crate::ground::index::IndexVec;
use crate::path::globals_written;
use crate::program::{Action, Edge, EdgeId, LocationId, ProcedureId, Program};
use crate::term::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The ways from one location to others, where they end.
#[derive(Default, Debug)]
pub(super) struct Detour {
    /// Whether a way ends elsewhere: where the procedure returns, or the run ends.
    pub misses: bool,
    /// The variables that are written on the way, in calls as well.
    pub writes: FxHashSet<Symbol>,
}

pub(super) struct Detours<'a> {
    program: &'a Program,
    /// The edges that leave each location, of the procedures that were asked for.
    leaving: FxHashMap<ProcedureId, IndexVec<LocationId, Vec<EdgeId>>>,
    written: FxHashMap<ProcedureId, Rc<BTreeSet<Symbol>>>,
    known: FxHashMap<(ProcedureId, LocationId, Vec<LocationId>), Rc<Detour>>,
    /// The procedures that may not return, once they were asked for.
    staying: Option<FxHashSet<ProcedureId>>,
}

impl<'a> Detours<'a> {
    pub fn new(program: &'a Program) -> Self {
        Self {
            program,
            leaving: FxHashMap::default(),
            written: FxHashMap::default(),
            known: FxHashMap::default(),
            staying: None,
        }
    }

    /// The edges that leave a location.
    pub fn leaving(&mut self, procedure: ProcedureId, location: LocationId) -> &[EdgeId] {
        let program = self.program;
        let lists = self.leaving.entry(procedure).or_insert_with(|| {
            let contents = &program.procedures[procedure];
            let mut lists = IndexVec::filled(Vec::new(), contents.locations.len());
            for (number, edge) in contents.edges.enumerate() {
                lists[edge.from].push(number);
            }
            lists
        });
        &lists[location]
    }

    /// The global variables that a procedure may write, or one that it calls.
    pub fn written_by(&mut self, procedure: ProcedureId) -> Rc<BTreeSet<Symbol>> {
        if let Some(known) = self.written.get(&procedure) {
            return known.clone();
        }
        let written = globals_written(self.program, procedure);
        self.written.entry(procedure).or_insert(Rc::new(written)).clone()
    }

    /// What may happen from a location on, until one of the ends is reached.
    pub fn between(&mut self, procedure: ProcedureId, from: LocationId, ends: &[LocationId]) -> Rc<Detour> {
        let key = (procedure, from, ends.to_vec());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let mut detour = Detour::default();
        let mut seen: FxHashSet<LocationId> = ends.iter().copied().collect();
        let mut open: Vec<LocationId> = seen.insert(from).then_some(from).into_iter().collect();
        while let Some(location) = open.pop() {
            let edges = self.leaving(procedure, location).to_vec();
            detour.misses |= edges.is_empty();
            for number in edges {
                let edge = &self.program.procedures[procedure].edges[number];
                if edge.property.is_some() {
                    continue;
                }
                detour.misses |= matches!(edge.action, Action::End);
                detour.writes.extend(edge.writes());
                if let Action::Call { procedure: callee, .. } = edge.action {
                    detour.writes.extend(self.written_by(callee).iter());
                }
                if seen.insert(edge.to) {
                    open.push(edge.to);
                }
            }
        }
        self.known.entry(key).or_insert(Rc::new(detour)).clone()
    }

    /// Whether a way leads from a location to the target, not through the one to avoid, on which nothing is written that is kept.
    pub fn reaches(
        &mut self,
        procedure: ProcedureId,
        (from, target, avoided): (LocationId, LocationId, LocationId),
        kept: &dyn Fn(Symbol) -> bool,
    ) -> bool {
        let (mut seen, mut open) = (FxHashSet::from_iter([avoided]), vec![from]);
        while let Some(location) = open.pop() {
            if location == target {
                return true;
            }
            if !seen.insert(location) {
                continue;
            }
            for number in self.leaving(procedure, location).to_vec() {
                let edge = &self.program.procedures[procedure].edges[number];
                if edge.property.is_none() && !self.writes(edge, kept) {
                    open.push(edge.to);
                }
            }
        }
        false
    }

    /// Whether an edge writes, itself or in a call, a variable of these.
    pub fn writes(&mut self, edge: &Edge, which: &dyn Fn(Symbol) -> bool) -> bool {
        let by_callee = match edge.action {
            Action::Call { procedure: callee, .. } => Some(self.written_by(callee)),
            _ => None,
        };
        edge.writes().into_iter().chain(by_callee.iter().flat_map(|all| all.iter().copied())).any(which)
    }

    /// Whether a procedure may end the run, or loop for ever at a location that leads nowhere.
    pub fn may_stay(&mut self, procedure: ProcedureId) -> bool {
        let program = self.program;
        self.staying.get_or_insert_with(|| staying(program)).contains(&procedure)
    }
}

/// The procedures that may not return, and those that call them.
fn staying(program: &Program) -> FxHashSet<ProcedureId> {
    let mut callers: IndexVec<ProcedureId, Vec<ProcedureId>> =
        IndexVec::filled(Vec::new(), program.procedures.len());
    let mut open = Vec::new();
    for (id, procedure) in program.procedures.enumerate() {
        for edge in procedure.edges.iter() {
            if let Action::Call { procedure: callee, .. } = edge.action {
                callers[callee].push(id);
            }
        }
        if has_dead_end(program, id) {
            open.push(id);
        }
    }
    let mut found = FxHashSet::default();
    while let Some(id) = open.pop() {
        if found.insert(id) {
            open.extend(&callers[id]);
        }
    }
    found
}

/// Whether a location does not lead to the exit, other than by violating a property.
fn has_dead_end(program: &Program, id: ProcedureId) -> bool {
    let procedure = &program.procedures[id];
    let mut entering: IndexVec<LocationId, Vec<LocationId>> =
        IndexVec::filled(Vec::new(), procedure.locations.len());
    procedure.edges.iter().for_each(|edge| entering[edge.to].push(edge.from));
    let mut returns = IndexVec::filled(false, procedure.locations.len());
    let mut open = vec![procedure.exit];
    returns[procedure.exit] = true;
    while let Some(location) = open.pop() {
        for &before in &entering[location] {
            if !std::mem::replace(&mut returns[before], true) {
                open.push(before);
            }
        }
    }
    let ends = |edge: &Edge| !returns[edge.to] && edge.property.is_none();
    // A location from which only a violation leads on is not one where a run stays.
    procedure.edges.iter().any(|edge| ends(edge) && !only_violates(program, id, edge.to))
}

fn only_violates(program: &Program, id: ProcedureId, location: LocationId) -> bool {
    let mut leaving = program.procedures[id].edges.iter().filter(|edge| edge.from == location).peekable();
    leaving.peek().is_some() && leaving.all(|edge| edge.property.is_some())
}
