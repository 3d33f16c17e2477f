//! Saved runs and the reports made of them: against their schemas, the same at once and later, small.

use super::command::{Finished, run};
use super::schema::{schema, validate};
use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Runs of every kind: violated and proven, sequential and with threads, C and Boolean programs, broken off.
const RUNS: [&str; 8] = [
    "verify examples/c-lock/lock.c --hunt 0",
    "verify examples/c-workers/safe.c --hunt 0",
    "verify examples/c-workers/broken.c",
    "verify examples/c-off-by-one/clear.c --checks bounds",
    "verify examples/c-recursion/walk.c --max-iterations 1",
    "verify examples/c-philosophers/left-first.c --checks deadlock",
    "check examples/lock-broken/lock.bp",
    "check examples/threads/threads.bp --threads 2",
];

pub fn trials() -> Vec<Trial> {
    let mut trials: Vec<Trial> = Vec::new();
    for command in RUNS {
        trials.push(Trial::test(format!("report: {command}"), move || reports(command)));
    }
    trials.push(Trial::test("report: Boolean programs come back from their differences", programs));
    trials.push(Trial::test("report: what is no saved run is refused", refused));
    trials.push(Trial::test("report: a thousand steps and a hundred iterations are small", || {
        let size = std::fs::metadata(large()?)?.len();
        if size < 5_000_000 { Ok(()) } else { Err(format!("{size} bytes").into()) }
    }));
    trials
}

/// A new name below `target`, for files of a test.
pub fn scratch(name: &str) -> Result<PathBuf, Failed> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(&folder)?;
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    Ok(folder.join(format!("{}-{number}-{name}", std::process::id())))
}

static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);

/// Runs a command whose last option wants a file; the file, which is there then.
pub fn saved(command: &str) -> Result<PathBuf, Failed> {
    let path = scratch("report.html")?;
    let finished = run(&format!("{command} {}", path.display()))?;
    if path.is_file() { Ok(path) } else { Err(finished.all().into()) }
}

/// The saved run conforms to its schema, and gives the same reports later.
fn reports(command: &str) -> Result<(), Failed> {
    let [json, html, sarif, dot] = ["run.json", "run.html", "run.sarif", "run.dot"].map(scratch);
    let (json, html, sarif, dot) = (json?, html?, sarif?, dot?);
    let outputs = format!("--html {} --sarif {} --dot {}", html.display(), sarif.display(), dot.display());
    let first = run(&format!("{command} --save-run {} {outputs}", json.display()))?;
    let at_once = [&html, &sarif, &dot].map(std::fs::read_to_string);
    let document: Value = serde_json::from_str(&std::fs::read_to_string(&json)?)
        .map_err(|error| format!("{error}\n{}", first.all()))?;
    let schema = schema("run.schema.json")?;
    validate(&schema, &schema, &document, "run")?;
    agrees(&document, &first)?;
    let again = run(&format!("report {} {outputs}", json.display()))?;
    if again.code != Some(0) {
        return Err(again.all().into());
    }
    for (path, before) in [&html, &sarif, &dot].into_iter().zip(at_once) {
        if std::fs::read_to_string(path)? != before? {
            return Err(format!("{} is another one later", path.display()).into());
        }
    }
    conforms_to_sarif(&serde_json::from_str(&std::fs::read_to_string(&sarif)?)?)?;
    for path in [json, html, sarif, dot] {
        std::fs::remove_file(path)?;
    }
    Ok(())
}

/// The saved run says what the text says.
fn agrees(document: &Value, finished: &Finished) -> Result<(), Failed> {
    let verdict = document["result"]["verdict"].as_str().unwrap_or_default();
    if !finished.last_line().contains(verdict) {
        return Err(format!("saved as {verdict}\n{}", finished.all()).into());
    }
    let violated = |property: &&Value| property["verdict"] == "violated";
    let count = document["properties"].as_array().into_iter().flatten().filter(violated).count();
    let runs = document["counterexamples"].as_array().map_or(0, Vec::len);
    if runs != count.min(5) {
        return Err(format!("{count} violations, {runs} runs").into());
    }
    for found in document["counterexamples"].as_array().into_iter().flatten() {
        let last = found["steps"].as_array().and_then(|steps| steps.last());
        if last.is_none_or(|last| last["kind"] != "violation") {
            return Err("a run does not end with its violation".into());
        }
    }
    Ok(())
}

/// Checks the required parts of SARIF 2.1.0 that we write, by a schema of our own for these.
fn conforms_to_sarif(document: &Value) -> Result<(), Failed> {
    let path = super::root().join("tests/suite/sarif-part.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    validate(&schema, &schema, document, "sarif")?;
    for result in document["runs"][0]["results"].as_array().into_iter().flatten() {
        // 3.27.9: a result of any kind but `fail` has no level.
        if (result["kind"] == "fail") == (result["level"] == "none") {
            return Err(format!("{} with level {}", result["kind"], result["level"]).into());
        }
        let rule = result["ruleIndex"].as_u64().and_then(|at| usize::try_from(at).ok()).unwrap_or(usize::MAX);
        if document["runs"][0]["tool"]["driver"]["rules"][rule]["id"] != result["ruleId"] {
            return Err(format!("rule {rule} is not {}", result["ruleId"]).into());
        }
        for flow in result["codeFlows"].as_array().into_iter().flatten() {
            orders_once(flow)?;
        }
    }
    Ok(())
}

/// Each thread has one flow, and each step a place of its own in the whole.
fn orders_once(flow: &Value) -> Result<(), Failed> {
    let flows = flow["threadFlows"].as_array().ok_or("a code flow has thread flows")?;
    let locations = flows.iter().flat_map(|flow| flow["locations"].as_array().into_iter().flatten());
    let mut orders: Vec<u64> = locations.filter_map(|location| location["executionOrder"].as_u64()).collect();
    orders.sort_unstable();
    if orders.iter().copied().eq(1..=orders.len() as u64) {
        Ok(())
    } else {
        Err(format!("the steps are ordered as {orders:?}").into())
    }
}

/// The Boolean programs of a saved run are those that `--save-iterations` writes.
fn programs() -> Result<(), Failed> {
    let (json, folder) = (scratch("run.json")?, scratch("iterations")?);
    let command = "verify examples/c-state-machine/machine.c --hunt 0";
    run(&format!("{command} --save-run {} --save-iterations {}", json.display(), folder.display()))?;
    let document: Value = serde_json::from_str(&std::fs::read_to_string(&json)?)?;
    let iterations = document["iterations"].as_array().ok_or("there are iterations")?;
    let mut lines: Vec<String> = Vec::new();
    for (number, iteration) in iterations.iter().enumerate() {
        lines = patched(&lines, &iteration["program"])?;
        let written = std::fs::read_to_string(folder.join(format!("{number:03}.bp")))?;
        if !written.lines().eq(&lines) {
            return Err(format!("iteration {number} is another program").into());
        }
    }
    std::fs::remove_dir_all(folder)?;
    Ok(std::fs::remove_file(json)?)
}

fn patched(old: &[String], hunks: &Value) -> Result<Vec<String>, Failed> {
    let (mut new, mut at) = (Vec::new(), 0);
    for hunk in hunks.as_array().ok_or("a difference is a list")? {
        let number =
            |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(0);
        new.extend_from_slice(&old[at..at + number(&hunk[0])]);
        at += number(&hunk[0]) + number(&hunk[1]);
        new.extend(
            hunk[2].as_array().into_iter().flatten().filter_map(|line| Some(line.as_str()?.to_owned())),
        );
    }
    new.extend_from_slice(&old[at..]);
    Ok(new)
}

fn refused() -> Result<(), Failed> {
    let path = scratch("run.json")?;
    let page = scratch("run.html")?;
    let texts = [
        "",
        "{}",
        "[1]",
        "{\"kind\": \"boolero-run\", \"schema\": 99}",
        "{\"kind\": \"boolero-run\", \"schema\": 1}",
    ];
    for text in texts {
        std::fs::write(&path, text)?;
        let finished = run(&format!("report {} --html {}", path.display(), page.display()))?;
        if finished.code != Some(2) || !finished.stderr.starts_with("error: ") || page.exists() {
            return Err(format!("{text}\n{}", finished.all()).into());
        }
    }
    std::fs::remove_file(&path)?;
    let nothing = run("report examples/c-lock/lock.c")?;
    if nothing.code == Some(1) { Ok(()) } else { Err(nothing.all().into()) }
}

/// The report of a run of more than a thousand steps, with a hundred iterations that each differ from the one before.
pub fn large() -> Result<PathBuf, Failed> {
    let (program, json, page) = (scratch("long.c")?, scratch("run.json")?, scratch("large.html")?);
    let text = "#include <assert.h>\nint total;\nint main(void) {\n    for (int i = 0; i < 600; i++)\n        total += i;\n    assert(total == 0);\n}\n";
    std::fs::write(&program, text)?;
    let first = run(&format!("verify {} --save-run {}", program.display(), json.display()))?;
    let mut document: Value = serde_json::from_str(&std::fs::read_to_string(&json)?)
        .map_err(|error| format!("{error}\n{}", first.all()))?;
    document["iterations"] = (0..100).map(iteration).collect();
    document["statements"] = json!([statement()]);
    document["procedures"] = json!([]);
    document["counterexamples"][0]["statements"] = json!([]);
    document["predicates"] = (0..100)
        .map(|number| json!({ "text": format!("i < {number}"), "procedure": "main", "iteration": number, "reason": "guard", "lines": [] }))
        .collect();
    std::fs::write(&json, document.to_string())?;
    let finished = run(&format!("report {} --html {}", json.display(), page.display()))?;
    if !page.is_file() {
        return Err(finished.all().into());
    }
    std::fs::remove_file(program)?;
    std::fs::remove_file(json)?;
    Ok(page)
}

fn statement() -> Value {
    json!({ "procedure": "main", "from": "L1", "to": "L2", "text": "[i < 600] total := total + i, i := i + 1", "place": [0, 5, 9], "last_line": 5, "calls": null, "violates": null })
}

fn iteration(number: usize) -> Value {
    let lines: Vec<String> =
        (0..200).map(|line| format!("  L{line}: b{number} := T constrain !b{line};")).collect();
    let hunk = json!([0, if number == 0 { 0 } else { 50 }, lines[..if number == 0 { 200 } else { 50 }]]);
    let path: Vec<Value> = (0..200).map(|step| json!([0, 0, 0, [2 * (step % 100)]])).collect();
    json!({
        "predicates": (0..=number).collect::<Vec<_>>(), "exclusions": number, "statements": 200, "queries": 10, "cache_hits": 1,
        "engine": "summary", "sources": {}, "result": "1 new predicates", "seconds": { "abstraction": 0.1 }, "program": [hunk],
        "studies": [{ "violates": "main.assert.1", "path": path, "prefix": 150, "contradictions": [[{ "step": 3, "text": "i < 3" }]],
            "predicates": [number], "excluded": [], "result": "1 new predicates" }],
    })
}
