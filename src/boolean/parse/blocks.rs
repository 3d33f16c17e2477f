//! Blocks: the stack of open procedures, `if`s and `while`s.
//!
//! A closing keyword takes the top block off the stack and appends it, as a statement, to the block below.
//! A missing or unexpected closing keyword is told with the place where the block was opened, and reading goes
//! on with the block that fits best.

use super::super::ast::{At, Block, Expression, Name, Procedure, Statement, StatementKind, Trivia};
use super::super::expression::Expression as Postfix;
use super::STATEMENT_DEPTH;
use super::assemble::{Assembler, Item};
use super::lexer::Kind;
use super::words::describe;
use crate::ground::diagnostic::Diagnostic;
use crate::ground::source::Span;

/// What a block belongs to.
pub enum Shape {
    Procedure(Box<Procedure>),
    /// `if` and the branches before the open one; the open one has a condition unless it is the `else`.
    If {
        branches: Vec<(Expression, Block)>,
        condition: Option<Expression>,
    },
    While(Expression),
}

impl Shape {
    pub fn keyword(&self) -> &'static str {
        match self {
            Self::Procedure(_) => "begin",
            Self::If { .. } => "if",
            Self::While(_) => "while",
        }
    }

    pub fn closer(&self) -> &'static str {
        match self {
            Self::Procedure(_) => "end",
            Self::If { .. } => "fi",
            Self::While(_) => "od",
        }
    }

    /// Whether a closing keyword goes on with or ends this block.
    pub fn fits(&self, keyword: &str) -> bool {
        keyword == self.closer() || matches!(self, Self::If { .. }) && matches!(keyword, "else" | "elsif")
    }
}

/// A block that is not closed yet, and the statement it will be.
pub struct Open {
    pub shape: Shape,
    /// The keyword that opened it; the name of a procedure.
    pub opener: Span,
    pub labels: Vec<Name>,
    pub at: Span,
    pub trivia: Trivia,
    pub block: Block,
    /// Its `else` is followed by an `if`, which needs a `fi` of its own.
    pub else_if: bool,
}

impl Assembler<'_> {
    /// `if e then` or `while e do`.
    pub fn open_statement(&mut self, keyword: &str) {
        let after_else = keyword == "if" && self.last_else.end > 0 && self.follows_else();
        let opener = self.cursor.peek().span;
        let (condition, span) = self.condition(if keyword == "if" { "then" } else { "do" });
        let shape = match keyword {
            "if" => Shape::If { branches: Vec::new(), condition: Some(condition) },
            _ => Shape::While(condition),
        };
        let item = self.item.take().unwrap_or_default();
        if let Some(outer) = self.open.last_mut() {
            outer.else_if |= after_else;
        }
        self.push_open(shape, opener, span, item);
    }

    fn follows_else(&self) -> bool {
        let start = self.cursor.peek().span.start as usize;
        self.text.get(self.last_else.end as usize..start).is_some_and(|between| between.trim().is_empty())
    }

    /// A condition and the keyword behind it. The span does not contain that keyword.
    fn condition(&mut self, keyword: &str) -> (Expression, Span) {
        let piece = self.cut();
        let result = self.reader.condition(piece, &format!("`{keyword}`"));
        let (next, word) = (self.cursor.peek(), self.cursor.word());
        let failed = result.is_err();
        let condition = result.unwrap_or_else(|error| {
            self.errors.push(error);
            Expression { body: Postfix::constant(true), at: At(piece.span) }
        });
        if word != keyword && !failed {
            let message = format!("expected `{keyword}`, found {}", describe(next, word));
            let error =
                Diagnostic::error(self.cursor.behind(), message).label(format!("add `{keyword}` here"));
            self.errors.push(error);
        }
        if matches!(word, "then" | "do") {
            self.cursor.take();
        }
        (condition, piece.span)
    }

    pub fn push_open(&mut self, shape: Shape, opener: Span, at: Span, item: Item) {
        if self.open.len() > STATEMENT_DEPTH {
            let message = format!("statements are nested more than {STATEMENT_DEPTH} deep");
            self.errors.push(Diagnostic::error(opener, message).label("this one goes too deep"));
            self.stopped = true;
            return;
        }
        let Item { labels, trivia } = item;
        self.open.push(Open { shape, opener, labels, at, trivia, block: Block::default(), else_if: false });
    }

    /// A closing keyword, which is the next token.
    pub fn close(&mut self, keyword: &str) {
        self.implicit_skip();
        let token = self.cursor.peek();
        let Some(depth) = self.open.iter().rposition(|open| open.shape.fits(keyword)) else {
            if self.comes_late(keyword) {
                return;
            }
            if matches!(keyword, "fi" | "od") && self.open.len() > 1 {
                return self.wrong_closer(keyword);
            }
            let opener = if keyword == "od" { "while" } else { "if" };
            let error = Diagnostic::error(token.span, format!("`{keyword}` without `{opener}`"));
            self.errors.push(error.label(format!("no `{opener}` is open here")));
            self.cursor.take();
            if keyword == "elsif" {
                self.cut_rest_of_condition();
            }
            return;
        };
        if depth + 1 < self.open.len() {
            self.unclosed(token.span, keyword, depth + 1);
        }
        let comments = self.cursor.end_block();
        if let Some(open) = self.open.last_mut() {
            open.block.end.extend(comments);
        }
        match keyword {
            "else" | "elsif" => self.next_branch(keyword),
            _ => {
                self.cursor.take();
                if !self.ends_nested(keyword) {
                    self.close_top(token.span);
                }
            }
        }
    }

    /// Takes a keyword whose block was told to be unclosed, and was closed then: blocks that cross are one mistake.
    fn comes_late(&mut self, keyword: &str) -> bool {
        let Some(place) = self.late.iter().position(|late| *late == keyword) else { return false };
        self.late.swap_remove(place);
        self.cursor.take();
        self.skip_semicolon();
        true
    }

    /// Whether the `end` that was just taken belongs to a `begin` inside the procedure: then more of it follows.
    fn ends_nested(&mut self, keyword: &str) -> bool {
        if keyword != "end" || self.nested == 0 {
            return false;
        }
        self.skip_semicolon();
        self.nested -= 1;
        let next = self.cursor.peek().kind;
        next != Kind::End && !matches!(self.cursor.word(), "void" | "bool" | "decl")
    }

    /// `fi` where only a `while` is open, or `od` where only an `if` is.
    fn wrong_closer(&mut self, keyword: &str) {
        let token = self.cursor.take();
        let Some(open) = self.open.last() else { return };
        let (opener, closer) = (open.shape.keyword(), open.shape.closer());
        let error = Diagnostic::error(token.span, format!("expected `{closer}`, found `{keyword}`"))
            .label(format!("expected `{closer}`"))
            .also(open.opener, format!("this `{opener}` ends with `{closer}`"));
        self.errors.push(error);
        self.close_top(token.span);
    }

    fn cut_rest_of_condition(&mut self) {
        self.cut();
        if self.cursor.word() == "then" {
            self.cursor.take();
        }
    }

    /// Goes on with the next branch of the open `if`.
    fn next_branch(&mut self, keyword: &str) {
        let token = self.cursor.peek();
        let condition = if keyword == "elsif" {
            Some(self.condition("then").0)
        } else {
            self.cursor.take();
            self.last_else = token.span;
            None
        };
        let passed = if keyword == "elsif" { self.cursor.passed() } else { Vec::new() };
        let Some(Open { shape: Shape::If { branches, condition: open }, block, opener, .. }) =
            self.open.last_mut()
        else {
            return;
        };
        block.end.extend(passed);
        let Some(previous) = std::mem::replace(open, condition) else {
            let error = Diagnostic::error(token.span, format!("`{keyword}` after `else`"));
            self.errors.push(error.label("`else` must be the last branch").also(*opener, "of this `if`"));
            return;
        };
        branches.push((previous, std::mem::take(block)));
    }

    /// Closes the innermost block with the keyword that was just taken.
    pub fn close_top(&mut self, keyword: Span) {
        let Some(open) = self.open.pop() else { return };
        let Open { shape, labels, at, mut trivia, mut block, .. } = open;
        if !matches!(shape, Shape::Procedure(_)) {
            self.skip_semicolon();
        }
        let kind = match shape {
            Shape::Procedure(mut procedure) => {
                let mut behind = Trivia::default();
                self.cursor.end_item(&mut behind);
                block.end.extend(behind.after);
                *procedure = Procedure { body: block, trivia, end: At(keyword), ..*procedure };
                self.program.procedures.push(*procedure);
                self.nested = 0;
                self.late.clear();
                return;
            }
            Shape::If { mut branches, condition: Some(condition) } => {
                branches.push((condition, block));
                StatementKind::If { branches, otherwise: None }
            }
            Shape::If { branches, condition: None } => StatementKind::If { branches, otherwise: Some(block) },
            Shape::While(condition) => StatementKind::While { condition, body: block },
        };
        self.cursor.end_item(&mut trivia);
        self.append(Statement { labels, kind, at: At(at), trivia });
    }

    pub fn append(&mut self, statement: Statement) {
        if let Some(open) = self.open.last_mut() {
            open.block.statements.push(statement);
        }
    }

    /// Tells that the blocks from `depth` on are not closed, and closes them.
    pub fn unclosed(&mut self, at: Span, found: &str, depth: usize) {
        const SHOWN: usize = 3;
        let Some(innermost) = self.open.last() else { return };
        let (closer, opener) = (innermost.shape.closer(), innermost.shape.keyword());
        let message = match found {
            "procedure" => format!("missing `{closer}` before the next procedure"),
            "" => format!("missing `{closer}` at the end of the file"),
            keyword => format!("missing `{closer}` before `{keyword}`"),
        };
        let mut error = Diagnostic::error(at, message).label(format!("expected `{closer}`"));
        for open in self.open[depth..].iter().rev().take(SHOWN) {
            let what = match &open.shape {
                Shape::Procedure(procedure) => {
                    format!("the procedure `{}` is not closed", procedure.name.text)
                }
                shape => format!("this `{}` is not closed", shape.keyword()),
            };
            error = error.also(open.opener, what);
        }
        if self.open[depth..].iter().any(|open| open.else_if) {
            error =
                error.help("`else if` opens a second `if`, which needs a `fi` of its own; `elsif` does not");
        } else {
            error = error.help(format!("every `{opener}` ends with `{closer}`"));
        }
        self.errors.push(error);
        while self.open.len() > depth {
            self.late.extend(self.open.last().map(|open| open.shape.closer()));
            self.close_top(at);
        }
    }

    pub fn end_of_file(&mut self) {
        self.item = None;
        self.unclosed(self.cursor.peek().span, "", 0);
    }
}
