//! What was reached when: the rings from which a counterexample is read back.
//!
//! Every set of path edges or entries that was reached is recorded with a stamp. Whatever stands in a ring was
//! reached from rings with smaller stamps, so a walk backwards ends. The two searches stamp differently:
//! the fixpoint by the order in which it expanded nodes, the shortest-path search by distance from the start.

use crate::bdd::Bdd;
use crate::boolean::cfg::{NodeId, ProcedureId, Program};
use crate::ground::index::IndexVec;
use std::collections::HashMap;

/// A set and when it was reached.
#[derive(Clone, Copy, Debug)]
pub struct Ring {
    /// When.
    pub stamp: u64,
    /// What.
    pub set: Bdd,
}

/// Summaries of one length, as the search by distance finds them.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The return.
    pub node: NodeId,
    /// The distance of the return.
    pub stamp: u64,
    /// The distance of the entry.
    pub entered: u64,
    /// The path edges at the return that were entered there.
    pub edges: Bdd,
    /// Their summaries.
    pub summaries: Bdd,
}

impl Piece {
    /// How many steps the callee takes.
    pub fn length(&self) -> u64 {
        self.stamp - self.entered
    }
}

/// A call at a distance that came back through a piece.
#[derive(Clone, Copy, Debug)]
pub struct Application {
    /// The call.
    pub call: NodeId,
    /// Its distance.
    pub stamp: u64,
    /// The piece.
    pub piece: Piece,
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
    /// The calls behind which a node was reached at a distance; the search by distance keeps them.
    pub applications: HashMap<(NodeId, u64), Vec<Application>>,
}

impl History {
    /// An empty history.
    pub fn new(program: &Program, stamps: Stamps) -> Self {
        let rings = IndexVec::filled(Vec::new(), program.nodes.len());
        let entries = IndexVec::filled(Vec::new(), program.procedures.len());
        Self { stamps, rings, entries, applications: HashMap::new() }
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
