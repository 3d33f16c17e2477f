//! The check of a Boolean program from the question to the outcome.
//!
//! Chooses the engine, runs it, and turns its answers into verdicts: a property is violated only if the
//! interpreter can replay the engine's trace, and holds only if the engine left out no behaviour. All
//! else is unknown, with a reason.

use crate::bdd::BackEnd;
use crate::boolean::cfg::{Program, PropertyId};
use crate::certify;
use crate::engine::auto::{self, Wish};
use crate::engine::{Query, Run, Threads};
use crate::ground::event::{Event, Statistics};
use crate::ground::reason::{Assurance, Reason, Stop};
use crate::trace::Trace;
use crate::verdict::{Answer, Outcome, Verdict};

/// The question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The engine to use.
    pub engine: Wish,
    /// The BDD library to use, where an engine uses one.
    pub back_end: BackEnd,
    /// The number of threads.
    pub threads: Threads,
    /// The properties to decide, in source order; `None`: all.
    pub properties: Option<Vec<PropertyId>>,
}

/// Decides the properties of a program.
#[must_use]
pub fn check_program(program: &Program, options: &Options, run: Run<'_>) -> Outcome {
    let properties = options.properties.clone().unwrap_or_else(|| program.properties.ids().collect());
    let query = Query { properties, threads: options.threads };
    let mut choice = auto::choose(program, options.threads, options.engine, options.back_end);
    let engine = choice.engine.name();
    run.observer.event(Event::Note(format!("engine {engine}: {}", choice.why)));
    if query.properties.is_empty() {
        return outcome(engine, Vec::new(), Assurance::exact(), Statistics::default());
    }
    run.observer.event(Event::Phase(format!("{engine} engine")));
    match choice.engine.check(program, &query, run) {
        Err(stop) => undecided(engine, query, &stop),
        Ok(answers) => {
            run.observer.event(Event::Phase("replay".to_owned()));
            let pairs = query.properties.iter().copied().zip(answers.answers);
            let verdicts = pairs.map(|(property, answer)| {
                (property, verdict(program, property, answer, options.threads, &answers.assurance))
            });
            outcome(engine, verdicts.collect(), answers.assurance.clone(), answers.statistics)
        }
    }
}

fn outcome(
    engine: &'static str,
    verdicts: Vec<(PropertyId, Verdict)>,
    assurance: Assurance,
    statistics: Statistics,
) -> Outcome {
    Outcome { verdicts, assurance, engine, statistics }
}

/// The outcome when the engine was stopped.
fn undecided(engine: &'static str, query: Query, stop: &Stop) -> Outcome {
    let verdict = |property| (property, Verdict::Unknown(stop.clone().into()));
    let verdicts = query.properties.into_iter().map(verdict).collect();
    outcome(engine, verdicts, Assurance::exact(), Statistics::default())
}

fn verdict(
    program: &Program,
    property: PropertyId,
    answer: Answer,
    threads: Threads,
    assurance: &Assurance,
) -> Verdict {
    match answer {
        Answer::Unknown(reason) => Verdict::Unknown(reason),
        Answer::Unreachable if assurance.sound => Verdict::Holds,
        Answer::Unreachable => {
            Verdict::Unknown(Reason::Unsupported("not every run was looked at".to_owned()))
        }
        Answer::Reachable(trace) => replayed(program, property, trace, threads),
    }
}

/// Violated, if the interpreter agrees.
fn replayed(program: &Program, property: PropertyId, trace: Box<Trace>, threads: Threads) -> Verdict {
    if trace.property != property {
        return Verdict::Unknown(Reason::ReplayMismatch("the trace is of another property".to_owned()));
    }
    match certify::replay(program, &trace, threads) {
        Ok(()) => Verdict::Violated(trace),
        Err(mismatch) => Verdict::Unknown(Reason::ReplayMismatch(mismatch.to_string())),
    }
}
