//! Expressions: from pest's flat sequence to the postfix form, by precedence.
//!
//! Dijkstra's shunting-yard algorithm, with a stack of its own: neither a chain of a million operators nor
//! a million negations needs depth. Parentheses and the brackets of `schoose` are marks on that stack.

use super::super::ast::{At, Expression, Reference};
use super::super::expression::{Binary, Expression as Postfix, Item};
use super::grammar::Rule;
use super::statement::Reader;
use crate::ground::source::Span;
use pest::iterators::Pair;

/// What waits for its operands.
enum Waiting {
    /// This many negations.
    Not(usize),
    /// A binary operator.
    Binary(Binary),
    /// An open parenthesis or bracket.
    Mark,
}

#[derive(Default)]
struct Yard {
    output: Vec<Item<Reference>>,
    waiting: Vec<Waiting>,
}

impl Yard {
    /// Puts out what waits with at least this precedence, down to the last mark.
    fn reduce(&mut self, precedence: u8) {
        while let Some(top) = self.waiting.pop_if(|top| match top {
            Waiting::Not(_) => true,
            Waiting::Binary(operator) => operator.precedence() >= precedence,
            Waiting::Mark => false,
        }) {
            match top {
                Waiting::Not(count) => self.output.extend((0..count).map(|_| Item::Not)),
                Waiting::Binary(operator) => self.output.push(Item::Binary(operator)),
                Waiting::Mark => {}
            }
        }
    }

    fn binary(&mut self, operator: Binary) {
        let own = operator.precedence();
        self.reduce(if operator.is_right_associative() { own + 1 } else { own });
        self.waiting.push(Waiting::Binary(operator));
    }

    fn close(&mut self) {
        self.reduce(0);
        self.waiting.pop();
    }
}

/// The operator with this spelling.
fn binary(text: &str) -> Binary {
    match text {
        "&" | "&&" => Binary::And,
        "|" | "||" => Binary::Or,
        "^" => Binary::Xor,
        "=" | "==" => Binary::Equal,
        "!=" => Binary::NotEqual,
        "=>" => Binary::Implies,
        _ => Binary::Iff,
    }
}

/// How many negations a run of `!` and `~` has; comments may stand in it.
fn count_negations(text: &str) -> usize {
    let mut rest = text;
    let mut count = 0;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' => rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
            _ => first.len_utf8(),
        };
        count += usize::from(matches!(first, '!' | '~'));
        rest = &rest[length..];
    }
    count
}

impl<'a> Reader<'a> {
    /// The expression of a pair with the rule `expression`, whose text begins at `base`.
    pub fn expression(&mut self, pair: Pair<'a, Rule>, base: usize) -> Expression {
        let span = Span::new(base + pair.as_span().start(), base + pair.as_span().end());
        let mut yard = Yard::default();
        for pair in pair.into_inner().flatten() {
            match pair.as_rule() {
                Rule::constant => {
                    yard.output.push(Item::Constant(matches!(pair.as_str(), "T" | "1" | "true")));
                }
                Rule::choice => yard.output.push(Item::Choice),
                Rule::variable => yard.output.push(Item::Variable(self.reference(&pair, base))),
                Rule::negations => yard.waiting.push(Waiting::Not(count_negations(pair.as_str()))),
                Rule::operator => yard.binary(binary(pair.as_str())),
                Rule::open | Rule::open_bracket => yard.waiting.push(Waiting::Mark),
                Rule::close => yard.close(),
                Rule::comma => yard.reduce(0),
                Rule::close_bracket => {
                    yard.close();
                    yard.output.push(Item::Schoose);
                }
                _ => {}
            }
        }
        yard.reduce(0);
        yard.output.shrink_to_fit();
        let body = Postfix::from_postfix(yard.output).expect("the grammar gives operators their operands");
        Expression { body, at: At(span) }
    }

    fn reference(&mut self, pair: &Pair<'a, Rule>, base: usize) -> Reference {
        let (text, start) = (pair.as_str(), base + pair.as_span().start());
        if let Some(bare) = text.strip_prefix('\'') {
            return Reference { name: self.name_at(bare, start + 1), next: true };
        }
        let bare = text.strip_suffix('\'');
        Reference { name: self.name_at(bare.unwrap_or(text), start), next: bare.is_some() }
    }
}
