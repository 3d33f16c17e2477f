//! Addresses as C writes them: `g`, `a[i + 1].lock`, `p->next->data`, `*p`.
//!
//! An address is a sum. If one of its summands is a pointer whose type is known (a variable, or a cell of memory that is
//! itself such an expression), what it points to starts there; otherwise the constant says which object it is. The
//! rest of the sum leads through members and elements. All of this is for people: where types do not fit there is no
//! answer, and the printer falls back on the address itself.

use super::types::{Offset, Part};
use super::{Object, ObjectId, Program};
use crate::ground::index::Index;
use crate::ir::DebugTypeId;
use crate::term::arithmetic::{mask, to_signed};
use crate::term::{Node, Operator, Store, Term};

/// Text with terms in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// As it stands.
    Text(String),
    /// A term, to be printed as C.
    Term(Term),
}

/// An object of C or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lvalue {
    /// How C writes it.
    pub pieces: Vec<Piece>,
    /// Its type, if known.
    pub ty: Option<DebugTypeId>,
}

/// Pointers to pointers are followed no further than this.
const DEPTH: usize = 8;
/// Sums with more summands than this have no name.
const SUMMANDS: usize = 8;

/// A sum modulo `2^width`: a constant, and terms times numbers.
#[derive(Clone, Debug)]
struct Sum {
    constant: u128,
    terms: Vec<(Term, u128)>,
}

/// The address as a sum.
fn sum(store: &Store, address: Term) -> Option<Sum> {
    let all = mask(store.width(address));
    let mut sum = Sum { constant: 0, terms: Vec::new() };
    let mut stack = vec![(address, 1_u128)];
    while let Some((term, factor)) = stack.pop() {
        let constant = |term: Term| match store.node(term) {
            Node::Bits(_, value) => Some(value),
            _ => None,
        };
        match store.node(term) {
            Node::Bits(_, value) => {
                sum.constant = sum.constant.wrapping_add(value.wrapping_mul(factor)) & all
            }
            Node::Binary(Operator::Add, a, b) => stack.extend([(b, factor), (a, factor)]),
            Node::Binary(Operator::Subtract, a, b) => {
                stack.extend([(b, factor.wrapping_neg() & all), (a, factor)])
            }
            Node::Binary(Operator::Multiply, a, b) if constant(b).is_some() => {
                stack.push((a, factor.wrapping_mul(constant(b)?) & all));
            }
            Node::Binary(Operator::Multiply, a, b) if constant(a).is_some() => {
                stack.push((b, factor.wrapping_mul(constant(a)?) & all));
            }
            Node::Binary(Operator::ShiftLeft, a, b) if constant(b).is_some_and(|by| by < 64) => {
                stack.push((a, (factor << constant(b)?) & all));
            }
            _ => sum.terms.push((term, factor)),
        }
        if sum.terms.len() + stack.len() > SUMMANDS {
            return None;
        }
    }
    Some(sum)
}

impl Program {
    /// What lies at an address in memory: something of so many bits.
    #[must_use]
    pub fn lvalue(&self, address: Term, bits: Option<u64>) -> Option<Lvalue> {
        self.lvalue_within(address, bits, DEPTH)
    }

    fn lvalue_within(&self, address: Term, bits: Option<u64>, depth: usize) -> Option<Lvalue> {
        let mut sum = sum(&self.store, address)?;
        for position in 0..sum.terms.len() {
            let (term, factor) = sum.terms[position];
            if factor == 1
                && let Some((pointer, pointee)) = self.pointer(term, depth)
            {
                sum.terms.remove(position);
                return self.behind(pointer, pointee, &sum, bits);
            }
        }
        self.in_object(&sum, bits)
    }

    /// A pointer whose type is known, and what it points to.
    fn pointer(&self, term: Term, depth: usize) -> Option<(Vec<Piece>, DebugTypeId)> {
        match self.store.node(term) {
            Node::Symbol(symbol) => {
                let pointee = self.pointee(self.variables[symbol].ty?)?;
                Some((vec![Piece::Term(term)], pointee))
            }
            Node::Select(_, address) if depth > 0 => {
                let cell = self.lvalue_within(address, Some(u64::from(self.pointer_bits)), depth - 1)?;
                let pointee = self.pointee(cell.ty?)?;
                Some((in_parentheses(cell.pieces), pointee))
            }
            _ => None,
        }
    }

    /// What lies behind a pointer, so many bytes on.
    fn behind(
        &self,
        pointer: Vec<Piece>,
        pointee: DebugTypeId,
        sum: &Sum,
        bits: Option<u64>,
    ) -> Option<Lvalue> {
        let size = i128::from(self.size_in_bytes(pointee).filter(|&size| size > 0)?);
        let bytes = self.signed(sum.constant);
        let (element, rest) = (bytes.div_euclid(size), bytes.rem_euclid(size));
        let mut scaled = self.scaled(sum)?;
        let whole = scaled.iter().position(|&(_, scale)| i128::from(scale) == size * 8);
        let whole = whole.map(|position| scaled.remove(position).0);
        let offset = Offset { bits: u64::try_from(rest * 8).ok()?, scaled };
        let member = self.member(pointee, offset, bits)?;
        let mut pieces = pointer;
        let mut path = member.path.as_slice();
        match (element, whole, path.first()) {
            (0, None, Some(Part::Field(name))) => {
                pieces.push(Piece::Text(format!("->{name}")));
                path = &path[1..];
            }
            (0, None, None) => pieces.insert(0, Piece::Text("*".into())),
            (0, None, Some(_)) => {
                pieces.insert(0, Piece::Text("(*".into()));
                pieces.push(Piece::Text(")".into()));
            }
            _ => push_part(&mut pieces, &Part::Element(element, whole)),
        }
        path.iter().for_each(|part| push_part(&mut pieces, part));
        Some(Lvalue { pieces, ty: member.ty })
    }

    /// The part of an object that a sum with a constant leads to.
    fn in_object(&self, sum: &Sum, bits: Option<u64>) -> Option<Lvalue> {
        let (object, offset) = self.object_at(sum.constant)?;
        let scaled = self.scaled(sum)?;
        let mut pieces = vec![Piece::Text(object.name.clone())];
        if offset == 0 && scaled.is_empty() && bits == Some(object.size * 8) {
            return Some(Lvalue { pieces, ty: object.ty });
        }
        let member = self.member(object.ty?, Offset { bits: offset * 8, scaled }, bits)?;
        member.path.iter().for_each(|part| push_part(&mut pieces, part));
        Some(Lvalue { pieces, ty: member.ty })
    }

    /// Terms and how many bits they count for; nothing if one counts backwards.
    fn scaled(&self, sum: &Sum) -> Option<Vec<(Term, u64)>> {
        let scale = |factor: u128| u64::try_from(self.signed(factor) * 8).ok();
        sum.terms.iter().map(|&(term, factor)| Some((self.unextended(term), scale(factor)?))).collect()
    }

    /// An index without its extension to the width of an address, which C does not write.
    fn unextended(&self, term: Term) -> Term {
        match self.store.node(term) {
            Node::SignExtend(_, of) | Node::ZeroExtend(_, of) => of,
            _ => term,
        }
    }

    fn signed(&self, value: u128) -> i128 {
        to_signed(self.pointer_bits, value)
    }

    /// The object that an address lies in, and how many bytes from its start. The address just behind an object counts
    /// as part of it if no other object starts there.
    #[must_use]
    pub fn object_at(&self, address: u128) -> Option<(&Object, u64)> {
        let address = u64::try_from(address).ok()?;
        let (mut low, mut high) = (0, self.objects.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.objects[ObjectId::new(middle)].base <= address {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let object = &self.objects[ObjectId::new(low.checked_sub(1)?)];
        let offset = address - object.base;
        (offset <= object.size).then_some((object, offset))
    }
}

/// `*p` needs parentheses before `->` or `[`.
fn in_parentheses(mut pieces: Vec<Piece>) -> Vec<Piece> {
    if matches!(pieces.first(), Some(Piece::Text(text)) if text == "*") {
        pieces.insert(0, Piece::Text("(".into()));
        pieces.push(Piece::Text(")".into()));
    }
    pieces
}

fn push_part(pieces: &mut Vec<Piece>, part: &Part) {
    match part {
        Part::Field(name) => pieces.push(Piece::Text(format!(".{name}"))),
        Part::Element(number, None) => pieces.push(Piece::Text(format!("[{number}]"))),
        Part::Element(number, Some(term)) => {
            pieces.push(Piece::Text("[".into()));
            pieces.push(Piece::Term(*term));
            let rest = match number {
                0 => "]".into(),
                number if *number < 0 => format!(" - {}]", number.unsigned_abs()),
                number => format!(" + {number}]"),
            };
            pieces.push(Piece::Text(rest));
        }
    }
}
