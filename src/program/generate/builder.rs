//! Builds programs by hand: the few lines that every test of the program model would repeat.

use crate::ground::index::IndexVec;
use crate::program::{
    Action, Block, Edge, EdgeId, Location, LocationId, Procedure, ProcedureId, Program, Property, PropertyId,
    PropertyKind, Role, Scope, Variable,
};
use crate::term::{Sort, Store, Symbol, Term};
use std::collections::BTreeSet;

/// A program in the making.
pub(crate) struct Builder {
    pub program: Program,
}

impl Builder {
    /// An empty program; its first procedure will be its entry.
    pub fn new() -> Self {
        let program = Program {
            store: Store::new(),
            pointer_bits: 32,
            variables: IndexVec::new(),
            procedures: IndexVec::new(),
            entry: crate::ground::index::Index::new(0),
            properties: IndexVec::new(),
            objects: IndexVec::new(),
            files: IndexVec::from_vec(vec!["test.c".into()]),
            types: IndexVec::new(),
            assumptions: BTreeSet::new(),
            gaps: BTreeSet::new(),
            tallies: Vec::new(),
            overlay: Default::default(),
        };
        Self { program }
    }

    pub fn variable(&mut self, name: &str, sort: Sort, scope: Scope, role: Role) -> Symbol {
        self.program.variables.push(Variable { scope, ty: None, role });
        self.program.store.fresh(name, sort)
    }

    pub fn global(&mut self, name: &str, sort: Sort) -> Symbol {
        let role = if matches!(sort, Sort::Array { .. }) { Role::Memory } else { Role::Plain };
        self.variable(name, sort, Scope::Global, role)
    }

    pub fn local(&mut self, procedure: ProcedureId, name: &str, sort: Sort, role: Role) -> Symbol {
        let symbol = self.variable(name, sort, Scope::Local(procedure), role);
        self.program.procedures[procedure].locals.push(symbol);
        symbol
    }

    pub fn input(&mut self, origin: &str, sort: Sort) -> Symbol {
        self.variable(origin, sort, Scope::Input, Role::Input(origin.into()))
    }

    /// A procedure with an entry and an exit and nothing between.
    pub fn procedure(&mut self, name: &str) -> ProcedureId {
        let mut locations = IndexVec::new();
        let entry = locations.push(Location::default());
        let exit = locations.push(Location::default());
        self.program.procedures.push(Procedure {
            name: name.into(),
            parameters: Vec::new(),
            result: None,
            locals: Vec::new(),
            locations,
            edges: IndexVec::new(),
            entry,
            exit,
            place: None,
        })
    }

    pub fn parameter(&mut self, procedure: ProcedureId, name: &str, sort: Sort) -> Symbol {
        let symbol = self.local(procedure, name, sort, Role::Plain);
        self.program.procedures[procedure].parameters.push(symbol);
        symbol
    }

    pub fn result(&mut self, procedure: ProcedureId, sort: Sort) -> Symbol {
        let symbol = self.local(procedure, "result", sort, Role::Ghost);
        self.program.procedures[procedure].result = Some(symbol);
        symbol
    }

    pub fn location(&mut self, procedure: ProcedureId) -> LocationId {
        self.program.procedures[procedure].locations.push(Location::default())
    }

    pub fn edge(
        &mut self,
        procedure: ProcedureId,
        from: LocationId,
        to: LocationId,
        action: Action,
    ) -> EdgeId {
        let edge = Edge { from, to, action, property: None, places: Vec::new() };
        self.program.procedures[procedure].edges.push(edge)
    }

    pub fn block(
        &mut self,
        procedure: ProcedureId,
        ends: (LocationId, LocationId),
        guard: Term,
        updates: Vec<(Symbol, Term)>,
        inputs: Vec<Symbol>,
    ) -> EdgeId {
        self.edge(procedure, ends.0, ends.1, Action::Block(Block { guard, updates, inputs }))
    }

    /// An edge that violates a new property if the guard holds.
    pub fn violation(&mut self, procedure: ProcedureId, from: LocationId, guard: Term) -> PropertyId {
        let to = self.location(procedure);
        let edge = self.block(procedure, (from, to), guard, Vec::new(), Vec::new());
        let name = self.program.procedures[procedure].name.clone();
        let number = self.program.properties.len() + 1;
        let property = self.program.properties.push(Property {
            id: format!("{name}.assert.{number}"),
            kind: PropertyKind::Assertion,
            text: "…".into(),
            place: None,
            procedure,
            edges: vec![(procedure, edge)],
        });
        self.program.procedures[procedure].edges[edge].property = Some(property);
        property
    }

    pub fn ends(&self, procedure: ProcedureId) -> (LocationId, LocationId) {
        let procedure = &self.program.procedures[procedure];
        (procedure.entry, procedure.exit)
    }

    pub fn bits(&mut self, value: u128) -> Term {
        self.program.store.bits(8, value)
    }

    pub fn read(&mut self, symbol: Symbol) -> Term {
        self.program.store.symbol(symbol)
    }
}
