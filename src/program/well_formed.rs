//! The rules of the program model, as a check that runs after every transformation in debug builds.
//!
//! The contract is in the comments of [`Program`] and its parts; here every rule is one test, and a broken one is a
//! [`Complaint`] in words. All complaints are collected: one slip of a transformation often shows in several.

use super::reads::Walker;
use super::{Action, Block, Edge, EdgeId, Procedure, ProcedureId, Program, Role, Scope};
use crate::ground::index::{Index, IndexVec};
use crate::ir::Place;
use crate::term::{Sort, Symbol, Term};
use std::collections::BTreeSet;
use std::fmt;

/// A broken rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// In which procedure.
    pub procedure: Option<ProcedureId>,
    /// At which of its edges.
    pub edge: Option<EdgeId>,
    /// What is wrong.
    pub text: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(procedure) = self.procedure {
            write!(f, "procedure {}: ", procedure.index())?;
        }
        if let Some(edge) = self.edge {
            write!(f, "edge {}: ", edge.index())?;
        }
        f.write_str(&self.text)
    }
}

/// All rules that the program breaks; none if it is well-formed.
#[must_use]
pub fn check(program: &Program) -> Vec<Complaint> {
    let used = IndexVec::filled(None, program.store.symbol_count());
    let mut check = Check { program, complaints: Vec::new(), at: (None, None), walker: Walker::new(), used };
    if check.tables() {
        for (id, procedure) in program.procedures.enumerate() {
            check.at = (Some(id), None);
            check.procedure(id, procedure);
        }
        check.at = (None, None);
        check.properties();
        check.objects();
    }
    check.complaints
}

struct Check<'p> {
    program: &'p Program,
    complaints: Vec<Complaint>,
    at: (Option<ProcedureId>, Option<EdgeId>),
    walker: Walker,
    /// The edge that uses each input.
    used: IndexVec<Symbol, Option<(ProcedureId, EdgeId)>>,
}

impl Check<'_> {
    fn expect(&mut self, right: bool, text: impl FnOnce() -> String) {
        if !right {
            let (procedure, edge) = self.at;
            self.complaints.push(Complaint { procedure, edge, text: text() });
        }
    }

    fn name(&self, symbol: Symbol) -> String {
        match symbol.index() < self.program.store.symbol_count() {
            true => self.program.store.name(symbol).to_string(),
            false => format!("symbol {}", symbol.index()),
        }
    }

    fn known(&self, symbol: Symbol) -> bool {
        symbol.index() < self.program.store.symbol_count()
    }

    /// Whether the tables fit each other, so that the rest can be looked at.
    fn tables(&mut self) -> bool {
        let (variables, symbols) = (self.program.variables.len(), self.program.store.symbol_count());
        self.expect(variables == symbols, || format!("{variables} variables for {symbols} symbols"));
        self.expect(self.program.procedures.get(self.program.entry).is_some(), || "there is no entry".into());
        if !self.complaints.is_empty() {
            return false;
        }
        self.variables();
        self.complaints.is_empty()
    }

    fn variables(&mut self) {
        let mut owners: IndexVec<Symbol, Option<ProcedureId>> =
            IndexVec::filled(None, self.program.variables.len());
        for (id, procedure) in self.program.procedures.enumerate() {
            let ghosts = self.program.overlay.ghosts(id).iter().map(|ghost| ghost.symbol);
            for local in procedure.locals.iter().copied().chain(ghosts) {
                self.expect(self.known(local), || "an unknown local variable".into());
                if self.known(local) {
                    let twice = owners[local].replace(id).is_some();
                    let name = self.name(local);
                    self.expect(!twice, || format!("{name} is a local variable twice"));
                }
            }
        }
        for (symbol, variable) in self.program.variables.enumerate() {
            let name = self.name(symbol);
            let scope = match owners[symbol] {
                Some(owner) => variable.scope == Scope::Local(owner),
                None => !matches!(variable.scope, Scope::Local(_)),
            };
            self.expect(scope, || format!("{name} is not a local variable where its scope says"));
            let input = matches!(variable.role, Role::Input(_));
            let both = input == (variable.scope == Scope::Input);
            self.expect(both, || format!("{name} has the role or the scope of an input, not both"));
            let typed = variable.ty.is_none_or(|ty| self.program.types.get(ty).is_some());
            self.expect(typed, || format!("{name} has an unknown type"));
        }
    }

    fn procedure(&mut self, id: ProcedureId, procedure: &Procedure) {
        let own: BTreeSet<Symbol> = procedure.locals.iter().copied().collect();
        for &symbol in procedure.parameters.iter().chain(&procedure.result) {
            let name = self.name(symbol);
            self.expect(own.contains(&symbol), || format!("{name} is no local variable"));
        }
        let distinct: BTreeSet<_> = procedure.parameters.iter().collect();
        self.expect(distinct.len() == procedure.parameters.len(), || "a parameter twice".into());
        self.expect(id != self.program.entry || distinct.is_empty(), || "the entry has parameters".into());
        for (name, location) in [("entry", procedure.entry), ("exit", procedure.exit)] {
            let known = procedure.locations.get(location).is_some();
            self.expect(known, || format!("the {name} is no location"));
        }
        self.places(procedure.place.iter());
        self.places(procedure.locations.iter().filter_map(|location| location.place.as_ref()));
        for (edge_id, edge) in procedure.edges.enumerate() {
            self.at = (Some(id), Some(edge_id));
            self.edge(procedure, edge);
        }
    }

    fn places<'a>(&mut self, places: impl Iterator<Item = &'a Place>) {
        for place in places {
            let known = self.program.files.get(place.file).is_some();
            self.expect(known, || format!("a place in the unknown file {}", place.file.index()));
        }
    }

    fn edge(&mut self, procedure: &Procedure, edge: &Edge) {
        for end in [edge.from, edge.to] {
            let known = procedure.locations.get(end).is_some();
            self.expect(known, || format!("no location {}", end.index()));
        }
        self.expect(edge.to != procedure.entry, || "it leads to the entry".into());
        self.expect(edge.from != procedure.exit, || "it leaves the exit".into());
        self.places(edge.places.iter());
        if let Some(property) = edge.property {
            let listed = self.program.properties.get(property).is_some_and(|property| {
                self.at.0.zip(self.at.1).is_some_and(|here| property.edges.contains(&here))
            });
            self.expect(listed, || format!("property {} does not list it", property.index()));
        }
        self.action(&edge.action);
        self.scopes(edge);
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Block(block) => self.block(block),
            Action::Call { procedure, arguments, result } => {
                self.call(*procedure, arguments);
                if let Some(result) = *result {
                    self.result(*procedure, result);
                }
            }
            Action::Start { procedure, arguments } => self.call(*procedure, arguments),
            Action::AtomicBegin | Action::AtomicEnd | Action::End | Action::Unsupported(_) => {}
        }
    }

    fn block(&mut self, block: &Block) {
        let guard = self.program.store.sort(block.guard);
        self.expect(guard == Sort::Boolean, || format!("the guard is of sort {guard:?}"));
        let mut updated = BTreeSet::new();
        for &(symbol, value) in &block.updates {
            let name = self.name(symbol);
            self.expect(updated.insert(symbol), || format!("{name} is updated twice"));
            self.fits(symbol, value);
        }
        for &input in &block.inputs {
            let name = self.name(input);
            let right = self.program.variables.get(input).is_some_and(|it| it.scope == Scope::Input);
            self.expect(right, || format!("{name} is listed as an input"));
            let (Some(procedure), Some(edge), true) = (self.at.0, self.at.1, right) else { continue };
            let before = self.used[input].replace((procedure, edge));
            self.expect(before.is_none(), || format!("the input {name} is used by two edges, or twice"));
        }
    }

    fn fits(&mut self, symbol: Symbol, value: Term) {
        if self.known(symbol) {
            let (wanted, found) = (self.program.store.sort_of_symbol(symbol), self.program.store.sort(value));
            let name = self.name(symbol);
            self.expect(wanted == found, || format!("{name} is of sort {wanted:?}, its value of {found:?}"));
        }
    }

    fn call(&mut self, callee: ProcedureId, arguments: &[Term]) {
        let Some(callee) = self.program.procedures.get(callee) else {
            return self.expect(false, || "an unknown procedure is called".into());
        };
        let (wanted, found) = (callee.parameters.len(), arguments.len());
        self.expect(wanted == found, || {
            format!("{found} arguments for {wanted} parameters of {}", callee.name)
        });
        for (&parameter, &argument) in callee.parameters.iter().zip(arguments) {
            self.fits(parameter, argument);
        }
    }

    fn result(&mut self, callee: ProcedureId, target: Symbol) {
        let returned = self.program.procedures.get(callee).and_then(|callee| callee.result);
        let sort = |symbol: Symbol| self.known(symbol).then(|| self.program.store.sort_of_symbol(symbol));
        let right = returned.is_some_and(|returned| sort(returned) == sort(target));
        let name = self.name(target);
        self.expect(right, || format!("{name} takes a result that the procedure does not have"));
    }

    /// Whether everything that the edge reads and writes can be seen there.
    fn scopes(&mut self, edge: &Edge) {
        let inputs: &[Symbol] = match &edge.action {
            Action::Block(block) => &block.inputs,
            _ => &[],
        };
        for symbol in self.walker.symbols(&self.program.store, edge.terms()) {
            let right = match self.program.variables[symbol].scope {
                Scope::Global => true,
                Scope::Local(owner) => Some(owner) == self.at.0,
                Scope::Input => inputs.contains(&symbol),
            };
            let name = self.name(symbol);
            self.expect(right, || format!("{name} is out of scope"));
            self.expect(!self.program.overlay.is_ghost(symbol), || {
                format!("an edge mentions the ghost {name}")
            });
        }
        for symbol in edge.writes() {
            let scope = self.program.variables.get(symbol).map(|variable| variable.scope);
            let right = match scope {
                Some(Scope::Global) => true,
                Some(Scope::Local(owner)) => Some(owner) == self.at.0,
                Some(Scope::Input) | None => false,
            };
            let name = self.name(symbol);
            let ghost = self.program.overlay.is_ghost(symbol);
            self.expect(right && !ghost, || format!("{name} cannot be written here"));
        }
    }

    fn properties(&mut self) {
        for (id, property) in self.program.properties.enumerate() {
            self.places(property.place.iter());
            for &(procedure, edge) in &property.edges {
                let procedure = self.program.procedures.get(procedure);
                let found = procedure.and_then(|procedure| procedure.edges.get(edge));
                let carries = found.is_some_and(|edge| edge.property == Some(id));
                self.expect(carries, || format!("edge {} does not carry {}", edge.index(), property.id));
            }
        }
    }

    fn objects(&mut self) {
        let mut last = 0;
        for object in self.program.objects.iter() {
            self.expect(object.base >= last, || format!("{} overlaps or is out of order", object.name));
            last = object.base.saturating_add(object.size);
            let typed = object.ty.is_none_or(|ty| self.program.types.get(ty).is_some());
            self.expect(typed, || format!("{} has an unknown type", object.name));
        }
    }
}

#[cfg(test)]
mod tests;
