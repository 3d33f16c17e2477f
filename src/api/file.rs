//! The text of files, with their names.

use super::Refusal;
use crate::ground::source::SourceFile;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Larger files are refused: places in them are 32-bit offsets, and no Boolean program is that large.
const LARGEST: u64 = 1 << 30;

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// It cannot be read, or is too large.
pub fn source(path: &Path) -> Result<SourceFile, Refusal> {
    let name = if is_standard(path) { "<stdin>".to_owned() } else { path.display().to_string() };
    match text(path) {
        Ok(text) => Ok(SourceFile::new(name, text)),
        Err(problem) => Err(Refusal::input(format!("cannot read `{name}`: {problem}"))),
    }
}

/// Whether a path means a standard stream.
#[must_use]
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
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
