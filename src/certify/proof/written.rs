//! What procedures may write: what they cannot write is the same when they return.

use crate::ground::index::IndexVec;
use crate::program::{Action, Edge, ProcedureId, Program, Scope};
use crate::term::Symbol;
use std::collections::BTreeSet;

/// What each procedure may write.
#[derive(Clone, Debug)]
pub struct Written {
    /// Local variables, in one activation.
    locals: IndexVec<ProcedureId, BTreeSet<Symbol>>,
    /// Global variables, callees and their callees included.
    globals: IndexVec<ProcedureId, BTreeSet<Symbol>>,
}

impl Written {
    /// What the procedures of a program may write.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let mut locals = IndexVec::new();
        let mut globals: IndexVec<ProcedureId, BTreeSet<Symbol>> = IndexVec::new();
        for procedure in program.procedures.iter() {
            let all = procedure.edges.iter().flat_map(targets);
            let (shared, own) = all.partition(|&symbol| program.variables[symbol].scope == Scope::Global);
            globals.push(shared);
            locals.push(own);
        }
        let calls = calls(program);
        let mut round = || {
            let grow = |more, &(caller, callee)| include(&mut globals, caller, callee) || more;
            calls.iter().rev().fold(false, grow)
        };
        while round() {}
        Self { locals, globals }
    }

    /// The local variables that an activation of a procedure may write.
    #[must_use]
    pub fn locals(&self, procedure: ProcedureId) -> &BTreeSet<Symbol> {
        &self.locals[procedure]
    }

    /// The global variables that a procedure may write before it returns.
    #[must_use]
    pub fn globals(&self, procedure: ProcedureId) -> &BTreeSet<Symbol> {
        &self.globals[procedure]
    }
}

/// The variables that an edge itself writes.
fn targets(edge: &Edge) -> Vec<Symbol> {
    match &edge.action {
        Action::Block(block) => block.updates.iter().map(|&(symbol, _)| symbol).collect(),
        Action::Call { result, .. } => result.iter().copied().collect(),
        Action::Start { .. } | Action::AtomicBegin | Action::AtomicEnd | Action::End => Vec::new(),
        Action::Unsupported(_) => Vec::new(),
    }
}

/// Who calls whom.
fn calls(program: &Program) -> BTreeSet<(ProcedureId, ProcedureId)> {
    let mut found = BTreeSet::new();
    for (caller, procedure) in program.procedures.enumerate() {
        let callees = procedure.edges.iter().filter_map(|edge| match edge.action {
            Action::Call { procedure, .. } | Action::Start { procedure, .. } => Some(procedure),
            _ => None,
        });
        found.extend(callees.map(|callee| (caller, callee)));
    }
    found
}

/// Adds what the callee writes to what the caller does; whether that is more.
fn include(
    globals: &mut IndexVec<ProcedureId, BTreeSet<Symbol>>,
    caller: ProcedureId,
    callee: ProcedureId,
) -> bool {
    let before = globals[caller].len();
    let more: Vec<Symbol> = globals[callee].difference(&globals[caller]).copied().collect();
    globals[caller].extend(more);
    globals[caller].len() > before
}
