//! Is one abstract step wrong by itself?
//!
//! The values of predicates before a step, the guard, and the values behind it, turned into conditions before it by the
//! updates: if they contradict each other, the abstraction allowed a step that no state takes. The core says which values
//! are to blame.
//!
//! What shares no variable cannot contradict each other: a step falls into parts, and each part is asked once and
//! remembered as long as the loop runs. A new predicate so makes a few parts new, not all steps of all paths.

use super::Wrong;
use super::calls::{Procedures, Returned};
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::path::Line;
use crate::path::position::conjuncts;
use crate::predicate::{Contradiction, PassiveContradiction, Precision, PredicateId, PredicateScope};
use crate::program::overlay::Frozen;
use crate::program::{Action, EdgeId, ProcedureId};
use crate::smt::{Answer, Budget, Kind, Solver};
use crate::term::free::FreeSymbols;
use crate::term::substitute::Substitution;
use crate::term::{Store, Symbol, Term};
use indexmap::IndexSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

pub(super) type Values = Vec<(PredicateId, bool)>;
pub(super) type Place = (ProcedureId, EdgeId);

/// A value of a predicate, and what it means before the step.
pub(super) type Literal = ((PredicateId, bool), Term);

/// What one query may cost.
const RESOURCES: u32 = 20_000_000;

/// What shares no variable with the rest of a step.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Part {
    guard: BTreeSet<Term>,
    literals: BTreeSet<Term>,
}

/// A step that is looked at: the edge, the values before it and behind it.
pub(super) type Taken<'a> = (Place, &'a Values, &'a Values);

/// Looks at steps, and remembers what it saw. It serves one program.
pub(super) struct Steps {
    limits: Limits,
    solver: Solver,
    pub free: FreeSymbols,
    pub procedures: Procedures,
    /// What terms behind an edge are before it.
    through: FxHashMap<(Place, Term), Term>,
    /// For each part the literals that contradict each other, if any.
    known: FxHashMap<Part, Option<Vec<Term>>>,
    /// Symbols for local variables of other threads.
    pub others: BTreeMap<Symbol, Symbol>,
}

/// What another thread knows before and behind a step.
struct Hearing<'a> {
    template: ProcedureId,
    /// What the thread that makes the step knows before it.
    before: &'a Values,
    passive: &'a Values,
    behind: &'a Values,
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

    /// The contradictions of single steps that the precision does not exclude yet.
    pub fn contradictions(
        &mut self,
        program: &mut Frozen<'_>,
        line: &Line<'_>,
        precision: &Precision,
    ) -> Result<Wrong, Stop> {
        let frames = &*line.frames;
        let mut globals: Values = Vec::new();
        let mut locals: BTreeMap<usize, Values> = BTreeMap::new();
        let mut threads: Vec<usize> = vec![0];
        let mut calls: BTreeMap<usize, Values> = BTreeMap::new();
        let mut found = IndexSet::new();
        let mut returns = IndexSet::new();
        let mut unheard = IndexSet::new();
        let mut seen = FxHashSet::default();
        for (number, step) in line.path.iter().enumerate() {
            self.limits.check()?;
            threads.extend(frames.started[number]);
            let own = locals.get(&frames.before[number]).into_iter().flatten();
            let before: Values = globals.iter().chain(own).copied().collect();
            for other in threads.iter().filter(|&&other| other != frames.before[number]) {
                let Some(passive) = locals.get(other) else { continue };
                let templates = (step.procedure, frames.activations[*other].procedure);
                unheard.extend(self.of_pair(program, precision, templates, (&before, passive))?);
            }
            let (all, rest): (Values, Values) =
                step.behind.iter().copied().partition(|&(id, _)| is_global(precision, id));
            globals = all;
            locals.insert(frames.behind[number], rest);
            let place = (step.procedure, step.edge);
            for (thread, behind) in &step.others {
                let Some(&activation) = threads.get(*thread) else { continue };
                let template = frames.activations[activation].procedure;
                let mut behind = behind.clone();
                behind.retain(|&(id, _)| precision.predicates[id].scope == PredicateScope::Local(template));
                let passive = locals.insert(activation, behind.clone());
                if let Some(passive) = passive {
                    let known = precision.passive.get(&place);
                    let hearing = Hearing { template, before: &before, passive: &passive, behind: &behind };
                    let new = self.of_others(program, precision, place, &hearing)?;
                    let new = new.into_iter().filter(|new| known.is_none_or(|known| !known.contains(new)));
                    unheard.extend(new.map(|wrong| (place, wrong)));
                }
            }
            let earlier = calls.get(&frames.before[number]).filter(|_| step.returns).cloned();
            if frames.behind[number] != frames.before[number] && !step.returns {
                calls.insert(frames.behind[number], before.clone());
            }
            // Long paths are made of few different steps.
            if !seen.insert((place, earlier.clone(), before.clone(), &step.behind)) {
                continue;
            }
            if step.returns {
                let earlier = earlier.unwrap_or_default();
                let times = Returned { before: &earlier, exit: &before, behind: &step.behind };
                returns.extend(self.of_return(program, precision, place, &times)?);
                continue;
            }
            let known = precision.contradictions.get(&place);
            let old = |wrong: &Contradiction| known.is_some_and(|known| known.contains(wrong));
            for wrong in self.of_step(program, precision, (place, &before, &step.behind))? {
                if !old(&wrong) && found.insert((place, wrong.clone())) {
                    let like_it = self.like(program, precision, place, &wrong)?;
                    found.extend(like_it.into_iter().filter(|wrong| !old(wrong)).map(|wrong| (place, wrong)));
                }
            }
        }
        Ok(Wrong {
            steps: found.into_iter().collect(),
            returns: returns.into_iter().collect(),
            passive: unheard.into_iter().collect(),
        })
    }

    /// Whether another thread came to know what it cannot.
    fn of_others(
        &mut self,
        program: &mut Frozen<'_>,
        precision: &Precision,
        place: Place,
        hearing: &Hearing<'_>,
    ) -> Result<Vec<PassiveContradiction>, Stop> {
        let Action::Block(block) = &program.procedures[place.0].edges[place.1].action else {
            return Ok(Vec::new());
        };
        let block = block.clone();
        let others = hearing.passive.iter().chain(hearing.behind).map(|&(id, _)| id);
        let mut names = self.renaming(program, precision, others);
        let mut substitution = Substitution::new(block.updates.iter().copied());
        let before = literals(program.terms(), precision, hearing.before, |_, term| term);
        let passive =
            literals(program.terms(), precision, hearing.passive, |store, term| names.apply(store, term));
        let behind = literals(program.terms(), precision, hearing.behind, |store, term| {
            let renamed = names.apply(store, term);
            substitution.apply(store, renamed)
        });
        let mut found = Vec::new();
        let all = before.iter().chain(&passive).chain(&behind);
        let templates = (place.0, hearing.template);
        let guard =
            self.with_two(program, precision, templates, block.guard, (hearing.before, hearing.passive));
        let guard = conjuncts(&program.store, guard);
        for part in self.parts(&program.store, &guard, all) {
            let Some(core) = self.core(&program.store, part)? else { continue };
            let wrong = PassiveContradiction {
                template: hearing.template,
                before: pick(&core, &before, &[]),
                passive: pick(&core, &passive, &[&before]),
                behind: pick(&core, &behind, &[&before, &passive]),
            };
            if !wrong.behind.is_empty() {
                found.push(wrong);
            }
        }
        Ok(found)
    }

    /// Stands for a local variable of another thread.
    pub fn other(&mut self, program: &mut Frozen<'_>, symbol: Symbol) -> Term {
        let other = *self.others.entry(symbol).or_insert_with(|| {
            let name = format!("{} of another thread", program.store.name(symbol));
            program.input(name, symbol)
        });
        program.terms().symbol(other)
    }

    /// More contradictions of the kind of one: other values that the guard excludes by itself, or that exclude one of
    /// two that exclude each other. The abstraction had no room for the one, and will have none for the others.
    fn like(
        &mut self,
        program: &mut Frozen<'_>,
        precision: &Precision,
        place: Place,
        one: &Contradiction,
    ) -> Result<Vec<Contradiction>, Stop> {
        let others = self.related(&program.store, precision, place, one);
        let mut found = Vec::new();
        if let ([], [(first, true), (second, true)]) = (&one.before[..], &one.behind[..]) {
            for (known, other) in
                [first, second].into_iter().flat_map(|known| others.iter().map(move |other| (known, other)))
            {
                let terms = [*known, *other].map(|id| precision.predicates[id].term);
                let part = Part { guard: BTreeSet::new(), literals: terms.into() };
                if known != other && self.core(&program.store, part)?.is_some_and(|core| core.len() == 2) {
                    let mut behind = vec![(*known, true), (*other, true)];
                    behind.sort_unstable();
                    found.push(Contradiction { before: Vec::new(), behind });
                }
            }
        } else if one.behind.is_empty() {
            for value in others.iter().flat_map(|&id| [(id, true), (id, false)]) {
                found.extend(self.of_step(program, precision, (place, &vec![value], &Vec::new()))?);
            }
        }
        Ok(found)
    }

    /// Predicates that can be spoken of at an edge, and are about what a contradiction is about.
    fn related(
        &mut self,
        store: &Store,
        precision: &Precision,
        (procedure, _): Place,
        one: &Contradiction,
    ) -> Vec<PredicateId> {
        let mut symbols = BTreeSet::new();
        for &(id, _) in one.before.iter().chain(&one.behind) {
            symbols.extend(self.free.of(store, precision.predicates[id].term).iter().copied());
        }
        let mut related = |id: &PredicateId| {
            let predicate = &precision.predicates[*id];
            let here = matches!(predicate.scope, PredicateScope::Global)
                || predicate.scope == PredicateScope::Local(procedure);
            here && !precision.places.contains_key(id)
                && !self.free.of(store, predicate.term).is_disjoint(&symbols)
        };
        precision.predicates.ids().filter(|id| related(id)).collect()
    }

    /// The contradictions of one step, if it is an edge with a guard and updates.
    fn of_step(
        &mut self,
        program: &mut Frozen<'_>,
        precision: &Precision,
        (place, before, behind): Taken<'_>,
    ) -> Result<Vec<Contradiction>, Stop> {
        let Action::Block(block) = &program.procedures[place.0].edges[place.1].action else {
            return self.of_entry(program, precision, (place, before, behind));
        };
        let block = block.clone();
        let before = literals(program.terms(), precision, before, |_, term| term);
        let mut substitution = Substitution::new(block.updates.iter().copied());
        let behind = literals(program.terms(), precision, behind, |store, term| {
            *self.through.entry((place, term)).or_insert_with(|| substitution.apply(store, term))
        });
        let guard = self.with_one(program, place.0, block.guard, before.iter().chain(&behind));
        let guard = conjuncts(&program.store, guard);
        let mut found = Vec::new();
        for part in self.parts(&program.store, &guard, before.iter().chain(&behind)) {
            if let Some(core) = self.core(&program.store, part)? {
                found.push(Contradiction {
                    before: pick(&core, &before, &[]),
                    behind: pick(&core, &behind, &[&before]),
                });
            }
        }
        Ok(found)
    }

    /// The parts of a step that say something about predicates.
    pub fn parts<'l>(
        &mut self,
        store: &Store,
        guard: &[Term],
        literals: impl Iterator<Item = &'l Literal>,
    ) -> Vec<Part> {
        let mut parts = Parts::default();
        for &conjunct in guard {
            let symbols = self.free.of(store, conjunct);
            parts.joined(&symbols).guard.insert(conjunct);
        }
        for &(_, term) in literals.filter(|(_, term)| store.truth(*term) != Some(true)) {
            let symbols = self.free.of(store, term);
            parts.joined(&symbols).literals.insert(term);
        }
        parts.parts.into_values().filter(|part| !part.literals.is_empty()).collect()
    }

    /// The literals of a part that contradict each other.
    pub fn core(&mut self, store: &Store, part: Part) -> Result<Option<Vec<Term>>, Stop> {
        if let Some(known) = self.known.get(&part) {
            return Ok(known.clone());
        }
        self.solver.push();
        for &conjunct in &part.guard {
            self.solver.assert(store, conjunct);
        }
        let literals: Vec<Term> = part.literals.iter().copied().collect();
        let core = smallest(&mut self.solver, store, literals);
        self.solver.pop();
        let core = core?;
        self.known.insert(part, core.clone());
        Ok(core)
    }
}

/// Parts that grow together.
#[derive(Default)]
struct Parts {
    owners: FxHashMap<Symbol, usize>,
    parts: BTreeMap<usize, Part>,
    next: usize,
}

impl Parts {
    /// The part that has these symbols; parts that share them become one.
    fn joined(&mut self, symbols: &BTreeSet<Symbol>) -> &mut Part {
        let old: BTreeSet<usize> =
            symbols.iter().filter_map(|symbol| self.owners.get(symbol).copied()).collect();
        let mut whole = Part::default();
        for number in &old {
            let part = self.parts.remove(number).expect("owners have parts");
            whole.guard.extend(part.guard);
            whole.literals.extend(part.literals);
        }
        let number = self.next;
        self.next += 1;
        if !old.is_empty() {
            self.owners.values_mut().filter(|owner| old.contains(owner)).for_each(|owner| *owner = number);
        }
        self.owners.extend(symbols.iter().map(|&symbol| (symbol, number)));
        self.parts.entry(number).or_insert(whole)
    }
}

fn is_global(precision: &Precision, id: PredicateId) -> bool {
    precision.predicates[id].scope == PredicateScope::Global
}

/// The values that a core is made of. What is so at an earlier time is told there.
pub(super) fn pick(core: &[Term], literals: &[Literal], earlier: &[&[Literal]]) -> Values {
    let told = |term: Term| earlier.iter().any(|literals| literals.iter().any(|&(_, other)| other == term));
    let wanted = |&&(_, term): &&Literal| core.contains(&term) && !told(term);
    let mut values: Values = literals.iter().filter(wanted).map(|&(value, _)| value).collect();
    values.sort_unstable();
    values
}

/// What values of predicates mean before a step.
pub(super) fn literals(
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

/// The literals that contradict each other, none of which can be left out; none if they do not.
fn smallest(solver: &mut Solver, store: &Store, literals: Vec<Term>) -> Result<Option<Vec<Term>>, Stop> {
    let Answer::Unsat { mut core } = solver.check_assuming(store, &literals)? else { return Ok(None) };
    let mut next = 0;
    while next < core.len() {
        let mut fewer = core.clone();
        fewer.remove(next);
        match solver.check_assuming(store, &fewer)? {
            Answer::Unsat { core: smaller } => core = smaller,
            Answer::Sat(_) | Answer::Unknown(_) => next += 1,
        }
    }
    Ok(Some(core))
}
