//! Runs the built binary, with a limit on its time.

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a run may take before it counts as hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a run left behind.
pub struct Finished {
    /// The exit code; `None` after a signal.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    pub elapsed: Duration,
}

impl Finished {
    /// The last line of standard output.
    pub fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }

    /// Everything, for messages.
    pub fn all(&self) -> String {
        format!("exit code {:?}\n--- stdout\n{}--- stderr\n{}", self.code, self.stdout, self.stderr)
    }
}

/// The binary, at the top of the package, in a plain environment.
pub fn boolero<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boolero"));
    command.args(arguments).current_dir(super::root()).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env_remove("COLUMNS").env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// Runs a command line given as one text, blanks between the words.
pub fn run(arguments: &str) -> Result<Finished, String> {
    finish(spawn(&mut boolero(arguments.split_whitespace()))?)
}

/// Runs with a text on standard input.
pub fn run_with_input(arguments: &[&str], input: &str) -> Result<Finished, String> {
    let mut child = spawn(boolero(arguments).stdin(Stdio::piped()))?;
    let mut pipe = child.stdin.take().expect("it is piped");
    let input = input.to_owned();
    // A run that ends before it has read everything is no error here.
    let writer = std::thread::spawn(move || drop(pipe.write_all(input.as_bytes())));
    let finished = finish(child);
    let _ = writer.join();
    finished
}

pub fn spawn(command: &mut Command) -> Result<Child, String> {
    command.spawn().map_err(|error| format!("{command:?}: {error}"))
}

/// Waits for the end, with all output.
pub fn finish(mut child: Child) -> Result<Finished, String> {
    let start = Instant::now();
    let stdout = child.stdout.take().map(collect);
    let stderr = child.stderr.take().map(collect);
    let status = wait(&mut child, start)?;
    let text = |reader: Option<JoinHandle<Vec<u8>>>| {
        let bytes = reader.and_then(|reader| reader.join().ok()).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Ok(Finished { code: status.code(), stdout: text(stdout), stderr: text(stderr), elapsed: start.elapsed() })
}

fn collect(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}

fn wait(child: &mut Child, start: Instant) -> Result<ExitStatus, String> {
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(status);
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("it did not end within {PATIENCE:?}"));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
