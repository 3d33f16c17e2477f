//! What a search leaves to the next one, which is about a similar program.
//!
//! In a refinement loop each Boolean program is the one before with a few more variables, and has few runs that the one
//! before did not have. So the next violation is as deep as the last one or deeper, and goes through much the same
//! procedures. A search keeps by name which procedures it had to open, and the stage in which it found its first violation. The next
//! one begins with these opened, one stage before: it spares itself the smaller ones, each of which costs formulas and
//! questions, and gets back to smaller bounds where they suffice.
//!
//! Nothing that was shown of one program is used for another. Whatever is kept, a violation is a run that was read back, and a proof
//! is made anew: more opened procedures leave less open, and later stages have all runs of the earlier ones. What is kept
//! decides about the time, and which of several violations is found.
//!
//! The thesis has no such thing. Formulas, clauses and summaries are not kept, because they do not pay: `docs/bounded.md` has the
//! figures.

use super::facts::Facts;
use crate::boolean::cfg::ProcedureId;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a search leaves to the next one. By default nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Kept {
    opened: BTreeSet<Arc<str>>,
    stage: u32,
}

impl Kept {
    /// What is left by a search with these procedures opened that found its first violation, or its proof, in this stage.
    pub(super) fn new(facts: &Facts<'_>, opened: &BTreeSet<ProcedureId>, stage: u32) -> Self {
        let name = |&procedure: &ProcedureId| Arc::clone(&facts.program.procedures[procedure].name);
        Self { opened: opened.iter().map(name).collect(), stage }
    }

    /// The procedures of a program that were opened before.
    pub(super) fn opened(&self, facts: &Facts<'_>) -> BTreeSet<ProcedureId> {
        let procedures = facts.program.procedures.enumerate();
        let known = procedures.filter(|(_, procedure)| self.opened.contains(&procedure.name));
        known.map(|(id, _)| id).collect()
    }

    /// The first stage of a search that has so many.
    pub(super) fn first_stage(&self, stages: u32) -> u32 {
        self.stage.min(stages).saturating_sub(1)
    }
}
