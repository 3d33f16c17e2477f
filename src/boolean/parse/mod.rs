//! The parser: text to [`ast::Program`].
//!
//! A small lexer cuts the text into pieces (declarations, procedure heads, conditions, labels, simple
//! statements); each piece is parsed by pest with its own rule of `grammar/bp.pest`, so that an error in
//! one statement does not hide errors in the next; blocks are put together with an explicit stack.
//! Pest recurses only on parentheses, whose depth is bounded before pest sees them; a text with deep
//! parentheses is parsed on a thread with a stack that is large enough. Time and memory are linear.

mod assemble;
mod blocks;
mod cursor;
mod errors;
mod explain;
mod expression;
mod foreign;
mod lexer;
#[cfg(test)]
mod round_trip;
mod slips;
mod statement;
#[cfg(test)]
mod tests;
mod words;

use super::ast;
use crate::ground::diagnostic::Diagnostic;
use crate::ground::source::{SourceFile, Span};

pub use words::is_keyword;

/// How deep parentheses and brackets may nest in one statement.
pub const EXPRESSION_DEPTH: usize = 2_000;
/// How deep `if` and `while` may nest in a procedure.
pub const STATEMENT_DEPTH: usize = 1_000;
/// How many tokens a single statement or declaration may have, labels and nested statements not counted.
pub const STATEMENT_TOKENS: usize = 1_000_000;
/// How many values a procedure may return.
pub const RETURNED_VALUES: usize = 1_024;

/// Nesting that pest can follow on any stack.
const SHALLOW: usize = 32;
/// Enough for pest to follow `EXPRESSION_DEPTH` parentheses, also in a build without optimisation.
const DEEP_STACK: usize = 256 << 20;

/// What the derive makes of the grammar.
mod grammar {
    /// The parser that pest derives from the grammar.
    #[derive(pest_derive::Parser)]
    #[grammar = "../grammar/bp.pest"]
    pub struct Grammar;
}

/// Parses a file.
///
/// # Errors
/// Syntax errors, at most one per statement, in the order of the text.
pub fn parse(file: &SourceFile) -> Result<ast::Program, Vec<Diagnostic>> {
    let text = file.text();
    if let Some(offset) = text.find('\0') {
        let diagnostic = Diagnostic::error(Span::new(offset, offset + 1), "this is not a text file")
            .label("a NUL byte")
            .help("Boolean programs are plain text in UTF-8");
        return Err(vec![diagnostic]);
    }
    if lexer::nesting(text) <= SHALLOW { assemble::program(text) } else { on_deep_stack(text) }
}

fn on_deep_stack(text: &str) -> Result<ast::Program, Vec<Diagnostic>> {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(DEEP_STACK);
        match builder.spawn_scoped(scope, || assemble::program(text)) {
            Ok(handle) => handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // Without the thread, pest notices itself when the stack gets short.
            Err(_) => assemble::program(text),
        }
    })
}
