//! Recognises texts that are no Boolean programs at all.
//!
//! Papers and tools have pseudo-code of their own under the same file extensions: braces for blocks, `int`,
//! `var x: int`, `proc`, `module`. Such a text would give an error per line. When a text has errors, we
//! look for the marks of such languages and, if there are any, tell that one thing instead.

use super::lexer::{Kind, Lexer, Token};
use super::words::{Role, role};
use crate::ground::diagnostic::Diagnostic;
use crate::ground::source::Span;

/// The one message for a text in another language, if it is one.
pub fn recognise(text: &str) -> Option<Diagnostic> {
    let mut lexer = Lexer::new(text);
    let mut comments = Vec::new();
    let mut recent = [None, None];
    let mut depth = 0usize;
    loop {
        comments.clear();
        let token = lexer.next(&mut comments);
        if token.kind == Kind::End {
            return None;
        }
        depth = match token.kind {
            Kind::Open => depth + 1,
            Kind::Close => depth.saturating_sub(1),
            Kind::Semicolon => 0,
            _ => depth,
        };
        if let Some((span, mark)) = mark(text, recent, token, depth) {
            return Some(message(span, mark));
        }
        recent = [recent[1], Some(token)];
    }
}

fn message(span: Span, mark: &str) -> Diagnostic {
    Diagnostic::error(span, "this looks like C-like pseudo-code, not a Boolean program").label(mark).help(
        "write `void f() begin … end` for a procedure, `decl x;` for a variable, `x := e;` for an \
         assignment, `if (e) then … else … fi` and `while (e) do … od`; grammar/README.md describes the language",
    )
}

/// The mark of another language that ends with this token, and what to say about it.
fn mark(text: &str, recent: [Option<Token>; 2], token: Token, depth: usize) -> Option<(Span, &'static str)> {
    let word = |token: Option<Token>| token.map_or("", |token| &text[token.span.range()]);
    let previous = recent[1];
    let starts = recent[0].is_none_or(|before| matches!(before.kind, Kind::Semicolon | Kind::Number))
        || role(word(recent[0])) == Role::Opens
        || previous.is_some_and(|token| token.lines > 0);
    match token.kind {
        Kind::OpenBrace | Kind::CloseBrace => {
            return Some((token.span, "blocks are not written with braces"));
        }
        Kind::Word if word(Some(token)) == "#include" => {
            return Some((token.span, "there is no preprocessor"));
        }
        Kind::Word => {}
        _ => return None,
    }
    let span = previous.map(|token| token.span)?;
    match word(previous) {
        "int" | "char" | "unsigned" if starts || depth > 0 => {
            Some((span, "all variables are Boolean; there are no types"))
        }
        "bool" if depth > 0 => Some((span, "parameters have no type")),
        "bool" if starts && !is_head(text, token) => Some((span, "variables are declared with `decl`")),
        "var" | "proc" | "module" | "define" | "#define" | "typedef" | "struct" if starts => {
            Some((span, "not a keyword of Boolean programs"))
        }
        _ => None,
    }
}

/// Whether a name is followed by a parenthesis, as in the head of a procedure.
fn is_head(text: &str, name: Token) -> bool {
    Lexer::at(text, name.span.end).next(&mut Vec::new()).kind == Kind::Open
}
