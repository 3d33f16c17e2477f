//! Reading C and LLVM into [`ir`](crate::ir): clang makes bitcode, LLVM parses it, and one file each here turns types,
//! constants, instructions and debug names into ours.
//!
//! No pass of LLVM runs on the way: what clang writes at `-O0` is what is verified. [`child`] does all of it in a process
//! of its own, because LLVM ends the process on hostile input.

pub mod bitcode;
pub mod call;
pub mod child;
pub mod clang;
pub mod constant;
pub mod database;
pub mod debug;
pub mod doctor;
pub mod flags;
pub mod function;
pub mod initialiser;
pub mod instruction;
pub mod intrinsic;
pub mod labels;
pub mod layout;
pub mod link;
pub mod poison;
pub mod program;
pub mod scopes;
pub mod shapes;
pub mod shifts;
pub mod source;
pub mod task;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// Why a program could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ReadError {
    /// The input is wrong, or uses what cannot be read; the text says what.
    Input(String),
    /// clang refused it; what clang wrote.
    Clang(String),
    /// Something is missing on this machine; the text says what and what helps.
    Environment(String),
}

impl ReadError {
    fn input(path: &Path, message: &str) -> Self {
        let name = path.display().to_string();
        Self::Input(format!("{name}: {}", plain(message, &name)))
    }
}

/// A line of a message has at most so many characters.
const LONGEST: usize = 160;

/// What LLVM says of a file, without the name of the file, and without bytes that are no text.
fn plain(message: &str, name: &str) -> String {
    let message = message.trim();
    let message = message.strip_prefix(name).map_or(message, |rest| rest.trim_start_matches([':', ' ']));
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let readable = |c: char| if c.is_control() || c == char::REPLACEMENT_CHARACTER { '?' } else { c };
    let cut = |line: &str| {
        let mut text: String = line.chars().take(LONGEST).map(readable).collect();
        if line.chars().count() > LONGEST {
            text.push('…');
        }
        text
    };
    message.lines().map(cut).collect::<Vec<_>>().join("\n")
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(text) | Self::Clang(text) | Self::Environment(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for ReadError {}
