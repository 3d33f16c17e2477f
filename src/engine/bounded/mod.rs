//! The bounded engine: recursive sequential programs by SAT instead of BDDs [Bas10, chapter 4].
//!
//! Procedures are executed symbolically, with all ways to a node merged and loops unrolled; a formula says which values
//! and choices lead to a violation, and a solver looks for them. That is quick where a violation is near, however
//! many variables there are. For a proof the engine must know that nothing is left out: that every loop and every
//! recursive call was unrolled until nothing new came.
//!
//! | file | what |
//! |---|---|
//! | `formula`, `copy`, `evaluate`, `encode` | shared formulas; copies with other inputs; their values; as clauses for a solver |
//! | `facts` | loops, calls, live variables, the order of work |
//! | `summary` | what a procedure does, as formulas |
//! | `unroll` | symbolic execution of one procedure |
//! | `stage` | the summaries of all opened procedures, callees first |
//! | `cover` | the check for a fixed point, by two solvers in turn |
//! | `recurrence` | the recurrence diameter of a loop, where that check takes too much |
//! | `pieces` | universal summaries of recursive procedures |
//! | `read` | from values of choices back to a run |
//! | `meaning`, `proof` | what inputs stand for; what a proof rests on, for others to check |
//! | `search` | stages with larger and larger bounds |
//! | `kept` | what a search leaves to the next one, in a refinement loop |
//!
//! Deviations from the thesis. A loop is closed by the check of equation 4.3; the recurrence diameter of corollary 4.4, which
//! takes no fewer unrollings, is the fall-back where that check needs too many instances. Summaries of
//! recursive procedures are lists of instances (`pieces`), not nested copies. Structural abstraction (4.3) opens all
//! procedures on a satisfiable path at once; when a proof fails, everything that could be the reason is opened.
//!
//! The nesting bound of theorem 4.5 is no fall-back here. Rounds of `pieces` never exceed it; it would decide recursion that soon
//! repeats entry and exit but has more pieces than a stage allows (a test has such a program). It is computed on all
//! runs of nested copies, which grow exponentially; and loops that are closed by a fixed point keep one run for each
//! pair of states, not all of them. So it would be right only for procedures without loops.
//!
//! If there is neither a violation nor a proof, the answer is `unknown (bounded to N unrollings and M nested calls)`: no run
//! within these bounds violates what is open.

mod copy;
mod cover;
pub(super) mod encode;
pub(super) mod evaluate;
mod facts;
pub(super) mod formula;
mod kept;
mod meaning;
mod pieces;
mod proof;
mod read;
mod recurrence;
mod search;
mod stage;
mod summary;
#[cfg(test)]
mod tests;
mod unroll;

use super::{Answer, Answers, Engine, Query};
use crate::boolean::cfg::Program;
use crate::ground::assurance::Assurance;
use crate::ground::event::{Event, Statistics};
use crate::ground::reason::{Reason, Stop};
use crate::ground::run::Run;
use facts::Facts;
pub use kept::Kept;
pub use proof::{Keep, Lemma, Name};
use search::Search;

/// The engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounded {
    stages: u32,
    /// How often a check for a fixed point of one loop may be out of effort.
    tries: u32,
    /// What the last search left.
    kept: Kept,
}

impl Default for Bounded {
    fn default() -> Self {
        Self { stages: 12, tries: 2, kept: Kept::default() }
    }
}

impl Engine for Bounded {
    fn name(&self) -> &'static str {
        "bounded"
    }

    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop> {
        self.decide(program, query, run, None)
    }

    fn kept(&self) -> Option<&Kept> {
        Some(&self.kept)
    }
}

impl Bounded {
    /// An engine that gives up once loops were unrolled this often: the next power of two.
    #[must_use]
    pub fn up_to(unrollings: u32) -> Self {
        let stages = unrollings.max(1).next_power_of_two().trailing_zeros() + 1;
        Self { stages, ..Self::default() }
    }

    /// The engine after a search that left this.
    #[must_use]
    pub fn after(self, kept: Kept) -> Self {
        Self { kept, ..self }
    }

    /// An engine that closes loops by their recurrence diameter alone.
    #[cfg(test)]
    pub fn by_recurrence() -> Self {
        Self { tries: 0, ..Self::default() }
    }

    /// Decides the properties of the query. If none of them is violated, the proof is handed out. It is one of all
    /// properties together: ask about those that hold.
    ///
    /// # Errors
    /// A limit was reached before the search began.
    pub fn prove(
        mut self,
        program: &Program,
        query: &Query,
        run: Run<'_>,
        keep: &mut Keep<'_>,
    ) -> Result<Answers, Stop> {
        self.decide(program, query, run, Some(keep))
    }

    fn decide(
        &mut self,
        program: &Program,
        query: &Query,
        run: Run<'_>,
        keep: Option<&mut Keep<'_>>,
    ) -> Result<Answers, Stop> {
        if let Some(why) = facts::unsupported(program) {
            return Ok(unsupported(query, why));
        }
        run.limits.check()?;
        run.observer.event(Event::Phase("unrolling".into()));
        let facts = Facts::new(program, &query.properties);
        let mut search = Search::new(&facts, self.kept.clone(), run);
        if let Some(keep) = keep {
            search = search.handing_out(keep);
        }
        let end = search.run(self.stages, self.tries);
        let rest = match end {
            Ok(rest) => rest,
            Err(stop) => Answer::Unknown(stop.into()),
        };
        if let Some(kept) = search.kept.take() {
            self.kept = kept;
        }
        let answer = |property| search.found.get(property).cloned().unwrap_or_else(|| rest.clone());
        let answers = query.properties.iter().map(answer).collect();
        Ok(Answers { answers, assurance: Assurance::exact(), statistics: search.statistics() })
    }
}

fn unsupported(query: &Query, why: &str) -> Answers {
    let answer = Answer::Unknown(Reason::Unsupported(why.to_owned()));
    let answers = vec![answer; query.properties.len()];
    Answers { answers, assurance: Assurance::exact(), statistics: Statistics::default() }
}
