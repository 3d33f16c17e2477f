//! Cuts the text into pieces and puts their syntax together.
//!
//! The open procedure and its open `if`s and `while`s stand on a stack; a closing keyword takes the top
//! one off and appends it to the block below. After an error in a piece, parsing goes on with the next;
//! after a missing or unexpected closing keyword, with the block that fits best.

use super::super::ast::{At, Block, Declaration, Name, Procedure, Program, Statement, StatementKind, Trivia};
use super::blocks::{Open, Shape};
use super::cursor::Cursor;
use super::errors::Errors;
use super::lexer::Kind;
use super::statement::{Head, Piece, Reader};
use super::words::{Role, describe, role};
use super::{EXPRESSION_DEPTH, foreign};
use crate::ground::diagnostic::Diagnostic;
use crate::ground::source::Span;

/// What stands before the statement that is being read.
#[derive(Default)]
pub struct Item {
    pub labels: Vec<Name>,
    pub trivia: Trivia,
}

/// The state of parsing.
pub struct Assembler<'a> {
    pub text: &'a str,
    pub cursor: Cursor<'a>,
    pub reader: Reader<'a>,
    pub errors: Errors,
    pub program: Program,
    pub open: Vec<Open>,
    pub item: Option<Item>,
    /// Where the last `else` stands.
    pub last_else: Span,
    /// `begin`s inside the open procedure, which have been told; an `end` may belong to each.
    pub nested: usize,
    /// Closing keywords that were told to be missing in the open procedure and may come too late.
    pub late: Vec<&'static str>,
    /// Nothing more can be read.
    pub stopped: bool,
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
        nested: 0,
        late: Vec::new(),
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
        // The body may follow where only `begin` is missing.
        let has_body = begins || named && next.kind != Kind::Semicolon || !named && self.lacks_begin(piece);
        if !has_body {
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
        if self.lacks_begin(piece) {
            return error;
        }
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

    /// Whether a head that begins well goes on behind its parameters.
    fn lacks_begin(&self, piece: Piece) -> bool {
        let text = &self.text[piece.span.range()];
        let typed = text.starts_with("void") || text.starts_with("bool");
        typed && text.split_once(')').is_some_and(|(_, rest)| !rest.trim().is_empty())
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
                self.nested += usize::from(word == "begin");
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
        if self.slip(piece) {
            return;
        }
        let kind = self.reader.statement(piece);
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

    pub fn skip_semicolon(&mut self) -> bool {
        let here = self.cursor.peek().kind == Kind::Semicolon;
        if here {
            self.cursor.take();
        }
        here
    }

    /// Labels before `;` or a closing keyword label a `skip`.
    pub fn implicit_skip(&mut self) {
        let Some(mut item) = self.item.take() else { return };
        self.cursor.end_item(&mut item.trivia);
        let Some(last) = item.labels.last() else { return };
        let at = last.at;
        self.append(Statement { labels: item.labels, kind: StatementKind::Skip, at, trivia: item.trivia });
    }

    // ---- Pieces

    /// Takes tokens up to `;`, a keyword that ends the piece, a label, or the end of the text.
    pub fn cut(&mut self) -> Piece {
        let first = self.cursor.peek();
        let mut piece = Piece { span: first.span, tokens: 0, too_deep: None, unclosed: None };
        let mut nested = Vec::new();
        let mut previous = "";
        let first_word = self.cursor.word();
        loop {
            let (token, word) = (self.cursor.peek(), self.cursor.word());
            if piece.tokens > 0 && self.ends_piece(first_word, previous) || token.kind == Kind::End {
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
            previous = word;
            piece.tokens += 1;
            piece.span.end = self.cursor.take().span.end;
        }
        piece.unclosed = nested.pop();
        piece
    }

    fn ends_piece(&self, first: &str, previous: &str) -> bool {
        let (word, declares) = (self.cursor.word(), first == "decl");
        match self.cursor.peek().kind {
            Kind::Semicolon => true,
            Kind::Word | Kind::Number => match role(word) {
                Role::Closes | Role::Opens => true,
                // A keyword behind `decl` was meant as a name, one behind `decl x:` as a type.
                Role::Starts => {
                    previous != "decl"
                        && !(declares && previous == ":")
                        && (previous, word) != ("start_thread", "goto")
                }
                Role::Inside => false,
                // Behind `c ?` stands `a : b`, not a label.
                Role::Name => !declares && previous != "?" && self.cursor.at_label(),
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
