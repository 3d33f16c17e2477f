//! Tests of queries.

mod limits;
mod queries;
mod script;
mod translation;
