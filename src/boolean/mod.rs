//! Boolean programs: syntax, semantics and analyses.
//!
//! ```text
//! text --parse--> ast::Program --check--> cfg::Program --reduce--> cfg::Program
//!        <-print--
//! ```
//! [`interpret`] is the reference semantics of a [`cfg::Program`]. Nothing here knows of C, LLVM, SMT.

pub mod ast;
pub mod cfg;
pub mod cfg_text;
pub mod check;
pub mod dataflow;
pub mod dot;
pub mod expression;
pub mod expression_text;
pub mod generate;
pub mod interpret;
pub mod parse;
pub mod print;
pub mod reduce;
pub mod shrink;
pub mod trace;
mod well_formed;
