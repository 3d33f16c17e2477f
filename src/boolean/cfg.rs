//! Boolean programs as control-flow graphs, with names resolved: what engines work on [Bas10, 3.1].
//!
//! Structured statements have become jumps: `if (e)` is a [`Op::Skip`] node with one successor per
//! branch, each beginning with an [`Op::Assume`]. `skip` and `goto` are [`Op::Skip`] with as many
//! successors as there are choices; every other operation has exactly one successor, except
//! [`Op::Return`] and [`Op::EndThread`], which have none. Every body ends in a return; where a
//! procedure that returns values falls off its end, the values are arbitrary (`*`).
//!
//! Initial values of locals are assignments at the entry, or arguments where other threads could tell the difference
//! (`check::initial`); initial values of globals are assignments at the entry of a procedure of our own, named `<start>`, which is there only if it is needed (initial
//! values, `init`, Getafix' `thread0` … `threadN`, several initial threads) and calls the entry procedure of the
//! source.

use super::expression;
use crate::ground::index::{Index, IndexVec};
use crate::ground::source::Span;
use crate::index_types;
use std::sync::Arc;

index_types! {
    /// A variable, global or local, unique in the program.
    VariableId,
    /// A procedure.
    ProcedureId,
    /// A node of a control-flow graph, unique in the program.
    NodeId,
    /// A property to check.
    PropertyId,
}

/// A program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// All variables; the globals come first.
    pub variables: IndexVec<VariableId, Variable>,
    /// How many of them are global.
    pub global_count: usize,
    /// The procedures.
    pub procedures: IndexVec<ProcedureId, Procedure>,
    /// All nodes; those of one procedure stand together.
    pub nodes: IndexVec<NodeId, Node>,
    /// The properties, in source order.
    pub properties: IndexVec<PropertyId, Property>,
    /// The procedure where the first thread starts; its parameters and locals are arbitrary.
    pub entry: ProcedureId,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The name in the source.
    pub name: Arc<str>,
    /// Where it lives.
    pub scope: Scope,
    /// Where it is declared.
    pub span: Span,
    /// It occurs with `$` somewhere: other threads read or write it, so no analysis may treat it as private.
    pub passive: bool,
}

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Shared by all threads; the position among the globals.
    Global(usize),
    /// In the frame of a procedure; the position among its locals.
    Local(ProcedureId, usize),
}

/// A procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Procedure {
    /// The name in the source.
    pub name: Arc<str>,
    /// Where it is defined.
    pub span: Span,
    /// All variables of its frame: first the parameters, then the locals.
    pub locals: Vec<VariableId>,
    /// How many of them are parameters.
    pub parameter_count: usize,
    /// How many values it returns.
    pub returns: usize,
    /// Holds in every state of the procedure: a thread whose top frame violates it does not exist.
    /// (Precisely: it can do no step, fail no assertion and be at no error label.)
    pub enforce: Option<Expression>,
    /// Its first node.
    pub entry: NodeId,
}

impl Procedure {
    /// The parameters.
    #[must_use]
    pub fn parameters(&self) -> &[VariableId] {
        &self.locals[..self.parameter_count]
    }
}

/// Which state a variable is read in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Time {
    /// The state before the step.
    Now,
    /// The state after the step: `'v`.
    Next,
}

/// Whose copy of a variable is meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Copy {
    /// The executing thread's.
    Own,
    /// A passive thread's: `v$`.
    Passive,
}

/// A variable in an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Read {
    /// The variable.
    pub variable: VariableId,
    /// Before or after the step.
    pub time: Time,
    /// Own or passive.
    pub copy: Copy,
}

impl Read {
    /// The executing thread's value before the step.
    #[must_use]
    pub fn now(variable: VariableId) -> Self {
        Self { variable, time: Time::Now, copy: Copy::Own }
    }

    /// The executing thread's value after the step.
    #[must_use]
    pub fn next(variable: VariableId) -> Self {
        Self { variable, time: Time::Next, copy: Copy::Own }
    }
}

/// An expression over variable ids.
pub type Expression = expression::Expression<Read>;

/// What an assignment writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Target {
    /// The variable.
    pub variable: VariableId,
    /// Own or passive.
    pub copy: Copy,
}

/// A node of a control-flow graph: one step of a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The procedure it belongs to.
    pub procedure: ProcedureId,
    /// What the step does.
    pub op: Op,
    /// Where control goes.
    pub successors: Vec<NodeId>,
    /// The source statement it comes from.
    pub span: Span,
    /// How it comes from it.
    pub origin: Origin,
    /// Properties "this node is never reached" (error labels).
    pub forbidden: Vec<PropertyId>,
    /// The labels of the source statement that lead to this node.
    pub labels: Vec<Arc<str>>,
}

/// How a node comes from the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It is the statement.
    Statement,
    /// It is the head of an `if` or `while`: the choice between the branches.
    Branch,
    /// It assumes that the condition of an `if` or `while` holds.
    Taken,
    /// It assumes that the condition does not hold.
    NotTaken,
    /// It initialises a local or global variable.
    Initial,
    /// It returns because the body ended.
    FallOff,
    /// It has no place in the source: it belongs to `<start>`, or draws what a call chooses.
    Start,
}

/// What a step does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// Nothing; control goes to any successor.
    Skip,
    /// Blocks unless the expression can be true.
    Assume(Expression),
    /// Violates the property if the expression can be false; goes on if it can be true.
    Assert(Expression, PropertyId),
    /// Parallel assignment; blocks unless the constraint can be true of old and new state.
    Assign {
        /// The variables, each at most once.
        targets: Vec<Target>,
        /// As many values, over `Time::Now` only.
        values: Vec<Expression>,
        /// The constraint.
        constrain: Option<Expression>,
    },
    /// Calls a procedure. Its locals that are no parameters are arbitrary.
    Call {
        /// The procedure.
        procedure: ProcedureId,
        /// As many values as it has parameters.
        arguments: Vec<Expression>,
        /// As many targets as it returns values; `None` drops the value.
        results: Vec<Option<VariableId>>,
    },
    /// Returns values to the caller; in the first frame of a thread it ends the thread.
    Return(Vec<Expression>),
    /// Starts a thread at a node of this procedure, with a copy of the locals as its only frame.
    StartLabel(NodeId),
    /// Starts a thread that runs a procedure; locals that are no parameters are arbitrary.
    StartThread {
        /// The procedure.
        procedure: ProcedureId,
        /// As many values as it has parameters.
        arguments: Vec<Expression>,
    },
    /// Ends the thread.
    EndThread,
    /// From here only this thread runs.
    AtomicBegin,
    /// From here every thread may run.
    AtomicEnd,
}

impl Op {
    /// Whether the operation is one of those only threads need.
    #[must_use]
    pub fn starts_thread(&self) -> bool {
        matches!(self, Self::StartLabel(_) | Self::StartThread { .. })
    }
}

/// A property to check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its id for people: `main.assert.1`, `main.label.SLIC_ERROR`.
    pub name: String,
    /// The node: the assertion, or the labelled node.
    pub node: NodeId,
    /// Which kind it is.
    pub kind: PropertyKind,
    /// Where it stands in the source.
    pub span: Span,
}

/// Which kind a property is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PropertyKind {
    /// The expression of an `assert` holds whenever it is reached.
    Assertion,
    /// The label is never reached.
    ErrorLabel(Arc<str>),
}

impl Program {
    /// Whether some thread may start another.
    #[must_use]
    pub fn starts_threads(&self) -> bool {
        self.nodes.iter().any(|node| node.op.starts_thread())
    }

    /// The global variables.
    pub fn globals(&self) -> impl DoubleEndedIterator<Item = VariableId> + ExactSizeIterator + use<> {
        (0..self.global_count).map(VariableId::new)
    }

    /// Whether a variable is global.
    #[must_use]
    pub fn is_global(&self, variable: VariableId) -> bool {
        variable.index() < self.global_count
    }

    /// Whether the source declares a variable: names of our own begin with `<`.
    #[must_use]
    pub fn is_of_the_source(&self, variable: VariableId) -> bool {
        !self.variables[variable].name.starts_with('<')
    }

    /// Whether a procedure is the `<start>` of our own.
    #[must_use]
    pub fn is_start(&self, procedure: ProcedureId) -> bool {
        procedure == self.entry && &*self.procedures[procedure].name == "<start>"
    }
}
