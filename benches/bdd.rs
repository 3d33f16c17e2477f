//! The BDD back ends against each other: `cargo bench --bench bdd`.
//!
//! Three profiles. `counter`: an n-bit counter is explored by relational products, a long chain of operations on
//! functions that grow. `random`: conjunction and quantification of random functions with some thousand nodes.
//! `small`: what the summary engine does to programs in practice, thousands of operations on functions of 3 to 10
//! variables, scattered over 6,000 levels. `start`: a manager and its first literal.

use boolero::bdd::{BackEnd, Bdd, Level, Manager, create, ops};
use boolero::ground::index::Index;
use boolero::ground::limits::Limits;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

fn manager(kind: BackEnd, levels: usize) -> Box<dyn Manager> {
    create(kind, levels, &Limits::none()).expect("not too many levels")
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

fn current(bit: usize) -> Level {
    Level::new(2 * bit)
}

fn next(bit: usize) -> Level {
    Level::new(2 * bit + 1)
}

/// The relation that adds one; bit 0 is the lowest.
fn increment(bdd: &mut dyn Manager, bits: usize) -> Bdd {
    let mut carry = bdd.constant(true);
    let mut parts = Vec::new();
    for bit in 0..bits {
        let (old, new) = (bdd.literal(current(bit), true).unwrap(), bdd.literal(next(bit), true).unwrap());
        let sum = bdd.xor(old, carry).unwrap();
        parts.push(ops::iff(bdd, new, sum).unwrap());
        carry = bdd.and(carry, old).unwrap();
    }
    ops::conjunction(bdd, &parts).unwrap()
}

/// Reachability from zero, one step at a time.
fn count(bdd: &mut dyn Manager, bits: usize) -> usize {
    let relation = increment(bdd, bits);
    let zero: Vec<_> = (0..bits).map(|bit| (current(bit), false)).collect();
    let set = bdd.level_set(&(0..bits).map(current).collect::<Vec<_>>());
    let back = bdd.renaming(&(0..bits).map(|bit| (next(bit), current(bit))).collect::<Vec<_>>());
    let mut reached = ops::cube(bdd, &zero).unwrap();
    let (mut frontier, mut steps) = (reached, 0);
    while frontier != bdd.constant(false) {
        let image = bdd.and_exists(frontier, relation, set).unwrap();
        let image = bdd.rename(image, back).unwrap();
        frontier = bdd.minus(image, reached).unwrap();
        reached = bdd.or(reached, frontier).unwrap();
        steps += 1;
    }
    steps
}

/// A random function of these variables: a sum of random cubes.
fn scattered(bdd: &mut dyn Manager, dice: &mut Dice, levels: &[Level], cubes: usize, width: usize) -> Bdd {
    let mut terms = Vec::new();
    for _ in 0..cubes {
        let mut literals: Vec<_> =
            (0..width).map(|_| (levels[dice.below(levels.len())], dice.below(2) == 1)).collect();
        literals.sort_unstable();
        literals.dedup_by_key(|literal| literal.0);
        terms.push(ops::cube(bdd, &literals).unwrap());
    }
    ops::disjunction(bdd, &terms).unwrap()
}

fn random(bdd: &mut dyn Manager) -> usize {
    let levels: Vec<_> = (0..24).map(Level::new).collect();
    let mut dice = Dice(5);
    let functions: Vec<_> = (0..6).map(|_| scattered(bdd, &mut dice, &levels, 14, 6)).collect();
    let set = bdd.level_set(&[3, 8, 13, 18, 22].map(Level::new));
    let mut nodes = 0;
    for (position, &f) in functions.iter().enumerate() {
        for &g in &functions[..position] {
            let product = bdd.and(f, g).unwrap();
            let image = bdd.exists(product, set).unwrap();
            nodes += bdd.size(image);
        }
    }
    nodes
}

/// Procedures of a few variables each: images, returns and summaries, all small and most of them different.
fn small(bdd: &mut dyn Manager, levels: usize) -> usize {
    let mut dice = Dice(9);
    let mut stored = 0;
    for procedure in 0..300 {
        let first = procedure * (levels / 300);
        let bits = 3 + dice.below(5);
        let now: Vec<_> = (0..bits).map(|bit| Level::new(first + 2 * bit)).collect();
        let then: Vec<_> = (0..bits).map(|bit| Level::new(first + 2 * bit + 1)).collect();
        let set = bdd.level_set(&now);
        let back: Vec<_> = then.iter().copied().zip(now.iter().copied()).collect();
        let back = bdd.renaming(&back);
        let both: Vec<_> = now.iter().chain(&then).copied().collect();
        let mut reached = scattered(bdd, &mut dice, &now, 1, bits);
        for _ in 0..6 {
            let relation = scattered(bdd, &mut dice, &both, 3, 4);
            let image = bdd.and_exists(reached, relation, set).unwrap();
            let image = bdd.rename(image, back).unwrap();
            let fresh = bdd.minus(image, reached).unwrap();
            reached = bdd.or(reached, fresh).unwrap();
            stored += fresh.number();
        }
    }
    stored
}

fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("bdd");
    for kind in BackEnd::ALL {
        let id = |name: &str| BenchmarkId::new(name, kind);
        group.bench_function(id("counter"), |b| b.iter(|| count(&mut *manager(kind, 24), 12)));
        group.bench_function(id("random"), |b| b.iter(|| random(&mut *manager(kind, 24))));
        group.bench_function(id("small"), |b| b.iter(|| small(&mut *manager(kind, 6000), 6000)));
        group.bench_function(id("start"), |b| {
            b.iter(|| manager(kind, 6000).literal(Level::new(0), true).unwrap())
        });
        group.bench_function(id("start-20000"), |b| {
            b.iter(|| manager(kind, 20_000).literal(Level::new(19_999), true).unwrap());
        });
    }
    group.finish();
}

criterion_group!(bdd, benches);
criterion_main!(bdd);
