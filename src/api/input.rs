//! A C program: its files, how they are compiled, and what must not happen.

use crate::ir::ERROR_FUNCTIONS;
use crate::ir::undefined::Fault;
use crate::llvm::read::clang::DataModel;
use crate::lower::{Allocation, ExternalPointers, Undefined};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A C program, and what is asked of it. Assertions and calls of the usual error functions are always properties, except in
/// the tasks of a competition, where property files say what counts.
#[derive(Clone, Debug)]
pub struct Input {
    /// Files of C (`.c`, `.i`) or of LLVM (`.bc`, `.ll`), task files (`.yml`), or compilation databases (`.json`). They are
    /// linked.
    pub files: Vec<PathBuf>,
    /// The files of compilation databases that are meant, by the ends of their paths; the only one if there are none.
    pub of_database: Vec<PathBuf>,
    /// Further flags of clang, for all files: those that change the meaning of a program are passed on.
    pub flags: Vec<String>,
    /// Where to look for headers.
    pub include: Vec<PathBuf>,
    /// Macros: `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// The language; GNU C11 if nothing is said.
    pub standard: Option<String>,
    /// The widths of types; if nothing is said, what a task file, a flag or a compilation database says, else LP64.
    pub data_model: Option<DataModel>,
    /// The function to start with.
    pub entry: String,
    /// Faults that must not happen; `None`: nothing is said.
    pub checks: Option<BTreeSet<Fault>>,
    /// Functions that must not be called, besides the usual ones.
    pub error_functions: Vec<String>,
    /// Labels that must not be reached.
    pub error_labels: Vec<String>,
    /// A property file of SV-COMP; then only what it says counts.
    pub specification: Option<PathBuf>,
    /// The ids of the properties to decide; all of them if there are none.
    pub properties: Vec<String>,
    /// What functions without a body do; if nothing is said, a call has no verdict, and in a task they return anything.
    pub undefined: Option<Undefined>,
    /// What assembly does that is not understood.
    pub assembly: Assembly,
    /// What pointers from outside lead to, if somebody says so.
    pub external_pointers: Option<ExternalPointers>,
    /// Whether `malloc` may return a null pointer.
    pub allocation: Allocation,
    /// A file of predicates to start with.
    pub predicates: Option<PathBuf>,
    /// How LLVM is called.
    pub reading: Reading,
}

/// What assembly does that is not understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assembly {
    /// Nobody knows: a run that gets to it has no verdict.
    Unknown,
    /// Its outputs are arbitrary, and so is the memory that it gets at, if it says that it clobbers memory.
    Havoc,
}

/// How LLVM is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// In this process: input that LLVM cannot stand ends it.
    Here,
    /// In a process of its own. This process must be the `boolero` command, which is started once more.
    Child,
}

impl Input {
    /// The program of one file, with nothing else said.
    #[must_use]
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self {
            files: vec![path.into()],
            of_database: Vec::new(),
            flags: Vec::new(),
            include: Vec::new(),
            define: Vec::new(),
            standard: None,
            data_model: None,
            entry: "main".to_owned(),
            checks: None,
            error_functions: Vec::new(),
            error_labels: Vec::new(),
            specification: None,
            properties: Vec::new(),
            undefined: None,
            assembly: Assembly::Unknown,
            external_pointers: None,
            allocation: Allocation::Succeeds,
            predicates: None,
            reading: Reading::Here,
        }
    }

    /// The same, where these faults must not happen either.
    #[must_use]
    pub fn checking(mut self, faults: impl IntoIterator<Item = Fault>) -> Self {
        self.checks.get_or_insert_default().extend(faults);
        self
    }

    /// The faults that were asked for by name.
    #[must_use]
    pub fn faults(&self) -> BTreeSet<Fault> {
        self.checks.clone().unwrap_or_default()
    }

    /// The usual error functions, and those of the input.
    #[must_use]
    pub fn all_error_functions(&self) -> BTreeSet<String> {
        error_functions(&self.error_functions)
    }

    /// The first file, as messages name it.
    pub(super) fn name(&self) -> String {
        self.files.first().map_or_else(String::new, |file| file.display().to_string())
    }
}

/// The usual error functions, and these.
fn error_functions(more: &[String]) -> BTreeSet<String> {
    ERROR_FUNCTIONS.iter().map(|&name| name.to_owned()).chain(more.iter().cloned()).collect()
}
