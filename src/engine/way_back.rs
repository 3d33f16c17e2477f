//! From a run of an enumerated net to a trace of the program.
//!
//! A token is a thread, a transition one or several steps of it ([`enumerate`](crate::system::enumerate)). The walk
//! keeps a state of the interpreter, finds the steps of each transition again, and gives values to slots that the
//! net left open. The interpreter must permit every step; where it permits none, the way is lost and there is no
//! trace. Where a transition moves passive threads, a matching tells which thread goes where.

mod matching;

use crate::boolean::cfg::Program;
use crate::boolean::interpret::{Interpreter, State, Threads};
use crate::boolean::trace::Trace;
use crate::boolean::trace::run::trace_of_run;
use crate::ground::bits::Bits;
use crate::ground::limits::Limits;
use crate::ground::reason::{Defect, Reason, Stop};
use crate::system::enumerate::{Broadcast, Enumeration, Local, Moment, Move, Slots, Unfolded, Unfolding};
use crate::system::net::{Configuration, NetTrace, PlaceId, Sweep, Transition, TransitionId};
use crate::system::template::Atomicity;
use matching::matching;

/// Why there is no trace.
#[derive(Debug)]
pub(super) enum Lost {
    /// A limit was reached.
    Stopped(Stop),
    /// The program cannot do what the net did.
    Nowhere(&'static str),
}

impl From<Stop> for Lost {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl From<Lost> for Reason {
    fn from(lost: Lost) -> Self {
        match lost {
            Lost::Stopped(stop) => stop.into(),
            Lost::Nowhere(text) => Self::Defect(Defect::ReplayMismatch(text.to_owned())),
        }
    }
}

/// The trace of a run of the net.
pub(super) fn way_back(
    program: &Program,
    threads: Threads,
    enumeration: &Enumeration,
    run: &NetTrace,
    limits: &Limits,
) -> Result<Trace, Lost> {
    let mut walk = Walk::start(program, threads, enumeration, &run.initial, limits)?;
    for (id, after) in &run.steps {
        walk.transition(*id, after)?;
    }
    let property = enumeration.violated[run.target];
    let violations = walk.interpreter.violations(walk.state());
    let position = violations.iter().find(|(_, violated)| *violated == property).map(|(thread, _)| *thread);
    let position = position.ok_or(Lost::Nowhere("the last state of the net violates nothing"))?;
    let states: Vec<&State> = walk.states.iter().collect();
    Ok(trace_of_run(&states, &walk.movers, property, position))
}

/// A thread: where it is, with the values of all slots, and the place of its token if it still has one.
#[derive(Clone)]
struct Live {
    /// Its lasting number.
    number: usize,
    local: Local,
    token: Option<PlaceId>,
}

struct Walk<'a> {
    program: &'a Program,
    enumeration: &'a Enumeration,
    interpreter: Interpreter<'a>,
    limits: &'a Limits,
    threads: Vec<Live>,
    /// The number of the thread that is started next.
    upcoming: usize,
    /// The number of the thread that stepped last.
    last: usize,
    /// The states so far, the current one last.
    states: Vec<State>,
    /// The thread, by position, that stepped from each but the last.
    movers: Vec<usize>,
}

impl<'a> Walk<'a> {
    fn start(
        program: &'a Program,
        threads: Threads,
        enumeration: &'a Enumeration,
        initial: &Configuration,
        limits: &'a Limits,
    ) -> Result<Self, Lost> {
        let &[(place, 1)] = &initial.tokens[..] else {
            return Err(Lost::Nowhere("the net starts with more than one thread"));
        };
        let first = Live { number: 0, local: enumeration.place(place).clone(), token: Some(place) };
        let mut walk = Self {
            program,
            enumeration,
            interpreter: Interpreter::new(program, threads),
            limits,
            threads: vec![first],
            upcoming: 1,
            last: 0,
            states: Vec::new(),
            movers: Vec::new(),
        };
        let shared = &enumeration.control(initial.control).shared;
        walk.states.push(walk.state_of(shared, &walk.threads));
        Ok(walk)
    }

    /// The current state.
    fn state(&self) -> &State {
        self.states.last().expect("the walk has a start")
    }

    /// The position of the thread with a number.
    fn position(&self, number: usize) -> Result<usize, Lost> {
        let position = self.threads.iter().position(|live| live.number == number);
        position.ok_or(Lost::Nowhere("a thread has ended"))
    }

    fn state_of(&self, shared: &Bits, threads: &[Live]) -> State {
        let template = &self.enumeration.template;
        let thread = |live: &Live| template.thread(self.program, live.local.location, &live.local.slots);
        let holds = |live: &Live| template.locations[live.local.location].atomicity == Atomicity::Held;
        State {
            globals: shared.clone(),
            threads: threads.iter().map(thread).collect(),
            atomic: threads.iter().position(holds),
        }
    }

    /// Follows a transition by any of the ways in which it may have come about.
    fn transition(&mut self, id: TransitionId, after: &Configuration) -> Result<(), Lost> {
        let transition = &self.enumeration.net.transitions[id];
        let active = self.active(transition)?;
        let from = self.enumeration.control(transition.from);
        let to = self.enumeration.control(transition.to);
        let take = self.enumeration.place(transition.take[0].0);
        let unfolding = self.enumeration.unfold(&from.shared, take, self.limits)?;
        let passive = self.passive(transition, active, after)?;
        let (threads, upcoming, steps) = (self.threads.clone(), self.upcoming, self.movers.len());
        let enumeration = self.enumeration;
        let fits = |way: &&Unfolded| way.to == *to && gives(enumeration, way, transition);
        for way in unfolding.transitions.iter().filter(fits) {
            if self.follow(active, &unfolding, way, &passive)? {
                return Ok(());
            }
            (self.threads, self.upcoming) = (threads.clone(), upcoming);
            self.movers.truncate(steps);
            self.states.truncate(steps + 1);
        }
        Err(Lost::Nowhere("the program has no such step as the net"))
    }

    /// The number of a thread that can take a transition; the one that stepped last, if it can.
    fn active(&mut self, transition: &Transition) -> Result<usize, Lost> {
        let take = transition.take.first().map(|entry| entry.0);
        let mut fitting = self.threads.iter().filter(|live| take.is_some() && live.token == take);
        let last = fitting.clone().find(|live| live.number == self.last);
        let active = last.or_else(|| fitting.next());
        self.last = active.ok_or(Lost::Nowhere("no thread is where the net takes a token"))?.number;
        Ok(self.last)
    }

    /// The places of all threads but the active one after a transition, by number.
    fn passive(
        &self,
        transition: &Transition,
        active: usize,
        after: &Configuration,
    ) -> Result<Vec<(usize, PlaceId)>, Lost> {
        if transition.sweep.is_empty() {
            return Ok(Vec::new());
        }
        let mut numbers = Vec::new();
        let mut choices = Vec::new();
        for live in &self.threads {
            let Some(place) = live.token.filter(|_| live.number != active) else { continue };
            numbers.push(live.number);
            choices.push(goes_to(transition, place));
        }
        let places = matching(&choices, left(after, transition));
        let places = places.ok_or(Lost::Nowhere("passive threads cannot go where the net says"))?;
        Ok(numbers.into_iter().zip(places).collect())
    }

    /// Follows one way; false if the interpreter does not permit it.
    fn follow(
        &mut self,
        active: usize,
        unfolding: &Unfolding,
        way: &Unfolded,
        passive: &[(usize, PlaceId)],
    ) -> Result<bool, Lost> {
        let moments = moments(unfolding, way.moment);
        let mut started = Vec::new();
        for (number, moment) in moments.iter().enumerate() {
            if moment.last.started.is_some() {
                started.push(self.upcoming);
            }
            let broadcast = moment.broadcast.as_deref().filter(|_| number == 0);
            let done = match broadcast {
                Some(broadcast) => self.broadcast(active, &moment.last, broadcast, passive)?,
                None => self.single(active, &moment.last)?,
            };
            if !done {
                return Ok(false);
            }
        }
        let last = moments.last().ok_or(Lost::Nowhere("a transition without steps"))?;
        let mut threads = vec![(active, last.last.thread.as_ref(), way.thread.as_ref())];
        for ((number, from), to) in started.into_iter().zip(&last.started).zip(&way.started) {
            threads.push((number, Some(from), to.as_ref()));
        }
        for (number, from, to) in threads {
            if !self.settle(number, from, to)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Lets a thread take its private steps and notes its place.
    fn settle(&mut self, number: usize, from: Option<&Local>, to: Option<&Local>) -> Result<bool, Lost> {
        if let (Some(from), Some(to)) = (from, to) {
            let Some(steps) = self.enumeration.private_steps(from, to, self.limits)? else {
                return Ok(false);
            };
            for step in steps {
                let step = Move { shared: self.state().globals.clone(), ..step };
                if !self.single(number, &step)? {
                    return Ok(false);
                }
            }
        }
        if let Ok(position) = self.position(number) {
            self.threads[position].token = to.and_then(|local| self.enumeration.place_of(local));
        }
        Ok(true)
    }

    /// One step of a thread by itself, with whatever values of dead slots are possible.
    fn single(&mut self, number: usize, step: &Move) -> Result<bool, Lost> {
        let position = self.position(number)?;
        let before = self.threads[position].local.clone();
        let shared = self.state().globals.clone();
        for slots in self.enumeration.slots_after(&shared, &before, step) {
            self.limits.check()?;
            if self.permitted(position, step, self.after(position, step, slots)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The threads after a step of one of them.
    fn after(&self, position: usize, step: &Move, slots: Slots) -> Vec<Live> {
        let mut threads = self.threads.clone();
        match &step.thread {
            Some(thread) => {
                let local = Local { location: thread.location, slots: slots.own };
                threads[position] = Live { local, token: None, ..threads[position] };
            }
            None => {
                threads.remove(position);
            }
        }
        if let (Some(started), Some(slots)) = (&step.started, slots.started) {
            let local = Local { location: started.location, slots };
            threads.push(Live { number: self.upcoming, local, token: None });
        }
        threads
    }

    /// A step in which other threads take part.
    fn broadcast(
        &mut self,
        number: usize,
        step: &Move,
        broadcast: &Broadcast,
        passive: &[(usize, PlaceId)],
    ) -> Result<bool, Lost> {
        let position = self.position(number)?;
        let own = self.enumeration.slots_after_broadcast(&self.threads[position].local, broadcast);
        let mut threads = self.after(position, step, Slots { own, started: None });
        for &(number, place) in passive {
            let position = self.position(number)?;
            let after = self.enumeration.place(place);
            let slots = self.enumeration.slots_as_copy(&threads[position].local.slots, after);
            let local = Local { location: after.location, slots };
            threads[position] = Live { number, local, token: Some(place) };
        }
        Ok(self.permitted(position, step, threads))
    }

    /// Does a step if the interpreter permits it.
    fn permitted(&mut self, position: usize, step: &Move, threads: Vec<Live>) -> bool {
        let state = self.state_of(&step.shared, &threads);
        if !self.interpreter.permits(self.state(), position, &state) {
            return false;
        }
        self.upcoming += usize::from(step.started.is_some());
        self.movers.push(position);
        self.states.push(state);
        self.threads = threads;
        true
    }
}

/// Whether a way gives the tokens that a transition gives.
fn gives(enumeration: &Enumeration, way: &Unfolded, transition: &Transition) -> bool {
    let locals = way.thread.iter().chain(way.started.iter().flatten());
    let mut given: Vec<Option<PlaceId>> = locals.map(|local| enumeration.place_of(local)).collect();
    given.sort_unstable();
    let wanted = transition.give.iter().flat_map(|&(place, number)| (0..number).map(move |_| Some(place)));
    given.into_iter().eq(wanted)
}

/// The moments of a way, the first one first.
fn moments(unfolding: &Unfolding, last: usize) -> Vec<&Moment> {
    let chain = std::iter::successors(Some(last), |&moment| unfolding.moments[moment].before);
    let mut moments: Vec<&Moment> = chain.map(|moment| &unfolding.moments[moment]).collect();
    moments.reverse();
    moments
}

/// Where a token on a place may go.
fn goes_to(transition: &Transition, place: PlaceId) -> Vec<PlaceId> {
    match transition.sweep.iter().find(|(swept, _)| *swept == place) {
        None => vec![place],
        Some((_, Sweep::Move(places))) => places.clone(),
        Some((_, Sweep::Lose | Sweep::Forbid)) => Vec::new(),
    }
}

/// The tokens after a transition that it did not give, one by one.
fn left(after: &Configuration, transition: &Transition) -> Vec<PlaceId> {
    let given = |place: PlaceId| {
        let entry = transition.give.iter().find(|(given, _)| *given == place);
        entry.map_or(0, |(_, number)| *number)
    };
    let rest = after.tokens.iter().map(|&(place, number)| (place, number.saturating_sub(given(place))));
    rest.flat_map(|(place, number)| (0..number).map(move |_| place)).collect()
}
