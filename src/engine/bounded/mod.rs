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
//! | `pieces` | universal summaries of recursive procedures |
//! | `read` | from values of choices back to a run |
//! | `search` | stages with larger and larger bounds |
//!
//! Deviations from the thesis. A loop is closed by the check of equation 4.3 alone: where that fails, more unrollings
//! help, and the recurrence diameter of corollary 4.4 is never reached sooner than the fixed point. Summaries of
//! recursive procedures are lists of instances (`pieces`), not nested copies. Structural abstraction (4.3) opens all
//! procedures on a satisfiable path at once; when a proof fails, everything that could be the reason is opened.

mod copy;
mod cover;
mod encode;
mod evaluate;
mod facts;
mod formula;
mod pieces;
mod read;
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
use search::Search;

/// The engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounded {
    stages: u32,
}

impl Default for Bounded {
    fn default() -> Self {
        Self { stages: 12 }
    }
}

impl Engine for Bounded {
    fn name(&self) -> &'static str {
        "bounded"
    }

    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop> {
        if let Some(why) = facts::unsupported(program) {
            return Ok(unsupported(query, why));
        }
        run.limits.check()?;
        run.observer.event(Event::Phase("unrolling".into()));
        let facts = Facts::new(program, &query.properties);
        let mut search = Search::new(&facts, run);
        let end = search.run(self.stages);
        let rest = match end {
            Ok(rest) => rest,
            Err(stop) => Answer::Unknown(stop.into()),
        };
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
