//! How a run ends: exactly one of report, last resort, interrupt and panic gets the output.
//!
//! Whoever wants to end the process claims the output first. Who comes second waits: the first one
//! is about to end the process. So a report is never cut in two by `result: unknown (timeout)`.

use super::progress::Progress;
pub use crate::api::file::is_standard;
use crate::ground::exit::Exit;
use crate::report::json;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

static CLAIMED: AtomicBool = AtomicBool::new(false);
static ENDING: OnceLock<Ending> = OnceLock::new();
static FOUND: Mutex<Vec<Found>> = Mutex::new(Vec::new());

/// What there is to write if the run is broken off.
pub struct Ending {
    /// The input file, as the user named it.
    pub file: String,
    /// Where the JSON report goes.
    pub json: Option<PathBuf>,
    /// The progress line.
    pub progress: Arc<Progress>,
}

/// A report of violations that were found, which is written in place of "unknown" if the run is broken off.
pub struct Found {
    /// Why the run is broken off then.
    pub reason: String,
    /// The JSON report.
    pub document: String,
    /// The report as text.
    pub text: String,
}

/// Registers violations that were found so far: one report for each reason to break off, the last one for all others.
pub fn found(reports: Vec<Found>) {
    if let Ok(mut found) = FOUND.lock() {
        *found = reports;
    }
}

/// The report of what was found, if the run is broken off for a reason.
fn take_found(reason: &str) -> Option<Found> {
    let mut found = FOUND.lock().ok()?;
    let fitting = found.iter().position(|found| found.reason == reason);
    match fitting {
        Some(number) => Some(found.swap_remove(number)),
        None => found.pop(),
    }
}

/// Registers what to write if the run is broken off.
pub fn register(ending: Ending) {
    // Once per process: there is one run.
    let _ = ENDING.set(ending);
}

/// Takes the output, or waits for the end of the process.
pub fn claim() {
    while CLAIMED.swap(true, Ordering::SeqCst) {
        std::thread::sleep(Duration::from_secs(3600));
    }
    if let Some(ending) = ENDING.get() {
        ending.progress.finish();
    }
}

/// Takes the output if nobody has.
fn try_claim() -> bool {
    !CLAIMED.swap(true, Ordering::SeqCst)
}

/// Ends the process, with a report.
pub fn finish(exit: Exit) -> ! {
    std::process::exit(exit.code().into())
}

/// Ends the process with a code of its own: for processes that we start ourselves.
pub fn finish_with(code: i32) -> ! {
    std::process::exit(code)
}

/// Ends the process without a whole report: with the violations that were found, else with the reason.
pub fn broken_off(reason: &str, exit: Exit) -> ! {
    claim();
    finish(tell(reason).unwrap_or(exit))
}

/// Ends the process at once, even while somebody else is writing.
pub fn at_once(reason: &str, exit: Exit) -> ! {
    let told = if try_claim() { tell(reason) } else { None };
    finish(told.unwrap_or(exit))
}

/// Writes the violations that were found, or the reason if there are none. Tells how the process ends if there are some.
fn tell(reason: &str) -> Option<Exit> {
    let ending = ENDING.get()?;
    ending.progress.finish();
    let (document, text, exit) = match take_found(reason) {
        Some(found) => (found.document, found.text, Some(Exit::Violated)),
        None => (json::broken_off(&ending.file, reason), format!("result: unknown ({reason})\n"), None),
    };
    match &ending.json {
        Some(path) if is_standard(path) => {
            print(&document);
            return exit;
        }
        Some(path) => {
            // The text goes to standard output all the same.
            let _ = std::fs::write(path, document);
        }
        None => {}
    }
    print(&text);
    exit
}

/// Writes to standard output. A reader that has gone away is no error: the exit code still tells.
pub fn print(text: &str) {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            complain(&format!("cannot write to standard output: {error}"));
        }
        _ => {}
    }
}

/// Writes to standard error, come what may.
pub fn print_error(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// An error without a place in a source file.
pub fn complain(message: &str) {
    print_error(&format!("error: {message}\n"));
}

/// Something that helps, and is no error.
pub fn note(message: &str) {
    print_error(&format!("note: {message}\n"));
}
