//! Symbolic execution along a path.
//!
//! Each thread has a stack of frames, a frame maps the local variables of an activation to terms, and all threads share the
//! globals. A variable that is read before it is written gets a fresh symbol; so does every input each time. Terms that
//! have become deep are given a name: solvers go through terms on the native stack.

use crate::ground::index::Index as _;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::predicate::PathStep;
use crate::predicate::path::{Position, guard_conjuncts};
use crate::program::{Action, Block, Edge, LocationId, ProcedureId, Program, Scope};
use crate::term::import::Import;
use crate::term::{Node, Sort, Store, Symbol, Term};
use rustc_hash::FxHashMap;

/// The constraints of a path, over symbols of a store of their own.
pub(super) struct Formula {
    /// All its terms.
    pub store: Store,
    /// The constraints, in order; none is true.
    pub constraints: Vec<(Position, Term)>,
    /// Names for deep terms. None mentions a later one.
    pub definitions: Vec<Definition>,
    /// Inputs of steps: step, the program's symbol, ours.
    pub inputs: Vec<(usize, Symbol, Symbol)>,
    /// Variables that are read before they are written.
    pub arbitrary: Vec<Initial>,
    /// That what is arbitrary at first is zero.
    pub zeros: Vec<Term>,
    /// What steps write: step, variable, cell, value.
    pub writes: Vec<Write>,
}

/// A name for a deep term.
pub(super) struct Definition {
    pub name: Symbol,
    pub value: Term,
    /// That they are equal.
    pub equation: Term,
}

/// A variable that is read before it is written.
pub(super) struct Initial {
    pub step: usize,
    pub activation: usize,
    /// The program's.
    pub symbol: Symbol,
    pub ours: Symbol,
}

/// A write: never of a whole array.
pub(super) struct Write {
    pub step: usize,
    pub symbol: Symbol,
    pub cell: Option<Term>,
    pub value: Term,
}

/// An activation of a procedure.
struct Frame {
    procedure: ProcedureId,
    location: LocationId,
    /// The step that made it; 0 for the first.
    made: usize,
    values: FxHashMap<Symbol, Term>,
}

struct Executor<'p> {
    program: &'p Program,
    formula: Formula,
    globals: FxHashMap<Symbol, Term>,
    threads: Vec<Vec<Frame>>,
    depths: Vec<u32>,
    step: usize,
}

/// Terms deeper than this get a name; arrays later, because to compare arrays is hard.
const DEEP: u32 = 150;
const DEEP_ARRAY: u32 = 600;

/// No more cells than this are told of one update of an array.
const CELLS: usize = 16;

/// Executes a path; a text says why it is none.
pub(super) fn execute(
    program: &Program,
    path: &[PathStep],
    limits: &Limits,
) -> Result<Result<Formula, String>, Stop> {
    let mut executor = Executor::new(program);
    for (number, step) in path.iter().enumerate() {
        limits.check()?;
        executor.step = number;
        if let Err(reason) = executor.take(step) {
            return Ok(Err(format!("step {number} is not possible: {reason}")));
        }
    }
    Ok(Ok(executor.formula))
}

impl<'p> Executor<'p> {
    fn new(program: &'p Program) -> Self {
        let formula = Formula {
            store: Store::new(),
            constraints: Vec::new(),
            definitions: Vec::new(),
            inputs: Vec::new(),
            arbitrary: Vec::new(),
            zeros: Vec::new(),
            writes: Vec::new(),
        };
        let mut executor = Self {
            program,
            formula,
            globals: FxHashMap::default(),
            threads: Vec::new(),
            depths: Vec::new(),
            step: 0,
        };
        let first = executor.frame(program.entry, Vec::new());
        executor.threads.push(vec![first]);
        executor
    }

    fn frame(&self, procedure: ProcedureId, arguments: Vec<Term>) -> Frame {
        let callee = &self.program.procedures[procedure];
        let values = callee.parameters.iter().copied().zip(arguments).collect();
        Frame { procedure, location: callee.entry, made: self.step, values }
    }

    fn take(&mut self, step: &PathStep) -> Result<(), String> {
        let program = self.program;
        let edge = &program.procedures[step.procedure].edges[step.edge];
        if step.returns {
            return self.take_return(step, edge);
        }
        self.enter(step, edge)?;
        match &edge.action {
            Action::Block(block) => self.block(step.thread, edge, block),
            Action::Call { procedure, arguments, .. } => {
                let arguments = self.terms(step.thread, arguments);
                let frame = self.frame(*procedure, arguments);
                self.threads[step.thread].push(frame);
            }
            Action::Start { procedure, arguments } => {
                let arguments = self.terms(step.thread, arguments);
                let frame = self.frame(*procedure, arguments);
                self.threads.push(vec![frame]);
            }
            Action::AtomicBegin | Action::AtomicEnd | Action::End | Action::Unsupported(_) => {}
        }
        Ok(())
    }

    /// The edge must start where its thread is; then the thread is at its end. A call gets there when it returns.
    fn enter(&mut self, step: &PathStep, edge: &Edge) -> Result<(), String> {
        let Some(frame) = self.threads.get_mut(step.thread).and_then(|thread| thread.last_mut()) else {
            return Err(format!("thread {} does not run", step.thread));
        };
        if frame.procedure != step.procedure || frame.location != edge.from {
            return Err(format!("thread {} is elsewhere", step.thread));
        }
        frame.location = edge.to;
        Ok(())
    }

    fn take_return(&mut self, step: &PathStep, edge: &Edge) -> Result<(), String> {
        let Action::Call { procedure, result, .. } = &edge.action else {
            return Err("what is returned from is no call".to_owned());
        };
        let callee = &self.program.procedures[*procedure];
        let frame = self.threads.get(step.thread).and_then(|thread| thread.last());
        let fits = frame.is_some_and(|frame| frame.procedure == *procedure && frame.location == callee.exit);
        if !fits {
            return Err(format!("thread {} is not at the exit of {}", step.thread, callee.name));
        }
        let value = callee.result.filter(|_| result.is_some()).map(|symbol| self.read(step.thread, symbol));
        self.threads[step.thread].pop();
        if self.threads[step.thread].last().is_none_or(|frame| frame.procedure != step.procedure) {
            return Err(format!("{} was not called from there", callee.name));
        }
        if let (Some(target), Some(value)) = (*result, value) {
            self.write(step.thread, target, value);
        }
        Ok(())
    }

    fn block(&mut self, thread: usize, edge: &Edge, block: &Block) {
        let program = self.program;
        let inputs: FxHashMap<Symbol, Term> =
            block.inputs.iter().map(|&symbol| (symbol, self.input(symbol))).collect();
        let conjuncts = guard_conjuncts(&program.store, edge);
        let values: Vec<Term> = block.updates.iter().map(|&(_, value)| value).collect();
        let mut import = self.import(thread, conjuncts.iter().chain(&values).copied(), inputs);
        for (conjunct, &term) in conjuncts.iter().enumerate() {
            let constraint = import.term(&program.store, &mut self.formula.store, term);
            if self.formula.store.truth(constraint) != Some(true) {
                let position = Position { step: self.step, conjunct };
                self.formula.constraints.push((position, constraint));
            }
        }
        let values: Vec<Term> =
            values.iter().map(|&value| import.term(&program.store, &mut self.formula.store, value)).collect();
        for (&(symbol, _), value) in block.updates.iter().zip(values) {
            self.write(thread, symbol, value);
        }
    }

    fn input(&mut self, symbol: Symbol) -> Term {
        let ours = self.copy_of(symbol);
        self.formula.inputs.push((self.step, symbol, ours));
        self.formula.store.symbol(ours)
    }

    fn copy_of(&mut self, symbol: Symbol) -> Symbol {
        let (name, sort) = (self.program.store.name(symbol), self.program.store.sort_of_symbol(symbol));
        self.formula.store.fresh(name, sort)
    }

    fn terms(&mut self, thread: usize, terms: &[Term]) -> Vec<Term> {
        let program = self.program;
        let mut import = self.import(thread, terms.iter().copied(), FxHashMap::default());
        terms.iter().map(|&term| import.term(&program.store, &mut self.formula.store, term)).collect()
    }

    /// What turns terms over the current state into terms over symbols of ours.
    fn import(
        &mut self,
        thread: usize,
        terms: impl Iterator<Item = Term>,
        inputs: FxHashMap<Symbol, Term>,
    ) -> Import {
        let program = self.program;
        let roots: Vec<Term> = terms.collect();
        let mut symbols = Vec::new();
        for part in program.store.reachable(&roots) {
            let Node::Symbol(symbol) = program.store.node(part) else { continue };
            let value = match inputs.get(&symbol) {
                Some(&input) => input,
                None => self.read(thread, symbol),
            };
            symbols.push((symbol, value));
        }
        Import::new(symbols)
    }

    fn read(&mut self, thread: usize, symbol: Symbol) -> Term {
        if let Some(&value) = self.values(thread, symbol).get(&symbol) {
            return value;
        }
        let ours = self.copy_of(symbol);
        let value = self.formula.store.symbol(ours);
        let activation = match self.program.variables[symbol].scope {
            Scope::Local(_) => self.threads[thread].last().expect("a thread that runs").made,
            Scope::Global | Scope::Input => 0,
        };
        let zero = self.zero(value);
        self.formula.zeros.push(zero);
        self.formula.arbitrary.push(Initial { step: self.step, activation, symbol, ours });
        self.values(thread, symbol).insert(symbol, value);
        value
    }

    /// That a value is zero, or false, or zeros everywhere.
    fn zero(&mut self, value: Term) -> Term {
        let store = &mut self.formula.store;
        match store.sort(value) {
            Sort::Boolean => store.not(value),
            Sort::Bits(width) => {
                let zero = store.bits(width, 0);
                store.equal(value, zero)
            }
            Sort::Array { index, element } => {
                let zero = store.bits(element, 0);
                let zeros = store.constant_array(index, zero);
                store.equal(value, zeros)
            }
        }
    }

    fn values(&mut self, thread: usize, symbol: Symbol) -> &mut FxHashMap<Symbol, Term> {
        match self.program.variables[symbol].scope {
            Scope::Local(_) => &mut self.threads[thread].last_mut().expect("a thread that runs").values,
            Scope::Global | Scope::Input => &mut self.globals,
        }
    }

    fn write(&mut self, thread: usize, symbol: Symbol, value: Term) {
        self.tell(symbol, value);
        let value = self.named(symbol, value);
        self.values(thread, symbol).insert(symbol, value);
    }

    /// Remembers what is written, for people.
    fn tell(&mut self, symbol: Symbol, value: Term) {
        let store = &self.formula.store;
        if !matches!(store.sort(value), Sort::Array { .. }) {
            self.formula.writes.push(Write { step: self.step, symbol, cell: None, value });
            return;
        }
        let mut cells = Vec::new();
        let mut array = value;
        let before = self.formula.writes.len();
        while let Node::Store(inner, index, element) = store.node(array)
            && cells.len() < CELLS
            && !self.known_array(symbol, array)
        {
            cells.push(Write { step: self.step, symbol, cell: Some(index), value: element });
            array = inner;
        }
        cells.reverse();
        debug_assert_eq!(before, self.formula.writes.len());
        self.formula.writes.extend(cells);
    }

    /// Whether a region of memory already was this array.
    fn known_array(&self, symbol: Symbol, array: Term) -> bool {
        let frames = self.threads.iter().filter_map(|thread| thread.last());
        self.globals.get(&symbol) == Some(&array)
            || frames.into_iter().any(|frame| frame.values.get(&symbol) == Some(&array))
    }

    /// The value, or a name for it.
    fn named(&mut self, symbol: Symbol, value: Term) -> Term {
        let array = matches!(self.formula.store.sort(value), Sort::Array { .. });
        if self.depth(value) <= if array { DEEP_ARRAY } else { DEEP } {
            return value;
        }
        let ours = self.copy_of(symbol);
        let name = self.formula.store.symbol(ours);
        let equation = self.formula.store.equal(name, value);
        self.formula.definitions.push(Definition { name: ours, value, equation });
        name
    }

    /// How deep a term is. Operands have smaller numbers than what they are operands of.
    fn depth(&mut self, term: Term) -> u32 {
        let store = &self.formula.store;
        for number in self.depths.len()..store.len() {
            let operands = store.node(Term::new(number)).operands();
            let below = operands.map(|operand| self.depths[operand.index()]).max();
            self.depths.push(below.map_or(0, |depth| depth + 1));
        }
        self.depths[term.index()]
    }
}
