//! Random statements.

use super::expressions::Reads;
use super::{Generator, Scope, block, statement, wrap};
use crate::boolean::ast::{Block, Expression, Name, Reference, Statement, StatementKind};
use crate::boolean::expression;
use std::sync::Arc;

impl Generator {
    /// The body of a procedure. Labels are given out first, so that any statement may jump to them.
    pub(super) fn body(&mut self, scope: &mut Scope) -> Block {
        let count = self.seed.between(self.shape.statements);
        let wants_labels = self.shape.gotos + self.shape.threads > 0;
        let broadcasts = scope.procedure == 0 && self.shape.broadcasts > 0 && self.shape.threads > 0;
        let labelled = if wants_labels { self.seed.between((usize::from(broadcasts), 2)) } else { 0 };
        let mut positions = self.seed.pick_different(&(0..count).collect::<Vec<_>>(), labelled);
        positions.sort_unstable();
        scope.labels = positions.iter().map(|position| format!("L{position}").into()).collect();
        let mut statements: Vec<_> = (0..count).map(|_| self.statement(scope, self.shape.nesting)).collect();
        for position in positions {
            statements[position].labels.push(Name::new(&format!("L{position}")));
        }
        if broadcasts && self.seed.percent(80) {
            // A broadcast needs another thread in the same procedure.
            statements.insert(0, statement(StatementKind::StartLabel(Name::new(&scope.labels[0]))));
        }
        if self.seed.percent(self.shape.error_labels) {
            let place = self.seed.below(statements.len() + 1);
            statements.insert(place, self.error_label(scope));
        }
        if scope.procedure + 1 < self.signatures.len() && self.seed.percent(80) {
            let place = self.seed.below(statements.len() + 1);
            statements.insert(place, self.use_of_next(scope));
        }
        self.finish(scope, &mut statements);
        self.odd_labels(scope, &mut statements);
        block(statements)
    }

    /// A call or start of the next procedure, so that few procedures are never used.
    fn use_of_next(&mut self, scope: &Scope) -> Statement {
        let next = scope.procedure + 1;
        if self.shape.threads > 0 && self.seed.percent(50) {
            self.start(scope, next)
        } else {
            self.call_of(scope, next)
        }
    }

    fn start(&mut self, scope: &Scope, procedure: usize) -> Statement {
        let signature = self.signatures[procedure].clone();
        let arguments = signature.parameters.iter().map(|_| self.value(scope, Reads::Own)).collect();
        statement(StatementKind::StartThread { procedure: Name::new(&signature.name), arguments })
    }

    /// `main` ends in an assertion; other procedures often return values explicitly.
    fn finish(&mut self, scope: &Scope, statements: &mut Vec<Statement>) {
        if scope.procedure == 0 && self.seed.percent(85) {
            statements.push(statement(StatementKind::Assert(self.likely(scope, Reads::Own))));
        } else if scope.procedure != 0 && self.seed.percent(80) {
            statements.push(self.return_values(scope));
        }
    }

    fn error_label(&mut self, scope: &Scope) -> Statement {
        let mut label = statement(StatementKind::Skip);
        label.labels.push(Name::new("SLIC_ERROR"));
        let condition = self.value(scope, Reads::Own);
        let unlikely = self.value(scope, Reads::Own);
        let both = wrap(condition.body.binary(expression::Binary::And, unlikely.body));
        statement(StatementKind::If { branches: vec![(both, block(vec![label]))], otherwise: None })
    }

    fn statement(&mut self, scope: &Scope, nesting: usize) -> Statement {
        let shape = self.shape;
        let nested = if nesting > 0 { 1 } else { 0 };
        let weights = [30, shape.calls, shape.gotos, shape.threads, 10 * nested, 5 * nested, 6, 5, 12];
        match self.seed.weighted(&weights) {
            0 => self.assignment(scope),
            1 => self.call(scope),
            2 => self.goto(scope),
            3 => self.thread_statement(scope),
            4 => self.branch(scope, nesting),
            5 => self.repetition(scope, nesting),
            6 => statement(StatementKind::Assume(self.likely(scope, self.condition_reads()))),
            7 => statement(StatementKind::Assert(self.likely(scope, self.condition_reads()))),
            _ => self.rare(scope),
        }
    }

    fn condition_reads(&self) -> Reads {
        if self.shape.broadcasts > 0 { Reads::Passive } else { Reads::Own }
    }

    pub(super) fn condition(&mut self, scope: &Scope) -> Expression {
        if self.seed.percent(15) {
            return wrap(expression::Expression::choice());
        }
        let reads = self.condition_reads();
        self.value(scope, reads)
    }

    fn rare(&mut self, scope: &Scope) -> Statement {
        if self.odd() {
            return self.odd_statement(scope);
        }
        let names = self.variables(scope);
        statement(match self.seed.below(6) {
            0 if !names.is_empty() => {
                let dead = self.seed.pick_different(&names, 1);
                StatementKind::Dead(dead.iter().map(|name| Name::new(name)).collect())
            }
            1 => StatementKind::Print(vec![self.value(scope, Reads::Own)]),
            2 => {
                let never = self.likely(scope, Reads::Own);
                StatementKind::AbortIf(wrap(never.body.negate()))
            }
            3 if self.seed.percent(60) => {
                let condition = self.value(scope, Reads::Own);
                let leave = self.return_values(scope);
                StatementKind::If { branches: vec![(condition, block(vec![leave]))], otherwise: None }
            }
            _ => StatementKind::Skip,
        })
    }

    pub(super) fn variables(&self, scope: &Scope) -> Vec<Arc<str>> {
        let visible = self.globals.iter().filter(|global| !scope.hidden.contains(global));
        visible.chain(&scope.locals).cloned().collect()
    }

    fn assignment(&mut self, scope: &Scope) -> Statement {
        let broadcast = !scope.locals.is_empty() && self.seed.percent(self.shape.broadcasts);
        let reads = if broadcast { Reads::Passive } else { Reads::Own };
        let count = self.seed.weighted(&[0, 70, 22, 8]);
        let mut targets = self.seed.pick_different(&self.variables(scope), count);
        if broadcast && self.seed.percent(75) {
            let passive = format!("{}$", self.seed.pick::<Arc<str>>(&scope.locals));
            targets.push(passive.into());
        }
        if targets.is_empty() {
            return statement(StatementKind::Skip);
        }
        let values = targets.iter().map(|_| self.value(scope, reads)).collect();
        let constrain =
            self.seed.percent(self.shape.constrain).then(|| self.likely(scope, Reads::Constraint));
        let targets = targets.iter().map(|name| Name::new(name)).collect();
        statement(StatementKind::Assign { targets, values, constrain })
    }

    /// A call of a later procedure, or of any if it may be recursive. Most recursive calls use up their
    /// first parameter, so that the recursion ends.
    fn call(&mut self, scope: &Scope) -> Statement {
        let recursive = self.seed.percent(self.shape.recursion);
        let first = if recursive { usize::from(!self.odd()) } else { scope.procedure + 1 };
        if first >= self.signatures.len() {
            return self.assignment(scope);
        }
        let callee = first + self.seed.below(self.signatures.len() - first);
        let call = self.call_of(scope, callee);
        if callee > scope.procedure {
            return call;
        }
        self.guarded(scope, call)
    }

    fn call_of(&mut self, scope: &Scope, callee: usize) -> Statement {
        let signature = self.signatures[callee].clone();
        let names = self.variables(scope);
        let arguments = signature.parameters.iter().map(|_| self.value(scope, Reads::Own)).collect();
        let keep = self.seed.percent(75) && signature.returns <= names.len();
        let targets = if keep { self.seed.pick_different(&names, signature.returns) } else { Vec::new() };
        let drops = targets.iter().map(|_| self.seed.percent(15)).collect::<Vec<_>>();
        let results =
            targets.iter().zip(drops).map(|(name, drop)| (!drop).then(|| Name::new(name))).collect();
        statement(StatementKind::Call { results, procedure: Name::new(&signature.name), arguments })
    }

    fn guarded(&mut self, scope: &Scope, mut call: Statement) -> Statement {
        let parameters = self.signatures[scope.procedure].parameters.clone();
        let fuel = parameters.first().filter(|_| self.seed.percent(85)).cloned();
        let condition = match &fuel {
            None => self.value(scope, Reads::Own),
            Some(fuel) => reference(fuel),
        };
        if let (Some(_), StatementKind::Call { arguments, .. }) = (&fuel, &mut call.kind)
            && let Some(last) = arguments.len().checked_sub(1)
        {
            arguments[last] = wrap(expression::Expression::constant(false));
            if last > 0 {
                arguments[0] =
                    parameters.get(1).map_or_else(|| arguments[last].clone(), |name| reference(name));
            }
        }
        statement(StatementKind::If { branches: vec![(condition, block(vec![call]))], otherwise: None })
    }

    fn goto(&mut self, scope: &Scope) -> Statement {
        let count = self.seed.between((1, 2));
        let labels = self.seed.pick_different(&scope.labels, count);
        if labels.is_empty() {
            return self.assignment(scope);
        }
        let jump = statement(StatementKind::Goto(labels.iter().map(|label| Name::new(label)).collect()));
        if self.seed.percent(15) {
            return jump;
        }
        let condition = self.condition(scope);
        statement(StatementKind::If { branches: vec![(condition, block(vec![jump]))], otherwise: None })
    }

    fn thread_statement(&mut self, scope: &Scope) -> Statement {
        let later = scope.procedure + 1 < self.signatures.len();
        let weights = [if later { 40 } else { 4 }, if scope.labels.is_empty() { 0 } else { 30 }, 3, 16, 16];
        statement(match self.seed.weighted(&weights) {
            0 => {
                let first = if later { scope.procedure + 1 } else { 0 };
                let callee = first + self.seed.below(self.signatures.len() - first);
                return self.start(scope, callee);
            }
            1 => StatementKind::StartLabel(Name::new(self.seed.pick::<Arc<str>>(&scope.labels))),
            2 => StatementKind::EndThread,
            3 => StatementKind::AtomicBegin,
            _ => StatementKind::AtomicEnd,
        })
    }

    fn branch(&mut self, scope: &Scope, nesting: usize) -> Statement {
        let count = self.seed.weighted(&[0, 80, 20]);
        let branches =
            (0..count).map(|_| (self.condition(scope), self.nested_block(scope, nesting))).collect();
        let otherwise = self.seed.percent(50).then(|| self.nested_block(scope, nesting));
        statement(StatementKind::If { branches, otherwise })
    }

    fn repetition(&mut self, scope: &Scope, nesting: usize) -> Statement {
        let condition = self.condition(scope);
        statement(StatementKind::While { condition, body: self.nested_block(scope, nesting) })
    }

    fn nested_block(&mut self, scope: &Scope, nesting: usize) -> Block {
        let count = self.seed.between((1, 2));
        block((0..count).map(|_| self.statement(scope, nesting - 1)).collect())
    }

    pub(super) fn return_values(&mut self, scope: &Scope) -> Statement {
        let count = self.signatures[scope.procedure].returns;
        statement(StatementKind::Return((0..count).map(|_| self.value(scope, Reads::Own)).collect()))
    }
}

fn reference(name: &str) -> Expression {
    wrap(expression::Expression::variable(Reference { name: Name::new(name), next: false }))
}
