//! Threads with few context switches, recursion included \[QR05\]: by a sequential program that a sequential engine decides.
//!
//! Whether threads that call recursively keep an assertion is undecidable, but it is decidable for runs with at most K
//! context switches. Such runs become runs of one sequential program, in which the threads run one after the other
//! with guesses of what the others do \[LR08\]; the summary engine and the bounded engine decide that. The bound is the
//! user's, and an assumption of the verdict.
//!
//! | file | what |
//! |---|---|
//! | `layout` | the variables of the sequential program |
//! | `visible` | the steps before which a context may end |
//! | `sequential` | the procedures of the source in the sequential program |
//! | `scheduler` | the procedures around them: leaving contexts, running threads |
//! | `way_back` | from its counterexamples to those of the threads |
//!
//! Deviations from \[LR08\]. Contexts are not in rounds: any thread may take any context, so that K counts context switches and
//! not rounds. The shared variables have no copy for each context, only a guess of their values at its beginning; what a
//! thread leaves behind is compared with the guess for the next context at once, which spares a third of the variables.
//! Threads are started dynamically; one that is started is run there, by a call. Contexts end only before visible steps.
//!
//! A change of the running thread is a context switch, also after a thread has ended. A violation is noticed by the thread
//! that commits it: if another thread ran before, that is a context switch, too.

mod layout;
mod scheduler;
mod sequential;
#[cfg(test)]
mod tests;
mod visible;
mod way_back;

use super::{Answer, Answers, Engine, Query, Threads};
use crate::boolean::cfg::{Program, Scope};
use crate::ground::assurance::Assumption;
use crate::ground::event::Event;
use crate::ground::reason::{Reason, Stop};
use crate::ground::run::Run;

/// The engine.
pub struct ContextBounded<E> {
    engine: E,
    switches: usize,
}

impl<E: Engine> ContextBounded<E> {
    /// An engine for threads with at most so many context switches, from an engine for sequential programs.
    #[must_use]
    pub fn new(engine: E, switches: usize) -> Self {
        Self { engine, switches }
    }
}

impl<E: Engine> Engine for ContextBounded<E> {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop> {
        if has_passive(program) {
            let why = "a bound on context switches does not know local variables of other threads (`$`)";
            return Ok(Answers::unsupported(query, why));
        }
        run.observer.event(Event::Phase("sequentialisation".into()));
        let sequential = sequential::sequential(program, query, self.switches);
        run.limits.check()?;
        let (nodes, globals) = (sequential.program.nodes.len(), sequential.program.global_count);
        run.observer
            .event(Event::Note(format!("one sequential program of {nodes} nodes, {globals} globals")));
        let properties = sequential.program.properties.ids().collect();
        let asked = Query { properties, threads: Threads::AtMost(1) };
        let mut found = self.engine.check(&sequential.program, &asked, run)?;
        for (answer, &property) in found.answers.iter_mut().zip(&query.properties) {
            let Answer::Reachable(trace) = answer else { continue };
            *answer = match way_back::threads_of(program, &sequential, trace) {
                Ok(trace) => Answer::Reachable(Box::new(crate::boolean::trace::Trace { property, ..trace })),
                Err(stop) => Answer::Unknown(Reason::Stopped(stop)),
            };
        }
        found.assurance = found.assurance.assuming(Assumption::ContextSwitches(self.switches));
        if let Threads::AtMost(most) = query.threads {
            found.assurance = found.assurance.assuming(Assumption::Threads(most));
        }
        Ok(found)
    }
}

/// Whether a thread reads or writes local variables of others.
fn has_passive(program: &Program) -> bool {
    program.variables.iter().any(|variable| variable.passive && matches!(variable.scope, Scope::Local(..)))
}
