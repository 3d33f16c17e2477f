//! The check of a net from the question to the outcome.
//!
//! There is one question: can any of the targets be covered? It is answered with yes only after the run that
//! covers one has been replayed, and with no only if the engine left out no behaviour.

use crate::certify;
use crate::engine::coverability::{Method, NetAnswer, decide};
use crate::ground::assurance::Assurance;
use crate::ground::event::{Event, Statistics};
use crate::ground::reason::{Defect, Reason};
use crate::ground::run::Run;
use crate::ground::verdict::{Overall, Verdict};
use crate::system::net::{Net, NetTrace};

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetOutcome {
    /// The verdict.
    pub verdict: Verdict<NetTrace>,
    /// How far it can be trusted.
    pub assurance: Assurance,
    /// How it was found.
    pub engine: &'static str,
    /// Figures of the run.
    pub statistics: Statistics,
}

impl NetOutcome {
    /// An outcome that decides nothing.
    #[must_use]
    pub fn unknown(method: Method, reason: Reason) -> Self {
        let (assurance, statistics) = (Assurance::exact(), Statistics::default());
        Self { verdict: Verdict::Unknown(reason), assurance, engine: name(method), statistics }
    }

    /// The result of the run.
    #[must_use]
    pub fn overall(&self) -> Overall {
        Overall::of([&self.verdict], &self.assurance, None)
    }
}

/// Decides whether a target of a net can be covered.
#[must_use]
pub fn check_net(net: &Net, method: Method, run: Run<'_>) -> NetOutcome {
    let engine = name(method);
    run.observer.event(Event::Phase(format!("{engine} engine")));
    match decide(net, method, run) {
        Err(stop) => NetOutcome::unknown(method, stop.into()),
        Ok(answers) => {
            run.observer.event(Event::Phase("replay".to_owned()));
            let verdict = verdict(net, answers.answer, &answers.assurance);
            NetOutcome { verdict, assurance: answers.assurance, engine, statistics: answers.statistics }
        }
    }
}

/// The method as the command line names it.
fn name(method: Method) -> &'static str {
    match method {
        Method::Auto => "coverability",
        Method::KarpMiller => "karp_miller",
        Method::Backward => "backward",
    }
}

fn verdict(net: &Net, answer: NetAnswer, assurance: &Assurance) -> Verdict<NetTrace> {
    match answer {
        NetAnswer::Unknown(reason) => Verdict::Unknown(reason),
        NetAnswer::Uncoverable => Verdict::unviolated(assurance),
        NetAnswer::Covered(trace) => match certify::replay_net(net, &trace) {
            Ok(()) => Verdict::Violated(Box::new(trace)),
            Err(mismatch) => Verdict::Unknown(Defect::ReplayMismatch(mismatch.to_string()).into()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::event::Silent;
    use crate::ground::limits::Limits;
    use crate::ground::reason::Stop;
    use crate::ground::source::SourceFile;
    use crate::system::{mist, tts};

    const METHODS: [Method; 3] = [Method::Auto, Method::KarpMiller, Method::Backward];

    fn threads(text: &str, initial: &str, target: &str) -> Net {
        let mut net = tts::parse(&SourceFile::new("x.tts", text)).expect("it is well-formed");
        net.initial = vec![tts::parse_initial(&net, initial).expect("it is well-formed")];
        net.targets =
            tts::parse_targets(&net, &SourceFile::new("x.prop", target)).expect("it is well-formed");
        net
    }

    fn petri(text: &str) -> Net {
        mist::parse(&SourceFile::new("x.spec", text)).expect("it is well-formed")
    }

    fn ask(net: &Net, method: Method, limits: &Limits) -> Overall {
        check_net(net, method, Run { limits, observer: &Silent }).overall()
    }

    /// Nets that show a corner of a format, each with its verdict.
    fn corners() -> Vec<(&'static str, Net, Overall)> {
        let passive = "1 4\n0 1 -> 0 2 0 ~> 3 0 ~> 0";
        let transfer = "2 3\n0 0 ~> 1 1";
        vec![
            ("a choice per thread: both move", threads(passive, "0|0,0,1", "0|2,3,3"), Overall::Violated),
            ("a choice per thread: one stays", threads(passive, "0|0,0,1", "0|0,2,3"), Overall::Violated),
            ("no thread is made by a choice", threads(passive, "0|0,0,1", "0|2,3,3,3"), Overall::Holds),
            ("a transfer needs no thread", threads(transfer, "0|2", "1|2"), Overall::Violated),
            ("a transfer moves all", threads(transfer, "0|0,0", "1|0"), Overall::Holds),
            ("all arrive", threads(transfer, "0/0", "1|1,1,1,1"), Overall::Violated),
            ("one thread is one", threads("1 2\n0 0 -> 0 1", "0|0", "0|1,1"), Overall::Holds),
            ("any number is many", threads("1 2\n0 0 -> 0 1", "0/0", "0|1,1"), Overall::Violated),
            ("who starts a thread stays", threads("1 2\n0 0 +> 0 1", "0|0", "0|0,1,1"), Overall::Violated),
            (
                "the active thread is not moved",
                threads("1 4\n0 1 -> 0 2 2 ~> 3 1 ~> 3", "0|1,1", "0|2,3"),
                Overall::Violated,
            ),
            (
                "moves happen at once",
                threads("2 3\n0 2 -> 1 2 0 ~> 1 1 ~> 0", "0|0,2", "1|0"),
                Overall::Holds,
            ),
            ("the initial state counts", threads("1 1", "0|0", "0|0"), Overall::Violated),
            (
                "a zero test blocks",
                petri("vars x y rules x = 0 -> y' = y + 1; init x = 1, y = 0 target y >= 1"),
                Overall::Holds,
            ),
            (
                "what is not in the initial set is any number",
                petri("vars x y rules x >= 3 -> y' = y + 1; init y = 0 target y >= 1"),
                Overall::Violated,
            ),
            (
                "a reset loses",
                petri(
                    "vars x y rules y = 0 -> x' = 0, y' = 1; y >= 1 -> y' = y + 1; init x = 2, y = 0 target x >= 1, y >= 1",
                ),
                Overall::Holds,
            ),
            (
                "a range is each of its values",
                petri("vars x rules init x in [1,3] target x >= 3"),
                Overall::Violated,
            ),
        ]
    }

    #[test]
    fn corners_of_the_formats_have_their_verdicts() {
        for (what, net, right) in corners() {
            for method in METHODS {
                assert_eq!(ask(&net, method, &Limits::none()), right, "{what}, {method:?}");
            }
        }
    }

    #[test]
    fn limits_change_no_verdict() {
        let timeout = Overall::Unknown(Stop::Timeout.into());
        for (what, net, right) in corners() {
            for method in METHODS {
                for check in (1..40).chain([100, 1000]) {
                    let found = ask(&net, method, &Limits::firing_at(check));
                    assert!(found == right || found == timeout, "{what}, check {check}: {found}");
                }
            }
        }
    }

    #[test]
    fn without_soundness_nothing_holds() {
        let net = threads("1 2\n0 0 -> 0 1", "0|0", "0|1");
        let unsound = Assurance { sound: false, ..Assurance::exact() };
        let answer = verdict(&net, NetAnswer::Uncoverable, &unsound);
        assert!(matches!(answer, Verdict::Unknown(_)), "{answer:?}");
    }
}
