//! The one-shot mode: assertions and assumptions go to a new solver of Z3, which may preprocess them.
//!
//! It has no cores. Where the answer is "none", the incremental solver is asked for one, within a small budget. If that
//! is not enough, assumptions are left out in halves, quarters and so on, as long as the rest has no model either: a core of all
//! assumptions would be right, too, but whoever asks wants few.

use super::mode::{self, is_spent};
use super::solver::leaving_signals_alone;
use super::watch::Watch;
use super::{Answer, Solver};
use crate::term::{Store, Term};
use z3::SatResult;
use z3::ast::Bool;

/// What the incremental solver may spend on a core.
const CORE: u32 = 200_000;

/// At most this many queries make a core smaller.
const QUERIES: usize = 60;

/// Asks a new solver.
pub(super) fn answer(solver: &mut Solver, store: &Store, terms: &[Term], resources: u32) -> Answer {
    match ask(solver, store, terms, resources) {
        Ok((SatResult::Sat, fresh)) => solver.model(store, terms, fresh.get_model()),
        Ok((SatResult::Unsat, _)) => core(solver, store, terms.to_vec(), resources),
        Ok((SatResult::Unknown, fresh)) => Answer::Unknown(fresh.get_reason_unknown().unwrap_or_default()),
        Err(reason) => Answer::Unknown(reason),
    }
}

fn ask(
    solver: &mut Solver,
    store: &Store,
    terms: &[Term],
    resources: u32,
) -> Result<(SatResult, z3::Solver), String> {
    let fresh = leaving_signals_alone(z3::Solver::new());
    mode::allow(&fresh, resources);
    let asserted: Vec<Term> = solver.assertions().chain(terms.iter().copied()).collect();
    for term in asserted {
        let tree: Bool = solver.translator.boolean(store, term)?;
        fresh.assert(&tree);
    }
    let _watch = Watch::start(&solver.limits);
    Ok((fresh.check(), fresh))
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
            Ok((SatResult::Unsat, _)) => *core = fewer,
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
