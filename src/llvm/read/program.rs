//! A whole program: every input compiled, decoded and linked, with the models that it needs.

use super::ReadError;
use super::bitcode::decode_unit;
use super::clang::{CompileOptions, compile};
use super::link::{Named, link};
use super::source::dialect;
use crate::ir::{Module, transform};
use crate::llvm::models::{self, Notes};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What reading a program depends on besides its files.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ReadOptions {
    /// What clang is told.
    pub compile: CompileOptions,
    /// Whether library functions get the bodies of our models.
    pub library: Library,
}

/// What becomes of library functions that a program only declares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Library {
    /// Those that a model defines are linked.
    #[default]
    Models,
    /// Likewise, and the models of locks say who uses them.
    ModelsWithLocks,
    /// They stay declarations.
    Declared,
}

/// What an input is, by the end of its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputKind {
    /// `.c`, `.i`.
    Source,
    /// `.bc`, `.ll`.
    Llvm,
}

/// What an input is.
///
/// # Errors
/// It is something else.
pub fn input_kind(path: &Path) -> Result<InputKind, ReadError> {
    match path.extension().and_then(|end| end.to_str()) {
        Some("c" | "i" | "C") => Ok(InputKind::Source),
        Some("bc" | "ll") => Ok(InputKind::Llvm),
        _ => Err(ReadError::Input(format!("{}: neither .c, .i, .bc nor .ll", path.display()))),
    }
}

/// Reads a program in this process: for LLVM's sake, better in a [`child`](super::child).
///
/// # Errors
/// An input is wrong, clang refuses it, or inputs do not fit together.
pub fn read_here(inputs: &[PathBuf], options: &ReadOptions) -> Result<Module, ReadError> {
    read_within(inputs, options, &Folder::new()?.0)
}

/// As [`read_here`], with a folder for temporary files that the caller takes away.
pub(super) fn read_within(
    inputs: &[PathBuf],
    options: &ReadOptions,
    folder: &Path,
) -> Result<Module, ReadError> {
    let mut units = Vec::new();
    for (number, input) in inputs.iter().enumerate() {
        let bitcode = match input_kind(input)? {
            InputKind::Llvm => input.clone(),
            InputKind::Source => {
                let to = folder.join(format!("{number}.bc"));
                compile(input, &to, &options.compile)?;
                to
            }
        };
        let unit = decode_unit(&bitcode).map_err(|error| renamed(error, &bitcode, input))?;
        units.push(Named { name: input.display().to_string(), unit });
    }
    let mut module = link(units)?;
    dialect::translate(&mut module);
    transform::assembly::translate(&mut module);
    if let Some(problem) = dialect::unknown_name(&module) {
        return Err(ReadError::Input(problem));
    }
    match options.library {
        Library::Models => models::add(module, folder, Notes::None),
        Library::ModelsWithLocks => models::add(module, folder, Notes::Locks),
        Library::Declared => Ok(module),
    }
}

/// What is wrong, of the file that the user knows.
fn renamed(error: ReadError, bitcode: &Path, input: &Path) -> ReadError {
    match error {
        ReadError::Input(text) => {
            let rest = text.strip_prefix(&bitcode.display().to_string());
            let named = rest.map(|rest| format!("{}{rest}", input.display()));
            ReadError::Input(named.unwrap_or(text))
        }
        other => other,
    }
}

/// A folder of our own for temporary files, which ends with the value.
pub struct Folder(pub PathBuf);

impl Folder {
    /// A new folder.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn new() -> Result<Self, ReadError> {
        let base = std::env::temp_dir();
        for number in 0..10_000u32 {
            let path = base.join(format!("boolero-{}-{number}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(ReadError::Environment(format!("{}: {error}", path.display()))),
            }
        }
        Err(ReadError::Environment(format!("{}: no free name for a folder", base.display())))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing depends on it.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
