//! What inputs of formulas stand for in the program, for those who read a proof.

use super::formula::Store;
use crate::boolean::cfg::{NodeId, ProcedureId, Program, PropertyId};
use crate::ground::source::Span;

/// What an input stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// Whether a property is asked about.
    Asked(PropertyId),
    /// The value of a variable at the entry of a procedure, by its position among the globals and then the locals.
    Entry(ProcedureId, usize),
    /// A choice that a statement makes.
    Choice(NodeId),
    /// Whether a jump takes a way that it may take.
    Way(NodeId),
    /// Whether the run ends at a node that must not be reached.
    Stop(NodeId),
    /// Something that a procedure does which is not opened.
    Closed(ProcedureId),
    /// The same as another input, by its node, in a call.
    Called(usize),
    /// A bit of the number of a piece of a recursive procedure.
    Piece(ProcedureId),
    /// The value of a variable that a check for a fixed point compares, by its position as for `Entry`.
    Compared(ProcedureId, usize),
    /// How a run of a recursive procedure ends: another value that a check compares.
    End(ProcedureId),
}

/// A text, and the place in the source that it speaks of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The text.
    pub text: String,
    /// The place.
    pub span: Option<Span>,
}

impl Name {
    /// A text about a node.
    pub fn at(program: &Program, node: NodeId, text: &str) -> Self {
        Self { text: text.to_owned(), span: Some(program.nodes[node].span) }
    }

    /// A text that speaks of no place.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), span: None }
    }
}

/// What an input stands for, in words.
pub fn name(store: &Store, program: &Program, meaning: Meaning) -> Name {
    let (mut meaning, mut calls) = (meaning, 0);
    while let Meaning::Called(input) = meaning {
        meaning = store.meaning(input).expect("an input stands for something");
        calls += 1;
    }
    let Name { text, span } = direct(program, meaning);
    let text = match calls {
        0 => text,
        1 => format!("in a call: {text}"),
        _ => format!("in a call, {calls} deep: {text}"),
    };
    Name { text, span }
}

fn direct(program: &Program, meaning: Meaning) -> Name {
    let of = |procedure: ProcedureId| &program.procedures[procedure].name;
    match meaning {
        Meaning::Asked(property) => {
            Name::plain(format!("{} is asked about", program.properties[property].name))
        }
        Meaning::Entry(procedure, position) => Name::plain(format!(
            "{} at the entry of {}",
            variable(program, procedure, position),
            of(procedure)
        )),
        Meaning::Choice(node) => Name::at(program, node, "a choice of the statement"),
        Meaning::Way(node) => Name::at(program, node, "whether the jump takes a way"),
        Meaning::Stop(node) => Name::at(program, node, "whether the run ends at this error label"),
        Meaning::Closed(procedure) => {
            Name::plain(format!("what {} does, which is not opened", of(procedure)))
        }
        Meaning::Piece(procedure) => {
            Name::plain(format!("a bit of the number of the piece that {} does", of(procedure)))
        }
        Meaning::Compared(procedure, position) => {
            Name::plain(format!("{} where states are compared", variable(program, procedure, position)))
        }
        Meaning::End(procedure) => Name::plain(format!("how the run of {} ends", of(procedure))),
        Meaning::Called(_) => unreachable!("calls were followed"),
    }
}

/// The name of a variable.
fn variable(program: &Program, procedure: ProcedureId, position: usize) -> &str {
    let id = match position.checked_sub(program.global_count) {
        None => program.globals().nth(position),
        Some(local) => program.procedures[procedure].locals.get(local).copied(),
    };
    id.map_or("?", |id| &program.variables[id].name)
}
