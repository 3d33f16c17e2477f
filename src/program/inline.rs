//! Procedures in the place of their calls, for programs with threads.
//!
//! What a thread runs becomes one automaton, its *template*: then all that a thread knows is in one activation, and
//! what other threads do to it can be said in one step. Every call gets a copy of the callee with variables of its own.
//! Variables that a callee may read before it writes them are arbitrary each time it is entered, and so get an input
//! there. Sections that are atomic nest in C; within a template only the outermost ones are left.
//!
//! A procedure that calls itself gets so many copies, one within the other; what the innermost of them does when it calls
//! itself again is in `recursion`. Copies of copies may become too many: that is an error, with a text that completes
//! "unknown (…)".

mod fixed;
mod recursion;

use super::liveness::{Drop, Liveness};
use super::reads::Walker;
use super::{
    Action, Block, Edge, EdgeId, LocationId, Procedure, ProcedureId, Program, Role, Scope, Variable,
};
use crate::ground::index::{Index, IndexVec};
use crate::term::substitute::Substitution;
use crate::term::{Symbol, Term};
use fixed::Fixed;
use recursion::Again;
use std::collections::{BTreeMap, BTreeSet};

/// A template has no more edges than this.
const MOST: usize = 20_000;

/// A template has no more edges than this if it has several copies of a procedure that calls itself.
const FEW: usize = 600;

/// How procedures that call themselves are put in place of their calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Recursion {
    /// How many copies of one are within each other.
    pub depth: usize,
    /// What the innermost one does when it calls itself.
    pub further: Further,
}

/// What becomes of calls that are deeper than there are copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Further {
    /// The copy begins again, and what its variables held is forgotten.
    Forget,
    /// A run that gets there has no verdict.
    Stop,
}

/// What is tried, one after the other.
const ATTEMPTS: [Recursion; 8] = {
    const fn attempt(depth: usize, further: Further) -> Recursion {
        Recursion { depth, further }
    }
    [
        attempt(8, Further::Forget),
        attempt(4, Further::Forget),
        attempt(2, Further::Forget),
        attempt(1, Further::Forget),
        // An atomic section does not end where it begins again.
        attempt(8, Further::Stop),
        attempt(4, Further::Stop),
        attempt(2, Further::Stop),
        attempt(1, Further::Stop),
    ]
};

/// Puts all procedures in place of their calls. What no thread starts with stays as a shell without edges.
///
/// # Errors
/// If a template becomes too large, or atomic sections cross each other; why, in words.
pub fn inline_calls(program: &mut Program) -> Result<(), String> {
    let mut last = Ok(());
    for attempt in ATTEMPTS {
        let mut copy = program.clone();
        last = inline_with(&mut copy, attempt);
        if last.is_ok() {
            *program = copy;
            break;
        }
    }
    last
}

/// Puts all procedures in place of their calls, in one way.
pub(super) fn inline_with(program: &mut Program, recursion: Recursion) -> Result<(), String> {
    let templates = templates(program);
    let original = Original::of(program);
    for id in program.procedures.ids() {
        match templates.contains(&id) {
            true => Inliner::new(program, id, &original, recursion).run()?,
            false => program.procedures[id].edges = IndexVec::new(),
        }
    }
    super::own::give_own(program);
    super::prune(program);
    templates.into_iter().try_for_each(|id| flatten_sections(program, id))
}

/// The procedures as they were, and what is known of them.
struct Original {
    procedures: IndexVec<ProcedureId, Procedure>,
    live: IndexVec<ProcedureId, Liveness>,
    /// The variables of each procedure that are read before they are written, but for parameters.
    entries: IndexVec<ProcedureId, Vec<Symbol>>,
    fixed: IndexVec<ProcedureId, Fixed>,
}

impl Original {
    fn of(program: &Program) -> Self {
        let procedures = program.procedures.clone();
        let fixed = procedures.iter().map(|procedure| Fixed::of(program, procedure)).collect();
        let live = live(program);
        let entries = live.iter().zip(procedures.iter()).map(|pair| live_at_entry(pair.0, pair.1)).collect();
        Self { live, entries, fixed, procedures }
    }
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

/// The live variables of each procedure.
fn live(program: &Program) -> IndexVec<ProcedureId, Liveness> {
    let mut walker = Walker::new();
    let ids = program.procedures.ids();
    ids.map(|id| Liveness::of(program, id, Drop::Temporaries, &mut walker)).collect()
}

/// The variables of a procedure that are read before they are written, but for parameters.
fn live_at_entry(live: &Liveness, procedure: &Procedure) -> Vec<Symbol> {
    let open =
        |symbol: &&Symbol| !procedure.parameters.contains(symbol) && live.is_live(procedure.entry, **symbol);
    procedure.locals.iter().filter(open).copied().collect()
}

/// A call that was entered.
struct Level {
    /// Which procedure.
    procedure: ProcedureId,
    /// From where.
    outer: Option<usize>,
    /// Where the call returns to, in the procedure that calls.
    back: LocationId,
    /// How far the numbers of its locations are moved.
    offset: usize,
    /// Its copies of the local variables.
    copies: BTreeMap<Symbol, Symbol>,
    /// The edges that lead there and back.
    ends: Option<(EdgeId, EdgeId)>,
}

struct Inliner<'a> {
    program: &'a mut Program,
    id: ProcedureId,
    original: &'a Original,
    recursion: Recursion,
    levels: Vec<Level>,
    /// What copies of parameters that nobody writes were given by their calls, where that is such a variable itself.
    given: BTreeMap<Symbol, Symbol>,
    /// Calls that are deeper than there are copies.
    again: Vec<Again>,
    /// Edges that are done.
    edges: IndexVec<EdgeId, Edge>,
    /// Edges that may be calls, and their levels.
    open: Vec<(Edge, usize)>,
}

impl<'a> Inliner<'a> {
    fn new(program: &'a mut Program, id: ProcedureId, original: &'a Original, recursion: Recursion) -> Self {
        let root = &original.procedures[id];
        let open = root.edges.iter().rev().map(|edge| (edge.clone(), 0)).collect();
        let copies = root.locals.iter().map(|&local| (local, local)).collect();
        let level = Level { procedure: id, outer: None, back: root.exit, offset: 0, copies, ends: None };
        let (given, again) = (BTreeMap::new(), Vec::new());
        let edges = IndexVec::new();
        Self { program, id, original, recursion, levels: vec![level], given, again, edges, open }
    }

    fn run(mut self) -> Result<(), String> {
        while let Some((edge, level)) = self.open.pop() {
            let most = if self.again.is_empty() || self.recursion.depth == 1 { MOST } else { FEW };
            if self.edges.len() + self.open.len() > most {
                let name = &self.program.procedures[self.id].name;
                return Err(format!("{name} has more than {most} edges with all that it calls"));
            }
            match edge.action {
                Action::Call { procedure, .. } => self.call(edge, procedure, level),
                _ => _ = self.edges.push(edge),
            }
        }
        recursion::close(&mut self);
        self.program.procedures[self.id].edges = self.edges;
        Ok(())
    }

    /// The levels from one up to the outermost.
    fn chain(&self, level: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(level), |&level| self.levels[level].outer)
    }

    fn call(&mut self, call: Edge, callee: ProcedureId, level: usize) {
        // What a thread starts with is left for good at its exit, so it does not begin again.
        let is_copy = |&level: &usize| level > 0 && self.levels[level].procedure == callee;
        let copies: Vec<usize> = self.chain(level).filter(is_copy).collect();
        match copies.first() {
            Some(&target) if copies.len() >= self.recursion.depth => {
                self.again.push(Again { call, level, target });
            }
            _ => self.enter(&call, callee, level),
        }
    }

    /// Puts a copy of the callee in place of a call.
    fn enter(&mut self, call: &Edge, callee: ProcedureId, level: usize) {
        let Action::Call { arguments, result, .. } = &call.action else {
            unreachable!("only calls come here")
        };
        let original = &self.original.procedures[callee];
        let mut names = Substitution::new([]);
        let mut copies = BTreeMap::new();
        for &local in &original.locals {
            let copy = self.copy_local(local);
            copies.insert(local, copy);
            let term = self.program.store.symbol(copy);
            names.set(local, term);
        }
        let renamed = |symbol: Symbol| copies.get(&symbol).copied().unwrap_or(symbol);
        let offset = self.copy_locations(original);
        let moved = |location: LocationId| LocationId::new(offset + location.index());
        let back = LocationId::new(call.to.index() - self.levels[level].offset);
        let entering = self.entering(callee, arguments, &renamed);
        let entering = self.edges.push(plain(call, call.from, moved(original.entry), entering));
        let mut leaving = self.block(Vec::new(), Vec::new());
        if let (Some(target), Some(value)) = (*result, original.result) {
            let value = self.program.store.symbol(renamed(value));
            leaving.updates.push((target, value));
        }
        let leaving = self.edges.push(plain(call, moved(original.exit), call.to, leaving));
        let inner = self.levels.len();
        for edge in original.edges.iter().rev() {
            let action = self.copy_action(&edge.action, &mut names, &renamed);
            let copy = Edge { from: moved(edge.from), to: moved(edge.to), action, ..edge.clone() };
            self.open.push((copy, inner));
        }
        recursion::note_given(self, callee, arguments, &copies);
        let ends = Some((entering, leaving));
        self.levels.push(Level { procedure: callee, outer: Some(level), back, offset, copies, ends });
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
        let parameters = &self.original.procedures[callee].parameters;
        let mut updates: Vec<(Symbol, Term)> =
            parameters.iter().map(|&parameter| renamed(parameter)).zip(arguments.iter().copied()).collect();
        let mut inputs = Vec::new();
        for &local in &self.original.entries[callee] {
            let input = self.input_like(local, "uninitialised ");
            inputs.push(input);
            updates.push((renamed(local), self.program.store.symbol(input)));
        }
        self.block(updates, inputs)
    }

    /// An arbitrary value for a variable; the words before its name say why.
    fn input_like(&mut self, symbol: Symbol, why: &str) -> Symbol {
        let role = Role::Input(format!("{why}{}", self.program.store.name(symbol)));
        self.copy_symbol(symbol, |variable| Variable { scope: Scope::Input, role, ..variable })
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

/// An edge in place of a call.
fn plain(call: &Edge, from: LocationId, to: LocationId, block: Block) -> Edge {
    Edge { from, to, action: Action::Block(block), property: None, places: call.places.clone() }
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
