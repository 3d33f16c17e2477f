//! Floating-point numbers: which terms are some, and what C writes for them.
//!
//! An equality of bits is printed as C's `==`, which takes zero and minus zero for the same: nobody wants to read the bits.

use super::super::float::{FloatFunction, FloatOperator, FloatRelation, Format, Rounding};
use super::super::{Node, Sort, Term};
use super::shape::{Shape, infix, prefix, word};
use super::{Piece, Precedence as P, Printer, parenthesised, type_name};

impl Printer<'_> {
    /// Whether a term is a floating-point number, as far as its top says.
    pub(super) fn is_float(&self, term: Term) -> bool {
        match self.store.node(term) {
            Node::FloatBinary(..) => true,
            Node::FloatUnary(function, _) => !matches!(function, FloatFunction::ToInteger(..)),
            Node::Symbol(_) | Node::Select(..) => {
                matches!(self.store.sort(term), Sort::Bits(32 | 64)) && self.names.is_float(term)
            }
            _ => false,
        }
    }

    /// The pieces of a floating-point number.
    pub(super) fn float_pieces(&self, term: Term, at_least: P) -> Vec<Piece> {
        let (precedence, pieces) = self.float_shape(term);
        if precedence < at_least { parenthesised(pieces) } else { pieces }
    }

    fn float_shape(&self, term: Term) -> Shape {
        if let Some(x) = self.store.as_float_negation(term) {
            return prefix("-", number(x, P::Primary));
        }
        if let Some(x) = self.store.as_float_magnitude(term) {
            return call("fabs", x);
        }
        match self.store.node(term) {
            Node::Bits(width, bits) => constant(Format::of_width(width), bits),
            Node::Choose(condition, yes, no) => {
                let pieces = vec![
                    Piece::term(condition, P::LogicalOr),
                    Piece::text(" ? "),
                    number(yes, P::Conditional),
                    Piece::text(" : "),
                    number(no, P::Conditional),
                ];
                (P::Conditional, pieces)
            }
            Node::Symbol(_) | Node::Select(..) | Node::FloatBinary(..) | Node::FloatUnary(..) => {
                self.shape(term, None)
            }
            _ => {
                let name = format!("__builtin_bit_cast({}, ", name(self.store.width(term)));
                (P::Primary, vec![Piece::Text(name), Piece::term(term, P::Lowest), Piece::text(")")])
            }
        }
    }
}

fn number(term: Term, at_least: P) -> Piece {
    Piece::Float { term, at_least }
}

fn call(function: &str, argument: Term) -> Shape {
    let name = Piece::Text(format!("{function}("));
    (P::Primary, vec![name, number(argument, P::Lowest), Piece::text(")")])
}

fn name(width: u32) -> &'static str {
    if width == 32 { "float" } else { "double" }
}

fn constant(format: Format, bits: u128) -> Shape {
    let value = format.decode(bits);
    let sign = if value.is_sign_negative() && !value.is_nan() { "-" } else { "" };
    let text = match format {
        _ if value.is_nan() => "NAN".to_owned(),
        _ if value.is_infinite() => "INFINITY".to_owned(),
        Format::Single => format!("{:?}f", value.abs() as f32),
        Format::Double => format!("{:?}", value.abs()),
    };
    if sign.is_empty() { word(text) } else { prefix(sign, Piece::Text(text)) }
}

pub(super) fn float_binary(operator: FloatOperator, a: Term, b: Term) -> Shape {
    let (precedence, text) = match operator {
        FloatOperator::Add => (P::Sum, "+"),
        FloatOperator::Subtract => (P::Sum, "-"),
        FloatOperator::Multiply => (P::Product, "*"),
        FloatOperator::Divide => (P::Product, "/"),
    };
    // Sums of such numbers are not associative.
    infix(precedence, number(a, precedence), text, number(b, precedence.tighter()))
}

pub(super) fn relation_of(relation: FloatRelation, a: Term, b: Term) -> Shape {
    let (precedence, text) = match relation {
        FloatRelation::Equal if a == b => {
            let (_, isnan) = call("isnan", a);
            return (P::Unary, [Piece::text("!")].into_iter().chain(isnan).collect());
        }
        FloatRelation::Equal => (P::Equality, "=="),
        FloatRelation::Less => (P::Relation, "<"),
        FloatRelation::LessEqual => (P::Relation, "<="),
    };
    infix(precedence, number(a, precedence.tighter()), text, number(b, precedence.tighter()))
}

/// Where the negation of `==` is meant.
pub(super) fn unequal(a: Term, b: Term) -> Shape {
    if a == b {
        return call("isnan", a);
    }
    let tighter = P::Equality.tighter();
    infix(P::Equality, number(a, tighter), "!=", number(b, tighter))
}

pub(super) fn float_function(function: FloatFunction, a: Term) -> Shape {
    let cast = |name: &str, operand| prefix(format!("({name})"), operand);
    match function {
        FloatFunction::SquareRoot => call("sqrt", a),
        FloatFunction::Integral(rounding) => call(rounding_name(rounding), a),
        FloatFunction::Resize(to) => cast(name(to), number(a, P::Unary)),
        FloatFunction::ToInteger(signedness, to) => cast(&type_name(to, signedness), number(a, P::Unary)),
        FloatFunction::FromInteger(signedness, to) => cast(name(to), Piece::read_as(a, P::Unary, signedness)),
    }
}

fn rounding_name(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::Down => "floor",
        Rounding::Up => "ceil",
        Rounding::TowardsZero => "trunc",
        Rounding::TiesToEven => "rint",
        Rounding::TiesAway => "round",
    }
}
