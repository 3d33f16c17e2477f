//! Witnesses of SV-COMP in YAML, version 2.0, are judged: ours and those of other tools.
//!
//! A violation is confirmed by the machine: a run takes the values that the witness says functions return, zero for all else, and
//! has to violate a property that was asked for, in the line that the witness names, after it took all the values. A proof is confirmed by a
//! verification of the program with its invariants as further assertions. So nothing in a witness is believed. A
//! witness that says too little, or what is not understood, is not confirmed; that does not mean that it is wrong.

use super::prepare::{machine, read};
use super::{Asked, Input, Observer, Options, Refusal, file, verify};
use crate::ground::index::IndexVec;
use crate::ground::reason::Stop;
use crate::ground::verdict::Overall;
use crate::ir::FileId;
use crate::program::PropertyKind;
use crate::report::run::ending;
use crate::report::saved::sha256;
use crate::vm::choices::{Choice, ChoiceKind, Domain};
use crate::vm::{ChoiceError, Chooser, End, Machine, RunOutcome, Zeros};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What a witness is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Witnessed {
    /// A run that violates a property.
    Violation,
    /// Invariants that prove the properties.
    Proof,
}

/// What came of a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// It is right.
    Confirmed(Witnessed),
    /// It is not known to be right; why.
    Open(String),
    /// A limit was reached.
    Stopped(Stop),
}

#[derive(Deserialize)]
struct Entry {
    entry_type: String,
    #[serde(default)]
    metadata: Metadata,
    content: Vec<Part>,
}

#[derive(Deserialize, Default)]
struct Metadata {
    #[serde(default)]
    task: Task,
}

#[derive(Deserialize, Default)]
struct Task {
    #[serde(default)]
    input_file_hashes: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    segment: Vec<Point>,
    invariant: Option<Claim>,
}

#[derive(Deserialize)]
struct Point {
    waypoint: Waypoint,
}

#[derive(Deserialize)]
struct Waypoint {
    #[serde(rename = "type")]
    kind: String,
    action: String,
    location: Location,
    constraint: Option<Constraint>,
}

#[derive(Deserialize, Clone)]
struct Location {
    file_name: String,
    line: u32,
    column: Option<usize>,
}

#[derive(Deserialize)]
struct Constraint {
    value: String,
}

#[derive(Deserialize)]
struct Claim {
    #[serde(rename = "type")]
    kind: String,
    location: Location,
    value: String,
}

/// Judges a witness.
///
/// # Errors
/// It is none, or the program is refused.
pub fn judge(
    input: &Input,
    options: &Options,
    witness: &str,
    observer: &mut dyn Observer,
) -> Result<Judgement, Refusal> {
    let entries: Vec<Entry> = serde_saphyr::from_str(witness)
        .map_err(|error| Refusal::input(format!("the witness is not understood: {error}")))?;
    let [path] = input.files.as_slice() else {
        return Ok(Judgement::Open("a witness is about a program of one file".to_owned()));
    };
    let source = file::source(path)?;
    let [entry] = entries.as_slice() else {
        return Ok(Judgement::Open(format!("it has {} entries, and not one", entries.len())));
    };
    if let Some(why) = of_another_file(entry, path, source.text()) {
        return Ok(Judgement::Open(why));
    }
    match entry.entry_type.as_str() {
        "violation_sequence" => violation(input, options, entry),
        "invariant_set" => proof(input, options, (entry, path, source.text()), observer),
        other => Ok(Judgement::Open(format!("entries of type `{other}` are not understood"))),
    }
}

fn base(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Why a witness is about another file, if it is.
fn of_another_file(entry: &Entry, path: &Path, text: &str) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let hashes = &entry.metadata.task.input_file_hashes;
    let (_, hash) = hashes.iter().find(|(file, _)| base(file) == name)?;
    (*hash != sha256(text.as_bytes()))
        .then(|| format!("it is about another version of `{name}`: the hashes differ"))
}

/// What a run is told.
struct Guide<'a> {
    files: &'a IndexVec<FileId, String>,
    /// Values that functions return, with their places.
    values: Vec<(Location, i128)>,
    next: usize,
}

impl Chooser for Guide<'_> {
    fn choose(&mut self, choice: &Choice) -> Result<u128, ChoiceError> {
        let Some((location, value)) = self.values.get(self.next) else { return Zeros.choose(choice) };
        let here = choice.place.is_some_and(|place| {
            place.line == location.line && base(&self.files[place.file]) == base(&location.file_name)
        });
        let Domain::Bits(bits) = choice.domain else { return Zeros.choose(choice) };
        if !here || choice.kind != ChoiceKind::Input {
            return Zeros.choose(choice);
        }
        self.next += 1;
        let mask = if bits >= 128 { u128::MAX } else { (1 << bits) - 1 };
        Ok(value.cast_unsigned() & mask)
    }
}

fn violation(input: &Input, options: &Options, entry: &Entry) -> Result<Judgement, Refusal> {
    let (values, target) = match followed(entry) {
        Ok(followed) => followed,
        Err(why) => return Ok(Judgement::Open(why)),
    };
    let specified = Asked::specified(input)?;
    let mut checked = input.faults();
    checked.extend(specified.iter().flat_map(|asked| asked.faults.iter().copied()));
    let read = read(input, &checked)?;
    let asked = specified.unwrap_or_else(|| Asked::by_options(input, read.task));
    super::require_entry(&read, input)?;
    let mut guide = Guide { files: &read.module.files, values, next: 0 };
    let outcome = Machine::new(&read.module, machine(&read, input, &asked)).run(&mut guide, &options.limits);
    if let End::Interrupted(stop) = &outcome.end {
        return Ok(Judgement::Stopped(stop.clone()));
    }
    let left = guide.values.len() - guide.next;
    let why = || ending(&read.module, &outcome).lines().next().unwrap_or_default().to_owned();
    let line = outcome.location.place.map_or(0, |place| place.line);
    Ok(match () {
        () if !violates(&asked, &outcome) => Judgement::Open(format!("its run violates nothing: {}", why())),
        () if line != target.line => Judgement::Open(format!(
            "its run violates a property in line {line}, not in line {}",
            target.line
        )),
        () if left > 0 => Judgement::Open(format!("its run does not take the last {left} of its values")),
        () => Judgement::Confirmed(Witnessed::Violation),
    })
}

/// The values along a violation, and where it ends; or what is not understood.
fn followed(entry: &Entry) -> Result<(Vec<(Location, i128)>, Location), String> {
    let (mut values, mut target) = (Vec::new(), None);
    for Point { waypoint } in entry.content.iter().flat_map(|part| &part.segment) {
        let Waypoint { kind, action, location, constraint } = waypoint;
        match (kind.as_str(), action.as_str()) {
            ("function_return", "follow") => {
                let constraint = constraint.as_ref().map_or("", |constraint| &constraint.value);
                let value = result(constraint).ok_or_else(|| format!("`{constraint}` is not understood"))?;
                values.push((location.clone(), value));
            }
            ("target", "follow") => target = Some(location.clone()),
            (kind, action) => {
                return Err(format!("waypoints of type `{kind}` to {action} are not understood"));
            }
        }
    }
    Ok((values, target.ok_or("it does not say where it ends")?))
}

/// The number in `\result == 5`.
fn result(constraint: &str) -> Option<i128> {
    let text = constraint.trim().trim_start_matches('(').trim_end_matches(')');
    let (left, right) = text.split_once("==")?;
    let number = right.trim().trim_end_matches(['u', 'U', 'l', 'L']);
    (left.trim() == "\\result").then(|| number.parse().ok()).flatten()
}

/// Whether a run violates what was asked for.
fn violates(asked: &Asked, outcome: &RunOutcome) -> bool {
    match &outcome.end {
        End::AssertionFailed(_) => asked.counts(PropertyKind::Assertion),
        End::ErrorReached(_) => asked.counts(PropertyKind::ErrorReached),
        End::Fault(fault) => asked.counts(PropertyKind::Fault(fault.fault)),
        _ => false,
    }
}

/// The function that is called where an invariant does not hold.
const REFUTED: &str = "boolero_invariant_refuted";
/// What stands before the program, on its first line.
const PRELUDE: &str = "static void boolero_invariant_refuted(void) {} \
                       static int boolero_invariant(int holds) { if (!holds) boolero_invariant_refuted(); return 1; } ";

fn proof(
    input: &Input,
    options: &Options,
    (entry, path, text): (&Entry, &Path, &str),
    observer: &mut dyn Observer,
) -> Result<Judgement, Refusal> {
    let claims: Vec<&Claim> = entry.content.iter().filter_map(|part| part.invariant.as_ref()).collect();
    let asserted = match asserted(text, &claims) {
        Ok(asserted) => asserted,
        Err(why) => return Ok(Judgement::Open(why)),
    };
    let folder = std::env::temp_dir().join(format!("boolero-witness-{}", std::process::id()));
    let name = path.file_name().map_or_else(|| "program.c".into(), std::borrow::ToOwned::to_owned);
    let copy = folder.join(name);
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&copy, asserted));
    written.map_err(|error| Refusal::input(format!("cannot write `{}`: {error}", copy.display())))?;
    let mut with = Input { files: vec![copy], ..input.clone() };
    with.include.extend(path.parent().map(Path::to_path_buf));
    with.error_functions.push(REFUTED.to_owned());
    let found = verify(&with, options, observer);
    // If it cannot be removed, it stays where such files are.
    let _ = std::fs::remove_dir_all(&folder);
    Ok(match found?.overall() {
        Overall::Holds => Judgement::Confirmed(Witnessed::Proof),
        Overall::Violated => {
            Judgement::Open("the program with its invariants as assertions is violated".to_owned())
        }
        Overall::Unknown(reason) => {
            Judgement::Open(format!("the program with its invariants as assertions has no verdict: {reason}"))
        }
    })
}

/// The program with invariants as assertions, line by line as it was; or which place is not understood.
fn asserted(text: &str, claims: &[&Claim]) -> Result<String, String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // Of one line the last first: insertions move what comes after them.
    let mut places = Vec::new();
    for claim in claims {
        let line = claim.location.line;
        let known = (line as usize).checked_sub(1).and_then(|line| lines.get(line));
        let at = known.and_then(|text| insertion(&lines, claim, text));
        places.push((
            line as usize,
            at.ok_or_else(|| format!("the place of `{}` in line {line} is not understood", claim.value))?,
            *claim,
        ));
    }
    places.sort_by_key(|(line, (at, _), _)| std::cmp::Reverse((*line, *at)));
    for (line, (at, end), claim) in places {
        lines[line - 1].insert_str(at, &format!("boolero_invariant(({})){end}", claim.value));
    }
    Ok(format!("{PRELUDE}{}\n", lines.join("\n")))
}

/// Where an invariant is asserted, and what comes between it and the code there: before the condition of a loop, or before a statement
/// that follows another one.
fn insertion(lines: &[String], claim: &Claim, text: &str) -> Option<(usize, &'static str)> {
    let blank = text.len() - text.trim_start().len();
    let start = claim.location.column.map_or(blank, |column| column.saturating_sub(1));
    let code = text.get(start..)?;
    let after = |word: &str| {
        let rest = code.strip_prefix(word)?.trim_start();
        Some(start + code.len() - rest.strip_prefix('(')?.len())
    };
    match claim.kind.as_str() {
        "loop_invariant" => match (after("while"), after("for")) {
            (Some(at), _) => Some((at, ", ")),
            (_, Some(at)) => condition_of_for(text, at),
            _ => None,
        },
        "location_invariant" => {
            let before = &lines[..claim.location.line as usize - 1];
            let mut before = before.iter().map(|line| line.split("//").next().unwrap_or_default().trim_end());
            let here = text.get(..start)?.trim_end();
            let last = here
                .chars()
                .next_back()
                .or_else(|| before.rfind(|line| !line.is_empty())?.chars().next_back());
            last.is_some_and(|last| ['{', '}', ';'].contains(&last)).then_some((start, "; "))
        }
        _ => None,
    }
}

/// Where the condition of a `for` begins, whose parenthesis is open at a place.
fn condition_of_for(text: &str, open: usize) -> Option<(usize, &'static str)> {
    let semicolon = open + text.get(open..)?.find(';')?;
    let is_plain = !text[open..semicolon].contains(['"', '\'', '{']);
    let is_empty = text[semicolon + 1..].trim_start().starts_with(';');
    is_plain.then_some((semicolon + 1, if is_empty { "" } else { ", " }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(kind: &str, line: u32, value: &str) -> Claim {
        let location = Location { file_name: "a.c".into(), line, column: None };
        Claim { kind: kind.into(), location, value: value.into() }
    }

    fn with(text: &str, kind: &str, line: u32) -> Result<String, String> {
        let claim = claim(kind, line, "x > 0 || y");
        let text = asserted(text, &[&claim])?;
        Ok(text.strip_prefix(PRELUDE).expect("it comes first").to_owned())
    }

    #[test]
    fn invariants_stand_before_conditions_and_statements() {
        let checked = "boolero_invariant((x > 0 || y))";
        assert_eq!(with("while (x)\n;", "loop_invariant", 1), Ok(format!("while ({checked}, x)\n;\n")));
        assert_eq!(with("  for (;;);", "loop_invariant", 1), Ok(format!("  for (;{checked};);\n")));
        assert_eq!(
            with("for (i = 0; i < n; i++);", "loop_invariant", 1),
            Ok(format!("for (i = 0;{checked},  i < n; i++);\n"))
        );
        assert_eq!(with("{\n  f();", "location_invariant", 2), Ok(format!("{{\n  {checked}; f();\n")));
        assert!(with("if (x)\n  f();", "location_invariant", 2).is_err());
        assert!(with("do ; while (x);", "loop_invariant", 1).is_err());
        assert!(with("x;", "loop_invariant", 7).is_err());
    }

    #[test]
    fn results_are_numbers() {
        assert_eq!(result("\\result == -5"), Some(-5));
        assert_eq!(result("(\\result == 7U)"), Some(7));
        assert_eq!(result("x == 7"), None);
        assert_eq!(result("\\result < 7"), None);
    }
}
