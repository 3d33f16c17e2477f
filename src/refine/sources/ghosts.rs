//! What variables are, in terms of what they were when their procedure was called.
//!
//! A caller knows that `x == g` before it calls a procedure that counts `g` up. To know `g == x + 1` behind the call it has to
//! be told `g == old(g) + 1`, where `old(g)` is the value at the entry: a ghost (`program::overlay`). The abstraction passes ghosts
//! like parameters that nobody writes, and substitutes what was passed for them in what a procedure returns.
//!
//! The candidates are the values that variables have on the path, executed symbolically from the entry of each activation.
//! Ghosts are made as they are needed; one that no predicate mentions costs nothing.

use super::{Question, Source};
use crate::ground::reason::Stop;
use crate::path::{Assignments, Kind, Line, Value, globals_written};
use crate::program::overlay::Frozen;
use crate::program::{Edge, ProcedureId, Scope};
use crate::refine::Candidate;
use crate::refine::loops::scoped;
use crate::term::substitute::Substitution;
use crate::term::{Node, Sort, Symbol, Term};
use indexmap::IndexSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Values of more parts than this become no candidates.
const LARGEST: usize = 16;

/// What is known of variables in an activation; nothing, if it is not computed from what they were at its entry.
type Values = BTreeMap<Symbol, Option<Term>>;

struct Walk<'a> {
    program: Frozen<'a>,
    line: &'a Line<'a>,
    /// The variables that matter.
    wanted: &'a FxHashSet<Symbol>,
    values: Vec<Values>,
    /// What procedures may write: global variables, and local ones of their own.
    written: FxHashMap<ProcedureId, BTreeSet<Symbol>>,
    found: IndexSet<Candidate>,
}

/// What variables are, in terms of what they were at the entry of their procedure.
pub(in crate::refine) struct Entries;

impl Source for Entries {
    fn reason(&self) -> &'static str {
        "value in terms of that at the entry"
    }

    fn candidates(&self, question: &mut Question<'_>) -> Result<IndexSet<Candidate>, Stop> {
        // Other threads may write what a ghost was copied from.
        if question.program.starts_threads() {
            return Ok(IndexSet::new());
        }
        let (line, wanted) = (&question.conflict.line, question.conflict.symbols());
        Ok(candidates(&mut question.program, line, wanted))
    }
}

/// The candidates of a path.
fn candidates(program: &mut Frozen<'_>, line: &Line<'_>, wanted: &FxHashSet<Symbol>) -> IndexSet<Candidate> {
    let values = vec![Values::new(); line.frames.activations.len()];
    let (written, found) = (FxHashMap::default(), IndexSet::new());
    let mut walk = Walk { program: program.lend(), line, wanted, values, written, found };
    (0..line.path.len()).for_each(|number| walk.step(number));
    walk.found
}

impl Walk<'_> {
    fn step(&mut self, number: usize) {
        let step = self.line.assignments(&self.program, number);
        match step.kind {
            Kind::Return => self.leave(&step),
            Kind::Call => self.enter(step.to),
            Kind::Block => self.block(&step),
            Kind::Start | Kind::Other => {}
        }
    }

    fn procedure(&self, activation: usize) -> ProcedureId {
        self.line.frames.activations[activation].procedure
    }

    /// Whether nobody calls an activation: what its variables were at its entry is of no interest.
    fn is_first(&self, activation: usize) -> bool {
        self.line.frames.activations[activation].caller.is_none()
    }

    /// The variables that a procedure may write.
    fn is_written(&mut self, procedure: ProcedureId, symbol: Symbol) -> bool {
        let program = &self.program;
        let written = self.written.entry(procedure).or_insert_with(|| {
            let own = program.procedures[procedure].edges.iter().flat_map(Edge::writes);
            globals_written(program, procedure).into_iter().chain(own).collect()
        });
        written.contains(&symbol)
    }

    /// Variables that matter are at the entry what they are at the entry.
    fn enter(&mut self, callee: usize) {
        let procedure = self.procedure(callee);
        let parameters = self.program.procedures[procedure].parameters.clone();
        let globals = self.wanted.iter().copied();
        let globals = globals.filter(|&symbol| self.program.variables[symbol].scope == Scope::Global);
        let mut visible: Vec<Symbol> = globals.chain(parameters).collect();
        visible.sort_unstable();
        for symbol in visible {
            let old = self.at_entry(procedure, symbol);
            self.values[callee].insert(symbol, old);
            self.tell(callee, symbol);
        }
    }

    /// The term for what a variable was at the entry of a procedure.
    fn at_entry(&mut self, procedure: ProcedureId, symbol: Symbol) -> Option<Term> {
        let array = matches!(self.program.store.sort_of_symbol(symbol), Sort::Array { .. });
        if !self.is_written(procedure, symbol) {
            return Some(self.program.terms().symbol(symbol));
        }
        if array || !self.wanted.contains(&symbol) {
            return None;
        }
        let ghost = self.program.ghost(procedure, symbol);
        Some(self.program.terms().symbol(ghost))
    }

    /// What a term is, in terms of the entry of an activation.
    fn value(&mut self, activation: usize, term: Term) -> Option<Term> {
        let mut known = Vec::new();
        for symbol in self.program.store.free_symbols(term) {
            known.push((symbol, self.values[activation].get(&symbol).copied().flatten()?));
        }
        let value = self.program.terms().substitute(term, &known);
        (self.program.store.reachable(&[value]).len() <= LARGEST).then_some(value)
    }

    fn block(&mut self, step: &Assignments) {
        if self.is_first(step.from) {
            return;
        }
        let mut new = Vec::new();
        for &(symbol, value) in step.all.iter().filter(|(symbol, _)| self.wanted.contains(symbol)) {
            new.push((symbol, self.assigned(step.from, value)));
        }
        self.set(step.to, new);
    }

    fn assigned(&mut self, activation: usize, value: Value) -> Option<Term> {
        match value {
            Value::Term(term) => self.value(activation, term),
            Value::Variable(symbol) => self.values[activation].get(&symbol).copied().flatten(),
        }
    }

    /// Variables of an activation get these values.
    fn set(&mut self, activation: usize, new: Vec<(Symbol, Option<Term>)>) {
        for (symbol, value) in new {
            self.values[activation].insert(symbol, value);
            self.tell(activation, symbol);
        }
    }

    /// What the callee has made of global variables, and its result, in terms of the caller's entry.
    fn leave(&mut self, step: &Assignments) {
        let (callee, caller) = (step.from, step.to);
        if self.is_first(caller) {
            return;
        }
        let procedure = self.procedure(callee);
        let (_, call) = self.line.frames.activations[callee].caller.expect("it was called");
        let mut given: Vec<(Symbol, Option<Term>)> = Vec::new();
        for (parameter, value) in self.line.assignments(&self.program, call).all {
            given.push((parameter, self.assigned(caller, value)));
        }
        let mut new = Vec::new();
        for (symbol, value) in std::mem::take(&mut self.values[callee]) {
            let global = self.program.variables[symbol].scope == Scope::Global;
            if global && self.is_written(procedure, symbol) {
                new.push((symbol, self.in_caller(value, &given, caller)));
            }
            for &(target, result) in &step.all {
                if result == Value::Variable(symbol) {
                    new.push((target, self.in_caller(value, &given, caller)));
                }
            }
        }
        self.set(caller, new);
    }

    /// A term over the entry of a callee, in terms of the entry of its caller.
    fn in_caller(
        &mut self,
        term: Option<Term>,
        given: &[(Symbol, Option<Term>)],
        caller: usize,
    ) -> Option<Term> {
        let mut pairs = Vec::new();
        for symbol in self.program.store.free_symbols(term?) {
            let argument = given.iter().find(|(parameter, _)| *parameter == symbol);
            let value =
                argument.map_or_else(|| self.values[caller].get(&symbol).copied().flatten(), |it| it.1);
            pairs.push((symbol, value?));
        }
        let value = Substitution::new(pairs).apply(self.program.terms(), term?);
        (self.program.store.reachable(&[value]).len() <= LARGEST).then_some(value)
    }

    /// Offers that a variable is what it is.
    fn tell(&mut self, activation: usize, symbol: Symbol) {
        let Some(value) = self.values[activation].get(&symbol).copied().flatten() else { return };
        let store = self.program.terms();
        let variable = store.symbol(symbol);
        if variable == value
            || matches!(store.node(value), Node::Bits(..) | Node::Boolean(_))
            || matches!(store.sort(value), Sort::Array { .. })
        {
            return;
        }
        let equation = store.equal(variable, value);
        let procedure = self.procedure(activation);
        let term = crate::refine::canonical(&self.program.store, equation);
        self.found.extend(term.and_then(|term| scoped(&self.program, procedure, term)));
    }
}
