//! Bookkeeping that each thread has for itself.
//!
//! The lowering makes global variables of it, because every procedure may change it. Once procedures are in place of their
//! calls, each template gets local variables instead, which are zero when a thread starts.

use super::{Action, Block, Edge, LocationId, ProcedureId, Program, Role, Scope, Variable};
use crate::term::substitute::Substitution;
use crate::term::{Sort, Symbol, Term};
use std::collections::BTreeMap;

/// Gives each template its own variables for what each thread has for itself.
pub(super) fn give_own(program: &mut Program) {
    let is_own = |&symbol: &Symbol| program.variables[symbol].role == Role::Own;
    let own: Vec<Symbol> = program.variables.ids().filter(is_own).collect();
    if own.is_empty() {
        return;
    }
    for id in program.procedures.ids() {
        give(program, id, &own);
    }
}

fn give(program: &mut Program, id: ProcedureId, own: &[Symbol]) {
    if program.procedures[id].edges.is_empty() {
        return;
    }
    let mut names = Substitution::new([]);
    let mut local = BTreeMap::new();
    for &symbol in own {
        let (name, sort) = (program.store.name(symbol).to_owned(), program.store.sort_of_symbol(symbol));
        let copy = program.store.fresh(name, sort);
        program.variables.push(Variable { scope: Scope::Local(id), ty: None, role: Role::Ghost });
        program.procedures[id].locals.push(copy);
        let term = program.store.symbol(copy);
        names.set(symbol, term);
        local.insert(symbol, copy);
    }
    let mut edges = program.procedures[id].edges.clone();
    for edge in edges.iter_mut() {
        rename(program, &mut edge.action, &mut names, &local);
    }
    program.procedures[id].edges = edges;
    start_with_zero(program, id, &local);
}

fn rename(
    program: &mut Program,
    action: &mut Action,
    names: &mut Substitution,
    local: &BTreeMap<Symbol, Symbol>,
) {
    let mut change = |term: &mut Term| *term = names.apply(&mut program.store, *term);
    match action {
        Action::Block(block) => {
            change(&mut block.guard);
            for (symbol, value) in &mut block.updates {
                *symbol = local.get(symbol).copied().unwrap_or(*symbol);
                change(value);
            }
        }
        Action::Call { arguments, .. } | Action::Start { arguments, .. } => {
            arguments.iter_mut().for_each(change);
        }
        _ => {}
    }
}

/// A new entry, from which an edge with zeros leads to the old one.
fn start_with_zero(program: &mut Program, id: ProcedureId, local: &BTreeMap<Symbol, Symbol>) {
    let mut updates = Vec::new();
    for &symbol in local.values() {
        let zero = match program.store.sort_of_symbol(symbol) {
            Sort::Bits(width) => program.store.bits(width, 0),
            Sort::Array { index, element } => {
                let zero = program.store.bits(element, 0);
                program.store.constant_array(index, zero)
            }
            Sort::Boolean => program.store.boolean(false),
        };
        updates.push((symbol, zero));
    }
    let guard = program.store.boolean(true);
    let procedure = &mut program.procedures[id];
    let old: LocationId = procedure.entry;
    let location = procedure.locations[old].clone();
    let from = procedure.locations.push(location);
    let places = procedure.place.into_iter().collect();
    let action = Action::Block(Block { guard, updates, inputs: Vec::new() });
    procedure.edges.push(Edge { from, to: old, action, property: None, places });
    procedure.entry = from;
}
