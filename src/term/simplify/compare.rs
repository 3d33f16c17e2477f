//! Equality and order.
//!
//! A comparison with a constant is pushed down to the narrowest term that decides it: through sums, extensions and
//! choices. `c < x` becomes `!(x < c + 1)`, so that a bound has one form. Comparisons of extended terms become comparisons
//! of the terms.

use super::super::arithmetic::{from_signed, greatest, least, less, mask, to_signed};
use super::super::{Node, Operator, Signedness, Sort, Store, Term};
use super::STEPS;

/// What a choice on the way to an operand adds to a comparison.
enum Pending {
    And(Term),
    Or(Term),
}

impl Store {
    pub(in crate::term) fn simplify_equal(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.boolean(true);
        }
        let (a, b) = self.ordered(a, b);
        match self.sort(a) {
            Sort::Boolean => self.equal_boolean(a, b),
            Sort::Bits(_) => match self.constant(b) {
                Some(value) => self.equal_constant(a, value),
                None => self.equal_terms(a, b),
            },
            Sort::Array { .. } => self.intern(Node::Equal(a, b), Sort::Boolean),
        }
    }

    fn equal_boolean(&mut self, a: Term, b: Term) -> Term {
        match self.truth(b) {
            Some(true) => return a,
            Some(false) => return self.not(a),
            None => {}
        }
        let (x, y) = (self.literal(a), self.literal(b));
        if x.atom == y.atom {
            return self.boolean(x.positive == y.positive);
        }
        let (first, second) = self.ordered(x.atom, y.atom);
        let equal = self.intern(Node::Equal(first, second), Sort::Boolean);
        if x.positive == y.positive { equal } else { self.not(equal) }
    }

    /// `x == value`, where the term may be a constant after some steps.
    fn equal_constant(&mut self, mut x: Term, mut value: u128) -> Term {
        let mut pending = Vec::new();
        for _ in 0..STEPS {
            if let Some((inner, inner_value)) = self.equal_through(x, value) {
                (x, value) = (inner, inner_value);
            } else if let Some((step, inner)) = self.equal_through_choice(x, value) {
                pending.push(step);
                x = inner;
            } else {
                break;
            }
        }
        let equal = self.equal_constant_at_last(x, value);
        pending.into_iter().rev().fold(equal, |equal, step| match step {
            Pending::And(condition) => self.and(condition, equal),
            Pending::Or(condition) => self.or(condition, equal),
        })
    }

    /// A smaller term and a value such that one equality holds if and only if the other does.
    fn equal_through(&self, x: Term, value: u128) -> Option<(Term, u128)> {
        let all = mask(self.width(x));
        match self.node(x) {
            Node::Binary(Operator::Add, y, c) => Some((y, value.wrapping_sub(self.constant(c)?) & all)),
            Node::Binary(Operator::Subtract, c, y) => Some((y, self.constant(c)?.wrapping_sub(value) & all)),
            Node::Binary(Operator::Xor, y, c) => Some((y, value ^ self.constant(c)?)),
            Node::ZeroExtend(_, y) => (value <= mask(self.width(y))).then_some((y, value)),
            Node::SignExtend(width, y) => {
                let narrow = value & mask(self.width(y));
                let fits = from_signed(width, to_signed(self.width(y), narrow)) == value;
                fits.then_some((y, narrow))
            }
            Node::Concatenate(high, low) => {
                let width = self.width(low);
                (self.constant(high)? == value >> width).then_some((low, value & mask(width)))
            }
            _ => None,
        }
    }

    /// `(c ? k : y) == value`: `c || y == value` if `k` is the value, else `!c && y == value`.
    fn equal_through_choice(&mut self, x: Term, value: u128) -> Option<(Pending, Term)> {
        let Node::Choose(condition, yes, no) = self.node(x) else { return None };
        let negated = self.not(condition);
        let (taken, left, constant, other) = match (self.constant(yes), self.constant(no)) {
            (Some(yes), _) => (condition, negated, yes, no),
            (_, Some(no)) => (negated, condition, no, yes),
            (None, None) => return None,
        };
        Some((if constant == value { Pending::Or(taken) } else { Pending::And(left) }, other))
    }

    fn equal_constant_at_last(&mut self, x: Term, value: u128) -> Term {
        if let Some(constant) = self.constant(x) {
            return self.boolean(constant == value);
        }
        if self.never_equal(x, value) {
            return self.boolean(false);
        }
        match self.node(x) {
            Node::Binary(Operator::Subtract | Operator::Xor, y, z)
                if value == 0 && self.no_constants(y, z) =>
            {
                let (y, z) = self.ordered(y, z);
                return self.intern(Node::Equal(y, z), Sort::Boolean);
            }
            _ => {}
        }
        let width = self.width(x);
        if width == 1 && value == 0 {
            let set = self.equal_constant_at_last(x, 1);
            return self.not(set);
        }
        let value = self.bits(width, value);
        self.intern(Node::Equal(x, value), Sort::Boolean)
    }

    fn never_equal(&self, x: Term, value: u128) -> bool {
        match self.node(x) {
            // Values that do not fit were left by `equal_through`.
            Node::SignExtend(width, y) => {
                let narrow = to_signed(self.width(y), value & mask(self.width(y)));
                from_signed(width, narrow) != value
            }
            Node::Concatenate(high, low) => {
                self.constant(high).is_some_and(|high| high != value >> self.width(low))
            }
            _ => value > self.upper_bound(x),
        }
    }

    fn no_constants(&self, a: Term, b: Term) -> bool {
        self.constant(a).is_none() && self.constant(b).is_none()
    }

    fn equal_terms(&mut self, a: Term, b: Term) -> Term {
        if let Some((x, y)) = self.narrowed(a, b) {
            return self.simplify_equal(x, y);
        }
        match (self.node(a), self.node(b)) {
            (Node::Binary(Operator::Add, x, y), _) if x == b => self.is_zero(y),
            (Node::Binary(Operator::Add, x, y), _) if y == b => self.is_zero(x),
            (_, Node::Binary(Operator::Add, x, y)) if x == a => self.is_zero(y),
            (_, Node::Binary(Operator::Add, x, y)) if y == a => self.is_zero(x),
            _ => self.equal_sums(a, b),
        }
    }

    fn is_zero(&mut self, x: Term) -> Term {
        let zero = self.bits(self.width(x), 0);
        self.simplify_equal(x, zero)
    }

    /// `x + c == y + d`: the constants meet on one side, where their sum is not negative.
    fn equal_sums(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let ((x, c), (y, d)) = (self.offset(a), self.offset(b));
        let difference = c.wrapping_sub(d) & mask(width);
        if x == y {
            return self.boolean(difference == 0);
        }
        let (x, y) = if difference == least(Signedness::Signed, width) { self.ordered(x, y) } else { (x, y) };
        let (left, right) = if to_signed(width, difference) > 0 {
            (self.add_constant(x, difference), y)
        } else {
            (x, self.add_constant(y, difference.wrapping_neg()))
        };
        let (left, right) = self.ordered(left, right);
        self.intern(Node::Equal(left, right), Sort::Boolean)
    }

    /// Two extensions of one kind, as terms of the wider operand's width.
    fn narrowed(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        match (self.node(a), self.node(b)) {
            (Node::ZeroExtend(_, x), Node::ZeroExtend(_, y)) => {
                let width = self.width(x).max(self.width(y));
                Some((self.zero_extend(width, x), self.zero_extend(width, y)))
            }
            (Node::SignExtend(_, x), Node::SignExtend(_, y)) => {
                let width = self.width(x).max(self.width(y));
                Some((self.sign_extend(width, x), self.sign_extend(width, y)))
            }
            _ => None,
        }
    }

    pub(in crate::term) fn simplify_less(&mut self, signedness: Signedness, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if a == b {
            return self.boolean(false);
        }
        match (self.constant(a), self.constant(b)) {
            (Some(a), Some(b)) => self.boolean(less(signedness, width, a, b)),
            (Some(a), None) if a == greatest(signedness, width) => self.boolean(false),
            (Some(a), None) => {
                let at_most = self.less_constant(signedness, b, a.wrapping_add(1) & mask(width));
                self.not(at_most)
            }
            (None, Some(b)) => self.less_constant(signedness, a, b),
            (None, None) => self.less_terms(signedness, a, b),
        }
    }

    fn less_terms(&mut self, signedness: Signedness, a: Term, b: Term) -> Term {
        if let Some((x, y)) = self.narrowed(a, b) {
            // Extending by zeros leaves no negative number; extending by signs keeps both orders.
            let zeros = matches!(self.node(a), Node::ZeroExtend(..));
            return self.simplify_less(if zeros { Signedness::Unsigned } else { signedness }, x, y);
        }
        self.intern_less(signedness, a, b)
    }

    fn intern_less(&mut self, signedness: Signedness, a: Term, b: Term) -> Term {
        let node = match signedness {
            Signedness::Signed => Node::SignedLess(a, b),
            Signedness::Unsigned => Node::UnsignedLess(a, b),
        };
        self.intern(node, Sort::Boolean)
    }

    /// `x < bound`, where `x` is no constant.
    fn less_constant(&mut self, signedness: Signedness, x: Term, bound: u128) -> Term {
        let width = self.width(x);
        let (least, greatest) = (least(signedness, width), greatest(signedness, width));
        if let Some(value) = self.less_decided(signedness, x, bound) {
            self.boolean(value)
        } else if bound == least.wrapping_add(1) & mask(width) {
            self.equal_constant(x, least)
        } else if bound == greatest {
            let at_end = self.equal_constant(x, greatest);
            self.not(at_end)
        } else {
            self.less_through(signedness, x, bound)
        }
    }

    /// The value of `x < bound` where the range of `x` decides it.
    fn less_decided(&self, signedness: Signedness, x: Term, bound: u128) -> Option<bool> {
        let width = self.width(x);
        if bound == least(signedness, width) {
            return Some(false);
        }
        if let (Signedness::Signed, Node::SignExtend(_, y)) = (signedness, self.node(x)) {
            let (inner, bound) = (self.width(y), to_signed(width, bound));
            let end = |value| to_signed(inner, value);
            let (low, high) = (end(least(signedness, inner)), end(greatest(signedness, inner)));
            return if bound > high { Some(true) } else { (bound <= low).then_some(false) };
        }
        let highest = self.upper_bound(x);
        let never_negative = highest <= greatest(signedness, width);
        if never_negative && !less(signedness, width, 0, bound) {
            return Some(false);
        }
        (never_negative && highest < bound).then_some(true)
    }

    fn less_through(&mut self, signedness: Signedness, x: Term, bound: u128) -> Term {
        let width = self.width(x);
        match (self.node(x), signedness) {
            (Node::ZeroExtend(_, y), _) => self.less_constant(Signedness::Unsigned, y, bound),
            (Node::SignExtend(_, y), Signedness::Signed) => {
                self.less_constant(signedness, y, bound & mask(self.width(y)))
            }
            (Node::Choose(..), _) if self.constant_arms(x).is_some() => {
                let (condition, yes, no) = self.constant_arms(x).expect("just seen");
                let yes = self.boolean(less(signedness, width, yes, bound));
                let no = self.boolean(less(signedness, width, no, bound));
                self.choose(condition, yes, no)
            }
            _ => {
                let bound = self.bits(width, bound);
                self.intern_less(signedness, x, bound)
            }
        }
    }
}
