//! Fewer context switches: steps of a counterexample that do not depend on each other change places.
//!
//! Engines find runs with the fewest steps, or any run; people read runs of one thread at a time. Two steps of
//! different threads depend on each other if one writes a shared variable that the other reads or writes, if both
//! start threads (which gives them their numbers), if one is a broadcast, or if one starts the thread of the other;
//! under a bound on the threads, also if both change their number. What a procedure enforces is read by each of its
//! steps. An atomic section moves as a whole. Every order that respects this is a run to the same state
//! (A. Mazurkiewicz' traces), and [`schedule`](super::schedule) looks for one with few switches.
//!
//! Nothing relies on that: the new trace counts only if it replays. Otherwise the old one stays.

use super::replay::replay;
use super::schedule::{Need, Order};
use crate::boolean::cfg::{NodeId, Op, Origin, Program, VariableId};
use crate::boolean::dataflow::effects::Effects;
use crate::boolean::interpret::Threads;
use crate::boolean::trace::{Step, Trace, View};
use crate::ground::index::{Index, IndexVec};
use crate::ground::limits::Limits;
use std::ops::Range;

/// Longer traces stay as they are: nobody reads them.
const LONGEST: usize = 4_000;

/// How many times the run goes from one thread to another, the violation included. The preparations of `<start>`
/// do not count.
#[must_use]
pub fn context_switches(program: &Program, trace: &Trace) -> usize {
    let told = trace.steps.iter().filter(|step| !is_preparation(program, step.node));
    let threads: Vec<usize> = told.map(|step| step.thread).chain([trace.thread]).collect();
    threads.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

fn is_preparation(program: &Program, node: NodeId) -> bool {
    let node = &program.nodes[node];
    node.origin == Origin::Start || program.is_start(node.procedure)
}

/// The same run with fewer context switches, if one is found: it replays, too.
#[must_use]
pub fn commute(program: &Program, trace: &Trace, threads: Threads, limits: &Limits) -> Option<Trace> {
    let switches = context_switches(program, trace);
    if switches == 0 || trace.steps.len() > LONGEST || !trace.segments.is_empty() {
        return None;
    }
    let mut analysis = Analysis::new(program, trace, threads);
    trace.steps.iter().enumerate().for_each(|(number, step)| analysis.step(number, step));
    let (order, units) = analysis.finish();
    // A limit costs only the better order.
    let runs = order.schedule(switches, limits).ok().flatten()?;
    let steps =
        order.units(&runs).into_iter().flat_map(|(thread, position)| units[thread][position].steps.clone());
    let commuted = reordered(program, trace, &steps.collect::<Vec<_>>());
    let better = context_switches(program, &commuted) < switches;
    (better && replay(program, &commuted, threads).is_ok()).then_some(commuted)
}

/// Steps that are done together: one, or an atomic section.
#[derive(Clone, Default)]
struct Unit {
    steps: Range<usize>,
    needs: Vec<Need>,
}

/// Who used a shared thing since it was last written.
#[derive(Clone, Default)]
struct Uses {
    written: Option<Need>,
    read: Vec<Need>,
}

/// What a step does to what threads share.
struct Access {
    reads: Vec<usize>,
    writes: Vec<usize>,
    everything: Everything,
}

/// Whether a step depends on all others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Everything {
    Touched,
    LeftAlone,
}

struct Analysis<'a> {
    program: &'a Program,
    trace: &'a Trace,
    bound: Threads,
    units: Vec<Vec<Unit>>,
    /// What started each thread.
    starters: Vec<Option<Need>>,
    /// The calls that have not returned, by thread.
    calls: Vec<Vec<NodeId>>,
    /// By global variable; the last one is the set of threads.
    uses: Vec<Uses>,
    barrier: Option<Need>,
    section: Option<usize>,
}

impl<'a> Analysis<'a> {
    fn new(program: &'a Program, trace: &'a Trace, bound: Threads) -> Self {
        let uses = vec![Uses::default(); program.global_count + 1];
        let (units, starters, calls) = (vec![Vec::new()], vec![None], vec![Vec::new()]);
        Self { program, trace, bound, units, starters, calls, uses, barrier: None, section: None }
    }

    fn step(&mut self, number: usize, step: &Step) {
        let thread = step.thread;
        if self.section == Some(thread)
            && let Some(unit) = self.units[thread].last_mut()
        {
            unit.steps.end = number + 1;
        } else {
            let needs = self.starters[thread].into_iter().collect();
            self.units[thread].push(Unit { steps: number..number + 1, needs });
        }
        let access = self.access(step);
        self.depend(thread, &access);
        self.follow(step);
    }

    /// The number of threads' units, the current one included: what a later unit needs to come after it.
    fn here(&self, thread: usize) -> Need {
        (thread, self.units[thread].len())
    }

    fn access(&self, step: &Step) -> Access {
        let effects = Effects::of(self.program, step.node);
        let shared = |variables: &[VariableId]| -> Vec<usize> {
            let global = variables.iter().filter(|&&variable| self.program.is_global(variable));
            global.map(|variable| variable.index()).collect()
        };
        let population = self.program.global_count;
        let mut writes = shared(&written(self.program, step.node, self.calls[step.thread].last()));
        let ends = step.after.node.is_none() && self.bound != Threads::Unbounded;
        if self.program.nodes[step.node].op.starts_thread() || ends {
            writes.push(population);
        }
        let alone = effects.passive_reads.is_empty() && effects.passive_writes.is_empty();
        let everything = if alone { Everything::LeftAlone } else { Everything::Touched };
        Access { reads: shared(&effects.reads), writes, everything }
    }

    /// Adds what the current unit of a thread needs because of an access, and remembers the access.
    fn depend(&mut self, thread: usize, access: &Access) {
        let here = self.here(thread);
        let mut needs: Vec<Need> = self.barrier.into_iter().collect();
        for &read in &access.reads {
            needs.extend(self.uses[read].written);
            self.uses[read].read.push(here);
        }
        for &write in &access.writes {
            needs.extend(self.uses[write].written);
            needs.append(&mut self.uses[write].read);
            self.uses[write].written = Some(here);
        }
        if access.everything == Everything::Touched {
            needs.extend((0..self.units.len()).map(|other| self.here(other)));
            self.barrier = Some(here);
        }
        self.need(thread, needs);
    }

    fn need(&mut self, thread: usize, needs: Vec<Need>) {
        if let Some(unit) = self.units[thread].last_mut() {
            unit.needs.extend(needs.into_iter().filter(|&(other, count)| other != thread && count > 0));
            unit.needs.sort_unstable_by_key(|&(other, count)| (other, std::cmp::Reverse(count)));
            unit.needs.dedup_by_key(|&mut (other, _)| other);
        }
    }

    /// Follows calls, sections and starts.
    fn follow(&mut self, step: &Step) {
        let calls = &mut self.calls[step.thread];
        match self.program.nodes[step.node].op {
            Op::Call { .. } => calls.push(step.node),
            Op::Return(_) => drop(calls.pop()),
            Op::AtomicBegin => self.section = Some(step.thread),
            Op::AtomicEnd => self.section = None,
            _ => {}
        }
        if step.after.node.is_none() {
            self.section = self.section.filter(|&holder| holder != step.thread);
        }
        if step.started.is_some() {
            self.starters.push(Some(self.here(step.thread)));
            self.units.push(Vec::new());
            self.calls.push(Vec::new());
        }
    }

    /// The order of the units. The violation comes after everything; so does a section that is still open.
    fn finish(mut self) -> (Order, Vec<Vec<Unit>>) {
        let all: Vec<Need> = (0..self.units.len()).map(|thread| self.here(thread)).collect();
        if let Some(holder) = self.section {
            self.need(holder, all.clone());
        }
        if let Some(units) = self.units.get_mut(self.trace.thread) {
            units.push(Unit::default());
        }
        self.need(self.trace.thread, all);
        let mut done = vec![0; self.units.len()];
        done[0] = self.prepared(&self.units[0]);
        let needs = self.units.iter().map(|units| units.iter().map(|unit| unit.needs.clone()).collect());
        (Order { needs: needs.collect(), done }, self.units)
    }

    /// How many units at the beginning of a thread belong to `<start>`.
    fn prepared(&self, units: &[Unit]) -> usize {
        let is_prepared = |unit: &&Unit| {
            let mut steps = self.trace.steps[unit.steps.clone()].iter();
            !unit.steps.is_empty() && steps.all(|step| is_preparation(self.program, step.node))
        };
        units.iter().take_while(is_prepared).count()
    }
}

/// What a step writes; a return writes the results of the call.
fn written(program: &Program, node: NodeId, call: Option<&NodeId>) -> Vec<VariableId> {
    match (&program.nodes[node].op, call) {
        (Op::Call { .. }, _) => Vec::new(),
        (Op::Return(_), Some(&call)) => Effects::of(program, call).writes,
        _ => Effects::of(program, node).writes,
    }
}

/// The trace with its steps in another order: every step sees the shared variables as they are then.
pub(super) fn reordered(program: &Program, trace: &Trace, order: &[usize]) -> Trace {
    let mut globals = trace.initial.globals.clone();
    let threads = trace.steps.iter().map(|step| step.thread + 1).max().unwrap_or(0);
    let mut calls: Vec<Vec<NodeId>> = vec![Vec::new(); threads];
    let mut steps = Vec::with_capacity(order.len());
    for &number in order {
        let mut step = trace.steps[number].clone();
        let open = &mut calls[step.thread];
        for variable in written(program, step.node, open.last()) {
            if program.is_global(variable) {
                globals.set(variable.index(), step.after.globals.get(variable.index()));
            }
        }
        match program.nodes[step.node].op {
            Op::Call { .. } => open.push(step.node),
            Op::Return(_) => drop(open.pop()),
            _ => {}
        }
        step.after.globals = globals.clone();
        step.started = step.started.map(|view| View { globals: globals.clone(), ..view });
        steps.push(step);
    }
    Trace { steps, segments: IndexVec::new(), ..trace.clone() }
}
