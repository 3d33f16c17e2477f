//! What is allowed but hardly ever written: an engine that is wrong is often wrong there.
//!
//! Nothing here draws a number unless the shape asks for oddities, so the other profiles keep their programs.

use super::expressions::Reads;
use super::{Generator, Scope, block, statement, wrap};
use crate::boolean::ast::{Block, Expression, Name, Statement, StatementKind};
use crate::boolean::expression;
use std::sync::Arc;

impl Generator {
    /// Whether something odd comes here.
    pub(super) fn odd(&mut self) -> bool {
        self.shape.oddities > 0 && self.seed.percent(self.shape.oddities)
    }

    /// Names of parameters or locals, some of them replaced by names of globals.
    pub(super) fn hiding_globals(&mut self, names: Vec<Arc<str>>) -> Vec<Arc<str>> {
        let mut chosen: Vec<Arc<str>> = Vec::new();
        for name in names {
            let hides = !self.globals.is_empty() && self.odd();
            let name = if hides { self.seed.pick(&self.globals.clone()).clone() } else { name };
            if !chosen.contains(&name) {
                chosen.push(name);
            }
        }
        chosen
    }

    /// What is enforced besides.
    pub(super) fn odd_enforce(&mut self, scope: &Scope) -> Option<Expression> {
        (self.odd() && self.odd()).then(|| self.likely_condition(scope))
    }

    pub(super) fn odd_statement(&mut self, scope: &Scope) -> Statement {
        let names = self.variables(scope);
        statement(match self.seed.below(9) {
            0 => return self.sometimes(scope, StatementKind::EndThread),
            1 => StatementKind::AtomicBegin,
            2 => StatementKind::AtomicEnd,
            3 if !names.is_empty() => {
                let count = self.seed.between((2, 3));
                let dead = self.seed.pick_different(&names, count);
                StatementKind::Dead(dead.iter().map(|name| Name::new(name)).collect())
            }
            4 => return self.return_values(scope),
            5 => StatementKind::Assert(wrap(expression::Expression::choice())),
            6 => StatementKind::AbortIf(self.value(scope, Reads::Passive)),
            7 => StatementKind::While { condition: self.condition(scope), body: block(Vec::new()) },
            _ => {
                let (condition, reads) = (self.condition(scope), Reads::Passive);
                let nothing = (self.value(scope, reads), block(Vec::new()));
                let otherwise = Some(block(Vec::new()));
                StatementKind::If { branches: vec![(condition, block(Vec::new())), nothing], otherwise }
            }
        })
    }

    fn sometimes(&mut self, scope: &Scope, kind: StatementKind) -> Statement {
        let condition = self.condition(scope);
        let branches = vec![(condition, block(vec![statement(kind)]))];
        statement(StatementKind::If { branches, otherwise: None })
    }

    /// An error label on any statement, and labels in blocks with jumps to them.
    pub(super) fn odd_labels(&mut self, scope: &Scope, statements: &mut Vec<Statement>) {
        if !has_label(statements, "SLIC_ERROR") && self.odd() && self.odd() {
            self.label_any(statements, "SLIC_ERROR");
        }
        for label in ["M", "17"] {
            if !self.odd() || !self.label_any(statements, label) {
                continue;
            }
            let mut labels = self.seed.pick_different(&scope.labels, 1);
            labels.push(label.into());
            let jump = StatementKind::Goto(labels.iter().map(|label| Name::new(label)).collect());
            let jump = self.sometimes(scope, jump);
            let place = self.seed.below(statements.len() + 1);
            statements.insert(place, jump);
        }
    }

    /// Labels one of the statements, in blocks or not; tells whether there is any.
    fn label_any(&mut self, statements: &mut [Statement], label: &str) -> bool {
        let mut count = 0;
        each(statements, &mut |_| count += 1);
        let mut left = self.seed.below(count);
        each(statements, &mut |statement| {
            if left == 0 {
                statement.labels.push(Name::new(label));
            }
            left = left.wrapping_sub(1);
        });
        count > 0
    }
}

fn has_label(statements: &mut [Statement], text: &str) -> bool {
    let mut found = false;
    each(statements, &mut |statement| found |= statement.labels.iter().any(|label| &*label.text == text));
    found
}

/// Visits all statements, those in blocks included.
fn each(statements: &mut [Statement], visit: &mut dyn FnMut(&mut Statement)) {
    for statement in statements {
        visit(statement);
        let blocks: Vec<&mut Block> = match &mut statement.kind {
            StatementKind::If { branches, otherwise } => {
                branches.iter_mut().map(|(_, block)| block).chain(otherwise).collect()
            }
            StatementKind::While { body, .. } => vec![body],
            _ => Vec::new(),
        };
        for block in blocks {
            each(&mut block.statements, visit);
        }
    }
}
