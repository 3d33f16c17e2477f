//! Facts about programs, none of which changes the program [Bas10, 10.9 and appendix C].
//!
//! | module | fact |
//! |---|---|
//! | [`effects`] | what a step reads and writes |
//! | [`calls`] | who calls whom, strongly connected components, callees first |
//! | [`reach`] | which nodes can be reached, which procedures can return, which nodes matter |
//! | [`modref`] | which globals a procedure may read or write, its callees included |
//! | [`liveness`] | which variables may still be read |

pub mod calls;
pub mod effects;
pub mod liveness;
pub mod modref;
pub mod reach;
pub mod set;

#[cfg(test)]
pub(crate) mod samples;

#[cfg(test)]
mod tests;

use super::cfg::{NodeId, ProcedureId, VariableId};

/// A set of variables.
pub type VariableSet = set::IdSet<VariableId>;
/// A set of nodes.
pub type NodeSet = set::IdSet<NodeId>;
/// A set of procedures.
pub type ProcedureSet = set::IdSet<ProcedureId>;
