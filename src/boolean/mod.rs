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
pub mod dot;
pub mod expression;
pub mod expression_text;
pub mod parse;
pub mod print;
mod well_formed;
