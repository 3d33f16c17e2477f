//! The grammar of mist's format: text becomes rules and constraints over numbered variables.

use super::tokens::{Placed, Token, tokens};
use crate::ground::diagnostic::Diagnostic;
use crate::ground::index::Index;
use crate::ground::source::{SourceFile, Span};
use crate::system::net::PlaceId;
use std::collections::HashMap;
use std::sync::Arc;

/// A file.
pub(super) struct Specification {
    pub(super) variables: Vec<Arc<str>>,
    pub(super) rules: Vec<Rule>,
    pub(super) initial: Vec<Constraint>,
    /// Any of these.
    pub(super) targets: Vec<Vec<Constraint>>,
}

/// A variable is at least, and perhaps at most, a number.
pub(super) struct Constraint {
    pub(super) place: PlaceId,
    pub(super) low: u32,
    pub(super) high: Option<u32>,
    pub(super) span: Span,
}

/// `guards -> updates;`
pub(super) struct Rule {
    pub(super) guards: Vec<Constraint>,
    pub(super) updates: Vec<Update>,
    pub(super) line: u32,
    pub(super) span: Span,
}

/// `place' = sources + constant`
pub(super) struct Update {
    pub(super) place: PlaceId,
    pub(super) sources: Vec<PlaceId>,
    pub(super) constant: i64,
    pub(super) span: Span,
}

const KEYWORDS: [&str; 7] = ["vars", "rules", "init", "target", "invariants", "true", "in"];

type Read<T> = Result<T, Diagnostic>;

struct Cursor<'a> {
    source: &'a SourceFile,
    tokens: Vec<Placed<'a>>,
    position: usize,
    places: HashMap<&'a str, PlaceId>,
}

/// Reads a file.
pub(super) fn parse(source: &SourceFile) -> Read<Specification> {
    let tokens = tokens(source.text())?;
    let mut cursor = Cursor { source, tokens, position: 0, places: HashMap::new() };
    cursor.keyword("vars")?;
    let variables = cursor.variables()?;
    cursor.keyword("rules")?;
    let mut rules = Vec::new();
    while !cursor.at(Token::Word("init")) {
        rules.push(cursor.rule()?);
    }
    cursor.keyword("init")?;
    let initial = cursor.conjunction()?;
    cursor.keyword("target")?;
    let targets = cursor.conjunctions()?;
    if cursor.skip(Token::Word("invariants")) {
        cursor.conjunctions()?;
    }
    cursor.end()?;
    Ok(Specification { variables, rules, initial, targets })
}

impl<'a> Cursor<'a> {
    fn peek(&self) -> Placed<'a> {
        self.tokens[self.position]
    }

    fn at(&self, token: Token<'_>) -> bool {
        self.peek().token == token
    }

    /// Takes the next token; the end stays.
    fn next(&mut self) -> Placed<'a> {
        let next = self.peek();
        self.position = (self.position + 1).min(self.tokens.len() - 1);
        next
    }

    fn skip(&mut self, token: Token<'_>) -> bool {
        let there = self.at(token);
        if there {
            self.next();
        }
        there
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let next = self.peek();
        let message = match next.token {
            Token::End => format!("the file ends where {what} was expected"),
            _ => format!("{what} was expected here"),
        };
        Diagnostic::error(next.span, message)
    }

    fn keyword(&mut self, word: &'static str) -> Read<()> {
        if self.skip(Token::Word(word)) {
            return Ok(());
        }
        let help =
            "the sections are `vars`, `rules`, `init`, `target` and perhaps `invariants`, in this order";
        Err(self.expected(&format!("`{word}`")).help(help))
    }

    fn mark(&mut self, mark: &'static str) -> Read<()> {
        if self.skip(Token::Mark(mark)) { Ok(()) } else { Err(self.expected(&format!("`{mark}`"))) }
    }

    fn end(&self) -> Read<()> {
        if self.at(Token::End) { Ok(()) } else { Err(self.expected("the end of the file")) }
    }

    fn number(&mut self) -> Read<u32> {
        let Token::Number(number) = self.peek().token else { return Err(self.expected("a number")) };
        self.next();
        Ok(number)
    }

    /// Whether a variable comes next.
    fn at_name(&self) -> bool {
        matches!(self.peek().token, Token::Word(word) if !KEYWORDS.contains(&word))
    }

    fn name(&mut self) -> Read<(&'a str, Span)> {
        match self.peek() {
            Placed { token: Token::Word(word), span } if self.at_name() => {
                self.next();
                Ok((word, span))
            }
            _ => Err(self.expected("a variable")),
        }
    }

    fn place(&mut self) -> Read<(PlaceId, Span)> {
        let (name, span) = self.name()?;
        let place = self.places.get(name).copied().ok_or_else(|| {
            Diagnostic::error(span, format!("there is no variable `{name}`"))
                .help("variables are declared after `vars`")
        })?;
        Ok((place, span))
    }

    fn variables(&mut self) -> Read<Vec<Arc<str>>> {
        let mut variables = Vec::new();
        while self.at_name() {
            let (name, span) = self.name()?;
            if self.places.insert(name, PlaceId::new(variables.len())).is_some() {
                return Err(Diagnostic::error(span, format!("`{name}` is declared twice")));
            }
            variables.push(Arc::from(name));
            // Some files separate the names.
            self.skip(Token::Mark(","));
        }
        Ok(variables)
    }

    fn constraint(&mut self) -> Read<Constraint> {
        let (place, span) = self.place()?;
        let (low, high) = match self.peek().token {
            Token::Mark("=") => {
                self.next();
                let number = self.number()?;
                (number, Some(number))
            }
            Token::Mark(">=") => {
                self.next();
                (self.number()?, None)
            }
            Token::Word("in") => {
                self.next();
                let (low, high) = self.range()?;
                (low, Some(high))
            }
            _ => return Err(self.expected("`=`, `>=` or `in`")),
        };
        Ok(Constraint { place, low, high, span })
    }

    /// `[low, high]`
    fn range(&mut self) -> Read<(u32, u32)> {
        self.mark("[")?;
        let low = self.number()?;
        self.mark(",")?;
        let high = self.number()?;
        self.mark("]")?;
        Ok((low, high))
    }

    fn conjunction(&mut self) -> Read<Vec<Constraint>> {
        let mut constraints = vec![self.constraint()?];
        while self.skip(Token::Mark(",")) {
            constraints.push(self.constraint()?);
        }
        Ok(constraints)
    }

    /// One conjunction after the other: a new one begins where no comma stands.
    fn conjunctions(&mut self) -> Read<Vec<Vec<Constraint>>> {
        let mut all = vec![self.conjunction()?];
        while self.at_name() {
            all.push(self.conjunction()?);
        }
        Ok(all)
    }

    fn rule(&mut self) -> Read<Rule> {
        let start = self.peek().span;
        let mut guards = Vec::new();
        loop {
            if !self.skip(Token::Word("true")) {
                guards.push(self.constraint()?);
            }
            if !self.skip(Token::Mark(",")) {
                break;
            }
        }
        self.mark("->")?;
        let updates = self.updates()?;
        let span = start.to(self.peek().span);
        self.mark(";")?;
        let line = u32::try_from(self.source.line(start.start)).unwrap_or(u32::MAX);
        Ok(Rule { guards, updates, line, span })
    }

    fn updates(&mut self) -> Read<Vec<Update>> {
        let mut updates: Vec<Update> = Vec::new();
        let mut assigned = std::collections::HashSet::new();
        if self.at(Token::Mark(";")) {
            return Ok(updates);
        }
        loop {
            let update = self.update()?;
            if !assigned.insert(update.place) {
                return Err(Diagnostic::error(update.span, "this variable is assigned twice in one rule"));
            }
            updates.push(update);
            if !self.skip(Token::Mark(",")) {
                return Ok(updates);
            }
        }
    }

    fn update(&mut self) -> Read<Update> {
        let (place, span) = self.place()?;
        self.mark("'")?;
        self.mark("=")?;
        let mut update = Update { place, sources: Vec::new(), constant: 0, span };
        self.summand(&mut update)?;
        loop {
            if self.skip(Token::Mark("+")) {
                self.summand(&mut update)?;
            } else if self.skip(Token::Mark("-")) {
                update.constant -= i64::from(self.number()?);
            } else {
                return Ok(update);
            }
        }
    }

    fn summand(&mut self, update: &mut Update) -> Read<()> {
        if let Token::Number(number) = self.peek().token {
            self.next();
            update.constant += i64::from(number);
        } else if self.at_name() {
            update.sources.push(self.place()?.0);
        } else {
            return Err(self.expected("a variable or a number"));
        }
        Ok(())
    }
}
