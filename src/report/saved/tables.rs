//! Files, statements and predicates by number.

use super::{File, Predicate, Spot, Statement, budget};
use crate::ground::index::{Index as _, IndexVec};
use crate::ir::{FileId, Place};
use crate::predicate::{Precision, PredicateId, PredicateScope};
use crate::program::names::ProgramNames;
use crate::program::templates::routine_name;
use crate::program::text::{action_text, location_name};
use crate::program::{Action, EdgeId, ProcedureId, Program};
use crate::report::shortened;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

/// The hash of a file, as hexadecimal digits.
#[must_use]
pub fn sha256(contents: &[u8]) -> String {
    Sha256::digest(contents).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A place of C.
pub(super) fn spot(place: Place) -> Spot {
    Spot(place.file.index(), place.line, place.column)
}

/// Files with their contents, as long as these are not too long.
pub(super) fn files(names: &IndexVec<FileId, String>) -> Vec<File> {
    let mut left = budget::FILES;
    let found = |name: &String| match found(name) {
        Some((name, contents)) => file(&name, Some(contents), &mut left),
        None => file(name, None, &mut left),
    };
    names.iter().map(found).collect()
}

/// A file, and the name that it has here. What clang calls it is relative to the working directory, or to a folder above it if
/// the file is not below.
fn found(name: &str) -> Option<(String, Vec<u8>)> {
    if let Ok(contents) = std::fs::read(name) {
        return Some((name.to_owned(), contents));
    }
    let here = std::env::current_dir().ok()?;
    here.ancestors().skip(1).find_map(|folder| {
        let path = folder.join(name);
        Some((path.display().to_string(), std::fs::read(path).ok()?))
    })
}

/// A file, with its contents if these fit what is left.
pub(super) fn file(name: &str, contents: Option<Vec<u8>>, left: &mut usize) -> File {
    let Some(contents) = contents else { return File { name: name.to_owned(), sha256: None, text: None } };
    let hash = sha256(&contents);
    let fits = contents.len() <= budget::FILE && contents.len() <= *left;
    let text = if fits { String::from_utf8(contents).ok() } else { None };
    *left -= text.as_ref().map_or(0, String::len);
    File { name: name.to_owned(), sha256: Some(hash), text }
}

/// The statements and predicates of a run, each once.
#[derive(Default)]
pub(super) struct Tables {
    statements: IndexMap<Statement, usize>,
    /// Predicates by what they say and where.
    predicates: IndexMap<(String, Option<String>), Predicate>,
}

/// Numbers of the statements and predicates of one model, which are found only once.
#[derive(Default)]
pub(super) struct Numbers {
    edges: FxHashMap<(ProcedureId, EdgeId), usize>,
    predicates: FxHashMap<PredicateId, usize>,
}

impl Tables {
    /// The statements.
    pub fn statements(&self) -> Vec<Statement> {
        self.statements.keys().cloned().collect()
    }

    /// The predicates.
    pub fn predicates(&self) -> Vec<Predicate> {
        self.predicates.values().cloned().collect()
    }

    /// The number of an edge.
    pub fn edge(
        &mut self,
        names: &ProgramNames<'_>,
        numbers: &mut Numbers,
        procedure: ProcedureId,
        edge: EdgeId,
    ) -> usize {
        *numbers.edges.entry((procedure, edge)).or_insert_with(|| {
            let statement = statement(names, procedure, edge);
            let next = self.statements.len();
            *self.statements.entry(statement).or_insert(next)
        })
    }

    /// The number of a predicate of a precision.
    pub fn predicate(
        &mut self,
        names: &ProgramNames<'_>,
        numbers: &mut Numbers,
        precision: &Precision,
        id: PredicateId,
    ) -> usize {
        let (program, contents) = (names.program(), &precision.predicates[id]);
        let new = || self.add(names, contents, lines(program, precision, id));
        *numbers.predicates.entry(id).or_insert_with(new)
    }

    /// The number of a predicate, which is tracked before these lines.
    pub fn add(
        &mut self,
        names: &ProgramNames<'_>,
        predicate: &crate::predicate::Predicate,
        lines: Vec<u32>,
    ) -> usize {
        let procedure = match predicate.scope {
            PredicateScope::Global => None,
            PredicateScope::Local(procedure) => Some(routine_name(names.program(), procedure)),
        };
        let text = shortened(names.term(predicate.term), budget::PREDICATE);
        let entry = self.predicates.entry((text.clone(), procedure.clone()));
        let (iteration, reason) = (predicate.iteration, predicate.reason.clone());
        let number = entry.index();
        entry.or_insert(Predicate { text, procedure, iteration, reason, lines });
        number
    }
}

/// The lines of the locations where a predicate is tracked; none: everywhere.
fn lines(program: &Program, precision: &Precision, id: PredicateId) -> Vec<u32> {
    let (Some(places), PredicateScope::Local(procedure)) =
        (precision.places.get(&id), precision.predicates[id].scope)
    else {
        return Vec::new();
    };
    let locations = &program.procedures[procedure].locations;
    let mut lines: Vec<u32> =
        places.iter().filter_map(|&location| Some(locations.get(location)?.place?.line)).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

fn statement(names: &ProgramNames<'_>, id: ProcedureId, edge: EdgeId) -> Statement {
    let program = names.program();
    let procedure = &program.procedures[id];
    let edge = &procedure.edges[edge];
    let calls = match &edge.action {
        Action::Call { procedure, .. } | Action::Start { procedure, .. } => {
            Some(routine_name(program, *procedure))
        }
        _ => None,
    };
    let text = action_text(names, &edge.action);
    let first = edge.places.first();
    let same_file = edge.places.iter().filter(|place| Some(place.file) == first.map(|first| first.file));
    Statement {
        procedure: routine_name(program, id),
        from: location_name(procedure, edge.from),
        to: location_name(procedure, edge.to),
        text: shortened(text, budget::STATEMENT),
        place: first.map(|&place| spot(place)),
        last_line: same_file.map(|place| place.line).max().unwrap_or(0),
        calls,
        violates: edge.property.map(|property| program.properties[property].id.clone()),
    }
}
