//! Would these predicates exclude a path?
//!
//! Every step of the path gets a state of its own. Between two steps the states are not the same: they only agree on the
//! values of the predicates. This formula has a model if and only if the path is possible in the most precise
//! abstraction over these predicates, so one query decides whether a set of candidates is worth adding, and its core says
//! which of them are needed.
//!
//! Behind a call the caller's variables are those from before it, and the globals are the callee's, but for those that the
//! callee cannot write. Parameters that the callee never writes still equal the arguments.

use super::Candidate;
use super::frames::{Frames, globals_written};
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::predicate::{PathStep, PredicateScope};
use crate::program::{Action, Block, Edge, ProcedureId, Program, Scope};
use crate::smt::{Answer, Budget, Solver};
use crate::term::import::Import;
use crate::term::{Node, Store, Symbol, Term};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::time::Duration;

/// What one query may cost.
const PATIENCE: Duration = Duration::from_secs(5);

type Values = BTreeMap<Symbol, Term>;

/// A formula whose states are linked by predicates.
pub(super) struct Linked<'a> {
    program: &'a Program,
    predicates: &'a [Candidate],
    store: Store,
    solver: Solver,
    globals: Values,
    /// Local variables of each activation.
    locals: Vec<Values>,
    /// For each activation: the globals when it was called, and its arguments.
    calls: Vec<(Values, Vec<Term>)>,
    /// For each predicate: that two states agree on it, all along.
    links: Vec<Vec<Term>>,
}

impl<'a> Linked<'a> {
    /// The formula of a path.
    pub fn new(
        program: &'a Program,
        path: &[PathStep],
        predicates: &'a [Candidate],
        limits: &Limits,
    ) -> Self {
        let mut solver = Solver::new(limits);
        solver.set_budget(Budget { time: Some(PATIENCE), resources: None });
        let frames = Frames::of(program, path);
        let count = frames.activations.len();
        let mut linked = Self {
            program,
            predicates,
            store: Store::new(),
            solver,
            globals: Values::default(),
            locals: vec![Values::default(); count],
            calls: vec![Default::default(); count],
            links: vec![Vec::new(); predicates.len()],
        };
        for (number, step) in path.iter().enumerate() {
            linked.step(number, step, &frames);
        }
        linked
    }

    /// If some of these predicates exclude the path: those that are needed.
    pub fn excluding(&mut self, some: &[usize]) -> Result<Option<Vec<usize>>, Stop> {
        let mut owners = Vec::new();
        for &number in some {
            owners.extend(self.links[number].iter().map(|&link| (link, number)));
        }
        let assumptions: Vec<Term> = owners.iter().map(|&(link, _)| link).collect();
        let Answer::Unsat { core } = self.solver.check_assuming(&self.store, &assumptions)? else {
            return Ok(None);
        };
        let core: FxHashSet<Term> = core.into_iter().collect();
        let mut needed: Vec<usize> =
            owners.into_iter().filter(|(link, _)| core.contains(link)).map(|(_, number)| number).collect();
        needed.sort_unstable();
        needed.dedup();
        Ok(Some(needed))
    }

    fn step(&mut self, number: usize, step: &PathStep, frames: &Frames) {
        let program = self.program;
        let (before, behind) = (frames.before[number], frames.behind[number]);
        let edge = &program.procedures[step.procedure].edges[step.edge];
        match &edge.action {
            Action::Call { procedure, result, .. } if step.returns => {
                self.leave(*procedure, *result, before, behind);
            }
            Action::Call { procedure, arguments, .. } | Action::Start { procedure, arguments } => {
                let callee = frames.started[number].unwrap_or(behind);
                self.enter(*procedure, arguments, before, callee);
            }
            Action::Block(block) => self.block(block, before),
            _ => return,
        }
        self.link(step, edge, behind);
    }

    fn enter(&mut self, procedure: ProcedureId, arguments: &[Term], caller: usize, callee: usize) {
        let values = self.import(caller, arguments, &Values::default());
        let parameters = self.program.procedures[procedure].parameters.iter().copied();
        self.locals[callee] = parameters.zip(values.iter().copied()).collect();
        self.calls[callee] = (self.globals.clone(), values);
    }

    fn leave(&mut self, procedure: ProcedureId, result: Option<Symbol>, callee: usize, caller: usize) {
        let called = &self.program.procedures[procedure];
        let (globals, arguments) = std::mem::take(&mut self.calls[callee]);
        let never: FxHashSet<Symbol> = called.edges.iter().flat_map(Edge::writes).collect();
        for (&parameter, &argument) in called.parameters.iter().zip(&arguments) {
            if !never.contains(&parameter) {
                let value = self.read(callee, parameter);
                self.equate(value, argument);
            }
        }
        let written = globals_written(self.program, procedure);
        let kept: Vec<(Symbol, Term)> =
            globals.into_iter().filter(|(symbol, _)| !written.contains(symbol)).collect();
        for (symbol, value) in kept {
            let now = self.read(caller, symbol);
            self.equate(now, value);
        }
        if let (Some(target), Some(value)) = (result, called.result) {
            let value = self.read(callee, value);
            self.write(caller, target, value);
        }
    }

    fn equate(&mut self, a: Term, b: Term) {
        let equation = self.store.equal(a, b);
        self.solver.assert(&self.store, equation);
    }

    fn block(&mut self, block: &Block, activation: usize) {
        let inputs: Values = block.inputs.iter().map(|&input| (input, self.fresh(input))).collect();
        let terms: Vec<Term> =
            std::iter::once(block.guard).chain(block.updates.iter().map(|&(_, value)| value)).collect();
        let values = self.import(activation, &terms, &inputs);
        self.solver.assert(&self.store, values[0]);
        for (&(symbol, _), &value) in block.updates.iter().zip(&values[1..]) {
            self.write(activation, symbol, value);
        }
    }

    /// The state behind a step agrees with the next one on predicates, and on nothing else.
    fn link(&mut self, step: &PathStep, edge: &Edge, activation: usize) {
        let procedure = match &edge.action {
            Action::Call { procedure, .. } if !step.returns => *procedure,
            // A thread that is started sees the arguments as they are: it is linked at its first step.
            _ => step.procedure,
        };
        let visible: Vec<usize> = (0..self.predicates.len())
            .filter(|&number| match self.predicates[number].scope {
                PredicateScope::Global => true,
                PredicateScope::Local(owner) => owner == procedure,
            })
            .collect();
        let terms: Vec<Term> = visible.iter().map(|&number| self.predicates[number].term).collect();
        let old = self.import(activation, &terms, &Values::default());
        self.globals.clear();
        self.locals[activation].clear();
        let new = self.import(activation, &terms, &Values::default());
        for (place, &number) in visible.iter().enumerate() {
            let link = self.store.equal(old[place], new[place]);
            self.links[number].push(link);
        }
    }

    fn import(&mut self, activation: usize, terms: &[Term], inputs: &Values) -> Vec<Term> {
        let program = self.program;
        let mut symbols = Vec::new();
        for part in program.store.reachable(terms) {
            if let Node::Symbol(symbol) = program.store.node(part) {
                let value = inputs.get(&symbol).copied();
                symbols.push((symbol, value.unwrap_or_else(|| self.read(activation, symbol))));
            }
        }
        let mut import = Import::new(symbols);
        terms.iter().map(|&term| import.term(&program.store, &mut self.store, term)).collect()
    }

    fn fresh(&mut self, symbol: Symbol) -> Term {
        let sort = self.program.store.sort_of_symbol(symbol);
        let ours = self.store.fresh(self.program.store.name(symbol), sort);
        self.store.symbol(ours)
    }

    fn read(&mut self, activation: usize, symbol: Symbol) -> Term {
        if let Some(&value) = self.values(activation, symbol).get(&symbol) {
            return value;
        }
        let value = self.fresh(symbol);
        self.values(activation, symbol).insert(symbol, value);
        value
    }

    fn write(&mut self, activation: usize, symbol: Symbol, value: Term) {
        self.values(activation, symbol).insert(symbol, value);
    }

    fn values(&mut self, activation: usize, symbol: Symbol) -> &mut Values {
        match self.program.variables[symbol].scope {
            Scope::Local(_) => &mut self.locals[activation],
            Scope::Global | Scope::Input => &mut self.globals,
        }
    }
}
