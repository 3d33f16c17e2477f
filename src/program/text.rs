//! The program model as text, for people (`boolero emit cfa`).
//!
//! One paragraph per procedure: its variables with their types in C and their sorts, then its locations in order, each
//! with the edges that leave it:
//!
//! ```text
//! procedure main() returns int result  // test.c:3
//!   int i: 32 bits
//!   L1 loop: // test.c:5
//!     [i < 10] i := i + 1, a[i] := 0 → L1  // test.c:5, 6
//!     [!(i < 10)] → exit
//! ```

use super::names::ProgramNames;
use super::{
    Action, Block, Edge, Gap, LocationId, Procedure, ProcedureId, Program, Property, PropertyKind, Role,
    Scope,
};
use crate::ground::index::{Index, IndexVec};
use crate::ground::reason::Reason;
use crate::ir::Place;
use crate::term::{Sort, Symbol};

/// The whole program.
#[must_use]
pub fn text(program: &Program) -> String {
    let names = ProgramNames::new(program);
    let mut text = header(program, &names);
    for (id, procedure) in program.procedures.enumerate() {
        text.push('\n');
        text.push_str(&print_procedure(&names, id, procedure));
    }
    text.push_str(&properties(program));
    text
}

fn header(program: &Program, names: &ProgramNames<'_>) -> String {
    let mut text = String::from(
        "// An edge is taken if its [guard] holds; then all its updates happen at once.\n\
         // Inputs (after \"with\") are arbitrary each time.\n",
    );
    for assumption in &program.assumptions {
        text.push_str(&format!("assume {assumption}\n"));
    }
    text.push_str(&format!("entry {}\n", program.procedures[program.entry].name));
    for (symbol, variable) in program.variables.enumerate() {
        if variable.scope == Scope::Global {
            text.push_str(&format!("global {}\n", declaration(names, symbol)));
        }
    }
    for object in program.objects.iter() {
        let ty = object.ty.map_or(String::new(), |ty| format!(" {}", program.type_name(Some(ty))));
        text.push_str(&format!("object {:#x}{ty} {}: {} bytes\n", object.base, object.name, object.size));
    }
    text
}

/// A gap as a reason why nothing holds as a whole.
#[must_use]
pub fn not_covered(program: &Program, gap: &Gap) -> Reason {
    let place = gap.place.map(|place| program.place_text(place));
    Reason::NotCovered { fault: gap.fault, what: gap.what, place }
}

/// A variable with its type in C, its sort and what it is for.
fn declaration(names: &ProgramNames<'_>, symbol: Symbol) -> String {
    let program = names.program();
    let variable = &program.variables[symbol];
    let ty = variable.ty.map_or(String::new(), |ty| format!("{} ", program.type_name(Some(ty))));
    let sort = match program.store.sort_of_symbol(symbol) {
        Sort::Boolean => "truth value".into(),
        Sort::Bits(width) => format!("{width} bits"),
        Sort::Array { index, element } => format!("{element} bits at each address of {index}"),
    };
    let role = match variable.role {
        Role::Temporary => ", temporary",
        Role::Ghost | Role::Watch => ", bookkeeping",
        Role::Own => ", bookkeeping of each thread",
        Role::Plain | Role::Memory | Role::Input(_) => "",
    };
    format!("{ty}{}: {sort}{role}", names.name(symbol))
}

fn print_procedure(names: &ProgramNames<'_>, id: ProcedureId, procedure: &Procedure) -> String {
    let program = names.program();
    let parameters: Vec<&str> = procedure.parameters.iter().map(|&symbol| names.name(symbol)).collect();
    let result = procedure.result.map_or(String::new(), |symbol| format!(" returns {}", names.name(symbol)));
    let place = comment(program, procedure.place.as_slice());
    let mut text = format!("procedure {}({}){result}{place}\n", procedure.name, parameters.join(", "));
    for &symbol in &procedure.locals {
        text.push_str(&format!("  {}\n", declaration(names, symbol)));
    }
    let mut outgoing: IndexVec<LocationId, Vec<&Edge>> =
        IndexVec::filled(Vec::new(), procedure.locations.len());
    procedure.edges.iter().for_each(|edge| outgoing[edge.from].push(edge));
    for (location, contents) in procedure.locations.enumerate() {
        let label = if contents.label.is_empty() { String::new() } else { format!(" {}", contents.label) };
        let place = comment(program, contents.place.as_slice());
        text.push_str(&format!("  {}{label}:{place}\n", location_name(procedure, location)));
        for edge in &outgoing[location] {
            text.push_str(&format!("    {}\n", edge_text(names, id, edge)));
        }
    }
    text
}

/// `L3`, or `entry` or `exit`.
#[must_use]
pub fn location_name(procedure: &Procedure, location: LocationId) -> String {
    match location {
        location if location == procedure.entry => "entry".into(),
        location if location == procedure.exit => "exit".into(),
        location => format!("L{}", location.index()),
    }
}

/// An edge: what it does, where it leads, what it violates, its lines.
fn edge_text(names: &ProgramNames<'_>, id: ProcedureId, edge: &Edge) -> String {
    let program = names.program();
    let action = action_text(names, &edge.action);
    let space = if action.is_empty() { "" } else { " " };
    let target = location_name(&program.procedures[id], edge.to);
    let violates = edge
        .property
        .map_or(String::new(), |property| format!("  violates {}", program.properties[property].id));
    format!("{action}{space}→ {target}{violates}{}", comment(program, &edge.places))
}

/// What an edge does, in one line.
#[must_use]
pub fn action_text(names: &ProgramNames<'_>, action: &Action) -> String {
    match action {
        Action::Block(block) => block_text(names, block),
        Action::Call { procedure, arguments, result } => {
            let target = result.map_or(String::new(), |symbol| format!("{} := ", names.name(symbol)));
            format!("{target}call {}", call_text(names, *procedure, arguments))
        }
        Action::Start { procedure, arguments } => {
            format!("start {}", call_text(names, *procedure, arguments))
        }
        Action::AtomicBegin => "atomic {".into(),
        Action::AtomicEnd => "} atomic".into(),
        Action::End => "end".into(),
        Action::Unsupported(text) => format!("unsupported: {}", text.replace('\n', " ")),
    }
}

fn call_text(names: &ProgramNames<'_>, procedure: ProcedureId, arguments: &[crate::term::Term]) -> String {
    let arguments: Vec<String> = arguments.iter().map(|&argument| names.term(argument)).collect();
    format!("{}({})", names.program().procedures[procedure].name, arguments.join(", "))
}

fn block_text(names: &ProgramNames<'_>, block: &Block) -> String {
    let mut parts = Vec::new();
    let guard = names.term(block.guard);
    if !names.is_true(block.guard) {
        parts.push(format!("[{guard}]"));
    }
    let updates: Vec<String> =
        block.updates.iter().flat_map(|&(symbol, value)| names.update(symbol, value)).collect();
    if !updates.is_empty() {
        parts.push(updates.join(", "));
    }
    if !block.inputs.is_empty() {
        let inputs: Vec<&str> = block.inputs.iter().map(|&input| names.name(input)).collect();
        parts.push(format!("with {}", inputs.join(", ")));
    }
    parts.join(" ")
}

/// Lines as a comment: `  // a.c:3, 4, b.c:7`.
fn comment(program: &Program, places: &[Place]) -> String {
    match lines(program, places) {
        lines if lines.is_empty() => lines,
        lines => format!("  // {lines}"),
    }
}

/// Lines of files; a file is named where it changes.
#[must_use]
pub fn lines(program: &Program, places: &[Place]) -> String {
    let mut shown: Vec<String> = Vec::new();
    let mut last: Option<&Place> = None;
    for place in places.iter().filter(|place| place.line > 0) {
        let same_file = last.is_some_and(|last| last.file == place.file);
        if same_file && last.is_some_and(|last| last.line == place.line) {
            continue;
        }
        shown.push(match same_file {
            true => place.line.to_string(),
            false => format!("{}:{}", program.files[place.file], place.line),
        });
        last = Some(place);
    }
    shown.join(", ")
}

fn properties(program: &Program) -> String {
    let mut text = String::new();
    for property in program.properties.iter() {
        text.push_str(&format!(
            "{}property {}\n",
            if text.is_empty() { "\n" } else { "" },
            property_text(program, property)
        ));
    }
    text
}

fn property_text(program: &Program, property: &Property) -> String {
    let kind = match property.kind {
        PropertyKind::Assertion => "assertion".to_string(),
        PropertyKind::ErrorReached => "error function".to_string(),
        PropertyKind::Fault(fault) => fault.name().to_string(),
    };
    format!("{} ({kind}): {}{}", property.id, property.text, comment(program, property.place.as_slice()))
}
