//! Building a diagram anew in another order of variables.
//!
//! A renaming that changes the order is done node by node, from the bottom: the renamed node for
//! variable x with branches l and h is "if x then h else l", where the renamed l and h may start with
//! variables above x. Pushing x down to its place is a recursion over both branches at once, with a table of
//! nodes and a table of results shared by the whole renaming. It is right for every simultaneous
//! substitution of variables, cyclic ones and ones that join variables included: the branches are renamed
//! before x is looked at.

use super::{Level, PlainNode};
use crate::ground::index::Index;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use rustc_hash::FxHashMap;

/// Steps between two looks at the limits.
const SLICE: usize = 1024;

/// A table of nodes under construction. Nodes are numbered; 0 and 1 are the terminals.
pub(super) struct Rebuild<'a> {
    limits: &'a Limits,
    nodes: Vec<Branch>,
    /// The number of each node.
    numbers: FxHashMap<Branch, usize>,
    /// The number of what each branch came to.
    branches: FxHashMap<Branch, usize>,
    steps: usize,
}

/// If the variable then high else low. As a node it stands in order; before that, it need not.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Branch {
    level: u32,
    low: usize,
    high: usize,
}

/// One step of the recursion.
enum Step {
    Done(usize),
    /// The branches to be decided first, below a node for this variable.
    Below(u32, [Branch; 2]),
}

/// The level of the terminals, below all others.
const BOTTOM: u32 = u32::MAX;

impl<'a> Rebuild<'a> {
    /// An empty table.
    pub fn new(limits: &'a Limits) -> Self {
        let terminal = |number| Branch { level: BOTTOM, low: number, high: number };
        let nodes = vec![terminal(0), terminal(1)];
        Self { limits, nodes, numbers: FxHashMap::default(), branches: FxHashMap::default(), steps: 0 }
    }

    /// The number of "if the variable then high else low".
    pub fn branch(&mut self, level: Level, low: usize, high: usize) -> Result<usize, Stop> {
        let goal = Branch { level: level.0, low, high };
        let mut stack = vec![goal];
        while let Some(&branch) = stack.last() {
            self.tick()?;
            match self.step(branch) {
                Step::Done(number) => {
                    self.branches.insert(branch, number);
                    stack.pop();
                }
                Step::Below(level, below) => match below.map(|below| self.branches.get(&below).copied()) {
                    [Some(low), Some(high)] => {
                        let number = self.node(Branch { level, low, high });
                        self.branches.insert(branch, number);
                        stack.pop();
                    }
                    known => {
                        stack.extend(known.iter().zip(below).filter(|(k, _)| k.is_none()).map(|(_, b)| b))
                    }
                },
            }
        }
        Ok(self.branches[&goal])
    }

    fn step(&mut self, Branch { level, low, high }: Branch) -> Step {
        if low == high {
            return Step::Done(low);
        }
        let top = self.nodes[low].level.min(self.nodes[high].level);
        if level <= top {
            let (low, high) = (self.cofactors(low, level).0, self.cofactors(high, level).1);
            return Step::Done(self.node(Branch { level, low, high }));
        }
        let ((low_low, low_high), (high_low, high_high)) =
            (self.cofactors(low, top), self.cofactors(high, top));
        let when_low = Branch { level, low: low_low, high: high_low };
        let when_high = Branch { level, low: low_high, high: high_high };
        Step::Below(top, [when_low, when_high])
    }

    /// The branches of a function for a variable that is not below its top.
    fn cofactors(&self, number: usize, level: u32) -> (usize, usize) {
        let node = self.nodes[number];
        if node.level == level { (node.low, node.high) } else { (number, number) }
    }

    fn node(&mut self, node: Branch) -> usize {
        if node.low == node.high {
            return node.low;
        }
        *self.numbers.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }

    fn tick(&mut self) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps.is_multiple_of(SLICE) { self.limits.spend(SLICE as u64) } else { Ok(()) }
    }

    /// The diagram below a node, children first, the high branch before the low one.
    pub fn extract(&self, root: usize) -> Vec<PlainNode> {
        let mut positions: FxHashMap<usize, usize> = FxHashMap::from_iter([(0, 0), (1, 1)]);
        let mut plain = Vec::new();
        let mut stack = vec![root];
        while let Some(&number) = stack.last() {
            if positions.contains_key(&number) {
                stack.pop();
                continue;
            }
            let Branch { level, low, high } = self.nodes[number];
            match (positions.get(&low), positions.get(&high)) {
                (Some(&low), Some(&high)) => {
                    plain.push(PlainNode { level: Level::new(level as usize), low, high });
                    positions.insert(number, plain.len() + 1);
                    stack.pop();
                }
                (low_known, high_known) => {
                    stack.extend(low_known.is_none().then_some(low));
                    stack.extend(high_known.is_none().then_some(high));
                }
            }
        }
        plain
    }
}
