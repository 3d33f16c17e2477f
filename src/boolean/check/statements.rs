//! Simple statements: from names and numbers of values to operations.

use super::super::ast::{self, Name, StatementKind};
use super::super::cfg::{Copy, Expression, Op, ProcedureId, VariableId};
use super::super::expression::Binary;
use super::Checker;
use super::expressions::Place;
use super::nearest::nearest;
use crate::ground::diagnostic::Diagnostic;
use crate::ground::index::Index;
use crate::ground::source::Span;
use std::collections::HashMap;

/// A number of things, in words.
pub fn count(number: usize, thing: &str) -> String {
    match number {
        0 => format!("no {thing}s"),
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}

impl<'a> Checker<'a> {
    /// The operation of a statement that neither jumps nor has blocks nor checks a property.
    pub fn operation(&mut self, statement: &'a ast::Statement, procedure: usize) -> Op {
        let span = statement.at.0;
        match &statement.kind {
            StatementKind::Return(values) => self.return_values(values, span, procedure),
            StatementKind::Assign { targets, values, constrain } => {
                self.assign(targets, values, constrain.as_ref(), span, procedure)
            }
            StatementKind::Call { results, procedure: callee, arguments } => {
                self.call(results, callee, arguments, span, procedure)
            }
            StatementKind::StartThread { procedure: callee, arguments } => {
                let (callee, arguments) = self.application(callee, arguments, procedure);
                Op::StartThread { procedure: callee.unwrap_or(ProcedureId::new(0)), arguments }
            }
            StatementKind::Assume(condition) => {
                Op::Assume(self.expression(condition, Some(procedure), Place::Ordinary))
            }
            StatementKind::AbortIf(condition) => {
                Op::Assume(self.expression(condition, Some(procedure), Place::Ordinary).negate())
            }
            StatementKind::Dead(variables) => {
                let targets = self.targets(variables, procedure);
                let values = vec![Expression::choice(); targets.len()];
                Op::Assign { targets, values, constrain: None }
            }
            StatementKind::Print(values) => {
                self.expressions(values, Some(procedure), Place::Ordinary);
                Op::Skip
            }
            StatementKind::EndThread => Op::EndThread,
            StatementKind::AtomicBegin => Op::AtomicBegin,
            StatementKind::AtomicEnd => Op::AtomicEnd,
            _ => Op::Skip,
        }
    }

    fn return_values(&mut self, values: &[ast::Expression], span: Span, procedure: usize) -> Op {
        let of = &self.program.procedures[procedure];
        if values.len() != of.returns {
            let message =
                format!("`{}` returns {}, not {}", of.name.text, count(of.returns, "value"), values.len());
            let error = Diagnostic::error(span, message)
                .label(format!("{} here", count(values.len(), "value")))
                .also(of.name.at.0, format!("declared to return {}", count(of.returns, "value")))
                .help(return_type(values.len(), &of.name.text));
            self.error(error);
        }
        Op::Return(self.expressions(values, Some(procedure), Place::Returned))
    }

    fn assign(
        &mut self,
        targets: &[Name],
        values: &[ast::Expression],
        constrain: Option<&ast::Expression>,
        span: Span,
        procedure: usize,
    ) -> Op {
        if targets.len() != values.len() {
            let (left, right) = (count(targets.len(), "variable"), count(values.len(), "value"));
            let error = Diagnostic::error(span, format!("{left} but {right}"));
            self.error(error.label("both sides of `:=` need the same number"));
        }
        Op::Assign {
            targets: self.targets(targets, procedure),
            values: self.expressions(values, Some(procedure), Place::Ordinary),
            constrain: constrain
                .map(|constraint| self.expression(constraint, Some(procedure), Place::Constrain)),
        }
    }

    fn call(
        &mut self,
        results: &[Option<Name>],
        callee: &Name,
        arguments: &[ast::Expression],
        span: Span,
        procedure: usize,
    ) -> Op {
        let (called, arguments) = self.application(callee, arguments, procedure);
        let mut targets = self.results(results, procedure);
        let id = called.unwrap_or(ProcedureId::new(0));
        if let Some(called) = called.map(|id| &self.program.procedures[id.index()]) {
            if results.is_empty() {
                targets = vec![None; called.returns];
            } else if results.len() != called.returns {
                let returned =
                    if called.returns == 0 { "nothing".into() } else { count(called.returns, "value") };
                let message =
                    format!("`{}` returns {returned}, but {} taken", callee.text, taken(results.len()));
                let error = Diagnostic::error(span, message)
                    .label("wrong number of results")
                    .also(called.name.at.0, "defined here");
                let help = (called.returns > 0).then_some("write `_` for a value that is not needed");
                self.error(Diagnostic { help: help.map(Into::into), ..error });
            }
        }
        Op::Call { procedure: id, arguments, results: targets }
    }

    /// The variables that take the results of a call.
    fn results(&mut self, results: &[Option<Name>], procedure: usize) -> Vec<Option<VariableId>> {
        let mut first: HashMap<VariableId, Span> = HashMap::new();
        let mut variables = Vec::with_capacity(results.len());
        for result in results {
            let Some(name) = result else {
                variables.push(None);
                continue;
            };
            let target = self.targets(std::slice::from_ref(name), procedure)[0];
            variables.push(Some(target.variable));
            if target.copy == Copy::Passive {
                let error =
                    Diagnostic::error(name.at.0, format!("`{}` cannot take the result of a call", name.text));
                self.error(error.help("assign it in a second statement"));
            } else if self.undeclared.contains(&name.text) {
                continue;
            } else if let Some(&before) = first.get(&target.variable) {
                self.assigned_twice(name, before);
            } else {
                first.insert(target.variable, name.at.0);
            }
        }
        variables
    }

    /// The procedure that is called or started, and the arguments.
    fn application(
        &mut self,
        callee: &Name,
        arguments: &[ast::Expression],
        procedure: usize,
    ) -> (Option<ProcedureId>, Vec<Expression>) {
        let called = self.names.procedures.get(callee.text.as_ref()).copied();
        match called.map(|id| &self.program.procedures[id.index()]) {
            None => self.unknown_procedure(callee, procedure),
            Some(called) if called.parameters.len() != arguments.len() => {
                let message = format!(
                    "`{}` takes {}, but {} given",
                    callee.text,
                    count(called.parameters.len(), "argument"),
                    if arguments.len() == 1 { "1 is".into() } else { format!("{} are", arguments.len()) },
                );
                let error = Diagnostic::error(callee.at.0, message)
                    .label("wrong number of arguments")
                    .also(called.name.at.0, "defined here");
                self.error(error);
            }
            Some(_) => {}
        }
        (called, self.expressions(arguments, Some(procedure), Place::Argument))
    }

    fn unknown_procedure(&mut self, callee: &Name, procedure: usize) {
        if self.only_counted() {
            return;
        }
        let error = Diagnostic::error(callee.at.0, format!("unknown procedure `{}`", callee.text))
            .label("not defined");
        let names = self.program.procedures.iter().map(|procedure| procedure.name.text.as_ref());
        let near = nearest(&callee.text, names).and_then(|near| self.names.procedures.get(near));
        let is_variable = self.names.locals[procedure].contains_key(callee.text.as_ref())
            || self.names.globals.contains_key(callee.text.as_ref());
        let error = match near.map(|id| &self.program.procedures[id.index()].name) {
            Some(near) => {
                let help = format!("did you mean `{}`?", near.text);
                error.also(near.at.0, format!("`{}` is defined here", near.text)).help(help)
            }
            None if is_variable => {
                error.help(format!("`{}` is a variable; it cannot be called", callee.text))
            }
            None => error.help(format!("define it: `void {}() begin … end`", callee.text)),
        };
        self.error(error);
    }

    /// All `enforce` of a procedure in one expression.
    pub fn enforce(&mut self, procedure: usize) -> Option<Expression> {
        let parts = &self.program.procedures[procedure].enforce;
        let parts = self.expressions(parts, Some(procedure), Place::Enforce);
        parts.into_iter().reduce(|left, right| left.binary(Binary::And, right))
    }
}

fn taken(results: usize) -> String {
    if results == 1 { "1 is".into() } else { format!("{results} are") }
}

fn return_type(values: usize, name: &str) -> String {
    match values {
        0 => format!("a procedure that returns nothing is declared `void {name}(…)`"),
        1 => format!("a procedure that returns one value is declared `bool {name}(…)`"),
        _ => format!("a procedure that returns {values} values is declared `bool<{values}> {name}(…)`"),
    }
}
