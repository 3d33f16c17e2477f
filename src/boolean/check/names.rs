//! The name tables of a program: global variables, procedures, and the variables of each procedure.

use super::super::ast::{self, Name};
use super::super::cfg::{ProcedureId, Scope, Variable, VariableId};
use crate::ground::diagnostic::Diagnostic;
use crate::ground::index::{Index, IndexVec};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// Variables by name.
pub type Table<'a> = HashMap<&'a str, VariableId>;

/// The name tables of a program.
#[derive(Default)]
pub struct Names<'a> {
    /// All variables; the globals first.
    pub variables: IndexVec<VariableId, Variable>,
    /// How many are global.
    pub global_count: usize,
    /// The global variables.
    pub globals: Table<'a>,
    /// The variables of each procedure.
    pub locals: Vec<Table<'a>>,
    /// The frame of each procedure: parameters, then locals.
    pub frames: Vec<Vec<VariableId>>,
    /// The procedures.
    pub procedures: HashMap<&'a str, ProcedureId>,
}

impl<'a> Names<'a> {
    /// The tables of a program, and what is declared twice.
    pub fn new(program: &'a ast::Program) -> (Self, Vec<Diagnostic>) {
        let mut names = Self::default();
        let mut errors = Vec::new();
        let declared = program.globals.iter().flat_map(|declaration| &declaration.variables);
        for (position, (name, _)) in declared.enumerate() {
            let id = names.add(name, Scope::Global(position));
            insert(&mut names.globals, name, id, &names.variables, &mut errors);
        }
        names.global_count = names.variables.len();
        for (number, procedure) in program.procedures.iter().enumerate() {
            let id = ProcedureId::new(number);
            names.procedure(procedure, id, &mut errors);
            names.add_procedure(program, procedure, id, &mut errors);
        }
        (names, errors)
    }

    fn add(&mut self, name: &Name, scope: Scope) -> VariableId {
        self.variables.push(Variable { name: Arc::clone(&name.text), scope, span: name.at.0, passive: false })
    }

    fn procedure(&mut self, procedure: &'a ast::Procedure, id: ProcedureId, errors: &mut Vec<Diagnostic>) {
        let locals = procedure.locals.iter().flat_map(|declaration| &declaration.variables);
        let all = procedure.parameters.iter().chain(locals.map(|(name, _)| name));
        let (mut table, mut frame) = (Table::new(), Vec::new());
        for (position, name) in all.enumerate() {
            let variable = self.add(name, Scope::Local(id, position));
            frame.push(variable);
            insert(&mut table, name, variable, &self.variables, errors);
        }
        self.locals.push(table);
        self.frames.push(frame);
    }

    fn add_procedure(
        &mut self,
        program: &ast::Program,
        procedure: &'a ast::Procedure,
        id: ProcedureId,
        errors: &mut Vec<Diagnostic>,
    ) {
        let name = &procedure.name;
        match self.procedures.entry(&name.text) {
            Entry::Vacant(entry) => drop(entry.insert(id)),
            Entry::Occupied(entry) => {
                let first = program.procedures[entry.get().index()].name.at.0;
                errors.push(
                    Diagnostic::error(name.at.0, format!("the procedure `{}` is defined twice", name.text))
                        .label("defined again here")
                        .also(first, "first defined here"),
                );
            }
        }
    }
}

fn insert<'a>(
    table: &mut Table<'a>,
    name: &'a Name,
    id: VariableId,
    variables: &IndexVec<VariableId, Variable>,
    errors: &mut Vec<Diagnostic>,
) {
    match table.entry(&name.text) {
        Entry::Vacant(entry) => drop(entry.insert(id)),
        Entry::Occupied(entry) => errors.push(
            Diagnostic::error(name.at.0, format!("the variable `{}` is declared twice", name.text))
                .label("declared again here")
                .also(variables[*entry.get()].span, "first declared here"),
        ),
    }
}
