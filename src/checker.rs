//! The check of a Boolean program from the question to the outcome.
//!
//! Chooses the engine, runs it, and turns its answers into verdicts: a property is violated only if the
//! interpreter can replay the engine's trace, and holds only if the engine left out no behaviour. All
//! else is unknown, with a reason. Counterexamples are then given fewer context switches, where that is possible.

pub mod net;
pub mod proof;

use crate::boolean::cfg::{Program, PropertyId};
use crate::boolean::trace::Trace;
use crate::certify;
use crate::engine::auto::{self, Preferences};
use crate::engine::{Answer, Kept, Query, Threads};
use crate::ground::assurance::Assurance;
use crate::ground::event::{Event, Statistics};
use crate::ground::reason::{Defect, Stop};
use crate::ground::run::Run;
use crate::ground::verdict::{Overall, Verdict};

/// The question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Which engine is wanted, and how it is to work.
    pub preferences: Preferences,
    /// The number of threads.
    pub threads: Threads,
    /// The properties to decide, in source order; `None`: all.
    pub properties: Option<Vec<PropertyId>>,
    /// Every counterexample loses its last step: so tests see what becomes of an engine that is wrong.
    pub spoiled: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            preferences: Preferences::default(),
            threads: Threads::Unbounded,
            properties: None,
            spoiled: false,
        }
    }
}

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The checked properties in source order, each with its verdict.
    pub verdicts: Vec<(PropertyId, Verdict<Trace>)>,
    /// How far the verdicts can be trusted.
    pub assurance: Assurance,
    /// The engine that was used.
    pub engine: &'static str,
    /// Why, in a few words.
    pub why: &'static str,
    /// Figures of the run.
    pub statistics: Statistics,
    /// What became of the proof, if one was asked for.
    pub proof: Option<proof::Proof>,
}

impl Outcome {
    /// What the verdicts come to.
    #[must_use]
    pub fn overall(&self) -> Overall {
        Overall::of(self.verdicts.iter().map(|(_, verdict)| verdict), &self.assurance, None)
    }
}

/// Decides the properties of a program.
#[must_use]
pub fn check_program(program: &Program, options: &Options, run: Run<'_>) -> Outcome {
    check_next(program, options, &mut Kept::default(), run)
}

/// The same for one of several similar programs: each check goes on from what the one before left. No verdict depends on that; which
/// counterexample is found may.
#[must_use]
pub fn check_next(program: &Program, options: &Options, kept: &mut Kept, run: Run<'_>) -> Outcome {
    let properties = options.properties.clone().unwrap_or_else(|| program.properties.ids().collect());
    let query = Query { properties, threads: options.threads };
    let mut choice = auto::choose(program, options.threads, &options.preferences, kept);
    let engine = (choice.engine.name(), choice.why);
    run.observer.event(Event::Note(format!("engine {}: {}", engine.0, engine.1)));
    if query.properties.is_empty() {
        return outcome(engine, Vec::new(), Assurance::exact(), Statistics::default());
    }
    run.observer.event(Event::Phase(format!("{} engine", engine.0)));
    let found = choice.engine.check(program, &query, run);
    if let Some(left) = choice.engine.kept() {
        kept.clone_from(left);
    }
    match found {
        Err(stop) => undecided(engine, query, &stop),
        Ok(answers) => {
            run.observer.event(Event::Phase("replay".to_owned()));
            let mut given = answers.answers;
            if options.spoiled {
                given.iter_mut().for_each(spoil);
            }
            let pairs = query.properties.iter().copied().zip(given);
            let verdicts = pairs.map(|(property, answer)| {
                let verdict = verdict(program, property, answer, options.threads, &answers.assurance);
                (property, readable(program, verdict, options.threads, run))
            });
            // A portfolio knows only now which of its engines it was.
            let engine = (choice.engine.name(), choice.why);
            outcome(engine, verdicts.collect(), answers.assurance.clone(), answers.statistics)
        }
    }
}

fn outcome(
    (engine, why): (&'static str, &'static str),
    verdicts: Vec<(PropertyId, Verdict<Trace>)>,
    assurance: Assurance,
    statistics: Statistics,
) -> Outcome {
    Outcome { verdicts, assurance, engine, why, statistics, proof: None }
}

/// Takes the last step from a counterexample.
fn spoil(answer: &mut Answer) {
    if let Answer::Reachable(trace) = answer {
        trace.steps.pop();
    }
}

/// The outcome when the engine was stopped.
fn undecided(engine: (&'static str, &'static str), query: Query, stop: &Stop) -> Outcome {
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
) -> Verdict<Trace> {
    match answer {
        Answer::Unknown(reason) => Verdict::Unknown(reason),
        Answer::Unreachable => Verdict::unviolated(assurance),
        Answer::Reachable(trace) => replayed(program, property, trace, threads),
    }
}

/// Violated, if the interpreter agrees.
fn replayed(program: &Program, property: PropertyId, trace: Box<Trace>, threads: Threads) -> Verdict<Trace> {
    if trace.property != property {
        return Verdict::Unknown(
            Defect::ReplayMismatch("the trace is of another property".to_owned()).into(),
        );
    }
    match certify::replay(program, &trace, threads) {
        Ok(()) => Verdict::Violated(trace),
        Err(mismatch) => Verdict::Unknown(Defect::ReplayMismatch(mismatch.to_string()).into()),
    }
}

/// The verdict with a counterexample that has fewer steps and context switches, if there is one.
fn readable(program: &Program, verdict: Verdict<Trace>, threads: Threads, run: Run<'_>) -> Verdict<Trace> {
    match verdict {
        Verdict::Violated(trace) => {
            let shorter = certify::trim(program, &trace, threads, run.limits);
            let trace = shorter.map_or(trace, Box::new);
            let better = certify::commute(program, &trace, threads, run.limits);
            Verdict::Violated(better.map_or(trace, Box::new))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bdd::BackEnd;
    use crate::boolean::check::{CheckOptions, check};
    use crate::boolean::generate::{Shape, generate};
    use crate::boolean::parse::parse;
    use crate::engine::auto::{Reductions, Wish};
    use crate::ground::event::Silent;
    use crate::ground::limits::Limits;
    use crate::ground::reason::Reason;
    use crate::ground::source::SourceFile;

    fn program(text: &str) -> Program {
        let syntax = parse(&SourceFile::new("test.bp", text)).expect("the program is well-formed");
        check(&syntax, &CheckOptions::default()).expect("the program is well-formed").0
    }

    fn ask(program: &Program, engine: Wish, limits: &Limits) -> Outcome {
        let preferences = Preferences { engine, ..Preferences::default() };
        let options = Options { preferences, ..Options::default() };
        check_program(program, &options, Run { limits, observer: &Silent })
    }

    const VIOLATED: &str = "decl a; bool f(x) begin return !x; end\n\
                            void main() begin while (*) do a := f(a); od assert(!a); end";
    const HOLDS: &str = "decl a, b; void swap() begin a, b := b, a; end\n\
                         void main() begin a, b := T, F; while (*) do swap(); od assert(a != b); end";
    const THREADS: &str = "decl a := F; void f() begin a := T; end\n\
                           void main() begin start_thread f(); assert(!a); end";

    const SERVER: &str = "decl busy := F; void worker() begin
                          atomic_begin; assume(!busy); busy := T; atomic_end; assert(busy); busy := F; end
                          void main() begin while (*) do start_thread worker(); od end";

    #[test]
    fn a_limit_at_any_moment_gives_the_verdict_or_unknown() {
        for (text, engine, right) in [
            (VIOLATED, Wish::Summary, Overall::Violated),
            (VIOLATED, Wish::Explicit, Overall::Violated),
            (HOLDS, Wish::Summary, Overall::Holds),
            (VIOLATED, Wish::Bounded, Overall::Violated),
            (HOLDS, Wish::Bounded, Overall::Holds),
            (HOLDS, Wish::Explicit, Overall::Holds),
            (THREADS, Wish::Auto, Overall::Violated),
            (THREADS, Wish::Backward, Overall::Violated),
            (THREADS, Wish::Cutoff, Overall::Violated),
            (SERVER, Wish::Backward, Overall::Holds),
            (SERVER, Wish::Cutoff, Overall::Holds),
        ] {
            let program = program(text);
            assert_eq!(ask(&program, engine, &Limits::none()).overall(), right);
            let timeout = Overall::Unknown(Stop::Timeout.into());
            assert_eq!(ask(&program, engine, &Limits::firing_at(1)).overall(), timeout);
            for check in 2..300 {
                let found = ask(&program, engine, &Limits::firing_at(check)).overall();
                assert!(found == right || found == timeout, "{found} at check {check} of {text}");
            }
        }
    }

    /// Verdicts under a limit are those without it, or unknown.
    fn limits_change_no_verdict(
        shape: &Shape,
        seeds: std::ops::Range<u64>,
        ways: &[(Wish, BackEnd, Reductions)],
    ) {
        for seed in seeds {
            let syntax = generate(seed, shape);
            let (program, _) = check(&syntax, &CheckOptions::default()).expect("the program is well-formed");
            for &(engine, back_end, reductions) in ways {
                let preferences = Preferences { engine, back_end, reductions, ..Preferences::default() };
                let options = Options { preferences, ..Options::default() };
                let ask =
                    |limits: &Limits| check_program(&program, &options, Run { limits, observer: &Silent });
                let right = ask(&Limits::none());
                let mut moment = 1;
                loop {
                    let found = ask(&Limits::firing_at(moment));
                    let timeout = Verdict::Unknown(Stop::Timeout.into());
                    for ((_, verdict), (_, right)) in found.verdicts.iter().zip(&right.verdicts) {
                        let same = std::mem::discriminant(verdict) == std::mem::discriminant(right);
                        assert!(same || *verdict == timeout, "seed {seed}, check {moment}: {verdict:?}");
                    }
                    if found == right {
                        break;
                    }
                    moment += 1 + moment / 8;
                }
            }
        }
    }

    #[test]
    fn limits_change_no_verdict_of_the_summary_engine() {
        let ways = [
            (Wish::Summary, BackEnd::Biodivine, Reductions::On),
            (Wish::Summary, BackEnd::Biodivine, Reductions::Off),
            (Wish::Summary, BackEnd::Oxidd, Reductions::Off),
        ];
        limits_change_no_verdict(&Shape::odd(), 0..8, &ways);
        limits_change_no_verdict(&Shape::recursive(), 0..8, &ways);
    }

    #[test]
    fn limits_change_no_verdict_of_the_bounded_engine() {
        let ways = [
            (Wish::Bounded, BackEnd::Biodivine, Reductions::On),
            (Wish::Bounded, BackEnd::Biodivine, Reductions::Off),
        ];
        limits_change_no_verdict(&Shape::sequential(), 0..6, &ways);
        limits_change_no_verdict(&Shape::recursive(), 0..6, &ways);
    }

    #[test]
    fn limits_change_no_verdict_of_the_explicit_engine() {
        let small = |shape: Shape| Shape { globals: (1, 1), statements: (2, 3), procedures: (2, 2), ..shape };
        let ways = |wish| [(wish, BackEnd::Biodivine, Reductions::On)];
        limits_change_no_verdict(&small(Shape::sequential()), 0..8, &ways(Wish::Explicit));
        let threaded = Shape { recursion: 0, gotos: 0, parameters: (0, 0), ..small(Shape::threaded()) };
        limits_change_no_verdict(&threaded, 0..8, &ways(Wish::Auto));
    }

    #[test]
    fn a_trace_that_is_no_run_is_no_violation() {
        let program = program(VIOLATED);
        let outcome = ask(&program, Wish::Explicit, &Limits::none());
        let Some((property, Verdict::Violated(trace))) = outcome.verdicts.first() else {
            panic!("expected a violation, got {:?}", outcome.verdicts)
        };
        let mut shorter = trace.clone();
        shorter.steps.pop();
        let verdict = replayed(&program, *property, shorter, Threads::Unbounded);
        assert!(
            matches!(verdict, Verdict::Unknown(Reason::Defect(Defect::ReplayMismatch(_)))),
            "{verdict:?}"
        );
    }

    #[test]
    fn without_soundness_nothing_holds() {
        let program = program(HOLDS);
        let unsound = Assurance { sound: false, ..Assurance::exact() };
        let property = program.properties.ids().next().expect("there is an assertion");
        let verdict = verdict(&program, property, Answer::Unreachable, Threads::Unbounded, &unsound);
        assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
    }

    #[test]
    fn nothing_to_check_holds() {
        let program = program("void main() begin skip; end");
        let outcome = ask(&program, Wish::Auto, &Limits::none());
        assert_eq!((outcome.verdicts.len(), outcome.overall()), (0, Overall::Holds));
    }
}
