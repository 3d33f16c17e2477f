//! The oracle: truth tables, the same code over every back end.

use super::interned::Interned;
use super::oxidd::Oxidd;
use super::{BackEnd, Bdd, Level, Manager, create};
use crate::ground::index::Index;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;

mod interrupted;
mod large;
mod random;
mod truth_tables;

/// Both back ends, and a third that has to move to larger tables again and again.
fn managers(levels: usize, limits: &Limits) -> Vec<Box<dyn Manager>> {
    let cramped = Oxidd::with_capacity(8, levels, limits).expect("few variables");
    let mut managers: Vec<Box<dyn Manager>> = vec![Box::new(Interned::new(cramped, limits))];
    managers.extend(BackEnd::ALL.map(|kind| create(kind, levels, limits).expect("few variables")));
    managers
}

fn level(number: usize) -> Level {
    Level::new(number)
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 33) % bound as u64).expect("a small number")
    }
}

/// A Boolean function as its values: position i is the assignment whose bit k is variable k.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Table(Vec<bool>);

impl Table {
    fn new(variables: usize, value: impl Fn(usize) -> bool) -> Self {
        Self((0..1 << variables).map(value).collect())
    }

    fn variable(variables: usize, variable: usize) -> Self {
        Self::new(variables, |assignment| assignment >> variable & 1 == 1)
    }

    fn map(&self, other: &Self, operation: impl Fn(bool, bool) -> bool) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(&f, &g)| operation(f, g)).collect())
    }

    fn exists(&self, set: usize) -> Self {
        let mut result = self.clone();
        for variable in (0..usize::BITS).filter(|&variable| set >> variable & 1 == 1) {
            let value = |assignment: usize| {
                let bit = 1 << variable;
                result.0[assignment | bit] || result.0[assignment & !bit]
            };
            result = Self((0..self.0.len()).map(value).collect());
        }
        result
    }

    /// Variable k becomes variable `names[k]`.
    fn rename(&self, names: &[usize]) -> Self {
        let value = |assignment: usize| {
            let bits = names.iter().enumerate().map(|(old, &new)| (assignment >> new & 1) << old);
            self.0[bits.sum::<usize>()]
        };
        Self((0..self.0.len()).map(value).collect())
    }

    fn agrees(&self, manager: &dyn Manager, f: Bdd) -> bool {
        let value = |assignment: usize| manager.evaluate(f, &|level| assignment >> level.index() & 1 == 1);
        self.0.iter().enumerate().all(|(assignment, &expected)| value(assignment) == expected)
    }
}

#[test]
fn names_are_read_and_written() {
    for kind in BackEnd::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
        assert_eq!(create(kind, 1, &Limits::none()).expect("one variable").name(), kind.name());
    }
    let refusal = "cudd".parse::<BackEnd>().expect_err("no such back end");
    assert!(refusal.contains("`cudd`") && refusal.contains("`oxidd`"));
}

#[test]
fn too_many_variables_are_refused_by_biodivine_only() {
    let limits = Limits::none();
    assert!(create(BackEnd::Biodivine, 65_534, &limits).is_ok());
    let refusal = create(BackEnd::Biodivine, 65_535, &limits).err();
    assert_eq!(refusal, Some(Stop::Bound("more than 65534 BDD variables; try --bdd oxidd".into())));
    let mut manager = create(BackEnd::Oxidd, 70_000, &limits).expect("no such bound");
    let last = manager.literal(level(69_999), true).expect("no limit");
    assert_eq!(manager.support(last), [level(69_999)]);
}
