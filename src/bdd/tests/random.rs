//! Random expressions of a dozen variables: every back end against the full truth table, and the back ends
//! against each other in what they pick.

use super::*;

const VARIABLES: usize = 10;

/// A step of a random computation on numbered functions.
#[derive(Clone, Debug)]
pub(super) enum Step {
    And(usize, usize),
    Or(usize, usize),
    Xor(usize, usize),
    Minus(usize, usize),
    Not(usize),
    Exists(usize, usize),
    AndExists(usize, usize, usize),
    Rename(usize, Vec<usize>),
}

impl Step {
    fn random(dice: &mut Dice, functions: usize, variables: usize) -> Self {
        let (f, g) = (dice.below(functions), dice.below(functions));
        let set = dice.below(1 << variables) & dice.below(1 << variables);
        match dice.below(12) {
            0 => Self::And(f, g),
            1..3 => Self::Or(f, g),
            3..6 => Self::Xor(f, g),
            6 => Self::Minus(f, g),
            7 => Self::Not(f),
            8 => Self::Exists(f, set & dice.below(1 << variables)),
            9 => Self::AndExists(f, g, set),
            10 => Self::Rename(f, permutation(dice, variables)),
            _ => Self::Rename(f, (0..variables).map(|_| dice.below(variables)).collect()),
        }
    }

    fn on_tables(&self, tables: &[Table]) -> Table {
        match self {
            Self::And(f, g) => tables[*f].map(&tables[*g], |f, g| f && g),
            Self::Or(f, g) => tables[*f].map(&tables[*g], |f, g| f || g),
            Self::Xor(f, g) => tables[*f].map(&tables[*g], |f, g| f != g),
            Self::Minus(f, g) => tables[*f].map(&tables[*g], |f, g| f && !g),
            Self::Not(f) => tables[*f].map(&tables[*f], |f, _| !f),
            Self::Exists(f, set) => tables[*f].exists(*set),
            Self::AndExists(f, g, set) => tables[*f].map(&tables[*g], |f, g| f && g).exists(*set),
            Self::Rename(f, names) => tables[*f].rename(names),
        }
    }

    pub(super) fn on_functions(&self, manager: &mut dyn Manager, functions: &[Bdd]) -> Result<Bdd, Stop> {
        let levels = |set: usize| (0..usize::BITS as usize).filter(move |k| set >> k & 1 == 1).map(level);
        match self {
            Self::And(f, g) => manager.and(functions[*f], functions[*g]),
            Self::Or(f, g) => manager.or(functions[*f], functions[*g]),
            Self::Xor(f, g) => manager.xor(functions[*f], functions[*g]),
            Self::Minus(f, g) => manager.minus(functions[*f], functions[*g]),
            Self::Not(f) => manager.not(functions[*f]),
            Self::Exists(f, set) => {
                let set = manager.level_set(&levels(*set).collect::<Vec<_>>());
                manager.exists(functions[*f], set)
            }
            Self::AndExists(f, g, set) => {
                let set = manager.level_set(&levels(*set).collect::<Vec<_>>());
                manager.and_exists(functions[*f], functions[*g], set)
            }
            Self::Rename(f, names) => {
                let pairs: Vec<_> = names.iter().enumerate().map(|(k, &to)| (level(k), level(to))).collect();
                let renaming = manager.renaming(&pairs);
                manager.rename(functions[*f], renaming)
            }
        }
    }
}

fn permutation(dice: &mut Dice, variables: usize) -> Vec<usize> {
    let mut names: Vec<_> = (0..variables).collect();
    for position in (1..variables).rev() {
        names.swap(position, dice.below(position + 1));
    }
    names
}

/// Random steps, and the tables of the variables followed by those of the results.
pub(super) fn computation(seed: u64, variables: usize, length: usize) -> (Vec<Step>, Vec<Table>) {
    let mut dice = Dice(seed);
    let mut tables: Vec<_> = (0..variables).map(|k| Table::variable(variables, k)).collect();
    let mut steps = Vec::new();
    while steps.len() < length {
        let step = Step::random(&mut dice, tables.len(), variables);
        let table = step.on_tables(&tables);
        // Constants are absorbing: without this the functions would soon all be constant.
        if table.0.contains(&true) && table.0.contains(&false) {
            tables.push(table);
            steps.push(step);
        }
    }
    (steps, tables)
}

pub(super) fn variables(manager: &mut dyn Manager, count: usize) -> Result<Vec<Bdd>, Stop> {
    (0..count).map(|k| manager.literal(level(k), true)).collect()
}

#[test]
fn random_computations_agree_with_truth_tables() {
    for seed in 1..=12 {
        let (steps, tables) = computation(seed, VARIABLES, 60);
        let mut picks = Vec::new();
        for mut manager in managers(VARIABLES, &Limits::none()) {
            let mut functions = variables(&mut *manager, VARIABLES).expect("no limit");
            for step in &steps {
                let result = step.on_functions(&mut *manager, &functions).expect("no limit");
                assert!(
                    tables[functions.len()].agrees(&*manager, result),
                    "seed {seed}, {}, {step:?}",
                    manager.name()
                );
                functions.push(result);
            }
            for (f, left) in functions.iter().enumerate() {
                for (g, right) in functions.iter().enumerate() {
                    assert_eq!(left == right, tables[f] == tables[g]);
                }
            }
            let pick = |&f: &Bdd| (manager.pick(f), manager.support(f), manager.size(f));
            picks.push(functions.iter().map(pick).collect::<Vec<_>>());
        }
        assert!(picks.windows(2).all(|pair| pair[0] == pair[1]), "seed {seed}");
    }
}

#[test]
fn collecting_on_the_way_changes_nothing() {
    for seed in 21..=26 {
        let (steps, tables) = computation(seed, VARIABLES, 60);
        for mut manager in managers(VARIABLES, &Limits::none()) {
            let mut functions = variables(&mut *manager, VARIABLES).expect("no limit");
            for (position, step) in steps.iter().enumerate() {
                functions.push(step.on_functions(&mut *manager, &functions).expect("no limit"));
                if position % 7 == 0 {
                    manager.retain(&functions);
                }
            }
            let agree = |(table, &f): (&Table, &Bdd)| table.agrees(&*manager, f);
            assert!(tables.iter().zip(&functions).all(agree), "seed {seed}, {}", manager.name());
        }
    }
}
