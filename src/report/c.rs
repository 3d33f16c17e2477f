//! C programs: their properties, told.

use crate::ground::index::IndexVec;
use crate::ir::{FileId, Place};
use crate::program::{Program, Property, PropertyKind};
use serde_json::{Value, json};

/// The properties of a program, one per line, and what verdicts on it would rest on.
#[must_use]
pub fn list(file: &str, program: &Program) -> String {
    if program.properties.is_empty() {
        return format!("{file} has no properties\n");
    }
    let width = program.properties.iter().map(|property| property.id.chars().count()).max().unwrap_or(0);
    let lines = program.properties.iter().map(|property| {
        let place = place_text(&program.files, property.place);
        format!("{:width$}  {place}  {}\n", property.id, property.text)
    });
    lines.collect()
}

fn place_text(files: &IndexVec<FileId, String>, place: Option<Place>) -> String {
    place.map_or_else(|| "?".to_owned(), |place| format!("{}:{}", files[place.file], place.line))
}

/// The same for programs.
#[must_use]
pub fn list_json(file: &str, program: &Program) -> String {
    let properties: Vec<Value> =
        program.properties.iter().map(|property| document(program, property)).collect();
    let document = json!({ "file": file, "properties": properties });
    format!("{}\n", serde_json::to_string_pretty(&document).unwrap_or_default())
}

fn document(program: &Program, property: &Property) -> Value {
    let kind = match property.kind {
        PropertyKind::Assertion => "assertion",
        PropertyKind::ErrorReached => "error",
        PropertyKind::Fault(fault) => fault.name(),
    };
    json!({
        "id": property.id,
        "kind": kind,
        "text": property.text,
        "file": property.place.map(|place| program.files[place.file].clone()),
        "line": property.place.map(|place| place.line),
    })
}
