//! Boolero checks Boolean programs and verifies concurrent C.
//!
//! The modules stand in layers; each uses only the layers above it in this list.
//! `src/ARCHITECTURE.md` is the map.

pub mod ground;

pub mod bdd;
pub mod smt;
pub mod term;

pub mod boolean;
pub mod ir;
pub mod predicate;
pub mod program;
pub mod system;
pub mod trace;

pub mod abstraction;
pub mod certify;
pub mod engine;
pub mod llvm;
pub mod refine;
pub mod simulate;
pub mod vm;

pub mod cegar;
pub mod checker;
pub mod cli;
pub mod report;
