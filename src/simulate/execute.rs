//! Symbolic execution along a path: its constraints, what it writes, and what is open on it.
//!
//! The values of variables come from `path::unroll`. Terms that have become deep are given a name: solvers go through terms on the
//! native stack.

use crate::ground::index::Index as _;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::path::{Assignments, Kind, Line, Position, Unrolling, guard_conjuncts};
use crate::program::{Action, Block, Edge, Program, Scope};
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

struct Executor<'p> {
    program: &'p Program,
    line: &'p Line<'p>,
    unrolling: Unrolling<'p>,
    constraints: Vec<(Position, Term)>,
    definitions: Vec<Definition>,
    inputs: Vec<(usize, Symbol, Symbol)>,
    arbitrary: Vec<Initial>,
    zeros: Vec<Term>,
    writes: Vec<Write>,
    depths: Vec<u32>,
    step: usize,
}

/// Terms deeper than this get a name; arrays later, because to compare arrays is hard.
const DEEP: u32 = 150;
const DEEP_ARRAY: u32 = 600;

/// No more cells than this are told of one update of an array.
const CELLS: usize = 16;

/// Executes a path.
pub(super) fn execute(program: &Program, line: &Line<'_>, limits: &Limits) -> Result<Formula, Stop> {
    let mut executor = Executor::new(program, line);
    for number in 0..line.path.len() {
        limits.check()?;
        executor.step = number;
        executor.take();
    }
    Ok(executor.formula())
}

impl<'p> Executor<'p> {
    fn new(program: &'p Program, line: &'p Line<'p>) -> Self {
        Self {
            program,
            line,
            unrolling: Unrolling::new(program, line.frames.activations.len()),
            constraints: Vec::new(),
            definitions: Vec::new(),
            inputs: Vec::new(),
            arbitrary: Vec::new(),
            zeros: Vec::new(),
            writes: Vec::new(),
            depths: Vec::new(),
            step: 0,
        }
    }

    fn formula(self) -> Formula {
        Formula {
            store: self.unrolling.store,
            constraints: self.constraints,
            definitions: self.definitions,
            inputs: self.inputs,
            arbitrary: self.arbitrary,
            zeros: self.zeros,
            writes: self.writes,
        }
    }

    fn take(&mut self) {
        let (program, line) = (self.program, self.line);
        let edge = line.edge(program, self.step);
        let step = line.assignments(program, self.step);
        match (&edge.action, step.kind) {
            (Action::Block(block), _) => self.block(edge, block, &step),
            (_, Kind::Return) => {
                let values = self.unrolling.assigned(&step);
                self.note_firsts();
                self.write_all(&step, &values);
            }
            _ => {
                let values = self.unrolling.assigned(&step);
                self.note_firsts();
                // What is passed is no write that C has.
                for (&(symbol, _), &value) in step.all.iter().zip(&values) {
                    self.unrolling.write(step.to, symbol, value);
                }
            }
        }
    }

    fn block(&mut self, edge: &Edge, block: &Block, step: &Assignments) {
        let inputs: FxHashMap<Symbol, Term> =
            block.inputs.iter().map(|&symbol| (symbol, self.input(symbol))).collect();
        let mut terms = guard_conjuncts(&self.program.store, edge);
        let conjuncts = terms.len();
        terms.extend(block.updates.iter().map(|&(_, value)| value));
        let values = self.unrolling.terms(step.from, &terms, &inputs);
        self.note_firsts();
        for (conjunct, &constraint) in values[..conjuncts].iter().enumerate() {
            if self.unrolling.store.truth(constraint) != Some(true) {
                self.constraints.push((Position { step: self.step, conjunct }, constraint));
            }
        }
        self.write_all(step, &values[conjuncts..]);
    }

    fn input(&mut self, symbol: Symbol) -> Term {
        let ours = self.unrolling.fresh(symbol);
        self.inputs.push((self.step, symbol, ours));
        self.unrolling.store.symbol(ours)
    }

    /// Remembers which variables are arbitrary, and that they may be zero.
    fn note_firsts(&mut self) {
        for first in self.unrolling.take_firsts() {
            let activation = match self.program.variables[first.symbol].scope {
                Scope::Local(_) => self.line.frames.activations[first.activation].made,
                Scope::Global | Scope::Input => 0,
            };
            let value = self.unrolling.store.symbol(first.ours);
            let zero = self.zero(value);
            self.zeros.push(zero);
            let (step, symbol, ours) = (self.step, first.symbol, first.ours);
            self.arbitrary.push(Initial { step, activation, symbol, ours });
        }
    }

    /// That a value is zero, or false, or zeros everywhere.
    fn zero(&mut self, value: Term) -> Term {
        let store = &mut self.unrolling.store;
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

    fn write_all(&mut self, step: &Assignments, values: &[Term]) {
        for (&(symbol, _), &value) in step.all.iter().zip(values) {
            self.tell(step.to, symbol, value);
            let value = self.named(symbol, value);
            self.unrolling.write(step.to, symbol, value);
        }
    }

    /// Remembers what is written, for people.
    fn tell(&mut self, activation: usize, symbol: Symbol, value: Term) {
        let store = &self.unrolling.store;
        if !matches!(store.sort(value), Sort::Array { .. }) {
            self.writes.push(Write { step: self.step, symbol, cell: None, value });
            return;
        }
        let mut cells = Vec::new();
        let mut array = value;
        let before = self.writes.len();
        while let Node::Store(inner, index, element) = store.node(array)
            && cells.len() < CELLS
            && !self.known_array(activation, symbol, array)
        {
            cells.push(Write { step: self.step, symbol, cell: Some(index), value: element });
            array = inner;
        }
        cells.reverse();
        debug_assert_eq!(before, self.writes.len());
        self.writes.extend(cells);
    }

    /// Whether a region of memory already was this array.
    fn known_array(&self, activation: usize, symbol: Symbol, array: Term) -> bool {
        self.unrolling.now(activation, symbol) == Some(array)
    }

    /// The value, or a name for it.
    fn named(&mut self, symbol: Symbol, value: Term) -> Term {
        let array = matches!(self.unrolling.store.sort(value), Sort::Array { .. });
        if self.depth(value) <= if array { DEEP_ARRAY } else { DEEP } {
            return value;
        }
        let ours = self.unrolling.fresh(symbol);
        let name = self.unrolling.store.symbol(ours);
        let equation = self.unrolling.store.equal(name, value);
        self.definitions.push(Definition { name: ours, value, equation });
        name
    }

    /// How deep a term is. Operands have smaller numbers than what they are operands of.
    fn depth(&mut self, term: Term) -> u32 {
        let store = &self.unrolling.store;
        for number in self.depths.len()..store.len() {
            let operands = store.node(Term::new(number)).operands();
            let below = operands.map(|operand| self.depths[operand.index()]).max();
            self.depths.push(below.map_or(0, |depth| depth + 1));
        }
        self.depths[term.index()]
    }
}
