//! All terms of two variables of two bits, to depth two.
//!
//! A term has a table: its value for each of the sixteen assignments. The tables of what the store builds are computed from
//! its nodes; those expected come from the tables of the operands by arithmetic on bits.

use crate::ground::index::Index as _;
use crate::term::arithmetic::{apply, from_signed, less, mask, to_signed};
use crate::term::reference::{self, OPERATORS};
use crate::term::{Node, Operator, Signedness, Sort, Store, Term};
use std::collections::BTreeSet;

type Table = [u8; 16];

const ORDERS: [Signedness; 2] = [Signedness::Signed, Signedness::Unsigned];

struct Tables {
    store: Store,
    tables: Vec<Table>,
    /// Results of operators on two bits by arithmetic on bits: operator, left, right.
    operators: Vec<[[u8; 4]; 4]>,
}

fn zip(a: Table, b: Table, f: impl Fn(u8, u8) -> u8) -> Table {
    std::array::from_fn(|at| f(a[at], b[at]))
}

impl Tables {
    fn new() -> Self {
        let entry = |operator, a, b| reference::binary(operator, 2, a as u128, b as u128) as u8;
        let operators = OPERATORS
            .iter()
            .map(|&operator| std::array::from_fn(|a| std::array::from_fn(|b| entry(operator, a, b))))
            .collect();
        Self { store: Store::new(), tables: Vec::new(), operators }
    }

    fn table(&mut self, term: Term) -> Table {
        while self.tables.len() <= term.index() {
            let table = self.compute(Term::new(self.tables.len()));
            self.tables.push(table);
        }
        self.tables[term.index()]
    }

    fn compute(&self, term: Term) -> Table {
        let of = |term: Term| self.tables[term.index()];
        let width = |term: Term| self.store.width(term);
        let compare = |order, a: Term, b: Term| {
            zip(of(a), of(b), |x, y| u8::from(less(order, width(a), x.into(), y.into())))
        };
        match self.store.node(term) {
            Node::Symbol(symbol) => std::array::from_fn(|at| (at >> (2 * symbol.index()) & 3) as u8),
            Node::Boolean(value) => [u8::from(value); 16],
            Node::Bits(_, value) => [value as u8; 16],
            Node::Not(a) => of(a).map(|x| 1 - x),
            Node::And(a, b) => zip(of(a), of(b), |x, y| x & y),
            Node::Or(a, b) => zip(of(a), of(b), |x, y| x | y),
            Node::Equal(a, b) => zip(of(a), of(b), |x, y| u8::from(x == y)),
            Node::UnsignedLess(a, b) => compare(Signedness::Unsigned, a, b),
            Node::SignedLess(a, b) => compare(Signedness::Signed, a, b),
            Node::Choose(c, a, b) => choose(of(c), of(a), of(b)),
            Node::Binary(operator, a, b) => {
                zip(of(a), of(b), |x, y| apply(operator, width(a), x.into(), y.into()) as u8)
            }
            Node::Extract { low, width, of: a } => of(a).map(|x| x >> low & mask(width) as u8),
            Node::Concatenate(a, b) => zip(of(a), of(b), |x, y| x << width(b) | y),
            Node::ZeroExtend(_, a) => of(a),
            Node::SignExtend(to, a) => of(a).map(|x| from_signed(to, to_signed(width(a), x.into())) as u8),
            other => panic!("{other:?} has no table"),
        }
    }

    fn check(&mut self, term: Term, expected: Table, what: &str, operands: &[Term]) {
        let found = self.table(term);
        if found != expected {
            let shown: Vec<_> = operands.iter().map(|&operand| (operand, self.store.node(operand))).collect();
            panic!("{what} of {shown:?} became {:?}\n{expected:?}\n{found:?}", self.store.node(term));
        }
    }

    fn binaries(&mut self, left: &[Term], right: &[Term]) -> BTreeSet<Term> {
        let mut built = BTreeSet::new();
        for &a in left {
            for &b in right {
                let (x, y) = (self.table(a), self.table(b));
                for (number, operator) in OPERATORS.into_iter().enumerate() {
                    let results = self.operators[number];
                    let term = self.store.binary(operator, a, b);
                    let expected = zip(x, y, |x, y| results[x as usize][y as usize]);
                    self.check(term, expected, &format!("{operator:?}"), &[a, b]);
                    built.insert(term);
                }
            }
        }
        built
    }

    fn comparisons(&mut self, left: &[Term], right: &[Term]) -> BTreeSet<Term> {
        let mut built = BTreeSet::new();
        for &a in left {
            for &b in right {
                let (x, y, width) = (self.table(a), self.table(b), self.store.width(a));
                let term = self.store.equal(a, b);
                self.check(term, zip(x, y, |x, y| u8::from(x == y)), "equality", &[a, b]);
                built.insert(term);
                for order in ORDERS {
                    let term = self.store.less(order, a, b);
                    let expected =
                        zip(x, y, |x, y| u8::from(reference::less(order, width, x.into(), y.into())));
                    self.check(term, expected, &format!("{order:?} order"), &[a, b]);
                    built.insert(term);
                }
            }
        }
        built
    }

    fn junctions(&mut self, left: &[Term], right: &[Term]) -> BTreeSet<Term> {
        let mut built = BTreeSet::new();
        for &a in left {
            for &b in right {
                let (x, y) = (self.table(a), self.table(b));
                let and = self.store.and(a, b);
                self.check(and, zip(x, y, |x, y| x & y), "conjunction", &[a, b]);
                let or = self.store.or(a, b);
                self.check(or, zip(x, y, |x, y| x | y), "disjunction", &[a, b]);
                let equal = self.store.equal(a, b);
                self.check(equal, zip(x, y, |x, y| u8::from(x == y)), "equality", &[a, b]);
                let neither = self.store.not(or);
                self.check(neither, zip(x, y, |x, y| 1 - (x | y)), "neither", &[a, b]);
                built.extend([and, or, equal, neither]);
            }
        }
        built
    }

    fn choices(&mut self, conditions: &[Term], yes: &[Term], no: &[Term]) -> BTreeSet<Term> {
        let mut built = BTreeSet::new();
        for &c in conditions {
            for &a in yes {
                for &b in no {
                    let expected = choose(self.table(c), self.table(a), self.table(b));
                    let term = self.store.choose(c, a, b);
                    self.check(term, expected, "choice", &[c, a, b]);
                    built.insert(term);
                }
            }
        }
        built
    }

    /// Bits, extensions to four bits, and concatenations of two bits.
    fn resized(&mut self, terms: &[Term]) -> (BTreeSet<Term>, BTreeSet<Term>) {
        let (mut single, mut wide) = (BTreeSet::new(), BTreeSet::new());
        for &a in terms {
            let (x, width) = (self.table(a), self.store.width(a));
            for low in 0..width {
                let bit = self.store.extract(low, 1, a);
                self.check(bit, x.map(|x| x >> low & 1), "extraction", &[a]);
                single.insert(bit);
            }
            let zeros = self.store.zero_extend(4, a);
            self.check(zeros, x, "extension by zeros", &[a]);
            let signs = self.store.sign_extend(4, a);
            let expected = x.map(|x| if x >> (width - 1) == 1 { x | (15 << width & 15) } else { x });
            self.check(signs, expected, "extension by signs", &[a]);
            wide.extend([zeros, signs]);
        }
        (single, wide)
    }

    fn concatenations(&mut self, left: &[Term], right: &[Term]) -> BTreeSet<Term> {
        let mut built = BTreeSet::new();
        for &a in left {
            for &b in right {
                let (x, y, width) = (self.table(a), self.table(b), self.store.width(b));
                let term = self.store.concatenate(a, b);
                self.check(term, zip(x, y, |x, y| x << width | y), "concatenation", &[a, b]);
                built.insert(term);
            }
        }
        built
    }

    fn slices(&mut self, terms: &[Term]) {
        for &a in terms {
            let x = self.table(a);
            for width in 1..=self.store.width(a) {
                for low in 0..=self.store.width(a) - width {
                    let part = self.store.extract(low, width, a);
                    self.check(part, x.map(|x| x >> low & mask(width) as u8), "extraction", &[a]);
                }
            }
        }
    }
}

fn choose(c: Table, a: Table, b: Table) -> Table {
    std::array::from_fn(|at| if c[at] == 1 { a[at] } else { b[at] })
}

fn listed(terms: BTreeSet<Term>) -> Vec<Term> {
    terms.into_iter().collect()
}

fn leaves(tables: &mut Tables) -> Vec<Term> {
    let symbols = ["x", "y"].map(|name| tables.store.fresh(name, Sort::Bits(2)));
    let mut leaves: Vec<Term> = symbols.into_iter().map(|symbol| tables.store.symbol(symbol)).collect();
    leaves.extend((0..4).map(|value| tables.store.bits(2, value)));
    leaves
}

#[test]
fn two_variables_of_two_bits() {
    let mut tables = Tables::new();
    let leaves = leaves(&mut tables);
    let truths = listed(tables.comparisons(&leaves, &leaves));
    let mut first = tables.binaries(&leaves, &leaves);
    first.extend(tables.choices(&truths, &leaves, &leaves));
    first.extend(leaves.iter().copied());
    let first = listed(first);
    assert!(first.len() > 150 && truths.len() > 20, "{} {}", first.len(), truths.len());
    tables.binaries(&first, &first);
    tables.comparisons(&first, &first);
    let second = listed(tables.junctions(&truths, &truths));
    tables.junctions(&second, &truths);
    tables.choices(&truths, &first, &leaves);
    tables.choices(&truths, &leaves, &first);
    tables.choices(&truths, &truths, &truths);
    assert!(tables.store.len() > 100_000, "{}", tables.store.len());
}

#[test]
fn two_bits_resized() {
    let mut tables = Tables::new();
    let leaves = leaves(&mut tables);
    let mut first = tables.binaries(&leaves, &leaves);
    first.extend(leaves.iter().copied());
    let first = listed(first);
    let (single, wide) = tables.resized(&first);
    let (single, mut wide) = (listed(single), listed(wide));
    wide.extend(tables.concatenations(&first, &leaves));
    wide.extend(tables.concatenations(&leaves, &first));
    tables.concatenations(&single, &single);
    tables.slices(&wide);
    let few: Vec<Term> = wide.iter().copied().step_by(wide.len() / 250 + 1).collect();
    tables.comparisons(&few, &few);
    let constants: Vec<Term> = (0..16).map(|value| tables.store.bits(4, value)).collect();
    tables.comparisons(&wide, &constants);
    tables.comparisons(&constants, &wide);
    tables.resized(&single);
    sums_of_wide_terms_sliced(&mut tables, &few, &constants);
}

fn sums_of_wide_terms_sliced(tables: &mut Tables, wide: &[Term], constants: &[Term]) {
    for &a in wide {
        for &b in constants {
            for operator in
                [Operator::Add, Operator::And, Operator::ShiftLeft, Operator::ShiftRight, Operator::Multiply]
            {
                let expected = zip(tables.table(a), tables.table(b), |x, y| {
                    reference::binary(operator, 4, x.into(), y.into()) as u8
                });
                let term = tables.store.binary(operator, a, b);
                tables.check(term, expected, &format!("{operator:?}"), &[a, b]);
                tables.slices(&[term]);
            }
        }
    }
}
