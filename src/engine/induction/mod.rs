//! k-induction for N threads \[SSS00\]: violations within k steps from the start, proofs from any k steps that are free of them.
//!
//! For k = 0, 1, 2, … a SAT solver is asked two questions. *Base*: is there a run of k steps from the start whose last state violates
//! a property? *Step*: is there a run of k steps from any state at all, of which only the last violates one? If neither exists, the
//! properties hold: a shortest run to a violation would be longer than k steps, and its last k steps are what the second question asked
//! for. States of a run may be required to be different, because a shortest run has no state twice; with that the answer is "no"
//! for some k, since there are finitely many states.
//!
//! | file | what |
//! |---|---|
//! | `choices` | expressions with `*` as pairs of formulas; numbers that a run chooses |
//! | `state` | N threads as formulas: where each is, the values of its slots, the shared variables |
//! | `step` | one step of one of the threads |
//! | `run` | runs of k steps, a solver that knows them, and states that must differ |
//! | `search` | both questions for growing k |
//! | `read` | from the solver's values back to a run |
//!
//! The threads are those of the [template](crate::system::template): calls are inlined, a thread is a location and its slots. Only one
//! thread moves at a time, so the values that it sees are selected once, and the statements are encoded once for each
//! step of a run, not once for each thread.
//!
//! Deviations from the paper. States are required to be different only where the solver has found equal ones \[ES03\]. States are
//! equal if they are equal where it matters: in slots that may still be read. Where no run of k steps without equal
//! states leaves the start, all states have been seen, and that is a proof as well.
//!
//! What is left out: broadcasts (`$`) and recursion, which need another engine, and any number of threads: induction is about
//! states of one size.

mod choices;
mod read;
mod run;
mod search;
mod state;
mod step;
#[cfg(test)]
mod tests;

use super::counter::refused;
use super::{Answers, Engine, Query, Threads};
use crate::boolean::cfg::Program;
use crate::ground::event::Event;
use crate::ground::reason::Stop;
use crate::ground::run::Run;
use crate::system::template::{Refusal, Template};
use search::Search;

/// The engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Induction;

impl Engine for Induction {
    fn name(&self) -> &'static str {
        "induction"
    }

    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop> {
        let template = match Template::new(program, run.limits) {
            Ok(template) => template,
            Err(Refusal::Stopped(stop)) => return Err(stop),
            Err(refusal) => return Ok(refused(query, refusal)),
        };
        if template.has_broadcasts() {
            let why = "k-induction does not know local variables of other threads (`$`)";
            return Ok(Answers::unsupported(query, why));
        }
        let threads = match (template.starts_threads(), query.threads) {
            (false, _) => 1,
            (true, Threads::AtMost(most)) => most.max(1),
            (true, Threads::Unbounded) => {
                let why = "k-induction needs a bound on the number of threads (`--threads N`)";
                return Ok(Answers::unsupported(query, why));
            }
        };
        run.observer.event(Event::Phase("k-induction".into()));
        Search::new(program, &template, threads, query, run)?.answers()
    }
}
