//! Witnesses of a saved run of C, in the formats of SV-COMP, for other tools to check.
//!
//! | what | format | file |
//! |---|---|---|
//! | a violation without threads | YAML 2.0, `violation_sequence`: what functions returned, and where it ends | `yaml` |
//! | a violation with threads | GraphML 1.0, a path with the thread of each step | `graphml` |
//! | a proof without threads | YAML 2.0, `invariant_set`: invariants of loops and at the entries of functions | `yaml` |
//!
//! An invariant is written only if it is a consequence of a proof that was checked again, if each of its predicates was read back
//! from its text and is the same ([`Invariant::is_c`](super::saved::Invariant::is_c)), and if the place can be named without doubt.
//! A proof of a program with threads has no invariants of single locations, and no witness.

mod graphml;
mod places;
mod yaml;

use super::saved::{SavedRun, sha256};

/// The witness of a run; `created` is the time, as ISO 8601 has it.
///
/// # Errors
/// There is nothing to witness; why.
pub fn witness(run: &SavedRun, created: &str) -> Result<String, String> {
    if run.language != "c" {
        return Err("witnesses are about C programs".to_owned());
    }
    match (run.result.verdict.as_str(), run.counterexamples.first()) {
        ("violated", Some(found)) if found.threads > 1 => Ok(graphml::violation(run, found, created)),
        ("violated", Some(found)) => Ok(yaml::violation(run, found, created)),
        ("holds", _) if run.threads.is_empty() => Ok(yaml::correctness(run, created)),
        ("holds", _) => Err("there are no witnesses for proofs of programs with threads".to_owned()),
        _ => Err("there is no verdict to witness".to_owned()),
    }
}

/// The property, as SV-COMP says it.
fn specification(run: &SavedRun) -> String {
    let name = run.settings.get("SV-COMP property").map_or("", String::as_str);
    let formula = match name {
        "no-overflow" => "G ! overflow",
        "no-data-race" => "G ! data-race",
        "valid-free" => "G valid-free",
        "valid-deref" => "G valid-deref",
        "valid-memtrack" => "G valid-memtrack",
        "valid-memcleanup" => "G valid-memcleanup",
        _ => "G ! call(reach_error())",
    };
    let entry = run.settings.get("entry").map_or("main", String::as_str);
    format!("CHECK( init({entry}()), LTL({formula}) )")
}

fn data_model(run: &SavedRun) -> &str {
    run.settings.get("data model").map_or("LP64", String::as_str)
}

/// An identifier that is the same for the same run: 128 bits of its hash, as a UUID of version 8.
fn uuid(run: &SavedRun) -> String {
    let text = serde_json::to_string(&(&run.files, &run.properties, &run.counterexamples, &run.invariants));
    let hash = sha256(text.unwrap_or_default().as_bytes());
    let part = |from: usize, to: usize| &hash[from..to];
    format!("{}-{}-8{}-8{}-{}", part(0, 8), part(8, 12), part(12, 15), part(15, 18), part(18, 30))
}
