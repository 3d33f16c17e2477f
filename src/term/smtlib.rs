//! Printing terms as SMT-LIB 2.
//!
//! A script declares the symbols, defines every term that is used more than once by a `define-fun` of its own, and asserts.
//! Its length is linear in the number of different terms. Names are quoted and made unique: two symbols of C may have one
//! name.

use super::float::{self, FloatFunction, FloatOperator, FloatRelation, Format, Rounding};
use super::{Node, Operator, Signedness, Sort, Store, Symbol, Term};
use crate::ground::index::Index as _;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A script that asks whether these truth values have a model: declarations, definitions, assertions, `(check-sat)`.
#[must_use]
pub fn script(store: &Store, assertions: &[Term]) -> String {
    let order = store.reachable(assertions);
    let mut printer = Printer::new(store, &order, assertions);
    let mut text = format!("(set-logic {})\n", logic(store, &order));
    for (symbol, name) in &printer.names {
        let sort = sort(store.sort_of_symbol(*symbol));
        writeln!(text, "(declare-const {name} {sort})").expect("strings grow");
    }
    for &term in &order {
        printer.define(term, &mut text);
    }
    for assertion in assertions {
        writeln!(text, "(assert {})", printer.text(*assertion)).expect("strings grow");
    }
    text.push_str("(check-sat)\n");
    text
}

/// Constant arrays are an extension that solvers know, but not by the name of the standard's logic; nor are the bits of
/// floating-point numbers.
fn logic(store: &Store, terms: &[Term]) -> &'static str {
    let other = |&term: &Term| {
        use Node as N;
        matches!(
            store.node(term),
            N::Constant(..) | N::FloatBinary(..) | N::FloatCompare(..) | N::FloatUnary(..)
        )
    };
    if terms.iter().any(other) { "ALL" } else { "QF_ABV" }
}

/// A sort.
#[must_use]
pub fn sort(sort: Sort) -> String {
    match sort {
        Sort::Boolean => "Bool".to_owned(),
        Sort::Bits(width) => format!("(_ BitVec {width})"),
        Sort::Array { index, element } => format!("(Array (_ BitVec {index}) (_ BitVec {element}))"),
    }
}

struct Printer<'a> {
    store: &'a Store,
    names: BTreeMap<Symbol, String>,
    uses: FxHashMap<Term, u32>,
    /// Texts that are still to be used, each once; names of definitions.
    texts: FxHashMap<Term, String>,
}

/// Texts longer than this are defined, even if they are used once: without it, deep terms would be copied at each level.
const LONG: usize = 200;

impl<'a> Printer<'a> {
    fn new(store: &'a Store, order: &[Term], roots: &[Term]) -> Self {
        let symbols = order.iter().filter_map(|&term| store.as_symbol(term));
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        let operands = order.iter().flat_map(|&term| store.node(term).operands());
        operands.chain(roots.iter().copied()).for_each(|term| *uses.entry(term).or_default() += 1);
        Self { store, names: unique_names(store, symbols), uses, texts: FxHashMap::default() }
    }

    /// Keeps the text of a term, or its name if it is defined here.
    fn define(&mut self, term: Term, script: &mut String) {
        let text = self.shape(term);
        let leaf = self.store.node(term).operands().next().is_none();
        let shared = !leaf && (self.uses[&term] > 1 || text.len() > LONG);
        if shared {
            let sort = sort(self.store.sort(term));
            writeln!(script, "(define-fun t!{} () {sort} {text})", term.index()).expect("strings grow");
        }
        let text = if shared { format!("t!{}", term.index()) } else { text };
        self.texts.insert(term, text);
    }

    fn text(&self, term: Term) -> &str {
        &self.texts[&term]
    }

    fn shape(&self, term: Term) -> String {
        if let Some(symbol) = self.store.as_symbol(term) {
            return self.names[&symbol].clone();
        }
        let operands: Vec<&str> =
            self.store.node(term).operands().map(|operand| self.text(operand)).collect();
        application(self.store, term, &operands)
    }
}

/// A term with these texts as its operands; the name of a symbol as it stands.
#[must_use]
pub fn application(store: &Store, term: Term, operands: &[&str]) -> String {
    match (store.node(term), operands) {
        (_, []) => operator(store, term),
        (Node::FloatBinary(operator, a, _), [x, y]) => {
            let format = Format::of_width(store.width(a));
            let result =
                format!("({} RNE {} {})", float_word(operator), number(format, x), number(format, y));
            bits_of(format, &result)
        }
        (Node::FloatCompare(relation, a, _), [x, y]) => {
            let format = Format::of_width(store.width(a));
            format!("({} {} {})", relation_word(relation), number(format, x), number(format, y))
        }
        (Node::FloatUnary(function, a), [x]) => float_function(function, store.width(a), x),
        _ => format!("({} {})", operator(store, term), operands.join(" ")),
    }
}

/// Bits as a floating-point number.
fn number(format: Format, bits: &str) -> String {
    format!("((_ to_fp {} {}) {bits})", format.exponent(), format.significand())
}

/// The bits of a floating-point number: an extension of Z3, where the standard only goes the other way.
fn bits_of(format: Format, number: &str) -> String {
    let nan = numeral(format.width(), format.nan());
    format!("(let ((f! {number})) (ite (fp.isNaN f!) {nan} (fp.to_ieee_bv f!)))")
}

fn float_function(function: FloatFunction, width: u32, x: &str) -> String {
    let to_fp = |format: Format| format!("(_ to_fp {} {})", format.exponent(), format.significand());
    match function {
        FloatFunction::FromInteger(signedness, to) => {
            let format = Format::of_width(to);
            let unsigned = if signedness == Signedness::Unsigned { "to_fp_unsigned" } else { "to_fp" };
            let name = to_fp(format).replace("to_fp", unsigned);
            format!("(fp.to_ieee_bv ({name} RNE {x}))")
        }
        FloatFunction::ToInteger(signedness, to) => {
            let format = Format::of_width(width);
            let range = float::range(format, signedness, to);
            let bound = |bits| number(format, &numeral(width, bits));
            let above = if range.low_fits { "fp.leq" } else { "fp.lt" };
            let word = if signedness == Signedness::Signed { "fp.to_sbv" } else { "fp.to_ubv" };
            let fits = format!("(and ({above} {} f!) (fp.lt f! {}))", bound(range.low), bound(range.high));
            let zero = numeral(to, 0);
            format!("(let ((f! {})) (ite {fits} ((_ {word} {to}) RTZ f!) {zero}))", number(format, x))
        }
        FloatFunction::SquareRoot | FloatFunction::Integral(_) | FloatFunction::Resize(_) => {
            let (from, to) = (Format::of_width(width), Format::of_width(function.width(width)));
            let word = match function {
                FloatFunction::SquareRoot => "fp.sqrt RNE".to_owned(),
                FloatFunction::Integral(rounding) => {
                    format!("fp.roundToIntegral {}", rounding_word(rounding))
                }
                _ => format!("{} RNE", to_fp(to)),
            };
            bits_of(to, &format!("({word} {})", number(from, x)))
        }
    }
}

fn float_word(operator: FloatOperator) -> &'static str {
    match operator {
        FloatOperator::Add => "fp.add",
        FloatOperator::Subtract => "fp.sub",
        FloatOperator::Multiply => "fp.mul",
        FloatOperator::Divide => "fp.div",
    }
}

fn relation_word(relation: FloatRelation) -> &'static str {
    match relation {
        FloatRelation::Equal => "fp.eq",
        FloatRelation::Less => "fp.lt",
        FloatRelation::LessEqual => "fp.leq",
    }
}

fn rounding_word(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::Down => "RTN",
        Rounding::Up => "RTP",
        Rounding::TowardsZero => "RTZ",
        Rounding::TiesToEven => "RNE",
        Rounding::TiesAway => "RNA",
    }
}

/// The operator of a term that has operands and no floating-point numbers; a constant itself; the name of a symbol as it stands.
fn operator(store: &Store, term: Term) -> String {
    match store.node(term) {
        Node::Symbol(symbol) => store.name(symbol).to_owned(),
        Node::Boolean(value) => value.to_string(),
        Node::Bits(width, value) => numeral(width, value),
        Node::Extract { low, width, .. } => format!("(_ extract {} {low})", low + width - 1),
        Node::ZeroExtend(width, a) => format!("(_ zero_extend {})", width - store.width(a)),
        Node::SignExtend(width, a) => format!("(_ sign_extend {})", width - store.width(a)),
        Node::Constant(..) => format!("(as const {})", sort(store.sort(term))),
        other => word(other).to_owned(),
    }
}

fn numeral(width: u32, value: u128) -> String {
    if width.is_multiple_of(4) {
        format!("#x{value:0digits$x}", digits = width as usize / 4)
    } else {
        format!("#b{value:0digits$b}", digits = width as usize)
    }
}

fn word(node: Node) -> &'static str {
    match node {
        Node::Not(_) => "not",
        Node::And(..) => "and",
        Node::Or(..) => "or",
        Node::Equal(..) => "=",
        Node::UnsignedLess(..) => "bvult",
        Node::SignedLess(..) => "bvslt",
        Node::Choose(..) => "ite",
        Node::Concatenate(..) => "concat",
        Node::Select(..) => "select",
        Node::Store(..) => "store",
        Node::Binary(operator, ..) => operator_word(operator),
        other => unreachable!("{other:?} is no word with operands"),
    }
}

fn operator_word(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "bvadd",
        Operator::Subtract => "bvsub",
        Operator::Multiply => "bvmul",
        Operator::UnsignedDivide => "bvudiv",
        Operator::SignedDivide => "bvsdiv",
        Operator::UnsignedRemainder => "bvurem",
        Operator::SignedRemainder => "bvsrem",
        Operator::ShiftLeft => "bvshl",
        Operator::ShiftRight => "bvlshr",
        Operator::ShiftRightSigned => "bvashr",
        Operator::And => "bvand",
        Operator::Or => "bvor",
        Operator::Xor => "bvxor",
    }
}

/// Quoted names: the symbol's own, and from the second of that name on, with its number.
fn unique_names(store: &Store, symbols: impl Iterator<Item = Symbol>) -> BTreeMap<Symbol, String> {
    let mut taken: FxHashMap<String, Symbol> = FxHashMap::default();
    let mut names = BTreeMap::new();
    for symbol in symbols {
        let plain = store.name(symbol).replace(['|', '\\'], "_");
        let mut name = format!("|{plain}|");
        while taken.contains_key(&name) || name.starts_with("|t!") {
            name = format!("|{}#{}|", name.trim_matches('|').trim_start_matches("t!"), symbol.index());
        }
        taken.insert(name.clone(), symbol);
        names.insert(symbol, name);
    }
    names
}
