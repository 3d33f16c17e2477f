//! The process as a whole: limits, signals, pipes, files, hostile input.

use super::command::{self, Finished, boolero, finish, run, run_with_input, spawn};
use super::programs::program;
use libtest_mimic::{Failed, Trial};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

type Test = fn() -> Result<(), Failed>;

pub fn trials() -> Vec<Trial> {
    let tests: [(&str, Test); 28] = [
        ("a timeout is unknown", timeout),
        ("a timeout is told in JSON, too", timeout_in_json),
        ("a timeout covers reading", timeout_while_reading),
        ("a memory limit is unknown", memory),
        ("an interrupt ends the run with what it has", interrupt),
        ("an interrupt ends a run that waits for the solver", interrupt_while_solving),
        ("a second interrupt ends the run at once", second_interrupt),
        ("a termination signal is an interrupt", termination),
        ("a closed pipe is no panic", closed_pipe),
        ("a panic is an internal error", panic),
        ("a wrong counterexample is a defect, not a violation", defect),
        ("a wrong counterexample of an abstraction is a defect", defect_in_verify),
        ("a panic while formatting has no result", panic_in_list),
        ("the report is the same every time", same_bytes),
        ("the JSON report goes to a file", json_file),
        ("a JSON report that cannot be written is told before the work", json_unwritable),
        ("wrong input leaves no empty JSON report", json_of_wrong_input),
        ("an interrupt while reading ends the run at once", interrupt_while_reading),
        ("many undeclared names are no problem", many_undeclared),
        ("fmt rewrites files in place", fmt_in_place),
        ("fmt leaves wrong files alone", fmt_wrong_file),
        ("bytes that are not UTF-8 may stand in comments", not_utf8),
        ("deep parentheses are refused", deep_parentheses),
        ("deep statements are refused", deep_statements),
        ("very many labels are no problem", many_labels),
        ("a long expression is no problem", long_expression),
        ("a net with a million states is no problem", many_states),
        ("under the name boom it is BOOM", called_boom),
    ];
    tests.into_iter().map(|(name, test)| Trial::test(format!("process: {name}"), test)).collect()
}

fn expect(condition: bool, what: &str, finished: &Finished) -> Result<(), Failed> {
    if condition { Ok(()) } else { Err(format!("expected {what}, got\n{}", finished.all()).into()) }
}

/// A run that has no end: so many states that no engine enumerates them.
fn endless() -> String {
    format!("check {} --engine explicit --threads 1000", program("endless.bp").display())
}

fn timeout() -> Result<(), Failed> {
    let finished = run(&format!("{} --timeout 100ms", endless()))?;
    expect(finished.code == Some(5), "exit code 5", &finished)?;
    expect(finished.last_line() == "result: unknown (timeout)", "the result", &finished)?;
    expect(finished.elapsed < Duration::from_secs(10), "an end in time", &finished)
}

fn timeout_in_json() -> Result<(), Failed> {
    let finished = run(&format!("{} --timeout 100ms --json -", endless()))?;
    let report: serde_json::Value =
        serde_json::from_str(&finished.stdout).map_err(|error| error.to_string())?;
    expect(report["result"] == "unknown" && report["reason"] == "timeout", "the result in JSON", &finished)?;
    expect(finished.code == Some(5), "exit code 5", &finished)
}

fn timeout_while_reading() -> Result<(), Failed> {
    // Nobody writes to the pipe and nobody closes it.
    let mut child = spawn(boolero(["check", "-", "--timeout", "200ms"]).stdin(Stdio::piped()))?;
    let pipe = child.stdin.take();
    let finished = finish(child)?;
    drop(pipe);
    expect(finished.last_line() == "result: unknown (timeout)", "the result", &finished)?;
    expect(finished.code == Some(5), "exit code 5", &finished)
}

fn memory() -> Result<(), Failed> {
    let finished = run(&format!("{} --memory 20MiB --timeout 30s", endless()))?;
    expect(finished.last_line() == "result: unknown (memory)", "the result", &finished)?;
    expect(finished.code == Some(5), "exit code 5", &finished)
}

fn signal(child: &Child, name: &str) -> Result<(), String> {
    // The shell's own `kill`: not every system has a program of that name.
    let status = Command::new("sh").args(["-c", &format!("kill -{name} {}", child.id())]).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        other => Err(format!("kill -{name}: {other:?}")),
    }
}

/// Starts the endless run and waits until it is at work: its first note is printed.
fn started() -> Result<Child, String> {
    use std::io::Read;
    let mut child = spawn(&mut boolero(format!("{} --verbose", endless()).split(' ')))?;
    let mut byte = [0];
    let stderr = child.stderr.as_mut().expect("it is piped");
    stderr.read_exact(&mut byte).map_err(|error| format!("the run says nothing: {error}"))?;
    Ok(child)
}

fn interrupted_by(name: &str) -> Result<(), Failed> {
    let child = started()?;
    signal(&child, name)?;
    let finished = finish(child)?;
    expect(finished.last_line() == "result: unknown (interrupted)", "the result", &finished)?;
    expect(finished.code == Some(130), "exit code 130", &finished)
}

fn interrupt() -> Result<(), Failed> {
    interrupted_by("INT")
}

fn termination() -> Result<(), Failed> {
    interrupted_by("TERM")
}

/// A factorisation: the solver has no answer for a long time.
const FACTORS: &str = "unsigned long __VERIFIER_nondet_ulong(void);
void reach_error(void);
int main(void) {
  unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
  if (a > 1 && b > 1 && a >> 32 == 0 && b >> 32 == 0 && a * b == 0x7fffffffffffffe7) reach_error();
}
";

fn interrupt_while_solving() -> Result<(), Failed> {
    let folder = folder("solving")?;
    let path = folder.join("factors.c");
    std::fs::write(&path, FACTORS)?;
    for delay in [400, 800, 1200, 1600] {
        let child = spawn(boolero(["verify", "--hunt", "1"]).arg(&path))?;
        std::thread::sleep(Duration::from_millis(delay));
        signal(&child, "INT")?;
        let start = Instant::now();
        let finished = finish(child)?;
        expect(start.elapsed() < Duration::from_secs(3), "an end soon", &finished)?;
        expect(finished.last_line() == "result: unknown (interrupted)", "the result", &finished)?;
        expect(finished.code == Some(130), "exit code 130", &finished)?;
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

fn second_interrupt() -> Result<(), Failed> {
    let child = started()?;
    signal(&child, "INT")?;
    std::thread::sleep(Duration::from_millis(20));
    // The run may have ended by now, which is as good.
    let _ = signal(&child, "INT");
    let start = Instant::now();
    let finished = finish(child)?;
    expect(start.elapsed() < Duration::from_secs(5), "an end at once", &finished)?;
    expect(finished.code == Some(130), "exit code 130", &finished)
}

fn interrupt_while_reading() -> Result<(), Failed> {
    // Nobody writes to the pipe and nobody closes it.
    let mut child = spawn(boolero(["check", "-"]).stdin(Stdio::piped()))?;
    let pipe = child.stdin.take();
    std::thread::sleep(Duration::from_millis(500));
    signal(&child, "INT")?;
    let finished = finish(child)?;
    drop(pipe);
    expect(finished.last_line() == "result: unknown (interrupted)", "the result", &finished)?;
    expect(finished.code == Some(130), "exit code 130", &finished)
}

fn closed_pipe() -> Result<(), Failed> {
    for arguments in ["check --trace full", "list", "emit dot", "emit cfg"] {
        let program = program("violated.bp").display().to_string();
        let words: Vec<&str> = arguments.split(' ').chain([program.as_str()]).collect();
        let mut child = spawn(&mut boolero(&words))?;
        drop(child.stdout.take());
        let finished = finish(child)?;
        let expected = if arguments.starts_with("check") { 10 } else { 0 };
        expect(finished.code == Some(expected), &format!("exit code {expected}"), &finished)?;
        expect(finished.stderr.is_empty(), "nothing on standard error", &finished)?;
    }
    Ok(())
}

/// Debug builds panic on demand, so that the handling can be tried out.
fn panicking(arguments: &str) -> Result<Finished, String> {
    finish(spawn(boolero(arguments.split(' ')).env("BOOLERO_TEST_PANIC", "1"))?)
}

fn panic() -> Result<(), Failed> {
    if !cfg!(debug_assertions) {
        return Ok(());
    }
    let finished = panicking("check tests/programs/violated.bp")?;
    expect(finished.code == Some(6), "exit code 6", &finished)?;
    expect(finished.stdout == "result: unknown (internal error)\n", "the result", &finished)?;
    let version = env!("CARGO_PKG_VERSION");
    for part in ["report", version, "check tests/programs/violated.bp"] {
        expect(finished.stderr.contains(part), part, &finished)?;
    }
    let finished = panicking("check tests/programs/violated.bp --json -")?;
    expect(finished.stdout.contains("\"reason\": \"internal error\""), "the result in JSON", &finished)
}

/// Debug builds spoil counterexamples on demand: the replay must notice.
fn spoiled(arguments: &str) -> Result<Finished, String> {
    finish(spawn(boolero(arguments.split(' ')).env("BOOLERO_TEST_DEFECT", "1"))?)
}

/// The end of a run that has noticed a defect of ours: exit code 6, no verdict, and the request for a report.
fn is_defect(arguments: &str) -> Result<(), Failed> {
    if !cfg!(debug_assertions) {
        return Ok(());
    }
    let finished = spoiled(arguments)?;
    expect(finished.code == Some(6), "exit code 6", &finished)?;
    expect(finished.last_line().starts_with("result: unknown (replay mismatch: "), "the result", &finished)?;
    expect(!finished.stdout.contains("violated  "), "no violation", &finished)?;
    for part in ["Boolero has a defect", "Please report it", env!("CARGO_PKG_VERSION"), arguments] {
        expect(finished.stderr.contains(part), part, &finished)?;
    }
    let finished = spoiled(&format!("{arguments} --json -"))?;
    expect(finished.code == Some(6), "exit code 6 with JSON", &finished)?;
    expect(finished.stdout.contains("\"reason\": \"replay mismatch: "), "the result in JSON", &finished)
}

fn defect() -> Result<(), Failed> {
    for engine in ["auto", "explicit", "summary", "bounded"] {
        is_defect(&format!("check tests/programs/violated.bp --engine {engine}"))?;
    }
    Ok(())
}

fn defect_in_verify() -> Result<(), Failed> {
    is_defect("verify examples/c-off-by-one/clear.c --checks bounds --hunt 0")
}

fn panic_in_list() -> Result<(), Failed> {
    if !cfg!(debug_assertions) {
        return Ok(());
    }
    let finished = panicking("list tests/programs/violated.bp")?;
    expect(finished.code == Some(6) && finished.stdout.is_empty(), "exit code 6 and no output", &finished)
}

fn same_bytes() -> Result<(), Failed> {
    for name in ["violated.bp", "threads.bp", "several.bp"] {
        for extra in ["", "--json -", "--trace full", "--bdd oxidd"] {
            let command = format!("check {} {extra}", program(name).display());
            let (first, second) = (run(&command)?, run(&command)?);
            expect(first.stdout == second.stdout, "the same output twice", &second)?;
        }
    }
    Ok(())
}

/// A fresh folder; the system cleans it up.
fn folder(name: &str) -> Result<PathBuf, String> {
    let path = std::env::temp_dir().join(format!("boolero-suite-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&path).map_err(|error| error.to_string())?;
    Ok(path)
}

fn json_file() -> Result<(), Failed> {
    let folder = folder("json")?;
    let path = folder.join("report.json");
    let finished = run(&format!("check {} --json {}", program("violated.bp").display(), path.display()))?;
    let report = std::fs::read_to_string(&path)?;
    std::fs::remove_dir_all(&folder)?;
    expect(finished.last_line() == "result: violated", "the text report as well", &finished)?;
    expect(report.contains("\"result\": \"violated\""), "the JSON report in the file", &finished)
}

fn json_unwritable() -> Result<(), Failed> {
    let finished = run(&format!("{} --json nowhere/at/all.json", endless()))?;
    expect(finished.code == Some(1), "exit code 1", &finished)?;
    expect(finished.stderr.contains("nowhere/at/all.json"), "the name of the file", &finished)
}

fn json_of_wrong_input() -> Result<(), Failed> {
    let folder = folder("withdrawn")?;
    let (wrong, report) = (folder.join("wrong.bp"), folder.join("report.json"));
    std::fs::write(&wrong, "void main() begin a := ; end")?;
    let finished = run(&format!("check {} --json {}", wrong.display(), report.display()))?;
    let left = report.exists();
    std::fs::remove_dir_all(&folder)?;
    expect(finished.code == Some(2), "exit code 2", &finished)?;
    expect(!left, "no report", &finished)
}

fn fmt_in_place() -> Result<(), Failed> {
    let folder = folder("fmt")?;
    let (ugly, pretty) = (folder.join("ugly.bp"), folder.join("pretty.bp"));
    std::fs::write(&ugly, "decl   a ; void main( ) begin a:=1 ; end")?;
    let finished = run(&format!("fmt --check {}", ugly.display()))?;
    expect(
        finished.code == Some(1) && finished.stdout.contains("ugly.bp"),
        "fmt --check to find it",
        &finished,
    )?;
    let finished = run(&format!("fmt {}", ugly.display()))?;
    expect(finished.code == Some(0) && finished.stdout.is_empty(), "fmt to be quiet", &finished)?;
    std::fs::copy(&ugly, &pretty)?;
    let finished = run(&format!("fmt --check {} {}", ugly.display(), pretty.display()))?;
    let text = std::fs::read_to_string(&ugly)?;
    std::fs::remove_dir_all(&folder)?;
    expect(finished.code == Some(0) && finished.stdout.is_empty(), "nothing left to format", &finished)?;
    expect(text.lines().count() > 3, "the file on several lines", &finished)
}

fn fmt_wrong_file() -> Result<(), Failed> {
    let folder = folder("wrong")?;
    let (wrong, ugly) = (folder.join("wrong.bp"), folder.join("ugly.bp"));
    let text = "decl a;\nvoid main() begin a := ; end";
    std::fs::write(&wrong, text)?;
    std::fs::write(&ugly, "void   main() begin skip; end")?;
    let finished = run(&format!("fmt {} {}", wrong.display(), ugly.display()))?;
    let (left, right) = (std::fs::read_to_string(&wrong)?, std::fs::read_to_string(&ugly)?);
    std::fs::remove_dir_all(&folder)?;
    expect(finished.code == Some(2), "exit code 2", &finished)?;
    expect(left == text, "the wrong file as it was", &finished)?;
    expect(right.starts_with("void main()"), "the other file formatted", &finished)
}

fn not_utf8() -> Result<(), Failed> {
    let folder = folder("utf8")?;
    let files: [(&str, &[u8], i32); 4] = [
        ("comment.bp", b"decl a; // caf\xe9\nvoid main() begin a := T; assert(a); end\n", 0),
        ("names.bp", b"decl {\xe9}, {\xe8}; void main() begin {\xe9} := T; {\xe8} := F; assert({\xe9}); end\n", 0),
        ("outside.bp", b"decl caf\xe9; void main() begin skip; end\n", 2),
        (
            "comment.spec",
            b"# caf\xe9\nvars x y\nrules x >= 1 -> x' = x - 1, y' = y + 1;\ninit x = 1, y = 0\ntarget y >= 2\n",
            0,
        ),
    ];
    for (name, text, code) in files {
        let path = folder.join(name);
        std::fs::write(&path, text)?;
        let finished = run(&format!("check {}", path.display()))?;
        expect(finished.code == Some(code), &format!("exit code {code} of {name}"), &finished)?;
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

/// A message and exit code 2, soon, whatever the size.
fn refused_soon(program: &str) -> Result<(), Failed> {
    let finished = run_with_input(&["check", "-"], program)?;
    expect(finished.code == Some(2), "exit code 2", &finished)?;
    expect(finished.stderr.contains("error"), "a message", &finished)?;
    expect(finished.stderr.len() < 20_000, "a short message", &finished)?;
    expect(finished.elapsed < Duration::from_secs(30), "an end in time", &finished)
}

fn many_undeclared() -> Result<(), Failed> {
    let number = 10_000;
    let declared: Vec<String> = (0..number).map(|n| format!("variable{n}")).collect();
    let assignments: String = (0..number).map(|n| format!("variabl{n} := T;\n")).collect();
    let program = format!("decl {};\nvoid main() begin {assignments} end", declared.join(", "));
    let finished = run_with_input(&["check", "-"], &program)?;
    expect(finished.stderr.ends_with("10000 errors (9950 messages not shown)\n"), "the number", &finished)?;
    expect(finished.elapsed < Duration::from_secs(60), "an end in time", &finished)
}

fn deep_parentheses() -> Result<(), Failed> {
    let depth = 1_000_000;
    refused_soon(&format!("void main() begin assert({}1{}); end", "(".repeat(depth), ")".repeat(depth)))?;
    refused_soon(&format!("void main() begin assert({}1); end", "!(".repeat(depth)))?;
    refused_soon(&"(".repeat(depth))
}

fn deep_statements() -> Result<(), Failed> {
    let depth = 200_000;
    let (heads, feet) = ("if (*) then ".repeat(depth), "fi ".repeat(depth));
    refused_soon(&format!("void main() begin {heads} skip; {feet} end"))?;
    refused_soon(&format!("void main() begin {heads}"))
}

fn holds_in_time(program: &str) -> Result<(), Failed> {
    let finished = command::run_with_input(&["check", "-", "-q"], program)?;
    expect(finished.code == Some(0), "exit code 0", &finished)
}

fn many_labels() -> Result<(), Failed> {
    let labels: String = (0..100_000).map(|number| format!("L{number}: skip;\n")).collect();
    holds_in_time(&format!("void main() begin goto L7, L99999;\n{labels} assert(1); end"))
}

fn long_expression() -> Result<(), Failed> {
    let chain = "a & b | ".repeat(50_000);
    holds_in_time(&format!("decl a, b; void main() begin a, b := 1, 1; assert({chain} a); end"))
}

fn many_states() -> Result<(), Failed> {
    let target = super::root().join("tests/nets/handover-safe.prop").display().to_string();
    let text = "1000000 1000000\n0 0 -> 999999 999999\n999999 999999 -> 1 1\n";
    let finished = run_with_input(&["check", "-", "--target", &target, "--init", "0|0"], text)?;
    expect(finished.code == Some(0), "exit code 0", &finished)?;
    expect(finished.last_line() == "result: holds", "the result", &finished)
}

fn called_boom() -> Result<(), Failed> {
    let folder = std::env::temp_dir().join(format!("boolero-boom-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let boom = folder.join("boom");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_boolero"), &boom)?;
    let mut command = Command::new(&boom);
    command.args(["--stats", "-t", "--threadbound", "2"]).arg(program("satabs.bp"));
    let child = spawn(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
    let finished = child.and_then(finish);
    std::fs::remove_dir_all(&folder)?;
    let finished = finished?;
    expect(finished.last_line() == "VERIFICATION FAILED", "the verdict line", &finished)?;
    expect(finished.stdout.contains("\nTRACE t=1 l1 PC7 "), "the steps of both threads", &finished)?;
    expect(finished.code == Some(0), "exit code 0", &finished)
}
