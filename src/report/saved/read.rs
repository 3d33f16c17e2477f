//! A saved run from a file.

use super::{KIND, SCHEMA, SavedRun, Spot};
use serde_json::Value;

/// Reads a saved run.
///
/// # Errors
/// It is none, or one of another version: what is wrong, and what helps.
pub fn read(text: &str) -> Result<SavedRun, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("it is no JSON: {error}"))?;
    if value["kind"] != KIND {
        return Err("it is no saved run; `boolero verify FILE --save-run RUN.json` writes one".to_owned());
    }
    if value["schema"] != SCHEMA {
        return Err(format!(
            "it has version {} of the format, and this boolero reads version {SCHEMA}; save the run again",
            value["schema"]
        ));
    }
    let run: SavedRun = serde_json::from_value(value).map_err(|error| error.to_string())?;
    consistent(&run)?;
    Ok(run)
}

/// Numbers name what is there.
fn consistent(run: &SavedRun) -> Result<(), String> {
    let (statements, predicates) = (run.statements.len(), run.predicates.len());
    let below = |what: &str, number: usize, count: usize| match number < count {
        true => Ok(()),
        false => Err(format!("{what} {number} is named, and there are {count}")),
    };
    let spots = run.properties.iter().filter_map(|property| property.place);
    let spots = spots.chain(run.statements.iter().filter_map(|statement| statement.place));
    let steps = run.counterexamples.iter().flat_map(|one| &one.steps);
    let spots = spots.chain(steps.clone().filter_map(|step| step.place));
    for Spot(file, ..) in spots.chain(run.invariants.iter().filter_map(|one| one.place)) {
        below("file", file, run.files.len())?;
    }
    for number in run.procedures.iter().flat_map(|procedure| &procedure.statements) {
        below("statement", *number, statements)?;
    }
    for number in run.counterexamples.iter().flat_map(|one| &one.statements) {
        below("statement", *number, statements)?;
    }
    for number in steps.flat_map(|step| &step.predicates) {
        below("predicate", *number / 2, predicates)?;
    }
    for iteration in &run.iterations {
        iteration.predicates.iter().try_for_each(|&number| below("predicate", number, predicates))?;
        for study in &iteration.studies {
            study.predicates.iter().try_for_each(|&number| below("predicate", number, predicates))?;
            for super::PathStep(_, statement, _, values) in study.path.iter().flatten() {
                below("statement", *statement, statements)?;
                values.iter().try_for_each(|&value| below("predicate", value / 2, predicates))?;
            }
        }
    }
    Ok(())
}
