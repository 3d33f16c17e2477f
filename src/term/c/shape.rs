//! The text of each kind of term.

use super::super::arithmetic::{least, mask, to_signed};
use super::super::float::FloatRelation;
use super::super::{Node, Operator, Signedness, Sort, Term};
use super::float::{float_binary, float_function, relation_of, unequal};
use super::{Piece, Precedence as P, Printer, type_name};

/// The precedence of the top, and the pieces.
pub(super) type Shape = (P, Vec<Piece>);

pub(super) fn infix(precedence: P, left: Piece, operator: &str, right: Piece) -> Shape {
    (precedence, vec![left, Piece::Text(format!(" {operator} ")), right])
}

pub(super) fn prefix(operator: impl Into<String>, operand: Piece) -> Shape {
    (P::Unary, vec![Piece::Text(operator.into()), operand])
}

pub(super) fn word(text: impl Into<String>) -> Shape {
    (P::Primary, vec![Piece::text(text)])
}

impl Printer<'_> {
    pub(super) fn shape(&self, term: Term, wanted: Option<Signedness>) -> Shape {
        match self.store.node(term) {
            Node::Symbol(symbol) => word(self.names.symbol(symbol)),
            Node::Boolean(value) => word(if value { "1" } else { "0" }),
            Node::Bits(width, value) => self.number(width, value, wanted),
            Node::Not(a) => self.negation(a),
            Node::And(a, b) => {
                infix(P::LogicalAnd, Piece::term(a, P::LogicalAnd), "&&", Piece::term(b, P::LogicalAnd))
            }
            Node::Or(a, b) => {
                infix(P::LogicalOr, Piece::term(a, P::LogicalOr), "||", Piece::term(b, P::LogicalOr))
            }
            Node::Equal(a, b) => self.equality(a, "==", b),
            Node::UnsignedLess(a, b) => self.order(Signedness::Unsigned, a, "<", b),
            Node::SignedLess(a, b) => self.order(Signedness::Signed, a, "<", b),
            Node::Choose(condition, yes, no) => self.choice(condition, yes, no, wanted),
            Node::Binary(operator, a, b) => self.binary(operator, a, b),
            Node::FloatBinary(operator, a, b) => float_binary(operator, a, b),
            Node::FloatCompare(relation, a, b) => relation_of(relation, a, b),
            Node::FloatUnary(function, a) => float_function(function, a),
            Node::Extract { low, width, of } => self.extraction(low, width, of, wanted),
            Node::Concatenate(high, low) => self.concatenation(term, high, low),
            Node::ZeroExtend(..) | Node::SignExtend(..) => unreachable!("extensions are seen through"),
            Node::Select(array, index) => self.element(array, index),
            Node::Store(array, index, element) => write(array, index, element),
            Node::Constant(_, element) => {
                (P::Primary, vec![Piece::text("{"), Piece::term(element, P::Lowest), Piece::text(", …}")])
            }
        }
    }

    fn number(&self, width: u32, value: u128, wanted: Option<Signedness>) -> Shape {
        let text = self.constant(width, value, wanted);
        let precedence = if text.starts_with(['-', '&']) { P::Unary } else { P::Primary };
        (precedence, vec![Piece::Text(text)])
    }

    fn negation(&self, a: Term) -> Shape {
        match self.store.node(a) {
            Node::Equal(x, y) => self.equality(x, "!=", y),
            Node::FloatCompare(FloatRelation::Equal, x, y) => unequal(x, y),
            Node::UnsignedLess(x, y) => self.order(Signedness::Unsigned, x, ">=", y),
            Node::SignedLess(x, y) => self.order(Signedness::Signed, x, ">=", y),
            _ => prefix("!", Piece::term(a, P::Unary)),
        }
    }

    /// Both sides are read as one of them is, so that `x == -1` where `x` is signed.
    fn equality(&self, a: Term, operator: &str, b: Term) -> Shape {
        let tighter = P::Equality.tighter();
        if self.is_float(a) || self.is_float(b) {
            let side = |term| Piece::Float { term, at_least: tighter };
            return infix(P::Equality, side(a), operator, side(b));
        }
        let narrow = |term| matches!(self.store.node(term), Node::Binary(..)) && self.store.width(term) < 32;
        let side = |term: Term, other: Term| match (self.store.node(term), self.reading(other)) {
            (Node::Boolean(_), _) => Piece::term(term, tighter),
            _ if self.is_bits(a) && (narrow(a) || narrow(b)) => {
                Piece::read_as(term, tighter, Signedness::Unsigned)
            }
            (Node::Bits(..), Some(reading)) => Piece::read_as(term, tighter, reading),
            _ => Piece::term(term, tighter),
        };
        infix(P::Equality, side(a, b), operator, side(b, a))
    }

    fn is_bits(&self, term: Term) -> bool {
        matches!(self.store.sort(term), Sort::Bits(_))
    }

    /// Of two numbers as wide as `int` or wider, one unsigned makes C compare both as such.
    fn order(&self, signedness: Signedness, a: Term, operator: &str, b: Term) -> Shape {
        let tighter = P::Relation.tighter();
        let read_as = |term| Piece::read_as(term, tighter, signedness);
        let constant = |term| self.store.constant(term).is_some();
        let converts = signedness == Signedness::Unsigned && self.store.width(a) >= 32;
        let (unsigned, signed) = (
            |term| self.reading(term) == Some(Signedness::Unsigned),
            |term| self.reading(term) == Some(Signedness::Signed),
        );
        let kept = |term| if constant(term) { read_as(term) } else { Piece::term(term, tighter) };
        let (left, right) = match converts {
            true if unsigned(a) || unsigned(b) => (kept(a), kept(b)),
            true if signed(a) => (read_as(a), kept(b)),
            _ => (read_as(a), read_as(b)),
        };
        infix(P::Relation, left, operator, right)
    }

    fn choice(&self, condition: Term, yes: Term, no: Term, wanted: Option<Signedness>) -> Shape {
        if (self.store.constant(yes), self.store.constant(no)) == (Some(0), Some(1)) {
            return self.negation(condition);
        }
        let arm = |term, at_least| Piece::Term { term, at_least, wanted };
        let pieces = vec![
            Piece::term(condition, P::LogicalOr),
            Piece::text(" ? "),
            arm(yes, P::Conditional),
            Piece::text(" : "),
            arm(no, P::Conditional),
        ];
        (P::Conditional, pieces)
    }

    fn binary(&self, operator: Operator, a: Term, b: Term) -> Shape {
        use Operator as O;
        use Signedness::{Signed, Unsigned};
        match operator {
            O::Add => self.sum(a, b),
            O::Subtract if self.store.constant(a) == Some(0) => prefix("-", Piece::term(b, P::Primary)),
            O::Subtract => infix(P::Sum, Piece::term(a, P::Sum), "-", Piece::term(b, P::Product)),
            O::Multiply => infix(P::Product, Piece::term(a, P::Product), "*", Piece::term(b, P::Unary)),
            O::UnsignedDivide => quotient(Unsigned, a, "/", b),
            O::SignedDivide => quotient(Signed, a, "/", b),
            O::UnsignedRemainder => quotient(Unsigned, a, "%", b),
            O::SignedRemainder => quotient(Signed, a, "%", b),
            O::ShiftLeft => infix(P::Shift, Piece::term(a, P::Shift), "<<", Piece::term(b, P::Sum)),
            O::ShiftRight => {
                infix(P::Shift, Piece::read_as(a, P::Shift, Unsigned), ">>", Piece::term(b, P::Sum))
            }
            O::ShiftRightSigned => {
                infix(P::Shift, Piece::read_as(a, P::Shift, Signed), ">>", Piece::term(b, P::Sum))
            }
            O::And => bitwise(P::And, a, "&", b),
            O::Or => bitwise(P::Or, a, "|", b),
            O::Xor if self.store.constant(b) == Some(mask(self.store.width(b))) => {
                prefix("~", Piece::term(a, P::Unary))
            }
            O::Xor => bitwise(P::Xor, a, "^", b),
        }
    }

    /// A negative constant is subtracted.
    fn sum(&self, a: Term, b: Term) -> Shape {
        let left = Piece::term(a, P::Sum);
        if let Node::Bits(width, value) = self.store.node(b)
            && to_signed(width, value) < 0
            && value != least(Signedness::Signed, width)
            && self.names.constant(width, value).is_none()
        {
            let amount = to_signed(width, value).unsigned_abs();
            return infix(P::Sum, left, "-", Piece::Text(amount.to_string()));
        }
        infix(P::Sum, left, "+", Piece::term(b, P::Sum))
    }

    /// A cast where a type has the width, else a shift and a mask.
    fn extraction(&self, low: u32, width: u32, of: Term, wanted: Option<Signedness>) -> Shape {
        let signed = wanted == Some(Signedness::Signed);
        if !matches!(width, 8 | 16 | 32 | 64 | 128) && (width == 1 || !signed) {
            return masked(low, width, of, signed);
        }
        let cast = format!("({})", type_name(width, wanted.unwrap_or(Signedness::Unsigned)));
        if low == 0 {
            return prefix(cast, Piece::term(of, P::Unary));
        }
        let shifted = Piece::read_as(of, P::Shift, Signedness::Unsigned);
        (P::Unary, vec![Piece::Text(format!("{cast}(")), shifted, Piece::Text(format!(" >> {low})"))])
    }

    fn concatenation(&self, whole: Term, high: Term, low: Term) -> Shape {
        let cast = format!("({})", type_name(self.store.width(whole), Signedness::Unsigned));
        let pieces = vec![
            Piece::Text(cast),
            Piece::read_as(high, P::Unary, Signedness::Unsigned),
            Piece::Text(format!(" << {} | ", self.store.width(low))),
            Piece::read_as(low, P::Or, Signedness::Unsigned),
        ];
        (P::Or, pieces)
    }

    fn element(&self, array: Term, index: Term) -> Shape {
        let named =
            self.store.as_symbol(array).and_then(|symbol| self.names.memory(symbol, index, self.store));
        match named {
            // Whatever its form is: `*p` binds less than a name, `p->lock` as a name does.
            Some(name) if name.starts_with(['*', '(', '&']) => (P::Unary, vec![Piece::Text(name)]),
            Some(name) => word(name),
            None => {
                let index = Piece::term(index, P::Lowest);
                (P::Primary, vec![Piece::term(array, P::Primary), Piece::text("["), index, Piece::text("]")])
            }
        }
    }
}

/// Some bits; a single one that is signed is zero or minus one, and has no type.
fn masked(low: u32, width: u32, of: Term, signed: bool) -> Shape {
    let bits =
        if low == 0 { Piece::term(of, P::And) } else { Piece::read_as(of, P::Shift, Signedness::Unsigned) };
    let shift = if low == 0 { String::new() } else { format!(" >> {low}") };
    let mask = mask(width);
    if signed {
        return (P::Unary, vec![Piece::text("-("), bits, Piece::Text(format!("{shift} & {mask})"))]);
    }
    (P::And, vec![bits, Piece::Text(format!("{shift} & {mask}"))])
}

fn quotient(signedness: Signedness, a: Term, operator: &str, b: Term) -> Shape {
    let side = |term, at_least| Piece::read_as(term, at_least, signedness);
    infix(P::Product, side(a, P::Product), operator, side(b, P::Unary))
}

fn bitwise(precedence: P, a: Term, operator: &str, b: Term) -> Shape {
    infix(precedence, Piece::term(a, precedence), operator, Piece::term(b, precedence))
}

fn write(array: Term, index: Term, element: Term) -> Shape {
    let pieces = vec![
        Piece::term(array, P::Primary),
        Piece::text("["),
        Piece::term(index, P::Lowest),
        Piece::text(" := "),
        Piece::term(element, P::Lowest),
        Piece::text("]"),
    ];
    (P::Primary, pieces)
}
