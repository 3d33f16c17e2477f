//! Is one abstract step wrong by itself?
//!
//! The values of predicates before a step, the guard, and the values behind it, turned into conditions before it by the
//! updates: if they contradict each other, the abstraction allowed a step that no state takes. The core says which values
//! are to blame.

use super::frames::Frames;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::predicate::path::conjuncts;
use crate::predicate::{Contradiction, PathStep, Precision, PredicateId, PredicateScope};
use crate::program::{Action, Block, EdgeId, ProcedureId, Program};
use crate::smt::{Answer, Solver};
use crate::term::Term;
use crate::term::substitute::Substitution;
use std::collections::{BTreeMap, BTreeSet};

type Values = Vec<(PredicateId, bool)>;
type Place = (ProcedureId, EdgeId);

/// The contradictions of single steps that the precision does not exclude yet.
pub(super) fn contradictions(
    program: &mut Program,
    path: &[PathStep],
    precision: &Precision,
    limits: &Limits,
) -> Result<Vec<(Place, Contradiction)>, Stop> {
    let frames = Frames::of(program, path);
    let mut globals: Values = Vec::new();
    let mut locals: BTreeMap<usize, Values> = BTreeMap::new();
    let (mut tried, mut found) = (BTreeSet::new(), Vec::new());
    for (number, step) in path.iter().enumerate() {
        let own = locals.get(&frames.before[number]).cloned().unwrap_or_default();
        let before: Values = globals.iter().copied().chain(own).collect();
        let (mut behind, rest): (Values, Values) =
            step.behind.iter().copied().partition(|&(id, _)| is_global(precision, id));
        let place = (step.procedure, step.edge);
        globals = std::mem::take(&mut behind);
        locals.insert(frames.behind[number], rest);
        if !step.returns && tried.insert((place, before.clone(), step.behind.clone())) {
            let wrong = contradiction(program, precision, (place, &before, &step.behind), limits)?;
            let known = precision.contradictions.get(&place);
            let new = |wrong: &Contradiction| known.is_none_or(|known| !known.contains(wrong));
            found.extend(wrong.filter(new).map(|wrong| (place, wrong)));
        }
    }
    found.dedup();
    Ok(found)
}

fn is_global(precision: &Precision, id: PredicateId) -> bool {
    precision.predicates[id].scope == PredicateScope::Global
}

/// The contradiction of one step, if it is an edge with a guard and updates.
fn contradiction(
    program: &mut Program,
    precision: &Precision,
    (place, before, behind): (Place, &Values, &Values),
    limits: &Limits,
) -> Result<Option<Contradiction>, Stop> {
    let Action::Block(block) = &program.procedures[place.0].edges[place.1].action else { return Ok(None) };
    let block = block.clone();
    let before = literals(program, precision, before, None);
    let behind = literals(program, precision, behind, Some(&block));
    let mut solver = Solver::new(limits);
    for conjunct in conjuncts(&program.store, block.guard) {
        solver.assert(&program.store, conjunct);
    }
    let all: Vec<Term> = before.iter().chain(&behind).map(|&(_, term)| term).collect();
    let Answer::Unsat { core } = solver.check_assuming(&program.store, &all)? else { return Ok(None) };
    let core = smallest(&mut solver, program, core)?;
    let pick = |literals: &[((PredicateId, bool), Term)]| {
        let mut values: Values =
            literals.iter().filter(|(_, term)| core.contains(term)).map(|&(value, _)| value).collect();
        values.sort_unstable();
        values
    };
    Ok(Some(Contradiction { before: pick(&before), behind: pick(&behind) }))
}

/// What values of predicates mean, before a block or through it.
fn literals(
    program: &mut Program,
    precision: &Precision,
    values: &Values,
    through: Option<&Block>,
) -> Vec<((PredicateId, bool), Term)> {
    let updates = through.map_or(&[][..], |block| &block.updates[..]);
    let mut substitution = Substitution::new(updates.iter().copied());
    let mut found = Vec::new();
    for &(id, value) in values {
        let term = substitution.apply(&mut program.store, precision.predicates[id].term);
        found.push(((id, value), if value { term } else { program.store.not(term) }));
    }
    found
}

/// A core from which nothing can be left out.
fn smallest(solver: &mut Solver, program: &Program, mut core: Vec<Term>) -> Result<Vec<Term>, Stop> {
    let mut next = 0;
    while next < core.len() {
        let mut fewer = core.clone();
        fewer.remove(next);
        match solver.check_assuming(&program.store, &fewer)? {
            Answer::Unsat { core: smaller } => core = smaller,
            Answer::Sat(_) | Answer::Unknown(_) => next += 1,
        }
    }
    Ok(core)
}
