//! The proof of what holds, for those who want to check it with other tools.
//!
//! Only the bounded engine has one: formulas without a solution. It is asked once more, about the properties that
//! hold and nothing else, so that the proof is one of exactly these; and what it then shows is handed out lemma by
//! lemma. That it finds the same again is a check of its own. If it does not, that is a defect, and nothing holds.

use super::{Options, Outcome};
use crate::boolean::cfg::{Program, PropertyId};
use crate::boolean::reduce;
use crate::engine::auto::Reductions;
use crate::engine::bounded::Keep;
use crate::engine::{Answer, Engine, Query};
use crate::ground::event::Event;
use crate::ground::reason::{Defect, Reason};
use crate::ground::run::Run;
use crate::ground::verdict::Verdict;

/// What became of a proof that was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// It was written.
    Written {
        /// Into this folder.
        folder: String,
        /// How many formulas without a solution it has.
        formulas: usize,
        /// How many bytes the proofs of them have.
        bytes: u64,
    },
    /// There is none; why.
    None(String),
}

/// Why there is no proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unproved {
    /// No property holds.
    NothingHolds,
    /// The engine that decided has no such proof.
    Engine(&'static str),
    /// The engine has no answer this time.
    Unknown(Reason),
    /// It has another answer this time.
    Defect(Defect),
}

/// The properties that hold.
#[must_use]
pub fn held(outcome: &Outcome) -> Vec<PropertyId> {
    let holds = |(_, verdict): &&(PropertyId, _)| matches!(verdict, Verdict::Holds);
    outcome.verdicts.iter().filter(holds).map(|&(property, _)| property).collect()
}

/// Nothing holds because of this.
pub fn take_back(outcome: &mut Outcome, defect: &Defect) {
    for (_, verdict) in &mut outcome.verdicts {
        if matches!(verdict, Verdict::Holds) {
            *verdict = Verdict::Unknown(defect.clone().into());
        }
    }
}

/// Hands out the proof of everything that holds.
///
/// # Errors
/// There is none. What was handed out before is then no proof.
pub fn prove(
    program: &Program,
    options: &Options,
    outcome: &Outcome,
    run: Run<'_>,
    keep: &mut Keep<'_>,
) -> Result<(), Unproved> {
    let properties = held(outcome);
    if properties.is_empty() {
        return Err(Unproved::NothingHolds);
    }
    let engine = options.preferences.bounded();
    if outcome.engine != engine.name() {
        return Err(Unproved::Engine(outcome.engine));
    }
    run.observer.event(Event::Phase("proof".to_owned()));
    let reduced = match options.preferences.reductions {
        Reductions::On => Some(reduce::reduce(program, &properties)),
        Reductions::Off => None,
    };
    let program = reduced.as_ref().map_or(program, |reduced| &reduced.program);
    let query = Query { properties, threads: options.threads };
    let answers = engine.prove(program, &query, run, keep);
    match answers {
        Err(stop) => Err(Unproved::Unknown(stop.into())),
        Ok(answers) => answers.answers.into_iter().try_for_each(same),
    }
}

/// The answer is the one of before.
fn same(answer: Answer) -> Result<(), Unproved> {
    match answer {
        Answer::Unreachable => Ok(()),
        Answer::Unknown(Reason::Defect(defect)) => Err(Unproved::Defect(defect)),
        Answer::Unknown(reason) => Err(Unproved::Unknown(reason)),
        Answer::Reachable(_) => {
            let text = "asked once more, the engine has a run that violates the property";
            Err(Unproved::Defect(Defect::CertificateRejected(text.to_owned())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checker::check_program;
    use crate::engine::auto::{Preferences, Wish};
    use crate::ground::event::Silent;
    use crate::ground::limits::Limits;
    use crate::ground::reason::Stop;

    const HOLDS: &str = "decl a, b; void swap() begin a, b := b, a; end\n\
                         void main() begin a, b := T, F; while (*) do swap(); od assert(a != b); end";

    fn program(text: &str) -> Program {
        let source = crate::ground::source::SourceFile::new("test.bp", text);
        let syntax = crate::boolean::parse::parse(&source).expect("the program is well-formed");
        crate::boolean::check::check(&syntax, &Default::default()).expect("the program is well-formed").0
    }

    fn with(engine: Wish) -> Options {
        let preferences = Preferences { engine, ..Preferences::default() };
        Options { preferences, ..Options::default() }
    }

    /// The names of the lemmas, or why there are none.
    fn lemmas(text: &str, options: &Options, limits: &Limits) -> Result<Vec<String>, Unproved> {
        let program = program(text);
        let none = Limits::none();
        let outcome = check_program(&program, options, Run { limits: &none, observer: &Silent });
        let mut names = Vec::new();
        let mut keep = |lemma: crate::engine::bounded::Lemma| {
            names.push(lemma.name);
            Ok(())
        };
        prove(&program, options, &outcome, Run { limits, observer: &Silent }, &mut keep)?;
        Ok(names)
    }

    #[test]
    fn a_proof_has_the_last_question_and_what_it_rests_on() {
        let found = lemmas(HOLDS, &with(Wish::Bounded), &Limits::none()).expect("it holds");
        assert_eq!(found[..2], ["violation", "complete"]);
    }

    #[test]
    fn without_a_proof_the_reason_is_told() {
        let none = Limits::none();
        let violated = "decl a; void main() begin assert(a); end";
        assert_eq!(lemmas(violated, &with(Wish::Bounded), &none), Err(Unproved::NothingHolds));
        assert_eq!(lemmas(HOLDS, &with(Wish::Summary), &none), Err(Unproved::Engine("summary")));
        let stopped = lemmas(HOLDS, &with(Wish::Bounded), &Limits::firing_at(1));
        assert_eq!(stopped, Err(Unproved::Unknown(Stop::Timeout.into())));
    }

    #[test]
    fn what_is_not_found_again_does_not_hold() {
        let program = program(HOLDS);
        let limits = Limits::none();
        let run = Run { limits: &limits, observer: &Silent };
        let mut outcome = check_program(&program, &with(Wish::Bounded), run);
        take_back(&mut outcome, &Defect::CertificateRejected("for this test".to_owned()));
        assert_eq!(outcome.overall().exit(), crate::ground::exit::Exit::Internal);
    }
}
