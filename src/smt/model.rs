//! Models, as plain values.
//!
//! Z3 gives the value of an array as writes into a constant array, or as a table of a function. What has neither form is
//! not understood, and the answer that it came with is "unknown".

use super::translate::Tree;
use crate::term::evaluate::{ArrayValue, Assignment, Value};
use crate::term::float::Format;
use crate::term::{Sort, Store, Symbol, Term};
use std::rc::Rc;
use z3::DeclKind;
use z3::ast::{Array, Ast as _, BV, Dynamic};

/// Values of the symbols that a query mentions. Every other symbol may have any value, and is taken to be zero.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    values: Assignment,
}

impl Model {
    pub(super) fn new(values: Assignment) -> Self {
        Self { values }
    }

    /// The values that the solver chose.
    #[must_use]
    pub fn values(&self) -> &Assignment {
        &self.values
    }

    /// The value of a symbol.
    #[must_use]
    pub fn value(&self, store: &Store, symbol: Symbol) -> Value {
        self.values.get(&symbol).cloned().unwrap_or_else(|| Value::zero(store.sort_of_symbol(symbol)))
    }

    /// The value of a term.
    #[must_use]
    pub fn evaluate(&self, store: &Store, term: Term) -> Value {
        let symbols = store.free_symbols(term);
        let values: Assignment =
            symbols.into_iter().map(|symbol| (symbol, self.value(store, symbol))).collect();
        store.evaluate(term, &values).expect("every symbol has a value")
    }
}

/// Numbers that floating-point arithmetic treats in ways of their own: zeros, small and large ones, infinity, and none.
const CORNERS: [f64; 9] = [0.0, 1.0, f64::NAN, -1.0, f64::INFINITY, -0.0, 0.5, 1e10, f64::MIN_POSITIVE];

impl Model {
    /// A model in which all symbols that may be floating-point numbers are the same, and all others zero, if there is one. A solver
    /// may search long for what a look at a few numbers finds.
    pub(super) fn guessed(store: &Store, terms: &[Term]) -> Option<Self> {
        let terms_of = store.reachable(terms);
        let symbols: Vec<Symbol> = terms_of.into_iter().filter_map(|term| store.as_symbol(term)).collect();
        let value = |symbol: Symbol, corner: f64| match store.sort_of_symbol(symbol) {
            Sort::Bits(width @ (32 | 64)) => Value::Bits(Format::of_width(width).encode(corner)),
            sort => Value::zero(sort),
        };
        CORNERS.into_iter().find_map(|corner| {
            let values: Assignment = symbols.iter().map(|&symbol| (symbol, value(symbol, corner))).collect();
            let truths = store.evaluate_all(terms, &values).ok()?;
            truths.iter().all(Value::as_bool).then(|| Self::new(values))
        })
    }
}

/// The value of a constant in a model of Z3; none if it matters to nothing.
pub(super) fn read(model: &z3::Model, tree: &Tree) -> Result<Option<Value>, String> {
    let value = match tree {
        Tree::Bool(tree) => {
            model.get_const_interp(tree).map(|value| Ok(Value::Bool(value.as_bool() == Some(true))))
        }
        Tree::Number(_) => unreachable!("symbols are bit vectors"),
        Tree::Bits(tree) => model.get_const_interp(tree).map(|value| bits(&value).map(Value::Bits)),
        Tree::Array(tree) => model
            .get_const_interp(tree)
            .map(|value| array(model, tree, &value).map(|value| Value::Array(Rc::new(value)))),
    };
    value.transpose()
}

fn bits(value: &BV) -> Result<u128, String> {
    let width = value.get_size();
    let number = |value: &BV| {
        let number = value.as_u64();
        number.map(u128::from).ok_or_else(|| format!("the model has {value} for a bit vector"))
    };
    if width <= 64 {
        return number(value);
    }
    let (high, low) = (value.extract(width - 1, 64).simplify(), value.extract(63, 0).simplify());
    Ok(number(&high)? << 64 | number(&low)?)
}

fn element(value: &Dynamic) -> Result<u128, String> {
    let value = value.as_bv().ok_or_else(|| format!("the model has {value} in an array"))?;
    bits(&value)
}

fn array(model: &z3::Model, constant: &Array, value: &Array) -> Result<ArrayValue, String> {
    let mut writes = Vec::new();
    let mut rest = Dynamic::from(value.clone());
    loop {
        let operands = rest.children();
        match rest.safe_decl().map(|declaration| declaration.kind()) {
            Ok(DeclKind::STORE) => {
                writes.push((element(&operands[1])?, element(&operands[2])?));
                rest = operands[0].clone();
            }
            Ok(DeclKind::CONST_ARRAY) => {
                let mut array = ArrayValue::constant(element(&operands[0])?);
                writes.iter().rev().for_each(|&(index, element)| array.set(index, element));
                return Ok(array);
            }
            Ok(DeclKind::AS_ARRAY) if writes.is_empty() => return table(model, constant),
            _ => return Err(format!("the model has {rest} for an array")),
        }
    }
}

/// The value of an array that Z3 gives as the table of a function.
fn table(model: &z3::Model, constant: &Array) -> Result<ArrayValue, String> {
    let function = model.get_func_interp(&constant.decl()).ok_or("the model has an array without a table")?;
    let mut array = ArrayValue::constant(element(&function.get_else())?);
    for entry in function.get_entries() {
        array.set(element(&entry.get_args()[0])?, element(&entry.get_value())?);
    }
    Ok(array)
}
