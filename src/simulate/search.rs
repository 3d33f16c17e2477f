//! The shortest prefix without a run.
//!
//! Prefixes of twice as many constraints each are tried until one has no model. The last constraint of its core ends a
//! prefix without a run; what is before that constraint is asked next, and so on, until it has a model. So there are about
//! as many queries as the logarithm of the length, and not one per step. At last constraints are left out of the core one
//! after the other, as long as that is cheap: every one that stays costs refinement.
//!
//! The path may have more contradictions, which would be met one by one once the first is excluded. They are looked for
//! while the solver is at hand: each time without the last constraint of those that are known.

use super::Infeasible;
use super::execute::Formula;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::predicate::path::Position;
use crate::smt::{Answer, Budget, Model, Solver};
use crate::term::Term;
use rustc_hash::FxHashSet;
use std::time::Duration;

/// What the search found.
pub(super) enum Found {
    /// The whole path has a run.
    Model(Model),
    /// It has none.
    Core(Infeasible),
    /// The solver gave up.
    Unknown(String),
}

/// The first prefix that is tried has so many constraints.
const FIRST: usize = 16;

/// Cores with more constraints are not minimised.
const LARGEST: usize = 48;

/// So many contradictions of one path are told.
const CORES: usize = 4;

/// What the query for another one may cost.
const EASY: u32 = 1_000_000;

/// So many times fewer zeros are asked for.
const ROUNDS: usize = 8;

/// What one query of the minimisation may cost.
const PATIENCE: Duration = Duration::from_secs(2);

/// Looks for the shortest prefix without a run.
pub(super) fn search(formula: &Formula, limits: &Limits) -> Result<Found, Stop> {
    let mut solver = Solver::new(limits);
    for &definition in &formula.definitions {
        solver.assert(&formula.store, definition);
    }
    let mut length = FIRST.min(formula.constraints.len());
    loop {
        match ask(&mut solver, formula, length)? {
            Answer::Unknown(reason) => return Ok(Found::Unknown(reason)),
            Answer::Unsat { core } => return shorten(&mut solver, formula, core),
            Answer::Sat(model) if length == formula.constraints.len() => {
                return Ok(Found::Model(plain(&mut solver, formula, model)?));
            }
            Answer::Sat(_) => length = (2 * length).min(formula.constraints.len()),
        }
    }
}

/// A model in which as much as possible of what nobody initialised is zero: the machine takes zero for what it cannot
/// match, and people expect it.
fn plain(solver: &mut Solver, formula: &Formula, mut model: Model) -> Result<Model, Stop> {
    solver.set_budget(Budget { time: Some(PATIENCE), resources: None });
    let mut zeros = formula.zeros.clone();
    for _ in 0..ROUNDS {
        let constraints = formula.constraints.iter().map(|&(_, term)| term);
        let terms: Vec<Term> = zeros.iter().copied().chain(constraints).collect();
        match solver.check_assuming(&formula.store, &terms)? {
            Answer::Sat(better) => {
                model = better;
                break;
            }
            Answer::Unsat { core } => zeros.retain(|zero| !core.contains(zero)),
            Answer::Unknown(_) => break,
        }
    }
    Ok(model)
}

/// Asks for a run along the first constraints.
fn ask(solver: &mut Solver, formula: &Formula, length: usize) -> Result<Answer, Stop> {
    let terms: Vec<Term> = formula.constraints[..length].iter().map(|&(_, term)| term).collect();
    solver.check_assuming(&formula.store, &terms)
}

/// Asks for what is before the last constraint of the core, until that has a run.
fn shorten(solver: &mut Solver, formula: &Formula, mut core: Vec<Term>) -> Result<Found, Stop> {
    loop {
        let last = places(formula, &core).pop().expect("a path without constraints has a run");
        match ask(solver, formula, last)? {
            Answer::Unsat { core: earlier } => core = earlier,
            Answer::Sat(_) => break,
            Answer::Unknown(reason) => return Ok(Found::Unknown(reason)),
        }
    }
    minimise(solver, formula, &mut core)?;
    let cores = with_others(solver, formula, core)?;
    let prefix = cores[0].last().expect("a core is not empty").step + 1;
    Ok(Found::Core(Infeasible { prefix, cores }))
}

/// A core, and more of the same path.
fn with_others(solver: &mut Solver, formula: &Formula, first: Vec<Term>) -> Result<Vec<Vec<Position>>, Stop> {
    let position = |place: usize| formula.constraints[place].0;
    let mut cores = Vec::new();
    let mut left_out = Vec::new();
    let mut next = Some(first);
    while let Some(core) = next.take() {
        let places = places(formula, &core);
        left_out.extend(places.last().map(|&place| formula.constraints[place].1));
        cores.push(places.into_iter().map(position).collect());
        if cores.len() < CORES {
            next = another(solver, formula, &left_out)?;
        }
    }
    Ok(cores)
}

/// A contradiction without some constraints, if that is easy to tell.
fn another(solver: &mut Solver, formula: &Formula, left_out: &[Term]) -> Result<Option<Vec<Term>>, Stop> {
    solver.set_budget(Budget { time: None, resources: Some(EASY) });
    let kept = formula.constraints.iter().map(|&(_, term)| term).filter(|term| !left_out.contains(term));
    let terms: Vec<Term> = kept.collect();
    let Answer::Unsat { mut core } = solver.check_assuming(&formula.store, &terms)? else { return Ok(None) };
    minimise(solver, formula, &mut core)?;
    Ok(Some(core))
}

/// Where the terms of a core first stand among the constraints, in order.
fn places(formula: &Formula, core: &[Term]) -> Vec<usize> {
    let mut left: FxHashSet<Term> = core.iter().copied().collect();
    let constraints = formula.constraints.iter().enumerate();
    constraints.filter(|(_, (_, term))| left.remove(term)).map(|(place, _)| place).collect()
}

/// Leaves out what the contradiction does not need. The last constraint stays: without it there is a run.
fn minimise(solver: &mut Solver, formula: &Formula, core: &mut Vec<Term>) -> Result<(), Stop> {
    if core.len() > LARGEST {
        return Ok(());
    }
    solver.set_budget(Budget { time: Some(PATIENCE), resources: None });
    let mut next = 0;
    while next + 1 < core.len() {
        let mut fewer = core.clone();
        fewer.remove(next);
        match solver.check_assuming(&formula.store, &fewer)? {
            Answer::Unsat { core: smaller } => *core = smaller,
            Answer::Sat(_) => next += 1,
            Answer::Unknown(_) => break,
        }
    }
    solver.set_budget(Budget::default());
    Ok(())
}
