//! Paths for tests: of runs, and random ones; and a chooser that follows a path.

use crate::ground::index::Index as _;
use crate::predicate::PathStep;
use crate::program::generate::Random;
use crate::program::run::{Chooser, Step, ThreadId};
use crate::program::{Action, EdgeId, LocationId, ProcedureId, Program, Role, Scope};
use crate::simulate::{Feasible, Written};
use crate::term::Symbol;
use crate::term::evaluate::Value;
use std::collections::{BTreeMap, VecDeque};

/// Follows where threads are, and adds the steps that return.
pub(crate) struct Walk<'p> {
    program: &'p Program,
    /// For each thread its activations: procedure, location, the call behind it.
    threads: Vec<Vec<(ProcedureId, LocationId)>>,
    calls: Vec<Vec<(ProcedureId, EdgeId)>>,
    pub path: Vec<PathStep>,
    pub ended: bool,
}

impl<'p> Walk<'p> {
    pub fn new(program: &'p Program) -> Self {
        let entry = (program.entry, program.procedures[program.entry].entry);
        let mut walk =
            Self { program, threads: vec![vec![entry]], calls: vec![vec![]], path: vec![], ended: false };
        walk.return_from(0);
        walk
    }

    /// Where a thread is.
    pub fn at(&self, thread: usize) -> Option<(ProcedureId, LocationId)> {
        self.threads[thread].last().copied()
    }

    pub fn take(&mut self, thread: usize, procedure: ProcedureId, id: EdgeId) {
        let program = self.program;
        let edge = &program.procedures[procedure].edges[id];
        self.path.push(PathStep {
            thread,
            procedure,
            edge: id,
            returns: false,
            behind: vec![],
            others: vec![],
        });
        self.threads[thread].last_mut().expect("it runs").1 = edge.to;
        self.ended |= edge.property.is_some();
        match &edge.action {
            Action::Call { procedure: callee, .. } => {
                self.threads[thread].push((*callee, program.procedures[*callee].entry));
                self.calls[thread].push((procedure, id));
            }
            Action::Start { procedure: callee, .. } => {
                self.threads.push(vec![(*callee, program.procedures[*callee].entry)]);
                self.calls.push(vec![]);
            }
            Action::End | Action::Unsupported(_) => self.ended = true,
            _ => {}
        }
        self.return_from(thread);
    }

    fn return_from(&mut self, thread: usize) {
        while let Some((procedure, location)) = self.at(thread)
            && location == self.program.procedures[procedure].exit
        {
            let Some((caller, call)) = self.calls[thread].pop() else {
                self.ended |= thread == 0;
                self.threads[thread].pop();
                return;
            };
            self.threads[thread].pop();
            self.path.push(PathStep {
                thread,
                procedure: caller,
                edge: call,
                returns: true,
                behind: vec![],
                others: vec![],
            });
        }
    }
}

/// The path of a run.
pub(crate) fn path_of(program: &Program, steps: &[Step]) -> Vec<PathStep> {
    let mut walk = Walk::new(program);
    steps.iter().for_each(|step| walk.take(step.thread.index(), step.procedure, step.edge));
    walk.path
}

/// A random path of the first thread, which no run may be able to take.
pub(crate) fn random_path(program: &Program, random: &mut Random, most: usize) -> Vec<PathStep> {
    let mut walk = Walk::new(program);
    while walk.path.len() < most && !walk.ended {
        let Some((procedure, location)) = walk.at(0) else { break };
        let edges = program.procedures[procedure].edges.enumerate();
        let out: Vec<EdgeId> = edges.filter(|(_, edge)| edge.from == location).map(|(id, _)| id).collect();
        if out.is_empty() {
            break;
        }
        walk.take(0, procedure, out[random.below(out.len())]);
    }
    walk.path
}

/// A step, as runs tell it.
pub(crate) fn along(step: &PathStep) -> (usize, ProcedureId, EdgeId) {
    (step.thread, step.procedure, step.edge)
}

/// For each step, the step that made its activation.
fn activations(program: &Program, path: &[PathStep]) -> Vec<usize> {
    let mut threads = vec![vec![0]];
    let mut found = Vec::new();
    for (number, step) in path.iter().enumerate() {
        found.push(*threads[step.thread].last().expect("it runs"));
        match program.procedures[step.procedure].edges[step.edge].action {
            _ if step.returns => drop(threads[step.thread].pop()),
            Action::Call { .. } => threads[step.thread].push(number),
            Action::Start { .. } => threads.push(vec![number]),
            _ => {}
        }
    }
    found
}

/// Follows a path, with the values of a simulation.
pub(crate) struct Along {
    /// The number of the step that comes next.
    pub next: usize,
    path: Vec<PathStep>,
    activations: Vec<usize>,
    inputs: BTreeMap<(String, u32), VecDeque<u128>>,
    arbitrary: BTreeMap<(Symbol, usize), Value>,
    results: Vec<Returned>,
}

/// A result that a call left in a variable. If the procedure never wrote it and nobody read it before, a run chooses it
/// only when the caller's variable is read.
struct Returned {
    step: usize,
    symbol: Symbol,
    /// The caller's activation, if the variable is a local one.
    activation: Option<usize>,
    value: Value,
}

impl Along {
    pub fn new(program: &Program, path: &[PathStep], feasible: &Feasible) -> Self {
        let mut inputs: BTreeMap<(String, u32), VecDeque<u128>> = BTreeMap::new();
        for input in &feasible.inputs {
            let width = match program.store.sort_of_symbol(input.symbol) {
                crate::term::Sort::Bits(width) => width,
                _ => 1,
            };
            let value = match &input.value {
                Value::Bool(value) => u128::from(*value),
                Value::Bits(value) => *value,
                Value::Array(_) => continue,
            };
            let key = (format!("{:?}", program.variables[input.symbol].role), width);
            inputs.entry(key).or_default().push_back(value);
        }
        let arbitrary =
            feasible.arbitrary.iter().map(|one| ((one.symbol, one.activation), one.value.clone())).collect();
        let activations = activations(program, path);
        let results = results(program, path, feasible, &activations);
        Self { next: 0, path: path.to_vec(), activations, inputs, arbitrary, results }
    }

    /// The result that a variable holds at the next step, if a call was the last to write it.
    fn returned(&self, symbol: Symbol) -> Option<&Value> {
        let here = self.activations[self.next];
        let fits = |one: &&Returned| {
            one.step < self.next && one.symbol == symbol && one.activation.is_none_or(|of| of == here)
        };
        self.results.iter().rev().find(fits).map(|one| &one.value)
    }
}

fn results(
    program: &Program,
    path: &[PathStep],
    feasible: &Feasible,
    activations: &[usize],
) -> Vec<Returned> {
    let returns = feasible.written.iter().filter(|written| path[written.step].returns);
    let result = |written: &Written| {
        let local = matches!(program.variables[written.symbol].scope, Scope::Local(_));
        // The step that returns is one of the callee, whose activation is named by the step that called.
        let caller = activations[activations[written.step]];
        Returned {
            step: written.step,
            symbol: written.symbol,
            activation: local.then_some(caller),
            value: written.value.clone(),
        }
    };
    returns.map(result).collect()
}

impl Chooser for Along {
    fn input(&mut self, _: Symbol, role: &Role, width: u32) -> u128 {
        let queue = self.inputs.get_mut(&(format!("{role:?}"), width));
        queue.and_then(VecDeque::pop_front).unwrap_or(0)
    }

    fn arbitrary(&mut self, symbol: Symbol, cell: Option<u128>, _: u32) -> u128 {
        let local = self.arbitrary.get(&(symbol, self.activations[self.next]));
        let known = self.returned(symbol).or(local).or_else(|| self.arbitrary.get(&(symbol, 0)));
        match (known, cell) {
            (Some(Value::Array(array)), Some(cell)) => array.get(cell),
            (Some(Value::Bits(value)), _) => *value,
            (Some(Value::Bool(value)), _) => u128::from(*value),
            _ => 0,
        }
    }

    fn edge(&mut self, _: ProcedureId, enabled: &[EdgeId]) -> usize {
        let wanted = self.path[self.next].edge;
        enabled.iter().position(|&edge| edge == wanted).unwrap_or(0)
    }

    fn thread(&mut self, threads: &[ThreadId]) -> usize {
        let wanted = self.path[self.next].thread;
        threads.iter().position(|thread| thread.index() == wanted).unwrap_or(0)
    }
}
