//! The back end on `oxidd`.
//!
//! All functions share one table of nodes, so equality is a comparison of two numbers, and one cache. What has to
//! be worked around:
//!
//! - The table and the cache have a fixed capacity. They start small; when the table is full, garbage is
//!   collected, and if that does not give much the live functions move to a manager of twice the capacity. Beyond
//!   the memory limit (without one: the machine's memory) that ends with [`Stop::Memory`].
//! - Operations cannot be entered: limits are checked between them and whenever the table is full.
//!   The last resort is the watchdog of the process.
//! - Operations are recursive. On tall diagrams they run in the library's own thread, whose stack is large;
//!   handing over takes some microseconds, so that small functions stay in the caller's.
//! - `substitute` takes time and nodes for every level above the lowest one renamed: renaming is built
//!   from if-then-else instead.
//!
//! A new manager takes about a millisecond (two threads are started) and 4 MB, and some 200 bytes more for each
//! variable that is used: 5 MB for 20,000. Collecting garbage visits the whole cache and every variable,
//! about 2 ms then.

use super::interned::{Connective, Failure, Library};
use super::store::Store;
use super::substitution::Substitution;
use super::{Level, LevelSet, PlainNode};
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use ::oxidd::bdd::{BDDFunction, BDDManagerRef, new_manager};
use ::oxidd::util::{OutOfMemory, Ref};
use ::oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, HasLevel, HasWorkers, InnerNode,
    Manager, ManagerRef, Node, NodeID, WorkerPool,
};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

/// Nodes in the first table: several of the chunks in which the library hands out nodes.
const FIRST_CAPACITY: usize = 1 << 18;
/// Nodes for one entry of the cache.
const NODES_PER_CACHE_ENTRY: usize = 4;
/// Bytes for a node with its share of the tables, roughly.
const BYTES_PER_NODE: u64 = 40;
/// The library numbers nodes with 32 bits.
const MOST_NODES: u64 = (1 << 32) - 4;
/// How many levels an operation may descend on the caller's stack.
const SHALLOW: u32 = 2048;
/// Nodes built between two looks at the limits.
const SLICE: usize = 256;

/// The library, for a number of variables.
pub(super) struct Oxidd {
    variables: Variables,
    levels: u32,
    capacity: usize,
    limits: Limits,
    /// The conjunction of the variables of each set that was used.
    cubes: FxHashMap<LevelSet, BDDFunction>,
}

/// A function, and how many variables it has at most on a path.
pub(super) struct Measured {
    function: BDDFunction,
    height: u32,
}

impl PartialEq for Measured {
    fn eq(&self, other: &Self) -> bool {
        self.function == other.function
    }
}

impl Eq for Measured {}

impl Hash for Measured {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.hash(state);
    }
}

/// A manager with its variables.
fn start(capacity: usize, levels: u32) -> Variables {
    let manager = new_manager(capacity, capacity / NODES_PER_CACHE_ENTRY, 1);
    manager.with_manager_exclusive(|manager| manager.add_vars(levels));
    Variables { manager, known: FxHashMap::default() }
}

fn constant(manager: &BDDManagerRef, value: bool) -> BDDFunction {
    manager.with_manager_shared(|manager| match value {
        false => BDDFunction::f(manager),
        true => BDDFunction::t(manager),
    })
}

/// Collects garbage; how many nodes were dropped. The library collects by itself, too, when its table is nearly full,
/// and does nothing while it is at it: exclusive access waits for that to end.
fn collect(manager: &BDDManagerRef) -> usize {
    manager.with_manager_exclusive(|manager| manager.gc())
}

/// The memory of this machine in bytes, where the system tells.
fn machine_memory() -> Option<u64> {
    let information = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = information.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// Diagrams as one vector, children first.
struct Flat {
    nodes: Vec<PlainNode>,
    /// From the library's numbers of decision nodes to ours.
    numbers: FxHashMap<NodeID, usize>,
}

impl Flat {
    fn new() -> Self {
        // Room for most functions, so that the table does not grow in steps from nothing.
        Self {
            nodes: Vec::with_capacity(32),
            numbers: FxHashMap::with_capacity_and_hasher(32, FxBuildHasher),
        }
    }

    fn of(function: &BDDFunction) -> Vec<PlainNode> {
        let mut flat = Self::new();
        flat.add(function);
        flat.nodes
    }

    /// Adds the nodes of a function; returns the number of its root.
    fn add(&mut self, function: &BDDFunction) -> usize {
        function.with_manager_shared(|manager, root| {
            let falsity = BDDFunction::f(manager).as_edge(manager).node_id();
            let mut stack = vec![root];
            while let Some(&edge) = stack.last() {
                let number = |edge| self.number(manager, edge, falsity);
                let Node::Inner(node) = manager.get_node(edge) else { break };
                let [high, low] = [node.child(0), node.child(1)];
                match (number(edge), number(low), number(high)) {
                    (Some(_), _, _) => drop(stack.pop()),
                    (None, Some(low), Some(high)) => {
                        self.nodes.push(PlainNode { level: Level(node.level()), low, high });
                        self.numbers.insert(edge.node_id(), self.nodes.len() + 1);
                        stack.pop();
                    }
                    (None, low_number, high_number) => {
                        stack.extend(low_number.is_none().then_some(low));
                        stack.extend(high_number.is_none().then_some(high));
                    }
                }
            }
            self.number(manager, root, falsity).expect("the root was added")
        })
    }

    fn number<M: Manager>(&self, manager: &M, edge: Ref<'_, M::Edge>, falsity: NodeID) -> Option<usize> {
        match manager.get_node(edge) {
            Node::Inner(_) => self.numbers.get(&edge.node_id()).copied(),
            Node::Terminal(_) => Some(usize::from(edge.node_id() != falsity)),
        }
    }
}

/// The variables of a manager as functions, made when they are first needed.
struct Variables {
    manager: BDDManagerRef,
    known: FxHashMap<Level, BDDFunction>,
}

impl Variables {
    fn get(&mut self, level: Level) -> Result<&BDDFunction, Failure> {
        Ok(match self.known.entry(level) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(vacant) => {
                let made = self.manager.with_manager_shared(|manager| BDDFunction::var(manager, level.0));
                vacant.insert(made.map_err(full)?)
            }
        })
    }

    /// Builds functions from a vector of nodes, each variable through `rename`; the functions of all numbers.
    fn build(
        &mut self,
        nodes: &[PlainNode],
        rename: impl Fn(Level) -> Level,
        limits: &Limits,
    ) -> Result<Vec<BDDFunction>, Failure> {
        let mut built = Vec::with_capacity(nodes.len() + 2);
        built.extend([false, true].map(|value| constant(&self.manager, value)));
        for (position, node) in nodes.iter().enumerate() {
            if position % SLICE == SLICE - 1 {
                limits.spend(SLICE as u64)?;
            }
            let variable = self.get(rename(node.level))?;
            built.push(variable.ite(&built[node.high], &built[node.low]).map_err(full)?);
        }
        Ok(built)
    }
}

fn full(_: OutOfMemory) -> Failure {
    Failure::Full
}

/// Runs an operation that descends at most so many levels; its result has at most so many.
fn run(
    manager: &BDDManagerRef,
    depth: u32,
    operation: impl FnOnce() -> Result<BDDFunction, Failure> + Send,
) -> Result<Measured, Failure> {
    if depth <= SHALLOW {
        return Ok(Measured { function: operation()?, height: depth });
    }
    let function = manager.workers().install(operation)?;
    let mut levels: Vec<_> = Flat::of(&function).into_iter().map(|node| node.level).collect();
    levels.sort_unstable();
    levels.dedup();
    let height = u32::try_from(levels.len()).expect("no more than the variables");
    Ok(Measured { function, height })
}

impl Oxidd {
    /// The library for functions of this many variables.
    pub fn new(levels: usize, limits: &Limits) -> Result<Self, Stop> {
        Self::with_capacity(FIRST_CAPACITY, levels, limits)
    }

    /// With another capacity of the first table than the usual one.
    pub(super) fn with_capacity(capacity: usize, levels: usize, limits: &Limits) -> Result<Self, Stop> {
        let Ok(levels) = u32::try_from(levels) else {
            return Err(Stop::Bound("more than 2^32 BDD variables".into()));
        };
        let (variables, limits) = (start(capacity, levels), limits.clone());
        Ok(Self { variables, levels, capacity, limits, cubes: FxHashMap::default() })
    }

    fn manager(&self) -> &BDDManagerRef {
        &self.variables.manager
    }

    fn both(&self, f: &Measured, g: &Measured) -> u32 {
        f.height.saturating_add(g.height).min(self.levels)
    }

    fn cube(&mut self, (id, levels): (LevelSet, &[Level])) -> Result<BDDFunction, Failure> {
        if let Some(cube) = self.cubes.get(&id) {
            return Ok(cube.clone());
        }
        let mut cube = constant(self.manager(), true);
        for &level in levels.iter().rev() {
            cube = self.variables.get(level)?.and(&cube).map_err(full)?;
        }
        self.cubes.insert(id, cube.clone());
        Ok(cube)
    }

    /// The largest table that memory allows.
    fn most_nodes(&self) -> usize {
        let bytes = self.limits.memory().or_else(machine_memory).unwrap_or(u64::MAX);
        usize::try_from((bytes / BYTES_PER_NODE).min(MOST_NODES)).unwrap_or(usize::MAX)
    }

    /// Moves all functions to a manager of twice the capacity.
    fn grow(&mut self, store: &mut Store<Measured>) -> Result<(), Stop> {
        let capacity = (self.capacity * 2).min(self.most_nodes());
        if capacity <= self.capacity {
            return Err(Stop::Memory);
        }
        let mut variables = start(capacity, self.levels);
        let mut flat = Flat::new();
        let roots: Vec<_> = store.functions().map(|f| (flat.add(&f.function), f.height)).collect();
        let built = variables.build(&flat.nodes, |level| level, &self.limits);
        let built = built.map_err(|failure| match failure {
            Failure::Stopped(stop) => stop,
            Failure::Full => Stop::Memory,
        })?;
        let moved = |(root, height): (usize, u32)| Measured { function: built[root].clone(), height };
        store.replace(roots.into_iter().map(moved));
        (self.variables, self.capacity) = (variables, capacity);
        self.cubes.clear();
        Ok(())
    }
}

impl Library for Oxidd {
    type Function = Measured;
    const NAME: &'static str = "oxidd";

    fn constant(&self, value: bool) -> Measured {
        Measured { function: constant(self.manager(), value), height: 0 }
    }

    fn literal(&mut self, level: Level, positive: bool) -> Result<Measured, Failure> {
        let variable = self.variables.get(level)?;
        let function = if positive { variable.clone() } else { variable.not().map_err(full)? };
        Ok(Measured { function, height: 1 })
    }

    fn not(&self, f: &Measured) -> Result<Measured, Failure> {
        run(self.manager(), f.height, || f.function.not().map_err(full))
    }

    fn connect(&self, connective: Connective, f: &Measured, g: &Measured) -> Result<Measured, Failure> {
        let depth = self.both(f, g);
        let (f, g) = (&f.function, &g.function);
        let operation = || match connective {
            Connective::And => f.and(g),
            Connective::Or => f.or(g),
            Connective::Xor => f.xor(g),
            Connective::Minus => g.imp_strict(f),
        };
        run(self.manager(), depth, || operation().map_err(full))
    }

    fn exists(&mut self, f: &Measured, set: (LevelSet, &[Level])) -> Result<Measured, Failure> {
        let cube = self.cube(set)?;
        run(self.manager(), f.height, || f.function.exists(&cube).map_err(full))
    }

    fn and_exists(
        &mut self,
        f: &Measured,
        g: &Measured,
        set: (LevelSet, &[Level]),
    ) -> Result<Measured, Failure> {
        let cube = self.cube(set)?;
        let product = || f.function.apply_exists(BooleanOperator::And, &g.function, &cube);
        run(self.manager(), self.both(f, g), || product().map_err(full))
    }

    fn substitute(&mut self, f: &Measured, map: &Substitution) -> Result<Measured, Failure> {
        let (nodes, manager) = (Flat::of(&f.function), self.manager().clone());
        let (variables, limits) = (&mut self.variables, &self.limits);
        run(&manager, f.height, || {
            let mut built = variables.build(&nodes, |level| map.image(level), limits)?;
            Ok(built.pop().expect("the root is last"))
        })
    }

    fn descend(&self, f: &Measured, choose: &mut dyn FnMut(Level, bool) -> bool) -> bool {
        f.function.with_manager_shared(|manager, root| {
            let falsity = BDDFunction::f(manager);
            let falsity = falsity.as_edge(manager);
            let mut edge = root;
            while let Node::Inner(node) = manager.get_node(edge) {
                let (high, low) = (node.child(0), node.child(1));
                edge = if choose(Level(node.level()), low == falsity) { high } else { low };
            }
            edge != falsity
        })
    }

    fn nodes(&self, f: &Measured) -> Vec<PlainNode> {
        Flat::of(&f.function)
    }

    fn size(&self, f: &Measured) -> usize {
        Flat::of(&f.function).len()
    }

    fn own_nodes(_: &Measured) -> usize {
        0
    }

    fn shared_nodes(&self) -> usize {
        self.manager().with_manager_shared(|manager| manager.approx_num_inner_nodes())
    }

    fn collect_garbage(&mut self) {
        self.variables.known.clear();
        self.cubes.clear();
        collect(self.manager());
    }

    fn make_room(&mut self, store: &mut Store<Measured>, attempt: usize) -> Result<(), Stop> {
        if attempt == 0 {
            let collected = collect(self.manager());
            if collected >= self.capacity / 2 {
                return Ok(());
            }
        }
        self.grow(store)
    }
}
