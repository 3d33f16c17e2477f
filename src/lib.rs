//! Boolero checks Boolean programs and verifies concurrent C.
//!
//! [`verify`](fn@verify) is for C, [`check`](fn@check) for Boolean programs and nets; [`api`] has their inputs, options and
//! results. This program, which stands in `examples/library`, verifies a C file:
//!
//! ```standalone_crate
#![doc = include_str!("../examples/library/src/main.rs")]
//! ```
//!
//! A Boolean program is checked in the same way:
//!
//! ```
//! use boolero::{BooleanInput, CheckingOptions, SourceFile, Silent};
//!
//! let source = SourceFile::new("swap.bp", "decl a, b; void main() begin a, b := b, a; assert(a | b); end");
//! let input = BooleanInput::Program { source, options: Default::default(), properties: Vec::new() };
//! let found = boolero::check(&input, &CheckingOptions::default(), &mut Silent)?;
//! assert_eq!(found.overall().to_string(), "violated");
//! # Ok::<(), boolero::Refusal>(())
//! ```
//!
//! Limits on time and memory are part of the options; they take effect through a
//! [`Watchdog`](ground::limits::Watchdog).
//!
//! The modules stand in layers; each uses only the layers above it in the list below. [`map`] tells what each does, what always
//! holds and what is deliberately absent.

/// The map of the modules: the flow of data, the layers, what always holds.
// Keys of papers in brackets are no links.
#[allow(rustdoc::broken_intra_doc_links)]
#[doc = include_str!("ARCHITECTURE.md")]
pub mod map {}

pub mod ground;

pub mod bdd;
pub mod sat;
pub mod smt;
pub mod states;
pub mod term;

pub mod boolean;
pub mod ir;
pub mod path;
pub mod predicate;
pub mod program;
pub mod system;

pub mod checks;
pub mod library;

pub mod abstraction;
pub mod certify;
pub mod engine;
pub mod llvm;
pub mod lower;
pub mod refine;
pub mod simulate;
pub mod vm;

pub mod cegar;
pub mod checker;
pub mod report;

pub mod api;

pub mod drivers;

pub mod cli;

pub use api::{
    BooleanInput, Checked, CheckingOptions, Input, Observer, Options, Refusal, Verification, check, verify,
};
pub use ground::event::Silent;
pub use ground::source::SourceFile;
pub use ground::verdict::{Overall, Verdict};
