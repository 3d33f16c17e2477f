//! Ample sets [Bas10, Algorithm 6.1].
//!
//! A thread t is expanded alone if its next step does not conflict with anything that the others may ever do, if the
//! step leads not back, and where it is not stuck. Let a run lead to a violation. If t moves in it, its first move can
//! be made first: the others have not written what it reads, and do not notice that it was made. If t does not move
//! and another thread violates the property, t moves first and the others do the same as before; the run is not
//! shorter, but t has come nearer to the end of its acyclic part, and where it leads back all threads are expanded. If
//! t itself violates the property where it stands, it does so at once: nobody writes what the check reads.
//!
//! Where this differs from the printed algorithm: a thread may be stuck there too ([`Blocking`]); a location with a
//! check need not be visible, since the check's reads are reads of the location; a step that enters an atomic section
//! stands for the section only if the section is sure to be left again.

use super::blocking::Blocking;
use super::{Facts, others};
use crate::system::template::LocationId;

/// The location of a thread that can be expanded alone, preferably one where it cannot be stuck.
pub fn ample(facts: &Facts<'_>, crowd: &[(LocationId, u32)]) -> Option<LocationId> {
    let is_ample = |&place: &usize| {
        let id = crowd[place].0;
        facts.may_go_alone(id)
            && others(crowd, place).all(|other| !facts.now(id).conflicts(facts.ever(other)))
    };
    let stuck = |&place: &usize| facts.blocking(crowd[place].0) == Blocking::Perhaps;
    let (doubtful, sure): (Vec<usize>, Vec<usize>) = (0..crowd.len()).partition(stuck);
    sure.into_iter().chain(doubtful).find(is_ample).map(|place| crowd[place].0)
}
