//! What was reached when: the rings from which a counterexample is read back.
//!
//! Every set of path edges or entries that was reached is recorded with a stamp. Whatever stands in a ring was
//! reached from rings with smaller stamps, so a walk backwards ends. The two searches stamp differently:
//! the fixpoint by the order in which it expanded nodes, the shortest-path search by distance from the start.

use crate::bdd::Bdd;
use crate::boolean::cfg::{NodeId, ProcedureId, Program};
use crate::ground::index::IndexVec;

/// A set and when it was reached.
#[derive(Clone, Copy, Debug)]
pub struct Ring {
    /// When.
    pub stamp: u64,
    /// What.
    pub set: Bdd,
}

/// What stamps mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stamps {
    /// The order of expansion: what justifies a ring has a smaller stamp.
    Expansion,
    /// The number of steps from the start: what justifies a ring has the stamp less the steps between.
    Distance,
}

/// All rings of a search.
pub struct History {
    /// What stamps mean.
    pub stamps: Stamps,
    /// Path edges, by node, stamps ascending.
    pub rings: IndexVec<NodeId, Vec<Ring>>,
    /// Entry sets, by procedure, stamps ascending. The first ring of the program's entry is the start.
    pub entries: IndexVec<ProcedureId, Vec<Ring>>,
}

impl History {
    /// An empty history.
    pub fn new(program: &Program, stamps: Stamps) -> Self {
        let rings = IndexVec::filled(Vec::new(), program.nodes.len());
        let entries = IndexVec::filled(Vec::new(), program.procedures.len());
        Self { stamps, rings, entries }
    }

    /// The rings of a node before a stamp.
    pub fn earlier(&self, node: NodeId, stamp: u64) -> &[Ring] {
        let rings = &self.rings[node];
        &rings[..rings.partition_point(|ring| ring.stamp < stamp)]
    }

    /// The rings of a node with a stamp.
    pub fn at(&self, node: NodeId, stamp: u64) -> &[Ring] {
        let rings = &self.rings[node];
        let start = rings.partition_point(|ring| ring.stamp < stamp);
        let length = rings[start..].iter().take_while(|ring| ring.stamp == stamp).count();
        &rings[start..start + length]
    }

    /// Everything that must survive a collection of the manager.
    pub fn roots(&self) -> impl Iterator<Item = Bdd> {
        let rings = self.rings.iter().chain(self.entries.iter());
        rings.flatten().map(|ring| ring.set)
    }
}
