//! The back end on `biodivine-lib-bdd`.
//!
//! There a function is a vector of its nodes, children first, in the one order that its operations produce
//! (depth first, high branch before low): equal functions are equal vectors. There is no shared
//! table and no shared cache, which makes small operations cheap and lets everything be freed at once.
//!
//! The library can bound the size of a result (`binary_op_with_limit`), but a small result may take long, its
//! fused products take no bound, and a bound that was too low throws work away. Limits reach inside all the
//! same, without repeating anything: the library asks our operator for the result of every
//! pair of terminals it meets, thousands of times in a long operation, and there we count and look at the
//! limits. Once stopped, the operator answers false to everything, so the operation winds up in as many steps as its
//! stack is high, and its result is thrown away.

use super::interned::{Connective, Failure, Library};
use super::rebuild::Rebuild;
use super::store::Store;
use super::substitution::{Entry, Substitution};
use super::{Level, LevelSet, PlainNode};
use crate::ground::index::Index;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use biodivine_lib_bdd::{Bdd, BddNode, BddPointer, BddVariable, op_function};
use std::cell::{Cell, OnceCell};

/// The most variables the library can tell apart.
const MOST_LEVELS: usize = 65_534;

/// Steps between two looks at the limits: some ten microseconds.
const SLICE: u32 = 1024;

/// The library, for a number of variables.
pub(super) struct Biodivine {
    levels: u16,
    limits: Limits,
}

impl Biodivine {
    /// The library for functions of this many variables.
    pub fn new(levels: usize, limits: &Limits) -> Result<Self, Stop> {
        match u16::try_from(levels) {
            Ok(count) if levels <= MOST_LEVELS => Ok(Self { levels: count, limits: limits.clone() }),
            _ => Err(Stop::Bound(format!("more than {MOST_LEVELS} BDD variables; try --bdd oxidd"))),
        }
    }

    /// Runs an operation of the library that is made of guarded operators.
    fn interruptible(&self, operation: impl FnOnce(&Patience<'_>) -> Bdd) -> Result<Bdd, Failure> {
        let patience = Patience::new(&self.limits);
        let result = operation(&patience);
        patience.settle();
        patience.stop.into_inner().map_or(Ok(result), |stop| Err(stop.into()))
    }

    fn from_nodes(nodes: &[BddNode]) -> Bdd {
        Bdd::from_nodes(nodes).expect("a well-formed diagram")
    }

    fn terminals(&self) -> [BddNode; 2] {
        [BddNode::mk_zero(self.levels), BddNode::mk_one(self.levels)]
    }

    /// Renames by relabelling the nodes, if that keeps the order and joins no variables.
    fn relabel(&self, f: &Bdd, map: &Substitution) -> Option<Bdd> {
        if !map.is_injective() {
            return None;
        }
        let mut nodes = Vec::with_capacity(f.size());
        nodes.extend(self.terminals());
        for pointer in f.pointers().skip(2) {
            let level = level_of(f, pointer);
            let var = match map.entry(level) {
                None => f.var_of(pointer),
                Some(Entry::Renamed(to)) => variable(to),
                Some(Entry::Taken) => return None,
            };
            let (low_link, high_link) = (f.low_link_of(pointer), f.high_link_of(pointer));
            if nodes[low_link.to_index()].var <= var || nodes[high_link.to_index()].var <= var {
                return None;
            }
            nodes.push(BddNode { var, low_link, high_link });
        }
        Some(Self::from_nodes(&nodes))
    }

    /// Renames by building the function anew, from the bottom.
    fn rebuild(&self, f: &Bdd, map: &Substitution) -> Result<Bdd, Failure> {
        let mut rebuild = Rebuild::new(&self.limits);
        let mut numbers = vec![0, 1];
        for node in self.nodes(f) {
            let (low, high) = (numbers[node.low], numbers[node.high]);
            numbers.push(rebuild.branch(map.image(node.level), low, high)?);
        }
        let mut nodes = self.terminals().to_vec();
        match numbers[numbers.len() - 1] {
            0 => nodes.truncate(1),
            root => nodes.extend(rebuild.extract(root).iter().map(|node| BddNode {
                var: variable(node.level),
                low_link: BddPointer::from_index(node.low),
                high_link: BddPointer::from_index(node.high),
            })),
        }
        Ok(Self::from_nodes(&nodes))
    }
}

/// Counts the steps of one operation.
struct Patience<'a> {
    limits: &'a Limits,
    left: Cell<u32>,
    stop: OnceCell<Stop>,
}

impl<'a> Patience<'a> {
    fn new(limits: &'a Limits) -> Self {
        Self { limits, left: Cell::new(SLICE), stop: OnceCell::new() }
    }

    /// The operator, as long as the limits allow.
    fn guard(
        &self,
        operator: impl Fn(Option<bool>, Option<bool>) -> Option<bool>,
    ) -> impl Fn(Option<bool>, Option<bool>) -> Option<bool> {
        move |left, right| {
            let remaining = self.left.get();
            if remaining == 0 && !self.renew() {
                return Some(false);
            }
            self.left.set(self.left.get() - 1);
            operator(left, right)
        }
    }

    /// Counts the steps since the last look at the limits.
    fn settle(&self) {
        if let Err(stop) = self.limits.spend(u64::from(SLICE - self.left.get())) {
            let _ = self.stop.set(stop);
        }
    }

    #[cold]
    fn renew(&self) -> bool {
        if self.stop.get().is_none() {
            match self.limits.spend(u64::from(SLICE)) {
                Ok(()) => self.left.set(SLICE),
                Err(stop) => drop(self.stop.set(stop)),
            }
        }
        self.stop.get().is_none()
    }
}

fn variable(level: Level) -> BddVariable {
    BddVariable::from_index(level.index())
}

fn level_of(f: &Bdd, pointer: BddPointer) -> Level {
    Level::new(f.var_of(pointer).to_index())
}

fn member(levels: &[Level]) -> impl Fn(BddVariable) -> bool {
    |variable| levels.binary_search(&Level::new(variable.to_index())).is_ok()
}

/// Whether a function depends on one of the variables.
fn touches(f: &Bdd, levels: &[Level]) -> bool {
    let member = member(levels);
    f.pointers().skip(2).any(|pointer| member(f.var_of(pointer)))
}

impl Library for Biodivine {
    type Function = Bdd;
    const NAME: &'static str = "biodivine";

    fn constant(&self, value: bool) -> Bdd {
        Self::from_nodes(&self.terminals()[..1 + usize::from(value)])
    }

    fn literal(&mut self, level: Level, positive: bool) -> Result<Bdd, Failure> {
        let [zero, one] = self.terminals();
        let (low, high) = (BddPointer::from_bool(!positive), BddPointer::from_bool(positive));
        Ok(Self::from_nodes(&[zero, one, BddNode::mk_node(variable(level), low, high)]))
    }

    fn not(&self, f: &Bdd) -> Result<Bdd, Failure> {
        Ok(f.not())
    }

    fn connect(&self, connective: Connective, f: &Bdd, g: &Bdd) -> Result<Bdd, Failure> {
        self.interruptible(|patience| match connective {
            Connective::And => Bdd::binary_op(f, g, patience.guard(op_function::and)),
            Connective::Or => Bdd::binary_op(f, g, patience.guard(op_function::or)),
            Connective::Xor => Bdd::binary_op(f, g, patience.guard(op_function::xor)),
            Connective::Minus => Bdd::binary_op(f, g, patience.guard(op_function::and_not)),
        })
    }

    fn exists(&mut self, f: &Bdd, (_, levels): (LevelSet, &[Level])) -> Result<Bdd, Failure> {
        if !touches(f, levels) {
            return Ok(f.clone());
        }
        // f and f is f: the library has no unary operation with a quantifier.
        self.interruptible(|patience| {
            let (and, or) = (patience.guard(op_function::and), patience.guard(op_function::or));
            Bdd::binary_op_nested(f, f, member(levels), and, or)
        })
    }

    fn and_exists(&mut self, f: &Bdd, g: &Bdd, (_, levels): (LevelSet, &[Level])) -> Result<Bdd, Failure> {
        if !touches(f, levels) && !touches(g, levels) {
            return self.connect(Connective::And, f, g);
        }
        self.interruptible(|patience| {
            let (and, or) = (patience.guard(op_function::and), patience.guard(op_function::or));
            Bdd::binary_op_nested(f, g, member(levels), and, or)
        })
    }

    fn substitute(&mut self, f: &Bdd, map: &Substitution) -> Result<Bdd, Failure> {
        self.relabel(f, map).map_or_else(|| self.rebuild(f, map), Ok)
    }

    fn descend(&self, f: &Bdd, choose: &mut dyn FnMut(Level, bool) -> bool) -> bool {
        let mut pointer = f.root_pointer();
        while !pointer.is_terminal() {
            let (low, high) = (f.low_link_of(pointer), f.high_link_of(pointer));
            pointer = if choose(level_of(f, pointer), low.is_zero()) { high } else { low };
        }
        pointer.is_one()
    }

    fn nodes(&self, f: &Bdd) -> Vec<PlainNode> {
        let plain = |pointer| PlainNode {
            level: level_of(f, pointer),
            low: f.low_link_of(pointer).to_index(),
            high: f.high_link_of(pointer).to_index(),
        };
        f.pointers().skip(2).map(plain).collect()
    }

    fn size(&self, f: &Bdd) -> usize {
        f.size() - 2
    }

    fn own_nodes(f: &Bdd) -> usize {
        f.size()
    }

    fn shared_nodes(&self) -> usize {
        0
    }

    fn collect_garbage(&mut self) {}

    fn make_room(&mut self, _: &mut Store<Bdd>, _: usize) -> Result<(), Stop> {
        Err(Stop::Memory)
    }
}
