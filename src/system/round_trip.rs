//! What is written and read again is the same net.

use super::names::Names;
use super::net::{ControlId, Initial, Net, PlaceId, Sweep, Target, Transition};
use super::{mist, print_mist, print_tts, tts};
use crate::boolean::generate::Seed;
use crate::ground::index::{Index, IndexVec};
use crate::ground::source::SourceFile;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Tokens on some places.
fn tokens(seed: &mut Seed, places: usize) -> Vec<(PlaceId, u32)> {
    let count = seed.below(3);
    let places = (0..count).map(|_| (PlaceId::new(seed.below(places)), 1 + seed.below(3) as u32));
    places.collect::<BTreeMap<_, _>>().into_iter().collect()
}

/// A transition with any kind of sweep, but with one place to move to.
fn any_transition(seed: &mut Seed, places: usize) -> Transition {
    let control = ControlId::new(0);
    let mut sweep = BTreeMap::new();
    for place in (0..places).map(PlaceId::new) {
        let other = PlaceId::new(seed.below(places));
        match seed.below(8) {
            0 => drop(sweep.insert(place, Sweep::Lose)),
            1 => drop(sweep.insert(place, Sweep::Forbid)),
            2 if other != place => drop(sweep.insert(place, Sweep::Move(vec![other]))),
            _ => {}
        }
    }
    let (take, give) = (tokens(seed, places), tokens(seed, places));
    Transition { from: control, to: control, take, sweep: sweep.into_iter().collect(), give, line: 0 }
}

fn question(seed: &mut Seed, net: &mut Net) {
    let places = net.places.len();
    let controls = net.controls.len();
    let control = |seed: &mut Seed| ControlId::new(seed.below(controls));
    let unbounded = net.places.ids().filter(|_| seed.percent(30)).collect();
    net.initial = vec![Initial { control: control(seed), tokens: tokens(seed, places), unbounded }];
    net.targets = (0..=seed.below(3))
        .map(|_| Target { control: control(seed), tokens: tokens(seed, places) })
        .collect();
}

fn without_lines(mut net: Net) -> Net {
    net.transitions.iter_mut().for_each(|transition| transition.line = 0);
    net
}

#[test]
fn petri_nets_come_back_from_mists_format() {
    for number in 0..2000 {
        let mut seed = Seed::new(number);
        let names = ["x", "y", "z", "in_", "s"].map(Arc::from);
        let places = seed.between((1, names.len()));
        let mut net = Net {
            controls: std::iter::once(Arc::from("net")).collect(),
            places: names.into_iter().take(places).collect(),
            transitions: (0..seed.below(5)).map(|_| any_transition(&mut seed, places)).collect(),
            initial: Vec::new(),
            targets: Vec::new(),
        };
        question(&mut seed, &mut net);
        assert_eq!(net.check(), Ok(()));
        let text = print_mist::print(&net).expect("mist's format can say it");
        let again = mist::parse(&SourceFile::new("again.spec", text.clone()));
        assert_eq!(again.map(without_lines), Ok(net), "seed {number}:\n{text}");
    }
}

fn tts_line(seed: &mut Seed, shared: usize, local: usize) -> String {
    let mut state = |count| seed.below(count);
    let (from, source, to, target) = (state(shared), state(local), state(shared), state(local));
    match seed.below(4) {
        0 => format!("{from} {source} ~> {to} {target}"),
        1 => format!("{from} {source} +> {to} {target}"),
        _ => {
            let moves =
                (0..seed.below(4)).map(|_| format!(" {} ~> {}", seed.below(local), seed.below(local)));
            format!("{from} {source} -> {to} {target}{}", moves.collect::<String>())
        }
    }
}

#[test]
fn thread_systems_come_back() {
    for number in 0..2000 {
        let mut seed = Seed::new(number);
        let (shared, local) = (seed.between((1, 4)), seed.between((1, 5)));
        let lines: String = (0..seed.below(6)).map(|_| tts_line(&mut seed, shared, local) + "\n").collect();
        let read = |text: &str| tts::parse(&SourceFile::new("test.tts", text)).map(without_lines);
        let net = read(&format!("{shared} {local}\n{lines}")).expect("it is well-formed");
        let text = print_tts::print(&net).expect("it is a thread system");
        assert_eq!(read(&text), Ok(net), "seed {number}:\n{text}");
    }
}

#[test]
fn targets_come_back() {
    for number in 0..500 {
        let mut seed = Seed::new(number);
        let (controls, places) = (Names::numbered(3), Names::numbered(4));
        let mut net =
            Net { controls, places, transitions: IndexVec::new(), initial: vec![], targets: vec![] };
        question(&mut seed, &mut net);
        let lines: String = net.targets.iter().map(|target| print_tts::print_target(target) + "\n").collect();
        let again = tts::parse_targets(&net, &SourceFile::new("test.prop", lines));
        assert_eq!(again.as_ref(), Ok(&net.targets));
    }
}

#[test]
fn ended_threads_and_resets_go_to_a_further_state() {
    let (control, place) = (ControlId::new(0), PlaceId::new(0));
    let step = |take, sweep| Transition { from: control, to: control, take, sweep, give: vec![], line: 1 };
    let net = |transition| Net {
        controls: Names::numbered(1),
        places: Names::numbered(1),
        transitions: std::iter::once(transition).collect(),
        initial: vec![],
        targets: vec![],
    };
    assert_eq!(print_tts::print(&net(step(vec![(place, 1)], vec![]))), Ok("1 2\n0 0 -> 0 1\n".to_owned()));
    let reset = step(vec![], vec![(place, Sweep::Lose)]);
    assert_eq!(print_tts::print(&net(reset)), Ok("1 2\n0 0 ~> 0 1\n".to_owned()));
    let test = step(vec![], vec![(place, Sweep::Forbid)]);
    assert_eq!(print_tts::print(&net(test)), Err("line 1: there is a zero test".to_owned()));
    let two = step(vec![(place, 2)], vec![]);
    assert_eq!(print_tts::print(&net(two)), Err("line 1: more than one thread takes part".to_owned()));
}
