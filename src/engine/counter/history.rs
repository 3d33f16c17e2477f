//! The states seen, and what is new in a state [Bas10, 10.5–10.7].
//!
//! States with the same population share one set of shared values. Populations are grouped by the locations of their
//! threads: only within a group can one subsume another, which is the cheap test before the expensive one.

use super::population::Population;
use crate::bdd::Bdd;
use crate::engine::symmetry::{LocalId, Locals};
use crate::ground::reason::Stop;
use crate::system::template::LocationId;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// How many threads are at which location.
pub(super) type Places = Vec<(LocationId, u32)>;

/// The states seen.
#[derive(Default)]
pub struct History {
    seen: IndexMap<Population, Bdd, FxBuildHasher>,
    /// By locations: the populations, by their number in `seen`.
    groups: FxHashMap<Places, Vec<usize>>,
    larger: FxHashMap<(LocalId, LocalId), bool>,
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
    let place = |&(local, count): &(LocalId, u32)| (locals.get(local).location, count);
    let mut places: Places = population.pairs().iter().map(place).collect();
    places.sort_unstable();
    places.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    places
}

/// Whether the pairs of one population can be matched with those of another, same counters, local set within local
/// set. With several pairs at one location only the first match is tried, and of very many pairs none: a subsumption
/// may be missed, none invented.
fn fits(
    locals: &mut Locals<'_>,
    larger: &mut FxHashMap<(LocalId, LocalId), bool>,
    small: &Population,
    large: &Population,
) -> Result<bool, Stop> {
    if small.pairs().len() != large.pairs().len()
        || small.disabled() != large.disabled()
        || large.pairs().len() > u64::BITS as usize
    {
        return Ok(false);
    }
    let mut matched = 0_u64;
    for &(local, count) in small.pairs() {
        let mut partner = None;
        for (place, &(other, number)) in large.pairs().iter().enumerate() {
            if number == count && matched >> place & 1 == 0 && within(locals, larger, local, other)? {
                partner = Some(place);
                break;
            }
        }
        let Some(place) = partner else { return Ok(false) };
        matched |= 1 << place;
    }
    Ok(true)
}

fn within(
    locals: &mut Locals<'_>,
    larger: &mut FxHashMap<(LocalId, LocalId), bool>,
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
