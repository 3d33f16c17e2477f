//! Tests of queries.

mod floats;
mod limits;
mod queries;
mod script;
mod translation;

use super::{Kind, Solver};
use crate::ground::limits::Limits;

/// Solvers without limits, one for each mode that comes first.
fn solvers() -> [Solver; 2] {
    [Kind::Trial, Kind::Path].map(|kind| Solver::new(kind, &Limits::none()))
}
