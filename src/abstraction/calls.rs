//! Calls: `r0, r1 := f(e, …);` and a statement that brings the caller's predicates up to date.
//!
//! Behind the call, predicates over the variable that takes the result, and local ones over global variables that the
//! callee may have written, have lost their values. They are computed anew from what is still known: local predicates
//! that the callee cannot change, global ones (which the callee has kept), and what it returned. In a returned predicate
//! the parameters stand for the arguments, as long as those are not changed by the call themselves; the result is a
//! symbol of its own, which then becomes the new value of the variable. Old values of global variables are not kept, so
//! a relation between old and new ones that the callee establishes is lost.

use super::Part;
use super::edges::{Context, Piece, statement};
use super::image::{Step, Value};
use super::variables::{Fact, Variable, syntax};
use crate::boolean::ast::{self, Name, StatementKind};
use crate::ground::reason::Stop;
use crate::predicate::{PredicateId, PredicateScope};
use crate::program::{Action, Edge, EdgeId, LocationId, ProcedureId};
use crate::term::{Symbol, Term};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Context<'_> {
    /// Values of the formal predicates of a callee.
    pub(super) fn arguments(
        &mut self,
        procedure: ProcedureId,
        from: LocationId,
        callee: ProcedureId,
        arguments: &[Term],
    ) -> Result<Vec<ast::Expression>, Stop> {
        let facts = self.facts(procedure, from);
        let passed = self.passed(callee, arguments);
        let mut values = Vec::new();
        for id in self.signatures[callee].formal.clone() {
            let term = self.program.store.substitute(self.precision.predicates[id].term, &passed);
            let always = self.program.store.boolean(true);
            let value = match self.imager().value(always, &facts, term)? {
                Value::Determined(value) | Value::Open(value, _) => value,
            };
            values.push(syntax(value));
        }
        Ok(values)
    }

    /// Arguments for parameters.
    fn passed(&self, callee: ProcedureId, arguments: &[Term]) -> Vec<(Symbol, Term)> {
        let parameters = &self.program.procedures[callee].parameters;
        parameters.iter().copied().zip(arguments.iter().copied()).collect()
    }

    /// The statements of a call.
    pub(super) fn call(
        &mut self,
        procedure: ProcedureId,
        id: EdgeId,
        edge: &Edge,
    ) -> Result<Vec<Piece>, Stop> {
        let Action::Call { procedure: callee, arguments, result } = &edge.action else {
            unreachable!("only calls come here");
        };
        let values = self.arguments(procedure, edge.from, *callee, arguments)?;
        let (update, read) = self.bring_up_to_date(procedure, id, edge)?;
        let returned = self.signatures[*callee].returned.len();
        let results = (0..returned).map(|position| Variable::Returned(position).name());
        let used = |name: &Name| read.contains(&name.text);
        let results = results.map(|name| used(&name).then_some(name)).collect::<Vec<_>>();
        let results = if results.iter().all(Option::is_none) { Vec::new() } else { results };
        let kind = StatementKind::Call { results, procedure: self.names[*callee].clone(), arguments: values };
        let mut pieces = vec![Piece { kind, part: Part::Take }];
        if update != StatementKind::Skip || result.is_some() {
            pieces.push(Piece { kind: update, part: Part::Returned });
        }
        Ok(pieces)
    }

    /// The statement behind a call, and the names that it reads.
    fn bring_up_to_date(
        &mut self,
        procedure: ProcedureId,
        id: EdgeId,
        edge: &Edge,
    ) -> Result<(StatementKind, BTreeSet<Arc<str>>), Stop> {
        let Action::Call { procedure: callee, arguments, result } = &edge.action else {
            unreachable!("only calls come here");
        };
        let before = self.facts(procedure, edge.from);
        let kept = self.kept(&before, *callee);
        let mut facts = kept.clone();
        facts.extend(self.returned_facts(*callee, arguments));
        let wanted = self.lost(procedure, edge, *callee, &before);
        let mut updates = Vec::new();
        if let Some(target) = *result {
            updates.push((target, self.returned_value(*callee)));
        }
        let guard = self.program.store.boolean(true);
        let step = Step { guard, updates: &updates, facts: &facts, wanted: &wanted };
        let mut image = self.imager().image(&step)?;
        self.exclude_behind(procedure, edge.to, &mut image)?;
        // Only local values are surely those from before the call.
        let local = |id: &PredicateId| self.precision.predicates[*id].scope != PredicateScope::Global;
        let known = kept.iter().filter_map(|fact| match fact.variable {
            Variable::Predicate(id) => Some(id).filter(local),
            Variable::Returned(_) => None,
        });
        let known = known.collect();
        self.contradict(procedure, id, edge, &known, &mut image);
        let read = image.assignments.iter().map(|(_, value)| value).chain(&image.constraints);
        let names =
            read.flat_map(|value| value.variables()).map(|reference| reference.name.text.clone()).collect();
        Ok((statement(image), names))
    }

    /// The term for what a procedure returned.
    fn returned_value(&mut self, callee: ProcedureId) -> Term {
        let result = self.results[&callee];
        self.program.store.symbol(result)
    }

    /// Facts that still hold when the callee has returned.
    fn kept(&mut self, before: &[Fact], callee: ProcedureId) -> Vec<Fact> {
        let written = &self.written[callee];
        let mut kept = Vec::new();
        for &fact in before {
            let Variable::Predicate(id) = fact.variable else { continue };
            // Global predicates have the values that the callee gave them.
            let global = self.precision.predicates[id].scope == PredicateScope::Global;
            if global || !self.mentions(fact, written) {
                kept.push(fact);
            }
        }
        kept
    }

    /// What the returned predicates say in the caller.
    fn returned_facts(&mut self, callee: ProcedureId, arguments: &[Term]) -> Vec<Fact> {
        let mut passed = self.passed(callee, arguments);
        let written = &self.written[callee];
        passed
            .retain(|&(_, argument)| self.oracle.symbols(&self.program.store, argument).is_disjoint(written));
        if let Some(result) = self.program.procedures[callee].result {
            passed.push((result, self.returned_value(callee)));
        }
        let translated: BTreeSet<Symbol> = passed.iter().map(|&(symbol, _)| symbol).collect();
        let mut facts = Vec::new();
        for (position, &id) in self.signatures[callee].returned.iter().enumerate() {
            let term = self.precision.predicates[id].term;
            let symbols = self.oracle.symbols(&self.program.store, term);
            let locals = &self.program.procedures[callee].locals;
            let known = |symbol: &Symbol| translated.contains(symbol) || !locals.contains(symbol);
            if symbols.iter().all(known) {
                let term = self.program.store.substitute(term, &passed);
                facts.push(Fact { variable: Variable::Returned(position), term });
            }
        }
        facts
    }

    /// Predicates behind the call whose values are not those from before it.
    fn lost(
        &mut self,
        procedure: ProcedureId,
        edge: &Edge,
        callee: ProcedureId,
        before: &[Fact],
    ) -> Vec<Fact> {
        let target: BTreeSet<Symbol> = edge.writes().into_iter().collect();
        let written = &self.written[callee];
        let mut lost = Vec::new();
        for fact in self.facts(procedure, edge.to) {
            let Variable::Predicate(id) = fact.variable else { continue };
            let local = self.precision.predicates[id].scope != PredicateScope::Global;
            let stale = local && (self.mentions(fact, written) || !before.contains(&fact));
            if stale || self.mentions(fact, &target) {
                lost.push(fact);
            }
        }
        lost
    }
}
