//! Cuts the text into pieces and puts their syntax together.
//!
//! The open procedure and its open `if`s and `while`s stand on a stack; a closing keyword takes the top
//! one off and appends it to the block below. After an error in a piece, parsing goes on with the next;
//! after a missing or unexpected closing keyword, with the block that fits best.

use super::super::ast::{
    At, Block, Declaration, Expression, Name, Procedure, Program, Statement, StatementKind, Trivia,
};
use super::super::expression::Expression as Postfix;
use super::cursor::Cursor;
use super::errors::Errors;
use super::lexer::Kind;
use super::statement::{Head, Piece, Reader};
use super::words::{Role, describe, role};
use super::{EXPRESSION_DEPTH, STATEMENT_DEPTH, foreign};
use crate::ground::diagnostic::Diagnostic;
use crate::ground::source::Span;

/// What a block belongs to.
enum Shape {
    Procedure(Box<Procedure>),
    /// `if` and the branches before the open one; the open one has a condition unless it is the `else`.
    If {
        branches: Vec<(Expression, Block)>,
        condition: Option<Expression>,
    },
    While(Expression),
}

impl Shape {
    fn keyword(&self) -> &'static str {
        match self {
            Self::Procedure(_) => "begin",
            Self::If { .. } => "if",
            Self::While(_) => "while",
        }
    }

    fn closer(&self) -> &'static str {
        match self {
            Self::Procedure(_) => "end",
            Self::If { .. } => "fi",
            Self::While(_) => "od",
        }
    }

    /// Whether a closing keyword goes on with or ends this block.
    fn fits(&self, keyword: &str) -> bool {
        keyword == self.closer() || matches!(self, Self::If { .. }) && matches!(keyword, "else" | "elsif")
    }
}

/// A block that is not closed yet, and the statement it will be.
struct Open {
    shape: Shape,
    /// The keyword that opened it; the name of a procedure.
    opener: Span,
    labels: Vec<Name>,
    at: Span,
    trivia: Trivia,
    block: Block,
    /// It began with `else if`, which needs a `fi` of its own.
    after_else: bool,
}

/// What stands before the statement that is being read.
#[derive(Default)]
struct Item {
    labels: Vec<Name>,
    trivia: Trivia,
}

struct Assembler<'a> {
    text: &'a str,
    cursor: Cursor<'a>,
    reader: Reader<'a>,
    errors: Errors,
    program: Program,
    open: Vec<Open>,
    item: Option<Item>,
    /// Where the last `else` stands.
    last_else: Span,
    /// Nothing more can be read.
    stopped: bool,
}

/// Parses a whole program.
pub fn program(text: &str) -> Result<Program, Vec<Diagnostic>> {
    let mut assembler = Assembler {
        text,
        cursor: Cursor::new(text),
        reader: Reader::new(text),
        errors: Errors::default(),
        program: Program::default(),
        open: Vec::new(),
        item: None,
        last_else: Span::default(),
        stopped: false,
    };
    assembler.program();
    let Assembler { cursor, mut errors, program, .. } = assembler;
    if let Some(span) = cursor.unterminated() {
        errors.forget_from(span.start);
        errors.push(Diagnostic::error(span, "this comment does not end").help("close it with `*/`"));
    }
    if errors.is_empty() {
        return Ok(program);
    }
    Err(foreign::recognise(text).map_or_else(|| errors.into_vec(), |diagnostic| vec![diagnostic]))
}

impl<'a> Assembler<'a> {
    fn program(&mut self) {
        while !self.stopped {
            if self.open.is_empty() { self.top_level() } else { self.element() }
        }
    }

    // ---- Outside procedures

    fn top_level(&mut self) {
        let token = self.cursor.peek();
        match (token.kind, self.cursor.word()) {
            (Kind::End, _) => {
                self.program.end = self.cursor.end_block();
                self.stopped = true;
            }
            (Kind::Semicolon, _) => {
                self.cursor.take();
            }
            (Kind::Word, "decl") => {
                if let Some(declaration) = self.declaration() {
                    self.program.globals.push(declaration);
                }
            }
            (Kind::Word, word) if matches!(role(word), Role::Closes | Role::Opens) => {
                let message = format!("`{word}` outside of a procedure");
                self.errors.push(
                    Diagnostic::error(token.span, message).label("there is nothing open that it belongs to"),
                );
                self.cursor.take();
            }
            _ if self.cursor.at_label() => {
                let error = Diagnostic::error(token.span, "a label outside of a procedure");
                self.errors.push(error.label("labels belong to statements"));
                self.cursor.take();
                self.cursor.take();
            }
            _ => {
                let trivia = self.cursor.begin_item();
                let piece = self.cut();
                self.procedure(piece, trivia);
            }
        }
    }

    /// A `decl`, which is the next token.
    fn declaration(&mut self) -> Option<Declaration> {
        let mut trivia = self.cursor.begin_item();
        let piece = self.cut();
        let declared = self.reader.declaration(piece);
        let variables = self.finish_simple(declared, false)?;
        self.cursor.end_item(&mut trivia);
        Some(Declaration { variables, trivia })
    }

    /// A procedure whose head has been cut.
    fn procedure(&mut self, piece: Piece, mut trivia: Trivia) {
        let head = self.reader.head(piece);
        let (next, word) = (self.cursor.peek(), self.cursor.word());
        let begins = word == "begin";
        if begins {
            self.cursor.take();
        } else if head.is_ok() {
            let found = describe(next, word);
            let error = Diagnostic::error(self.cursor.behind(), format!("expected `begin`, found {found}"));
            self.errors
                .push(error.label("expected `begin`").help("a procedure is written `void f() begin … end`"));
        }
        let named = head.is_ok();
        let head = head.unwrap_or_else(|error| {
            self.errors.push(self.better_head_error(piece, error));
            Head { name: Name::new(""), returns: 0, parameters: Vec::new() }
        });
        if !begins && (!named || next.kind == Kind::Semicolon) {
            // No body follows that could be read.
            if self.cursor.peek().kind == Kind::Semicolon {
                self.cursor.take();
            }
            return;
        }
        self.cursor.end_item(&mut trivia);
        let opener = if named { head.name.at.0 } else { piece.span };
        let Head { name, returns, parameters } = head;
        let procedure = Procedure {
            name,
            returns,
            parameters,
            locals: Vec::new(),
            enforce: Vec::new(),
            body: Block::default(),
            trivia: Trivia::default(),
            end: At::default(),
        };
        self.push_open(
            Shape::Procedure(Box::new(procedure)),
            opener,
            piece.span,
            Item { labels: Vec::new(), trivia },
        );
    }

    /// A statement outside of procedures deserves another message than a bad head.
    fn better_head_error(&self, piece: Piece, error: Diagnostic) -> Diagnostic {
        let text = &self.text[piece.span.range()];
        let first =
            text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_').next();
        let starts = first.is_some_and(|word| role(word) == Role::Starts && !matches!(word, "void" | "bool"));
        if starts || text.contains(":=") {
            let error = Diagnostic::error(piece.span, "a statement outside of a procedure");
            return error.help("statements stand in procedures: `void main() begin … end`");
        }
        error
    }

    // ---- Inside procedures

    fn element(&mut self) {
        let token = self.cursor.peek();
        let word = self.cursor.word();
        match token.kind {
            Kind::End => return self.end_of_file(),
            Kind::Semicolon => {
                self.cursor.take();
                return self.implicit_skip();
            }
            _ => {}
        }
        let colon = self.cursor.at_label();
        match role(word) {
            Role::Closes if !colon => return self.close(word),
            Role::Opens if !colon => {
                let message = format!("unexpected `{word}`");
                self.errors.push(Diagnostic::error(token.span, message).label("there is no head before it"));
                self.cursor.take();
                return;
            }
            _ => {}
        }
        if self.item.is_none() && word != "decl" && word != "enforce" {
            self.item = Some(Item { labels: Vec::new(), trivia: self.cursor.begin_item() });
        }
        match word {
            _ if colon => self.label(),
            "decl" | "enforce" => self.local(),
            "if" | "while" => self.open_statement(word),
            _ => self.statement(),
        }
    }

    fn label(&mut self) {
        let span = self.cursor.take().span;
        let piece = Piece { span, tokens: 1, too_deep: None, unclosed: None };
        match self.reader.label(piece) {
            Ok(label) => self.item.get_or_insert_default().labels.push(label),
            Err(error) => self.errors.push(error),
        }
        self.cursor.take();
    }

    /// A `decl` or `enforce` in a procedure.
    fn local(&mut self) {
        let token = self.cursor.peek();
        let labelled = self.item.take();
        let at_head = self.open.len() == 1 && self.open[0].block.statements.is_empty();
        if labelled.is_some() || !at_head {
            let word = self.cursor.word();
            self.cut();
            self.skip_semicolon();
            let reason = if labelled.is_some() {
                "cannot have a label"
            } else {
                "must stand before the statements of its procedure"
            };
            let thing = if word == "decl" { "a declaration" } else { "`enforce`" };
            self.errors.push(Diagnostic::error(token.span, format!("{thing} {reason}")));
            return;
        }
        if self.cursor.word() == "decl" {
            let declaration = self.declaration();
            if let Shape::Procedure(procedure) = &mut self.open[0].shape {
                procedure.locals.extend(declaration);
            }
            return;
        }
        let piece = self.cut();
        let enforce = self.reader.enforce(piece);
        let enforce = self.finish_simple(enforce, false);
        if let Shape::Procedure(procedure) = &mut self.open[0].shape {
            procedure.enforce.extend(enforce);
        }
    }

    /// A simple statement, or the head of the next procedure where an `end` is missing.
    fn statement(&mut self) {
        let piece = self.cut();
        if self.cursor.word() == "begin" {
            let item = self.item.take().unwrap_or_default();
            self.unclosed(piece.span, "procedure", 0);
            return self.procedure(piece, item.trivia);
        }
        let kind = self
            .reader
            .statement(piece)
            .map_err(|error| declaration_help(error, &self.text[piece.span.range()]));
        let kind = self.finish_simple(kind, true);
        let mut item = self.item.take().unwrap_or_default();
        self.cursor.end_item(&mut item.trivia);
        if let Some(kind) = kind {
            match start_by_label(kind, &item.labels, piece.span) {
                Ok(kind) => self.append(Statement {
                    labels: item.labels,
                    kind,
                    at: At(piece.span),
                    trivia: item.trivia,
                }),
                Err(error) => self.errors.push(error),
            }
        }
    }

    /// Takes the `;` behind a piece; tells the error in the piece or else the missing `;`.
    fn finish_simple<T>(&mut self, result: Result<T, Diagnostic>, may_close: bool) -> Option<T> {
        let next = self.cursor.peek();
        let word = self.cursor.word();
        let behind = self.cursor.behind();
        let ended = self.skip_semicolon()
            || may_close && role(word) == Role::Closes
            || next.kind == Kind::End && may_close;
        match result {
            Ok(value) => {
                if !ended {
                    let found = describe(next, word);
                    let error = Diagnostic::error(behind, format!("expected `;`, found {found}"));
                    self.errors.push(error.label("add a `;` here"));
                }
                Some(value)
            }
            Err(error) => {
                self.errors.push(error);
                None
            }
        }
    }

    fn skip_semicolon(&mut self) -> bool {
        let here = self.cursor.peek().kind == Kind::Semicolon;
        if here {
            self.cursor.take();
        }
        here
    }

    /// Labels before `;` or a closing keyword label a `skip`.
    fn implicit_skip(&mut self) {
        let Some(mut item) = self.item.take() else { return };
        self.cursor.end_item(&mut item.trivia);
        let Some(last) = item.labels.last() else { return };
        let at = last.at;
        self.append(Statement { labels: item.labels, kind: StatementKind::Skip, at, trivia: item.trivia });
    }

    // ---- Blocks

    /// `if e then` or `while e do`.
    fn open_statement(&mut self, keyword: &str) {
        let after_else = keyword == "if" && self.last_else.end > 0 && self.follows_else();
        let opener = self.cursor.peek().span;
        let (condition, span) = self.condition(if keyword == "if" { "then" } else { "do" });
        let shape = match keyword {
            "if" => Shape::If { branches: Vec::new(), condition: Some(condition) },
            _ => Shape::While(condition),
        };
        let item = self.item.take().unwrap_or_default();
        self.push_open(shape, opener, span, item);
        if let Some(open) = self.open.last_mut() {
            open.after_else = after_else;
        }
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

    fn push_open(&mut self, shape: Shape, opener: Span, at: Span, item: Item) {
        if self.open.len() > STATEMENT_DEPTH {
            let message = format!("statements are nested more than {STATEMENT_DEPTH} deep");
            self.errors.push(Diagnostic::error(opener, message).label("this one goes too deep"));
            self.stopped = true;
            return;
        }
        let Item { labels, trivia } = item;
        self.open.push(Open {
            shape,
            opener,
            labels,
            at,
            trivia,
            block: Block::default(),
            after_else: false,
        });
    }

    /// A closing keyword, which is the next token.
    fn close(&mut self, keyword: &str) {
        self.implicit_skip();
        let token = self.cursor.peek();
        let Some(depth) = self.open.iter().rposition(|open| open.shape.fits(keyword)) else {
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
                self.close_top(token.span);
            }
        }
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
    fn close_top(&mut self, keyword: Span) {
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

    fn append(&mut self, statement: Statement) {
        if let Some(open) = self.open.last_mut() {
            open.block.statements.push(statement);
        }
    }

    /// Tells that the blocks from `depth` on are not closed, and closes them.
    fn unclosed(&mut self, at: Span, found: &str, depth: usize) {
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
        if self.open[depth..].iter().any(|open| open.after_else) {
            error =
                error.help("`else if` opens a second `if`, which needs a `fi` of its own; `elsif` does not");
        } else {
            error = error.help(format!("every `{opener}` ends with `{closer}`"));
        }
        self.errors.push(error);
        while self.open.len() > depth {
            self.close_top(at);
        }
    }

    fn end_of_file(&mut self) {
        self.item = None;
        self.unclosed(self.cursor.peek().span, "", 0);
    }

    // ---- Pieces

    /// Takes tokens up to `;`, a keyword that ends the piece, a label, or the end of the text.
    fn cut(&mut self) -> Piece {
        let first = self.cursor.peek();
        let mut piece = Piece { span: first.span, tokens: 0, too_deep: None, unclosed: None };
        let mut nested = Vec::new();
        let mut starts_thread = false;
        loop {
            let (token, word) = (self.cursor.peek(), self.cursor.word());
            if piece.tokens > 0 && self.ends_piece(starts_thread) || token.kind == Kind::End {
                break;
            }
            match token.kind {
                Kind::Open | Kind::OpenBracket => nested.push(token.span),
                Kind::Close | Kind::CloseBracket => drop(nested.pop()),
                _ => {}
            }
            if nested.len() > EXPRESSION_DEPTH && piece.too_deep.is_none() {
                piece.too_deep = Some(token.span);
            }
            starts_thread = word == "start_thread";
            piece.tokens += 1;
            piece.span.end = self.cursor.take().span.end;
        }
        piece.unclosed = nested.pop();
        piece
    }

    fn ends_piece(&self, starts_thread: bool) -> bool {
        let word = self.cursor.word();
        match self.cursor.peek().kind {
            Kind::Semicolon => true,
            Kind::Word | Kind::Number => match role(word) {
                Role::Closes | Role::Opens => true,
                Role::Starts => !(starts_thread && word == "goto"),
                Role::Inside => false,
                Role::Name => self.cursor.at_label(),
            },
            _ => false,
        }
    }
}

/// `ASYNC_1: f(e);` starts a thread.
fn start_by_label(kind: StatementKind, labels: &[Name], span: Span) -> Result<StatementKind, Diagnostic> {
    let Some(label) = labels.iter().find(|label| is_async(&label.text)) else { return Ok(kind) };
    match kind {
        StatementKind::Call { results, procedure, arguments } if results.is_empty() => {
            Ok(StatementKind::StartThread { procedure, arguments })
        }
        StatementKind::Call { .. } => {
            let error = Diagnostic::error(span, "a thread that is started returns no values");
            Err(error.also(label.at.0, "this label makes the call start a thread"))
        }
        kind => Ok(kind),
    }
}

fn is_async(label: &str) -> bool {
    label
        .strip_prefix("ASYNC_")
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn declaration_help(error: Diagnostic, text: &str) -> Diagnostic {
    if text.starts_with("bool") || text.starts_with("void") {
        return error.help("local variables are declared with `decl x;`");
    }
    error
}
