//! What is known of variables at a node: constants, and variables that are equal or opposite.
//!
//! A fact is a partition of the variables into classes; the members of a class are equal to each other up to
//! sign, and one class may be that of the constants. The representative of a class is its smallest
//! variable. Only variables that share a class with another one, or are constant, are stored.
//!
//! Joining two facts is the same operation as every other one: give each variable a key, and put those with
//! equal keys into one class. For the join the key is the pair of both representatives, together with
//! whether the two signs agree [AWZ88].

use super::fold::Sign;
use crate::boolean::cfg::VariableId;
use std::collections::{BTreeMap, BTreeSet};

/// What the members of a class are equal to, up to sign.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Root {
    /// The constant `T`.
    True,
    /// A variable.
    Variable(VariableId),
}

/// A root or its negation.
pub(super) type Literal = (Root, Sign);

/// What is known of the variables.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Facts {
    /// Members that are not the representative of their class.
    members: BTreeMap<VariableId, Literal>,
}

impl Facts {
    /// What a variable is equal to.
    pub(super) fn resolve(&self, variable: VariableId) -> Literal {
        self.members.get(&variable).copied().unwrap_or((Root::Variable(variable), Sign::Plain))
    }

    /// How many variables are known to be something.
    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    /// The constant that a variable is known to be.
    pub(super) fn constant(&self, variable: VariableId) -> Option<bool> {
        match self.resolve(variable) {
            (Root::True, sign) => Some(sign == Sign::Plain),
            _ => None,
        }
    }

    /// The variables of which something is known.
    fn domain(&self) -> BTreeSet<VariableId> {
        let roots = self.members.values().filter_map(|(root, _)| match root {
            Root::True => None,
            Root::Variable(variable) => Some(*variable),
        });
        self.members.keys().copied().chain(roots).collect()
    }

    /// The facts that follow from keys: variables with one key are equal up to their signs.
    fn classes<K: Ord>(keyed: impl Iterator<Item = (VariableId, Option<K>, Sign)>) -> Self {
        let mut classes: BTreeMap<Option<K>, Vec<(VariableId, Sign)>> = BTreeMap::new();
        for (variable, key, sign) in keyed {
            classes.entry(key).or_default().push((variable, sign));
        }
        let mut facts = Self::default();
        for (key, mut class) in classes {
            class.sort_unstable();
            let (root, root_sign) = match key {
                None => (Root::True, Sign::Plain),
                Some(_) => {
                    let (variable, sign) = class.remove(0);
                    (Root::Variable(variable), sign)
                }
            };
            facts
                .members
                .extend(class.into_iter().map(|(variable, sign)| (variable, (root, sign.times(root_sign)))));
        }
        facts
    }

    /// From what each variable is equal to in another state; every variable at most once.
    pub(super) fn equal_to(literals: impl Iterator<Item = (VariableId, Literal)>) -> Self {
        Self::classes(literals.map(|(variable, (root, sign))| {
            let key = match root {
                Root::True => None,
                Root::Variable(root) => Some(root),
            };
            (variable, key, sign)
        }))
    }

    /// After some variables have got new values, told in terms of the old state (`None`: anything).
    pub(super) fn assign(&self, values: &BTreeMap<VariableId, Option<Literal>>) -> Self {
        let domain = self.domain();
        let roots = values.values().flatten().filter_map(|(root, _)| match root {
            Root::True => None,
            Root::Variable(variable) => Some(*variable),
        });
        let kept: BTreeSet<VariableId> =
            domain.into_iter().chain(roots).filter(|variable| !values.contains_key(variable)).collect();
        let kept = kept.into_iter().map(|variable| (variable, self.resolve(variable)));
        let new = values.iter().filter_map(|(&variable, value)| Some((variable, (*value)?)));
        Self::equal_to(kept.chain(new))
    }

    /// After some variables may have changed.
    pub(super) fn forget(&self, changed: impl Fn(VariableId) -> bool) -> Self {
        let kept = self.domain().into_iter().filter(|&variable| !changed(variable));
        Self::equal_to(kept.map(|variable| (variable, self.resolve(variable))))
    }

    /// What holds besides if two literals are equal; `None` if they cannot be.
    pub(super) fn with_equal(&self, one: Literal, other: Literal) -> Option<Self> {
        let canonical = |(root, sign): Literal| match root {
            Root::True => (root, sign),
            Root::Variable(variable) => {
                let (root, more) = self.resolve(variable);
                (root, sign.times(more))
            }
        };
        // The smaller root stays: `True` before all variables.
        let (kept, gone) = {
            let (one, other) = (canonical(one), canonical(other));
            if one.0 <= other.0 { (one, other) } else { (other, one) }
        };
        if kept.0 == gone.0 {
            return (kept.1 == gone.1).then(|| self.clone());
        }
        let sign = kept.1.times(gone.1);
        let mut domain = self.domain();
        domain.extend([kept.0, gone.0].into_iter().filter_map(|root| match root {
            Root::True => None,
            Root::Variable(variable) => Some(variable),
        }));
        Some(Self::equal_to(domain.into_iter().map(|variable| {
            let (root, own) = self.resolve(variable);
            (variable, if root == gone.0 { (kept.0, own.times(sign)) } else { (root, own) })
        })))
    }

    /// What holds whichever of two facts does.
    pub(super) fn join(&self, other: &Self) -> Self {
        let both: BTreeSet<VariableId> = self.domain().intersection(&other.domain()).copied().collect();
        Self::classes(both.into_iter().map(|variable| {
            let ((a, p), (b, q)) = (self.resolve(variable), other.resolve(variable));
            let constant = a == Root::True && b == Root::True && p == q;
            (variable, (!constant).then_some((a, b, p == q)), p)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::index::Index;

    const COUNT: usize = 3;

    /// All valuations that satisfy a fact: its meaning.
    fn models(facts: &Facts) -> BTreeSet<usize> {
        let value = |valuation: usize, variable: VariableId| valuation >> variable.index() & 1 == 1;
        let holds = |valuation: usize| {
            (0..COUNT).map(VariableId::new).all(|variable| {
                let (root, sign) = facts.resolve(variable);
                let root = match root {
                    Root::True => true,
                    Root::Variable(root) => value(valuation, root),
                };
                value(valuation, variable) == (root == (sign == Sign::Plain))
            })
        };
        (0..1 << COUNT).filter(|&valuation| holds(valuation)).collect()
    }

    fn literals() -> Vec<Literal> {
        let roots = (0..COUNT).map(|number| Root::Variable(VariableId::new(number))).chain([Root::True]);
        roots.flat_map(|root| [(root, Sign::Plain), (root, Sign::Negated)]).collect()
    }

    /// Every partition, by adding equalities to nothing.
    fn all() -> Vec<Facts> {
        let mut found = vec![Facts::default()];
        let mut next = 0;
        while next < found.len() {
            for one in literals() {
                for other in literals() {
                    let more = found[next].with_equal(one, other);
                    found.extend(more.filter(|more| !found.contains(more)));
                }
            }
            next += 1;
        }
        found
    }

    #[test]
    fn there_are_as_many_facts_as_partitions_up_to_sign() {
        // Partitions of four things (three variables and T), the classes with relative signs.
        let all = all();
        assert_eq!(all.len(), 1 + 6 * 2 + 3 * 4 + 4 * 4 + 8);
        let meanings: BTreeSet<_> = all.iter().map(models).collect();
        assert_eq!(meanings.len(), all.len());
        assert!(meanings.iter().all(|models| !models.is_empty()));
    }

    #[test]
    fn join_is_the_strongest_fact_that_follows_from_both() {
        let all = all();
        for a in &all {
            for b in &all {
                let joined = models(&a.join(b));
                let union: BTreeSet<usize> = models(a).union(&models(b)).copied().collect();
                assert!(union.is_subset(&joined));
                let better = all.iter().map(models).filter(|m| union.is_subset(m)).min_by_key(BTreeSet::len);
                assert_eq!(Some(joined), better, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn equality_keeps_exactly_the_valuations_that_satisfy_it() {
        let of = |(root, sign): Literal, valuation: usize| {
            let root = match root {
                Root::True => true,
                Root::Variable(variable) => valuation >> variable.index() & 1 == 1,
            };
            root == (sign == Sign::Plain)
        };
        for facts in all() {
            for one in literals() {
                for other in literals() {
                    let expected: BTreeSet<usize> =
                        models(&facts).into_iter().filter(|&v| of(one, v) == of(other, v)).collect();
                    let found = facts.with_equal(one, other).map_or_else(BTreeSet::new, |more| models(&more));
                    assert_eq!(found, expected);
                }
            }
        }
    }

    #[test]
    fn assignment_is_parallel() {
        // x0 = T, then x0, x1 := x1, x0: x1 = T.
        let (x, y) = (VariableId::new(0), VariableId::new(1));
        let facts = Facts::default().with_equal((Root::Variable(x), Sign::Plain), (Root::True, Sign::Plain));
        let facts = facts.expect("they can be equal");
        let swap = BTreeMap::from([(x, Some(facts.resolve(y))), (y, Some(facts.resolve(x)))]);
        let swapped = facts.assign(&swap);
        assert_eq!((swapped.constant(x), swapped.constant(y)), (None, Some(true)));
    }
}
