//! Traces written out: every call that is told by a shared segment becomes its single steps.

use crate::boolean::trace::{Action, Segment, SegmentId, Step, Trace, View};
use crate::ground::index::IndexVec;

/// How many steps a trace has when it is written out; `u64::MAX` if there are more than that, or if a
/// segment refers to one that does not come before it.
#[must_use]
pub fn expanded_length(trace: &Trace) -> u64 {
    let mut lengths: IndexVec<SegmentId, u64> = IndexVec::new();
    for segment in trace.segments.iter() {
        lengths.push(length_of(&segment.steps, &lengths));
    }
    length_of(&trace.steps, &lengths)
}

fn length_of(steps: &[Step], lengths: &IndexVec<SegmentId, u64>) -> u64 {
    let length = |step: &Step| match step.action {
        Action::Single => 1,
        Action::Over(id) => lengths.get(id).map_or(u64::MAX, |length| length.saturating_add(2)),
    };
    steps.iter().map(length).fold(0, u64::saturating_add)
}

/// The trace without segments, if it then has at most `limit` steps.
#[must_use]
pub fn expand(trace: &Trace, limit: u64) -> Option<Trace> {
    if expanded_length(trace) > limit.min(u64::MAX - 1) {
        return None;
    }
    let mut steps = Vec::new();
    let mut pending = vec![Level { steps: trace.steps.iter(), finish: None }];
    while let Some(level) = pending.last_mut() {
        match level.steps.next() {
            None => {
                steps.extend(pending.pop().and_then(|level| level.finish));
                continue;
            }
            Some(step) => {
                let thread = level.finish.as_ref().map_or(step.thread, |finish| finish.thread);
                let step = Step { thread, ..step.clone() };
                match step.action {
                    Action::Single => steps.push(step),
                    Action::Over(id) => pending.push(open(trace, step, id, &mut steps)),
                }
            }
        }
    }
    Some(Trace { steps, segments: IndexVec::new(), ..trace.clone() })
}

/// A run that is being written out.
struct Level<'a> {
    steps: std::slice::Iter<'a, Step>,
    /// The return behind it.
    finish: Option<Step>,
}

/// Writes the call and prepares the run of the callee and the return.
fn open<'a>(trace: &'a Trace, step: Step, id: SegmentId, steps: &mut Vec<Step>) -> Level<'a> {
    let segment = &trace.segments[id];
    let call = Step { action: Action::Single, after: segment.initial.clone(), ..step.clone() };
    steps.push(call);
    let node = last_view(segment).node.unwrap_or(step.node);
    let finish = Step { node, action: Action::Single, ..step };
    Level { steps: segment.steps.iter(), finish: Some(finish) }
}

fn last_view(segment: &Segment) -> &View {
    segment.steps.last().map_or(&segment.initial, |step| &step.after)
}
