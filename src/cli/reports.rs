//! Reports of a saved run: what `check` and `verify` write besides their text, and `boolero report`.

use super::arguments::Work;
use super::ending::{self, complain};
use super::load::{self, Refused};
use crate::engine::Threads;
use crate::ground::exit::Exit;
use crate::report::saved::{self, Asked, SavedRun};
use crate::report::{dot, html, sarif, witness};
use clap::{Args, ValueEnum as _};
use indexmap::IndexMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

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
    /// Write a witness for other tools, in the formats of SV-COMP: YAML 2.0, or GraphML for violations with threads
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
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
        let Outputs { html, sarif, dot, witness } = &self.outputs;
        [&self.save_run, html, sarif, dot, witness].into_iter().flatten()
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
        let witnessed = self.witness.as_ref().is_none_or(|path| write_witness(path, run));
        witnessed && written.into_iter().all(|written| written)
    }

    fn is_empty(&self) -> bool {
        self.html.is_none() && self.sarif.is_none() && self.dot.is_none() && self.witness.is_none()
    }
}

/// Writes the witness, or tells why there is none.
fn write_witness(path: &Path, run: &SavedRun) -> bool {
    match witness::witness(run, &now()) {
        Ok(text) => write(path, &text),
        Err(why) => {
            ending::note(&format!("no witness is written: {why}"));
            false
        }
    }
}

/// The time, as witnesses want it; `SOURCE_DATE_EPOCH` says another one, as everywhere.
fn now() -> String {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let clock = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(given.unwrap_or_else(clock))
}

/// Seconds since 1970 as ISO 8601, by the calendar's cycle of 400 years, which begins in March of the year 0.
fn date(seconds: u64) -> String {
    let days = seconds / 86_400 + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, early) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let (hours, minutes) = (seconds / 3_600 % 24, seconds / 60 % 60);
    format!(
        "{:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{:02}Z",
        400 * cycle + year + early,
        seconds % 60
    )
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
        complain("name what to make of the saved run: `--html`, `--sarif`, `--dot` or `--witness FILE`");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(date(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date(1_735_689_599), "2024-12-31T23:59:59Z");
    }
}
