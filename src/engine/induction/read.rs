//! From the solver's values back to a run of the interpreter.

use super::run::Runs;
use super::state::{State, Thread};
use crate::boolean::cfg::{Program, PropertyId};
use crate::boolean::interpret;
use crate::boolean::trace::Trace;
use crate::boolean::trace::run::trace_of_run;
use crate::engine::bounded::formula::Formula;
use crate::system::template::{Atomicity, LocationId, Template};

/// The run that was found, which violates a property at a location. None if its last state has no thread there that may move: that
/// would be a defect.
pub fn trace(
    program: &Program,
    template: &Template,
    runs: &Runs<'_>,
    (location, property): (LocationId, PropertyId),
) -> Option<Trace> {
    let mut value = runs.values();
    // The places of the threads that live, in the order in which they were started.
    let mut places = vec![0];
    let mut states = vec![state(program, template, &runs.states[0], &places, &mut value)];
    let mut movers = Vec::new();
    for (step, after) in runs.steps.iter().zip(&runs.states[1..]) {
        let moved = step.moves.iter().position(|&moves| value(moves))?;
        let position = places.iter().position(|&place| place == moved)?;
        movers.push(position);
        if place(&after.threads[moved], &mut value).is_none() {
            places.remove(position);
        }
        let born = (0..after.threads.len()).find(|place_of| {
            !places.contains(place_of) && place(&after.threads[*place_of], &mut value).is_some()
        });
        places.extend(born);
        states.push(state(program, template, after, &places, &mut value));
    }
    let interpreter = interpret::Interpreter::new(program, interpret::Threads::Unbounded);
    let last = states.last()?;
    let node = template.locations[location].top().node;
    let is_violator = |(thread, violated): &(usize, PropertyId)| {
        *violated == property && last.threads[*thread].top().node == node
    };
    let (violator, _) = interpreter.violations(last).into_iter().find(is_violator)?;
    let states: Vec<&interpret::State> = states.iter().collect();
    Some(trace_of_run(&states, &movers, property, violator))
}

/// Where a thread is, if there is one.
fn place(thread: &Thread, value: &mut impl FnMut(Formula) -> bool) -> Option<LocationId> {
    thread.at.enumerate().find(|&(_, &at)| value(at)).map(|(location, _)| location)
}

fn state(
    program: &Program,
    template: &Template,
    state: &State,
    places: &[usize],
    value: &mut impl FnMut(Formula) -> bool,
) -> interpret::State {
    let globals = state.shared.iter().map(|&formula| value(formula)).collect();
    let mut atomic = None;
    let mut threads = Vec::new();
    for &number in places {
        let thread = &state.threads[number];
        let location = place(thread, value).expect("only threads that live have places");
        if template.locations[location].atomicity == Atomicity::Held {
            atomic = Some(threads.len());
        }
        let slots = thread.slots.iter().map(|&formula| value(formula)).collect();
        threads.push(template.thread(program, location, &slots));
    }
    interpret::State { globals, threads, atomic }
}
