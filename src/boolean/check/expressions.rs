//! Variables and expressions.

use super::super::ast::{self, Name};
use super::super::cfg::{self, Copy, Read, Target, Time, VariableId};
use super::Checker;
use super::nearest::nearest;
use crate::ground::diagnostic::Diagnostic;
use crate::ground::index::Index;
use crate::ground::source::Span;
use std::collections::HashMap;
use std::sync::Arc;

/// Where an expression stands: it decides what may occur in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The value of an assignment, a condition, the argument of `assume`, `assert`, …
    Ordinary,
    /// The `constrain` clause of an assignment.
    Constrain,
    /// A call or thread argument.
    Argument,
    /// A value that is returned.
    Returned,
    /// The initial value of a variable; only variables with smaller ids, or of the outer scope, are there yet.
    Initial(VariableId),
    /// `enforce`.
    Enforce,
}

impl Place {
    /// Why `v$` cannot stand here, if it cannot.
    fn refuses_passive(self) -> Option<&'static str> {
        match self {
            Self::Ordinary | Self::Constrain => None,
            Self::Argument => Some("an argument"),
            Self::Returned => Some("a returned value"),
            Self::Initial(_) => Some("an initial value"),
            Self::Enforce => Some("`enforce`"),
        }
    }
}

/// A variable that stands for one that could not be resolved; the program is refused in the end.
fn placeholder() -> VariableId {
    VariableId::new(0)
}

impl Checker<'_> {
    /// The variable with a name, seen from a procedure (or from outside of all).
    fn lookup(&self, name: &str, procedure: Option<usize>) -> Option<VariableId> {
        let local = procedure.and_then(|number| self.names.locals[number].get(name));
        local.or_else(|| self.names.globals.get(name)).copied()
    }

    /// Resolves a name, `$` included; an error is told and gives a placeholder.
    pub fn variable(&mut self, name: &Name, procedure: Option<usize>) -> Target {
        if let Some(variable) = self.lookup(&name.text, procedure) {
            return Target { variable, copy: Copy::Own };
        }
        match name.text.strip_suffix('$').and_then(|bare| self.lookup(bare, procedure)) {
            Some(variable) if variable.index() < self.names.global_count => {
                let bare = &self.names.variables[variable];
                let error = Diagnostic::error(name.at.0, format!("`{}` has no passive copy", bare.name))
                    .label("`$` is for local variables")
                    .also(bare.span, "declared here, outside of procedures")
                    .help(format!("`{}` is shared by all threads; it has no passive copy", bare.name));
                self.error(error);
            }
            Some(variable) => {
                self.names.variables[variable].passive = true;
                return Target { variable, copy: Copy::Passive };
            }
            None => self.undeclared(name, procedure),
        }
        Target { variable: placeholder(), copy: Copy::Own }
    }

    fn undeclared(&mut self, name: &Name, procedure: Option<usize>) {
        if !self.undeclared.insert(Arc::clone(&name.text)) || self.only_counted() {
            return;
        }
        let mut error = Diagnostic::error(name.at.0, format!("undeclared variable `{}`", name.text));
        error = error.label("not declared");
        let locals = procedure.map(|number| &self.names.frames[number]);
        let locals = locals.into_iter().flatten().copied();
        let visible = locals.chain((0..self.names.global_count).map(VariableId::new));
        let visible = visible.map(|id| self.names.variables[id].name.as_ref());
        let near =
            nearest(name.text.trim_end_matches('$'), visible).and_then(|near| self.lookup(near, procedure));
        if matches!(name.text.to_ascii_lowercase().as_str(), "true" | "false" | "t" | "f") {
            error = error.help("the constants are `T` and `F`, also written `true` and `false`");
        } else if let Some(variable) = near.map(|id| &self.names.variables[id]) {
            error = error
                .also(variable.span, format!("`{}` is declared here", variable.name))
                .help(format!("did you mean `{}`?", variable.name));
        } else if self.names.procedures.contains_key(name.text.as_ref()) {
            error = error.help(format!("`{0}` is a procedure; a call is written `x := {0}(…);`", name.text));
        } else if let Some(owner) = self.owner(&name.text) {
            error = error.help(format!("`{}` is a local variable of `{owner}`, not visible here", name.text));
        } else {
            error = error.help(format!("declare it: `decl {};`", name.text));
        }
        self.error(error);
    }

    /// A procedure that has a local variable of this name.
    fn owner(&self, name: &str) -> Option<&str> {
        let number = self.names.locals.iter().position(|table| table.contains_key(name))?;
        Some(&self.program.procedures[number].name.text)
    }

    /// Resolves an expression.
    pub fn expression(
        &mut self,
        expression: &ast::Expression,
        procedure: Option<usize>,
        place: Place,
    ) -> cfg::Expression {
        let resolved: Result<_, std::convert::Infallible> =
            expression.body.try_map(|reference| Ok(self.reference(reference, procedure, place)));
        match resolved {
            Ok(expression) => expression,
        }
    }

    /// Resolves several expressions.
    pub fn expressions(
        &mut self,
        expressions: &[ast::Expression],
        procedure: Option<usize>,
        place: Place,
    ) -> Vec<cfg::Expression> {
        expressions.iter().map(|expression| self.expression(expression, procedure, place)).collect()
    }

    fn reference(&mut self, reference: &ast::Reference, procedure: Option<usize>, place: Place) -> Read {
        let name = &reference.name;
        if reference.next && place != Place::Constrain {
            let error = Diagnostic::error(
                name.at.0,
                format!("the next value `'{}` outside of a constraint", name.text),
            );
            self.error(error.label("there is no next state here").help(
                "`'v` may only stand in the `constrain` clause of an assignment: `v := * constrain 'v => v;`",
            ));
        }
        let Target { variable, copy } = self.variable(name, procedure);
        if let (Copy::Passive, Some(place)) = (copy, place.refuses_passive()) {
            let error = Diagnostic::error(name.at.0, format!("`{}` in {place}", name.text));
            self.error(
                error
                    .label("the passive threads' copies cannot be read here")
                    .help("`v$` may stand in assignments, conditions, `assume` and `assert`"),
            );
        }
        if let Place::Initial(declared) = place {
            self.declared_before(name, variable, declared, procedure);
        }
        let time = if reference.next { Time::Next } else { Time::Now };
        Read { variable, time, copy }
    }

    /// An initial value reads only what is declared before.
    fn declared_before(
        &mut self,
        name: &Name,
        read: VariableId,
        declared: VariableId,
        procedure: Option<usize>,
    ) {
        let global = read.index() < self.names.global_count;
        // An undeclared name has been told already.
        if global != procedure.is_none() || read < declared || self.lookup(&name.text, procedure).is_none() {
            return;
        }
        let error = Diagnostic::error(name.at.0, format!("`{}` is read before it is declared", name.text))
            .label("not declared yet")
            .also(self.names.variables[read].span, "declared here")
            .help("initial values are evaluated in the order of the declarations");
        self.error(error);
    }

    /// Resolves targets, which must all be different.
    pub fn targets(&mut self, names: &[Name], procedure: usize) -> Vec<Target> {
        let mut first: HashMap<Target, Span> = HashMap::new();
        let mut targets = Vec::with_capacity(names.len());
        for name in names {
            let errors = self.errors.len() + self.untold;
            let already = self.undeclared.contains(&name.text);
            let target = self.variable(name, Some(procedure));
            targets.push(target);
            if already || errors != self.errors.len() + self.untold {
                continue;
            }
            if let Some(&before) = first.get(&target) {
                self.assigned_twice(name, before);
            } else {
                first.insert(target, name.at.0);
            }
        }
        targets
    }

    /// Tells that a variable is assigned twice in one statement.
    pub fn assigned_twice(&mut self, name: &Name, before: Span) {
        let error =
            Diagnostic::error(name.at.0, format!("`{}` is assigned twice in one statement", name.text))
                .label("assigned again here")
                .also(before, "first assigned here")
                .help("the assignments of one statement happen at the same time");
        self.error(error);
    }
}
