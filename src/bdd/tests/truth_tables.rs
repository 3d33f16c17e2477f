//! All 256 functions of three variables: every operation on every function or pair against arithmetic on
//! eight bits. Variables are numbered from the top.

use super::super::ops;
use super::*;
use std::collections::{BTreeSet, HashSet};

const VARIABLES: usize = 3;

fn table(byte: usize) -> Table {
    Table::new(VARIABLES, |assignment| byte >> assignment & 1 == 1)
}

fn byte(table: &Table) -> usize {
    table.0.iter().enumerate().map(|(assignment, &value)| usize::from(value) << assignment).sum()
}

/// Functions as disjunctions of cubes: for each number, that of the values it is mapped to.
fn all_functions(manager: &mut dyn Manager, values: impl Fn(usize) -> usize) -> Vec<Bdd> {
    let function = |byte: usize| {
        let minterms = (0..1 << VARIABLES).filter(|assignment| byte >> assignment & 1 == 1);
        let mut cubes = Vec::new();
        for assignment in minterms {
            let literals: Vec<_> = (0..VARIABLES).map(|k| (level(k), assignment >> k & 1 == 1)).collect();
            cubes.push(ops::cube(manager, &literals).expect("no limit"));
        }
        ops::disjunction(manager, &cubes).expect("no limit")
    };
    (0..=usize::from(u8::MAX)).map(values).map(function).collect()
}

fn each_manager(check: impl Fn(&mut dyn Manager, &[Bdd])) {
    for mut manager in managers(VARIABLES, &Limits::none()) {
        let functions = all_functions(&mut *manager, |number| number);
        check(&mut *manager, &functions);
    }
}

#[test]
fn different_functions_have_different_ids() {
    each_manager(|manager, functions| {
        assert_eq!(functions.iter().collect::<HashSet<_>>().len(), 256);
        assert_eq!((functions[0], functions[255]), (manager.constant(false), manager.constant(true)));
    });
}

#[test]
fn other_constructions_give_the_same_ids() {
    each_manager(|manager, functions| {
        // By Shannon expansion, from the wrong end, with if-then-else.
        let mut layer: Vec<Bdd> = vec![manager.constant(false), manager.constant(true)];
        for variable in 0..VARIABLES {
            let literal = manager.literal(level(variable), true).expect("no limit");
            let pairs = layer.iter().flat_map(|&high| layer.iter().map(move |&low| (high, low)));
            let expand = |(high, low)| ops::ite(manager, literal, high, low).expect("no limit");
            layer = pairs.collect::<Vec<_>>().into_iter().map(expand).collect();
        }
        assert_eq!(layer.iter().collect::<HashSet<_>>(), functions.iter().collect::<HashSet<_>>());
    });
}

#[test]
fn evaluation_and_negation() {
    each_manager(|manager, functions| {
        for (number, &f) in functions.iter().enumerate() {
            assert!(table(number).agrees(manager, f));
            assert_eq!(manager.not(f), Ok(functions[255 - number]));
        }
        for variable in 0..VARIABLES {
            let positive = functions[byte(&Table::variable(VARIABLES, variable))];
            assert_eq!(manager.literal(level(variable), true), Ok(positive));
            assert_eq!(manager.literal(level(variable), false), manager.not(positive));
        }
    });
}

#[test]
fn binary_operations() {
    each_manager(|manager, functions| {
        for (f, &left) in functions.iter().enumerate() {
            for (g, &right) in functions.iter().enumerate() {
                assert_eq!(manager.and(left, right), Ok(functions[f & g]));
                assert_eq!(manager.or(left, right), Ok(functions[f | g]));
                assert_eq!(manager.xor(left, right), Ok(functions[f ^ g]));
                assert_eq!(manager.minus(left, right), Ok(functions[f & !g]));
                assert_eq!(ops::implies(manager, left, right), Ok(functions[(!f | g) & 255]));
                assert_eq!(ops::iff(manager, left, right), Ok(functions[!(f ^ g) & 255]));
                assert_eq!(ops::is_subset(manager, left, right), Ok(f & !g == 0));
            }
        }
    });
}

fn subset(set: usize) -> Vec<Level> {
    (0..VARIABLES).filter(|variable| set >> variable & 1 == 1).map(level).collect()
}

#[test]
fn quantification() {
    each_manager(|manager, functions| {
        for set in 0..1 << VARIABLES {
            let levels = manager.level_set(&subset(set));
            let expected: Vec<_> = (0..256).map(|f| byte(&table(f).exists(set))).collect();
            for (f, &left) in functions.iter().enumerate() {
                assert_eq!(manager.exists(left, levels), Ok(functions[expected[f]]));
                for (g, &right) in functions.iter().enumerate() {
                    assert_eq!(manager.and_exists(left, right, levels), Ok(functions[expected[f & g]]));
                }
            }
        }
    });
}

#[test]
fn every_renaming() {
    each_manager(|manager, functions| {
        for code in 0..27 {
            let names = [code % 3, code / 3 % 3, code / 9];
            let pairs: Vec<_> = names.iter().enumerate().map(|(k, &to)| (level(k), level(to))).collect();
            let renaming = manager.renaming(&pairs);
            for (f, &function) in functions.iter().enumerate() {
                let expected = functions[byte(&table(f).rename(&names))];
                assert_eq!(manager.rename(function, renaming), Ok(expected), "{f:08b} by {names:?}");
            }
        }
    });
}

#[test]
fn every_cofactor() {
    each_manager(|manager, functions| {
        for code in 0..27 {
            let digits = [code % 3, code / 3 % 3, code / 9];
            let fixed = digits.iter().enumerate().filter(|&(_, &digit)| digit < 2);
            let literals: Vec<_> = fixed.map(|(k, &digit)| (level(k), digit == 1)).collect();
            for (f, &function) in functions.iter().enumerate() {
                let forced = |assignment: usize| {
                    literals.iter().fold(assignment, |assignment, &(level, value)| {
                        assignment & !(1 << level.index()) | usize::from(value) << level.index()
                    })
                };
                let expected = Table::new(VARIABLES, |assignment| f >> forced(assignment) & 1 == 1);
                assert_eq!(ops::restrict(manager, function, &literals), Ok(functions[byte(&expected)]));
            }
        }
    });
}

/// The two cofactors of a function for a variable.
fn cofactors(f: usize, variable: usize) -> [usize; 2] {
    let fixed = |value: usize| {
        byte(&Table::new(VARIABLES, |assignment| {
            f >> (assignment & !(1 << variable) | value << variable) & 1 == 1
        }))
    };
    [fixed(0), fixed(1)]
}

fn support(f: usize) -> Vec<usize> {
    (0..VARIABLES).filter(|&variable| cofactors(f, variable)[0] != cofactors(f, variable)[1]).collect()
}

fn picked(mut f: usize) -> Option<Vec<(Level, bool)>> {
    let mut path = Vec::new();
    while let Some(&variable) = support(f).first() {
        let [low, high] = cofactors(f, variable);
        path.push((level(variable), low == 0));
        f = if low == 0 { high } else { low };
    }
    (f != 0).then_some(path)
}

fn subfunctions(f: usize, into: &mut BTreeSet<usize>) {
    into.insert(f);
    if let Some(&variable) = support(f).first() {
        cofactors(f, variable).into_iter().for_each(|cofactor| subfunctions(cofactor, into));
    }
}

#[test]
fn questions_about_a_function() {
    each_manager(|manager, functions| {
        for (f, &function) in functions.iter().enumerate() {
            let levels: Vec<_> = support(f).into_iter().map(level).collect();
            assert_eq!(manager.support(function), levels);
            assert_eq!(manager.pick(function), picked(f));
            assert_eq!(manager.count(function, VARIABLES), f64::from(f.count_ones()));
            let mut parts = BTreeSet::new();
            subfunctions(f, &mut parts);
            assert_eq!(manager.size(function), parts.len());
        }
    });
}

/// Every operation on every function or pair: fills the memory, and checks it.
fn check_all_operations(manager: &mut dyn Manager, functions: &[Bdd]) {
    let set = manager.level_set(&subset(0b010));
    let cycle = manager.renaming(&[0, 1, 2].map(|k| (level(k), level((k + 1) % 3))));
    let quantified: Vec<_> = (0..256).map(|f| byte(&table(f).exists(0b010))).collect();
    for (f, &left) in functions.iter().enumerate() {
        assert_eq!(manager.not(left), Ok(functions[255 - f]));
        assert_eq!(manager.exists(left, set), Ok(functions[quantified[f]]));
        assert_eq!(manager.rename(left, cycle), Ok(functions[byte(&table(f).rename(&[1, 2, 0]))]));
        for (g, &right) in functions.iter().enumerate() {
            assert_eq!(manager.and(left, right), Ok(functions[f & g]));
            assert_eq!(manager.minus(left, right), Ok(functions[f & !g]));
            assert_eq!(manager.and_exists(left, right, set), Ok(functions[quantified[f & g]]));
        }
    }
}

#[test]
fn retaining_keeps_the_roots_and_reuses_the_other_ids() {
    each_manager(|manager, functions| {
        check_all_operations(manager, functions);
        let highest = functions.iter().max().expect("functions").number();
        let before = manager.stored_nodes();
        let numbers = [0x96, 0x17, 0xE8, 0x40];
        let roots = numbers.map(|number| functions[number]);
        manager.retain(&roots);
        assert!(manager.stored_nodes() < before);
        for (&number, &root) in numbers.iter().zip(&roots) {
            assert!(table(number).agrees(manager, root));
        }
        // Ids are given to other functions than before: memory must not speak of dropped ones.
        let complements = all_functions(manager, |number| 255 - number);
        let again: Vec<_> = complements.into_iter().rev().collect();
        assert!(numbers.iter().zip(&roots).all(|(&number, &root)| again[number] == root));
        assert!(again.iter().all(|f| f.number() <= highest) && again != functions);
        check_all_operations(manager, &again);
    });
}

#[test]
fn many_functions_at_once() {
    each_manager(|manager, functions| {
        let mut dice = Dice(7);
        for count in [0, 1, 2, 3, 5, 8] {
            let numbers: Vec<_> = (0..count).map(|_| dice.below(256)).collect();
            let chosen: Vec<_> = numbers.iter().map(|&number| functions[number]).collect();
            let (all, any) = (numbers.iter().fold(255, |f, g| f & g), numbers.iter().fold(0, |f, g| f | g));
            assert_eq!(ops::conjunction(manager, &chosen), Ok(functions[all]));
            assert_eq!(ops::disjunction(manager, &chosen), Ok(functions[any]));
        }
        let equal = ops::equal(manager, level(0), level(2));
        let difference = 0xAA ^ 0xF0;
        assert_eq!(equal, Ok(functions[!difference & 255]));
    });
}
