//! A [`Manager`] from a BDD library: ids, memory of results, simple cases.
//!
//! What the two back ends have in common. An operation on ids is answered, in this order, by a law (f and f
//! is f), from memory, or by the library. Only results of the library that are complete are
//! remembered. Memory is exact and forgotten at once when it gets large: a result that took long must not be lost to
//! a collision, as it would in the usual lossy caches.

use super::store::{FALSE, Kept, Store, TRUE, constant};
use super::substitution::Substitution;
use super::{Bdd, Level, LevelSet, Manager, PlainNode, Renaming};
use crate::ground::index::Index;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::Hash;

/// Results remembered at most: about 100 MB.
const MEMORY: usize = 1 << 22;

/// What an operation costs, besides its steps, in units of work ([`Limits::spend`]).
const OPERATION: u64 = 32;
/// So many nodes are copied and hashed in the time of one unit.
const NODES: u64 = 4;

/// Why a library did not deliver.
pub(super) enum Failure {
    /// A limit was reached.
    Stopped(Stop),
    /// The library's own storage is full; [`Library::make_room`] may help.
    Full,
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// A binary connective.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Connective {
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Exclusive or.
    Xor,
    /// Conjunction with the negation of the second operand.
    Minus,
}

/// What a BDD library has to offer. Its functions are canonical: equal functions are equal values.
pub(super) trait Library {
    /// A Boolean function.
    type Function: Eq + Hash;
    /// The name on the command line.
    const NAME: &'static str;

    /// A constant.
    fn constant(&self, value: bool) -> Self::Function;
    /// A variable or its negation.
    fn literal(&mut self, level: Level, positive: bool) -> Result<Self::Function, Failure>;
    /// Negation.
    fn not(&self, f: &Self::Function) -> Result<Self::Function, Failure>;
    /// A binary operation; no operand is constant.
    fn connect(
        &self,
        connective: Connective,
        f: &Self::Function,
        g: &Self::Function,
    ) -> Result<Self::Function, Failure>;
    /// Existential quantification over a sorted set; no operand is constant.
    fn exists(&mut self, f: &Self::Function, set: (LevelSet, &[Level])) -> Result<Self::Function, Failure>;
    /// The relational product over a sorted set; no operand is constant.
    fn and_exists(
        &mut self,
        f: &Self::Function,
        g: &Self::Function,
        set: (LevelSet, &[Level]),
    ) -> Result<Self::Function, Failure>;
    /// Simultaneous renaming of a function that is not constant.
    fn substitute(&mut self, f: &Self::Function, map: &Substitution) -> Result<Self::Function, Failure>;

    /// Walks from the root to a terminal and returns its value. At each node, given its variable and
    /// whether its low branch is the constant false, `choose` says whether to take the high branch.
    fn descend(&self, f: &Self::Function, choose: &mut dyn FnMut(Level, bool) -> bool) -> bool;
    /// The decision nodes, the root last.
    fn nodes(&self, f: &Self::Function) -> Vec<PlainNode>;
    /// How many decision nodes there are.
    fn size(&self, f: &Self::Function) -> usize;

    /// How many nodes the function owns alone.
    fn own_nodes(f: &Self::Function) -> usize;
    /// How many nodes are shared by all functions.
    fn shared_nodes(&self) -> usize;
    /// Called when functions were dropped.
    fn collect_garbage(&mut self);
    /// Called after [`Failure::Full`], with how often it already was in this operation. May replace the
    /// functions by equal ones.
    fn make_room(&mut self, store: &mut Store<Self::Function>, attempt: usize) -> Result<(), Stop>;
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    Not,
    Connect(Connective),
    Exists(LevelSet),
    AndExists(LevelSet),
    Rename(Renaming),
}

/// An operation on its operands; a unary one has the same operand twice.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    operation: Operation,
    left: Bdd,
    right: Bdd,
}

impl Key {
    fn kept(&self, kept: &Kept) -> bool {
        kept.contains(self.left) && kept.contains(self.right)
    }
}

/// What a law says about an operation.
enum Law {
    /// The result.
    Is(Bdd),
    /// The result is the negation of this.
    IsNot(Bdd),
    /// Nothing.
    Silent,
}

/// The manager on top of a library.
pub(super) struct Interned<L: Library> {
    library: L,
    limits: Limits,
    store: Store<L::Function>,
    own_nodes: usize,
    memory: FxHashMap<Key, Bdd>,
    literals: FxHashMap<(Level, bool), Bdd>,
    sets: IndexSet<Box<[Level]>, FxBuildHasher>,
    renamings: IndexSet<Substitution, FxBuildHasher>,
}

impl<L: Library> Interned<L> {
    /// A manager with the constants only.
    pub fn new(library: L, limits: &Limits) -> Self {
        let store = Store::new(library.constant(false), library.constant(true));
        Self {
            library,
            limits: limits.clone(),
            store,
            own_nodes: 0,
            memory: FxHashMap::default(),
            literals: FxHashMap::default(),
            sets: IndexSet::default(),
            renamings: IndexSet::default(),
        }
    }

    fn connect(&mut self, connective: Connective, f: Bdd, g: Bdd) -> Result<Bdd, Stop> {
        match law(connective, f, g) {
            Law::Is(result) => return Ok(result),
            Law::IsNot(h) => return self.not(h),
            Law::Silent => {}
        }
        let (left, right) = if connective == Connective::Minus || f < g { (f, g) } else { (g, f) };
        self.perform(Key { operation: Operation::Connect(connective), left, right })
    }

    fn perform(&mut self, key: Key) -> Result<Bdd, Stop> {
        if let Some(&known) = self.memory.get(&key) {
            return Ok(known);
        }
        let result = self.produce(|manager| manager.compute(key))?;
        self.remember(key, result);
        Ok(result)
    }

    /// Has the library make a function, with more room if it asks for it, and interns it.
    fn produce(&mut self, compute: impl Fn(&mut Self) -> Result<L::Function, Failure>) -> Result<Bdd, Stop> {
        for attempt in 0.. {
            self.limits.spend(OPERATION)?;
            match compute(self) {
                Ok(function) => return self.intern(function),
                Err(Failure::Stopped(stop)) => return Err(stop),
                Err(Failure::Full) => self.library.make_room(&mut self.store, attempt)?,
            }
        }
        Err(Stop::Memory)
    }

    fn intern(&mut self, function: L::Function) -> Result<Bdd, Stop> {
        let nodes = L::own_nodes(&function);
        self.limits.spend(nodes as u64 / NODES)?;
        let (id, added) = self.store.intern(function);
        self.own_nodes += if added { nodes } else { 0 };
        Ok(id)
    }

    fn compute(&mut self, key: Key) -> Result<L::Function, Failure> {
        let (f, g) = (self.store.get(key.left), self.store.get(key.right));
        match key.operation {
            Operation::Not => self.library.not(f),
            Operation::Connect(connective) => self.library.connect(connective, f, g),
            Operation::Exists(set) => self.library.exists(f, (set, &self.sets[set.index()])),
            Operation::AndExists(set) => self.library.and_exists(f, g, (set, &self.sets[set.index()])),
            Operation::Rename(renaming) => self.library.substitute(f, &self.renamings[renaming.index()]),
        }
    }

    fn remember(&mut self, key: Key, result: Bdd) {
        if self.memory.len() >= MEMORY {
            self.memory.clear();
        }
        self.memory.insert(key, result);
    }
}

/// The cases that need no library.
fn law(connective: Connective, f: Bdd, g: Bdd) -> Law {
    use Connective::{And, Minus, Or, Xor};
    match (connective, f, g) {
        (And | Or, _, _) if f == g => Law::Is(f),
        (Xor | Minus, _, _) if f == g => Law::Is(FALSE),
        (And, FALSE, _) | (And, _, FALSE) => Law::Is(FALSE),
        (And, TRUE, h) | (And, h, TRUE) => Law::Is(h),
        (Or, TRUE, _) | (Or, _, TRUE) => Law::Is(TRUE),
        (Or | Xor, FALSE, h) | (Or | Xor, h, FALSE) => Law::Is(h),
        (Xor, TRUE, h) | (Xor, h, TRUE) => Law::IsNot(h),
        (Minus, FALSE, _) | (Minus, _, TRUE) => Law::Is(FALSE),
        (Minus, h, FALSE) => Law::Is(h),
        (Minus, TRUE, h) => Law::IsNot(h),
        _ => Law::Silent,
    }
}

fn is_constant(f: Bdd) -> bool {
    f == FALSE || f == TRUE
}

impl<L: Library> Manager for Interned<L> {
    fn name(&self) -> &'static str {
        L::NAME
    }

    fn constant(&self, value: bool) -> Bdd {
        constant(value)
    }

    fn literal(&mut self, level: Level, positive: bool) -> Result<Bdd, Stop> {
        if let Some(&known) = self.literals.get(&(level, positive)) {
            return Ok(known);
        }
        let literal = self.produce(|manager| manager.library.literal(level, positive))?;
        self.literals.insert((level, positive), literal);
        Ok(literal)
    }

    fn not(&mut self, f: Bdd) -> Result<Bdd, Stop> {
        if is_constant(f) {
            return Ok(constant(f == FALSE));
        }
        let operation = Operation::Not;
        let result = self.perform(Key { operation, left: f, right: f })?;
        self.remember(Key { operation, left: result, right: result }, f);
        Ok(result)
    }

    fn and(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Stop> {
        self.connect(Connective::And, f, g)
    }

    fn or(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Stop> {
        self.connect(Connective::Or, f, g)
    }

    fn xor(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Stop> {
        self.connect(Connective::Xor, f, g)
    }

    fn minus(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Stop> {
        self.connect(Connective::Minus, f, g)
    }

    fn level_set(&mut self, levels: &[Level]) -> LevelSet {
        let mut levels = levels.to_vec();
        levels.sort_unstable();
        levels.dedup();
        LevelSet::new(self.sets.insert_full(levels.into()).0)
    }

    fn exists(&mut self, f: Bdd, levels: LevelSet) -> Result<Bdd, Stop> {
        if is_constant(f) || self.sets[levels.index()].is_empty() {
            return Ok(f);
        }
        self.perform(Key { operation: Operation::Exists(levels), left: f, right: f })
    }

    fn and_exists(&mut self, f: Bdd, g: Bdd, levels: LevelSet) -> Result<Bdd, Stop> {
        if self.sets[levels.index()].is_empty() {
            return self.and(f, g);
        }
        match law(Connective::And, f, g) {
            Law::Is(h) => return self.exists(h, levels),
            Law::IsNot(_) | Law::Silent => {}
        }
        let (left, right) = if f < g { (f, g) } else { (g, f) };
        self.perform(Key { operation: Operation::AndExists(levels), left, right })
    }

    fn renaming(&mut self, pairs: &[(Level, Level)]) -> Renaming {
        Renaming::new(self.renamings.insert_full(Substitution::new(pairs)).0)
    }

    fn rename(&mut self, f: Bdd, renaming: Renaming) -> Result<Bdd, Stop> {
        if is_constant(f) || self.renamings[renaming.index()].is_identity() {
            return Ok(f);
        }
        self.perform(Key { operation: Operation::Rename(renaming), left: f, right: f })
    }

    fn evaluate(&self, f: Bdd, assignment: &dyn Fn(Level) -> bool) -> bool {
        self.library.descend(self.store.get(f), &mut |level, _| assignment(level))
    }

    fn pick(&self, f: Bdd) -> Option<Vec<(Level, bool)>> {
        let mut path = Vec::new();
        let satisfied = self.library.descend(self.store.get(f), &mut |level, low_is_false| {
            path.push((level, low_is_false));
            low_is_false
        });
        satisfied.then_some(path)
    }

    fn support(&self, f: Bdd) -> Vec<Level> {
        let mut levels: Vec<_> =
            self.library.nodes(self.store.get(f)).into_iter().map(|node| node.level).collect();
        levels.sort_unstable();
        levels.dedup();
        levels
    }

    fn nodes(&self, f: Bdd) -> Vec<PlainNode> {
        self.library.nodes(self.store.get(f))
    }

    fn size(&self, f: Bdd) -> usize {
        if is_constant(f) { 1 } else { self.library.size(self.store.get(f)) + 2 }
    }

    fn count(&self, f: Bdd, variables: usize) -> f64 {
        let mut density = vec![0.0, 1.0];
        for node in self.library.nodes(self.store.get(f)) {
            density.push((density[node.low] + density[node.high]) / 2.0);
        }
        let root = if f == FALSE { 0.0 } else { density[density.len() - 1] };
        let doublings = i32::try_from(variables).unwrap_or(i32::MAX);
        if root == 0.0 { 0.0 } else { root * 2f64.powi(doublings) }
    }

    fn retain(&mut self, roots: &[Bdd]) {
        let (kept, dropped) = self.store.retain(roots, L::own_nodes);
        self.own_nodes -= dropped;
        self.memory.retain(|key, result| key.kept(&kept) && kept.contains(*result));
        self.literals.retain(|_, literal| kept.contains(*literal));
        self.library.collect_garbage();
    }

    fn stored_nodes(&self) -> usize {
        self.own_nodes + self.library.shared_nodes()
    }
}
