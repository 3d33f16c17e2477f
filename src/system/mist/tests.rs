use super::*;
use crate::system::net::{Sweep, Transition};

fn read(text: &str) -> Result<Net, Refusal> {
    parse(&SourceFile::new("test.spec", text))
}

/// A net over x, y and z with one rule.
fn with_rule(rule: &str) -> Result<Net, Refusal> {
    read(&format!("vars x y z\nrules\n{rule}\ninit x >= 1, y = 0, z = 2\ntarget x >= 1, y >= 2\nz >= 1"))
}

fn rule(rule: &str) -> Transition {
    let net = with_rule(rule).expect("the rule is supported");
    net.transitions.iter().next().expect("it can be taken").clone()
}

fn unsupported(rule: &str) -> &'static str {
    match with_rule(rule) {
        Err(Refusal::Unsupported(unsupported)) => unsupported.name,
        other => panic!("{other:?}"),
    }
}

const X: usize = 0;
const Y: usize = 1;
const Z: usize = 2;

fn counts(counts: &[(usize, u32)]) -> Vec<(PlaceId, u32)> {
    counts.iter().map(|&(place, count)| (PlaceId::new(place), count)).collect()
}

/// Takes, sweeps, gives.
fn effect(transition: &Transition, take: &[(usize, u32)], sweep: &[(usize, Sweep)], give: &[(usize, u32)]) {
    assert_eq!(transition.take, counts(take));
    let sweeps: Vec<_> = sweep.iter().map(|(place, sweep)| (PlaceId::new(*place), sweep.clone())).collect();
    assert_eq!(transition.sweep, sweeps);
    assert_eq!(transition.give, counts(give));
}

fn to(place: usize) -> Sweep {
    Sweep::Move(vec![PlaceId::new(place)])
}

#[test]
fn initial_sets_and_targets_are_read() {
    let net = with_rule("").expect("it is well-formed");
    assert_eq!(net.initial[0].tokens, counts(&[(X, 1), (Z, 2)]));
    assert_eq!(net.initial[0].unbounded, [PlaceId::new(X)]);
    let targets: Vec<_> = net.targets.iter().map(|target| target.tokens.clone()).collect();
    assert_eq!(targets, [counts(&[(X, 1), (Y, 2)]), counts(&[(Z, 1)])]);
}

#[test]
fn ranges_of_initial_sets_are_written_out() {
    let net = read("vars x y z rules init x in [0,2], y in [1,2] target x >= 1").expect("it is well-formed");
    assert_eq!(net.initial.len(), 6);
    assert_eq!(net.initial[0].tokens, counts(&[(Y, 1)]));
    assert_eq!(net.initial[5].tokens, counts(&[(X, 2), (Y, 2)]));
    // What is not constrained may hold any number.
    assert!(net.initial.iter().all(|initial| initial.unbounded == [PlaceId::new(Z)]));
    let wide = read("vars x y rules init x in [0,4000000000], y in [0, 4000000000] target x >= 1");
    assert!(matches!(wide, Err(Refusal::Unsupported(_))), "{wide:?}");
}

#[test]
fn ordinary_rules_take_and_give() {
    effect(&rule("x >= 1 -> x' = x - 1, y' = y + 1;"), &[(X, 1)], &[], &[(Y, 1)]);
    effect(&rule("x >= 2, y >= 1 -> x' = x - 1;"), &[(X, 2), (Y, 1)], &[], &[(X, 1), (Y, 1)]);
    effect(&rule("true -> x' = x + 3;"), &[], &[], &[(X, 3)]);
    effect(&rule("x >= 1 -> ;"), &[(X, 1)], &[], &[(X, 1)]);
}

#[test]
fn no_variable_becomes_negative() {
    effect(&rule("x >= 1 -> x' = x - 3;"), &[(X, 3)], &[], &[]);
    effect(&rule("true -> x' = y - 1, y' = 0;"), &[(Y, 1)], &[(X, Sweep::Lose), (Y, to(X))], &[]);
    assert_eq!(with_rule("x = 1 -> x' = x - 2;").expect("supported").transitions.len(), 0);
    assert_eq!(with_rule("x = 1 -> x' = 0 - 2;").expect("supported").transitions.len(), 0);
    assert_eq!(unsupported("true -> x' = x + y - 1, y' = 0;"), "decrement of a sum that no guard covers");
}

#[test]
fn transfers_and_resets_sweep() {
    effect(&rule("z >= 1 -> x' = x + y + 1, y' = 0, z' = z - 1;"), &[(Z, 1)], &[(Y, to(X))], &[(X, 1)]);
    // The decrement comes out of what the guard demands.
    let rule_ = rule("y >= 1 -> x' = x + y + z - 1, y' = 0, z' = 1;");
    effect(&rule_, &[(Y, 1)], &[(Y, to(X)), (Z, to(X))], &[(Z, 1)]);
    effect(&rule("true -> x' = 0;"), &[], &[(X, Sweep::Lose)], &[]);
    effect(&rule("x >= 2 -> x' = 5;"), &[(X, 2)], &[(X, Sweep::Lose)], &[(X, 5)]);
    effect(&rule("true -> x' = y, y' = x;"), &[], &[(X, to(Y)), (Y, to(X))], &[]);
}

#[test]
fn zero_tests_forbid() {
    effect(&rule("x = 0 -> y' = y + 1;"), &[], &[(X, Sweep::Forbid)], &[(Y, 1)]);
    effect(&rule("x = 2 -> x' = x - 1;"), &[(X, 2)], &[(X, Sweep::Forbid)], &[(X, 1)]);
    // A known number can be copied.
    effect(&rule("x = 2 -> y' = y + x;"), &[(X, 2)], &[(X, Sweep::Forbid)], &[(X, 2), (Y, 2)]);
}

#[test]
fn what_a_net_cannot_say_is_refused_by_name() {
    assert_eq!(unsupported("true -> x' = x + y;"), "copying arc");
    assert_eq!(unsupported("true -> x' = x + x;"), "copying arc");
    assert_eq!(unsupported("x in [1,2] -> y' = y + 1;"), "guard with an upper bound");
    assert_eq!(unsupported("x >= 4294967295 -> x' = x + 1;"), "numbers above 32 bits");
    let target = read("vars x rules init x = 1 target x = 1");
    assert!(matches!(
        target,
        Err(Refusal::Unsupported(Unsupported { name: "target with an upper bound", .. }))
    ));
}

#[test]
fn malformed_files_are_refused() {
    let whole = "vars x y rules x >= 1 -> x' = x - 1, y' = y + 1; init x >= 1, y = 0 target y >= 2 ";
    assert!(read(whole).is_ok());
    for end in 0..whole.rfind(">= 2").expect("it is there") + 3 {
        assert!(matches!(read(&whole[..end]), Err(Refusal::Malformed(_))), "{}", &whole[..end]);
    }
    for (what, instead) in [
        ("vars x y", "vars x x"),
        ("vars x y", "vars x"),
        ("x >= 1 ->", "x <= 1 ->"),
        ("x >= 1 ->", "->"),
        ("- 1", "- y"),
        ("- 1", "- 4294967296"),
        ("y' = y", "x' = y"),
        ("y = 0", "y = 0, y = 1"),
        ("y = 0", "y in [2,1]"),
        ("y = 0", "y = 0 x = 1"),
        ("y >= 2", "y >= 2; x >= 1"),
        ("y >= 2", "y >= 99999999999999999999"),
        ("y >= 2", "y >= 2 ä"),
    ] {
        let text = whole.replacen(what, instead, 1);
        assert!(matches!(read(&text), Err(Refusal::Malformed(_))), "{text}");
    }
    assert!(read(&whole.replace(' ', "\r\n")).is_ok());
}
