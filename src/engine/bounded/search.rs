//! Stages with larger and larger bounds [Bas10, figure 4.8].
//!
//! A stage first looks for violations, and then for a proof, which costs more and is left out of the first stages. In both, callees begin closed: they may do
//! anything. A violation that goes through a closed procedure opens it, and the stage begins again. If there is no
//! violation and no run was cut, there is none: closed procedures only add runs. A search that follows one of a similar
//! program begins where that one ended (`kept`).

use super::encode::Encoder;
use super::facts::Facts;
use super::formula::Formula;
use super::kept::Kept;
use super::proof::{self, Keep};
use super::read::{Reading, read};
use super::stage::{Mode, Stage};
use crate::boolean::cfg::{ProcedureId, PropertyId};
use crate::engine::Answer;
use crate::ground::event::{Event, Statistics};
use crate::ground::reason::{Defect, Reason, Stop};
use crate::ground::run::Run;
use crate::sat::{self, Effort};
use std::collections::{BTreeMap, BTreeSet};

/// How many stages look for violations only: proofs cost more, and most questions of a refinement loop have a violation.
const BEFORE_PROOFS: u32 = 2;
/// How often a loop is unrolled in the first search for a proof.
const UNROLLINGS: usize = 16;
/// How many rounds recursion gets in the first search for a proof.
const ROUNDS: usize = 8;
/// How many instances a check for a fixed point may need in the first search for a proof.
const INSTANCES: usize = 32;

/// The bounds of a stage.
fn mode(stage: u32, prove: bool, tries: u32) -> Mode {
    let (unrollings, nesting, instances) = if prove {
        (UNROLLINGS << stage, ROUNDS << stage, INSTANCES << stage)
    } else {
        (1 << stage, 1 + stage as usize, 0)
    };
    Mode { unrollings, nesting, prove, instances, tries }
}

/// A search, and what it has found.
pub struct Search<'p> {
    facts: &'p Facts<'p>,
    run: Run<'p>,
    opened: BTreeSet<ProcedureId>,
    open: BTreeSet<PropertyId>,
    /// The properties with an answer.
    pub found: BTreeMap<PropertyId, Answer>,
    figures: Figures,
    /// Who gets the proof, if somebody wants it.
    keep: Option<&'p mut Keep<'p>>,
    /// The bounds of the last search for violations that was made to its end.
    complete: Option<Mode>,
    /// What the search before left.
    before: Kept,
    /// The stage of the first violation.
    violated: Option<u32>,
    /// What is left to the next search, once everything is decided.
    pub kept: Option<Kept>,
}

#[derive(Default)]
struct Figures {
    unrollings: u64,
    nodes: u64,
    questions: u64,
    instances: u64,
    stages: u64,
}

/// How an attempt ended.
enum Attempt {
    /// Everything has its answer, or there is no further violation.
    Done,
    /// These procedures are to be opened.
    Open(BTreeSet<ProcedureId>),
    /// Runs were cut.
    Cut,
}

impl<'p> Search<'p> {
    /// A search for violations of what is asked about, after one that left something.
    pub fn new(facts: &'p Facts<'p>, before: Kept, run: Run<'p>) -> Self {
        let opened = BTreeSet::from([facts.program.entry]);
        let open = facts.asked.iter().copied().collect();
        let (found, figures) = (BTreeMap::new(), Figures::default());
        let (keep, complete, violated, kept) = (None, None, None, None);
        let mut search =
            Self { facts, run, opened, open, found, figures, keep, complete, before, violated, kept };
        let opened = search.with_components(search.before.opened(facts));
        search.opened.extend(opened);
        search
    }

    /// The search with its proof handed out.
    pub fn handing_out(self, keep: &'p mut Keep<'p>) -> Self {
        Self { keep: Some(keep), ..self }
    }

    /// Searches in at most so many stages; returns the answer on everything that has none yet.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn run(&mut self, stages: u32, tries: u32) -> Result<Answer, Stop> {
        for stage in self.before.first_stage(stages)..stages {
            let proof = stage.checked_sub(BEFORE_PROOFS).filter(|_| self.facts.is_cyclic());
            let modes = [Some(mode(stage, false, 0)), proof.map(|stage| mode(stage, true, tries))];
            for mode in modes.into_iter().flatten() {
                let text = format!("up to {} unrollings, {} open", mode.unrollings, self.open.len());
                self.run.observer.event(Event::Progress(text));
                let open = self.open.len();
                let decided = self.decides(mode);
                if self.open.len() < open {
                    self.violated.get_or_insert(stage);
                }
                match decided {
                    Ok(true) => {
                        let stage = self.violated.unwrap_or(stage);
                        self.kept = Some(Kept::new(self.facts, &self.opened, stage));
                        return Ok(Answer::Unreachable);
                    }
                    Ok(false) if !mode.prove => self.complete = Some(mode),
                    Ok(false) => {}
                    Err(stop) => return self.bounded(stop),
                }
            }
        }
        Ok(self.bounded_to().expect("there is a stage"))
    }

    /// The answer where a bound of our own ends the search: how far it got. A limit of the user is told as that.
    fn bounded(&self, stop: Stop) -> Result<Answer, Stop> {
        match (stop, self.bounded_to()) {
            (Stop::Bound(_), Some(answer)) => Ok(answer),
            (stop, _) => Err(stop),
        }
    }

    /// The bounds within which no run violates what is open, if there are any.
    fn bounded_to(&self) -> Option<Answer> {
        self.complete.map(|mode| {
            let (unrollings, nesting) = (mode.unrollings as u64, mode.nesting as u64);
            Answer::Unknown(Reason::BoundedTo { unrollings, nesting })
        })
    }

    /// Whether everything is decided within some bounds.
    fn decides(&mut self, mode: Mode) -> Result<bool, Stop> {
        loop {
            match self.attempt(mode)? {
                Attempt::Done => return Ok(true),
                Attempt::Open(procedures) => self.opened.extend(procedures),
                Attempt::Cut => return Ok(false),
            }
        }
    }

    fn attempt(&mut self, mode: Mode) -> Result<Attempt, Stop> {
        let opened = self.opened.clone();
        let mut stage = Stage::new(self.facts, mode, &opened, &self.open, self.run.limits);
        let mut encoder = Encoder::default();
        let end = self.question(&mut stage, &mut encoder);
        let figures = &mut self.figures;
        figures.stages += 1;
        figures.unrollings = figures.unrollings.max(stage.unrollings as u64);
        figures.nodes = figures.nodes.max(stage.store.len() as u64);
        figures.questions += encoder.questions + stage.covering.questions;
        figures.instances += stage.covering.instances;
        if let (Ok(Attempt::Done), Some(keep), Some(summary)) = (&end, &mut self.keep, stage.of_entry())
            && !self.open.is_empty()
        {
            proof::hand_out(&stage, summary, keep)?;
        }
        end
    }

    fn question(&mut self, stage: &mut Stage<'_>, encoder: &mut Encoder) -> Result<Attempt, Stop> {
        let summary = stage.summarise()?;
        while self.is_possible(stage, encoder, summary.outcome.failed)? {
            let values = encoder.true_inputs(&stage.store);
            match read(&stage.store, self.facts.program, &summary, values) {
                Reading::Closed(procedures) => return Ok(Attempt::Open(self.with_components(procedures))),
                Reading::Trace(trace) => {
                    let property = trace.property;
                    self.answer(stage, property, Answer::Reachable(trace));
                    if stage.mode.prove && !self.open.is_empty() {
                        // What was found to be covered was so with this property asked about.
                        return Ok(Attempt::Open(BTreeSet::new()));
                    }
                }
                Reading::Broken(what) => {
                    let text = format!("the counterexample cannot be read back: {what}");
                    let answer = Answer::Unknown(Defect::ReplayMismatch(text).into());
                    let open: Vec<PropertyId> = self.open.iter().copied().collect();
                    open.into_iter().for_each(|property| self.answer(stage, property, answer.clone()));
                }
            }
            if self.open.is_empty() {
                return Ok(Attempt::Done);
            }
        }
        if !self.is_possible(stage, encoder, summary.cut)? {
            return Ok(Attempt::Done);
        }
        if stage.mode.prove && !summary.closed.is_empty() {
            return Ok(Attempt::Open(self.with_components(summary.closed.clone())));
        }
        Ok(Attempt::Cut)
    }

    /// Whether a run makes a formula true, in which only open properties are asked about.
    fn is_possible(&self, stage: &Stage<'_>, encoder: &mut Encoder, formula: Formula) -> Result<bool, Stop> {
        if formula == Formula::FALSE {
            return Ok(false);
        }
        let mut question = stage.switches();
        question.push(formula);
        let answer = encoder.ask(&stage.store, &question, Effort::Unbounded, self.run.limits)?;
        Ok(answer == sat::Answer::Satisfiable)
    }

    fn answer(&mut self, stage: &mut Stage<'_>, property: PropertyId, answer: Answer) {
        self.open.remove(&property);
        stage.answered(property);
        self.found.insert(property, answer);
    }

    /// Recursive procedures are opened together with those that they call and that call them.
    fn with_components(&self, procedures: BTreeSet<ProcedureId>) -> BTreeSet<ProcedureId> {
        let calls = &self.facts.calls;
        let members = |procedure| calls.components()[calls.component_of(procedure)].iter().copied();
        procedures.into_iter().flat_map(members).collect()
    }

    /// The figures of the search.
    pub fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        let all = self.facts.program.procedures.len();
        statistics.add("attempts", self.figures.stages);
        statistics.add("unrollings", self.figures.unrollings);
        statistics.add("formula nodes", self.figures.nodes);
        statistics.add("SAT questions", self.figures.questions);
        statistics.add("instances", self.figures.instances);
        statistics.add("procedures opened", self.opened.len() as u64);
        statistics.add("procedures never opened", (all - self.opened.len()) as u64);
        statistics
    }
}
