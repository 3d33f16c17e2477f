//! What is known of variables at a node: constants, and variables that are equal or opposite.
//!
//! A fact is a partition of the variables into classes; the members of a class are equal to each other up to
//! sign, and one class may be that of the constants. The representative of a class is its smallest
//! variable. Only variables that share a class with another one, or are constant, are stored.
//!
//! Joining two facts is the same operation as every other one: give each variable a key, and put those with
//! equal keys into one class. For the join the key is the pair of both representatives, together with
//! whether the two signs agree \[AWZ88\].

use super::fold::Sign;
use crate::boolean::cfg::VariableId;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the members of a class are equal to, up to sign.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Root {
    /// The constant `T`.
    True,
    /// A variable.
    Variable(VariableId),
}

impl Root {
    fn variable(self) -> Option<VariableId> {
        match self {
            Self::True => None,
            Self::Variable(variable) => Some(variable),
        }
    }
}

/// A root or its negation.
pub(super) type Literal = (Root, Sign);

/// What is known of the variables.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Facts {
    /// The members that are not the representative of their class, in order. Facts are passed along many
    /// edges unchanged, so they are shared.
    members: Arc<Vec<(VariableId, Literal)>>,
}

impl Facts {
    fn from_members(mut members: Vec<(VariableId, Literal)>) -> Self {
        members.sort_unstable();
        Self { members: Arc::new(members) }
    }

    fn find(&self, variable: VariableId) -> Option<Literal> {
        let position = self.members.binary_search_by_key(&variable, |(member, _)| *member);
        position.ok().map(|position| self.members[position].1)
    }

    /// What a variable is equal to.
    pub(super) fn resolve(&self, variable: VariableId) -> Literal {
        self.find(variable).unwrap_or((Root::Variable(variable), Sign::Plain))
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

    /// The constants among some variables.
    pub(super) fn constants(&self, wanted: impl Fn(VariableId) -> bool) -> Self {
        let constants =
            self.members.iter().filter(|(variable, (root, _))| *root == Root::True && wanted(*variable));
        Self { members: Arc::new(constants.copied().collect()) }
    }

    fn is_root(&self, variable: VariableId) -> bool {
        self.members.iter().any(|(_, (root, _))| *root == Root::Variable(variable))
    }

    /// The variables of which something is known, in order.
    fn domain(&self) -> Vec<VariableId> {
        let roots = self.members.iter().filter_map(|(_, (root, _))| root.variable());
        let mut domain: Vec<VariableId> =
            self.members.iter().map(|(member, _)| *member).chain(roots).collect();
        domain.sort_unstable();
        domain.dedup();
        domain
    }

    /// The members of the classes of equal keys, each with its sign.
    fn classes<K: Ord>(keyed: impl Iterator<Item = (VariableId, K, Sign)>) -> Vec<(VariableId, Literal)> {
        let mut classes: BTreeMap<K, Vec<(VariableId, Sign)>> = BTreeMap::new();
        for (variable, key, sign) in keyed {
            classes.entry(key).or_default().push((variable, sign));
        }
        let mut members = Vec::new();
        for mut class in classes.into_values() {
            class.sort_unstable();
            let (root, root_sign) = class[0];
            let literal = |sign: Sign| (Root::Variable(root), sign.times(root_sign));
            members.extend(class[1..].iter().map(|&(variable, sign)| (variable, literal(sign))));
        }
        members
    }

    /// From what each variable is equal to in another state; every variable at most once.
    pub(super) fn equal_to(literals: impl Iterator<Item = (VariableId, Literal)>) -> Self {
        let (mut members, mut others) = (Vec::new(), Vec::new());
        for (variable, (root, sign)) in literals {
            match root {
                Root::True => members.push((variable, (root, sign))),
                Root::Variable(root) => others.push((variable, root, sign)),
            }
        }
        members.extend(Self::classes(others.into_iter()));
        Self::from_members(members)
    }

    /// After some variables have got new values, told in terms of the old state (`None`: anything).
    pub(super) fn assign(&self, values: &BTreeMap<VariableId, Option<Literal>>) -> Self {
        let simple = |(&target, value): (&VariableId, &Option<Literal>)| {
            let kept = |root: VariableId| root < target && !values.contains_key(&root);
            value.is_none_or(|(root, _)| root.variable().is_none_or(kept)) && !self.is_root(target)
        };
        let new = values.iter().filter_map(|(&variable, value)| Some((variable, (*value)?)));
        if values.iter().all(simple) {
            // No class loses or changes its representative.
            let kept = self.members.iter().filter(|(member, _)| !values.contains_key(member));
            return Self::from_members(kept.copied().chain(new).collect());
        }
        let roots = values.values().flatten().filter_map(|(root, _)| root.variable());
        let mut kept: Vec<VariableId> = self.domain().into_iter().chain(roots).collect();
        kept.sort_unstable();
        kept.dedup();
        let kept = kept.into_iter().filter(|variable| !values.contains_key(variable));
        Self::equal_to(kept.map(|variable| (variable, self.resolve(variable))).chain(new))
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
        let (one, other) = (canonical(one), canonical(other));
        let (kept, gone) = if one.0 <= other.0 { (one, other) } else { (other, one) };
        if kept.0 == gone.0 {
            return (kept.1 == gone.1).then(|| self.clone());
        }
        let sign = kept.1.times(gone.1);
        let moved =
            |(root, own): Literal| if root == gone.0 { (kept.0, own.times(sign)) } else { (root, own) };
        let members = self.members.iter().map(|&(member, literal)| (member, moved(literal)));
        let root = gone.0.variable().map(|variable| (variable, (kept.0, sign)));
        Some(Self::from_members(members.chain(root).collect()))
    }

    /// What holds whichever of two facts does.
    pub(super) fn join(&self, other: &Self) -> Self {
        if self == other {
            return self.clone();
        }
        let theirs = other.domain();
        let both = self.domain().into_iter().filter(|variable| theirs.binary_search(variable).is_ok());
        let (mut members, mut others) = (Vec::new(), Vec::new());
        for variable in both {
            let ((a, p), (b, q)) = (self.resolve(variable), other.resolve(variable));
            if a == Root::True && b == Root::True && p == q {
                members.push((variable, (a, p)));
            } else {
                others.push((variable, (a, b, p == q), p));
            }
        }
        members.extend(Self::classes(others.into_iter()));
        Self::from_members(members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::index::Index;
    use std::collections::BTreeSet;

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
        for facts in all() {
            for one in literals() {
                for other in literals() {
                    let expected: BTreeSet<usize> = models(&facts)
                        .into_iter()
                        .filter(|&v| value_of(one, v) == value_of(other, v))
                        .collect();
                    let found = facts.with_equal(one, other).map_or_else(BTreeSet::new, |more| models(&more));
                    assert_eq!(found, expected);
                }
            }
        }
    }

    fn value_of((root, sign): Literal, valuation: usize) -> bool {
        let root = root.variable().is_none_or(|variable| valuation >> variable.index() & 1 == 1);
        root == (sign == Sign::Plain)
    }

    #[test]
    fn assignment_is_parallel_and_exact() {
        let choices: Vec<Option<Literal>> = literals().into_iter().map(Some).chain([None]).collect();
        let (x, y) = (VariableId::new(1), VariableId::new(2));
        for facts in all() {
            for (one, two) in choices.iter().flat_map(|one| choices.iter().map(move |two| (*one, *two))) {
                let resolved = |literal: Option<Literal>| {
                    literal.map(|(root, sign)| match root {
                        Root::True => (root, sign),
                        Root::Variable(variable) => {
                            let (root, more) = facts.resolve(variable);
                            (root, sign.times(more))
                        }
                    })
                };
                let new = BTreeMap::from([(x, resolved(one)), (y, resolved(two))]);
                let possible = |valuation: usize, literal: Option<Literal>, bit: usize| {
                    literal.is_none_or(|literal| value_of(literal, valuation) == (bit == 1))
                };
                let mut expected = BTreeSet::new();
                for old in models(&facts) {
                    for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                        if possible(old, one, a) && possible(old, two, b) {
                            expected.insert((old & 1) | a << 1 | b << 2);
                        }
                    }
                }
                assert_eq!(models(&facts.assign(&new)), expected, "{facts:?} {one:?} {two:?}");
            }
        }
    }
}
