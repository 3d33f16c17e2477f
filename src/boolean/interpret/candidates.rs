//! The steps of a state, by trying out every choice.

use super::evaluate::{Audience, Place, Side};
use super::{Effect, Frame, Interpreter, Product, State, Successor};
use crate::boolean::cfg::{Copy, Expression, NodeId, Op, ProcedureId, Read, Target};
use crate::boolean::expression::Values;
use crate::ground::bits::Bits;

/// Lazily, states after a step; `None` for choices that a constraint forbids.
type States<'a> = Box<dyn Iterator<Item = Option<State>> + 'a>;

/// A parallel assignment.
#[derive(Clone, Copy)]
pub(super) struct Assignment<'a> {
    pub(super) targets: &'a [Target],
    pub(super) values: &'a [Expression],
    pub(super) constrain: Option<&'a Expression>,
}

impl<'a> Assignment<'a> {
    /// All variables it reads.
    pub(super) fn reads(self) -> impl Iterator<Item = &'a Read> {
        self.values.iter().chain(self.constrain).flat_map(Expression::variables)
    }

    /// The targets of one kind with their values.
    pub(super) fn of(self, copy: Copy) -> impl Iterator<Item = (&'a Target, &'a Expression)> {
        self.targets.iter().zip(self.values).filter(move |(target, _)| target.copy == copy)
    }
}

/// What one choice of an assignment writes.
#[derive(Clone, Copy)]
enum Slot<'a> {
    Own(&'a Target),
    Copy(Place, &'a Target),
}

impl Interpreter<'_> {
    /// The steps of a state, lazily, one item per combination of choices: `None` if a constraint forbids it.
    /// The same step may come more than once.
    pub fn candidates<'a>(&'a self, state: &'a State) -> impl Iterator<Item = Option<Successor>> + 'a {
        let threads = (0..state.threads.len()).filter(|&thread| self.may_run(state, thread));
        threads.flat_map(|thread| {
            let node = state.threads[thread].top().node;
            let (effect, states) = self.step(state, thread, node);
            states.map(move |state| state.map(|state| Successor { thread, node, state, effect }))
        })
    }

    /// What executing a node does, for every choice.
    fn step<'a>(&'a self, state: &'a State, thread: usize, node: NodeId) -> (Effect, States<'a>) {
        let moved = move || self.moved(state, thread);
        match &self.program.nodes[node].op {
            Op::Skip => (Effect::None, self.jump(state, thread, node)),
            Op::Assume(condition) | Op::Assert(condition, _) => {
                (Effect::None, only(self.can_pass(state, thread, condition).then(moved)))
            }
            Op::Assign { targets, values, constrain } => {
                let assignment = Assignment { targets, values, constrain: constrain.as_ref() };
                (Effect::None, self.assign(state, thread, assignment))
            }
            Op::Call { procedure, arguments, .. } => {
                (Effect::None, self.call(state, thread, *procedure, arguments))
            }
            Op::Return(values) => self.leave(state, thread, values),
            Op::StartLabel(_) | Op::StartThread { .. } if self.is_full(state) => {
                (Effect::Suppressed, only(Some(moved())))
            }
            Op::StartLabel(label) => {
                let frame = Frame { node: *label, locals: state.threads[thread].top().locals.clone() };
                (Effect::Started, only(Some(moved().with_thread(frame))))
            }
            Op::StartThread { procedure, arguments } => {
                let frames = self.frames(state, thread, *procedure, arguments);
                (Effect::Started, Box::new(frames.map(move |frame| Some(moved().with_thread(frame)))))
            }
            Op::EndThread => (Effect::Ended, only(Some(state.without_thread(thread)))),
            Op::AtomicBegin => (Effect::None, only(Some(State { atomic: Some(thread), ..moved() }))),
            Op::AtomicEnd => (Effect::None, only(Some(State { atomic: None, ..moved() }))),
        }
    }

    /// The state in which a thread has gone on to the only successor of its node.
    fn moved(&self, state: &State, thread: usize) -> State {
        let mut next = state.clone();
        let top = next.threads[thread].top_mut();
        top.node = self.successor_of(top.node);
        next
    }

    fn jump<'a>(&'a self, state: &'a State, thread: usize, node: NodeId) -> States<'a> {
        Box::new(self.program.nodes[node].successors.iter().map(move |&successor| {
            let mut next = state.clone();
            next.threads[thread].top_mut().node = successor;
            Some(next)
        }))
    }

    fn call<'a>(
        &'a self,
        state: &'a State,
        thread: usize,
        procedure: ProcedureId,
        arguments: &[Expression],
    ) -> States<'a> {
        Box::new(self.frames(state, thread, procedure, arguments).map(move |frame| {
            let mut next = state.clone();
            next.threads[thread].frames.push(frame);
            Some(next)
        }))
    }

    /// The first frames of a procedure called with these arguments: other locals are arbitrary.
    fn frames(
        &self,
        state: &State,
        thread: usize,
        procedure: ProcedureId,
        arguments: &[Expression],
    ) -> impl Iterator<Item = Frame> + use<> {
        let now = Side::of(state, thread);
        let mut sets: Vec<_> = arguments.iter().map(|argument| self.values(argument, now)).collect();
        sets.resize(self.frame_size(procedure), Values::BOTH);
        let node = self.program.procedures[procedure].entry;
        Product::new(sets).map(move |values| Frame { node, locals: values.into_iter().collect() })
    }

    /// Return: from a call, or from the first frame, which ends the thread.
    fn leave<'a>(&'a self, state: &'a State, thread: usize, values: &[Expression]) -> (Effect, States<'a>) {
        let Some(results) = self.results_of_caller(state, thread) else {
            return (Effect::Ended, only(Some(state.without_thread(thread))));
        };
        let now = Side::of(state, thread);
        let sets = values.iter().map(|value| self.values(value, now)).collect();
        let states = Product::new(sets).map(move |returned| {
            let mut next = state.clone();
            next.threads[thread].frames.pop();
            let mut next = self.moved(&next, thread);
            for (result, value) in results.iter().zip(returned) {
                if let Some(variable) = result {
                    self.write(&mut next, thread, *variable, value);
                }
            }
            Some(next)
        });
        (Effect::None, Box::new(states))
    }

    fn assign<'a>(&'a self, state: &'a State, thread: usize, assignment: Assignment<'a>) -> States<'a> {
        match self.audience(state, thread, assignment.reads(), assignment.targets) {
            Audience::Nobody => self.assign_facing(state, thread, assignment, vec![None]),
            Audience::Every(places) => {
                let places = places.into_iter().map(Some).collect();
                self.assign_facing(state, thread, assignment, places)
            }
            Audience::Imagined(variables) => {
                let own: Vec<_> = assignment.of(Copy::Own).map(|(target, _)| target.variable).collect();
                Box::new(Product::new(vec![Values::BOTH; own.len()]).map(move |choice| {
                    let mut next = self.moved(state, thread);
                    for (&variable, value) in own.iter().zip(choice) {
                        self.write(&mut next, thread, variable, value);
                    }
                    let mut copies = self.imagine(state, thread, &variables);
                    copies.any(|copy| self.fits(state, &next, thread, assignment, &copy)).then_some(next)
                }))
            }
        }
    }

    /// An assignment that must hold for every one of these copies (`None`: of no copy in particular).
    fn assign_facing<'a>(
        &'a self,
        state: &'a State,
        thread: usize,
        assignment: Assignment<'a>,
        places: Vec<Option<Place>>,
    ) -> States<'a> {
        let (slots, sets): (Vec<Slot<'a>>, Vec<Values>) =
            self.slots(state, thread, assignment, &places).into_iter().unzip();
        Box::new(Product::new(sets).map(move |choice| {
            let mut next = self.moved(state, thread);
            for (&slot, value) in slots.iter().zip(choice) {
                self.fill(&mut next, thread, slot, value);
            }
            let allowed = |constrain: &Expression| {
                places.iter().all(|&place| {
                    let now = side_facing(state, thread, place);
                    self.values_across(constrain, now, side_facing(&next, thread, place)).can_be_true
                })
            };
            assignment.constrain.is_none_or(allowed).then_some(next)
        }))
    }

    /// What is written, and the values each copy allows: an own target must suit all copies.
    fn slots<'a>(
        &self,
        state: &State,
        thread: usize,
        assignment: Assignment<'a>,
        places: &[Option<Place>],
    ) -> Vec<(Slot<'a>, Values)> {
        let mut slots = Vec::new();
        for (target, value) in assignment.of(Copy::Own) {
            let sets = places.iter().map(|&place| self.values(value, side_facing(state, thread, place)));
            slots.push((Slot::Own(target), sets.fold(Values::BOTH, intersection)));
        }
        for place in places.iter().copied().flatten() {
            for (target, value) in assignment.of(Copy::Passive) {
                let set = self.values(value, side_facing(state, thread, Some(place)));
                slots.push((Slot::Copy(place, target), set));
            }
        }
        slots
    }

    fn fill(&self, next: &mut State, thread: usize, slot: Slot<'_>, value: bool) {
        match slot {
            Slot::Own(target) => self.write(next, thread, target.variable, value),
            Slot::Copy(place, target) => {
                let position = self.local_position(target.variable);
                next.threads[place.thread].frames[place.depth].locals.set(position, value);
            }
        }
    }

    /// Whether an assignment can lead from a state to the next with this as the one passive copy.
    pub(super) fn fits(
        &self,
        state: &State,
        next: &State,
        thread: usize,
        assignment: Assignment<'_>,
        copy: &Bits,
    ) -> bool {
        let now = Side::of(state, thread).facing(copy);
        let possible = |(target, value): (&Target, &Expression)| {
            self.values(value, now).contains(self.read(next, thread, target.variable))
        };
        let passive: Vec<_> = assignment.of(Copy::Passive).collect();
        let sets = passive.iter().map(|(_, value)| self.values(value, now)).collect();
        let allowed = |choice: Vec<bool>| {
            let mut changed = copy.clone();
            for ((target, _), value) in passive.iter().zip(choice) {
                changed.set(self.local_position(target.variable), value);
            }
            let after = Side::of(next, thread).facing(&changed);
            assignment.constrain.is_none_or(|e| self.values_across(e, now, after).can_be_true)
        };
        assignment.of(Copy::Own).all(possible) && Product::new(sets).any(allowed)
    }
}

/// What a thread and a passive copy see.
pub(super) fn side_facing(state: &State, thread: usize, place: Option<Place>) -> Side<'_> {
    let own = Side::of(state, thread);
    place.map_or(own, |place| own.facing_place(state, place))
}

fn intersection(left: Values, right: Values) -> Values {
    Values {
        can_be_false: left.can_be_false && right.can_be_false,
        can_be_true: left.can_be_true && right.can_be_true,
    }
}

fn only<'a>(state: Option<State>) -> States<'a> {
    Box::new(std::iter::once(state))
}
