//! Forward against backward: how the time of either search on nets grows with their size, and that of both in step.
//!
//! Prints one line per instance: family, size, what was found, and the median time of each method. A method that
//! needs more than a few seconds is cut off and has a dash. Ratios are what is watched. The forward search is at its best
//! where few markings with ω cover all (`pump`, `broken`) and where little is reachable (`flags`), the backward search
//! where a linear invariant is the proof (`ring`, `phases`); both in step should never be far from the better one, after
//! the few milliseconds of their exact exploration.

use boolero::engine::coverability::{Method, NetAnswer, decide};
use boolero::ground::event::Silent;
use boolero::ground::index::Index;
use boolero::ground::limits::{Limits, Watchdog};
use boolero::ground::run::Run;
use boolero::system::names::Names;
use boolero::system::net::{ControlId, Initial, Net, PlaceId, Target, Transition};
use std::time::{Duration, Instant};

const REPETITIONS: usize = 3;
const CUT: Duration = Duration::from_secs(5);
const METHODS: [Method; 3] = [Method::KarpMiller, Method::Backward, Method::Auto];

fn main() {
    println!(
        "{:10} {:>5}  {:12} {:>12} {:>12} {:>12}",
        "family", "size", "answer", "forward", "backward", "both"
    );
    family("ring", &[4, 6, 8, 10], ring);
    family("pump", &[4, 8, 16, 32], pump);
    family("phases", &[8, 16, 32, 64], phases);
    family("flags", &[2, 3, 4, 5], flags);
    family("broken", &[8, 16, 32, 64], broken_phases);
}

fn family(name: &str, sizes: &[usize], net: impl Fn(usize) -> Net) {
    for &size in sizes {
        let net = net(size);
        let results = METHODS.map(|method| median(&net, method));
        let answer = results.iter().flatten().next().map_or("cut off", |result| result.1);
        let time = |result: &Option<(Duration, &str)>| {
            result.map_or("-".into(), |result| format!("{:.2} ms", result.0.as_secs_f64() * 1e3))
        };
        let [forward, backward, both] = results.each_ref().map(time);
        println!("{name:10} {size:5}  {answer:12} {forward:>12} {backward:>12} {both:>12}");
    }
}

fn median(net: &Net, method: Method) -> Option<(Duration, &'static str)> {
    let mut times = Vec::new();
    for _ in 0..REPETITIONS {
        times.push(measure(net, method)?);
    }
    times.sort_unstable();
    Some(times[REPETITIONS / 2])
}

fn measure(net: &Net, method: Method) -> Option<(Duration, &'static str)> {
    let limits = Limits::new(Some(CUT), None);
    // The search answers the flag; there is nothing left to be done by force.
    Watchdog::start(&limits, |_| ());
    let start = Instant::now();
    let answers = decide(net, method, Run { limits: &limits, observer: &Silent }).ok()?;
    let name = match answers.answer {
        NetAnswer::Uncoverable => "uncoverable",
        NetAnswer::Covered(_) => "covered",
        NetAnswer::Unknown(_) => return None,
    };
    Some((start.elapsed(), name))
}

/// A transition: from, to, the places it takes a token from, and those it gives one to.
fn transition(from: usize, to: usize, take: &[usize], give: &[usize]) -> Transition {
    let tokens = |places: &[usize]| {
        let mut tokens: Vec<(PlaceId, u32)> = places.iter().map(|&place| (PlaceId::new(place), 1)).collect();
        tokens.sort_unstable();
        tokens
    };
    let (from, to) = (ControlId::new(from), ControlId::new(to));
    Transition { from, to, take: tokens(take), sweep: Vec::new(), give: tokens(give), line: 0 }
}

fn net(
    controls: usize,
    places: usize,
    transitions: Vec<Transition>,
    initial: (&[usize], &[usize]),
    target: (usize, &[(usize, u32)]),
) -> Net {
    Net {
        controls: Names::numbered(controls),
        places: Names::numbered(places),
        transitions: transitions.into_iter().collect(),
        initial: vec![Initial {
            control: ControlId::new(0),
            tokens: initial.0.iter().map(|&place| (PlaceId::new(place), 1)).collect(),
            unbounded: initial.1.iter().map(|&place| PlaceId::new(place)).collect(),
        }],
        targets: vec![Target {
            control: ControlId::new(target.0),
            tokens: target.1.iter().map(|&(place, number)| (PlaceId::new(place), number)).collect(),
        }],
    }
}

/// Stations in a ring hand a permit on; with the permit a worker goes in, and the permit waits for it to come out.
/// Two are never inside.
fn ring(stations: usize) -> Net {
    let (permit, idle, inside) = (|n: usize| n % stations, |n| stations + n, |n| 2 * stations + n);
    let steps = (0..stations).flat_map(|n| {
        [
            transition(0, 0, &[permit(n), idle(n)], &[inside(n)]),
            transition(0, 0, &[inside(n)], &[permit(n + 1), idle(n)]),
            transition(0, 0, &[permit(n)], &[permit(n + 1)]),
        ]
    });
    let idle_places: Vec<usize> = (0..stations).map(idle).collect();
    let two = [(inside(0), 1), (inside(stations / 2), 1)];
    net(1, 3 * stations, steps.collect(), (&[0], &idle_places), (0, &two))
}

/// Each counter pumps the next one, through control states of its own; the last must reach three.
fn pump(counters: usize) -> Net {
    let mut steps = vec![transition(0, 0, &[0], &[0, 1])];
    for n in 1..counters {
        steps.push(transition(0, n, &[n], &[]));
        steps.push(transition(n, 0, &[], &[n + 1]));
        steps.push(transition(n, n, &[0], &[0, n]));
    }
    net(counters, counters + 1, steps, (&[0], &[]), (0, &[(counters, 3)]))
}

/// Any number of threads go through phases, one of them guarded by a lock; two are never in it.
fn phases(number: usize) -> Net {
    let steps = guarded(number, transition(0, 1, &[0], &[1]));
    net(2, number + 1, steps, (&[], &[0]), (1, &[(1, 2)]))
}

/// The same, but the last phase frees the lock a second time.
fn broken_phases(number: usize) -> Net {
    let mut steps = guarded(number, transition(0, 1, &[0], &[1]));
    steps.push(transition(1, 0, &[number], &[number]));
    net(2, number + 1, steps, (&[], &[0]), (1, &[(1, 2)]))
}

/// Each of n threads raises its flag, sees that no other is raised, and goes in; it may give up before. No linear
/// invariant shows that two are never inside.
fn flags(threads: usize) -> Net {
    // By thread: lowered, raised, outside, and how many flags it has seen.
    let width = 4 + threads;
    let (lowered, raised, outside, seen) =
        (|n| width * n, |n| width * n + 1, |n| width * n + 2, |n, flags| width * n + 3 + flags);
    let mut steps = Vec::new();
    for n in 0..threads {
        steps.push(transition(0, 0, &[lowered(n), outside(n)], &[raised(n), seen(n, 0)]));
        for other in 0..threads {
            let read = if other == n { raised(n) } else { lowered(other) };
            steps.push(transition(0, 0, &[seen(n, other), read], &[seen(n, other + 1), read]));
            steps.push(transition(0, 0, &[seen(n, other), raised(n)], &[outside(n), lowered(n)]));
        }
        steps.push(transition(0, 0, &[seen(n, threads), raised(n)], &[outside(n), lowered(n)]));
    }
    let start: Vec<usize> = (0..threads).flat_map(|n| [lowered(n), outside(n)]).collect();
    let two = [(seen(0, threads), 1), (seen(1, threads), 1)];
    net(1, width * threads, steps, (&start, &[]), (0, &two))
}

fn guarded(number: usize, lock: Transition) -> Vec<Transition> {
    let mut steps = vec![lock, transition(1, 0, &[1], &[2])];
    for n in 2..number {
        steps.push(transition(0, 0, &[n], &[n + 1]));
        steps.push(transition(1, 1, &[n], &[n + 1]));
    }
    steps
}
