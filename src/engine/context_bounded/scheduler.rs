//! The procedures of the scheduler: leaving a context, running a thread, beginning and end of it all.

use super::layout::{Changes, Flag, equals, is, same};
use super::sequential::{Builder, Mark, Meaning};
use crate::boolean::cfg::{Expression, NodeId, Op, ProcedureId, VariableId};
use crate::boolean::expression::Binary;

/// Writes all of them.
pub fn define(builder: &mut Builder<'_>) {
    for (runner, body) in builder.runners() {
        run(builder, runner, body);
    }
    switch(builder, builder.switch, Away::Awhile);
    switch(builder, builder.stop, Away::ForGood);
    leave(builder);
    begin(builder);
}

/// The thread may leave this context: the shared variables are what was guessed for the next one.
fn may_leave(builder: &Builder<'_>, context: usize) -> Expression {
    let layout = builder.layout;
    let here = equals(layout.context(), context);
    here.binary(Binary::And, same(layout.now(), layout.guess(context + 1)))
}

fn end(builder: &mut Builder<'_>, from: NodeId) {
    builder.then(from, Op::Return(Vec::new()), Mark::NONE);
}

/// Goes on in a context that nobody has used yet.
fn enter(builder: &mut Builder<'_>, from: NodeId, context: usize, mut changes: Changes) -> NodeId {
    let layout = builder.layout;
    let free = builder.then(from, Op::Assume(is(layout.used(context), false)), Mark::NONE);
    changes.set(layout.used(context), Expression::constant(true));
    changes.number(layout.context(), context);
    changes.copy(layout.now(), layout.guess(context));
    builder.assign(free, changes, Mark::NONE)
}

/// A node after several others.
fn joined(builder: &mut Builder<'_>, from: &[NodeId]) -> NodeId {
    let join = builder.then(from[0], Op::Skip, Mark::NONE);
    from[1..].iter().for_each(|&from| builder.link(from, join));
    join
}

/// How a thread that leaves a context may be away.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Away {
    /// Until a later context, or for good.
    Awhile,
    /// It does nothing any more.
    ForGood,
}

/// `<switch>`: the thread stays, or goes on in a later context, or stops. `<stop>`: it stays or stops. The last context
/// is left by nobody.
fn switch(builder: &mut Builder<'_>, procedure: ProcedureId, away: Away) {
    let layout = builder.layout;
    let start = builder.begin(procedure);
    end(builder, start);
    let outside = builder.then(start, Op::Assume(is(layout.flag(Flag::Atomic), false)), Mark::NONE);
    let branch = builder.then(outside, Op::Skip, Mark::NONE);
    for context in 0..layout.contexts - 1 {
        let condition = may_leave(builder, context);
        let left = builder.then(branch, Op::Assume(condition), Mark::NONE);
        let left = builder.then(left, Op::Skip, Mark::NONE);
        let mut changes = Changes::default();
        changes.set(layout.flag(Flag::Stopped), Expression::constant(true));
        let stopped = builder.assign(left, changes, Mark::NONE);
        end(builder, stopped);
        let later = if away == Away::Awhile { context + 2..layout.contexts } else { 0..0 };
        for later in later {
            let entered = enter(builder, left, later, Changes::default());
            end(builder, entered);
        }
    }
    blocked(builder, branch);
}

/// A skip needs a successor; this one leads nowhere.
fn blocked(builder: &mut Builder<'_>, from: NodeId) {
    let never = builder.then(from, Op::Assume(Expression::constant(false)), Mark::NONE);
    end(builder, never);
}

/// `<leave>`: the thread has ended.
fn leave(builder: &mut Builder<'_>) {
    let start = builder.begin(builder.leave);
    for context in 0..builder.layout.contexts - 1 {
        let condition = may_leave(builder, context);
        let left = builder.then(start, Op::Assume(condition), Mark::NONE);
        end(builder, left);
    }
    blocked(builder, start);
}

/// Calls what a thread runs, and leaves the context if it ends. Returns the node after all that.
fn whole_thread(
    builder: &mut Builder<'_>,
    from: NodeId,
    body: ProcedureId,
    arguments: Vec<Expression>,
) -> NodeId {
    let layout = builder.layout;
    let results = vec![None; builder.procedure(body).returns];
    let call = Op::Call { procedure: body, arguments, results };
    let called = builder.then(from, call, Mark { at: None, meaning: Meaning::Begin });
    let (stopped, ended) = builder.on_flag(called, Flag::Stopped);
    let mut changes = Changes::default();
    changes.count(&layout, false);
    let counted = builder.assign(ended, changes, Mark::NONE);
    let leave = Op::Call { procedure: builder.leave, arguments: Vec::new(), results: Vec::new() };
    let left = builder.then(counted, leave, Mark::NONE);
    joined(builder, &[left, stopped])
}

/// `<run …>`: a thread that is started here runs, or never does. Then all is as before for the one who started it.
fn run(builder: &mut Builder<'_>, runner: ProcedureId, body: ProcedureId) {
    let layout = builder.layout;
    let start = builder.begin(runner);
    end(builder, start);
    if layout.contexts == 1 {
        return;
    }
    let mut kept: Vec<VariableId> = layout.now().chain(layout.context()).collect();
    kept.push(layout.flag(Flag::Atomic));
    let parameters: Vec<VariableId> = builder.procedure(runner).parameters().to_vec();
    let saved: Vec<VariableId> = kept.iter().map(|_| builder.local(runner)).collect();
    let mut changes = Changes::default();
    changes.copy(saved.iter().copied(), kept.iter().copied());
    let begun = builder.assign(start, changes, Mark::NONE);
    let branch = builder.then(begun, Op::Skip, Mark::NONE);
    let mut entered = Vec::new();
    for context in 1..layout.contexts {
        let earlier = (0..context).map(|earlier| equals(layout.context(), earlier));
        let earlier = earlier.reduce(|one, other| one.binary(Binary::Or, other));
        let later = builder.then(branch, Op::Assume(earlier.expect("there is a first")), Mark::NONE);
        let mut changes = Changes::default();
        changes.set(layout.flag(Flag::Atomic), Expression::constant(false));
        entered.push(enter(builder, later, context, changes));
    }
    let body_starts = joined(builder, &entered);
    let arguments = parameters.into_iter().map(super::layout::read).collect();
    let over = whole_thread(builder, body_starts, body, arguments);
    let mut changes = Changes::default();
    changes.copy(kept.into_iter(), saved.into_iter());
    changes.set(layout.flag(Flag::Stopped), Expression::constant(false));
    let restored = builder.assign(over, changes, Mark::NONE);
    end(builder, restored);
}

/// `<begin>`: the first thread runs in the first context. In the end a violation counts if no context before it was left out.
fn begin(builder: &mut Builder<'_>) {
    let layout = builder.layout;
    let start = builder.begin(builder.entry());
    let mut changes = Changes::default();
    for variable in layout.scheduler() {
        changes.set(variable, Expression::constant(false));
    }
    changes.number(layout.alive(), 1);
    let ready = builder.assign(start, changes, Mark::NONE);
    let entry = builder.source.entry;
    let arguments = vec![Expression::choice(); builder.procedure(entry).parameter_count];
    let over = whole_thread(builder, ready, entry, arguments);
    let (failed, right) = builder.on_flag(over, Flag::Failed);
    end(builder, right);
    let branch = builder.then(failed, Op::Skip, Mark::NONE);
    let mut whole_runs = Vec::new();
    for context in 0..layout.contexts {
        let used = (1..context).map(|earlier| is(layout.used(earlier), true));
        let whole = Expression::conjunction(std::iter::once(equals(layout.failing(), context)).chain(used));
        whole_runs.push(builder.then(branch, Op::Assume(whole), Mark::NONE));
    }
    let mut here = joined(builder, &whole_runs);
    for place in 0..layout.properties {
        here = builder.claim(here, place);
    }
    end(builder, here);
}
