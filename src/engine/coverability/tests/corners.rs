//! Nets whose answers are known by thinking.

use super::ask;
use crate::engine::coverability::{Method, NetAnswer};
use crate::ground::index::Index;
use crate::system::net::{ControlId, Initial, Net, PlaceId, Sweep, Target, Transition};

fn tokens(numbers: &[u32]) -> Vec<(PlaceId, u32)> {
    let all = numbers.iter().enumerate().filter(|(_, number)| **number > 0);
    all.map(|(place, &number)| (PlaceId::new(place), number)).collect()
}

/// A net with these transitions: from, to, take, give.
fn net(transitions: &[(usize, usize, &[u32], &[u32])], initial: &[u32], target: (usize, &[u32])) -> Net {
    let control = ControlId::new;
    let transition = |&(from, to, take, give): &(usize, usize, &[u32], &[u32])| Transition {
        from: control(from),
        to: control(to),
        take: tokens(take),
        sweep: Vec::new(),
        give: tokens(give),
        line: 0,
    };
    Net {
        controls: (0..4).map(|n| format!("c{n}").into()).collect(),
        places: (0..4).map(|n| format!("p{n}").into()).collect(),
        transitions: transitions.iter().map(transition).collect(),
        initial: vec![Initial { control: control(0), tokens: tokens(initial), unbounded: Vec::new() }],
        targets: vec![Target { control: control(target.0), tokens: tokens(target.1) }],
    }
}

fn assert_covered(net: &Net) {
    for method in [Method::Auto, Method::KarpMiller, Method::Backward] {
        assert!(matches!(ask(net, method), NetAnswer::Covered(_)), "{method:?}");
    }
}

fn assert_uncoverable(net: &Net) {
    for method in [Method::Auto, Method::KarpMiller, Method::Backward] {
        assert_eq!(ask(net, method), NetAnswer::Uncoverable, "{method:?}");
    }
}

#[test]
fn nested_pumps_are_repeated_often_enough() {
    // p0 pumps p1, p1 pumps p2, p2 pays five for one p3.
    let chain = |target: &[u32]| {
        net(
            &[
                (0, 0, &[1], &[1, 1]),
                (0, 1, &[0, 3], &[0, 0, 1]),
                (1, 0, &[], &[]),
                (0, 2, &[0, 0, 5], &[0, 0, 0, 1]),
                (2, 0, &[], &[]),
            ],
            &[1],
            (0, target),
        )
    };
    assert_covered(&chain(&[1, 0, 0, 4]));
    assert_uncoverable(&chain(&[2]));
}

#[test]
fn targets_that_hold_at_once() {
    assert_covered(&net(&[], &[1, 2], (0, &[1, 1])));
    assert_covered(&net(&[], &[], (0, &[])));
    assert_uncoverable(&net(&[], &[1], (1, &[])));
}

#[test]
fn a_net_without_targets_is_safe() {
    let mut net = net(&[(0, 0, &[], &[1])], &[], (0, &[]));
    net.targets.clear();
    assert_uncoverable(&net);
}

#[test]
fn a_reset_in_the_loop_keeps_the_number_small() {
    // Each round loses what the round before has gained.
    let mut reset = net(&[(0, 1, &[], &[1]), (1, 0, &[], &[0, 1])], &[], (0, &[0, 2]));
    reset.transitions[crate::system::net::TransitionId::new(0)].sweep = vec![(PlaceId::new(1), Sweep::Lose)];
    assert_eq!(ask(&reset, Method::Backward), NetAnswer::Uncoverable);
    assert_eq!(ask(&reset, Method::Auto), NetAnswer::Uncoverable);
}

#[test]
fn a_zero_test_that_the_closure_ignores_is_not_a_violation() {
    let mut tested = net(&[(0, 1, &[], &[])], &[1], (1, &[]));
    tested.transitions[crate::system::net::TransitionId::new(0)].sweep =
        vec![(PlaceId::new(0), Sweep::Forbid)];
    assert_eq!(ask(&tested, Method::Auto), NetAnswer::Uncoverable);
    tested.initial[0].tokens.clear();
    assert_covered(&tested);
}
