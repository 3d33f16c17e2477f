//! Listens to the loop, and keeps what a saved run tells of each iteration.
//!
//! What the loop tells is about its model of that moment, which the next stage replaces. So everything becomes text here, at
//! once, and is found again by number.

use super::difference::difference;
use super::invariants::invariants;
use super::tables::{Numbers, Tables};
use super::{Constraint, Hunk, Invariant, Iteration, PathStep, Study, budget};
use crate::abstraction::Goal;
use crate::boolean::print::print;
use crate::cegar::{self, Abstracted, Finding, Outcome, Proven, Violation};
use crate::ground::verdict::Verdict;
use crate::path::{Position, guard_conjuncts};
use crate::predicate::{Exclusion, Precision, PredicateId, Transition};
use crate::program::names::ProgramNames;
use crate::program::{EdgeId, ProcedureId, Program};
use crate::refine::Refinement;
use crate::report::shortened;
use crate::report::verify::violations;
use indexmap::IndexMap;
use std::collections::BTreeSet;

/// Keeps what the loop tells.
#[derive(Default)]
pub struct Recorder {
    pub(super) tables: Tables,
    pub(super) iterations: Vec<Iteration>,
    pub(super) invariants: Vec<Invariant>,
    /// The statements that runs take, by the ids of the properties that they violate.
    pub(super) ways: IndexMap<String, Vec<usize>>,
    pub(super) left_out: Vec<String>,
    /// The lines of the last Boolean program,
    program: Vec<String>,
    /// and what the programs take so far; none once there was no room for one.
    programs: Option<usize>,
    /// What paths take so far.
    paths: usize,
    begun: bool,
}

impl Recorder {
    /// The Boolean program of an iteration.
    pub fn abstraction(&mut self, iteration: usize, made: &Abstracted<'_>) {
        let names = ProgramNames::new(made.program);
        let mut numbers = Numbers::default();
        let ids = made.precision.predicates.ids();
        let tables = &mut self.tables;
        let predicates = ids.map(|id| tables.predicate(&names, &mut numbers, made.precision, id)).collect();
        let program = self.kept_program(iteration, &print(&made.abstraction.program));
        self.iterations.resize_with(iteration + 1, Iteration::default);
        self.iterations[iteration] = Iteration { predicates, program, ..Iteration::default() };
    }

    /// A Boolean program as a difference to the one before, if there is room.
    fn kept_program(&mut self, iteration: usize, text: &str) -> Option<Vec<Hunk>> {
        let used = if self.begun { self.programs? } else { 0 };
        self.begun = true;
        let new: Vec<&str> = text.lines().collect();
        let old: Vec<&str> = self.program.iter().map(String::as_str).collect();
        let hunks = difference(&old, &new);
        let size: usize = hunks.iter().flat_map(|Hunk(.., lines)| lines).map(|line| line.len() + 4).sum();
        self.programs = Some(used + size).filter(|&used| used <= budget::PROGRAMS);
        if self.programs.is_none() {
            let text =
                format!("Boolean programs from iteration {iteration} on (--save-iterations writes all)");
            self.left_out.push(text);
            return None;
        }
        self.program = new.into_iter().map(str::to_owned).collect();
        Some(hunks)
    }

    /// What was made of a counterexample.
    pub fn studied(&mut self, iteration: usize, study: &cegar::Study<'_>) {
        let names = ProgramNames::new(study.program);
        let mut studying =
            Studying { tables: &mut self.tables, names: &names, numbers: Numbers::default(), study };
        let mut told = studying.told();
        let room = budget::PATHS - self.paths;
        told.path = (4 * study.path.len() <= room).then(|| studying.path()).filter(|path| size(path) <= room);
        match &told.path {
            Some(path) => self.paths += size(path),
            None => self.leave_out("some counterexamples of Boolean programs"),
        }
        if let Some(entry) = self.iterations.get_mut(iteration) {
            entry.studies.push(told);
        }
    }

    fn leave_out(&mut self, what: &str) {
        if !self.left_out.iter().any(|known| known == what) {
            self.left_out.push(what.to_owned());
        }
    }

    /// A proof stands. A later one about the same location counts.
    pub fn proven(&mut self, proven: &Proven<'_>) {
        let new = invariants(proven);
        let about: BTreeSet<(&str, &str)> = new.iter().map(place_of).collect();
        self.invariants.retain(|known| !about.contains(&place_of(known)));
        self.invariants.extend(new);
    }

    /// Violations were found: their ways through the model are noted, as long as this is the model.
    pub fn violated(&mut self, program: &Program, outcome: &Outcome) {
        let names = ProgramNames::new(program);
        let mut numbers = Numbers::default();
        for (property, violation) in violations(outcome) {
            let id = &program.properties[property].id;
            if !self.ways.contains_key(id) {
                let Violation { path, .. } = violation;
                let edges = path.iter().filter(|step| !step.returns);
                let way = edges
                    .map(|step| self.tables.edge(&names, &mut numbers, step.procedure, step.edge))
                    .collect();
                self.ways.insert(id.clone(), way);
            }
        }
    }
}

fn place_of(invariant: &Invariant) -> (&str, &str) {
    (&invariant.procedure, &invariant.location)
}

/// How many numbers a path takes.
fn size(path: &[PathStep]) -> usize {
    path.iter().map(|PathStep(.., values)| 3 + values.len()).sum()
}

/// A counterexample that is being told.
struct Studying<'a> {
    tables: &'a mut Tables,
    names: &'a ProgramNames<'a>,
    numbers: Numbers,
    study: &'a cegar::Study<'a>,
}

impl Studying<'_> {
    /// Everything but the path.
    fn told(&mut self) -> Study {
        let program = self.study.program;
        let violates = match self.study.goal {
            Goal::Property(property) => program.properties[property].id.clone(),
            Goal::Unsupported(procedure, edge) => {
                format!("what is not modelled: {}", self.edge_text(procedure, edge))
            }
        };
        let (found, refinement) = match self.study.finding {
            Finding::Decided(verdict) => {
                return Study { violates, result: decided(verdict), ..Study::default() };
            }
            Finding::NoRun(found, refinement) => (found, refinement),
        };
        let contradictions =
            found.cores.iter().take(budget::CONTRADICTIONS).map(|core| self.contradiction(core)).collect();
        let told = Study { violates, prefix: Some(found.prefix), contradictions, ..Study::default() };
        self.refined(told, refinement)
    }

    fn refined(&mut self, told: Study, refinement: &Refinement) -> Study {
        match refinement {
            Refinement::Steps(wrong) => {
                let count = wrong.len();
                let excluded = self.excluded(wrong);
                Study { excluded, result: counted(count, "step excluded", "steps excluded"), ..told }
            }
            Refinement::Predicates(new) => {
                let add = |new| self.tables.add(self.names, new, Vec::new());
                let predicates: Vec<usize> = new.iter().map(add).collect();
                let result = counted(predicates.len(), "new predicate", "new predicates");
                Study { predicates, result, ..told }
            }
            Refinement::NoProgress(why) | Refinement::Repeated(why) => {
                Study { result: format!("nothing new: {why}"), ..told }
            }
        }
    }

    fn edge_text(&mut self, procedure: ProcedureId, edge: EdgeId) -> String {
        let edge = &self.study.program.procedures[procedure].edges[edge];
        let text = crate::program::text::action_text(self.names, &edge.action);
        let place = edge.places.first().map(|&place| self.study.program.place_text(place));
        let text = shortened(text, budget::STATEMENT);
        place.map_or(text.clone(), |place| format!("{place}: {text}"))
    }

    fn contradiction(&self, core: &[Position]) -> Vec<Constraint> {
        core.iter().take(budget::CONSTRAINTS).filter_map(|&position| self.constraint(position)).collect()
    }

    fn constraint(&self, position: Position) -> Option<Constraint> {
        let (program, step) = (self.study.program, self.study.path.get(position.step)?);
        let edge = &program.procedures[step.procedure].edges[step.edge];
        let term = *guard_conjuncts(&program.store, edge).get(position.conjunct)?;
        Some(Constraint { step: position.step, text: shortened(self.names.term(term), budget::PREDICATE) })
    }

    /// Steps that no state takes, in words.
    fn excluded(&mut self, wrong: &[((ProcedureId, EdgeId), Exclusion)]) -> Vec<String> {
        let told = wrong.iter().take(budget::EXCLUDED);
        told.map(|((procedure, edge), step)| {
            let before: Vec<_> = step.before.iter().chain(&step.other).copied().collect();
            let text = self.step_text(*procedure, *edge, &before, &step.behind);
            match step.transition {
                Transition::Edge | Transition::Return => text,
                Transition::Heard(_) => format!("{text}, in another thread"),
            }
        })
        .collect()
    }

    fn step_text(
        &mut self,
        procedure: ProcedureId,
        edge: EdgeId,
        before: &[(PredicateId, bool)],
        behind: &[(PredicateId, bool)],
    ) -> String {
        let (before, behind) = (self.values(before), self.values(behind));
        format!("{}: never from {before} to {behind}", self.edge_text(procedure, edge))
    }

    /// The values of some predicates: `x == 0 and y != 1`.
    fn values(&self, values: &[(PredicateId, bool)]) -> String {
        let precision: &Precision = self.study.precision;
        let literal = |&(id, value): &(PredicateId, bool)| {
            let text = self.names.term(precision.predicates[id].term);
            let text = if value { text } else { super::invariants::negated(&text) };
            shortened(text, budget::PREDICATE)
        };
        let parts: Vec<String> = values.iter().map(literal).collect();
        if parts.is_empty() { "any state".to_owned() } else { parts.join(" and ") }
    }

    /// The steps. A predicate is told only where its value is another one than its thread was last told.
    fn path(&mut self) -> Vec<PathStep> {
        let mut known: IndexMap<(usize, PredicateId), bool> = IndexMap::new();
        let mut path = Vec::new();
        for step in self.study.path {
            let statement = self.tables.edge(self.names, &mut self.numbers, step.procedure, step.edge);
            let mut values = Vec::new();
            for &(id, value) in &step.behind {
                if known.insert((step.thread, id), value) != Some(value) {
                    let number =
                        self.tables.predicate(self.names, &mut self.numbers, self.study.precision, id);
                    values.push(2 * number + usize::from(value));
                }
            }
            path.push(PathStep(step.thread, statement, u8::from(step.returns), values));
        }
        path
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn decided(verdict: Option<&Verdict<Violation>>) -> String {
    match verdict {
        Some(Verdict::Violated(_)) => "there is a run: the machine has made it".to_owned(),
        Some(Verdict::Unknown(reason)) => format!("given up: {reason}"),
        Some(Verdict::Holds) | None => {
            "there may be a run, because something was sliced away or is not modelled".to_owned()
        }
    }
}
