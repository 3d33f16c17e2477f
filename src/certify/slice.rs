//! Slices of C programs, checked: a slice can do whatever the program can, as far as some properties are concerned.
//!
//! The slice follows the program step by step. It has the same values in the variables that it speaks of, and is where `places`
//! says. A step of the program is a step of the slice, by `images`, or changes nothing that the slice speaks of and leaves it where it
//! is. Below a call that the slice does not make, nothing changes that it speaks of. A thread that has got to where nothing
//! that matters comes next is *lost*: the slice does not follow it any further, which keeps nobody else from moving, and
//! whatever it does there is silent. So every run of the program that violates one of the properties, or gets to what is not
//! modelled, has its run of the slice that does the same; what no run of the slice does, no run of the program does. Each
//! rule is local, and is checked here for each edge, whoever made the slice.

use crate::ground::index::{Index as _, IndexVec};
use crate::program::reads::Walker;
use crate::program::slice::Slice;
use crate::program::{Action, Block, Edge, EdgeId, Procedure, ProcedureId, Program, PropertyId, Scope};
use crate::term::{Node, Symbol, Term};
use std::collections::BTreeSet;

/// Checks that what holds of these properties in the slice holds in the program.
///
/// # Errors
/// Why that does not follow.
pub fn check_slice(program: &Program, slice: &Slice, asked: &BTreeSet<PropertyId>) -> Result<(), String> {
    let silent = silent_procedures(program, slice, asked);
    let check = Check { program, slice, asked, silent };
    check.tables()?;
    for id in program.procedures.ids() {
        check.procedure(id).map_err(|why| format!("{}: {why}", program.procedures[id].name))?;
    }
    check.scopes()
}

struct Check<'p> {
    program: &'p Program,
    slice: &'p Slice,
    asked: &'p BTreeSet<PropertyId>,
    /// Procedures that do nothing that the slice speaks of.
    silent: IndexVec<ProcedureId, bool>,
}

/// Whether a condition holds, or what is wrong.
fn expect(right: bool, what: impl Into<String>) -> Result<(), String> {
    if right { Ok(()) } else { Err(what.into()) }
}

/// Procedures below which nothing happens that the slice speaks of: all, but for those where something does.
fn silent_procedures(
    program: &Program,
    slice: &Slice,
    asked: &BTreeSet<PropertyId>,
) -> IndexVec<ProcedureId, bool> {
    let mut silent = IndexVec::filled(true, program.procedures.len());
    loop {
        let heard = |id: &ProcedureId| {
            let mut edges = program.procedures[*id].edges.iter();
            silent[*id] && !edges.all(|edge| is_silent(slice, &silent, asked, edge))
        };
        let more: Vec<ProcedureId> = program.procedures.ids().filter(heard).collect();
        if more.is_empty() {
            return silent;
        }
        more.into_iter().for_each(|id| silent[id] = false);
    }
}

/// Whether the slice need not notice a step.
fn is_silent(
    slice: &Slice,
    silent: &IndexVec<ProcedureId, bool>,
    asked: &BTreeSet<PropertyId>,
    edge: &Edge,
) -> bool {
    let spoken_of = |symbol: Symbol| slice.variables[symbol];
    if let Some(property) = edge.property {
        return !asked.contains(&property);
    }
    match &edge.action {
        Action::Block(block) => !block.updates.iter().any(|&(symbol, _)| spoken_of(symbol)),
        &Action::Call { procedure, result, .. } => silent[procedure] && !result.is_some_and(spoken_of),
        // The run ends: nothing is left to be followed.
        Action::End => true,
        Action::Start { .. } | Action::AtomicBegin | Action::AtomicEnd | Action::Unsupported(_) => false,
    }
}

impl Check<'_> {
    /// Whether both are about the same things, and the verdict rests on the same.
    fn tables(&self) -> Result<(), String> {
        let (whole, small) = (self.program, &self.slice.program);
        expect(whole.procedures.len() == small.procedures.len(), "other procedures")?;
        expect(whole.entry == small.entry && self.slice.places[whole.entry].is_some(), "another entry")?;
        expect(whole.variables == small.variables, "other variables")?;
        expect(whole.gaps == small.gaps, "other gaps")?;
        expect(whole.assumptions.is_subset(&small.assumptions), "fewer assumptions")?;
        let ids = |program: &Program| -> Vec<String> {
            program.properties.iter().map(|property| property.id.clone()).collect()
        };
        expect(ids(whole) == ids(small), "other properties")
    }

    fn procedure(&self, id: ProcedureId) -> Result<(), String> {
        let Some(places) = &self.slice.places[id] else {
            return expect(self.slice.images[id].iter().all(Option::is_none), "edges of what is not there");
        };
        let (whole, small) = (&self.program.procedures[id], &self.slice.program.procedures[id]);
        expect(whole.entry == small.entry && places[whole.entry] == Some(small.entry), "another entry")?;
        expect(whole.exit == small.exit && places[whole.exit] == Some(small.exit), "another exit")?;
        expect(self.spoken_of(&whole.parameters) == small.parameters, "other parameters")?;
        let result = whole.result.filter(|&result| self.slice.variables[result]);
        expect(result == small.result, "another result")?;
        for (number, edge) in whole.edges.enumerate() {
            let text = |why: String| format!("edge {}: {why}", number.index());
            self.edge(id, number, edge, small).map_err(text)?;
        }
        Ok(())
    }

    fn spoken_of(&self, symbols: &[Symbol]) -> Vec<Symbol> {
        symbols.iter().copied().filter(|&symbol| self.slice.variables[symbol]).collect()
    }

    fn edge(&self, id: ProcedureId, number: EdgeId, edge: &Edge, small: &Procedure) -> Result<(), String> {
        let place = |location| self.slice.places[id].as_ref().and_then(|places| places[location]);
        let (from, to) = (place(edge.from), place(edge.to));
        // Without a property that was asked for, a run that ends has nothing left to be followed.
        let ends = match edge.property {
            Some(property) => !self.asked.contains(&property),
            None => edge.action == Action::End,
        };
        let on = self.program.procedures[id].edges.iter().any(|after| after.from == edge.to);
        if ends {
            return expect(!on, "the run goes on after its end");
        }
        match self.slice.images[id][number] {
            None => {
                let silent = is_silent(self.slice, &self.silent, self.asked, edge);
                expect(silent, "it is left out, and does something")?;
                expect(to.is_none() || to == from, "it is left out, and leads elsewhere")
            }
            Some(image) => {
                let image = &small.edges[image];
                expect(from == Some(image.from), "its image starts elsewhere")?;
                expect(to.is_none() || to == Some(image.to), "its image leads elsewhere")?;
                expect(edge.property == image.property, "its image has another property")?;
                self.action(&edge.action, &image.action)
            }
        }
    }

    /// Whether the action of the slice can be taken whenever that of the program is, and comes to the same.
    fn action(&self, whole: &Action, small: &Action) -> Result<(), String> {
        match (whole, small) {
            (Action::Block(whole), Action::Block(small)) => self.block(whole, small),
            (
                &Action::Call { procedure: callee, ref arguments, result },
                &Action::Call { procedure, arguments: ref left, result: taken },
            ) => {
                self.arguments((callee, arguments), (procedure, left))?;
                expect(taken == result.filter(|&result| self.slice.variables[result]), "another result")
            }
            (&Action::Call { procedure, result, .. }, Action::Block(small)) => {
                let silent =
                    self.silent[procedure] && result.is_none_or(|result| !self.slice.variables[result]);
                expect(silent, "a call that does something is left out")?;
                expect(
                    self.is_true(small.guard) && small.updates.is_empty(),
                    "a call that does something else",
                )
            }
            (
                Action::Start { procedure: callee, arguments },
                Action::Start { procedure, arguments: left },
            ) => self.arguments((*callee, arguments), (*procedure, left)),
            (whole, small) => expect(whole == small, "its image does something else"),
        }
    }

    fn is_true(&self, term: Term) -> bool {
        self.slice.program.store.node(term) == Node::Boolean(true)
    }

    fn block(&self, whole: &Block, small: &Block) -> Result<(), String> {
        expect(small.guard == whole.guard || self.is_true(small.guard), "another guard")?;
        let updates = whole.updates.iter().copied().filter(|&(symbol, _)| self.slice.variables[symbol]);
        expect(updates.collect::<Vec<_>>() == small.updates, "other updates")
    }

    fn arguments(
        &self,
        (callee, arguments): (ProcedureId, &[Term]),
        (procedure, left): (ProcedureId, &[Term]),
    ) -> Result<(), String> {
        expect(callee == procedure && self.slice.places[callee].is_some(), "another procedure")?;
        let parameters = self.program.procedures[callee].parameters.iter().zip(arguments);
        let wanted = parameters.filter(|&(&parameter, _)| self.slice.variables[parameter]);
        expect(wanted.map(|(_, &argument)| argument).collect::<Vec<_>>() == left, "other arguments")
    }

    /// Whether the slice mentions only variables that it keeps account of. (Inputs are arbitrary wherever they are.)
    fn scopes(&self) -> Result<(), String> {
        let (small, mut walker) = (&self.slice.program, Walker::new());
        for edge in small.procedures.iter().flat_map(|procedure| procedure.edges.iter()) {
            for symbol in walker.symbols(&small.store, edge.terms()) {
                let known = small.variables[symbol].scope == Scope::Input || self.slice.variables[symbol];
                expect(known, format!("it reads {}, and does not write it", small.store.name(symbol)))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
