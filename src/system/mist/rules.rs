//! A rule of mist becomes a transition that takes, sweeps and gives.
//!
//! All sums of a rule are of the values before it. So each variable has *destinations*: the variables whose sums
//! it occurs in, and itself if it is not assigned. What its guard demands is taken and given to the destinations;
//! the rest is swept there. A decrement comes out of what the guards of the sum's variables demand; if they demand
//! too little, the rule needs more, since no variable becomes negative.

use super::syntax::{Rule, Update};
use super::{Bounds, Unsupported, bounds, control};
use crate::ground::source::Span;
use crate::system::net::{PlaceId, Sweep, Transition};
use std::collections::{BTreeMap, BTreeSet};

/// What a rule does with a variable.
struct Role {
    /// How many tokens it takes.
    need: i64,
    /// Whether that must be all.
    exact: Exact,
    /// Where tokens go, sorted; a place occurs as often as the variable does in its sum.
    destinations: Vec<PlaceId>,
    span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Exact {
    Yes,
    No,
}

/// The transition; `None` if the rule can never be taken.
pub(super) fn transition(rule: &Rule) -> Result<Option<Transition>, Unsupported> {
    let guards = bounds(&rule.guards);
    if guards.values().any(|guard| guard.are_empty()) {
        return Ok(None);
    }
    let mut roles = roles(rule, &guards)?;
    let mut give = given(rule, &roles);
    for update in &rule.updates {
        let deficit = -give.get(&update.place).copied().unwrap_or(0);
        if deficit <= 0 {
            continue;
        }
        let Some(place) = payer(update, &roles)? else { return Ok(None) };
        if let Some(role) = roles.get_mut(&place) {
            role.need += deficit;
        }
        give.insert(update.place, 0);
    }
    let take = counts(roles.iter().map(|(&place, role)| (place, role.need)), rule.span)?;
    let sweep = roles.iter().filter_map(|(&place, role)| Some((place, sweep(place, role)?))).collect();
    let give = counts(give.into_iter(), rule.span)?;
    Ok(Some(Transition { from: control(), to: control(), take, sweep, give, line: rule.line }))
}

fn roles(rule: &Rule, guards: &BTreeMap<PlaceId, Bounds>) -> Result<BTreeMap<PlaceId, Role>, Unsupported> {
    let mut roles: BTreeMap<PlaceId, Role> = BTreeMap::new();
    let idle = |span| Role { need: 0, exact: Exact::No, destinations: Vec::new(), span };
    for (&place, guard) in guards {
        let role = roles.entry(place).or_insert_with(|| idle(guard.span));
        role.need = guard.low.into();
        role.exact = if guard.are_exact() { Exact::Yes } else { Exact::No };
        if guard.high.is_some() && !guard.are_exact() {
            return Err(Unsupported::new("guard with an upper bound", guard.span));
        }
    }
    for update in &rule.updates {
        roles.entry(update.place).or_insert_with(|| idle(update.span));
        for &source in &update.sources {
            roles.entry(source).or_insert_with(|| idle(update.span)).destinations.push(update.place);
        }
    }
    let assigned: BTreeSet<PlaceId> = rule.updates.iter().map(|update| update.place).collect();
    for (place, role) in &mut roles {
        role.destinations.extend((!assigned.contains(place)).then_some(*place));
        role.destinations.sort_unstable();
        // A known number of tokens can be copied: it is a constant.
        if role.destinations.len() > 1 && role.exact == Exact::No {
            return Err(Unsupported::new("copying arc", role.span));
        }
    }
    Ok(roles)
}

/// What each place gets besides the swept tokens; it may be negative.
fn given(rule: &Rule, roles: &BTreeMap<PlaceId, Role>) -> BTreeMap<PlaceId, i64> {
    let mut give: BTreeMap<PlaceId, i64> = BTreeMap::new();
    for role in roles.values() {
        role.destinations.iter().for_each(|&place| *give.entry(place).or_default() += role.need);
    }
    for update in &rule.updates {
        *give.entry(update.place).or_default() += update.constant;
    }
    give
}

/// The variable whose tokens make up for a sum that is negative so far; `None` if there is none.
fn payer(update: &Update, roles: &BTreeMap<PlaceId, Role>) -> Result<Option<PlaceId>, Unsupported> {
    let inexact = |place: &PlaceId| roles.get(place).is_some_and(|role| role.exact == Exact::No);
    let mut payers = update.sources.iter().copied().filter(inexact);
    let payer = payers.next();
    if payers.next().is_some() {
        return Err(Unsupported::new("decrement of a sum that no guard covers", update.span));
    }
    Ok(payer)
}

/// What happens to the tokens that the guard does not demand.
fn sweep(place: PlaceId, role: &Role) -> Option<Sweep> {
    match role.destinations.as_slice() {
        _ if role.exact == Exact::Yes => Some(Sweep::Forbid),
        [] => Some(Sweep::Lose),
        [only] if *only == place => None,
        places => Some(Sweep::Move(places.to_vec())),
    }
}

fn counts(
    counts: impl Iterator<Item = (PlaceId, i64)>,
    span: Span,
) -> Result<Vec<(PlaceId, u32)>, Unsupported> {
    let counts = counts.filter(|&(_, count)| count != 0);
    let narrow = counts.map(|(place, count)| Some((place, u32::try_from(count).ok()?)));
    let narrow: Option<Vec<_>> = narrow.collect();
    narrow.ok_or_else(|| Unsupported::new("numbers above 32 bits", span))
}
