//! The states seen, and what is new in a state [Bas10, 10.5–10.7].
//!
//! States with the same population share one set of shared values. Populations are grouped by the locations of their
//! threads: only within a group can one subsume another, which is the cheap test before the expensive one.

use super::population::Population;
use crate::bdd::Bdd;
use crate::engine::symmetry::{LocalId, Locals};
use crate::ground::reason::Stop;
use crate::system::template::LocationId;
use indexmap::{IndexMap, IndexSet};
use std::collections::HashMap;

/// How many threads are at which location.
pub(super) type Places = Vec<(LocationId, u32)>;

/// The states seen.
#[derive(Default)]
pub struct History {
    seen: IndexMap<Population, Bdd>,
    /// By locations: the populations, by their number in `seen`.
    groups: HashMap<Places, Vec<usize>>,
    larger: HashMap<(LocalId, LocalId), bool>,
}

impl History {
    /// How many populations there are.
    pub fn len(&self) -> usize {
        self.seen.len()
    }

    /// The part of some shared values with which the population has not been seen, neither itself nor within a larger
    /// one. It is seen from now on.
    pub fn insert(
        &mut self,
        locals: &mut Locals<'_>,
        population: &Population,
        shared: Bdd,
    ) -> Result<Bdd, Stop> {
        let nothing = locals.manager().constant(false);
        let before = self.seen.get(population).copied();
        let mut new = match before {
            Some(before) => locals.manager().minus(shared, before)?,
            None => shared,
        };
        if new == nothing {
            return Ok(new);
        }
        let places = places(locals, population);
        new = self.without_subsumed(locals, population, &places, new)?;
        if new == nothing {
            return Ok(new);
        }
        let all = locals.manager().or(before.unwrap_or(nothing), new)?;
        let (number, _) = self.seen.insert_full(population.clone(), all);
        if before.is_none() {
            self.groups.entry(places).or_default().push(number);
        }
        Ok(new)
    }

    fn without_subsumed(
        &mut self,
        locals: &mut Locals<'_>,
        population: &Population,
        places: &Places,
        mut shared: Bdd,
    ) -> Result<Bdd, Stop> {
        let nothing = locals.manager().constant(false);
        let Some(group) = self.groups.get(places) else { return Ok(shared) };
        // States found lately are the likeliest to be like this one.
        for &number in group.iter().rev() {
            let Some((other, &seen)) = self.seen.get_index(number) else { continue };
            if other == population || !fits(locals, &mut self.larger, population, other)? {
                continue;
            }
            shared = locals.manager().minus(shared, seen)?;
            if shared == nothing {
                break;
            }
        }
        Ok(shared)
    }
}

/// How many threads are at which location, in order.
pub(super) fn places(locals: &Locals<'_>, population: &Population) -> Places {
    let mut places: IndexMap<LocationId, u32> = IndexMap::new();
    for &(local, count) in population.pairs() {
        *places.entry(locals.get(local).location).or_default() += count;
    }
    let mut places: Places = places.into_iter().collect();
    places.sort_unstable();
    places
}

/// Whether the pairs of one population can be matched with those of another, same counters, local set within local
/// set. With several pairs at one location only the first match is tried: a subsumption may be missed, none invented.
fn fits(
    locals: &mut Locals<'_>,
    larger: &mut HashMap<(LocalId, LocalId), bool>,
    small: &Population,
    large: &Population,
) -> Result<bool, Stop> {
    if small.pairs().len() != large.pairs().len() || small.disabled() != large.disabled() {
        return Ok(false);
    }
    let mut open: IndexSet<(LocalId, u32)> = large.pairs().iter().copied().collect();
    for &(local, count) in small.pairs() {
        let mut partner = None;
        for &(other, number) in &open {
            if number == count && within(locals, larger, local, other)? {
                partner = Some((other, number));
                break;
            }
        }
        let Some(partner) = partner else { return Ok(false) };
        open.swap_remove(&partner);
    }
    Ok(true)
}

fn within(
    locals: &mut Locals<'_>,
    larger: &mut HashMap<(LocalId, LocalId), bool>,
    small: LocalId,
    large: LocalId,
) -> Result<bool, Stop> {
    if small == large {
        return Ok(true);
    }
    if locals.get(small).location != locals.get(large).location {
        return Ok(false);
    }
    if let Some(&known) = larger.get(&(small, large)) {
        return Ok(known);
    }
    let answer = locals.is_subset(small, large)?;
    larger.insert((small, large), answer);
    Ok(answer)
}
