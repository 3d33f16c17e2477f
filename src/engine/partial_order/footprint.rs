//! What statements touch [Bas10, tables 6.1 and 6.2]: footprints of locations.
//!
//! A *resource* is anything through which threads can influence each other: a shared variable; a local variable that
//! broadcasts name; the frames of a procedure that broadcasts look at; the number of threads. A footprint is a set of
//! resources that are read and one of those that are written. Two footprints conflict if one writes what the other
//! touches. To have no more than these two sets, a resource that only conflicts across a broadcast is read by the
//! threads that use their own copy and written by the broadcast, whatever it does: own uses do not conflict with each
//! other. Likewise a thread that ends reads the number of threads, and one that starts another writes it: at the bound
//! a start does nothing, so that its effect depends on who has ended.
//!
//! In table 6.2 `assume` and `constrain` count as writes, since they restrict a symbolic state and with it the other
//! threads. Here a reduction is chosen for every concrete state (the states in which a statement blocks are split off,
//! see [`Blocking`](super::blocking::Blocking)), so that they are reads.

use crate::boolean::cfg::{ProcedureId, Program, VariableId};
use crate::boolean::dataflow::set::IdSet;
use crate::ground::index::{Index, IndexVec};
use crate::index_types;
use crate::system::template::{Atomicity, Cell, Expression, Location, LocationId, Step, Template};
use indexmap::IndexSet;

index_types! {
    /// Something through which threads can influence each other.
    Resource,
}

/// What is read and what is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Footprint {
    reads: IdSet<Resource>,
    writes: IdSet<Resource>,
}

impl Footprint {
    fn new(resources: usize) -> Self {
        Self { reads: IdSet::new(resources), writes: IdSet::new(resources) }
    }

    /// Whether one writes what the other touches.
    pub fn conflicts(&self, other: &Self) -> bool {
        self.writes.meets(&other.writes) || self.writes.meets(&other.reads) || self.reads.meets(&other.writes)
    }

    /// Whether no other thread can notice, nor be noticed.
    pub fn is_private(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty()
    }

    /// Adds what another footprint touches; tells whether something is new.
    pub fn include(&mut self, other: &Self) -> bool {
        // Both are to be added.
        self.reads.union_with(&other.reads) | self.writes.union_with(&other.writes)
    }
}

/// The numbers of the resources.
struct Resources<'p> {
    program: &'p Program,
    template: &'p Template,
    heard: IndexSet<VariableId>,
    audiences: IndexSet<ProcedureId>,
}

/// The footprints of all locations.
pub struct Footprints {
    /// Of the steps and checks of a location; of a whole atomic section, where one is entered.
    pub now: IndexVec<LocationId, Footprint>,
    /// Of everything a thread at a location may ever do, the threads that it starts included.
    pub ever: IndexVec<LocationId, Footprint>,
}

impl Footprints {
    /// The footprints of a template of a program.
    pub fn new(program: &Program, template: &Template) -> Self {
        let resources = Resources::new(program, template);
        let own: IndexVec<LocationId, Footprint> =
            template.locations.iter().map(|location| resources.location(location)).collect();
        let held = |id: LocationId| template.locations[id].atomicity == Atomicity::Held;
        let targets = |id: LocationId| template.locations[id].steps.iter().filter_map(|step| step.target);
        let now = closure(template, own.clone(), |id| targets(id).filter(|&target| held(target)).collect());
        let present = template.locations.enumerate().map(|(id, location)| {
            let mut all = own[id].clone();
            resources.frames(location).for_each(|frame| _ = all.reads.insert(frame));
            all
        });
        let ever = closure(template, present.collect(), |id| successors(template, id).collect());
        Self { now, ever }
    }
}

/// Where a thread at a location, or a thread that it starts, may be next.
pub fn successors(template: &Template, id: LocationId) -> impl Iterator<Item = LocationId> {
    let steps = template.locations[id].steps.iter();
    steps.flat_map(|step| step.target.into_iter().chain(step.starts.as_ref().map(|start| start.location)))
}

/// The least footprints that include those of what follows.
fn closure(
    template: &Template,
    mut all: IndexVec<LocationId, Footprint>,
    follows: impl Fn(LocationId) -> Vec<LocationId>,
) -> IndexVec<LocationId, Footprint> {
    let follows: IndexVec<LocationId, Vec<LocationId>> = template.locations.ids().map(follows).collect();
    let mut before: IndexVec<LocationId, Vec<LocationId>> = IndexVec::filled(Vec::new(), all.len());
    for (id, next) in follows.enumerate() {
        next.iter().for_each(|&next| before[next].push(id));
    }
    let mut work: Vec<LocationId> = template.locations.ids().collect();
    while let Some(id) = work.pop() {
        let here = all[id].clone();
        for &earlier in &before[id] {
            if all[earlier].include(&here) {
                work.push(earlier);
            }
        }
    }
    all
}

impl<'p> Resources<'p> {
    fn new(program: &'p Program, template: &'p Template) -> Self {
        let heard = program.variables.enumerate().filter(|(_, variable)| variable.passive);
        let heard = heard.map(|(id, _)| id).collect();
        let mut audiences = IndexSet::new();
        for location in template.locations.iter() {
            audiences.extend(location.steps.iter().filter_map(|step| step.audience));
            audiences.extend(location.checks.iter().filter_map(|check| check.audience));
        }
        Self { program, template, heard, audiences }
    }

    fn count(&self) -> usize {
        self.template.shared + self.heard.len() + self.audiences.len() + 1
    }

    fn threads(&self) -> Resource {
        Resource::new(self.count() - 1)
    }

    fn variable(&self, variable: VariableId) -> Option<Resource> {
        let number = self.heard.get_index_of(&variable)?;
        Some(Resource::new(self.template.shared + number))
    }

    fn frames_of(&self, procedure: ProcedureId) -> Option<Resource> {
        let number = self.audiences.get_index_of(&procedure)?;
        Some(Resource::new(self.template.shared + self.heard.len() + number))
    }

    /// The frames of a location that broadcasts look at.
    fn frames(&self, location: &Location) -> impl Iterator<Item = Resource> {
        location.frames.iter().filter_map(|frame| self.frames_of(frame.procedure))
    }

    fn location(&self, location: &Location) -> Footprint {
        let mut all = Footprint::new(self.count());
        for check in &location.checks {
            self.read(&mut all, location, check.audience, &check.condition);
            self.address(&mut all, check.audience);
        }
        if let Some(enforce) = &location.enforce {
            self.read(&mut all, location, None, enforce);
        }
        location.steps.iter().for_each(|step| self.step(&mut all, location, step));
        all
    }

    fn step(&self, all: &mut Footprint, location: &Location, step: &Step) {
        // The target's frames are those of the location, one less, or one more, whose slots are written.
        let target = step.target.map(|target| &self.template.locations[target]);
        let widest = target.filter(|target| target.frames.len() > location.frames.len()).unwrap_or(location);
        let values = step.writes.iter().filter_map(|write| write.value.as_ref());
        for expression in step.assume.iter().chain(&step.constrain).chain(values) {
            self.read(all, widest, step.audience, expression);
        }
        step.writes.iter().for_each(|write| self.touch(all, widest, step.audience, write.cell, Use::Write));
        self.address(all, step.audience);
        if let Some(start) = &step.starts {
            all.writes.insert(self.threads());
            start.slots.iter().flatten().for_each(|value| self.read(all, location, None, value));
            let frames = self.frames(&self.template.locations[start.location]);
            frames.for_each(|frame| _ = all.reads.insert(frame));
        }
        if step.target.is_none() {
            all.reads.insert(self.threads());
        }
        if target.is_none_or(|target| target.frames.len() != location.frames.len()) {
            let frames = target.into_iter().chain([location]).flat_map(|location| self.frames(location));
            frames.for_each(|frame| _ = all.reads.insert(frame));
        }
    }

    /// A broadcast depends on who is there to hear it.
    fn address(&self, all: &mut Footprint, audience: Option<ProcedureId>) {
        if let Some(frames) = audience.and_then(|procedure| self.frames_of(procedure)) {
            all.writes.insert(frames);
        }
    }

    fn read(
        &self,
        all: &mut Footprint,
        location: &Location,
        audience: Option<ProcedureId>,
        expression: &Expression,
    ) {
        let cells = expression.variables().map(|place| place.cell);
        cells.for_each(|cell| self.touch(all, location, audience, cell, Use::Read));
    }

    fn touch(
        &self,
        all: &mut Footprint,
        location: &Location,
        audience: Option<ProcedureId>,
        cell: Cell,
        use_: Use,
    ) {
        match (cell, use_) {
            (Cell::Shared(variable), Use::Read) => _ = all.reads.insert(Resource::new(variable)),
            (Cell::Shared(variable), Use::Write) => _ = all.writes.insert(Resource::new(variable)),
            (Cell::Slot(slot), _) => {
                if let Some(own) = self.owner(location, slot).and_then(|variable| self.variable(variable)) {
                    all.reads.insert(own);
                }
            }
            (Cell::Passive(position), _) => {
                let procedure = audience.expect("passive copies have a procedure");
                let variable = self.program.procedures[procedure].locals[position];
                if let Some(copy) = self.variable(variable) {
                    all.writes.insert(copy);
                }
            }
        }
    }

    /// The variable in a slot.
    fn owner(&self, location: &Location, slot: usize) -> Option<VariableId> {
        let frame = location.frames.iter().rfind(|frame| frame.base <= slot)?;
        self.program.procedures[frame.procedure].locals.get(slot - frame.base).copied()
    }
}

/// How a cell is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Read,
    Write,
}
