//! Compilation databases: `compile_commands.json`, as CMake, Meson, Bear and the kernel's scripts write it.
//!
//! An entry says how one file is compiled: the folder in which the compiler runs, the file, and the command, as one text for a
//! shell or as a list of words. Of the command only what changes the meaning of the program counts ([`flags`]).

use super::ReadError;
use super::clang::DataModel;
use super::flags::{self, Unknown};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A file of a database, and how it is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The file, as a path that can be opened.
    pub file: PathBuf,
    /// Flags for clang.
    pub flags: Vec<String>,
    /// The widths of types, if the command says them.
    pub data_model: Option<DataModel>,
}

#[derive(Deserialize)]
struct RawEntry {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Option<Vec<String>>,
    #[serde(default)]
    command: Option<String>,
}

/// How many files a message names.
const NAMED: usize = 5;

/// The entries of these files; the only one if no file is named.
///
/// # Errors
/// The database cannot be read, or it does not say which entry is meant.
pub fn read_entries(path: &Path, files: &[PathBuf]) -> Result<Vec<Entry>, ReadError> {
    let text = std::fs::read_to_string(path).map_err(|error| ReadError::input(path, &error.to_string()))?;
    chosen(&text, files).map_err(|message| ReadError::input(path, &message))
}

fn chosen(text: &str, files: &[PathBuf]) -> Result<Vec<Entry>, String> {
    let raw: Vec<RawEntry> =
        serde_json::from_str(text).map_err(|error| format!("this is no compilation database: {error}"))?;
    if !files.is_empty() {
        return files.iter().map(|file| entry(one(&raw, file)?)).collect();
    }
    match raw.as_slice() {
        [] => Err("the compilation database is empty".to_owned()),
        [only] => Ok(vec![entry(only)?]),
        several => Err(format!(
            "there are {} files: `--file NAME` says which one is meant ({})",
            several.len(),
            names(several.iter())
        )),
    }
}

/// Some files, for a message.
fn names<'e>(entries: impl Iterator<Item = &'e RawEntry>) -> String {
    let mut all: Vec<String> = entries.map(|entry| entry.file.display().to_string()).collect();
    all.dedup();
    if all.len() > NAMED {
        all.truncate(NAMED);
        all.push("…".to_owned());
    }
    all.join(", ")
}

/// The entry of a file, which may be named by the end of its path. A file that is compiled several times is taken as it is
/// compiled first.
fn one<'e>(entries: &'e [RawEntry], file: &Path) -> Result<&'e RawEntry, String> {
    let path = |entry: &RawEntry| entry.directory.join(&entry.file);
    let fits = |entry: &&RawEntry| entry.file == file || path(entry).ends_with(file);
    let all: Vec<&RawEntry> = entries.iter().filter(fits).collect();
    match all.as_slice() {
        [] => Err(format!("there is no file `{}`; there is {}", file.display(), names(entries.iter()))),
        [first, rest @ ..] if rest.iter().all(|other| path(other) == path(first)) => Ok(first),
        several => Err(format!("`{}` may be one of {}", file.display(), names(several.iter().copied()))),
    }
}

fn entry(raw: &RawEntry) -> Result<Entry, String> {
    let words = match (&raw.arguments, &raw.command) {
        (Some(arguments), _) => arguments.clone(),
        (None, Some(command)) => split(command),
        (None, None) => return Err(format!("`{}` has no command", raw.file.display())),
    };
    // The first word is the compiler. The file itself is no flag, and is left out.
    let given = words.get(1..).unwrap_or_default();
    let found = flags::flags(given, Some(&raw.directory), Unknown::LeftOut)?;
    let file = raw.directory.join(&raw.file);
    Ok(Entry { file, flags: found.kept, data_model: found.data_model })
}

/// The words of a command, as a shell finds them: quotes and backslashes, nothing else.
fn split(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote): (Vec<String>, Option<String>, Option<char>) =
        (Vec::new(), None, None);
    let mut rest = command.chars();
    while let Some(c) = rest.next() {
        match (quote, c) {
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), c) if open == c => quote = None,
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(rest.next()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = r#"[
        {"directory": "/b", "file": "drivers/x.c", "command": "gcc -m32 -Iinc -DN=\\\"a\\\" -O2 -c drivers/x.c -o x.o"},
        {"directory": "/b", "file": "/b/lib/x.c", "arguments": ["cc", "-DQ=1 2", "-c", "lib/x.c"], "output": "y.o"}]"#;

    fn one_of(files: &[&str]) -> Result<Vec<Entry>, String> {
        chosen(TWO, &files.iter().map(PathBuf::from).collect::<Vec<_>>())
    }

    #[test]
    fn an_entry_is_a_file_with_its_flags() {
        let found = one_of(&["drivers/x.c"]).unwrap();
        assert_eq!(found[0].file, PathBuf::from("/b/drivers/x.c"));
        assert_eq!(found[0].flags, ["-I", "/b/inc", "-D", "N=\"a\""]);
        assert_eq!(found[0].data_model, Some(DataModel::Ilp32));
        assert_eq!(one_of(&["lib/x.c"]).unwrap()[0].flags, ["-D", "Q=1 2"]);
        assert_eq!(one_of(&["lib/x.c", "drivers/x.c"]).unwrap().len(), 2);
    }

    #[test]
    fn which_entry_is_meant_must_be_said() {
        assert!(one_of(&[]).unwrap_err().contains("there are 2 files: `--file NAME`"));
        assert!(one_of(&["x.c"]).unwrap_err().contains("may be one of drivers/x.c, /b/lib/x.c"));
        assert!(one_of(&["y.c"]).unwrap_err().contains("no file `y.c`"));
        assert!(chosen("[]", &[]).unwrap_err().contains("empty"));
        assert!(chosen("{}", &[]).unwrap_err().contains("no compilation database"));
    }

    #[test]
    fn words_are_those_of_a_shell() {
        assert_eq!(split(r#"a "b c"'d'\ e  '' f\"g"#), ["a", "b cd e", "", "f\"g"]);
    }
}
