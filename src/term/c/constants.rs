//! Constants, and how C reads the bits of a term.

use super::super::arithmetic::to_signed;
use super::super::float::FloatFunction;
use super::super::{Node, Operator, Signedness, Term};
use super::Printer;

/// How far down the reading of an operation is looked for.
const DEPTH: u32 = 4;

/// Numbers from this on are printed in base sixteen where they are unsigned.
const LARGE: u128 = 1 << 20;

impl Printer<'_> {
    /// How C reads the bits of a term; none where both readings give the same text or value.
    pub(super) fn reading(&self, term: Term) -> Option<Signedness> {
        self.reading_to(term, DEPTH)
    }

    fn reading_to(&self, term: Term, depth: u32) -> Option<Signedness> {
        use Operator as O;
        match self.store.node(term) {
            Node::Symbol(_) | Node::Select(..) => Some(self.declared(term)),
            Node::SignExtend(..) => Some(Signedness::Signed),
            Node::FloatUnary(FloatFunction::ToInteger(signedness, _), _) => Some(signedness),
            Node::Binary(O::UnsignedDivide | O::UnsignedRemainder | O::ShiftRight, ..) => {
                Some(Signedness::Unsigned)
            }
            Node::Binary(O::SignedDivide | O::SignedRemainder | O::ShiftRightSigned, ..) => {
                Some(Signedness::Signed)
            }
            Node::Binary(O::ShiftLeft, a, _) if depth > 0 => self.reading_to(a, depth - 1),
            Node::Binary(_, a, b) | Node::Choose(_, a, b) if depth > 0 => {
                self.common_reading(a, b, depth - 1)
            }
            Node::Binary(..) | Node::Choose(..) => Some(Signedness::Signed),
            Node::Concatenate(..) => Some(Signedness::Unsigned),
            _ => None,
        }
    }

    /// One unsigned operand makes an operation of C unsigned.
    fn common_reading(&self, a: Term, b: Term, depth: u32) -> Option<Signedness> {
        match (self.reading_to(a, depth), self.reading_to(b, depth)) {
            (Some(Signedness::Unsigned), _) | (_, Some(Signedness::Unsigned)) => Some(Signedness::Unsigned),
            (Some(Signedness::Signed), _) | (_, Some(Signedness::Signed)) => Some(Signedness::Signed),
            (None, None) => None,
        }
    }

    fn declared(&self, term: Term) -> Signedness {
        match self.names.signed(term) {
            Some(false) => Signedness::Unsigned,
            _ => Signedness::Signed,
        }
    }

    /// A constant, as it is written next to terms of this reading.
    pub(super) fn constant(&self, width: u32, value: u128, wanted: Option<Signedness>) -> String {
        if let Some(name) = self.names.constant(width, value) {
            return name;
        }
        let signed = to_signed(width, value);
        let small = signed.unsigned_abs() < LARGE;
        match wanted {
            // Small negative numbers are meant as such, whatever the type.
            Some(Signedness::Signed) => signed.to_string(),
            None if width > 1 && small => signed.to_string(),
            _ if value >= LARGE => format!("{value:#x}"),
            _ => value.to_string(),
        }
    }
}
