//! What every net must satisfy: ids in range, vectors sorted, no zero counts.
//!
//! Readers and translations call [`Net::check`] on what they made, in debug builds.

use super::net::{ControlId, Net, PlaceId, Sweep, Transition};
use crate::ground::index::Index;

impl Net {
    /// Checks that the net is well-formed.
    ///
    /// # Errors
    /// A sentence about the first thing that is not.
    pub fn check(&self) -> Result<(), String> {
        for (id, transition) in self.transitions.enumerate() {
            self.check_transition(transition).map_err(|what| format!("transition {}: {what}", id.index()))?;
        }
        for (number, initial) in self.initial.iter().enumerate() {
            let sound = self.has_control(initial.control).and_then(|()| self.has_counts(&initial.tokens));
            let sound = sound.and_then(|()| self.has_places(&initial.unbounded));
            sound.map_err(|what| format!("initial {number}: {what}"))?;
        }
        for (number, target) in self.targets.iter().enumerate() {
            let sound = self.has_control(target.control).and_then(|()| self.has_counts(&target.tokens));
            sound.map_err(|what| format!("target {number}: {what}"))?;
        }
        Ok(())
    }

    fn check_transition(&self, transition: &Transition) -> Result<(), String> {
        self.has_control(transition.from)?;
        self.has_control(transition.to)?;
        self.has_counts(&transition.take)?;
        self.has_counts(&transition.give)?;
        self.has_places(&transition.sweep.iter().map(|&(place, _)| place).collect::<Vec<_>>())?;
        transition.sweep.iter().try_for_each(|(_, sweep)| match sweep {
            Sweep::Move(places) if places.is_empty() => Err("a move to no place".to_owned()),
            Sweep::Move(places) => self.has_places(places),
            Sweep::Lose | Sweep::Forbid => Ok(()),
        })
    }

    fn has_control(&self, control: ControlId) -> Result<(), String> {
        let known = control.index() < self.controls.len();
        known.then_some(()).ok_or_else(|| format!("{control:?} is out of range"))
    }

    fn has_counts(&self, tokens: &[(PlaceId, u32)]) -> Result<(), String> {
        if let Some((place, _)) = tokens.iter().find(|&&(_, count)| count == 0) {
            return Err(format!("a count of zero for {place:?}"));
        }
        self.has_places(&tokens.iter().map(|&(place, _)| place).collect::<Vec<_>>())
    }

    fn has_places(&self, places: &[PlaceId]) -> Result<(), String> {
        if let Some(place) = places.iter().find(|place| place.index() >= self.places.len()) {
            return Err(format!("{place:?} is out of range"));
        }
        let sorted = places.windows(2).all(|pair| pair[0] < pair[1]);
        sorted.then_some(()).ok_or_else(|| format!("not sorted: {places:?}"))
    }
}
