//! Printing terms as C, for people.
//!
//! Parentheses are as few as C's precedences allow. Whether a number is signed comes from the types of the names: a cast is
//! printed only where the operation needs the other reading. Text is made from the top down with a stack of pieces still to
//! be printed; when the budget is spent, what is left of it is `…`.
//!
//! Extensions are not printed, as C makes them by itself; beside a constant alone, `x + 1` may be meant wider than `x` is.
//! Not C, for want of anything closer: `m[i := x]` is an array with one element replaced, `{x, …}` one with the same element
//! everywhere, and widths that no type has are those of `_BitInt`.

mod constants;
mod float;
mod shape;

use super::{Node, Signedness, Store, Symbol, Term};

/// What things are called, and how the names of C read their bits.
pub trait Names {
    /// The name of a symbol.
    fn symbol(&self, symbol: Symbol) -> String;

    /// A constant that has a name: an address `&g`, a function, an enumerator.
    fn constant(&self, _width: u32, _value: u128) -> Option<String> {
        None
    }

    /// What C calls the element of an array at an index: `p->lock`, `a[i]`.
    fn memory(&self, _array: Symbol, _index: Term, _store: &Store) -> Option<String> {
        None
    }

    /// Whether a term, a symbol or an element of memory, is a floating-point number in C.
    fn is_float(&self, _term: Term) -> bool {
        false
    }

    /// Whether C reads this term, a symbol or an element of memory, as signed, if it is known.
    fn signed(&self, _term: Term) -> Option<bool> {
        None
    }
}

/// The names that the store has.
pub struct PlainNames<'a>(pub &'a Store);

impl Names for PlainNames<'_> {
    fn symbol(&self, symbol: Symbol) -> String {
        self.0.name(symbol).to_owned()
    }
}

/// The term in C, of about this many characters at most.
#[must_use]
pub fn print(store: &Store, term: Term, names: &dyn Names, budget: usize) -> String {
    let printer = Printer { store, names };
    let mut text = String::new();
    let mut stack = vec![Piece::term(term, Precedence::Lowest)];
    while let Some(piece) = stack.pop() {
        match piece {
            Piece::Text(piece) => text.push_str(&piece),
            Piece::Term { .. } | Piece::Float { .. } if text.len() >= budget => text.push('…'),
            Piece::Float { term, at_least } => {
                stack.extend(printer.float_pieces(term, at_least).into_iter().rev());
            }
            Piece::Term { term, at_least, wanted } => {
                stack.extend(printer.pieces(term, at_least, wanted).into_iter().rev());
            }
        }
        if text.len() > budget + SLACK && !stack.is_empty() {
            text.push('…');
            break;
        }
    }
    text
}

/// What may follow the budget: closing parentheses and the operators between what is left out.
const SLACK: usize = 80;

/// Precedences of C, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Precedence {
    Lowest,
    Conditional,
    LogicalOr,
    LogicalAnd,
    Or,
    Xor,
    And,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Primary,
}

impl Precedence {
    /// What an operand needs that may not be of the same precedence.
    fn tighter(self) -> Self {
        use Precedence as P;
        match self {
            P::Lowest => P::Conditional,
            P::Conditional => P::LogicalOr,
            P::LogicalOr => P::LogicalAnd,
            P::LogicalAnd => P::Or,
            P::Or => P::Xor,
            P::Xor => P::And,
            P::And => P::Equality,
            P::Equality => P::Relation,
            P::Relation => P::Shift,
            P::Shift => P::Sum,
            P::Sum => P::Product,
            P::Product => P::Unary,
            P::Unary | P::Primary => P::Primary,
        }
    }
}

/// What is still to be printed.
enum Piece {
    Text(String),
    Term {
        term: Term,
        /// What its top must have, or it gets parentheses.
        at_least: Precedence,
        /// How its bits must be read, if that matters.
        wanted: Option<Signedness>,
    },
    /// A floating-point number.
    Float {
        term: Term,
        at_least: Precedence,
    },
}

impl Piece {
    fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    fn term(term: Term, at_least: Precedence) -> Self {
        Self::Term { term, at_least, wanted: None }
    }

    fn read_as(term: Term, at_least: Precedence, wanted: Signedness) -> Self {
        Self::Term { term, at_least, wanted: Some(wanted) }
    }
}

struct Printer<'a> {
    store: &'a Store,
    names: &'a dyn Names,
}

impl Printer<'_> {
    /// The pieces of a term, with the cast and the parentheses that it needs where it stands.
    fn pieces(&self, term: Term, at_least: Precedence, wanted: Option<Signedness>) -> Vec<Piece> {
        let (term, wanted, cast) = self.seen_through(term, wanted);
        let (precedence, mut pieces) = match cast {
            // A signed bit is zero or minus one, and has no type.
            Some(Signedness::Signed) if self.store.width(term) == 1 => {
                (Precedence::Unary, vec![Piece::text("-"), Piece::term(term, Precedence::Primary)])
            }
            Some(wanted) => {
                let name = format!("({})", type_name(self.store.width(term), wanted));
                (Precedence::Unary, vec![Piece::Text(name), Piece::term(term, Precedence::Unary)])
            }
            None => self.shape(term, wanted),
        };
        if precedence < at_least {
            pieces = parenthesised(pieces);
        }
        pieces
    }
}

fn parenthesised(mut pieces: Vec<Piece>) -> Vec<Piece> {
    pieces.insert(0, Piece::text("("));
    pieces.push(Piece::text(")"));
    pieces
}

impl Printer<'_> {
    /// C extends operands without a word, and its truth values are the integers one and zero. The last is the cast that is
    /// needed there.
    fn seen_through(
        &self,
        mut term: Term,
        mut wanted: Option<Signedness>,
    ) -> (Term, Option<Signedness>, Option<Signedness>) {
        loop {
            if let Some(reading) = wanted.filter(|&wanted| self.needs_cast(term, wanted)) {
                return (term, wanted, Some(reading));
            }
            (term, wanted) = match self.store.node(term) {
                Node::ZeroExtend(_, a) => (a, Some(Signedness::Unsigned)),
                Node::SignExtend(_, a) => (a, Some(Signedness::Signed)),
                Node::Choose(condition, yes, no)
                    if self.store.constant(yes) == Some(1) && self.store.constant(no) == Some(0) =>
                {
                    (condition, None)
                }
                _ => return (term, wanted, None),
            };
        }
    }

    /// Where C reads the bits otherwise, or computes more of them: what is narrower than `int` is computed as `int`.
    fn needs_cast(&self, term: Term, wanted: Signedness) -> bool {
        let narrow = matches!(self.store.node(term), Node::Binary(..)) && self.store.width(term) < 32;
        narrow || self.reading(term).is_some_and(|reading| reading != wanted)
    }
}

/// The type of C that has these bits.
fn type_name(width: u32, signedness: Signedness) -> String {
    let name = match (width, signedness) {
        (8, Signedness::Signed) => "signed char",
        (8, Signedness::Unsigned) => "unsigned char",
        (16, Signedness::Signed) => "short",
        (16, Signedness::Unsigned) => "unsigned short",
        (32, Signedness::Signed) => "int",
        (32, Signedness::Unsigned) => "unsigned",
        (64, Signedness::Signed) => "long long",
        (64, Signedness::Unsigned) => "unsigned long long",
        (128, Signedness::Signed) => "__int128",
        (128, Signedness::Unsigned) => "unsigned __int128",
        (_, Signedness::Signed) => return format!("_BitInt({width})"),
        (_, Signedness::Unsigned) => return format!("unsigned _BitInt({width})"),
    };
    name.to_owned()
}
