//! One property of a lock, among copies of functions of a driver that have nothing to do with it.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The irrelevant functions; N is the number of the copy.
const COPY: &str = include_str!("copy.c");

fn program(copies: usize) -> String {
    let mut text = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nstatic int lock, opened;\n\
                    static void acquire(void) { lock = lock + 1; }\nstatic void release(void) { lock = lock - 1; }\n"
        .to_owned();
    (0..copies).for_each(|number| text += &COPY.replace('N', &number.to_string()));
    text += "int main(void) {\n  int done = 0;\n  while (!done) {\n    int cmd = __VERIFIER_nondet_int(), arg = __VERIFIER_nondet_int(), old;\n\
             do {\n      acquire();\n      assert(lock == 1);\n      old = opened;\n";
    for number in 0..copies {
        let _ = writeln!(text, "      if (cmd == {number}) use{number}(arg, cmd);");
    }
    text + "      done = __VERIFIER_nondet_int();\n      if (arg > 0) { release(); opened++; }\n    } while (opened != old);\n    assert(lock == 1);\n    release();\n  }\n  return 0;\n}\n"
}

/// The time of a verification without that of reading and lowering, which `list` takes as well.
pub fn after_reading(boolero: &Path, copies: usize) -> Duration {
    let file = std::env::temp_dir().join(format!("boolero-driver-{copies}-{}.c", std::process::id()));
    std::fs::write(&file, program(copies)).expect("there is room");
    let run = |arguments: &[&str]| {
        let start = Instant::now();
        let mut command = Command::new(boolero);
        command.args(arguments).arg(&file).stdout(Stdio::null()).status().expect("boolero runs");
        start.elapsed()
    };
    let shortest = |arguments: &[&str]| (0..3).map(|_| run(arguments)).min().expect("three runs");
    let (all, reading) = (shortest(&["verify", "--hunt", "0", "-q"]), shortest(&["list"]));
    let _ = std::fs::remove_file(&file);
    all.saturating_sub(reading)
}
