//! The states that meet at a call, all of them over the variables of the caller and fresh copies.
//!
//! At the entry of the callee its parameters are the arguments, its other local variables arbitrary, global variables as
//! in the caller. At its exit, what it may write is arbitrary (the invariant there says more), all else as at the
//! entry. Behind the call the caller has its own local variables again, the global ones as they were at the exit, and the
//! result. A ghost of the callee is at its entry what it is a ghost of: the argument, or the global variable of the caller.

use super::written::Written;
use crate::program::{ProcedureId, Program, Scope};
use crate::term::substitute::Substitution;
use crate::term::{Store, Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Whose copy of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Copy {
    /// The callee's, at its entry.
    Entry,
    /// At the exit of the callee.
    Exit,
}

/// Copies of variables, made when they are first needed.
#[derive(Default)]
pub(super) struct Copies(FxHashMap<(Symbol, Copy), Symbol>);

impl Copies {
    fn of(&mut self, store: &mut Store, symbol: Symbol, copy: Copy) -> Term {
        let made = *self.0.entry((symbol, copy)).or_insert_with(|| {
            let (name, sort) = (store.name(symbol).to_owned(), store.sort_of_symbol(symbol));
            store.fresh(name, sort)
        });
        store.symbol(made)
    }
}

/// A call.
pub(super) struct Call<'a> {
    pub callee: ProcedureId,
    pub arguments: &'a [Term],
    pub result: Option<Symbol>,
}

/// The states of a call. Variables that are not mentioned are as in the caller before the call.
pub(super) struct States {
    /// Of the callee, at its entry.
    pub entry: Vec<(Symbol, Term)>,
    /// Of the callee, at its exit.
    pub exit: Vec<(Symbol, Term)>,
    /// Of the caller, behind the call.
    pub behind: Vec<(Symbol, Term)>,
}

impl Call<'_> {
    /// The states, as far as these variables go.
    pub fn states(
        &self,
        program: &mut Program,
        written: &Written,
        mentioned: &BTreeSet<Symbol>,
        copies: &mut Copies,
    ) -> States {
        let Program { store, procedures, variables, overlay, .. } = program;
        let callee = &procedures[self.callee];
        let mut entry = Vec::new();
        let mut exit = Vec::new();
        let needed =
            |&(local, _): &(Symbol, Symbol)| mentioned.contains(&local) || callee.result == Some(local);
        let locals = callee.locals.iter().map(|&local| (local, local));
        let ghosts = overlay.ghosts(self.callee).iter().map(|ghost| (ghost.symbol, ghost.of));
        for (local, of) in locals.chain(ghosts).filter(needed) {
            let position = callee.parameters.iter().position(|&parameter| parameter == of);
            let first = match position.and_then(|position| self.arguments.get(position).copied()) {
                Some(argument) => argument,
                None if variables[of].scope == Scope::Global => store.symbol(of),
                None => copies.of(store, of, Copy::Entry),
            };
            let last = match written.locals(self.callee).contains(&local) {
                true => copies.of(store, local, Copy::Exit),
                false => first,
            };
            entry.push((local, first));
            exit.push((local, last));
        }
        let globals = written.globals(self.callee).intersection(mentioned);
        let globals: Vec<_> = globals.map(|&global| (global, copies.of(store, global, Copy::Exit))).collect();
        exit.extend(globals.iter().copied());
        let mut behind = globals;
        if let Some(target) = self.result {
            let returned = callee.result.and_then(|result| find(&exit, result));
            let returned = returned.unwrap_or_else(|| copies.of(store, target, Copy::Exit));
            behind.retain(|&(symbol, _)| symbol != target);
            behind.push((target, returned));
        }
        States { entry, exit, behind }
    }
}

fn find(values: &[(Symbol, Term)], wanted: Symbol) -> Option<Term> {
    values.iter().find(|&&(symbol, _)| symbol == wanted).map(|&(_, term)| term)
}

/// A state as a substitution.
pub(super) fn state(values: &[(Symbol, Term)]) -> Substitution {
    Substitution::new(values.iter().copied())
}
