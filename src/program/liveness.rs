//! Which local variables are still needed, and dropping what is written for nobody.
//!
//! A local variable is live at a location if a path from there reads it before it is written. Only the result is live
//! at the exit: an activation ends there, and objects whose address is taken are memory, not local variables. Inputs
//! of a dropped update stay listed: C asks for them all the same.

use super::reads::Walker;
use super::{Action, Edge, LocationId, ProcedureId, Program, Role, Scope, Variable};
use crate::ground::index::IndexVec;
use crate::term::Symbol;
use rustc_hash::FxHashMap;

/// Which dead variables lose their updates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drop {
    /// Temporaries: nobody will ask for their values.
    Temporaries,
    /// All local variables.
    Locals,
}

impl Drop {
    pub(super) fn includes(self, role: &Role) -> bool {
        self == Self::Locals || *role == Role::Temporary
    }
}

/// Live local variables of one procedure at each of its locations.
#[derive(Clone, Debug)]
pub struct Liveness {
    numbers: FxHashMap<Symbol, usize>,
    live: IndexVec<LocationId, Vec<u64>>,
}

/// What an edge does to local variables, by number.
struct Effect {
    from: LocationId,
    to: LocationId,
    /// What is read in any case.
    reads: Vec<usize>,
    writes: Vec<usize>,
    /// Updates that may be dropped, and what each of them reads.
    candidates: Vec<(usize, Vec<usize>)>,
}

impl Liveness {
    /// Live variables of a procedure, as the least solution of the backward equations. What is read only for updates
    /// that can be dropped is not live.
    #[must_use]
    pub fn of(program: &Program, id: ProcedureId, which: Drop, walker: &mut Walker) -> Self {
        let procedure = &program.procedures[id];
        let numbers: FxHashMap<Symbol, usize> =
            procedure.locals.iter().enumerate().map(|(number, &symbol)| (symbol, number)).collect();
        let none = vec![0; numbers.len().div_ceil(64)];
        let mut live = IndexVec::filled(none, procedure.locations.len());
        if let Some(&result) = procedure.result.and_then(|result| numbers.get(&result)) {
            set(&mut live[procedure.exit], result);
        }
        let mut liveness = Self { numbers, live };
        let mut incoming: IndexVec<LocationId, Vec<usize>> =
            IndexVec::filled(Vec::new(), procedure.locations.len());
        let mut effects = Vec::with_capacity(procedure.edges.len());
        for (number, edge) in procedure.edges.iter().enumerate() {
            incoming[edge.to].push(number);
            effects.push(liveness.effect(program, edge, which, walker));
        }
        liveness.solve(&effects, &incoming);
        liveness
    }

    fn locals(&self, symbols: Vec<Symbol>) -> Vec<usize> {
        symbols.iter().filter_map(|symbol| self.numbers.get(symbol).copied()).collect()
    }

    fn effect(&self, program: &Program, edge: &Edge, which: Drop, walker: &mut Walker) -> Effect {
        let mut reads = Vec::new();
        let mut candidates = Vec::new();
        match &edge.action {
            Action::Block(block) => {
                reads.push(block.guard);
                for &(symbol, value) in &block.updates {
                    match self.numbers.get(&symbol) {
                        Some(&number) if which.includes(&program.variables[symbol].role) => {
                            candidates.push((number, self.locals(walker.symbols(&program.store, [value]))));
                        }
                        _ => reads.push(value),
                    }
                }
            }
            _ => reads = edge.terms(),
        }
        let reads = self.locals(walker.symbols(&program.store, reads));
        Effect { from: edge.from, to: edge.to, reads, writes: self.locals(edge.writes()), candidates }
    }

    fn solve(&mut self, effects: &[Effect], incoming: &IndexVec<LocationId, Vec<usize>>) {
        let mut queue: Vec<usize> = (0..effects.len()).collect();
        let mut queued = vec![true; effects.len()];
        while let Some(number) = queue.pop() {
            queued[number] = false;
            if self.propagate(&effects[number]) {
                for &before in &incoming[effects[number].from] {
                    if !std::mem::replace(&mut queued[before], true) {
                        queue.push(before);
                    }
                }
            }
        }
    }

    /// Adds what is live before an edge to its start; whether that is more than before.
    fn propagate(&mut self, effect: &Effect) -> bool {
        let after = &self.live[effect.to];
        let mut before = after.clone();
        effect.writes.iter().for_each(|&number| before[number / 64] &= !(1 << (number % 64)));
        effect.reads.iter().for_each(|&number| set(&mut before, number));
        for (target, reads) in &effect.candidates {
            if get(after, *target) {
                reads.iter().for_each(|&number| set(&mut before, number));
            }
        }
        let mut changed = false;
        for (old, new) in self.live[effect.from].iter_mut().zip(before) {
            changed |= new & !*old != 0;
            *old |= new;
        }
        changed
    }

    /// Whether a local variable is live at a location; other variables always are.
    #[must_use]
    pub fn is_live(&self, location: LocationId, symbol: Symbol) -> bool {
        self.numbers.get(&symbol).is_none_or(|&number| get(&self.live[location], number))
    }
}

fn set(words: &mut [u64], number: usize) {
    words[number / 64] |= 1 << (number % 64);
}

fn get(words: &[u64], number: usize) -> bool {
    words[number / 64] >> (number % 64) & 1 == 1
}

/// Drops updates of variables that are dead where the edge leads. Returns how many went.
pub fn drop_dead(program: &mut Program, which: Drop) -> usize {
    let mut walker = Walker::new();
    let mut dropped = 0;
    for id in program.procedures.ids() {
        let liveness = Liveness::of(program, id, which, &mut walker);
        dropped += drop_in(program, id, &liveness, which);
    }
    debug_assert_eq!(super::well_formed::check(program), []);
    dropped
}

fn drop_in(program: &mut Program, id: ProcedureId, liveness: &Liveness, which: Drop) -> usize {
    let Program { variables, procedures, .. } = program;
    let dead = |to: LocationId, symbol: Symbol| {
        let Variable { scope, role, .. } = &variables[symbol];
        which.includes(role) && *scope == Scope::Local(id) && !liveness.is_live(to, symbol)
    };
    let mut dropped = 0;
    for edge in procedures[id].edges.iter_mut() {
        let to = edge.to;
        match &mut edge.action {
            Action::Block(block) => {
                let before = block.updates.len();
                block.updates.retain(|&(symbol, _)| !dead(to, symbol));
                dropped += before - block.updates.len();
            }
            Action::Call { result, .. } if result.is_some_and(|symbol| dead(to, symbol)) => {
                *result = None;
                dropped += 1;
            }
            _ => {}
        }
    }
    dropped
}
