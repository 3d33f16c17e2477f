//! Random small nets, and smaller ones that still fail.

use crate::boolean::generate::Seed;
use crate::ground::index::{Index, IndexVec};
use crate::system::net::{ControlId, Initial, Net, PlaceId, Sweep, Target, Transition};

/// What generated nets may contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// Vector addition with states only.
    Plain,
    /// Transfers and resets.
    Sweeps,
    /// Zero tests too.
    ZeroTests,
    /// Like thread transition systems: one token moves at a time.
    Threads,
}

/// The net with this seed.
pub(super) fn generate(seed: u64, shape: Shape) -> Net {
    let mut source = Generator { seed: Seed::new(seed), shape, places: 0, controls: 0 };
    source.net()
}

struct Generator {
    seed: Seed,
    shape: Shape,
    places: usize,
    controls: usize,
}

impl Generator {
    fn net(&mut self) -> Net {
        self.controls = self.seed.between((1, 4));
        self.places = self.seed.between((1, 5));
        let transitions = self.seed.between((1, 9));
        let name = |text: &str, number: usize| format!("{text}{number}").into();
        Net {
            controls: (0..self.controls).map(|n| name("c", n)).collect(),
            places: (0..self.places).map(|n| name("p", n)).collect(),
            transitions: (0..transitions).map(|_| self.transition()).collect(),
            initial: (0..self.seed.between((1, 2))).map(|_| self.initial()).collect(),
            targets: (0..self.seed.between((1, 2))).map(|_| self.target()).collect(),
        }
    }

    fn control(&mut self) -> ControlId {
        ControlId::new(self.seed.below(self.controls))
    }

    /// Tokens on up to so many places, up to so many on each.
    fn tokens(&mut self, places: usize, most: usize) -> Vec<(PlaceId, u32)> {
        let places = self.some_places(places);
        places
            .into_iter()
            .map(|place| (place, u32::try_from(self.seed.between((1, most))).expect("small")))
            .collect()
    }

    fn some_places(&mut self, most: usize) -> Vec<PlaceId> {
        let all: Vec<PlaceId> = (0..self.places).map(PlaceId::new).collect();
        let number = self.seed.between((0, most));
        let mut places = self.seed.pick_different(&all, number);
        places.sort_unstable();
        places
    }

    fn transition(&mut self) -> Transition {
        let (from, to) = (self.control(), self.control());
        let (take, give) = match self.shape {
            Shape::Threads => {
                let place =
                    |generator: &mut Self| vec![(PlaceId::new(generator.seed.below(generator.places)), 1)];
                (place(self), place(self))
            }
            _ => (self.tokens(2, 2), self.tokens(2, 2)),
        };
        let sweeps = match self.shape {
            Shape::Plain => 0,
            Shape::Threads => self.seed.between((0, 5)) / 5,
            Shape::Sweeps | Shape::ZeroTests => self.seed.between((0, 3)).saturating_sub(1),
        };
        let swept = if sweeps == 0 { Vec::new() } else { self.some_places(sweeps) };
        let sweep = swept.into_iter().map(|place| (place, self.sweep())).collect();
        Transition { from, to, take, sweep, give, line: 0 }
    }

    fn sweep(&mut self) -> Sweep {
        let forbid = if self.shape == Shape::ZeroTests { 4 } else { 0 };
        let places = self.some_places(3);
        match self.seed.weighted(&[4, 2, forbid]) {
            0 if !places.is_empty() => Sweep::Move(places),
            2 => Sweep::Forbid,
            _ => Sweep::Lose,
        }
    }

    fn initial(&mut self) -> Initial {
        let unbounded = if self.seed.percent(40) { self.some_places(1) } else { Vec::new() };
        Initial { control: self.control(), tokens: self.tokens(2, 2), unbounded }
    }

    fn target(&mut self) -> Target {
        Target { control: self.control(), tokens: self.tokens(2, 3) }
    }
}

/// A smaller net that still fails: parts are left out as long as that is so.
pub(super) fn shrink(net: &Net, fails: impl Fn(&Net) -> bool) -> Net {
    let mut current = net.clone();
    while let Some(smaller) = candidates(&current).into_iter().find(&fails) {
        current = smaller;
    }
    current
}

fn candidates(net: &Net) -> Vec<Net> {
    let mut smaller = Vec::new();
    let mut with = |change: &dyn Fn(&mut Net)| {
        let mut changed = net.clone();
        change(&mut changed);
        smaller.push(changed);
    };
    for number in 0..net.transitions.len() {
        with(&|net| net.transitions = without(&net.transitions, number));
    }
    for number in (0..net.initial.len()).filter(|_| net.initial.len() > 1) {
        with(&|net| {
            let _ = net.initial.remove(number);
        });
    }
    for number in (0..net.targets.len()).filter(|_| net.targets.len() > 1) {
        with(&|net| {
            let _ = net.targets.remove(number);
        });
    }
    for id in net.transitions.ids() {
        let transition = &net.transitions[id];
        (0..transition.take.len()).for_each(|n| {
            with(&|net| {
                let _ = net.transitions[id].take.remove(n);
            })
        });
        (0..transition.sweep.len()).for_each(|n| {
            with(&|net| {
                let _ = net.transitions[id].sweep.remove(n);
            })
        });
        (0..transition.give.len()).for_each(|n| {
            with(&|net| {
                let _ = net.transitions[id].give.remove(n);
            })
        });
    }
    for (number, initial) in net.initial.iter().enumerate() {
        (0..initial.tokens.len()).for_each(|n| {
            with(&|net| {
                let _ = net.initial[number].tokens.remove(n);
            })
        });
        (0..initial.unbounded.len()).for_each(|n| {
            with(&|net| {
                let _ = net.initial[number].unbounded.remove(n);
            })
        });
    }
    for (number, target) in net.targets.iter().enumerate() {
        (0..target.tokens.len()).for_each(|n| {
            with(&|net| {
                let _ = net.targets[number].tokens.remove(n);
            })
        });
    }
    smaller
}

fn without<I: Index, T: Clone>(items: &IndexVec<I, T>, number: usize) -> IndexVec<I, T> {
    items.iter().enumerate().filter(|entry| entry.0 != number).map(|entry| entry.1.clone()).collect()
}
