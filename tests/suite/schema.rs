//! The JSON reports against `grammar/report.schema.json` and `grammar/verify.schema.json`, by a validator for as much of JSON Schema as it uses.

use super::command::run;
use super::programs::program;
use libtest_mimic::{Failed, Trial};
use serde_json::Value;

pub fn trials() -> Vec<Trial> {
    let commands = [
        "check {} --json - violated.bp",
        "check {} --json - --trace full several.bp",
        "check {} --json - --trace none several.bp",
        "check {} --json - --stats holds.bp",
        "check {} --json - --threads 2 threads.bp",
        "check {} --json - --threads 2 broadcast.bp",
        "check {} --json - --timeout 100ms --engine explicit --threads 1000 endless.bp",
        "check {} --json - nothing.bp",
        "check {} --json - --engine bounded --proof target/no-such-folder violated.bp",
        "list {} --json - several.bp",
        "check {} --json - ../nets/flush.spec",
        "check {} --json - --stats ../nets/copy.spec",
        "check {} --json - --target tests/nets/handover-unsafe.prop ../nets/handover.tts",
    ];
    let mut trials: Vec<Trial> = Vec::new();
    for command in commands {
        trials.push(Trial::test(format!("schema: {command}"), move || conforms(command)));
    }
    let verifications = [
        "verify examples/c-lock/lock.c --json -",
        "verify examples/c-workers/safe.c --json - --hunt 0",
        "verify examples/c-workers/broken.c --json -",
        "verify examples/c-off-by-one/clear.c --checks bounds --json - --stats",
        "verify examples/c-off-by-one/clear.c --checks bounds --json - --trace none --hunt 0",
        "verify examples/c-recursion/walk.c --max-iterations 1 --json -",
    ];
    for command in verifications {
        trials.push(Trial::test(format!("schema: {command}"), move || verification(command)));
    }
    trials.push(Trial::test("schema: the validator finds faults", finds_faults));
    trials
}

pub fn schema(name: &str) -> Result<Value, Failed> {
    let text = std::fs::read_to_string(super::root().join("grammar").join(name))?;
    Ok(serde_json::from_str(&text)?)
}

fn verification(command: &str) -> Result<(), Failed> {
    let finished = run(command)?;
    let report: Value =
        serde_json::from_str(&finished.stdout).map_err(|error| format!("{error}\n{}", finished.all()))?;
    let schema = schema("verify.schema.json")?;
    validate(&schema, &schema, &report, "report").map_err(Failed::from)
}

fn report(command: &str) -> Result<Value, Failed> {
    let (command, name) = command.rsplit_once(' ').ok_or("the command names a program")?;
    let finished = run(&command.replace("{}", &program(name).display().to_string()))?;
    serde_json::from_str(&finished.stdout).map_err(|error| format!("{error}\n{}", finished.all()).into())
}

fn conforms(command: &str) -> Result<(), Failed> {
    let schema = schema("report.schema.json")?;
    validate(&schema, &schema, &report(command)?, "report").map_err(Failed::from)
}

fn finds_faults() -> Result<(), Failed> {
    let schema = schema("report.schema.json")?;
    let good = report("check {} --json - violated.bp")?;
    for pointer in
        ["/properties/0/id", "/result", "/tool/version", "/properties/0/trace/lines/0/location/line"]
    {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).ok_or(pointer)? = Value::Array(Vec::new());
        if validate(&schema, &schema, &bad, "report").is_ok() {
            return Err(format!("a wrong {pointer} was accepted").into());
        }
    }
    Ok(())
}

pub fn validate(root: &Value, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(reference.trim_start_matches('#')).ok_or(reference)?;
        return validate(root, target, value, place);
    }
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        return Err(format!("{place}: {value} is none of {allowed:?}"));
    }
    has_type(&schema["type"], value).map_err(|problem| format!("{place}: {problem}"))?;
    if let Some(object) = value.as_object() {
        members(root, schema, object, place)?;
    }
    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
        validate(root, &schema["items"], item, &format!("{place}[{number}]"))?;
    }
    Ok(())
}

fn has_type(expected: &Value, value: &Value) -> Result<(), String> {
    let is = |name: &Value| match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_u64() || value.is_i64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        _ => false,
    };
    let fits = match expected {
        Value::Null => true,
        Value::Array(names) => names.iter().any(is),
        name => is(name),
    };
    if fits { Ok(()) } else { Err(format!("{value} is no {expected}")) }
}

fn members(
    root: &Value,
    schema: &Value,
    object: &serde_json::Map<String, Value>,
    place: &str,
) -> Result<(), String> {
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !object.contains_key(name) {
            return Err(format!("{place}: {name} is missing"));
        }
    }
    for (name, member) in object {
        let known = schema["properties"].get(name).or(Some(&schema["additionalProperties"]));
        match known {
            Some(schema) if schema.is_object() => validate(root, schema, member, &format!("{place}.{name}"))?,
            _ => return Err(format!("{place}: {name} is not described")),
        }
    }
    Ok(())
}
