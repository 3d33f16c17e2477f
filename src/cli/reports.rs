//! Reports of a saved run: what `check` and `verify` write besides their text, and `boolero report`.

use super::arguments::Work;
use super::ending::{self, complain};
use super::load::{self, Refused};
use crate::engine::Threads;
use crate::ground::exit::Exit;
use crate::report::saved::{self, Asked, SavedRun};
use crate::report::{dot, html, sarif};
use clap::{Args, ValueEnum as _};
use indexmap::IndexMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Which reports are written.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Reports")]
pub struct Outputs {
    /// Write a report to look at, in any browser: summary, counterexamples step by step, iterations, invariants, graphs
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the results for CI systems and editors, as SARIF 2.1.0
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Write the automata of the model for Graphviz, with the way of the first violation
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
}

/// The saved run, and reports of it.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Reports")]
pub struct Saving {
    /// Save the run as JSON: everything that reports are made of, for `boolero report`
    #[arg(long, value_name = "RUN.json")]
    pub save_run: Option<PathBuf>,
    /// Reports of it.
    #[command(flatten)]
    pub outputs: Outputs,
}

/// `boolero report`
#[derive(Args, Debug, Clone)]
pub struct ReportOf {
    /// The saved run, from `boolero verify --save-run` or `boolero check --save-run`
    pub file: PathBuf,
    /// What is made of it.
    #[command(flatten)]
    pub outputs: Outputs,
}

impl Saving {
    /// Whether the run has to be saved.
    pub fn is_wanted(&self) -> bool {
        self.paths().next().is_some()
    }

    fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        let Outputs { html, sarif, dot } = &self.outputs;
        [&self.save_run, html, sarif, dot].into_iter().flatten()
    }

    /// Finds out before the work whether there is a folder for each file.
    ///
    /// # Errors
    /// There is none.
    pub fn possible(&self) -> Result<(), Exit> {
        self.paths().try_for_each(|path| possible(path))
    }

    /// Writes what was asked for.
    pub fn write(&self, run: &SavedRun) {
        if let Some(path) = &self.save_run {
            let mut text = serde_json::to_string(run).expect("a saved run is JSON");
            text.push('\n');
            write(path, &text);
        }
        self.outputs.write(run);
    }
}

impl Outputs {
    /// Writes what was asked for; whether all could be written.
    fn write(&self, run: &SavedRun) -> bool {
        let texts = [
            self.html.as_ref().map(|path| (path, html::html(run))),
            self.sarif.as_ref().map(|path| (path, sarif::sarif(run))),
            self.dot.as_ref().map(|path| (path, dot::dot(run))),
        ];
        let written: Vec<bool> = texts.into_iter().flatten().map(|(path, text)| write(path, &text)).collect();
        written.into_iter().all(|written| written)
    }

    fn is_empty(&self) -> bool {
        self.html.is_none() && self.sarif.is_none() && self.dot.is_none()
    }
}

fn possible(path: &Path) -> Result<(), Exit> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let problem = match () {
        () if path.is_dir() => "it is a folder",
        () if folder.is_some_and(|folder| !folder.is_dir()) => "its folder does not exist",
        () => return Ok(()),
    };
    complain(&format!("cannot write `{}`: {problem}", path.display()));
    Err(Exit::Usage)
}

fn write(path: &Path, text: &str) -> bool {
    if ending::is_standard(path) {
        ending::print(text);
        return true;
    }
    let written = std::fs::write(path, text);
    written.map_err(|error| complain(&format!("cannot write `{}`: {error}", path.display()))).is_ok()
}

/// What the command line says of a run.
pub fn asked(settings: IndexMap<String, String>, elapsed: Duration) -> Asked {
    let command = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    Asked { command, settings, elapsed }
}

/// How the work was to be done.
pub fn settings(work: &Work) -> IndexMap<String, String> {
    let engine =
        work.engine.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
    let threads = match work.threads {
        Threads::AtMost(bound) => bound.to_string(),
        Threads::Unbounded => "unbounded".to_owned(),
    };
    let mut settings = IndexMap::from([("engine".to_owned(), engine), ("threads".to_owned(), threads)]);
    if let Some(timeout) = work.timeout {
        settings.insert("timeout".to_owned(), format!("{timeout:?}"));
    }
    settings
}

/// Makes reports of a saved run.
pub fn report(arguments: &ReportOf) -> Exit {
    if arguments.outputs.is_empty() {
        complain("name what to make of the saved run: `--html FILE`, `--sarif FILE` or `--dot FILE`");
        return Exit::Usage;
    }
    let source = match load::source(&arguments.file) {
        Ok(source) => source,
        Err(Refused(exit)) => return exit,
    };
    let name = source.name();
    match saved::read(source.text()) {
        Ok(run) if arguments.outputs.write(&run) => Exit::Holds,
        Ok(_) => Exit::Usage,
        Err(problem) => {
            complain(&format!("`{name}`: {problem}"));
            Exit::Input
        }
    }
}
