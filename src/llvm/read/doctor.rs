//! Is everything there that reading C needs? One check each, with what helps.

use super::clang::{self, CompileOptions, DataModel};
use super::debug::llvm_version;
use super::program::{Folder, ReadOptions, read_here};

/// One check of the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// What was looked at.
    pub what: String,
    /// What was found.
    pub result: Finding,
}

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// It is fine; the details.
    Fine(String),
    /// It is missing or wrong, and what helps.
    Wrong {
        /// What is wrong.
        problem: String,
        /// What helps.
        remedy: String,
    },
}

impl Finding {
    fn wrong(problem: impl Into<String>, remedy: &str) -> Self {
        Self::Wrong { problem: problem.into(), remedy: remedy.to_owned() }
    }

    /// Whether nothing needs to be done.
    #[must_use]
    pub fn is_fine(&self) -> bool {
        matches!(self, Self::Fine(_))
    }
}

/// Checks clang, LLVM, the headers of both data models, and reads a small program.
#[must_use]
pub fn checks() -> Vec<Check> {
    let check = |what: &str, result| Check { what: what.to_owned(), result };
    vec![
        check("clang", clang_found()),
        check("LLVM", llvm_linked()),
        check("C headers, 64 bits", headers(DataModel::Lp64, "apt-get install libc6-dev")),
        check("C headers, 32 bits", headers(DataModel::Ilp32, "apt-get install libc6-dev-i386")),
        check("reading C", self_test()),
    ]
}

fn clang_found() -> Finding {
    let path = match clang::find() {
        Ok(path) => path,
        Err(error) => return Finding::wrong(error.to_string(), "./setup, or apt-get install clang-19"),
    };
    match clang::version(&path) {
        Some(version) if version.starts_with("19.") => {
            Finding::Fine(format!("{} of version {version}", path.display()))
        }
        Some(version) => Finding::wrong(
            format!("{} has version {version}; LLVM 19 is read", path.display()),
            "let BOOLERO_CLANG name a clang 19, or unset it",
        ),
        None => Finding::wrong(
            format!("{} does not tell its version", path.display()),
            "let BOOLERO_CLANG name a clang 19, or unset it",
        ),
    }
}

fn llvm_linked() -> Finding {
    let (major, minor, patch) = llvm_version();
    let text = format!("version {major}.{minor}.{patch} is linked");
    if major == 19 { Finding::Fine(text) } else { Finding::wrong(text, "build with llvm-19-dev installed") }
}

fn headers(data_model: DataModel, remedy: &str) -> Finding {
    let text =
        "#include <stdio.h>\n#include <pthread.h>\n#include <assert.h>\nint main(void) { return 0; }\n";
    match read_text(text, data_model) {
        Ok(_) => Finding::Fine("found".to_owned()),
        Err(problem) => Finding::wrong(problem, remedy),
    }
}

fn self_test() -> Finding {
    let text = "int counter = 4;\nint main(void) { counter = counter + 1; return counter; }\n";
    let module = match read_text(text, DataModel::Lp64) {
        Ok(module) => module,
        Err(problem) => return Finding::wrong(problem, "see the checks above"),
    };
    let right = module.function("main").is_some() && crate::ir::check::check(&module).is_ok();
    if right {
        Finding::Fine("a small program is read".to_owned())
    } else {
        Finding::wrong("a small program is read wrongly", "please report this")
    }
}

/// Reads a program given as text; the first line of what goes wrong.
fn read_text(text: &str, data_model: DataModel) -> Result<crate::ir::Module, String> {
    let first = |text: String| text.lines().next().unwrap_or_default().to_owned();
    let folder = Folder::new().map_err(|error| first(error.to_string()))?;
    let path = folder.0.join("check.c");
    std::fs::write(&path, text).map_err(|error| error.to_string())?;
    let compile = CompileOptions { data_model, ..CompileOptions::default() };
    let options = ReadOptions { compile, ..ReadOptions::default() };
    read_here(&[path], &options).map_err(|error| first(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_has_a_remedy() {
        let all = checks();
        assert_eq!(all.len(), 5);
        for check in all {
            if let Finding::Wrong { problem, remedy } = check.result {
                assert!(!problem.is_empty() && !remedy.is_empty(), "{}", check.what);
            }
        }
    }

    #[test]
    fn the_linked_llvm_is_19() {
        assert!(llvm_linked().is_fine());
    }
}
