//! The searches against exact exploration, on generated nets; against each other where that is cut; and corners.
//!
//! `BOOLERO_COUNT` nets are generated from `BOOLERO_SEED` on. A net on which answers disagree is shrunk and printed.

mod corners;
mod generate;

use super::explore::{Bounds, Exploration, explore};
use super::{Method, NetAnswer, decide, replays};
use crate::ground::event::Silent;
use crate::ground::limits::Limits;
use crate::ground::reason::{Defect, Reason, Stop};
use crate::ground::run::Run;
use crate::system::net::Net;
use generate::{Shape, generate, shrink};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

const BOUNDS: Bounds = Bounds { configurations: 4_000, tokens: 7, attempts: usize::MAX };
/// Limits of a search that need not end.
const CHECKS: u64 = 60_000;
const METHODS: [Method; 3] = [Method::Auto, Method::KarpMiller, Method::Backward];

fn ask(net: &Net, method: Method) -> NetAnswer {
    let endless = net.has_sweeps() && method == Method::KarpMiller;
    let limits = if endless || net.has_zero_tests() { Limits::firing_at(CHECKS) } else { Limits::none() };
    match decide(net, method, Run { limits: &limits, observer: &Silent }) {
        Ok(answers) => answers.answer,
        Err(stop) => NetAnswer::Unknown(stop.into()),
    }
}

/// What is wrong with an answer, given what exploration says.
fn complaint(net: &Net, method: Method, answer: &NetAnswer, oracle: &Exploration) -> Option<String> {
    match answer {
        NetAnswer::Covered(trace) if !replays(net, trace) => Some("a run that does not replay".into()),
        NetAnswer::Covered(_) if matches!(oracle, Exploration::Exhausted) => Some("covered".into()),
        NetAnswer::Uncoverable if matches!(oracle, Exploration::Covered(_)) => Some("uncoverable".into()),
        NetAnswer::Unknown(Reason::Defect(Defect::ReplayMismatch(text))) => Some(text.clone()),
        NetAnswer::Unknown(Reason::Stopped(Stop::Timeout))
            if net.has_zero_tests() || method == Method::KarpMiller =>
        {
            None
        }
        NetAnswer::Unknown(Reason::Unsupported(_)) if net.has_zero_tests() => None,
        NetAnswer::Unknown(reason) => Some(format!("no answer: {reason}")),
        _ => None,
    }
}

fn oracle(net: &Net) -> Exploration {
    let limits = Limits::none();
    explore(net, BOUNDS, Run { limits: &limits, observer: &Silent }).expect("there is no limit").exploration
}

/// The first disagreement on a net.
fn disagreement(net: &Net) -> Option<String> {
    let oracle = oracle(net);
    let given: Vec<(Method, NetAnswer)> = METHODS.map(|method| (method, ask(net, method))).into();
    let wrong = given.iter().find_map(|(method, answer)| {
        complaint(net, *method, answer, &oracle).map(|text| format!("{method:?}: {text}, oracle {oracle:?}"))
    });
    let covered = given.iter().any(|entry| matches!(entry.1, NetAnswer::Covered(_)));
    let uncoverable = given.iter().any(|entry| entry.1 == NetAnswer::Uncoverable);
    wrong.or_else(|| (covered && uncoverable).then(|| format!("{given:?}")))
}

fn compare(shape: Shape) {
    let (seed, count) = (setting("BOOLERO_SEED", 1), setting("BOOLERO_COUNT", 600));
    let (mut covered, mut exhausted) = (0, 0);
    for number in seed..seed + count {
        let net = generate(number, shape);
        match oracle(&net) {
            Exploration::Covered(_) => covered += 1,
            Exploration::Exhausted => exhausted += 1,
            Exploration::Cut => {}
        }
        if disagreement(&net).is_some() {
            let small = shrink(&net, |net| disagreement(net).is_some());
            panic!("seed {number}: {}\n{small:#?}", disagreement(&small).unwrap_or_default());
        }
    }
    println!("{shape:?}: {covered} of {count} nets covered, {exhausted} exhausted");
    assert!(covered >= count / 10 && exhausted >= count / 10, "{covered} and {exhausted} of {count}");
}

#[test]
fn agree_on_plain_nets() {
    compare(Shape::Plain);
}

#[test]
fn agree_on_threads() {
    compare(Shape::Threads);
}

#[test]
fn agree_on_nets_with_sweeps() {
    compare(Shape::Sweeps);
}

#[test]
fn agree_on_nets_with_zero_tests() {
    compare(Shape::ZeroTests);
}

#[test]
fn a_limit_at_any_check_gives_no_wrong_answer() {
    for number in 0..40 {
        let net = generate(number, Shape::Sweeps);
        let full = ask(&net, Method::Auto);
        for check in (1..200).step_by(7) {
            let limits = Limits::firing_at(check);
            if let Ok(answers) = decide(&net, Method::Auto, Run { limits: &limits, observer: &Silent }) {
                let unknown = matches!(answers.answer, NetAnswer::Unknown(_));
                assert!(unknown || answers.answer == full, "net {number}, check {check}");
            }
        }
    }
}

#[test]
fn the_same_net_gives_the_same_run() {
    for number in 0..60 {
        let net = generate(number, Shape::Threads);
        METHODS.iter().for_each(|&method| assert_eq!(ask(&net, method), ask(&net, method)));
    }
}
