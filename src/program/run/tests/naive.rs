//! Replays a recorded run with maps from symbols to values and the evaluation of terms: slow, and plainly right.

use crate::ground::index::{Index, IndexVec};
use crate::program::run::{Execution, Outcome, Step, ThreadId, Value as Shown};
use crate::program::{Action, Edge, EdgeId, LocationId, ProcedureId, Program, Scope};
use crate::term::evaluate::{Assignment, Value};
use crate::term::{Sort, Symbol, Term};
use std::collections::VecDeque;

struct Frame {
    procedure: ProcedureId,
    location: LocationId,
    locals: Assignment,
    call: Option<EdgeId>,
}

struct Naive<'p> {
    program: &'p Program,
    globals: Assignment,
    threads: IndexVec<ThreadId, Vec<Frame>>,
    inputs: VecDeque<(Symbol, u128)>,
}

/// Follows the path of an execution and compares guards, positions and final values.
pub(super) fn replay(program: &Program, outcome: Outcome, execution: &Execution<'_>) {
    let mut naive = Naive {
        program,
        globals: zeros(program, |scope| scope == Scope::Global),
        threads: IndexVec::new(),
        inputs: execution.inputs().iter().copied().collect(),
    };
    let entry = naive.frame(program.entry, &[], None);
    naive.threads.push(vec![entry]);
    for &step in execution.path() {
        naive.step(step);
    }
    assert!(naive.inputs.is_empty(), "no input is left over");
    naive.compare(outcome, execution);
}

fn zeros(program: &Program, which: impl Fn(Scope) -> bool) -> Assignment {
    let variables = program.variables.enumerate().filter(|(_, variable)| which(variable.scope));
    variables.map(|(symbol, _)| (symbol, Value::zero(program.store.sort_of_symbol(symbol)))).collect()
}

impl Naive<'_> {
    fn frame(&self, procedure: ProcedureId, arguments: &[Value], call: Option<EdgeId>) -> Frame {
        let mut locals = zeros(self.program, |scope| scope == Scope::Local(procedure));
        let callee = &self.program.procedures[procedure];
        locals.extend(callee.parameters.iter().copied().zip(arguments.iter().cloned()));
        Frame { procedure, location: callee.entry, locals, call }
    }

    fn top(&mut self, thread: ThreadId) -> &mut Frame {
        self.threads[thread].last_mut().expect("the thread has not ended")
    }

    fn values(&mut self, thread: ThreadId, inputs: Assignment, terms: &[Term]) -> Vec<Value> {
        let mut state = self.globals.clone();
        state.extend(self.top(thread).locals.clone());
        state.extend(inputs);
        self.program.store.evaluate_all(terms, &state).expect("everything has a value")
    }

    fn step(&mut self, step: Step) {
        let edge = &self.program.procedures[step.procedure].edges[step.edge];
        let top = self.top(step.thread);
        assert_eq!((top.procedure, top.location), (step.procedure, edge.from), "the path is connected");
        let inputs = self.draw(edge);
        let values = self.values(step.thread, inputs, &edge.terms());
        match &edge.action {
            Action::Block(block) => {
                assert!(values[0].as_bool(), "the guard of a taken edge holds");
                for (&(symbol, _), value) in block.updates.iter().zip(&values[1..]) {
                    self.set(step.thread, symbol, value.clone());
                }
            }
            Action::Call { procedure, .. } => {
                let frame = self.frame(*procedure, &values, Some(step.edge));
                self.threads[step.thread].push(frame);
                return self.leave(step.thread);
            }
            Action::Start { procedure, .. } => {
                let frame = self.frame(*procedure, &values, None);
                self.threads.push(vec![frame]);
            }
            _ => {}
        }
        self.top(step.thread).location = edge.to;
        self.leave(step.thread);
    }

    fn draw(&mut self, edge: &Edge) -> Assignment {
        let Action::Block(block) = &edge.action else { return Assignment::new() };
        let mut drawn = Assignment::new();
        for &input in &block.inputs {
            let (symbol, value) = self.inputs.pop_front().expect("an input was recorded");
            assert_eq!(symbol, input);
            drawn.insert(symbol, Value::Bits(value));
        }
        drawn
    }

    fn set(&mut self, thread: ThreadId, symbol: Symbol, value: Value) {
        match self.program.variables[symbol].scope {
            Scope::Global => self.globals.insert(symbol, value),
            _ => self.top(thread).locals.insert(symbol, value),
        };
    }

    fn leave(&mut self, thread: ThreadId) {
        while let Some(frame) = self.threads[thread].last() {
            let procedure = &self.program.procedures[frame.procedure];
            if frame.location != procedure.exit {
                return;
            }
            let frame = self.threads[thread].pop().expect("just seen");
            let Some(call) = frame.call else { return };
            let caller = self.top(thread).procedure;
            let edge = &self.program.procedures[caller].edges[call];
            self.top(thread).location = edge.to;
            if let Action::Call { result: Some(target), .. } = edge.action {
                let returned = frame.locals[&procedure.result.expect("a result")].clone();
                self.set(thread, target, returned);
            }
        }
    }

    fn compare(&mut self, outcome: Outcome, execution: &Execution<'_>) {
        // What a violating edge would assign is never seen.
        if matches!(outcome, Outcome::Violated(_)) {
            return;
        }
        for (&symbol, value) in &self.globals {
            match execution.value(ThreadId::new(0), symbol) {
                None => assert_eq!(*value, Value::zero(self.program.store.sort_of_symbol(symbol))),
                Some(Shown::Scalar(shown)) => match self.program.store.sort_of_symbol(symbol) {
                    Sort::Boolean => assert_eq!(value.as_bool(), shown == 1),
                    _ => assert_eq!(value.as_bits(), shown),
                },
                Some(Shown::Array(shown)) => {
                    let array = value.as_array();
                    assert!(shown.cells.iter().all(|(&index, &cell)| array.get(index) == cell));
                    assert!(array.elements.keys().all(|index| shown.cells.contains_key(index)));
                }
            }
        }
        if outcome == Outcome::Stuck {
            self.assert_stuck();
        }
    }

    /// No thread that could move has an edge whose guard holds (edges that ask for inputs always can).
    fn assert_stuck(&mut self) {
        for thread in self.threads.ids() {
            let Some(frame) = self.threads[thread].last() else { continue };
            let (procedure, location) = (&self.program.procedures[frame.procedure], frame.location);
            for edge in procedure.edges.iter().filter(|edge| edge.from == location) {
                let Action::Block(block) = &edge.action else { continue };
                if block.inputs.is_empty() {
                    let holds = self.values(thread, Assignment::new(), &[block.guard])[0].as_bool();
                    let elsewhere = self.threads.len() > 1;
                    assert!(!holds || elsewhere, "an enabled edge was not taken");
                }
            }
        }
    }
}
