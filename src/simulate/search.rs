//! The shortest prefix without a run.
//!
//! Prefixes of twice as many constraints each are tried until one has no model. The last constraint of its core ends a
//! prefix without a run; what is before that constraint is asked next, and so on, until it has a model. So there are about
//! as many queries as the logarithm of the length, and not one per step. At last constraints are left out of the core one
//! after the other, as long as that is cheap: every one that stays costs refinement.
//!
//! Names of deep terms are defined when a constraint needs them: what a path computes and never asks for is often the
//! hardest part, such as a read from the memory that a program starts with, through a pointer from outside.
//!
//! The path may have more contradictions, which would be met one by one once the first is excluded. They are looked for
//! while the solver is at hand: each time without the last constraint of those that are known. If the first one is about a variable that counts, one
//! is looked for without all such constraints: a path that leaves ten loops too early has ten contradictions before the one that
//! has to do with its end.

use super::Infeasible;
use super::execute::Formula;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::path::Position;
use crate::smt::{Answer, Budget, Kind, Model, Solver};
use crate::term::free::FreeSymbols;
use crate::term::{Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};

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
const MODERATE: u32 = 4_000_000;

/// Looks for the shortest prefix without a run.
/// It is told which constraints are about variables that count.
pub(super) fn search(
    formula: &Formula,
    counts: &dyn Fn(Position) -> bool,
    limits: &Limits,
) -> Result<Found, Stop> {
    let mut asker = Asker::new(formula, limits);
    match growing(&mut asker)? {
        Answer::Unknown(reason) => Ok(Found::Unknown(reason)),
        Answer::Unsat { core } => shorten(&mut asker, core, counts),
        Answer::Sat(model) => Ok(Found::Model(plain(&mut asker, model)?)),
    }
}

/// The same, where only contradictions are of interest.
pub(super) fn contradictions(
    formula: &Formula,
    counts: &dyn Fn(Position) -> bool,
    limits: &Limits,
) -> Result<Option<Infeasible>, Stop> {
    let mut asker = Asker::new(formula, limits);
    let Answer::Unsat { core } = growing(&mut asker)? else { return Ok(None) };
    Ok(match shorten(&mut asker, core, counts)? {
        Found::Core(infeasible) => Some(infeasible),
        Found::Model(_) | Found::Unknown(_) => None,
    })
}

/// Asks for longer and longer prefixes, until one has no run or all are known.
fn growing(asker: &mut Asker<'_>) -> Result<Answer, Stop> {
    let all = asker.formula.constraints.len();
    let mut length = FIRST.min(all);
    loop {
        match asker.ask(length)? {
            Answer::Sat(_) if length < all => length = (2 * length).min(all),
            answer => return Ok(answer),
        }
    }
}

/// A solver that learns what names mean when they are first met.
struct Asker<'f> {
    formula: &'f Formula,
    solver: Solver,
    free: FreeSymbols,
    /// The numbers of definitions that the solver does not know yet.
    undefined: FxHashMap<Symbol, usize>,
}

impl<'f> Asker<'f> {
    fn new(formula: &'f Formula, limits: &Limits) -> Self {
        let names = formula.definitions.iter().enumerate();
        let undefined = names.map(|(number, definition)| (definition.name, number)).collect();
        Self { formula, solver: Solver::new(Kind::Path, limits), free: FreeSymbols::default(), undefined }
    }

    /// Asks for a run along the first constraints.
    fn ask(&mut self, length: usize) -> Result<Answer, Stop> {
        let terms: Vec<Term> = self.formula.constraints[..length].iter().map(|&(_, term)| term).collect();
        self.check(&terms)
    }

    fn check(&mut self, terms: &[Term]) -> Result<Answer, Stop> {
        let mut left = terms.to_vec();
        while let Some(term) = left.pop() {
            for symbol in self.free.of(&self.formula.store, term).iter() {
                let Some(number) = self.undefined.remove(symbol) else { continue };
                let definition = &self.formula.definitions[number];
                self.solver.assert(&self.formula.store, definition.equation);
                left.push(definition.value);
            }
        }
        self.solver.check_assuming(&self.formula.store, terms)
    }
}

/// A model in which as much as possible of what nobody initialised is zero: the machine takes zero for what it cannot
/// match, and people expect it.
fn plain(asker: &mut Asker<'_>, mut model: Model) -> Result<Model, Stop> {
    asker.solver.set_budget(Budget { resources: Some(MODERATE) });
    let mut zeros = asker.formula.zeros.clone();
    for _ in 0..ROUNDS {
        let constraints = asker.formula.constraints.iter().map(|&(_, term)| term);
        let terms: Vec<Term> = zeros.iter().copied().chain(constraints).collect();
        match asker.check(&terms)? {
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

/// Asks for what is before the last constraint of the core, until that has a run.
fn shorten(
    asker: &mut Asker<'_>,
    mut core: Vec<Term>,
    counts: &dyn Fn(Position) -> bool,
) -> Result<Found, Stop> {
    loop {
        let last = places(asker.formula, &core, &FxHashSet::default())
            .pop()
            .expect("a path without constraints has a run");
        match asker.ask(last)? {
            Answer::Unsat { core: earlier } => core = earlier,
            Answer::Sat(_) => break,
            Answer::Unknown(reason) => return Ok(Found::Unknown(reason)),
        }
    }
    minimise(asker, &mut core)?;
    let cores = with_others(asker, core, counts)?;
    let prefix = cores[0].last().expect("a core is not empty").step + 1;
    Ok(Found::Core(Infeasible { prefix, cores }))
}

/// A core, and more of the same path.
fn with_others(
    asker: &mut Asker<'_>,
    first: Vec<Term>,
    counts: &dyn Fn(Position) -> bool,
) -> Result<Vec<Vec<Position>>, Stop> {
    let formula = asker.formula;
    let position = |place: usize| formula.constraints[place].0;
    let first = places(formula, &first, &FxHashSet::default());
    if !first.iter().any(|&place| counts(position(place))) {
        return others(asker, first, Vec::new(), FxHashSet::default());
    }
    let all = formula.constraints.iter().enumerate();
    let counting: FxHashSet<usize> =
        all.filter(|(_, (position, _))| counts(*position)).map(|(place, _)| place).collect();
    match another(asker, &counting)? {
        None => others(asker, first, Vec::new(), FxHashSet::default()),
        Some(plain) => {
            let first = first.into_iter().map(position).collect();
            others(asker, plain, vec![first], counting)
        }
    }
}

/// Adds a core, and more that do without the constraints at the places that are left out.
fn others(
    asker: &mut Asker<'_>,
    first: Vec<usize>,
    mut cores: Vec<Vec<Position>>,
    mut left_out: FxHashSet<usize>,
) -> Result<Vec<Vec<Position>>, Stop> {
    let mut next = Some(first);
    while let Some(core) = next.take() {
        left_out.extend(core.last());
        cores.push(core.into_iter().map(|place| asker.formula.constraints[place].0).collect());
        if cores.len() < CORES {
            next = another(asker, &left_out)?;
        }
    }
    Ok(cores)
}

/// A contradiction without the constraints at some places, if that is easy to tell: its places.
fn another(asker: &mut Asker<'_>, left_out: &FxHashSet<usize>) -> Result<Option<Vec<usize>>, Stop> {
    asker.solver.set_budget(Budget { resources: Some(EASY) });
    let constraints = asker.formula.constraints.iter().enumerate();
    let kept = constraints.filter(|(place, _)| !left_out.contains(place));
    let terms: Vec<Term> = kept.map(|(_, &(_, term))| term).collect();
    let Answer::Unsat { mut core } = asker.check(&terms)? else { return Ok(None) };
    minimise(asker, &mut core)?;
    Ok(Some(places(asker.formula, &core, left_out)))
}

/// Where the terms of a core first stand among the constraints that are not left out, in order. Different constraints may be the same
/// term: all that cannot hold are "false".
fn places(formula: &Formula, core: &[Term], left_out: &FxHashSet<usize>) -> Vec<usize> {
    let mut left: FxHashSet<Term> = core.iter().copied().collect();
    let constraints = formula.constraints.iter().enumerate();
    let there = constraints.filter(|(place, (_, term))| !left_out.contains(place) && left.remove(term));
    there.map(|(place, _)| place).collect()
}

/// Leaves out what the contradiction does not need. The last constraint stays: without it there is a run.
fn minimise(asker: &mut Asker<'_>, core: &mut Vec<Term>) -> Result<(), Stop> {
    if core.len() > LARGEST {
        return Ok(());
    }
    asker.solver.set_budget(Budget { resources: Some(MODERATE) });
    let mut next = 0;
    while next + 1 < core.len() {
        let mut fewer = core.clone();
        fewer.remove(next);
        match asker.check(&fewer)? {
            Answer::Unsat { core: smaller } => *core = smaller,
            Answer::Sat(_) => next += 1,
            Answer::Unknown(_) => break,
        }
    }
    asker.solver.set_budget(Budget::default());
    Ok(())
}
