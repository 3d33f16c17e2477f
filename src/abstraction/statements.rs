//! The statements of all edges; those that nothing has changed for are kept.

use super::Statistics;
use super::edges::{Context, Piece};
use super::exclusions::Exclusion;
use super::related::Related;
use super::signature::Signature;
use super::variables::Variable;
use crate::ground::index::IndexVec;
use crate::ground::reason::Stop;
use crate::ground::run::Run;
use crate::predicate::{Exclusion as Excluded, PredicateId, PredicateScope};
use crate::program::{Action, EdgeId, ProcedureId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What the statements of an edge were computed from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Inputs {
    before: Rc<[PredicateId]>,
    behind: Rc<[PredicateId]>,
    excluded: BTreeSet<Excluded>,
    callee: Signature,
    passive: Vec<PredicateId>,
    given: Vec<(ProcedureId, PredicateId)>,
}

/// The statements of the edges of a procedure.
pub(super) type Pieces = IndexVec<EdgeId, Rc<Vec<Piece>>>;

/// Statements of edges, and what they were computed from.
pub(super) type Known = FxHashMap<(ProcedureId, EdgeId), (Inputs, Rc<Vec<Piece>>)>;

/// The statements of all edges.
pub(super) fn statements(
    context: &mut Context<'_>,
    related: &Related,
    known: &mut Known,
    statistics: &mut Statistics,
    run: Run<'_>,
) -> Result<IndexVec<ProcedureId, Pieces>, Stop> {
    let mut all = IndexVec::new();
    for procedure in context.program.procedures.ids() {
        let mut pieces = IndexVec::new();
        for edge in context.program.procedures[procedure].edges.ids() {
            run.limits.check()?;
            let inputs = inputs(context, related, procedure, edge);
            if let Some((_, same)) = known.get(&(procedure, edge)).filter(|(old, _)| *old == inputs) {
                statistics.edges_kept += 1;
                pieces.push(same.clone());
                continue;
            }
            statistics.edges_computed += 1;
            let new = Rc::new(context.edge(procedure, edge)?);
            known.insert((procedure, edge), (inputs, new.clone()));
            pieces.push(new);
        }
        all.push(pieces);
    }
    Ok(all)
}

fn inputs(context: &mut Context<'_>, related: &Related, procedure: ProcedureId, id: EdgeId) -> Inputs {
    let edge = &context.program.procedures[procedure].edges[id];
    let callee = match edge.action {
        Action::Call { procedure: callee, .. } | Action::Start { procedure: callee, .. } => {
            context.signatures[callee].clone()
        }
        _ => Signature::default(),
    };
    let some = related.of(edge, &context.program.store, context.precision, context.oracle);
    let matters = |id: &PredicateId| some.as_ref().is_none_or(|some| some.contains(id));
    let (from, to) = (edge.from, edge.to);
    let starts = matches!(edge.action, Action::Start { .. });
    let given = context.threads.filter(|_| starts).map_or_else(Vec::new, |threads| threads.given.clone());
    let before: BTreeSet<PredicateId> = context.tracking.at(procedure, from).collect();
    let behind = context.tracking.at(procedure, to).filter(|id| matters(id) || !before.contains(id));
    Inputs {
        behind: behind.collect(),
        before: before.iter().copied().filter(|id| matters(id)).collect(),
        excluded: context.precision.excluded.get(&(procedure, id)).cloned().unwrap_or_default(),
        callee,
        given,
        passive: context.passive_predicates(procedure, id),
    }
}

/// What excludes each other at the entries of procedures.
pub(super) fn entry_exclusions(
    context: &mut Context<'_>,
) -> Result<IndexVec<ProcedureId, Rc<Vec<Exclusion>>>, Stop> {
    let mut entries = IndexVec::new();
    for id in context.program.procedures.ids() {
        let entry = context.program.procedures[id].entry;
        let mut here = context.exclusions_at(id, entry)?;
        if id != context.program.entry {
            // Global ones exclude each other in the caller already.
            let says = |(variable, _): &(Variable, bool)| match *variable {
                Variable::Predicate(id) => context.precision.predicates[id].scope != PredicateScope::Global,
                _ => false,
            };
            here = Rc::new(here.iter().filter(|exclusion| exclusion.iter().any(says)).cloned().collect());
        }
        entries.push(here);
    }
    Ok(entries)
}
