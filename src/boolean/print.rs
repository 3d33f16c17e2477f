//! The canonical printer: [`ast::Program`](super::ast::Program) to text.
//!
//! One statement per line, two spaces per level, labels on the line of their statement, as few parentheses
//! as possible, `T`, `F`, `&`, `|`, `=`, `'v`. Global variables come first, then the procedures; in a
//! procedure the local variables, then `enforce`, then the statements. Comments and single blank lines
//! stay with what they belong to. Parsing the text gives the same syntax again.

use super::ast::{
    Block, Declaration, Expression, Name, Procedure, Program, Statement, StatementKind, Trivia,
};
use super::expression_text::append_expression;
use std::sync::Arc;

/// The canonical text of a program.
#[must_use]
pub fn print(program: &Program) -> String {
    let mut printer = Printer::default();
    program.globals.iter().for_each(|declaration| printer.declaration(declaration, 0));
    program.procedures.iter().for_each(|procedure| printer.procedure(procedure));
    printer.comments(&program.end, 0);
    printer.text
}

/// The canonical text of an expression.
#[must_use]
pub fn print_expression(expression: &Expression) -> String {
    let mut printer = Printer::default();
    printer.expression(expression);
    printer.text
}

/// The canonical text of a simple statement without labels and comments, or of the head of an `if` or `while`.
#[must_use]
pub fn print_statement(statement: &StatementKind) -> String {
    let mut printer = Printer::default();
    match statement {
        StatementKind::If { branches, .. } => {
            if let Some((condition, _)) = branches.first() {
                printer.condition("if ", condition, "");
            }
        }
        StatementKind::While { condition, .. } => printer.condition("while ", condition, ""),
        simple => {
            printer.simple(simple);
            printer.text.push(';');
        }
    }
    printer.text
}

#[derive(Default)]
struct Printer {
    text: String,
}

/// What is left to print of the open blocks.
enum Task<'a> {
    Block(std::slice::Iter<'a, Statement>, &'a [Arc<str>], usize),
    Branches {
        rest: std::slice::Iter<'a, (Expression, Block)>,
        otherwise: Option<&'a Block>,
        of: &'a Statement,
        depth: usize,
    },
    Close(&'static str, &'a Statement, usize),
}

impl<'a> Task<'a> {
    fn block(block: &'a Block, depth: usize) -> Self {
        Self::Block(block.statements.iter(), &block.end, depth)
    }
}

impl Printer {
    fn indent(&mut self, depth: usize) {
        self.text.extend(std::iter::repeat_n("  ", depth));
    }

    /// Comments on lines of their own; an empty one is a blank line.
    fn comments(&mut self, comments: &[Arc<str>], depth: usize) {
        for comment in comments {
            if !comment.is_empty() {
                self.indent(depth);
                self.text.push_str(comment);
            }
            self.text.push('\n');
        }
    }

    fn before(&mut self, trivia: &Trivia, depth: usize) {
        if trivia.blank_before {
            self.text.push('\n');
        }
        self.comments(&trivia.before, depth);
        self.indent(depth);
    }

    fn after(&mut self, trivia: &Trivia) {
        if let Some(comment) = &trivia.after {
            self.text.push(' ');
            self.text.push_str(comment);
        }
        self.text.push('\n');
    }

    /// Items separated by commas.
    fn list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        for (position, each) in items.iter().enumerate() {
            if position > 0 {
                self.text.push_str(", ");
            }
            item(self, each);
        }
    }

    fn names(&mut self, names: &[Name]) {
        self.list(names, |printer, name| printer.text.push_str(&name.text));
    }

    fn expressions(&mut self, expressions: &[Expression]) {
        self.list(expressions, Self::expression);
    }

    fn expression(&mut self, expression: &Expression) {
        append_expression(&mut self.text, &expression.body, |reference, text| {
            text.push_str(if reference.next { "'" } else { "" });
            text.push_str(&reference.name.text);
        });
    }

    fn condition(&mut self, head: &str, condition: &Expression, tail: &str) {
        self.text.push_str(head);
        self.text.push('(');
        self.expression(condition);
        self.text.push(')');
        self.text.push_str(tail);
    }

    fn declaration(&mut self, declaration: &Declaration, depth: usize) {
        self.before(&declaration.trivia, depth);
        self.text.push_str("decl ");
        self.list(&declaration.variables, |printer, (name, value)| {
            printer.text.push_str(&name.text);
            if let Some(value) = value {
                printer.text.push_str(" := ");
                printer.expression(value);
            }
        });
        self.text.push(';');
        self.after(&declaration.trivia);
    }

    fn procedure(&mut self, procedure: &Procedure) {
        self.before(&procedure.trivia, 0);
        match procedure.returns {
            0 => self.text.push_str("void "),
            1 => self.text.push_str("bool "),
            count => self.text.push_str(&format!("bool<{count}> ")),
        }
        self.text.push_str(&procedure.name.text);
        self.text.push('(');
        self.names(&procedure.parameters);
        self.text.push_str(") begin");
        self.after(&procedure.trivia);
        procedure.locals.iter().for_each(|declaration| self.declaration(declaration, 1));
        for condition in &procedure.enforce {
            self.text.push_str("  enforce ");
            self.expression(condition);
            self.text.push_str(";\n");
        }
        self.block(&procedure.body);
        self.text.push_str("end\n");
    }

    fn block(&mut self, block: &Block) {
        let mut tasks = vec![Task::block(block, 1)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Block(mut statements, end, depth) => match statements.next() {
                    Some(statement) => {
                        tasks.push(Task::Block(statements, end, depth));
                        self.statement(statement, depth, &mut tasks);
                    }
                    None => self.comments(end, depth),
                },
                Task::Branches { rest, otherwise, of, depth } => {
                    self.branch(rest, otherwise, of, depth, &mut tasks);
                }
                Task::Close(keyword, statement, depth) => {
                    self.indent(depth);
                    self.text.push_str(keyword);
                    self.text.push(';');
                    self.after(&statement.trivia);
                }
            }
        }
    }

    /// The next branch of an `if` behind the first one.
    fn branch<'a>(
        &mut self,
        mut rest: std::slice::Iter<'a, (Expression, Block)>,
        otherwise: Option<&'a Block>,
        of: &'a Statement,
        depth: usize,
        tasks: &mut Vec<Task<'a>>,
    ) {
        if let Some((condition, block)) = rest.next() {
            self.indent(depth);
            self.condition("elsif ", condition, " then\n");
            tasks.push(Task::Branches { rest, otherwise, of, depth });
            tasks.push(Task::block(block, depth + 1));
            return;
        }
        tasks.push(Task::Close("fi", of, depth));
        if let Some(block) = otherwise {
            self.indent(depth);
            self.text.push_str("else\n");
            tasks.push(Task::block(block, depth + 1));
        }
    }

    fn statement<'a>(&mut self, statement: &'a Statement, depth: usize, tasks: &mut Vec<Task<'a>>) {
        self.before(&statement.trivia, depth);
        for label in &statement.labels {
            self.text.push_str(&label.text);
            self.text.push_str(": ");
        }
        match &statement.kind {
            StatementKind::If { branches, otherwise } => {
                let mut rest = branches.iter();
                let Some((condition, block)) = rest.next() else { return };
                self.condition("if ", condition, " then\n");
                tasks.push(Task::Branches { rest, otherwise: otherwise.as_ref(), of: statement, depth });
                tasks.push(Task::block(block, depth + 1));
            }
            StatementKind::While { condition, body } => {
                self.condition("while ", condition, " do\n");
                tasks.push(Task::Close("od", statement, depth));
                tasks.push(Task::block(body, depth + 1));
            }
            simple => {
                self.simple(simple);
                self.text.push(';');
                self.after(&statement.trivia);
            }
        }
    }

    /// A statement without blocks, and without the `;`.
    fn simple(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Skip => self.text.push_str("skip"),
            StatementKind::Goto(labels) => {
                self.text.push_str("goto ");
                self.names(labels);
            }
            StatementKind::Return(values) => self.keyword_and_values("return", values),
            StatementKind::Print(values) => self.keyword_and_values("print", values),
            StatementKind::Assign { targets, values, constrain } => {
                self.assign(targets, values, constrain.as_ref());
            }
            StatementKind::Call { results, procedure, arguments } => {
                if !results.is_empty() {
                    self.list(results, |printer, result| {
                        printer.text.push_str(result.as_ref().map_or("_", |name| &name.text));
                    });
                    self.text.push_str(" := ");
                }
                self.application(procedure, arguments);
            }
            StatementKind::Assume(condition) => self.condition("assume", condition, ""),
            StatementKind::Assert(condition) => self.condition("assert", condition, ""),
            StatementKind::AbortIf(condition) => self.condition("abortif", condition, ""),
            StatementKind::Dead(variables) => {
                self.text.push_str("dead ");
                self.names(variables);
            }
            StatementKind::StartLabel(label) => {
                self.text.push_str("start_thread goto ");
                self.text.push_str(&label.text);
            }
            StatementKind::StartThread { procedure, arguments } => {
                self.text.push_str("start_thread ");
                self.application(procedure, arguments);
            }
            StatementKind::EndThread => self.text.push_str("end_thread"),
            StatementKind::AtomicBegin => self.text.push_str("atomic_begin"),
            StatementKind::AtomicEnd => self.text.push_str("atomic_end"),
            StatementKind::If { .. } | StatementKind::While { .. } => {}
        }
    }

    fn keyword_and_values(&mut self, keyword: &str, values: &[Expression]) {
        self.text.push_str(keyword);
        if !values.is_empty() {
            self.text.push(' ');
            self.expressions(values);
        }
    }

    fn assign(&mut self, targets: &[Name], values: &[Expression], constrain: Option<&Expression>) {
        self.names(targets);
        self.text.push_str(" := ");
        self.expressions(values);
        if let Some(constraint) = constrain {
            self.text.push_str(" constrain ");
            self.expression(constraint);
        }
    }

    fn application(&mut self, procedure: &Name, arguments: &[Expression]) {
        self.text.push_str(&procedure.text);
        self.text.push('(');
        self.expressions(arguments);
        self.text.push(')');
    }
}
