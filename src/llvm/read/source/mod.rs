//! C as text, before clang reads it, and names of other tools afterwards.
//!
//! | file | what |
//! |---|---|
//! | `words` | C as words, without comments; where items and statements end |
//! | `mend`, `hoist` | what gcc takes and clang refuses; functions that are declared too late |
//! | `cprover`, `dialect` | macros and names of CBMC and SATABS |
//! | `asynchronous` | `__CPROVER_ASYNC_n:`, statements that a new thread runs |
//! | `seeds` | `__CPROVER_predicate`: predicates to start with |

pub mod asynchronous;
pub mod cprover;
pub mod dialect;
pub mod hoist;
pub mod mend;
pub mod seeds;
pub mod words;
