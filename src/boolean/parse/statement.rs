//! From pest's pairs to syntax: one function per kind of piece.

use super::super::ast::{At, Expression, Name, StatementKind};
use super::explain;
use super::grammar::{Grammar, Rule};
use super::{EXPRESSION_DEPTH, RETURNED_VALUES, STATEMENT_TOKENS};
use crate::ground::diagnostic::Diagnostic;
use crate::ground::source::Span;
use pest::Parser;
use pest::iterators::{Pair, Pairs};
use std::collections::HashMap;
use std::sync::Arc;

/// A piece of the text, cut out to be parsed by one rule.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Its place, what ends it not included.
    pub span: Span,
    /// How many tokens it has.
    pub tokens: usize,
    /// The parenthesis that is nested too deeply.
    pub too_deep: Option<Span>,
    /// The innermost parenthesis that is not closed.
    pub unclosed: Option<Span>,
}

/// The head of a procedure.
pub struct Head {
    /// The name.
    pub name: Name,
    /// How many values it returns.
    pub returns: usize,
    /// The parameters.
    pub parameters: Vec<Name>,
}

/// Variables with their initial values, as in a `decl`.
pub type Declared = Vec<(Name, Option<Expression>)>;

/// Parses pieces. Equal names share their text.
pub struct Reader<'a> {
    text: &'a str,
    names: HashMap<&'a str, Arc<str>>,
}

impl<'a> Reader<'a> {
    /// A reader for pieces of a text.
    pub fn new(text: &'a str) -> Self {
        Self { text, names: HashMap::new() }
    }

    /// The name at an offset.
    pub fn name_at(&mut self, text: &'a str, start: usize) -> Name {
        let shared = self.names.entry(text).or_insert_with(|| text.into());
        Name { text: Arc::clone(shared), at: At(Span::new(start, start + text.len())) }
    }

    fn name(&mut self, pair: &Pair<'a, Rule>, base: usize) -> Name {
        self.name_at(pair.as_str(), base + pair.as_span().start())
    }

    fn names(&mut self, pairs: Pairs<'a, Rule>, base: usize) -> Vec<Name> {
        let named = pairs.filter(|pair| matches!(pair.as_rule(), Rule::name | Rule::label));
        named.map(|pair| self.name(&pair, base)).collect()
    }

    fn values(&mut self, pairs: Pairs<'a, Rule>, base: usize) -> Vec<Expression> {
        let expressions = pairs.filter(|pair| pair.as_rule() == Rule::expression);
        expressions.map(|pair| self.expression(pair, base)).collect()
    }

    /// The first pair that a rule gives for a piece, and the offset of the piece.
    fn read(&self, rule: Rule, piece: Piece, end: &str) -> Result<(Pairs<'a, Rule>, usize), Diagnostic> {
        check_size(piece)?;
        let text = &self.text[piece.span.range()];
        let pairs =
            Grammar::parse(rule, text).map_err(|error| explain::explain(self.text, piece, end, &error))?;
        Ok((pairs, piece.span.start as usize))
    }

    /// The variables of a `decl`.
    pub fn declaration(&mut self, piece: Piece) -> Result<Declared, Diagnostic> {
        let (pairs, base) = self.read(Rule::declaration_piece, piece, "`;`")?;
        let declared = pairs.flat_map(Pair::into_inner).filter(|pair| pair.as_rule() == Rule::declared);
        Ok(declared.map(|pair| self.declared(pair, base)).collect())
    }

    fn declared(&mut self, pair: Pair<'a, Rule>, base: usize) -> (Name, Option<Expression>) {
        let mut inner = pair.into_inner();
        let name = inner.next().map(|pair| self.name(&pair, base)).expect("a declaration has a name");
        (name, self.values(inner, base).pop())
    }

    /// The expression of an `enforce`.
    pub fn enforce(&mut self, piece: Piece) -> Result<Expression, Diagnostic> {
        let (mut pairs, base) = self.read(Rule::enforce_piece, piece, "`;`")?;
        let inner = pairs.next().expect("the rule gives one pair").into_inner();
        Ok(self.only_value(inner, base))
    }

    /// The expression of `if e`, `elsif e`, `while e`; `end` is the keyword that must follow.
    pub fn condition(&mut self, piece: Piece, end: &str) -> Result<Expression, Diagnostic> {
        let (pairs, base) = self.read(Rule::condition_piece, piece, end)?;
        Ok(self.only_value(pairs, base))
    }

    fn only_value(&mut self, pairs: Pairs<'a, Rule>, base: usize) -> Expression {
        self.values(pairs, base).pop().expect("the rule has an expression")
    }

    /// A label.
    pub fn label(&mut self, piece: Piece) -> Result<Name, Diagnostic> {
        let (mut pairs, base) = self.read(Rule::label_piece, piece, "`:`")?;
        Ok(self.name(&pairs.next().expect("the rule gives one pair"), base))
    }

    /// The head of a procedure.
    pub fn head(&mut self, piece: Piece) -> Result<Head, Diagnostic> {
        let (mut pairs, base) = self.read(Rule::head_piece, piece, "`begin`")?;
        let mut head = Head { name: Name::new(""), returns: 0, parameters: Vec::new() };
        for pair in pairs.next().expect("the rule gives one pair").into_inner() {
            match pair.as_rule() {
                Rule::kind => head.returns = returns(pair, base)?,
                Rule::name => head.name = self.name(&pair, base),
                Rule::parameters => head.parameters = self.names(pair.into_inner(), base),
                _ => {}
            }
        }
        Ok(head)
    }

    /// A simple statement.
    pub fn statement(&mut self, piece: Piece) -> Result<StatementKind, Diagnostic> {
        let (mut pairs, base) = self.read(Rule::statement_piece, piece, "`;`")?;
        let statement = pairs.next().expect("the rule gives one pair").into_inner().next();
        let pair = statement.expect("a statement is of one kind");
        let rule = pair.as_rule();
        let mut inner = pair.into_inner();
        Ok(match rule {
            Rule::skip => StatementKind::Skip,
            Rule::goto_statement => StatementKind::Goto(self.names(inner, base)),
            Rule::return_statement => StatementKind::Return(self.listed(inner, base)),
            Rule::assume => StatementKind::Assume(self.only_value(inner, base)),
            Rule::assert => StatementKind::Assert(self.only_value(inner, base)),
            Rule::abortif => StatementKind::AbortIf(self.only_value(inner, base)),
            Rule::dead => StatementKind::Dead(self.names(inner, base)),
            Rule::print => StatementKind::Print(self.listed(inner, base)),
            Rule::start_goto | Rule::start_label => {
                let label = inner.find(|pair| pair.as_rule() == Rule::label).expect("a label to start at");
                StatementKind::StartLabel(self.name(&label, base))
            }
            Rule::start_procedure => {
                let (procedure, arguments) = self.application(&mut inner, base);
                StatementKind::StartThread { procedure, arguments }
            }
            Rule::end_thread => StatementKind::EndThread,
            Rule::atomic_begin => StatementKind::AtomicBegin,
            Rule::atomic_end => StatementKind::AtomicEnd,
            Rule::call => self.call(inner, base),
            _ => self.assign(inner, base),
        })
    }

    /// The expressions of the pair with the rule `values`, if there is one.
    fn listed(&mut self, mut pairs: Pairs<'a, Rule>, base: usize) -> Vec<Expression> {
        let values = pairs.find(|pair| pair.as_rule() == Rule::values);
        values.map_or_else(Vec::new, |pair| self.values(pair.into_inner(), base))
    }

    fn application(&mut self, pairs: &mut Pairs<'a, Rule>, base: usize) -> (Name, Vec<Expression>) {
        let name = pairs.find(|pair| pair.as_rule() == Rule::name).expect("a procedure to call");
        (self.name(&name, base), self.listed(pairs.clone(), base))
    }

    fn call(&mut self, mut pairs: Pairs<'a, Rule>, base: usize) -> StatementKind {
        let results = pairs.peek().filter(|pair| pair.as_rule() == Rule::results);
        let results = results.map_or_else(Vec::new, |pair| self.results(pair.into_inner(), base));
        let (procedure, arguments) = self.application(&mut pairs, base);
        StatementKind::Call { results, procedure, arguments }
    }

    fn results(&mut self, pairs: Pairs<'a, Rule>, base: usize) -> Vec<Option<Name>> {
        let results = pairs.filter(|pair| pair.as_rule() != Rule::comma);
        results.map(|pair| (pair.as_rule() == Rule::name).then(|| self.name(&pair, base))).collect()
    }

    fn assign(&mut self, mut pairs: Pairs<'a, Rule>, base: usize) -> StatementKind {
        let targets = pairs.next().expect("an assignment has targets");
        let targets = self.names(targets.into_inner(), base);
        let values = self.listed(pairs.clone(), base);
        let constrain = self.values(pairs, base).pop();
        StatementKind::Assign { targets, values, constrain }
    }
}

fn check_size(piece: Piece) -> Result<(), Diagnostic> {
    if let Some(span) = piece.too_deep {
        let message = format!("parentheses are nested more than {EXPRESSION_DEPTH} deep");
        return Err(Diagnostic::error(span, message).label("this one goes too deep"));
    }
    if piece.tokens > STATEMENT_TOKENS {
        let message = format!("a statement of {} tokens is too long", piece.tokens);
        let start = Span::new(piece.span.start as usize, piece.span.start as usize);
        let limit = format!("a statement may have up to {STATEMENT_TOKENS} tokens");
        return Err(Diagnostic::error(start, message).label("it begins here").help(limit));
    }
    Ok(())
}

fn returns(kind: Pair<'_, Rule>, base: usize) -> Result<usize, Diagnostic> {
    let returned = if kind.as_str().starts_with("void") { 0 } else { 1 };
    let Some(number) = kind.into_inner().find(|pair| pair.as_rule() == Rule::number) else {
        return Ok(returned);
    };
    let count = number.as_str().parse().ok().filter(|&count: &usize| count <= RETURNED_VALUES);
    count.ok_or_else(|| {
        let span = Span::new(base + number.as_span().start(), base + number.as_span().end());
        let message = format!("a procedure can return up to {RETURNED_VALUES} values");
        Diagnostic::error(span, message).label("too many")
    })
}
