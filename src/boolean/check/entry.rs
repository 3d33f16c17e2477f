//! Where a program starts.
//!
//! At `main`, if there is one. Otherwise, as in Getafix: `init` first, then `thread0`, `thread1`, … at the same
//! time; or `init` alone. What that comes to in nodes is in [`start`](super::start).

use super::super::cfg::{Expression, ProcedureId, VariableId};
use super::Checker;
use super::expressions::Place;
use super::nearest::nearest;
use crate::ground::diagnostic::Diagnostic;
use crate::ground::index::Index;
use crate::ground::source::Span;

/// What runs.
pub struct Entry {
    /// Procedures that run before, one after the other.
    pub before: Vec<ProcedureId>,
    /// Procedures that run at the same time; the last one in the first thread.
    pub concurrent: Vec<ProcedureId>,
    /// The initial values of global variables.
    pub initial: Vec<(VariableId, Expression, Span)>,
}

/// `thread0`, `thread1`, …
fn is_thread(name: &str) -> bool {
    let number = name.strip_prefix("thread");
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What runs; an error is told if nothing does.
pub(super) fn entry(checker: &mut Checker<'_>) -> Option<Entry> {
    let initial = global_values(checker);
    let (before, concurrent) = match checker.options.entry.as_deref() {
        Some(name) => (Vec::new(), vec![given_entry(checker, name)?]),
        None => entry_by_shape(checker)?,
    };
    Some(Entry { before, concurrent, initial })
}

fn named(checker: &Checker<'_>, name: &str) -> Option<ProcedureId> {
    checker.names.procedures.get(name).copied()
}

fn given_entry(checker: &mut Checker<'_>, name: &str) -> Option<ProcedureId> {
    let found = named(checker, name);
    if found.is_none() {
        let names = checker.program.procedures.iter().map(|procedure| procedure.name.text.as_ref());
        let help = nearest(name, names).map(|near| format!("did you mean `{near}`?"));
        let error = Diagnostic::option_error(format!("there is no procedure `{name}` to start with"));
        checker.error(Diagnostic { help, ..error });
    }
    found
}

fn entry_by_shape(checker: &mut Checker<'_>) -> Option<(Vec<ProcedureId>, Vec<ProcedureId>)> {
    if let Some(main) = named(checker, "main") {
        return Some((Vec::new(), vec![main]));
    }
    let init = named(checker, "init");
    let procedures = checker.program.procedures.iter().enumerate();
    let threads: Vec<ProcedureId> = procedures
        .filter(|(_, procedure)| is_thread(&procedure.name.text))
        .map(|(number, _)| ProcedureId::new(number))
        .collect();
    match init {
        _ if !threads.is_empty() => Some((init.into_iter().collect(), threads)),
        Some(init) => Some((Vec::new(), vec![init])),
        None => {
            let place = checker.program.procedures.first().map_or(Span::default(), |first| first.name.at.0);
            let error = Diagnostic::error(place, "there is no procedure `main`");
            checker.error(error.help("name the procedure to start with by `--entry P`"));
            None
        }
    }
}

fn global_values(checker: &mut Checker<'_>) -> Vec<(VariableId, Expression, Span)> {
    let declared = checker.program.globals.iter().flat_map(|declaration| &declaration.variables);
    let mut initial = Vec::new();
    for (number, (name, value)) in declared.enumerate() {
        let Some(value) = value else { continue };
        let variable = VariableId::new(number);
        let span = name.at.0.to(value.at.0);
        initial.push((variable, checker.expression(value, None, Place::Initial(variable)), span));
    }
    initial
}
