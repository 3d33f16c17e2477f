//! Procedures in the place of their calls, for programs with threads.
//!
//! What a thread runs becomes one automaton, its *template*: then all that a thread knows is in one activation, and
//! what other threads do to it can be said in one step. Every call gets a copy of the callee with variables of its own.
//! Variables that a callee may read before it writes them are arbitrary each time it is entered, and so get an input
//! there. Sections that are atomic nest in C; within a template only the outermost ones are left.
//!
//! Recursion cannot be told in this way, and copies of copies may become too many: both are errors, with a text that
//! completes "unknown (…)".

use super::liveness::{Drop, Liveness};
use super::reads::Walker;
use super::{
    Action, Block, Edge, EdgeId, LocationId, Procedure, ProcedureId, Program, Role, Scope, Variable,
};
use crate::ground::index::{Index, IndexVec};
use crate::term::substitute::Substitution;
use crate::term::{Symbol, Term};
use std::collections::BTreeSet;

/// A template has no more edges than this.
const MOST: usize = 20_000;

/// Puts all procedures in place of their calls. What no thread starts with stays as a shell without edges.
///
/// # Errors
/// If a procedure calls itself, or a template becomes too large; why, in words.
pub fn inline_calls(program: &mut Program) -> Result<(), String> {
    let templates = templates(program);
    let original = program.procedures.clone();
    let entries = live_at_entries(program);
    for id in program.procedures.ids() {
        match templates.contains(&id) {
            true => Inliner::new(program, id, &original, &entries).run()?,
            false => program.procedures[id].edges = IndexVec::new(),
        }
    }
    super::own::give_own(program);
    super::prune(program);
    templates.into_iter().try_for_each(|id| flatten_sections(program, id))
}

/// What threads start with, the first one included.
#[must_use]
pub fn templates(program: &Program) -> BTreeSet<ProcedureId> {
    let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
    let started = edges.filter_map(|edge| match edge.action {
        Action::Start { procedure, .. } => Some(procedure),
        _ => None,
    });
    started.chain([program.entry]).collect()
}

/// The variables of each procedure that are read before they are written, but for parameters.
pub(super) fn live_at_entries(program: &Program) -> IndexVec<ProcedureId, Vec<Symbol>> {
    let mut walker = Walker::new();
    let mut all = IndexVec::new();
    for (id, procedure) in program.procedures.enumerate() {
        let liveness = Liveness::of(program, id, Drop::Temporaries, &mut walker);
        let open = |symbol: &&Symbol| {
            !procedure.parameters.contains(symbol) && liveness.is_live(procedure.entry, **symbol)
        };
        all.push(procedure.locals.iter().filter(open).copied().collect());
    }
    all
}

/// A call that was entered: which procedure, and from where.
struct Level {
    procedure: ProcedureId,
    outer: Option<usize>,
}

struct Inliner<'a> {
    program: &'a mut Program,
    id: ProcedureId,
    original: &'a IndexVec<ProcedureId, Procedure>,
    entries: &'a IndexVec<ProcedureId, Vec<Symbol>>,
    levels: Vec<Level>,
    /// Edges that are done.
    edges: IndexVec<EdgeId, Edge>,
    /// Edges that may be calls, and their levels.
    open: Vec<(Edge, usize)>,
}

impl<'a> Inliner<'a> {
    fn new(
        program: &'a mut Program,
        id: ProcedureId,
        original: &'a IndexVec<ProcedureId, Procedure>,
        entries: &'a IndexVec<ProcedureId, Vec<Symbol>>,
    ) -> Self {
        let open = original[id].edges.iter().rev().map(|edge| (edge.clone(), 0)).collect();
        let levels = vec![Level { procedure: id, outer: None }];
        Self { program, id, original, entries, levels, edges: IndexVec::new(), open }
    }

    fn run(mut self) -> Result<(), String> {
        while let Some((edge, level)) = self.open.pop() {
            if self.edges.len() + self.open.len() > MOST {
                let name = &self.program.procedures[self.id].name;
                return Err(format!("{name} has more than {MOST} edges with all that it calls"));
            }
            match edge.action {
                Action::Call { procedure, .. } => self.enter(&edge, procedure, level)?,
                _ => _ = self.edges.push(edge),
            }
        }
        self.program.procedures[self.id].edges = self.edges;
        Ok(())
    }

    fn is_open(&self, procedure: ProcedureId, mut level: usize) -> bool {
        loop {
            let Level { procedure: open, outer } = self.levels[level];
            match outer {
                _ if open == procedure => return true,
                Some(outer) => level = outer,
                None => return false,
            }
        }
    }

    /// Puts a copy of the callee in place of a call.
    fn enter(&mut self, call: &Edge, callee: ProcedureId, level: usize) -> Result<(), String> {
        let name = &self.original[callee].name;
        if self.is_open(callee, level) {
            return Err(format!("{name} calls itself in a program with threads"));
        }
        let Action::Call { arguments, result, .. } = &call.action else {
            unreachable!("only calls come here")
        };
        let inner = self.levels.len();
        self.levels.push(Level { procedure: callee, outer: Some(level) });
        let original = self.original;
        let mut names = Substitution::new([]);
        let mut own: Vec<(Symbol, Symbol)> = Vec::new();
        for &local in &original[callee].locals {
            let copy = self.copy_local(local);
            own.push((local, copy));
            let term = self.program.store.symbol(copy);
            names.set(local, term);
        }
        let renamed =
            |symbol: Symbol| own.iter().find(|(old, _)| *old == symbol).map_or(symbol, |pair| pair.1);
        let offset = self.copy_locations(&original[callee]);
        let moved = |location: LocationId| LocationId::new(offset + location.index());
        let entering = self.entering(callee, arguments, &renamed);
        let (entry, exit) = (moved(original[callee].entry), moved(original[callee].exit));
        let plain =
            |from, to, block, places| Edge { from, to, action: Action::Block(block), property: None, places };
        self.edges.push(plain(call.from, entry, entering, call.places.clone()));
        let mut leaving = self.block(Vec::new(), Vec::new());
        if let (Some(target), Some(value)) = (*result, original[callee].result) {
            let value = self.program.store.symbol(renamed(value));
            leaving.updates.push((target, value));
        }
        self.edges.push(plain(exit, call.to, leaving, call.places.clone()));
        for edge in original[callee].edges.iter().rev() {
            let action = self.copy_action(&edge.action, &mut names, &renamed);
            let copy = Edge { from: moved(edge.from), to: moved(edge.to), action, ..edge.clone() };
            self.open.push((copy, inner));
        }
        Ok(())
    }

    fn block(&mut self, updates: Vec<(Symbol, Term)>, inputs: Vec<Symbol>) -> Block {
        Block { guard: self.program.store.boolean(true), updates, inputs }
    }

    /// A copy of a local variable, in the template.
    fn copy_local(&mut self, local: Symbol) -> Symbol {
        let scope = Scope::Local(self.id);
        let copy = self.copy_symbol(local, |variable| Variable { scope, ..variable });
        self.program.procedures[self.id].locals.push(copy);
        copy
    }

    fn copy_symbol(&mut self, symbol: Symbol, change: impl FnOnce(Variable) -> Variable) -> Symbol {
        let program = &mut *self.program;
        let (name, sort) = (program.store.name(symbol).to_owned(), program.store.sort_of_symbol(symbol));
        let variable = change(program.variables[symbol].clone());
        program.variables.push(variable);
        program.store.fresh(name, sort)
    }

    /// Copies of locations; tells how far their numbers are moved.
    fn copy_locations(&mut self, callee: &Procedure) -> usize {
        let locations = &mut self.program.procedures[self.id].locations;
        let offset = locations.len();
        for location in callee.locations.iter() {
            locations.push(location.clone());
        }
        offset
    }

    /// Parameters get their values, and what may be read before it is written an arbitrary one.
    fn entering(
        &mut self,
        callee: ProcedureId,
        arguments: &[Term],
        renamed: &dyn Fn(Symbol) -> Symbol,
    ) -> Block {
        let parameters = &self.original[callee].parameters;
        let mut updates: Vec<(Symbol, Term)> =
            parameters.iter().map(|&parameter| renamed(parameter)).zip(arguments.iter().copied()).collect();
        let mut inputs = Vec::new();
        let entries = self.entries;
        for &local in &entries[callee] {
            let role = Role::Input(format!("uninitialised {}", self.program.store.name(local)));
            let input =
                self.copy_symbol(local, |variable| Variable { scope: Scope::Input, role, ..variable });
            inputs.push(input);
            updates.push((renamed(local), self.program.store.symbol(input)));
        }
        self.block(updates, inputs)
    }

    fn copy_action(
        &mut self,
        action: &Action,
        names: &mut Substitution,
        renamed: &dyn Fn(Symbol) -> Symbol,
    ) -> Action {
        match action {
            Action::Block(block) => Action::Block(self.copy_block(block, names, renamed)),
            Action::Call { procedure, arguments, result } => Action::Call {
                procedure: *procedure,
                arguments: self.copy_terms(arguments, names),
                result: result.map(renamed),
            },
            Action::Start { procedure, arguments } => {
                Action::Start { procedure: *procedure, arguments: self.copy_terms(arguments, names) }
            }
            other => other.clone(),
        }
    }

    fn copy_terms(&mut self, terms: &[Term], names: &mut Substitution) -> Vec<Term> {
        terms.iter().map(|&term| names.apply(&mut self.program.store, term)).collect()
    }

    fn copy_block(
        &mut self,
        block: &Block,
        names: &mut Substitution,
        renamed: &dyn Fn(Symbol) -> Symbol,
    ) -> Block {
        let block = super::compose::copy(self.program, block);
        let guard = names.apply(&mut self.program.store, block.guard);
        let update = |&(symbol, value): &(Symbol, Term)| {
            (renamed(symbol), names.apply(&mut self.program.store, value))
        };
        let updates = block.updates.iter().map(update).collect();
        Block { guard, updates, inputs: block.inputs }
    }
}

/// Leaves only the outermost sections.
fn flatten_sections(program: &mut Program, id: ProcedureId) -> Result<(), String> {
    let procedure = &program.procedures[id];
    let mut outgoing: IndexVec<LocationId, Vec<EdgeId>> =
        IndexVec::filled(Vec::new(), procedure.locations.len());
    for (edge, contents) in procedure.edges.enumerate() {
        outgoing[contents.from].push(edge);
    }
    let mut depths: IndexVec<LocationId, Option<usize>> = IndexVec::filled(None, outgoing.len());
    depths[procedure.entry] = Some(0);
    let (mut open, mut inner) = (vec![procedure.entry], Vec::new());
    while let Some(location) = open.pop() {
        let depth = depths[location].expect("it was reached");
        for &edge in &outgoing[location] {
            let contents = &procedure.edges[edge];
            let behind = match contents.action {
                Action::AtomicBegin => depth + 1,
                Action::AtomicEnd => depth.saturating_sub(1),
                _ => depth,
            };
            if depth.max(behind) > 1 && depth != behind || depth == 0 && contents.action == Action::AtomicEnd
            {
                inner.push(edge);
            }
            match depths[contents.to] {
                None => {
                    depths[contents.to] = Some(behind);
                    open.push(contents.to);
                }
                Some(known) if known == behind => {}
                Some(_) => return Err(format!("atomic sections of {} cross each other", procedure.name)),
            }
        }
    }
    let guard = program.store.boolean(true);
    for edge in inner {
        let nothing = Block { guard, updates: Vec::new(), inputs: Vec::new() };
        program.procedures[id].edges[edge].action = Action::Block(nothing);
    }
    Ok(())
}
