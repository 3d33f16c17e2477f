//! The one-shot mode: assertions and assumptions go to a new solver of Z3, which may preprocess them.
//!
//! Queries about paths have their memory resolved first (`term::resolve`), for which Z3 has no strategy: a path of a driver
//! whose 176 terms took it 4 to 14 s takes 0.05 s then. What was resolved is asked for its own sake only: a model is held
//! against the terms that were given, and proofs are checked without it.
//!
//! The mode has no cores. Where the answer is "none", the incremental solver is asked for one, within a small budget. If that
//! is not enough, assumptions are left out in halves, quarters and so on, as long as the rest has no model either: a core of all
//! assumptions would be right, too, but whoever asks wants few.

use super::mode::{self, is_spent};
use super::solver::{NO_MODEL, leaving_signals_alone};
use super::translate::Translator;
use super::watch::Watch;
use super::{Answer, Model, Solver};
use crate::term::resolve::Resolved;
use crate::term::{Store, Term};
use z3::SatResult;
use z3::ast::Bool;

/// What the incremental solver may spend on a core.
const CORE: u32 = 200_000;

/// At most this many queries make a core smaller.
const QUERIES: usize = 60;

/// A new solver that was asked.
struct Asked {
    result: SatResult,
    solver: z3::Solver,
    /// What it was asked, if that is not what was given.
    resolved: Option<Resolved>,
}

/// Asks a new solver.
pub(super) fn answer(solver: &mut Solver, store: &Store, terms: &[Term], resources: u32) -> Answer {
    match ask(solver, store, terms, resources) {
        Ok(asked) => match asked.result {
            SatResult::Sat => model(solver, store, terms, &asked),
            SatResult::Unsat => core(solver, store, terms.to_vec(), resources),
            SatResult::Unknown => Answer::Unknown(asked.solver.get_reason_unknown().unwrap_or_default()),
        },
        Err(reason) => Answer::Unknown(reason),
    }
}

/// The model of what was given.
fn model(solver: &mut Solver, store: &Store, terms: &[Term], asked: &Asked) -> Answer {
    let model = asked.solver.get_model();
    let Some(resolved) = &asked.resolved else { return solver.model(store, terms, model) };
    let mut values = match solver.read_model(store, terms, model) {
        Ok(values) => values,
        Err(reason) => return Answer::Unknown(reason),
    };
    resolved.complete(&mut values);
    let model = Model::new(values);
    let holds = solver.holds(store, terms, &model);
    if holds { Answer::Sat(model) } else { Answer::Unknown(NO_MODEL.to_owned()) }
}

fn ask(solver: &mut Solver, store: &Store, terms: &[Term], resources: u32) -> Result<Asked, String> {
    let given: Vec<Term> = solver.assertions().chain(terms.iter().copied()).collect();
    let resolved = Some(()).filter(|()| solver.kind.resolves()).and_then(|()| Resolved::of(store, &given));
    if let Some(resolved) = resolved {
        let mut translator = Translator::new(solver.translator.deepest);
        // What became too deep for Z3 is asked as it was given.
        if let Ok(fresh) = asserting(&mut translator, &resolved.store, &resolved.terms) {
            let result = check(solver, &fresh, resources);
            return Ok(Asked { result, solver: fresh, resolved: Some(resolved) });
        }
    }
    let fresh = asserting(&mut solver.translator, store, &given)?;
    let result = check(solver, &fresh, resources);
    Ok(Asked { result, solver: fresh, resolved: None })
}

/// A new solver with these assertions.
fn asserting(translator: &mut Translator, store: &Store, terms: &[Term]) -> Result<z3::Solver, String> {
    let fresh = leaving_signals_alone(z3::Solver::new());
    for &term in terms {
        let tree: Bool = translator.boolean(store, term)?;
        fresh.assert(&tree);
    }
    Ok(fresh)
}

fn check(solver: &Solver, fresh: &z3::Solver, resources: u32) -> SatResult {
    mode::allow(fresh, resources);
    let _watch = Watch::start(&solver.limits);
    fresh.check()
}

/// A core of assumptions that have no model.
fn core(solver: &mut Solver, store: &Store, terms: Vec<Term>, resources: u32) -> Answer {
    let mut core = terms;
    let mut left = QUERIES;
    let mut size = core.len();
    loop {
        match solver.incremental(store, &core, CORE) {
            Answer::Unsat { core } => return Answer::Unsat { core },
            Answer::Sat(_) => return Answer::Unknown("the solver contradicts itself".to_owned()),
            Answer::Unknown(reason) if !is_spent(&reason) => return Answer::Unknown(reason),
            Answer::Unknown(_) => {}
        }
        size = size.div_ceil(2);
        let before = core.len();
        without_parts(solver, store, &mut core, (size, resources, &mut left));
        if left == 0 || size <= 1 && core.len() == before {
            return Answer::Unsat { core };
        }
    }
}

/// Leaves out parts of a size that are not needed.
fn without_parts(
    solver: &mut Solver,
    store: &Store,
    core: &mut Vec<Term>,
    (size, resources, left): (usize, u32, &mut usize),
) {
    let mut at = 0;
    while at < core.len() && *left > 0 && solver.limits.check().is_ok() {
        *left -= 1;
        let mut fewer = core.clone();
        fewer.drain(at..core.len().min(at + size));
        match ask(solver, store, &fewer, resources) {
            Ok(Asked { result: SatResult::Unsat, .. }) => *core = fewer,
            _ => at += size,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::limits::Limits;
    use crate::smt::Kind;
    use crate::term::Sort;

    #[test]
    fn parts_that_are_not_needed_are_left_out() {
        let mut store = Store::new();
        let mut flag = |number| {
            let symbol = store.fresh(format!("f{number}"), Sort::Boolean);
            store.symbol(symbol)
        };
        let flags: Vec<Term> = (0..20).map(&mut flag).collect();
        let mut solver = Solver::new(Kind::Path, &Limits::none());
        let both = store.and(flags[4], flags[13]);
        let not_both = store.not(both);
        solver.assert(&store, not_both);
        let (mut core, mut left) = (flags.clone(), 100);
        for size in [10, 5, 3, 2, 1] {
            without_parts(&mut solver, &store, &mut core, (size, 1_000_000, &mut left));
        }
        assert_eq!(core, [flags[4], flags[13]]);
        let (mut core, mut left) = (flags.clone(), 1);
        without_parts(&mut solver, &store, &mut core, (10, 1_000_000, &mut left));
        assert_eq!((core.len(), left), (20, 0));
    }
}
