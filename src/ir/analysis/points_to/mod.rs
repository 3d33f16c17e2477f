//! Which object an address may point to, and how memory is cut into regions.
//!
//! A unification-based analysis with fields, in the spirit of Steensgaard (1996) and of the data structure analysis of
//! Lattner and Adve (2007): neither the order of instructions nor the caller matters, the time is close to linear.
//! `graph` holds nodes and cells. An `Analysis` builds it: `state` has its parts, `constraints` and `memory` read instructions, `calls`
//! binds calls, `outside` goes on until nothing changes. `layout` keeps copied objects in step, `indexed` keeps arrays apart from the structs that they are in, and `unset` invents what uninitialised
//! pointers point to. The others ask a finished analysis: `regions` cuts the graph, `escape` says what only one thread gets at,
//! `once` which functions run at most once, `single` which objects of the heap exist at most once,
//! `kept` who may have the address of a local variable that has ended, `observed` (with `shifting`) where the number of an address
//! is looked at, `forged` where an address is made of numbers.
//!
//! The promise: two accesses that may touch a common byte are in the same region. It holds for programs without
//! accesses outside the bounds of their objects, which are faults. An address may be kept in integers, unions and
//! copies; where its number goes through arithmetic that is not followed, the object is *exposed*, and an address
//! made of numbers that are not followed may point to every exposed object (as in the provenance model PNVI).

mod analyse;
mod calls;
mod constraints;
mod escape;
mod external;
mod forged;
mod graph;
mod indexed;
mod kept;
mod layout;
mod memory;
mod names;
mod observed;
mod once;
mod outside;
mod regions;
mod shifting;
mod single;
mod solution;
mod state;
mod threads;
mod unset;
mod uses;

#[cfg(test)]
mod tests;

pub use external::{ASSEMBLY, External};
pub use kept::Kept;
pub use once::in_loops;
pub use solution::{
    Access, Callees, Multiplicity, ObjectCell, Observation, Piece, Placement, PointsTo, Region, Sides,
    Transfer,
};

use crate::ir::{BlockId, FunctionId, GlobalId, ValueId};

crate::index_types! {
    /// A region of memory: what one variable of the program model holds.
    RegionId,
}

/// An instruction: function, block, number in the block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// The function.
    pub function: FunctionId,
    /// The block.
    pub block: BlockId,
    /// The number of the instruction in the block.
    pub number: usize,
}

/// Where an object comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    /// A global variable.
    Global(GlobalId),
    /// The result of an `Allocate`.
    Local(FunctionId, ValueId),
    /// The copy of a struct that is passed by value: the number of the parameter.
    Copy(FunctionId, usize),
    /// The arguments behind `...`, in each activation.
    Arguments(FunctionId),
    /// What an allocation function returns there.
    Heap(Site),
    /// What comes from outside: a declared function returned it, or an integer was made an address.
    Outside,
    /// What an uninitialised pointer points to, by number.
    Unset(usize),
}

/// What becomes of a struct with an array that is indexed by a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Members {
    /// Where possible only the array is held by address. That is right only if indices stay within such arrays: [`PointsTo::indexed`] has
    /// those for which this must be checked.
    Apart,
    /// All of it is held by address, and an index may go from one member to another.
    Together,
}

/// How a region is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionKind {
    /// One place of one object that exists at most once at a time (or once per activation, and is then never seen by
    /// another activation): a plain variable of so many bits.
    Scalar {
        /// The object.
        origin: Origin,
        /// Offset in bytes.
        offset: u64,
        /// Width.
        bits: u32,
    },
    /// Cells of so many bits, by address, only ever accessed as such and never partly.
    Cells {
        /// Width.
        bits: u32,
    },
    /// Bytes, by address.
    Bytes,
}
