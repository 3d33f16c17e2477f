//! Functions as unions of products: Shannon cofactors, equal ones joined [Bas10, 7.4.2].

use crate::bdd::{Bdd, Level, Manager, ops};
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use indexmap::IndexMap;

/// A product of two functions over disjoint variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Over the variables that were split on.
    pub condition: Bdd,
    /// Over the others.
    pub rest: Bdd,
}

/// A function as a disjunction of products `condition ∧ rest`, the conditions over `levels` and disjoint, the rests
/// over the other variables, different and not false.
///
/// There may be exponentially many: the limits are looked at on the way.
pub fn parts(bdd: &mut dyn Manager, limits: &Limits, f: Bdd, levels: &[Level]) -> Result<Vec<Part>, Stop> {
    let support = bdd.support(f);
    let mut split: Vec<Level> = levels.iter().copied().filter(|level| support.contains(level)).collect();
    split.sort_unstable();
    let mut parts: IndexMap<Bdd, Bdd> = IndexMap::from([(f, bdd.constant(true))]);
    for level in split {
        let mut finer = IndexMap::with_capacity(parts.len());
        for (rest, condition) in parts {
            limits.check()?;
            for value in [false, true] {
                let cofactor = ops::restrict(bdd, rest, &[(level, value)])?;
                let literal = bdd.literal(level, value)?;
                let narrower = bdd.and(condition, literal)?;
                join(bdd, &mut finer, cofactor, narrower)?;
            }
        }
        parts = finer;
    }
    parts.shift_remove(&bdd.constant(false));
    Ok(parts.into_iter().map(|(rest, condition)| Part { condition, rest }).collect())
}

/// Adds a condition to the part with this rest.
fn join(
    bdd: &mut dyn Manager,
    parts: &mut IndexMap<Bdd, Bdd>,
    rest: Bdd,
    condition: Bdd,
) -> Result<(), Stop> {
    let before = parts.get(&rest).copied().unwrap_or(bdd.constant(false));
    let after = bdd.or(before, condition)?;
    parts.insert(rest, after);
    Ok(())
}
