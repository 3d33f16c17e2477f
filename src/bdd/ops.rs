//! Operations on top of a [`Manager`].
//!
//! Free functions, so that the trait stays small and a back end has little to implement.

use super::{Bdd, Level, Manager};
use crate::ground::reason::Stop;

/// f implies g.
pub fn implies(bdd: &mut dyn Manager, f: Bdd, g: Bdd) -> Result<Bdd, Stop> {
    let counterexamples = bdd.minus(f, g)?;
    bdd.not(counterexamples)
}

/// f if and only if g.
pub fn iff(bdd: &mut dyn Manager, f: Bdd, g: Bdd) -> Result<Bdd, Stop> {
    let difference = bdd.xor(f, g)?;
    bdd.not(difference)
}

/// If f then g else h.
pub fn ite(bdd: &mut dyn Manager, f: Bdd, g: Bdd, h: Bdd) -> Result<Bdd, Stop> {
    let (then, otherwise) = (bdd.and(f, g)?, bdd.minus(h, f)?);
    bdd.or(then, otherwise)
}

/// Two variables have the same value.
pub fn equal(bdd: &mut dyn Manager, left: Level, right: Level) -> Result<Bdd, Stop> {
    let (left, right) = (bdd.literal(left, true)?, bdd.literal(right, true)?);
    iff(bdd, left, right)
}

/// Whether every assignment that satisfies f satisfies g.
pub fn is_subset(bdd: &mut dyn Manager, f: Bdd, g: Bdd) -> Result<bool, Stop> {
    Ok(bdd.minus(f, g)? == bdd.constant(false))
}

/// The conjunction of many functions, the smallest first.
pub fn conjunction(bdd: &mut dyn Manager, functions: &[Bdd]) -> Result<Bdd, Stop> {
    fold(bdd, functions, true, |bdd, f, g| bdd.and(f, g))
}

/// The disjunction of many functions, the smallest first.
pub fn disjunction(bdd: &mut dyn Manager, functions: &[Bdd]) -> Result<Bdd, Stop> {
    fold(bdd, functions, false, |bdd, f, g| bdd.or(f, g))
}

/// Combines functions in pairs, in rounds, neighbours in size: large intermediate results meet late.
fn fold(
    bdd: &mut dyn Manager,
    functions: &[Bdd],
    neutral: bool,
    combine: impl Fn(&mut dyn Manager, Bdd, Bdd) -> Result<Bdd, Stop>,
) -> Result<Bdd, Stop> {
    let mut round = functions.to_vec();
    while round.len() > 1 {
        round.sort_by_cached_key(|&f| (bdd.size(f), f));
        round.dedup();
        let pairs: Vec<_> = round.chunks(2).map(<[_]>::to_vec).collect();
        round.clear();
        for pair in pairs {
            round.push(match pair[..] {
                [f, g] => combine(bdd, f, g)?,
                _ => pair[0],
            });
        }
    }
    Ok(round.first().copied().unwrap_or(bdd.constant(neutral)))
}

/// The conjunction of literals; false if they contradict each other.
pub fn cube(bdd: &mut dyn Manager, literals: &[(Level, bool)]) -> Result<Bdd, Stop> {
    let mut sorted = literals.to_vec();
    sorted.sort_unstable();
    sorted_cube(bdd, &sorted)
}

/// By halves: a function that is a vector of nodes must not be copied for every literal.
fn sorted_cube(bdd: &mut dyn Manager, literals: &[(Level, bool)]) -> Result<Bdd, Stop> {
    match *literals {
        [] => Ok(bdd.constant(true)),
        [(level, positive)] => bdd.literal(level, positive),
        _ => {
            let (upper, lower) = literals.split_at(literals.len() / 2);
            let (upper, lower) = (sorted_cube(bdd, upper)?, sorted_cube(bdd, lower)?);
            bdd.and(upper, lower)
        }
    }
}

/// The function with these variables fixed: its cofactor. It does not depend on them any more.
///
/// # Panics
/// If a variable is given both values.
pub fn restrict(bdd: &mut dyn Manager, f: Bdd, literals: &[(Level, bool)]) -> Result<Bdd, Stop> {
    let cube = cube(bdd, literals)?;
    assert!(cube != bdd.constant(false), "a variable fixed to both values");
    let levels: Vec<_> = literals.iter().map(|&(level, _)| level).collect();
    let levels = bdd.level_set(&levels);
    bdd.and_exists(f, cube, levels)
}
