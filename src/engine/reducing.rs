//! An engine behind the reductions: it sees a smaller program, the user sees the original.
//!
//! The program is reduced to what the asked properties depend on, the engine is asked about the rest, and its
//! counterexamples are lifted back. A counterexample that cannot be lifted (it may be too long to write down) is no
//! reason to fail: then the engine is asked about the original program. Traces are shortest in steps of the reduced
//! program, in which skips and jumps do not count.

use super::{Answers, Engine, Kept, Query, Run};
use crate::boolean::cfg::Program;
use crate::boolean::reduce::{Reduced, lift, reduce};
use crate::engine::Answer;
use crate::ground::event::Event;
use crate::ground::reason::{Defect, Stop};

/// An engine that is asked about reduced programs.
pub struct Reducing<E> {
    engine: E,
}

impl<E: Engine> Reducing<E> {
    /// Puts the reductions before an engine.
    #[must_use]
    pub fn new(engine: E) -> Self {
        Self { engine }
    }

    /// Asks about the original program where counterexamples could not be lifted: at these positions of the query.
    /// What was decided before stays decided if a limit stops this.
    fn ask_again(
        &mut self,
        program: &Program,
        query: &Query,
        run: Run<'_>,
        stuck: &[usize],
        found: &mut Answers,
    ) {
        run.observer
            .event(Event::Note("a counterexample cannot be lifted: checking without reductions".into()));
        let properties = stuck.iter().map(|&position| query.properties[position]).collect();
        let again = match self.engine.check(program, &Query { properties, ..query.clone() }, run) {
            Ok(again) => again,
            Err(stop) => {
                for &position in stuck {
                    found.answers[position] = Answer::Unknown(stop.clone().into());
                }
                return;
            }
        };
        found.statistics.include(&again.statistics);
        found.assurance = found.assurance.clone().and(&again.assurance);
        for (&position, answer) in stuck.iter().zip(again.answers) {
            found.answers[position] = confirmed(answer);
        }
    }
}

impl<E: Engine> Engine for Reducing<E> {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop> {
        run.observer.event(Event::Phase("reductions".into()));
        let reduced = reduce(program, &query.properties);
        run.limits.check()?;
        let (all, left) = (program.nodes.len(), reduced.program.nodes.len());
        run.observer.event(Event::Note(format!("reductions leave {left} of {all} nodes")));
        let mut found = self.engine.check(&reduced.program, query, run)?;
        let stuck = lift_all(program, &reduced, &mut found.answers);
        if !stuck.is_empty() {
            self.ask_again(program, query, run, &stuck, &mut found);
        }
        Ok(found)
    }

    fn kept(&self) -> Option<&Kept> {
        self.engine.kept()
    }
}

/// The answer on a property of the original program that is violated in the reduced one.
fn confirmed(answer: Answer) -> Answer {
    match answer {
        Answer::Unreachable => {
            let text = "the reduced program has a counterexample, the original none".into();
            Answer::Unknown(Defect::ReplayMismatch(text).into())
        }
        other => other,
    }
}

/// Lifts all counterexamples; returns the positions of those that cannot be lifted.
fn lift_all(program: &Program, reduced: &Reduced, answers: &mut [Answer]) -> Vec<usize> {
    let mut stuck = Vec::new();
    for (position, answer) in answers.iter_mut().enumerate() {
        let Answer::Reachable(trace) = answer else { continue };
        match lift(program, reduced, trace) {
            Ok(lifted) => **trace = lifted,
            Err(_) => stuck.push(position),
        }
    }
    stuck
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bdd::BackEnd;
    use crate::boolean::check::{CheckOptions, check};
    use crate::boolean::parse::parse;
    use crate::certify::replay;
    use crate::engine::Threads;
    use crate::engine::summary::Summary;
    use crate::ground::event::Silent;
    use crate::ground::limits::Limits;
    use crate::ground::source::SourceFile;

    #[test]
    fn lifted_traces_go_around_removed_statements_that_block() {
        for blocking in ["g := T constrain F", "g := T constrain !'g", "assume(l$ & F)", "assume(F)"] {
            let text = format!(
                "decl g; void main() begin decl l; if (*) then {blocking}; else skip; fi assert(F); end"
            );
            let syntax = parse(&SourceFile::new("test.bp", text)).expect("the program is well-formed");
            let (program, _) = check(&syntax, &CheckOptions::default()).expect("the program is well-formed");
            let query = Query { properties: program.properties.ids().collect(), threads: Threads::Unbounded };
            let run = Run { limits: &Limits::none(), observer: &Silent };
            let mut engine = Reducing::new(Summary::new(BackEnd::Biodivine));
            let answers = engine.check(&program, &query, run).expect("there is no limit").answers;
            let [Answer::Reachable(trace)] = &answers[..] else { panic!("{blocking}: {answers:?}") };
            assert_eq!(replay(&program, trace, Threads::Unbounded), Ok(()), "{blocking}");
        }
    }
}
