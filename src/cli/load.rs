//! Loads Boolean programs for commands that decide nothing. What is wrong is told here, on standard error.

use super::arguments::Input;
use super::ending::{complain, print_error};
use crate::api::{self, Refusal};
use crate::boolean::check::CheckOptions;
use crate::boolean::{ast, cfg, parse};
use crate::ground::exit::Exit;
use crate::ground::source::SourceFile;
use crate::report::diagnostics;
use crate::report::text::Colors;
use std::path::Path;

/// The input is wrong, or the options do not fit it, and that has been told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refused(pub Exit);

/// A program with its source.
pub struct Loaded {
    /// The source.
    pub source: SourceFile,
    /// The program.
    pub program: cfg::Program,
}

/// Tells why an input is refused.
pub fn refuse(refusal: &Refusal, colors: Colors) -> Refused {
    match refusal {
        // clang's words are passed on as they are.
        Refusal::Clang(text) => print_error(&format!("{}\n", text.trim_end())),
        Refusal::Input(messages) => messages.iter().for_each(|message| complain(message)),
        Refusal::Options(message) => complain(message),
        Refusal::Text(source, errors) => print_error(&diagnostics::render(source, errors, colors)),
    }
    Refused(refusal.exit())
}

/// What the command line says about a Boolean program besides its text.
pub fn options(input: &Input) -> CheckOptions {
    CheckOptions {
        entry: input.entry.clone(),
        error_labels: input.error_label.clone(),
        initial_threads: input.initial_threads,
    }
}

/// Reads, parses and checks a program.
///
/// # Errors
/// The input is wrong.
pub fn program(input: &Input, colors: Colors) -> Result<Loaded, Refused> {
    super::panic_on_demand();
    let source = source(&input.file)?;
    let loaded = api::load_program(&source, &options(input));
    let (program, warnings) = loaded.map_err(|refusal| refuse(&refusal, colors))?;
    print_error(&diagnostics::render(&source, &warnings, colors));
    Ok(Loaded { source, program })
}

/// Parses a file.
///
/// # Errors
/// The input is wrong.
pub fn syntax(source: &SourceFile, colors: Colors) -> Result<ast::Program, Refused> {
    let refused = |errors| refuse(&Refusal::Text(Box::new(source.clone()), errors), colors);
    parse::parse(source).map_err(refused)
}

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// It cannot be read, or is too large.
pub fn source(path: &Path) -> Result<SourceFile, Refused> {
    api::file::source(path).map_err(|refusal| refuse(&refusal, Colors::Plain))
}
