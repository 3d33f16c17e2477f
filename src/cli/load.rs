//! Reads files and makes programs of them. What is wrong is told here, on standard error.

use super::arguments::Input;
use super::ending::{complain, is_standard, print_error};
use crate::boolean::check::{CheckOptions, check};
use crate::boolean::{ast, cfg, parse};
use crate::ground::diagnostic::{Diagnostic, Severity, Subject};
use crate::ground::exit::Exit;
use crate::ground::source::SourceFile;
use crate::report::diagnostics;
use crate::report::text::Colors;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Larger files are refused: places in them are 32-bit offsets, and no Boolean program is that large.
const LARGEST: u64 = 1 << 30;

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

/// Reads, parses and checks a program.
///
/// # Errors
/// The input is wrong.
pub fn program(input: &Input, colors: Colors) -> Result<Loaded, Refused> {
    let options = CheckOptions {
        entry: input.entry.clone(),
        error_labels: input.error_label.clone(),
        initial_threads: input.initial_threads,
    };
    with_options(&input.file, &options, colors)
}

/// The same, where it is known what the program is to be checked for.
///
/// # Errors
/// The input is wrong.
pub fn with_options(file: &Path, options: &CheckOptions, colors: Colors) -> Result<Loaded, Refused> {
    super::panic_on_demand();
    let source = source(file)?;
    let syntax = syntax(&source, colors)?;
    match check(&syntax, options) {
        Ok((program, warnings)) => {
            print_error(&diagnostics::render(&source, &warnings, colors));
            Ok(Loaded { source, program })
        }
        Err(errors) => Err(refuse(&source, &errors, colors)),
    }
}

/// Parses a file.
///
/// # Errors
/// The input is wrong.
pub fn syntax(source: &SourceFile, colors: Colors) -> Result<ast::Program, Refused> {
    parse::parse(source).map_err(|errors| refuse(source, &errors, colors))
}

pub(super) fn refuse(source: &SourceFile, errors: &[Diagnostic], colors: Colors) -> Refused {
    print_error(&diagnostics::render(source, errors, colors));
    debug_assert!(errors.iter().any(|error| error.severity == Severity::Error));
    let only_options = errors.iter().all(|error| error.subject == Subject::Options);
    Refused(if only_options { Exit::Usage } else { Exit::Input })
}

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// It cannot be read, or is too large.
pub fn source(path: &Path) -> Result<SourceFile, Refused> {
    let name = if is_standard(path) { "<stdin>".to_owned() } else { path.display().to_string() };
    text(path).map(|text| SourceFile::new(name.clone(), text)).map_err(|problem| {
        complain(&format!("cannot read `{name}`: {problem}"));
        Refused(Exit::Input)
    })
}

fn text(path: &Path) -> Result<String, String> {
    let bytes =
        if is_standard(path) { limited(io::stdin().lock()) } else { File::open(path).and_then(limited) };
    let bytes = bytes.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LARGEST {
        return Err("files above 1 GiB are refused".to_owned());
    }
    let text = String::from_utf8(bytes).unwrap_or_else(|error| latin1(error.as_bytes()));
    // A byte order mark is no part of the program.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Text that is not UTF-8 is Latin-1, where every byte is a character: so different names stay different. Old files have such
/// bytes in comments; elsewhere the parser refuses them and tells the place.
fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

/// All bytes, or at least one more than is accepted.
fn limited(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(LARGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
