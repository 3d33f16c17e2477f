//! Programs that say in the comments at their top what is expected of them:
//!
//! ```text
//! // verdict: holds | violated | unknown | unknown(part of the reason)
//! // property: ID holds | violated | unknown      also this one property (repeatable)
//! // engines: all | auto, explicit, summary, counter, …, each perhaps with +oxidd       default: auto, explicit, summary, summary+oxidd, bounded
//! // threads: 3 | unbounded     // args: further arguments      // trace: steps <= 9
//! // without random runs: unknown(part of the reason)      the verdict of the loop alone, if it is another
//! // exit: 2      // stderr: part of a message (repeatable)      for input that is refused
//! // origin: where the program comes from
//! ```
//! A key that is not among these fails. Each is run with each engine; each that is not refused must also survive `fmt`. C programs are verified.

use super::command::{self, Finished};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What a header asks for.
#[derive(Clone, Default)]
struct Header {
    verdict: Option<String>,
    without_runs: Option<String>,
    properties: Vec<String>,
    engines: Vec<String>,
    arguments: Vec<String>,
    steps: Option<u64>,
    exit: Option<i32>,
    stderr: Vec<String>,
}

const ENGINES: [&str; 5] = ["auto", "explicit", "summary", "summary+oxidd", "bounded"];

pub fn trials() -> Vec<Trial> {
    let paths = ["tests", "examples"].into_iter().flat_map(|folder| super::files(folder, "bp"));
    let c = ["tests/verify", "examples"].into_iter().flat_map(|folder| super::files(folder, "c"));
    let programs = paths.flat_map(|path| trials_of(&path)).chain(c.flat_map(|path| trials_of_c(&path)));
    programs.chain([Trial::test("headers with unknown keys fail", unknown_keys_fail)]).collect()
}

fn unknown_keys_fail() -> Result<(), Failed> {
    let problem = parse("// verdict: holds\n// engine: all\nvoid main() begin end").err();
    if problem.as_deref() != Some("the header has an unknown key `engine`") {
        return Err(format!("{problem:?}").into());
    }
    parse("// verdict: holds\n// Peterson's algorithm: two threads\n").map(|_| ()).map_err(Failed::from)
}

/// A C program is verified, with random runs and without.
fn trials_of_c(path: &Path) -> Vec<Trial> {
    let text = std::fs::read_to_string(super::root().join(path)).expect("the program can be read");
    let name = path.display().to_string();
    let header = match parse(&text) {
        Ok(header) => header,
        Err(problem) => return vec![Trial::test(name, move || Err(problem.into()))],
    };
    if matches!(header.exit, Some(1 | 2)) {
        let path = path.to_owned();
        return vec![Trial::test(name, move || refused(&path, &header, "verify"))];
    }
    let ways = [("verify", "2000"), ("verify without random runs", "0")];
    let trial = |(way, runs): (&str, &'static str)| {
        let (path, mut header) = (path.to_owned(), header.clone());
        if runs == "0" && header.without_runs.is_some() {
            header.verdict = header.without_runs.take();
        }
        Trial::test(format!("{name} ({way})"), move || verified(&path, &header, runs))
    };
    ways.into_iter().map(trial).collect()
}

/// The loop comes to the expected verdict.
fn verified(path: &Path, header: &Header, runs: &str) -> Result<(), Failed> {
    let mut arguments: Vec<String> = vec!["verify".into(), path.display().to_string()];
    arguments.extend(["--json", "-", "--timeout", "120s", "--hunt", runs].map(str::to_owned));
    arguments.extend(header.arguments.iter().cloned());
    let finished = command::finish(command::spawn(&mut command::boolero(&arguments))?)?;
    let report: Value = serde_json::from_str(&finished.stdout)
        .map_err(|error| format!("no JSON: {error}\n{}", finished.all()))?;
    verdict(header, &report, &finished)
        .and_then(|()| properties(header, &report))
        .map_err(|problem| format!("{problem}\n{}", finished.all()).into())
}

fn trials_of(path: &Path) -> Vec<Trial> {
    let text = std::fs::read_to_string(super::root().join(path)).expect("the program can be read");
    let name = path.display().to_string();
    let header = match parse(&text) {
        Ok(header) => header,
        Err(problem) => return vec![Trial::test(name, move || Err(problem.into()))],
    };
    if matches!(header.exit, Some(1 | 2)) {
        let path = path.to_owned();
        return vec![Trial::test(name, move || refused(&path, &header, "list"))];
    }
    let mut trials: Vec<Trial> = Vec::new();
    for engine in header.engines.clone() {
        let (path, header) = (path.to_owned(), header.clone());
        let name = format!("{name} ({engine})");
        trials.push(Trial::test(name, move || decided(&path, &header, &engine)));
    }
    let path = path.to_owned();
    trials.push(Trial::test(format!("{name} (fmt)"), move || formatted(&path, &text)));
    trials
}

/// Whether a line with a colon is meant as `key: value`: up to three words in small letters. All else is prose.
fn is_key(text: &str) -> bool {
    let word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase());
    text.split(' ').all(word) && text.split(' ').count() <= 3
}

/// The header: comments before anything else.
fn parse(text: &str) -> Result<Header, String> {
    let mut header = Header::default();
    for line in text.lines().map_while(|line| line.strip_prefix("//")) {
        let Some((key, value)) = line.trim().split_once(": ") else { continue };
        let words = || value.split(',').map(|word| word.trim().to_owned());
        match key {
            "verdict" => header.verdict = Some(value.to_owned()),
            "without random runs" => header.without_runs = Some(value.to_owned()),
            "property" => header.properties.push(value.to_owned()),
            "engines" if value == "all" => {}
            "engines" => header.engines.extend(words()),
            "threads" => header.arguments.extend(["--threads".to_owned(), value.to_owned()]),
            "args" => header.arguments.extend(value.split_whitespace().map(str::to_owned)),
            "trace" => header.steps = Some(steps(value)?),
            "exit" => header.exit = Some(value.parse().map_err(|_| format!("exit: {value}"))?),
            "stderr" => header.stderr.push(value.to_owned()),
            "origin" => {}
            key if is_key(key) => return Err(format!("the header has an unknown key `{key}`")),
            _ => {}
        }
    }
    if header.engines.is_empty() {
        header.engines = ENGINES.map(str::to_owned).into();
    }
    match (&header.verdict, header.exit, header.stderr.is_empty()) {
        (None, None, _) => Err("the header has neither `verdict` nor `exit`".to_owned()),
        (None, Some(1 | 2), true) => Err("the header does not tell what is printed on `stderr`".to_owned()),
        _ => Ok(header),
    }
}

fn steps(value: &str) -> Result<u64, String> {
    let number = value.strip_prefix("steps <= ").and_then(|number| number.parse().ok());
    number.ok_or_else(|| format!("`trace: {value}` should be `trace: steps <= N`"))
}

/// The program is wrong, or an option: the exit code and these messages, nothing on standard output.
fn refused(path: &Path, header: &Header, command: &str) -> Result<(), Failed> {
    let mut arguments = vec![command.to_owned(), path.display().to_string()];
    arguments.extend(header.arguments.iter().cloned());
    let finished = command::finish(command::spawn(&mut command::boolero(&arguments))?)?;
    let missing: Vec<&String> =
        header.stderr.iter().filter(|part| !finished.stderr.contains(*part)).collect();
    if finished.code == header.exit && missing.is_empty() && finished.stdout.is_empty() {
        return Ok(());
    }
    Err(format!("expected exit code {:?} and {missing:?} in\n{}", header.exit, finished.all()).into())
}

/// An engine comes to the expected verdict.
fn decided(path: &Path, header: &Header, engine: &str) -> Result<(), Failed> {
    let (engine, back_end) = engine.split_once('+').unwrap_or((engine, "biodivine"));
    let mut arguments: Vec<String> = vec!["check".into(), path.display().to_string()];
    arguments.extend(
        ["--json", "-", "--timeout", "30s", "--engine", engine, "--bdd", back_end].map(str::to_owned),
    );
    arguments.extend(header.arguments.iter().cloned());
    let finished = command::finish(command::spawn(&mut command::boolero(&arguments))?)?;
    let report: Value = serde_json::from_str(&finished.stdout)
        .map_err(|error| format!("no JSON: {error}\n{}", finished.all()))?;
    verdict(header, &report, &finished)
        .and_then(|()| properties(header, &report))
        .and_then(|()| trace(header, &report))
        .map_err(|problem| format!("{problem}\n{}", finished.all()).into())
}

fn verdict(header: &Header, report: &Value, finished: &Finished) -> Result<(), String> {
    let expected = header.verdict.as_deref().unwrap_or_default();
    let (word, reason) = expected.trim_end_matches(')').split_once('(').unwrap_or((expected, ""));
    let (result, because) = (report["result"].as_str(), report["reason"].as_str().unwrap_or_default());
    if result != Some(word) || !because.contains(reason) {
        return Err(format!("expected {expected}, got {result:?} {because}"));
    }
    let code = match word {
        "holds" => 0,
        "violated" => 10,
        _ => 5,
    };
    if finished.code != Some(header.exit.unwrap_or(code)) {
        return Err(format!("expected exit code {code}"));
    }
    let missing = header.stderr.iter().find(|part| !finished.stderr.contains(*part));
    missing.map_or(Ok(()), |part| Err(format!("expected {part:?} on standard error")))
}

fn properties(header: &Header, report: &Value) -> Result<(), String> {
    let entries = report["properties"].as_array().ok_or("the report has no properties")?;
    for expected in &header.properties {
        let (id, word) = expected.split_once(' ').ok_or("write `property: ID verdict`")?;
        let entry = entries.iter().find(|entry| entry["id"] == *id);
        let found = entry.map(|entry| &entry["verdict"]);
        if found.and_then(Value::as_str) != Some(word) {
            return Err(format!("expected {id} to be {word}, got {found:?}"));
        }
    }
    Ok(())
}

fn trace(header: &Header, report: &Value) -> Result<(), String> {
    let Some(limit) = header.steps else { return Ok(()) };
    let entries = report["properties"].as_array().into_iter().flatten();
    let lengths: Vec<u64> = entries.filter_map(|entry| entry["trace"]["steps"].as_u64()).collect();
    match lengths.iter().max() {
        None => Err("there is no trace".to_owned()),
        Some(&longest) if longest > limit => Err(format!("a trace has {longest} steps, more than {limit}")),
        Some(_) => Ok(()),
    }
}

/// Formatting accepts the program, and its own output without change.
fn formatted(path: &Path, text: &str) -> Result<(), Failed> {
    let once = command::run_with_input(&["fmt", "-"], text)?;
    let twice = command::run_with_input(&["fmt", "-"], &once.stdout)?;
    if once.code != Some(0) || twice.code != Some(0) || once.stdout != twice.stdout {
        return Err(format!("first\n{}\nthen\n{}", once.all(), twice.all()).into());
    }
    // Examples are also models of how to write programs.
    if path.starts_with("examples") && once.stdout != text {
        return Err(format!("not formatted; expected\n{}", once.stdout).into());
    }
    Ok(())
}

/// A program for the other modules of the suite.
pub fn program(name: &str) -> PathBuf {
    super::root().join("tests/programs").join(name)
}
