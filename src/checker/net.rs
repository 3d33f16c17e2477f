//! The check of a net from the question to the outcome.
//!
//! There is one question: can any of the targets be covered? It is answered with yes only after the run that
//! covers one has been replayed, and with no only if the engine left out no behaviour.

use crate::certify;
use crate::engine::Run;
use crate::engine::coverability::{Method, NetAnswer, decide};
use crate::ground::event::{Event, Statistics};
use crate::ground::reason::{Assurance, Reason};
use crate::system::net::{Net, NetTrace};
use crate::verdict::Overall;

/// The verdict on the targets of a net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetVerdict {
    /// No run covers a target.
    Holds,
    /// The run, which was replayed, covers one.
    Violated(Box<NetTrace>),
    /// Neither is known.
    Unknown(Reason),
}

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetOutcome {
    /// The verdict.
    pub verdict: NetVerdict,
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
        Self { verdict: NetVerdict::Unknown(reason), assurance, engine: name(method), statistics }
    }

    /// The result of the run.
    #[must_use]
    pub fn overall(&self) -> Overall {
        match &self.verdict {
            NetVerdict::Holds => Overall::Holds,
            NetVerdict::Violated(_) => Overall::Violated,
            NetVerdict::Unknown(reason) => Overall::Unknown(reason.clone()),
        }
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

fn verdict(net: &Net, answer: NetAnswer, assurance: &Assurance) -> NetVerdict {
    match answer {
        NetAnswer::Unknown(reason) => NetVerdict::Unknown(reason),
        NetAnswer::Uncoverable if assurance.sound => NetVerdict::Holds,
        NetAnswer::Uncoverable => {
            NetVerdict::Unknown(Reason::Unsupported("not every run was looked at".to_owned()))
        }
        NetAnswer::Covered(trace) => match certify::replay_net(net, &trace) {
            Ok(()) => NetVerdict::Violated(Box::new(trace)),
            Err(mismatch) => NetVerdict::Unknown(Reason::ReplayMismatch(mismatch.to_string())),
        },
    }
}
