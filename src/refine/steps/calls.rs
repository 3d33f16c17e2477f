//! Calls and returns that are wrong by themselves.
//!
//! Into a procedure, values of predicates in the caller, and at the entry of the callee, where its parameters are the
//! arguments. Back from it, values of three times: in the caller before the call, in the callee at its exit, and in the caller
//! behind the call. Global variables that the callee may write have an old value and a new one: what is said before
//! the call is about the old values, and so are the arguments; all else is about the new ones. The result is a symbol of its
//! own, which is what the variable holds that takes it.
//!
//! Programs with threads have no calls by then; were there any, other threads could write what the callee does not.

use super::{Literal, Place, Steps, Taken, Values, literals, pick};
use crate::ground::reason::Stop;
use crate::path::globals_written;
use crate::predicate::{Exclusion, Precision, PredicateId, PredicateScope, Transition};
use crate::program::overlay::Frozen;
use crate::program::{Action, Edge, ProcedureId, Program, Scope};
use crate::term::substitute::Substitution;
use crate::term::{Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What is remembered of procedures.
#[derive(Default)]
pub(super) struct Procedures {
    written: FxHashMap<ProcedureId, Rc<BTreeSet<Symbol>>>,
    /// Symbols for old values of global variables, and for results.
    copies: FxHashMap<Symbol, Symbol>,
}

impl Procedures {
    /// The global variables that a procedure may write.
    fn written(&mut self, program: &Program, procedure: ProcedureId) -> Rc<BTreeSet<Symbol>> {
        let new = || Rc::new(globals_written(program, procedure));
        self.written.entry(procedure).or_insert_with(new).clone()
    }

    /// A symbol for another value of a variable.
    fn copy(&mut self, program: &mut Frozen<'_>, symbol: Symbol) -> Term {
        let copy = *self.copies.entry(symbol).or_insert_with(|| {
            let name = format!("old {}", program.store.name(symbol));
            program.input(name, symbol)
        });
        program.terms().symbol(copy)
    }
}

/// The three times of a return.
pub(super) struct Returned<'a> {
    /// In the caller, before the call.
    pub before: &'a Values,
    /// In the callee, at its exit.
    pub exit: &'a Values,
    /// In the caller, behind the call.
    pub behind: &'a Values,
}

impl Steps {
    /// The exclusions of a step into a procedure.
    pub(super) fn of_entry(
        &mut self,
        program: &mut Frozen<'_>,
        precision: &Precision,
        (place, before, behind): Taken<'_>,
    ) -> Result<Vec<Exclusion>, Stop> {
        let action = program.procedures[place.0].edges[place.1].action.clone();
        let Action::Call { procedure: callee, arguments, .. } = action else { return Ok(Vec::new()) };
        if program.starts_threads() {
            return Ok(Vec::new());
        }
        let passed = program.entered(callee, &arguments);
        let given = |symbol: Symbol| passed.iter().any(|&(parameter, _)| parameter == symbol);
        let behind = self.about(program, precision, behind, callee, given);
        let before = literals(program.terms(), precision, before, |_, term| term);
        let mut passed = Substitution::new(passed);
        let behind = literals(program.terms(), precision, &behind, |store, term| passed.apply(store, term));
        let mut found = Vec::new();
        for core in self.cores(program, before.iter().chain(&behind))? {
            let (before, behind) = (pick(&core, &before, &[]), pick(&core, &behind, &[&before]));
            found.push(Exclusion::new(Transition::Edge, before, behind));
        }
        Ok(found)
    }

    /// The exclusions of a return.
    pub(super) fn of_return(
        &mut self,
        program: &mut Frozen<'_>,
        precision: &Precision,
        place: Place,
        values: &Returned<'_>,
    ) -> Result<Vec<Exclusion>, Stop> {
        let action = program.procedures[place.0].edges[place.1].action.clone();
        let Action::Call { procedure: callee, arguments, result } = action else { return Ok(Vec::new()) };
        if program.starts_threads() {
            return Ok(Vec::new());
        }
        let written = self.procedures.written(program, callee);
        let old: Vec<(Symbol, Term)> =
            written.iter().map(|&symbol| (symbol, self.procedures.copy(program, symbol))).collect();
        let mut old = Substitution::new(old);
        let before =
            literals(program.terms(), precision, values.before, |store, term| old.apply(store, term));
        let value = program.procedures[callee].result.map(|it| (it, self.procedures.copy(program, it)));
        let mut passed: Vec<(Symbol, Term)> = Vec::new();
        for (parameter, argument) in program.entered(callee, &arguments) {
            passed.push((parameter, old.apply(program.terms(), argument)));
        }
        let given = program.given_at_entry(callee);
        passed.extend(value);
        let own: BTreeSet<Symbol> = program.procedures[callee].edges.iter().flat_map(Edge::writes).collect();
        let result_of_callee = program.procedures[callee].result;
        let kept = |symbol: Symbol| {
            result_of_callee == Some(symbol) || given.contains(&symbol) && !own.contains(&symbol)
        };
        let mut exit = self.about(program, precision, values.exit, callee, kept);
        // What the callee says about global variables alone is what is so behind the call.
        exit.retain(|&(id, _)| precision.predicates[id].scope != PredicateScope::Global);
        let mut passed = Substitution::new(passed);
        let exit = literals(program.terms(), precision, &exit, |store, term| passed.apply(store, term));
        let taken = result.zip(value).map(|(target, (_, value))| (target, value));
        let mut taken = Substitution::new(taken);
        let behind =
            literals(program.terms(), precision, values.behind, |store, term| taken.apply(store, term));
        let mut found = Vec::new();
        for core in self.cores(program, before.iter().chain(&exit).chain(&behind))? {
            found.push(Exclusion {
                transition: Transition::Return,
                before: pick(&core, &before, &[]),
                other: pick(&core, &exit, &[&before]),
                behind: pick(&core, &behind, &[&before, &exit]),
            });
        }
        Ok(found)
    }

    /// Values of global predicates, and of those of a procedure that speak of some of its variables only.
    fn about(
        &mut self,
        program: &Program,
        precision: &Precision,
        values: &Values,
        procedure: ProcedureId,
        known: impl Fn(Symbol) -> bool,
    ) -> Values {
        let mut speaks = |id: PredicateId| match precision.predicates[id].scope {
            PredicateScope::Global => true,
            PredicateScope::Local(owner) => {
                let symbols = self.free.of(&program.store, precision.predicates[id].term);
                let visible =
                    |&symbol: &Symbol| program.variables[symbol].scope == Scope::Global || known(symbol);
                owner == procedure && symbols.iter().all(visible)
            }
        };
        values.iter().copied().filter(|&(id, _)| speaks(id)).collect()
    }

    /// The contradictions among literals.
    fn cores<'l>(
        &mut self,
        program: &Program,
        literals: impl Iterator<Item = &'l Literal>,
    ) -> Result<Vec<Vec<Term>>, Stop> {
        let mut found = Vec::new();
        for part in self.parts(&program.store, &[], literals) {
            found.extend(self.core(&program.store, part)?);
        }
        Ok(found)
    }
}
