//! Calls: `o2, a0 := b2, …; r0, r1 := f(a0, …);` and a statement that brings the caller's predicates up to date.
//!
//! Before the call, the values of the formal predicates are computed as behind any other step, and passed. Behind it,
//! predicates over the variable that takes the result, and local ones over global variables that the callee may have
//! written, have lost their values. They are computed anew from what is known. That is of two times: a global variable
//! that the callee may write has an old value, for which there is a symbol of its own, and a new one. Local predicates
//! speak of the old values, and so do global ones as they were before the call, which are saved where they are needed; what
//! the callee has made of the global ones speaks of the new values. In a returned predicate the parameters stand for the
//! arguments, which are old; the result is a symbol of its own, which then becomes the new value of the variable. So a
//! callee that keeps a copy of what a global variable was at its entry, as a parameter that it never writes, can tell
//! its callers how the new value hangs together with the old one.

use super::Part;
use super::edges::{Context, Piece, statement};
use super::image::{Image, Step};
use super::variables::{Expression, Fact, Variable, literal, syntax};
use crate::boolean::ast::{self, Name, StatementKind};
use crate::ground::reason::Stop;
use crate::predicate::{PredicateId, PredicateScope, Transition};
use crate::program::Variable as ProgramVariable;
use crate::program::{Action, Edge, EdgeId, LocationId, ProcedureId, Role, Scope};
use crate::term::substitute::Substitution;
use crate::term::{Symbol, Term};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Names that statements read.
type Names = BTreeSet<Arc<str>>;

impl Context<'_> {
    /// Values of the formal predicates of a callee, each by itself.
    pub(super) fn arguments(
        &mut self,
        procedure: ProcedureId,
        from: LocationId,
        callee: ProcedureId,
        arguments: &[Term],
    ) -> Result<Vec<ast::Expression>, Stop> {
        let image = self.entering(procedure, from, callee, arguments)?;
        Ok(image.assignments.into_iter().map(|(_, value)| syntax(value)).collect())
    }

    /// The step into a callee: values of its formal predicates, by position, and what must hold of them.
    fn entering(
        &mut self,
        procedure: ProcedureId,
        from: LocationId,
        callee: ProcedureId,
        arguments: &[Term],
    ) -> Result<Image, Stop> {
        let facts = self.facts(procedure, from);
        let passed = self.passed(callee, arguments);
        let formal = self.signatures[callee].formal.iter().enumerate();
        let wanted: Vec<Fact> = formal
            .map(|(position, &id)| Fact { variable: Variable::Argument(position), ..self.fact(id) })
            .collect();
        let guard = self.program.store.boolean(true);
        self.imager().image(&Step { guard, updates: &passed, facts: &facts, wanted: &wanted })
    }

    /// Arguments for parameters, and what ghosts stand for.
    fn passed(&self, callee: ProcedureId, arguments: &[Term]) -> Vec<(Symbol, Term)> {
        self.program.entered(callee, arguments)
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
        let mut before = self.entering(procedure, edge.from, *callee, arguments)?;
        self.contradict_entry(procedure, id, edge, *callee, &mut before);
        let (update, read) = self.bring_up_to_date(procedure, id, edge)?;
        let values = arguments_of(&mut before);
        let saved =
            self.tracking.global().iter().filter(|&&id| read.contains(&Variable::Saved(id).name().text));
        before.assignments.extend(saved.map(|&id| (Variable::Saved(id), Variable::Predicate(id).now())));
        let returned = self.signatures[*callee].returned.len();
        let results = (0..returned).map(|position| Variable::Returned(position).name());
        let used = |name: &Name| read.contains(&name.text);
        let results = results.map(|name| used(&name).then_some(name)).collect::<Vec<_>>();
        let results = if results.iter().all(Option::is_none) { Vec::new() } else { results };
        let mut pieces = Vec::new();
        let prepare = statement(before);
        if prepare != StatementKind::Skip {
            pieces.push(Piece { kind: prepare, part: Part::Prepare });
        }
        let kind = StatementKind::Call { results, procedure: self.names[*callee].clone(), arguments: values };
        pieces.push(Piece { kind, part: Part::Take });
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
    ) -> Result<(StatementKind, Names), Stop> {
        let Action::Call { procedure: callee, arguments, result } = &edge.action else {
            unreachable!("only calls come here");
        };
        let before = self.facts(procedure, edge.from);
        let wanted = self.lost(procedure, edge, *callee, &before);
        let mut old = self.old_values(*callee, &before, arguments);
        let mut facts = self.facts_of_both_times(&before, &mut old);
        facts.extend(self.returned_facts(*callee, arguments, &mut old));
        let mut updates = Vec::new();
        if let Some(target) = *result {
            updates.push((target, self.returned_value(*callee)));
        }
        let guard = self.program.store.boolean(true);
        let step = Step { guard, updates: &updates, facts: &facts, wanted: &wanted };
        let mut image = self.imager().image(&step)?;
        self.exclude_behind(procedure, edge.to, &mut image)?;
        self.contradict_return(procedure, id, edge, *callee, &mut image);
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

    /// Symbols for the old values of global variables that the callee may write, as far as anybody speaks of them.
    fn old_values(&mut self, callee: ProcedureId, before: &[Fact], arguments: &[Term]) -> Substitution {
        let mut mentioned = BTreeSet::new();
        for term in before.iter().map(|fact| fact.term).chain(arguments.iter().copied()) {
            mentioned.extend(self.oracle.symbols(&self.program.store, term).iter().copied());
        }
        let changed: Vec<Symbol> = self.written[callee].intersection(&mentioned).copied().collect();
        Substitution::new(
            changed.into_iter().map(|symbol| (symbol, self.old_value(symbol))).collect::<Vec<_>>(),
        )
    }

    fn old_value(&mut self, symbol: Symbol) -> Term {
        let program = &mut *self.program;
        let old = self.old.entry(symbol).or_insert_with(|| {
            let origin = format!("old {}", program.store.name(symbol));
            let ty = program.variables[symbol].ty;
            let role = Role::Input(origin.clone());
            program.variables.push(ProgramVariable { scope: Scope::Input, ty, role });
            program.store.fresh(origin, program.store.sort_of_symbol(symbol))
        });
        self.program.store.symbol(*old)
    }

    /// What is known of the time before the call, and of the time when the callee has returned.
    fn facts_of_both_times(&mut self, before: &[Fact], old: &mut Substitution) -> Vec<Fact> {
        let mut facts = Vec::new();
        for &fact in before {
            let Variable::Predicate(id) = fact.variable else { continue };
            let then = Fact { term: old.apply(&mut self.program.store, fact.term), ..fact };
            let local = self.precision.predicates[id].scope != PredicateScope::Global;
            if local || then.term == fact.term {
                facts.push(then);
            } else {
                // The callee has given it the value that it has now.
                facts.push(fact);
                facts.push(Fact { variable: Variable::Saved(id), ..then });
            }
        }
        facts
    }

    /// What the returned predicates say in the caller.
    fn returned_facts(
        &mut self,
        callee: ProcedureId,
        arguments: &[Term],
        old: &mut Substitution,
    ) -> Vec<Fact> {
        let mut passed = self.passed(callee, arguments);
        for (_, argument) in &mut passed {
            *argument = old.apply(&mut self.program.store, *argument);
        }
        if let Some(result) = self.program.procedures[callee].result {
            passed.push((result, self.returned_value(callee)));
        }
        let mut facts = Vec::new();
        for (position, &id) in self.signatures[callee].returned.iter().enumerate() {
            let term = self.program.store.substitute(self.precision.predicates[id].term, &passed);
            facts.push(Fact { variable: Variable::Returned(position), term });
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

    /// Steps into the callee that the precision excludes: between values in the caller and at the entry.
    fn contradict_entry(
        &mut self,
        procedure: ProcedureId,
        id: EdgeId,
        edge: &Edge,
        callee: ProcedureId,
        image: &mut Image,
    ) {
        let known: BTreeSet<PredicateId> = self.tracking.at(procedure, edge.from).collect();
        let formal = &self.signatures[callee].formal;
        let at_entry = |&(id, value): &(PredicateId, bool)| {
            let position = formal.iter().position(|&formal| formal == id);
            let passed = position.map(|position| Variable::Argument(position).next());
            let global = self.precision.predicates[id].scope == PredicateScope::Global;
            Some(literal(passed.or_else(|| global.then(|| Variable::Predicate(id).now()))?, value))
        };
        let all = self.precision.excluded_at((procedure, id));
        for contradiction in all.filter(|it| it.transition == Transition::Edge) {
            let behind: Option<Vec<Expression>> = contradiction.behind.iter().map(at_entry).collect();
            let applies = contradiction.before.iter().all(|(id, _)| known.contains(id));
            if let Some(behind) = behind.filter(|_| applies) {
                let before = contradiction.before.iter();
                let before = before.map(|&(id, value)| literal(Variable::Predicate(id).now(), value));
                image.constraints.push(Expression::conjunction(before.chain(behind)).negate());
            }
        }
    }

    /// Returns that the precision excludes: between values before the call, returned ones, and those behind it.
    fn contradict_return(
        &mut self,
        procedure: ProcedureId,
        id: EdgeId,
        edge: &Edge,
        callee: ProcedureId,
        image: &mut Image,
    ) {
        let known: BTreeSet<PredicateId> = self.tracking.at(procedure, edge.from).collect();
        let tracked: BTreeSet<PredicateId> = self.tracking.at(procedure, edge.to).collect();
        let then = |&(id, value): &(PredicateId, bool)| {
            let variable = match self.precision.predicates[id].scope {
                PredicateScope::Global => Variable::Saved(id),
                PredicateScope::Local(_) => Variable::Predicate(id),
            };
            known.contains(&id).then(|| literal(variable.now(), value))
        };
        let returned = |&(id, value): &(PredicateId, bool)| {
            let position = self.signatures[callee].returned.iter().position(|&returned| returned == id)?;
            Some(literal(Variable::Returned(position).now(), value))
        };
        let behind = |&(id, value): &(PredicateId, bool)| {
            tracked.contains(&id).then(|| literal(Variable::Predicate(id).next(), value))
        };
        let all = self.precision.excluded_at((procedure, id));
        for wrong in all.filter(|it| it.transition == Transition::Return) {
            let literals = (wrong.before.iter().map(then))
                .chain(wrong.other.iter().map(returned))
                .chain(wrong.behind.iter().map(behind));
            if let Some(literals) = literals.collect::<Option<Vec<Expression>>>() {
                image.constraints.push(Expression::conjunction(literals).negate());
            }
        }
    }
}

/// What is passed. If values of several formal predicates hang together, they are computed before the call, and what is
/// left in the image does that; else they are passed as they are.
fn arguments_of(image: &mut Image) -> Vec<ast::Expression> {
    if image.constraints.is_empty() {
        return std::mem::take(&mut image.assignments).into_iter().map(|(_, value)| syntax(value)).collect();
    }
    image.assignments.iter().map(|(variable, _)| syntax(variable.now())).collect()
}
