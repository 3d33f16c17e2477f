//! The program model: one control-flow automaton per procedure, whose edges carry terms.
//!
//! An edge is a block of C without loops: a guard and simultaneous updates, as terms over the state at its start, so
//! that temporaries have vanished. Calls, thread creation and atomic sections are edges of their own. A property sits
//! on an edge: taking the edge violates it.

pub mod blocks;
pub mod compose;
pub mod copies;
pub mod counting;
pub mod dot;
mod gap;
#[cfg(test)]
pub(crate) mod generate;
mod graph;
pub mod inline;
pub mod liveness;
pub mod lvalue;
pub mod names;
pub mod overlay;
mod own;
pub mod reads;
pub mod ready;
pub mod run;
pub mod slice;
pub mod smt;
pub mod split;
pub mod statistics;
pub mod tallies;
pub mod templates;
#[cfg(test)]
pub(crate) mod tests;
pub mod text;
pub mod types;
pub mod well_formed;

pub use crate::ground::assurance::{Asked, Assumption, Unasked};
pub use gap::Gap;
pub use graph::{loop_heads, prune};

use crate::ground::index::IndexVec;
use crate::ir::undefined::Fault;
use crate::ir::{DebugType, DebugTypeId, FileId, Place};
use crate::term::{Store, Symbol, Term};
use std::collections::BTreeSet;

crate::index_types! {
    /// A procedure.
    ProcedureId,
    /// A location of a procedure.
    LocationId,
    /// An edge of a procedure.
    EdgeId,
    /// A property.
    PropertyId,
    /// An object in memory with an address of its own: a global variable, an address-taken local variable, a string.
    ObjectId,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// All terms.
    pub store: Store,
    /// Width of addresses in bits.
    pub pointer_bits: u32,
    /// What is known of each symbol of the store.
    pub variables: IndexVec<Symbol, Variable>,
    /// Procedures.
    pub procedures: IndexVec<ProcedureId, Procedure>,
    /// Where execution starts: a procedure without parameters that initialises the globals and calls `main`.
    pub entry: ProcedureId,
    /// Properties.
    pub properties: IndexVec<PropertyId, Property>,
    /// Objects with addresses, in order of their addresses.
    pub objects: IndexVec<ObjectId, Object>,
    /// Source files.
    pub files: IndexVec<FileId, String>,
    /// Types of C, for names.
    pub types: IndexVec<DebugTypeId, DebugType>,
    /// What every verdict on this program rests on.
    pub assumptions: BTreeSet<Assumption>,
    /// Where checks that were asked for do not look: then the result is unknown.
    pub gaps: BTreeSet<Gap>,
    /// Counters that threads keep account of.
    pub tallies: Vec<tallies::Tally>,
    /// What was added to speak of the program, once it was not changed any more.
    pub overlay: overlay::Overlay,
}

/// What is known of a symbol.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// Where it lives.
    pub scope: Scope,
    /// Its type in C.
    pub ty: Option<DebugTypeId>,
    /// What it is for.
    pub role: Role,
}

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Everywhere, for the whole run.
    Global,
    /// In each activation of a procedure.
    Local(ProcedureId),
    /// In one edge: an arbitrary value each time the edge is taken.
    Input,
}

/// What a local variable holds when it begins again is an input; this stands before its name.
pub const INDETERMINATE: &str = "indeterminate ";

/// What memory holds after code from outside has changed it is an input; this stands before the name of the memory.
pub const CHANGED_OUTSIDE: &str = "changed outside ";

/// What a procedure that calls itself has in its variables after the return is an input where no copy of it is left; this stands
/// before its name.
pub const FORGOTTEN: &str = "forgotten in ";

/// The variable behind whose value memory is handed out at run time.
pub const MEMORY_END: &str = "<memory end>";

/// Where an input comes from that a cell of memory gets when its address was in use before.
pub const USED_AGAIN: &str = "uninitialised memory";

/// What a variable is for.
#[derive(Clone, PartialEq, Debug)]
pub enum Role {
    /// A variable of C, or a member or element of one that is a variable of its own (the name says which).
    Plain,
    /// A region of memory: an array of cells, by address. Cells of one byte if accesses of several sizes meet there.
    Memory,
    /// The value of an instruction that is used in another block.
    Temporary,
    /// Bookkeeping of ours: what is allocated, thread numbers, ….
    Ghost,
    /// Bookkeeping of ours: what a thread is about to access, and never does. Who sets it goes no further.
    Watch,
    /// Bookkeeping of ours that each thread has for itself: global in what the lowering makes, local once procedures are in
    /// place of their calls. It is zero when a thread starts.
    Own,
    /// An arbitrary value: which function or object it comes from, in the words of C.
    Input(String),
}

/// A procedure.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its name in C.
    pub name: String,
    /// Its parameters, which are local variables.
    pub parameters: Vec<Symbol>,
    /// The local variable that holds what it returns, at its exit.
    pub result: Option<Symbol>,
    /// All local variables, parameters and result included. They are arbitrary at entry, but for parameters.
    pub locals: Vec<Symbol>,
    /// Locations.
    pub locations: IndexVec<LocationId, Location>,
    /// Edges.
    pub edges: IndexVec<EdgeId, Edge>,
    /// Where it starts; no edge leads there.
    pub entry: LocationId,
    /// Where it returns; no edge leaves it.
    pub exit: LocationId,
    /// Where it is defined.
    pub place: Option<Place>,
}

/// A location.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Location {
    /// A label of C, or empty.
    pub label: String,
    /// The line of C that comes next.
    pub place: Option<Place>,
}

/// An edge.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// Where it starts.
    pub from: LocationId,
    /// Where it leads. Where the run ends (`abort`, a violated property), a location without edges.
    pub to: LocationId,
    /// What it does.
    pub action: Action,
    /// The property that taking it violates.
    pub property: Option<PropertyId>,
    /// The lines of C that it comes from, in order.
    pub places: Vec<Place>,
}

/// The text of an [`Action::Unsupported`] where the program says that control never gets: if it does, behaviour is undefined, and
/// clang has left out what came next.
pub const NEVER_REACHED: &str = "control gets where the program says it never does";

/// What an edge does.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// If the guard holds, all updates at once.
    Block(Block),
    /// Calls a procedure; the result goes to a variable.
    Call {
        /// Which one.
        procedure: ProcedureId,
        /// Its arguments.
        arguments: Vec<Term>,
        /// Where its result goes.
        result: Option<Symbol>,
    },
    /// Starts a thread that runs a procedure.
    Start {
        /// Which one.
        procedure: ProcedureId,
        /// Its arguments.
        arguments: Vec<Term>,
    },
    /// An atomic section starts; sections nest.
    AtomicBegin,
    /// An atomic section ends.
    AtomicEnd,
    /// The run ends, without a violation: `exit`, `abort`, a fault that is not checked.
    End,
    /// What is not modelled: a run that gets here has no verdict. The text completes "unsupported: …".
    Unsupported(String),
}

/// A guard and simultaneous updates, over the state at the start of the edge.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// When the edge can be taken.
    pub guard: Term,
    /// New values; every other variable keeps its own. No variable twice.
    pub updates: Vec<(Symbol, Term)>,
    /// Inputs that guard and updates mention, in the order in which C asks for them.
    pub inputs: Vec<Symbol>,
}

/// A property.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    /// `main.assert.1`, `open.bounds.3`.
    pub id: String,
    /// What kind it is.
    pub kind: PropertyKind,
    /// What is claimed, in C.
    pub text: String,
    /// Where.
    pub place: Option<Place>,
    /// The procedure that C claims it in.
    pub procedure: ProcedureId,
    /// The edges that violate it, with their procedures: several where that one was put in place of its calls.
    pub edges: Vec<(ProcedureId, EdgeId)>,
}

/// Kinds of properties.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PropertyKind {
    /// `assert`.
    Assertion,
    /// `reach_error`, `__VERIFIER_error`, `--error-function`, `--error-label`.
    ErrorReached,
    /// The absence of a fault.
    Fault(Fault),
}

impl PropertyKind {
    /// The word for it in ids of properties.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Assertion => "assert",
            Self::ErrorReached => "error",
            Self::Fault(fault) => fault.name(),
        }
    }
}

/// An object in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Object {
    /// What C calls it.
    pub name: String,
    /// Its address.
    pub base: u64,
    /// Its size in bytes.
    pub size: u64,
    /// Its type in C.
    pub ty: Option<DebugTypeId>,
}

impl Edge {
    /// The procedure whose variables it forgets, because it has called itself deeper than there are copies of it.
    #[must_use]
    pub fn forgets<'p>(&self, program: &'p Program) -> Option<&'p str> {
        let Action::Block(block) = &self.action else { return None };
        block.inputs.iter().find_map(|&input| match &program.variables[input].role {
            Role::Input(origin) => origin.strip_prefix(FORGOTTEN)?.split(": ").next(),
            _ => None,
        })
    }
}

impl Program {
    /// A place as `file:line`.
    #[must_use]
    pub fn place_text(&self, place: Place) -> String {
        format!("{}:{}", self.files[place.file], place.line)
    }

    /// Whether it starts threads.
    #[must_use]
    pub fn starts_threads(&self) -> bool {
        let mut edges = self.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        edges.any(|edge| matches!(edge.action, Action::Start { .. }))
    }

    /// Whether control may get where the program says it never does: nobody knows what stood there.
    #[must_use]
    pub fn leaves_code_out(&self) -> bool {
        let mut edges = self.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        edges.any(|edge| matches!(&edge.action, Action::Unsupported(what) if what == NEVER_REACHED))
    }
}
