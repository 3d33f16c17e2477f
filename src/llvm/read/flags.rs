//! Flags of a compiler: which of them change what a program means.
//!
//! These are passed to clang: what concerns the preprocessor, the language, and the layout of types. `-m32` and `-m64` are our
//! widths. What concerns optimisation, warnings, debug information, code generation, dependencies and linking is left out: a
//! program is verified as it is written. So `__OPTIMIZE__` is never defined.

use super::clang::DataModel;
use std::path::Path;

/// Flags as far as they matter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// Those for clang.
    pub kept: Vec<String>,
    /// The widths of types, if they are said.
    pub data_model: Option<DataModel>,
}

/// What becomes of a flag that is in no table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// It is refused: somebody wrote it for Boolero.
    Refused,
    /// It is left out: somebody wrote it for another compiler.
    LeftOut,
}

/// Flags with a value, attached or as the next word, that are kept.
const VALUED: [&str; 8] = ["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I", "-D", "-U"];

/// Those of them whose values are paths.
const PATHS: [&str; 6] = ["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I"];

/// Those of them whose files are also looked for where headers are.
const LOOKED_FOR: [&str; 2] = ["-include", "-imacros"];

/// Flags that are kept as they are.
const KEPT: [&str; 29] = [
    "-nostdinc",
    "-ansi",
    "-undef",
    "-trigraphs",
    "-pthread",
    "-funsigned-char",
    "-fsigned-char",
    "-fno-unsigned-char",
    "-fno-signed-char",
    "-fshort-enums",
    "-fno-short-enums",
    "-fshort-wchar",
    "-fno-short-wchar",
    "-fpack-struct",
    "-fms-extensions",
    "-fno-ms-extensions",
    "-fwrapv",
    "-fno-wrapv",
    "-fstrict-overflow",
    "-fno-strict-overflow",
    "-fgnu89-inline",
    "-fno-gnu89-inline",
    "-fcommon",
    "-fno-common",
    "-ffreestanding",
    "-fhosted",
    "-mms-bitfields",
    "-mno-ms-bitfields",
    "-malign-double",
];

/// Flags that are left out with the next word.
const LEFT_WITH_VALUE: [&str; 10] =
    ["-o", "-MF", "-MT", "-MQ", "-Xlinker", "-Xassembler", "-L", "-l", "--param", "-T"];

/// What flags begin with that are left out.
const LEFT: [&str; 22] = [
    "-O",
    "-g",
    "-W",
    "-w",
    "-M",
    "-c",
    "-S",
    "-E",
    "-pipe",
    "-v",
    "-p",
    "-L",
    "-l",
    "-s",
    "-static",
    "-shared",
    "-rdynamic",
    "--param=",
    "-save-temps",
    "-nostdlib",
    "-no-pie",
    "-fno-builtin",
];

/// What begins like this changes what a program means, and is not known here, whoever wrote it.
const CHANGES: [&str; 9] = [
    "-masm=intel",
    "-funsigned-bitfields",
    "-fopenmp",
    "-fexec-charset=",
    "-fwide-exec-charset=",
    "-mlong-double-",
    "-fshort-double",
    "-mx32",
    "-m16",
];

/// What begins like this is about code generation if it is in no other table.
const GENERATION: [&str; 2] = ["-f", "-m"];

/// What matters of some flags. Paths are relative to the folder, if there is one.
///
/// # Errors
/// A flag that cannot be taken; the text says which and why.
pub fn flags(words: &[String], folder: Option<&Path>, unknown: Unknown) -> Result<Flags, String> {
    let mut found = Flags::default();
    let mut rest = words.iter().map(String::as_str);
    while let Some(word) = rest.next() {
        if let Some(flag) = VALUED.iter().find(|flag| word.starts_with(**flag)) {
            let attached = word[flag.len()..].trim_start_matches('=');
            let value = if attached.is_empty() { rest.next() } else { Some(attached) };
            let value = value.ok_or_else(|| format!("`{word}` has no value"))?;
            found.kept.extend([(*flag).to_owned(), located(flag, value, folder)]);
        } else if LEFT_WITH_VALUE.contains(&word) {
            rest.next();
        } else if word == "-x" {
            language(rest.next())?;
        } else {
            single(word, unknown, &mut found)?;
        }
    }
    Ok(found)
}

/// A value, as a path from here if it is one.
fn located(flag: &str, value: &str, folder: Option<&Path>) -> String {
    let Some(folder) = folder.filter(|_| PATHS.contains(&flag)) else { return value.to_owned() };
    let path = folder.join(value);
    if LOOKED_FOR.contains(&flag) && !path.exists() {
        return value.to_owned();
    }
    path.display().to_string()
}

fn language(name: Option<&str>) -> Result<(), String> {
    match name {
        Some("c" | "cpp-output") => Ok(()),
        other => Err(format!("`-x {}` is another language than C", other.unwrap_or_default())),
    }
}

/// A flag without a value of its own.
fn single(word: &str, unknown: Unknown, found: &mut Flags) -> Result<(), String> {
    if let Some(parts) = word.strip_prefix("-Wp,") {
        let matters = |part: &&str| ["-D", "-U", "-I"].iter().any(|flag| part.starts_with(flag));
        found.kept.extend(parts.split(',').filter(matters).map(str::to_owned));
        return Ok(());
    }
    match word {
        "-m32" => found.data_model = Some(DataModel::Ilp32),
        "-m64" => found.data_model = Some(DataModel::Lp64),
        _ if KEPT.contains(&word) || word.starts_with("-std=") || word.starts_with("-fpack-struct=") => {
            found.kept.push(word.to_owned());
        }
        _ if CHANGES.iter().any(|start| word.starts_with(start)) => {
            return Err(format!("`{word}` changes what the program means, and Boolero does not know it"));
        }
        _ if LEFT.iter().any(|start| word.starts_with(start)) => {}
        _ if unknown == Unknown::LeftOut => {}
        _ if !word.starts_with('-') => {
            return Err(format!("`{word}` is no flag for clang; files come before `--`"));
        }
        _ if GENERATION.iter().any(|start| word.starts_with(start)) => {}
        _ => return Err(format!("`{word}` is no flag for clang that Boolero knows")),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(line: &str) -> Result<Flags, String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        flags(&words, None, Unknown::Refused)
    }

    #[test]
    fn what_changes_the_meaning_is_kept() {
        let line = "-Iinclude -I more -DX=1 -UY -include config.h -isystem sys -std=gnu89 -funsigned-char";
        let expected =
            "-I include -I more -D X=1 -U Y -include config.h -isystem sys -std=gnu89 -funsigned-char";
        assert_eq!(kept(line).unwrap().kept.join(" "), expected);
    }

    #[test]
    fn what_does_not_is_left_out() {
        let line = "-O2 -Wall -Wp,-MD,.a.d,-DZ -g -c -o a.o -MF a.d -fno-strict-aliasing -mcmodel=kernel -pipe --param=x=1 --param y";
        assert_eq!(kept(line).unwrap(), Flags { kept: vec!["-DZ".to_owned()], data_model: None });
    }

    #[test]
    fn widths_are_ours() {
        assert_eq!(kept("-m32").unwrap().data_model, Some(DataModel::Ilp32));
        assert_eq!(kept("-m32 -m64").unwrap().data_model, Some(DataModel::Lp64));
    }

    #[test]
    fn what_cannot_be_taken_is_named() {
        assert!(kept("a.c").unwrap_err().contains("files come before"));
        assert!(kept("-x c++").unwrap_err().contains("c++"));
        assert!(kept("--target=arm").unwrap_err().contains("--target=arm"));
        assert!(kept("-I").unwrap_err().contains("no value"));
        let changes = ["-masm=intel".to_owned()];
        assert!(
            flags(&changes, None, Unknown::LeftOut).unwrap_err().contains("changes what the program means")
        );
        let words = ["a.c", "--target=arm"].map(str::to_owned);
        assert_eq!(flags(&words, None, Unknown::LeftOut), Ok(Flags::default()));
    }

    #[test]
    fn paths_are_those_of_the_folder() {
        let words = ["-Iinclude", "-include", "nowhere.h", "-I/abs"].map(str::to_owned);
        let found = flags(&words, Some(Path::new("/build")), Unknown::LeftOut).unwrap();
        assert_eq!(found.kept, ["-I", "/build/include", "-include", "nowhere.h", "-I", "/abs"]);
    }
}
