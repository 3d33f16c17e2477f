//! What procedures tell each other about predicates [Ball, Majumdar, Millstein, Rajamani: Automatic predicate
//! abstraction of C programs, PLDI 2001].
//!
//! A *formal* predicate of a procedure is a local one, tracked at its entry, over parameters, ghosts and global variables: the
//! caller knows what it is then, and passes it. A *returned* one is tracked at the exit, over the result, global variables
//! and parameters that the procedure never writes: the caller knows what it is about, and gets it back. What a procedure
//! may write, its callees included, is found as a fixpoint over the call graph.

use super::oracle::Oracle;
use super::tracking::Tracking;
use crate::ground::index::IndexVec;
use crate::predicate::{Precision, PredicateId, PredicateScope};
use crate::program::{Action, ProcedureId, Program, Scope};
use crate::term::Symbol;
use std::collections::BTreeSet;

/// What a procedure is given and gives back.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Signature {
    /// Formal predicates, by id.
    pub formal: Vec<PredicateId>,
    /// Returned predicates, by id.
    pub returned: Vec<PredicateId>,
}

/// The global variables that each procedure may write, its callees included.
pub(super) fn written_globals(program: &Program) -> IndexVec<ProcedureId, BTreeSet<Symbol>> {
    let is_global = |symbol: &Symbol| program.variables[*symbol].scope == Scope::Global;
    let mut written: IndexVec<ProcedureId, BTreeSet<Symbol>> = program
        .procedures
        .iter()
        .map(|procedure| procedure.edges.iter().flat_map(|edge| edge.writes()).filter(is_global).collect())
        .collect();
    let mut callers: IndexVec<ProcedureId, Vec<ProcedureId>> =
        IndexVec::filled(Vec::new(), program.procedures.len());
    for (id, procedure) in program.procedures.enumerate() {
        for edge in procedure.edges.iter() {
            if let Action::Call { procedure: callee, .. } | Action::Start { procedure: callee, .. } =
                edge.action
            {
                callers[callee].push(id);
            }
        }
    }
    let mut work: Vec<ProcedureId> = program.procedures.ids().collect();
    while let Some(callee) = work.pop() {
        let effects = written[callee].clone();
        for &caller in &callers[callee] {
            let before = written[caller].len();
            written[caller].extend(effects.iter().copied());
            if written[caller].len() > before {
                work.push(caller);
            }
        }
    }
    written
}

/// The signatures of all procedures.
pub(super) fn signatures(
    program: &Program,
    precision: &Precision,
    tracking: &Tracking,
    oracle: &mut Oracle,
) -> IndexVec<ProcedureId, Signature> {
    let mut signatures = IndexVec::new();
    for (id, procedure) in program.procedures.enumerate() {
        let parameters = program.given_at_entry(id);
        let written: BTreeSet<Symbol> = procedure.edges.iter().flat_map(|edge| edge.writes()).collect();
        let local = PredicateScope::Local(id);
        let mut over = |predicate: PredicateId, visible: &dyn Fn(Symbol) -> bool| {
            let predicate = &precision.predicates[predicate];
            let symbols = oracle.symbols(&program.store, predicate.term);
            predicate.scope == local
                && symbols
                    .iter()
                    .all(|&symbol| program.variables[symbol].scope == Scope::Global || visible(symbol))
        };
        let given = |symbol: Symbol| parameters.contains(&symbol);
        let formal = tracking.at(id, procedure.entry).filter(|&it| over(it, &given)).collect();
        let kept =
            |symbol: Symbol| procedure.result == Some(symbol) || given(symbol) && !written.contains(&symbol);
        let returned = tracking.at(id, procedure.exit).filter(|&it| over(it, &kept)).collect();
        signatures.push(Signature { formal, returned });
    }
    signatures
}
