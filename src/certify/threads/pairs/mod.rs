//! The abstract runs, two threads at a time.
//!
//! For each value of what threads share: which threads can be there, and which two of them at once. A step of one thread
//! with another beside it gives the two behind the step; two others are still there together if each of them can be
//! there with the one that moved. The least set that is closed under that holds all that any number of threads can
//! do, and perhaps more: then a violation may be in it that no run has.
//!
//! Threads that have ended are dropped; so are those that can never move again, unless nobody can move because of them.
//! Behind the end of the first thread there is nothing.

mod outcomes;
mod row;
mod state;
mod table;

use super::meaning::{Meanings, Place};
use super::relation::{Relation, Relations, Statement, Variable};
use super::sections::Sections;
use super::start::Start;
use super::{Claim, Failure, outgoing};
use crate::ground::index::IndexVec;
use crate::ground::limits::Limits;
use crate::program::{Action, EdgeId, LocationId, ProcedureId, Program, PropertyId};
use outcomes::{Moment, Step};
use rustc_hash::{FxHashMap, FxHashSet};
use state::{Control, Layout, Numbers, Thread};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use table::Table;

/// So many steps are followed at most.
const MOST: u64 = 3_000_000;

/// A step of a thread.
#[derive(Clone)]
struct Transition {
    /// What is shared then.
    control: usize,
    /// The thread that moved, unless it has ended.
    moved: Option<usize>,
    /// A thread that it started.
    started: Option<usize>,
    /// How it concerns other threads, by number, if it does.
    concerns: Option<usize>,
}

/// The search.
pub(super) struct Pairs<'c, 'a> {
    program: &'a Program,
    relations: &'c Relations,
    layout: Layout<'c, 'a>,
    sections: Sections,
    outgoing: BTreeMap<ProcedureId, IndexVec<LocationId, Vec<EdgeId>>>,
    limits: Limits,
    controls: Numbers<Control>,
    threads: Numbers<Thread>,
    table: Table,
    transitions: FxHashMap<(usize, usize), Rc<[Transition]>>,
    /// Steps that concern other threads.
    concerns: Vec<(&'c Relation, Step)>,
    /// What they make of other threads.
    heard: FxHashMap<(usize, usize), Rc<[usize]>>,
    violated: BTreeSet<PropertyId>,
    unsupported: bool,
    work: u64,
}

impl<'c, 'a> Pairs<'c, 'a> {
    pub fn new(
        claim: Claim<'a>,
        meanings: &'c Meanings<'a>,
        relations: &'c Relations,
        limits: &Limits,
    ) -> Result<Self, Failure> {
        let procedures = &claim.program.procedures;
        let outgoing = meanings.templates.iter().map(|&id| (id, outgoing(&procedures[id]))).collect();
        Ok(Self {
            program: claim.program,
            relations,
            layout: Layout::new(claim, meanings)?,
            sections: Sections::of(claim.program, &meanings.templates)?,
            outgoing,
            limits: limits.clone(),
            controls: Numbers::default(),
            threads: Numbers::default(),
            table: Table::default(),
            transitions: FxHashMap::default(),
            concerns: Vec::new(),
            heard: FxHashMap::default(),
            violated: BTreeSet::new(),
            unsupported: false,
            work: 0,
        })
    }

    /// The properties that no abstract run violates; none if one gets to what is not modelled.
    pub fn proven(
        &mut self,
        starts: &[Start],
        properties: &BTreeSet<PropertyId>,
    ) -> Result<BTreeSet<PropertyId>, Failure> {
        for start in starts {
            let (mut shared, mut values) = (0, 0);
            for (&id, &value) in &start.values {
                self.layout.set(&mut shared, start.place, &mut values, Variable::Predicate(id), value);
            }
            let control = self.controls.of(Control { shared, held: false });
            let thread = self.layout.thread(start.place, values);
            let thread = self.threads.of(thread);
            self.table.add(control, thread);
        }
        let mut seen: Vec<u64> = Vec::new();
        let mut done: FxHashMap<(usize, usize), (u64, u64)> = FxHashMap::default();
        loop {
            let before: u64 = seen.iter().sum();
            let mut control = 0;
            while control < self.controls.all.len() && !self.unsupported {
                self.visit(control, &mut done)?;
                control += 1;
            }
            seen = (0..self.controls.all.len()).map(|control| self.table.crowd(control).version).collect();
            if self.unsupported || properties.is_subset(&self.violated) {
                return Ok(BTreeSet::new());
            }
            if seen.iter().sum::<u64>() == before {
                return Ok(properties.difference(&self.violated).copied().collect());
            }
        }
    }

    /// Lets every thread move that can, until nothing is new in this crowd.
    fn visit(
        &mut self,
        control: usize,
        done: &mut FxHashMap<(usize, usize), (u64, u64)>,
    ) -> Result<(), Failure> {
        loop {
            let version = self.table.crowd(control).version;
            let present: Vec<usize> = self.table.crowd(control).present.iter().collect();
            for thread in present {
                let crowd = self.table.crowd(control);
                let now = (crowd.version + 1, crowd.row_version(thread) + 1);
                let last = done.insert((control, thread), now).unwrap_or_default();
                if last.0 == now.0 {
                    continue;
                }
                for transition in self.transitions(control, thread)?.iter() {
                    let private = transition.control == control && transition.concerns.is_none();
                    if !private || last.1 != now.1 {
                        self.follow(control, thread, transition)?;
                    }
                }
            }
            if self.table.crowd(control).version == version {
                return Ok(());
            }
        }
    }

    /// Adds what comes of a step.
    fn follow(&mut self, control: usize, thread: usize, transition: &Transition) -> Result<(), Failure> {
        self.work += 1;
        if self.work > MOST {
            return Err(Failure::bound("too large: too many steps of pairs of threads"));
        }
        self.limits.check()?;
        let behind = transition.control;
        let row = self.table.crowd(control).row(thread).clone();
        let new: Vec<usize> = transition.moved.into_iter().chain(transition.started).collect();
        new.iter().for_each(|&new| self.table.add(behind, new));
        if let [left, right] = new[..] {
            self.table.pair(behind, left, right)?;
        }
        let Some(number) = transition.concerns else {
            for other in row.iter() {
                new.iter().try_for_each(|&new| self.table.pair(behind, new, other))?;
                if behind != control {
                    let both = self.table.crowd(control).row(other).both(&row);
                    self.table.extend(behind, other, &both)?;
                }
            }
            return Ok(());
        };
        for other in row.iter() {
            let changed = self.heard(number, other)?;
            for &one in &*changed {
                self.table.add(behind, one);
                new.iter().try_for_each(|&new| self.table.pair(behind, new, one))?;
            }
            let both = self.table.crowd(control).row(other).both(&row);
            for third in both.iter().filter(|&third| third >= other) {
                let thirds = self.heard(number, third)?;
                for &one in &*changed {
                    thirds.iter().try_for_each(|&two| self.table.pair(behind, one, two))?;
                }
            }
        }
        Ok(())
    }

    /// What a step makes of another thread.
    fn heard(&mut self, number: usize, thread: usize) -> Result<Rc<[usize]>, Failure> {
        if let Some(known) = self.heard.get(&(number, thread)) {
            return Ok(known.clone());
        }
        let (relation, step) = self.concerns[number];
        let Thread { place, values } = self.threads.all[thread];
        let found: FxHashSet<u128> = self.layout.other(relation, &step, place, values)?.into_iter().collect();
        let mut found: Vec<u128> = found.into_iter().collect();
        found.sort_unstable();
        let number_of = |values| self.threads.of(self.layout.thread(place, values));
        let found: Rc<[usize]> = found.into_iter().map(number_of).collect();
        self.heard.insert((number, thread), found.clone());
        Ok(found)
    }

    /// The steps of a thread.
    fn transitions(&mut self, control: usize, thread: usize) -> Result<Rc<[Transition]>, Failure> {
        if let Some(known) = self.transitions.get(&(control, thread)) {
            return Ok(known.clone());
        }
        let (Control { shared, held }, Thread { place, values }) =
            (self.controls.all[control], self.threads.all[thread]);
        let mut found = Vec::new();
        if !held || self.sections.contains(place) {
            let edges = self.outgoing[&place.0][place.1].clone();
            for edge in edges {
                self.edge(edge, Moment { shared, place, values }, &mut found)?;
            }
        }
        let found: Rc<[Transition]> = found.into();
        self.transitions.insert((control, thread), found.clone());
        Ok(found)
    }

    fn edge(&mut self, id: EdgeId, now: Moment, found: &mut Vec<Transition>) -> Result<(), Failure> {
        let template = now.place.0;
        let edge = &self.program.procedures[template].edges[id];
        let relations = self.relations;
        let statement = &relations[&(template, id)];
        let to = (template, edge.to);
        if matches!(edge.action, Action::Unsupported(_)) {
            self.unsupported = true;
            return Ok(());
        }
        if let Some(property) = edge.property {
            let possible = match statement {
                Statement::Step(relation) => self.layout.can_hold(&relation.constraints, &now),
                _ => true,
            };
            if possible {
                self.violated.insert(property);
            }
            return Ok(());
        }
        match statement {
            Statement::Step(relation) => {
                for step in self.layout.own(relation, now, to)? {
                    let concerns = !relation.others.is_empty() || !relation.about_others.is_empty();
                    let concerns = concerns.then(|| {
                        self.concerns.push((relation, step));
                        self.concerns.len() - 1
                    });
                    found.extend(self.arrive(step.behind, None, concerns));
                }
            }
            Statement::Start(values) => {
                let Action::Start { procedure, .. } = edge.action else { return Ok(()) };
                let entry = (procedure, self.program.procedures[procedure].entry);
                for started in self.started(entry, &now, values)? {
                    found.extend(self.arrive(Moment { place: to, ..now }, Some(started), None));
                }
            }
            Statement::Nothing if edge.action == Action::End => {}
            Statement::Nothing => found.extend(self.arrive(Moment { place: to, ..now }, None, None)),
        }
        Ok(())
    }

    /// A step that leads here; none if nothing comes after it.
    fn arrive(
        &mut self,
        behind: Moment,
        started: Option<usize>,
        concerns: Option<usize>,
    ) -> Option<Transition> {
        let place = behind.place;
        let exit = self.program.procedures[place.0].exit;
        if place == (self.program.entry, exit) {
            return None;
        }
        let held = self.sections.contains(place);
        let stuck = self.outgoing[&place.0][place.1].is_empty();
        if stuck && held {
            return None;
        }
        let control = self.controls.of(Control { shared: behind.shared, held });
        let thread = self.layout.thread(place, behind.values);
        let moved = (!stuck).then(|| self.threads.of(thread));
        Some(Transition { control, moved, started, concerns })
    }

    /// The ways in which a new thread can begin: what it is not given is arbitrary.
    fn started(
        &mut self,
        entry: Place,
        now: &Moment,
        given: &super::relation::Values,
    ) -> Result<Vec<usize>, Failure> {
        let mut found = BTreeSet::from([0]);
        for id in self.layout.meanings.tracked(entry) {
            let formula = given.iter().find(|(variable, _)| *variable == Variable::Predicate(id));
            let values = formula.map_or(crate::boolean::expression::Values::BOTH, |(_, formula)| {
                formula.values(|read| self.layout.value(now.shared, now.place, now.values, read.variable))
            });
            let bit = self.layout.bit(id);
            let with = |&values: &u128, value| if value { values | bit } else { values };
            found = values.iter().flat_map(|value| found.iter().map(move |it| with(it, value))).collect();
            if found.len() > 4_096 {
                return Err(Failure::bound("too large: a thread begins in too many ways"));
            }
        }
        let number = |values| self.threads.of(self.layout.thread(entry, values));
        Ok(found.into_iter().map(number).collect())
    }
}
