//! Where a term has a meaning.

use super::PredicateScope;
use crate::program::{Program, Scope};
use crate::term::Term;

/// The scope of a term; none if it mentions an input, or local variables of several procedures.
#[must_use]
pub fn scope_of(program: &Program, term: Term) -> Option<PredicateScope> {
    let mut found = PredicateScope::Global;
    for symbol in program.store.free_symbols(term) {
        match (program.variables[symbol].scope, found) {
            (Scope::Global, _) => {}
            (Scope::Local(procedure), PredicateScope::Global) => found = PredicateScope::Local(procedure),
            (Scope::Local(procedure), PredicateScope::Local(other)) if procedure == other => {}
            _ => return None,
        }
    }
    Some(found)
}
