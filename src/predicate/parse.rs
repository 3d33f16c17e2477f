//! Predicates written in C: one line each, `main: i < 4` for a procedure, `global: locked == 0` for global variables.
//!
//! Variables, members and elements are found by their text: what the program reads somewhere, printed as C. So `dev->lock`
//! is known if the procedure mentions it, and no type needs to be understood twice. Operators are those of C with its
//! usual conversions, comparisons give truth values; `&&`, `||` and `!` only separate atoms, each of which becomes a
//! predicate. Operators are kept on a stack of our own: nothing here recurses.

use super::lexer::{Token, tokens};
use super::{Predicate, PredicateScope, scope_of};
use crate::program::names::ProgramNames;
use crate::program::reads::Walker;
use crate::program::{ProcedureId, Program, Scope};
use crate::term::c::Names;
use crate::term::{Node, Operator, Signedness, Sort, Store, Term};
use std::collections::BTreeMap;

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub text: String,
}

/// A value in the making.
#[derive(Clone, Copy)]
struct Value {
    term: Term,
    signedness: Signedness,
}

/// What texts of C stand for.
type Dictionary = BTreeMap<String, Value>;

/// The predicates of a text. Empty lines and lines that begin with `//` or `#` say nothing.
///
/// # Errors
/// All lines that are not understood.
pub fn parse(program: &mut Program, text: &str) -> Result<Vec<Predicate>, Vec<ParseError>> {
    let (mut found, mut errors): (Vec<Predicate>, Vec<ParseError>) = (Vec::new(), Vec::new());
    let mut known: BTreeMap<Option<ProcedureId>, Dictionary> = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with("//") || line.starts_with('#') {
            continue;
        }
        match parse_line(program, line, &mut known) {
            Ok(atoms) => {
                let reason = format!("given: {line}");
                for (term, scope) in atoms {
                    if !found.iter().any(|other| other.term == term && other.scope == scope) {
                        found.push(Predicate { term, scope, iteration: 0, reason: reason.clone() });
                    }
                }
            }
            Err(text) => errors.push(ParseError { line: number + 1, text }),
        }
    }
    if errors.is_empty() { Ok(found) } else { Err(errors) }
}

fn parse_line(
    program: &mut Program,
    line: &str,
    known: &mut BTreeMap<Option<ProcedureId>, Dictionary>,
) -> Result<Vec<(Term, PredicateScope)>, String> {
    let (place, expression) = line.split_once(':').ok_or("write `procedure: expression`, or `global: …`")?;
    let procedure = match place.trim() {
        "global" => None,
        name => {
            let names = ProgramNames::new(program);
            let id = program.procedures.ids().find(|&id| names.procedure(id) == name);
            Some(id.ok_or_else(|| format!("there is no procedure `{name}`"))?)
        }
    };
    let dictionary = known.entry(procedure).or_insert_with(|| dictionary(program, procedure));
    let mut parser = Parser {
        store: &mut program.store,
        dictionary,
        values: Vec::new(),
        operators: Vec::new(),
        atoms: Vec::new(),
    };
    parser.expression(&tokens(expression)?)?;
    let atoms = parser.atoms;
    let scoped = atoms.into_iter().map(|term| scope_of(program, term).map(|scope| (term, scope)));
    scoped.collect::<Option<Vec<_>>>().ok_or_else(|| "it mentions variables of several procedures".into())
}

/// What can be named in a procedure, or everywhere.
fn dictionary(program: &Program, procedure: Option<ProcedureId>) -> Dictionary {
    let names = ProgramNames::new(program);
    let sees = |scope: Scope| match scope {
        Scope::Global => true,
        Scope::Local(owner) => Some(owner) == procedure,
        Scope::Input => false,
    };
    let store = &program.store;
    let is_named = |term: Term| {
        store.reachable(&[term]).into_iter().all(|part| match store.node(part) {
            Node::Symbol(symbol) => sees(program.variables[symbol].scope),
            Node::Store(..) | Node::Choose(..) | Node::Constant(..) => false,
            _ => true,
        })
    };
    let procedures = program.procedures.enumerate().filter(|(id, _)| procedure.is_none_or(|it| it == *id));
    let edges = procedures.flat_map(|(_, it)| it.edges.iter());
    let mut terms: Vec<Term> =
        program.variables.ids().filter_map(|symbol| store.find_symbol(symbol)).collect();
    Walker::new().visit(store, edges.flat_map(|edge| edge.terms()), |term| {
        if matches!(store.node(term), Node::Select(..)) {
            terms.push(term);
        }
    });
    let mut found = Dictionary::new();
    for term in terms.into_iter().filter(|&term| is_named(term)) {
        let signedness = match names.signed(term) {
            Some(false) => Signedness::Unsigned,
            _ => Signedness::Signed,
        };
        let text: String = names.term(term).split_whitespace().collect();
        found.entry(text).or_insert(Value { term, signedness });
    }
    found
}

struct Parser<'a> {
    store: &'a mut Store,
    dictionary: &'a Dictionary,
    values: Vec<Value>,
    /// Operators whose right operands are not complete, with how tightly they bind; opening parentheses.
    operators: Vec<(&'static str, u8)>,
    atoms: Vec<Term>,
}

/// How tightly a binary operator binds.
fn precedence(symbol: &str) -> Option<u8> {
    Some(match symbol {
        "||" => 1,
        "&&" => 2,
        "|" => 3,
        "^" => 4,
        "&" => 5,
        "==" | "!=" => 6,
        "<" | ">" | "<=" | ">=" => 7,
        "<<" | ">>" => 8,
        "+" | "-" => 9,
        "*" | "/" | "%" => 10,
        _ => return None,
    })
}

/// Prefix operators bind more tightly than all others.
const PREFIX: u8 = 11;

impl Parser<'_> {
    /// Reads a whole expression; its atoms are noted.
    fn expression(&mut self, tokens: &[Token]) -> Result<(), String> {
        let mut operand = true;
        for token in tokens {
            operand = match token {
                Token::Number(value, unsigned) if operand => self.number(*value, *unsigned),
                Token::Lvalue(text) if operand => {
                    let value = self.dictionary.get(text);
                    self.values.push(*value.ok_or_else(|| format!("`{text}` is not read here"))?);
                    false
                }
                Token::Symbol("(") if operand => self.open("(", 0),
                Token::Symbol("!") if operand => self.open("!", PREFIX),
                Token::Symbol("~") if operand => self.open("~", PREFIX),
                Token::Symbol("-") if operand => self.open("negative", PREFIX),
                Token::Symbol(")") if !operand => self.close()?,
                Token::Symbol(symbol) if !operand => self.binary(symbol)?,
                other => return Err(format!("{other:?} does not belong here")),
            };
        }
        if operand {
            return Err("the expression ends too early".into());
        }
        self.reduce(0)?;
        if !self.operators.is_empty() {
            return Err("`(` without `)`".into());
        }
        if let Some(value) = self.values.pop() {
            self.atom(value);
        }
        Ok(())
    }

    fn number(&mut self, value: u128, unsigned: bool) -> bool {
        let width = if value < 1 << (31 + u32::from(unsigned)) { 32 } else { 64 };
        let signedness = if unsigned { Signedness::Unsigned } else { Signedness::Signed };
        let term = self.store.bits(width, value);
        self.values.push(Value { term, signedness });
        false
    }

    fn open(&mut self, symbol: &'static str, binds: u8) -> bool {
        self.operators.push((symbol, binds));
        true
    }

    fn close(&mut self) -> Result<bool, String> {
        self.reduce(1)?;
        match self.operators.pop() {
            Some(("(", _)) => Ok(false),
            _ => Err("`)` without `(`".into()),
        }
    }

    fn binary(&mut self, symbol: &'static str) -> Result<bool, String> {
        let binds = precedence(symbol).ok_or_else(|| format!("`{symbol}` does not belong here"))?;
        self.reduce(binds)?;
        Ok(self.open(symbol, binds))
    }

    /// Applies the operators on top that bind at least so tightly.
    fn reduce(&mut self, least: u8) -> Result<(), String> {
        while let Some(&(symbol, binds)) = self.operators.last() {
            if symbol == "(" || binds < least {
                break;
            }
            self.operators.pop();
            let right = self.values.pop().ok_or("an operand is missing")?;
            let value = if binds == PREFIX {
                self.prefix(symbol, right)?
            } else {
                let left = self.values.pop().ok_or("an operand is missing")?;
                self.apply(symbol, left, right)?
            };
            self.values.push(value);
        }
        Ok(())
    }

    fn is_truth(&self, value: Value) -> bool {
        self.store.sort(value.term) == Sort::Boolean
    }

    /// Notes an atom: a truth value, or that a number is not zero. Negation does not matter.
    fn atom(&mut self, value: Value) {
        let term = match self.store.sort(value.term) {
            Sort::Bits(_) => self.store.bits_to_bool(value.term),
            _ => value.term,
        };
        let term = match self.store.node(term) {
            Node::Not(positive) => positive,
            _ => term,
        };
        if self.store.truth(term).is_none() && !self.atoms.contains(&term) {
            self.atoms.push(term);
        }
    }

    fn prefix(&mut self, symbol: &str, right: Value) -> Result<Value, String> {
        if symbol == "!" {
            self.atom(right);
            let term = self.store.boolean(true);
            return Ok(Value { term, ..right });
        }
        let number = self.promoted(right)?;
        let term = match symbol {
            "~" => self.store.complement(number.term),
            _ => self.store.negate(number.term),
        };
        Ok(Value { term, ..number })
    }

    /// At least as wide as `int`.
    fn promoted(&mut self, value: Value) -> Result<Value, String> {
        match self.store.sort(value.term) {
            Sort::Boolean => {
                let term = self.store.bool_to_bits(32, value.term);
                Ok(Value { term, signedness: Signedness::Signed })
            }
            Sort::Bits(width) if width < 32 => {
                let term = self.widened(value, 32);
                Ok(Value { term, signedness: Signedness::Signed })
            }
            Sort::Bits(_) => Ok(value),
            Sort::Array { .. } => Err("memory as a whole is no number".into()),
        }
    }

    fn widened(&mut self, value: Value, width: u32) -> Term {
        match value.signedness {
            Signedness::Signed => self.store.sign_extend(width, value.term),
            Signedness::Unsigned => self.store.zero_extend(width, value.term),
        }
    }

    fn apply(&mut self, symbol: &str, left: Value, right: Value) -> Result<Value, String> {
        if matches!(symbol, "&&" | "||") {
            self.atom(left);
            self.atom(right);
            let term = self.store.boolean(true);
            return Ok(Value { term, ..left });
        }
        if matches!(symbol, "==" | "!=") && self.is_truth(left) && self.is_truth(right) {
            let term = self.store.equal(left.term, right.term);
            return Ok(Value { term, ..left });
        }
        let (left, right) = (self.promoted(left)?, self.promoted(right)?);
        let (left_width, right_width) = (self.store.width(left.term), self.store.width(right.term));
        let width = left_width.max(right_width);
        let unsigned = |value: Value, own: u32| own == width && value.signedness == Signedness::Unsigned;
        let signedness = match unsigned(left, left_width) || unsigned(right, right_width) {
            true => Signedness::Unsigned,
            false => Signedness::Signed,
        };
        let (a, b) = (self.widened(left, width), self.widened(right, width));
        // A shift has the sign of what is shifted.
        let shifts = if symbol == ">>" { left.signedness } else { signedness };
        let term = self.operation(symbol, shifts, a, b);
        Ok(Value { term, signedness })
    }

    fn operation(&mut self, symbol: &str, signedness: Signedness, a: Term, b: Term) -> Term {
        let signed = signedness == Signedness::Signed;
        let operator = match symbol {
            "==" => return self.store.equal(a, b),
            "!=" => return self.store.not_equal(a, b),
            "<" => return self.store.less(signedness, a, b),
            ">" => return self.store.greater(signedness, a, b),
            "<=" => return self.store.less_equal(signedness, a, b),
            ">=" => return self.store.greater_equal(signedness, a, b),
            "+" => Operator::Add,
            "-" => Operator::Subtract,
            "*" => Operator::Multiply,
            "/" if signed => Operator::SignedDivide,
            "/" => Operator::UnsignedDivide,
            "%" if signed => Operator::SignedRemainder,
            "%" => Operator::UnsignedRemainder,
            "<<" => Operator::ShiftLeft,
            ">>" if signed => Operator::ShiftRightSigned,
            ">>" => Operator::ShiftRight,
            "&" => Operator::And,
            "|" => Operator::Or,
            _ => Operator::Xor,
        };
        self.store.binary(operator, a, b)
    }
}
