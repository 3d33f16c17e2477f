//! Which two tokens can be on which two places at once, in which control state: a forward over-approximation that looks
//! at threads two by two \[MPR06\].
//!
//! A step of one token is possible beside another, or beside two others, if all of them can be there two by two. That is
//! enough to see that no two threads are in a critical section, however many there are. The sets of partners are bit
//! sets, so a step costs as many operations as it has possible onlookers.

use super::{Places, Support, Worklist, outgoing};
use crate::ground::index::IndexVec;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::system::net::{ControlId, Net, PlaceId, Sweep, Transition};

/// Partners by control state and place.
pub(super) struct Pairs {
    rows: IndexVec<ControlId, Vec<Option<Places>>>,
}

/// No more words than this are used for partners, and no more operations on words for finding them.
const WORDS: usize = 1 << 24;
const OPERATIONS: u64 = 1 << 31;

/// What happens to tokens that look on.
struct Onlookers {
    /// Places whose tokens stay.
    staying: Places,
    /// Places whose tokens move, with where they go.
    moving: Vec<(usize, Places)>,
}

struct Search<'a> {
    support: &'a Support,
    net: &'a Net,
    rows: IndexVec<ControlId, Vec<Option<Places>>>,
    worklist: Worklist,
    operations: u64,
    words: usize,
}

impl Pairs {
    /// The least fixpoint; none if it would cost too much.
    ///
    /// # Errors
    /// When a limit is reached.
    pub(super) fn of(net: &Net, support: &Support, limits: &Limits) -> Result<Option<Self>, Stop> {
        let (controls, outgoing) = (net.controls.len(), outgoing(net));
        if controls.saturating_mul(support.used) > WORDS {
            return Ok(None);
        }
        let mut search = Search {
            support,
            net,
            rows: IndexVec::filled(vec![None; support.used], controls),
            worklist: Worklist { queue: Vec::new(), queued: IndexVec::filled(false, controls) },
            operations: 0,
            words: 0,
        };
        search.start();
        while let Some(control) = search.worklist.pop() {
            for &id in &outgoing[control] {
                limits.check()?;
                search.step(&net.transitions[id]);
                if search.words > WORDS || search.operations > OPERATIONS {
                    return Ok(None);
                }
            }
        }
        Ok(Some(Self { rows: search.rows }))
    }

    /// Whether a token may be on a place.
    pub(super) fn admits_one(&self, control: ControlId, place: usize) -> bool {
        self.rows[control][place].is_some()
    }

    /// Whether two tokens may be on these places at once.
    pub(super) fn admits(&self, control: ControlId, first: usize, second: usize) -> bool {
        self.rows[control][first].as_ref().is_some_and(|row| row.contains(Some(second)))
    }
}

impl Search<'_> {
    fn start(&mut self) {
        let net = self.net;
        for initial in &net.initial {
            let number = |place: PlaceId| self.support.numbers[place].expect("an initial place is in use");
            let several = initial.unbounded.iter().map(|&place| (number(place), true));
            let tokens = initial.tokens.iter().map(|&(place, count)| (number(place), count > 1));
            let all: Vec<(usize, bool)> = tokens.chain(several).collect();
            self.give(initial.control, &all, &Places::new(self.support.used));
            self.worklist.push(initial.control);
        }
    }

    /// These tokens are new, and others are there. A flag says whether a place holds several new ones.
    fn give(&mut self, control: ControlId, tokens: &[(usize, bool)], others: &Places) -> bool {
        let mut grown = false;
        for &(place, several) in tokens {
            let mut partners = others.clone();
            for &(other, _) in tokens.iter().filter(|&&(other, _)| other != place || several) {
                partners.set(Some(other));
            }
            // The same place may be listed twice: as given, and as unbounded.
            if tokens.iter().filter(|&&(other, _)| other == place).count() > 1 {
                partners.set(Some(place));
            }
            grown |= self.include(control, place, &partners);
        }
        for other in members(others) {
            let mut new = Places::new(self.support.used);
            tokens.iter().for_each(|&(place, _)| new.set(Some(place)));
            grown |= self.include(control, other, &new);
        }
        grown
    }

    /// Adds partners of a place; whether any was new.
    fn include(&mut self, control: ControlId, place: usize, partners: &Places) -> bool {
        self.operations += partners.0.len() as u64;
        match &mut self.rows[control][place] {
            Some(row) => row.include(partners),
            missing => {
                self.words += partners.0.len();
                *missing = Some(partners.clone());
                true
            }
        }
    }

    fn step(&mut self, transition: &Transition) {
        let Some(beside) = self.beside(transition) else { return };
        let onlookers = self.onlookers(transition, &beside);
        let mut grown = false;
        for place in members(&beside) {
            let Some(row) = &self.rows[transition.from][place] else { continue };
            let mut both = row.clone();
            both.keep(&beside);
            let after = onlookers.after(&both);
            self.operations += 4 * after.0.len() as u64;
            match onlookers.moving.iter().find(|(moving, _)| *moving == place) {
                None => grown |= self.include(transition.to, place, &after),
                Some((_, targets)) => {
                    for target in members(targets) {
                        grown |= self.include(transition.to, target, &after);
                    }
                }
            }
        }
        let number =
            |place: PlaceId| self.support.numbers[place].expect("a place that is given to is in use");
        let given: Vec<(usize, bool)> =
            transition.give.iter().map(|&(place, count)| (number(place), count > 1)).collect();
        grown |= self.give(transition.to, &given, &onlookers.after(&beside));
        if grown {
            self.worklist.push(transition.to);
        }
    }

    /// The places that may hold another token when a transition is taken; none if it cannot be.
    fn beside(&self, transition: &Transition) -> Option<Places> {
        if !self.support.admits(transition) {
            return None;
        }
        let mut beside = self.support.marked[transition.from].clone()?;
        let rows = &self.rows[transition.from];
        let taken: Vec<(usize, u32)> = transition
            .take
            .iter()
            .map(|&(place, count)| Some((self.support.numbers[place]?, count)))
            .collect::<Option<_>>()?;
        for (position, &(place, count)) in taken.iter().enumerate() {
            // A token that is alone has a row, too, which is empty.
            let row = rows[place].as_ref()?;
            let together = |&(other, _): &(usize, u32)| row.contains(Some(other));
            if count > 1 && !row.contains(Some(place)) || !taken[position + 1..].iter().all(together) {
                return None;
            }
            beside.keep(row);
        }
        Some(beside)
    }

    fn onlookers(&self, transition: &Transition, beside: &Places) -> Onlookers {
        let mut staying = beside.clone();
        let mut moving = Vec::new();
        for (place, sweep) in &transition.sweep {
            let Some(place) = self.support.numbers[*place].filter(|&place| beside.contains(Some(place)))
            else {
                continue;
            };
            staying.clear(Some(place));
            let mut targets = Places::new(self.support.used);
            if let Sweep::Move(places) = sweep {
                places.iter().for_each(|&target| targets.set(self.support.numbers[target]));
            }
            moving.push((place, targets));
        }
        Onlookers { staying, moving }
    }
}

impl Onlookers {
    /// Where tokens on these places are afterwards.
    fn after(&self, before: &Places) -> Places {
        let mut after = before.clone();
        after.keep(&self.staying);
        for (place, targets) in &self.moving {
            if before.contains(Some(*place)) {
                after.include(targets);
            }
        }
        after
    }
}

/// The places of a set.
fn members(places: &Places) -> Vec<usize> {
    let mut found = Vec::new();
    for (word, &bits) in places.0.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            found.push(word * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
    found
}
