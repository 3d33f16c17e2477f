//! Boolean programs: syntax, semantics and analyses.
//!
//! ```text
//! text --parse--> ast::Program --check--> cfg::Program --reduce--> cfg::Program
//!        <-print--
//! ```
//! [`interpret`] is the reference semantics of a [`cfg::Program`]. Nothing here knows of C, LLVM, SMT.

pub mod ast;
pub mod cfg;
pub mod dataflow;
pub mod cfg_text;
pub mod check;
pub mod dot;
pub mod expression;
pub mod expression_text;
pub mod generate;
pub mod interpret;
pub mod parse;
pub mod print;
pub mod shrink;
mod well_formed;
