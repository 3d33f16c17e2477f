//! Persistent sets as a partition of the state [Bas10, Algorithms 6.2, 6.3].
//!
//! Threads that may ever depend on each other are in one group. From then on the groups have nothing to do with each
//! other: of a run to a violation by a thread of one group, the steps of this group alone are a run, and lead to the
//! same violation. So each group is explored with the threads of the others disabled for ever. Nothing is asked of
//! steps that block: a run is given, and steps are only left out of it. The premises are in the footprints: started
//! threads belong to the group of their starter, threads that start others depend on all that may end, and a
//! broadcast depends on every thread that has a frame which hears it, even if that thread never moves.
//!
//! A disabled thread still occupies its place under the bound on threads.

use super::Facts;
use crate::system::template::LocationId;

/// The groups of locations whose threads never depend on each other; `None` if there is only one.
pub fn groups(facts: &Facts<'_>, crowd: &[(LocationId, u32)]) -> Option<Vec<Vec<LocationId>>> {
    let mut groups: Vec<Vec<LocationId>> = Vec::new();
    for &(id, _) in crowd {
        let depends =
            |group: &Vec<LocationId>| group.iter().any(|&other| facts.ever(id).conflicts(facts.ever(other)));
        let (joined, mut apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(depends);
        let mut group = joined.concat();
        group.push(id);
        apart.push(group);
        groups = apart;
    }
    (groups.len() > 1).then_some(groups)
}
