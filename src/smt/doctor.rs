//! Whether the Z3 that is installed is one that works.
//!
//! The bindings are made from the header that is installed. Which versions the crate is right with was tried out: with
//! 4.8.12 this version of the crate is, while later ones report wrong kinds or crash. Models of arrays are read by kinds, so
//! the self-test asks for one.

use super::{Answer, Kind, Solver};
use crate::ground::limits::Limits;
use crate::term::{Operator, Sort, Store};

/// The versions of Z3 that the crate was tried with, from and to (inclusive): major and minor number.
const TRIED: [(u32, u32); 2] = [(4, 8), (4, 8)];

/// The version of Z3 that is linked: `4.8.12.0`, perhaps with a word on how it was built.
#[must_use]
pub fn version() -> String {
    z3::full_version().trim_start_matches("Z3 ").trim().to_owned()
}

/// Whether a version is one that was tried.
///
/// # Errors
/// What to say if it was not.
pub fn check_version(version: &str) -> Result<(), String> {
    let mut numbers = version.split('.').map_while(|part| part.parse::<u32>().ok());
    let (Some(major), Some(minor)) = (numbers.next(), numbers.next()) else {
        return Err(format!("Z3 gives its version as {version:?}"));
    };
    let [from, to] = TRIED;
    if (from..=to).contains(&(major, minor)) {
        return Ok(());
    }
    Err(format!("Z3 {version} was not tried with these bindings; Debian's 4.8.12 was"))
}

/// Asks a query with a model, one with an array, and one with a core.
///
/// # Errors
/// What went wrong.
pub fn self_test() -> Result<(), String> {
    let mut store = Store::new();
    let x = store.fresh("x", Sort::Bits(32));
    let memory = store.fresh("m", Sort::Array { index: 32, element: 8 });
    let (x, memory) = (store.symbol(x), store.symbol(memory));
    let (product, square) = (store.binary(Operator::Multiply, x, x), store.bits(32, 1681));
    let is_square = store.equal(product, square);
    let (element, byte) = (store.select(memory, x), store.bits(8, 42));
    let has_byte = store.equal(element, byte);
    let even = store.extract(0, 1, x);
    let odd = store.bits_to_bool(even);
    let even = store.not(odd);
    let mut solver = Solver::new(Kind::Trial, &Limits::none());
    solver.assert(&store, is_square);
    let model = match solver.check_assuming(&store, &[has_byte]) {
        Ok(Answer::Sat(model)) => model,
        other => return Err(format!("a query with a model: {other:?}")),
    };
    let all = store.and(is_square, has_byte);
    if !model.evaluate(&store, all).as_bool() {
        return Err(format!("a model that is none: {model:?}"));
    }
    match solver.check_assuming(&store, &[has_byte, even]) {
        Ok(Answer::Unsat { core }) if core == [even] => Ok(()),
        other => Err(format!("a query with a core: {other:?}")),
    }
}
