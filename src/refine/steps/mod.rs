//! Abstract steps that are wrong by themselves.
//!
//! The values of predicates before a step, the guard, and the values behind it, turned into conditions before it by the
//! updates: if they contradict each other, the abstraction allowed a step that no state takes. Abstract steps are computed roughly,
//! because to compute them exactly is expensive; those that turn out to be wrong on a path are excluded one by one \[BCDR04\]. The core
//! says which values are to blame, and is what the precision excludes from then on ([`Exclusion`]).
//!
//! | file | what |
//! |---|---|
//! | `known` | what the threads know at each step of a path |
//! | `edges` | steps along edges |
//! | `calls` | into procedures, and out of them |
//! | `threads` | what other threads hear of a step, and what two threads cannot know at once |
//! | `parts` | a step falls into parts that share no variable; each is asked once |
//!
//! Deviations. The paper looks for wrong steps where no new predicates are found; here they come first: predicates that are found for a path
//! which the predicates at hand exclude already are of no use. An exclusion is about one edge, except where it is about two
//! threads at once: then it is told of all edges.

mod calls;
mod edges;
mod known;
mod parts;
mod threads;

use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::path::Line;
use crate::predicate::{Exclusion, PathStep, Precision, PredicateId};
use crate::program::overlay::Frozen;
use crate::program::{EdgeId, ProcedureId};
use crate::smt::{Budget, Kind, Solver};
use crate::term::free::FreeSymbols;
use crate::term::{Store, Symbol, Term};
use calls::{Procedures, Returned};
use indexmap::IndexSet;
use known::{Heard, Known};
use parts::Part;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use threads::Hearing;

type Values = Vec<(PredicateId, bool)>;
type Place = (ProcedureId, EdgeId);

/// A value of a predicate, and what it means before the step.
type Literal = ((PredicateId, bool), Term);

/// A step that is looked at: the edge, the values before it and behind it.
type Taken<'a> = (Place, &'a Values, &'a Values);

/// What one query may cost.
const RESOURCES: u32 = 20_000_000;

/// Looks at steps, and remembers what it saw. It serves one program.
pub(super) struct Steps {
    limits: Limits,
    solver: Solver,
    free: FreeSymbols,
    procedures: Procedures,
    /// What terms behind an edge are before it.
    through: FxHashMap<(Place, Term), Term>,
    /// For each part the literals that contradict each other, if any.
    known: FxHashMap<Part, Option<Vec<Term>>>,
    /// Symbols for local variables of other threads.
    others: BTreeMap<Symbol, Symbol>,
}

/// Exclusions that the precision does not have yet, in the order in which they were found.
struct Found<'p> {
    precision: &'p Precision,
    all: IndexSet<(Place, Exclusion)>,
}

impl Found<'_> {
    /// Adds one; whether it is new.
    fn add(&mut self, place: Place, exclusion: Exclusion) -> bool {
        !self.precision.excludes(place, &exclusion) && self.all.insert((place, exclusion))
    }
}

impl Steps {
    pub fn new(limits: &Limits) -> Self {
        let mut solver = Solver::new(Kind::Step, limits);
        solver.set_budget(Budget { resources: Some(RESOURCES) });
        Self {
            limits: limits.clone(),
            solver,
            free: FreeSymbols::default(),
            procedures: Procedures::default(),
            through: FxHashMap::default(),
            known: FxHashMap::default(),
            others: BTreeMap::new(),
        }
    }

    /// The steps of a path that are wrong by themselves and that the precision does not exclude yet.
    pub fn exclusions(
        &mut self,
        program: &mut Frozen<'_>,
        line: &Line<'_>,
        precision: &Precision,
    ) -> Result<Vec<(Place, Exclusion)>, Stop> {
        let mut known = Known::new(line, precision);
        let mut found = Found { precision, all: IndexSet::new() };
        let mut seen = FxHashSet::default();
        for (number, step) in line.path.iter().enumerate() {
            self.limits.check()?;
            known.start(number);
            let before = known.before(number);
            self.pairs(program, &known, (number, &before), &mut found)?;
            let then = known.take(number, &before);
            self.heard(program, (step, &before), &then.heard, &mut found)?;
            // Long paths are made of few different steps.
            if seen.insert((step.procedure, step.edge, then.earlier.clone(), before.clone(), &step.behind)) {
                self.step(program, (step, &before), then.earlier, &mut found)?;
            }
        }
        Ok(found.all.into_iter().collect())
    }

    /// What a step does to the thread that makes it.
    fn step(
        &mut self,
        program: &mut Frozen<'_>,
        (step, before): (&PathStep, &Values),
        earlier: Option<Values>,
        found: &mut Found<'_>,
    ) -> Result<(), Stop> {
        let place = (step.procedure, step.edge);
        if !step.returns {
            return self.forwards(program, (place, before, &step.behind), found);
        }
        let earlier = earlier.unwrap_or_default();
        let times = Returned { before: &earlier, exit: before, behind: &step.behind };
        for wrong in self.of_return(program, found.precision, place, &times)? {
            found.add(place, wrong);
        }
        Ok(())
    }

    /// What other threads have heard of a step.
    fn heard(
        &mut self,
        program: &mut Frozen<'_>,
        (step, before): (&PathStep, &Values),
        all: &[Heard],
        found: &mut Found<'_>,
    ) -> Result<(), Stop> {
        let place = (step.procedure, step.edge);
        for heard in all {
            for wrong in self.of_others(program, found.precision, place, &Hearing { before, heard })? {
                found.add(place, wrong);
            }
        }
        Ok(())
    }

    /// A step along an edge, or into a procedure; with others like it.
    fn forwards(
        &mut self,
        program: &mut Frozen<'_>,
        taken: Taken<'_>,
        found: &mut Found<'_>,
    ) -> Result<(), Stop> {
        for wrong in self.of_step(program, found.precision, taken)? {
            if found.add(taken.0, wrong.clone()) {
                for like_it in self.like(program, found.precision, taken.0, &wrong)? {
                    found.add(taken.0, like_it);
                }
            }
        }
        Ok(())
    }

    /// What two threads know before a step and cannot know at once.
    fn pairs(
        &mut self,
        program: &mut Frozen<'_>,
        known: &Known<'_>,
        (number, before): (usize, &Values),
        found: &mut Found<'_>,
    ) -> Result<(), Stop> {
        for (template, passive) in known.others(number) {
            let templates = (known.template(number), template);
            for (place, wrong) in self.of_pair(program, found.precision, templates, (before, passive))? {
                found.add(place, wrong);
            }
        }
        Ok(())
    }
}

/// The values that a core is made of. What is so at an earlier time is told there.
fn pick(core: &[Term], literals: &[Literal], earlier: &[&[Literal]]) -> Values {
    let told = |term: Term| earlier.iter().any(|literals| literals.iter().any(|&(_, other)| other == term));
    let wanted = |&&(_, term): &&Literal| core.contains(&term) && !told(term);
    let mut values: Values = literals.iter().filter(wanted).map(|&(value, _)| value).collect();
    values.sort_unstable();
    values
}

/// What values of predicates mean before a step.
fn literals(
    store: &mut Store,
    precision: &Precision,
    values: &Values,
    mut meaning: impl FnMut(&mut Store, Term) -> Term,
) -> Vec<Literal> {
    let mut found = Vec::new();
    for &(id, value) in values {
        let term = meaning(store, precision.predicates[id].term);
        found.push(((id, value), if value { term } else { store.not(term) }));
    }
    found
}
