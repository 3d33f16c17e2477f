//! `boolero replay`: compiles a C program together with a harness and runs it. This is native code, and the only command
//! that runs any.

use super::arguments::Replay;
use super::c;
use super::ending::{complain, print};
use super::load::Refused;
use crate::api::{Refusal, Sources, sources};
use crate::ground::exit::Exit;
use crate::llvm::read::ReadError;
use crate::llvm::read::child::wait;
use crate::llvm::read::clang::link;
use crate::llvm::read::program::Folder;
use crate::report::harness::REACHED;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitStatus, Stdio};

/// How sanitizers end the process.
const FAULT: i32 = 77;

/// The signal of `abort`.
const ABORT: i32 = 6;

/// Runs the command.
pub fn run(arguments: &Replay) -> Exit {
    match replay(arguments) {
        Ok(exit) | Err(Refused(exit)) => exit,
    }
}

fn replay(arguments: &Replay) -> Result<Exit, Refused> {
    let environment = |what: &str, error: &dyn std::fmt::Display| {
        complain(&format!("{what}: {error}"));
        Refused(Exit::Input)
    };
    let refuse = |error: ReadError| c::refuse(&Refusal::from(error));
    let sources = sources(&c::input(&arguments.file, &arguments.c)).map_err(|refusal| c::refuse(&refusal))?;
    let Sources { mut files, compile, .. } = sources;
    files.push(arguments.harness.clone());
    let folder = Folder::new().map_err(|error| environment("a temporary folder", &error))?;
    let program = folder.0.join("program");
    let sanitizers = !c::checks(&arguments.c.checks).is_empty();
    link(&files, &program, &compile, sanitizers).map_err(refuse)?;
    let mut child = Command::new(&program)
        .env("ASAN_OPTIONS", format!("exitcode={FAULT}"))
        .env("UBSAN_OPTIONS", format!("exitcode={FAULT}"))
        .stdin(Stdio::null())
        .spawn()
        .map_err(|error| environment("the compiled program", &error))?;
    let (status, in_time) = wait(&mut child, arguments.timeout).map_err(refuse)?;
    Ok(told(status, in_time))
}

/// What the end of the process shows.
fn told(status: ExitStatus, in_time: bool) -> Exit {
    let (text, exit) = match (in_time, status.code(), status.signal()) {
        (false, ..) => ("result: unknown (timeout)".to_owned(), Exit::Unknown),
        (_, Some(REACHED | FAULT), _) | (_, _, Some(ABORT)) => {
            ("result: violated".to_owned(), Exit::Violated)
        }
        _ => (
            format!("result: unknown (the compiled program ends without a failure: {status})"),
            Exit::Unknown,
        ),
    };
    print(&format!("{text}\n"));
    exit
}
