//! Reading in a process of its own.
//!
//! LLVM's reader ends the process on broken bitcode, overflows its stack on deep nesting, and may do anything on hostile
//! input. So our own binary is started once more, with a hidden subcommand that calls [`serve`]; the request goes in by
//! standard input and the answer comes back by standard output, both in postcard's format behind a mark and a length.
//! Limits are the shell's (`ulimit -v`, `ulimit -t`), set before our binary takes the shell's place, and a watch on the
//! clock here. Whatever goes wrong there is an error here that tells what the child wrote.

use super::ReadError;
use super::program::{Folder, ReadOptions, read_within};
use crate::ir::Module;
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The hidden subcommand.
pub const SUBCOMMAND: &str = "__read";

/// What stands before an answer.
const MARK: &[u8; 8] = b"boolero\x01";

/// How much reading may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadLimits {
    /// Bytes of address space.
    pub memory: u64,
    /// Time on the clock, and seconds of processor time.
    pub time: Duration,
}

impl Default for ReadLimits {
    /// Four gigabytes and five minutes.
    fn default() -> Self {
        Self { memory: 4 << 30, time: Duration::from_secs(300) }
    }
}

#[derive(Serialize, Deserialize)]
struct Request {
    inputs: Vec<PathBuf>,
    options: ReadOptions,
    /// For temporary files. It is the parent's, so that it ends even if the child is ended.
    folder: PathBuf,
}

/// Reads a program in a process of its own.
///
/// # Errors
/// As [`read_here`](super::program::read_here); and the child crashed, ran out of its limits, or answered nonsense.
pub fn read_in_child(
    inputs: &[PathBuf],
    options: &ReadOptions,
    limits: &ReadLimits,
) -> Result<Module, ReadError> {
    let program = std::env::current_exe().map_err(|error| environment("our own binary", &error))?;
    read_by(&program.into_os_string(), &[SUBCOMMAND], inputs, options, limits)
}

/// Reads a program by a command that serves.
fn read_by(
    program: &std::ffi::OsStr,
    arguments: &[&str],
    inputs: &[PathBuf],
    options: &ReadOptions,
    limits: &ReadLimits,
) -> Result<Module, ReadError> {
    let folder = Folder::new()?;
    let request = Request { inputs: inputs.to_vec(), options: options.clone(), folder: folder.0.clone() };
    let request = postcard::to_stdvec(&request).map_err(|error| environment("the request", &error))?;
    let ended = run(program, arguments, &request, limits)?;
    match answer(&ended.output) {
        Some(answer) if ended.status.success() => answer,
        _ => Err(ReadError::Input(ended.explain(inputs, limits))),
    }
}

fn environment(what: &str, error: &dyn std::fmt::Display) -> ReadError {
    ReadError::Environment(format!("{what}: {error}"))
}

/// A child that has ended.
struct Ended {
    status: ExitStatus,
    output: Vec<u8>,
    said: String,
    in_time: bool,
}

impl Ended {
    fn explain(&self, inputs: &[PathBuf], limits: &ReadLimits) -> String {
        let names: Vec<String> = inputs.iter().map(|input| input.display().to_string()).collect();
        let names = names.join(", ");
        if !self.in_time {
            return format!("{names}: reading took more than {} s", limits.time.as_secs());
        }
        let said = super::plain(&self.said, &names);
        let last: Vec<&str> = said.lines().rev().take(5).collect();
        let last: Vec<&str> = last.into_iter().rev().collect();
        let said = if last.is_empty() { String::new() } else { format!(": {}", last.join("\n")) };
        match self.status.code() {
            Some(0) => format!("{names}: reading it gave no answer{said}"),
            _ => format!("{names}: cannot be read ({}){said}", self.status),
        }
    }
}

fn run(
    program: &std::ffi::OsStr,
    arguments: &[&str],
    request: &[u8],
    limits: &ReadLimits,
) -> Result<Ended, ReadError> {
    let script = format!(
        "ulimit -c 0; ulimit -v {}; ulimit -t {}; exec \"$0\" \"$@\"",
        limits.memory.div_ceil(1024),
        limits.time.as_secs().max(1)
    );
    let mut child = Command::new("/bin/sh")
        .args(["-c", &script])
        .arg(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| environment("/bin/sh", &error))?;
    let output = collect(child.stdout.take());
    let said = collect(child.stderr.take());
    if let Some(mut input) = child.stdin.take() {
        // A child that ended early does not read it; that shows in its status.
        let _ = input.write_all(request);
    }
    let (status, in_time) = wait(&mut child, limits.time)?;
    let output = output.join().unwrap_or_default();
    let said = String::from_utf8_lossy(&said.join().unwrap_or_default()).into_owned();
    Ok(Ended { status, output, said, in_time })
}

/// Reads a pipe to its end, beside.
fn collect(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut all = Vec::new();
        if let Some(mut pipe) = pipe {
            // What came until an error is what there is.
            let _ = pipe.read_to_end(&mut all);
        }
        all
    })
}

/// Waits until the child ends, or ends it when its time is over: its status, and whether it ended by itself.
///
/// # Errors
/// The system does not let us wait.
pub fn wait(child: &mut Child, time: Duration) -> Result<(ExitStatus, bool), ReadError> {
    let deadline = Instant::now() + time;
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait().map_err(|error| environment("waiting", &error))? {
            return Ok((status, true));
        }
        if Instant::now() >= deadline {
            let _ = child.kill();
            let status = child.wait().map_err(|error| environment("waiting", &error))?;
            return Ok((status, false));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// The answer within what a child wrote.
fn answer(output: &[u8]) -> Option<Result<Module, ReadError>> {
    let start = output.windows(MARK.len()).position(|window| window == MARK)? + MARK.len();
    let length = u64::from_le_bytes(output.get(start..start + 8)?.try_into().ok()?);
    let length = usize::try_from(length).ok()?;
    let body = output.get(start + 8..(start + 8).checked_add(length)?)?;
    postcard::from_bytes(body).ok()
}

/// The child's part: reads the request from standard input, and writes the answer to standard output. The return value
/// is the exit code.
#[must_use]
pub fn serve() -> i32 {
    let mut request = Vec::new();
    if std::io::stdin().read_to_end(&mut request).is_err() {
        return 1;
    }
    let Ok(request) = postcard::from_bytes::<Request>(&request) else {
        return 1;
    };
    let answer = read_within(&request.inputs, &request.options, &request.folder);
    match postcard::to_stdvec(&answer) {
        Ok(body) if write_answer(&body).is_ok() => 0,
        _ => 1,
    }
}

fn write_answer(body: &[u8]) -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    output.write_all(MARK)?;
    output.write_all(&(body.len() as u64).to_le_bytes())?;
    output.write_all(body)?;
    output.flush()
}

#[cfg(test)]
mod tests;
