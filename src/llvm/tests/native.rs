//! The compiled program: what the processor does.

use crate::llvm::read::clang::{DataModel, find};
use crate::llvm::read::program::Folder;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// What became of a program.
pub(super) enum Native {
    /// It ran.
    Ran(Output),
    /// It took too long.
    Slow,
    /// It does not compile; what clang says.
    Refused(String),
}

/// Programs that run longer are not compared.
const PATIENCE: Duration = Duration::from_secs(2);

/// Compiles and runs a program, with `NATIVE` defined.
pub(super) fn run(source: &str, model: DataModel, options: &[&str], environment: &[(&str, &str)]) -> Native {
    let folder = Folder::new().unwrap();
    let (path, program) = (folder.0.join("test.c"), folder.0.join("test"));
    std::fs::write(&path, source).unwrap();
    let width = if model == DataModel::Lp64 { "-m64" } else { "-m32" };
    let mut clang = Command::new(find().unwrap());
    clang.args(["-w", "-O0", "-DNATIVE", width]).args(options).arg("-o").arg(&program).arg(&path);
    let compiled = clang.output().unwrap();
    if !compiled.status.success() {
        return Native::Refused(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    let mut run = Command::new(&program);
    run.envs(environment.iter().copied()).stdin(Stdio::null());
    let mut child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            return Native::Slow;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Native::Ran(child.wait_with_output().unwrap())
}

/// The number behind a word in the output.
pub(super) fn number_behind(output: &[u8], word: &str, radix: u32) -> Option<u64> {
    let text = String::from_utf8_lossy(output).into_owned();
    let rest = text.split(word).nth(1)?;
    u64::from_str_radix(rest.split_whitespace().next()?, radix).ok()
}
