//! Would these predicates exclude a path?
//!
//! Every step of the path gets a state of its own. Between two steps the states are not the same: they only agree on the
//! values of the predicates. This formula has a model if and only if the path is possible in the most precise
//! abstraction over these predicates, so one query decides whether a set of candidates is worth adding, and its core says
//! which of them are needed.
//!
//! Only what matters for one contradiction is in the formula: its guards, predicates about its variables (`slice`), and
//! the steps that write what these are about. The others leave all that as it is. Without the rest a path can only seem
//! more possible than it is.
//!
//! With threads, the states between two steps agree on what each thread knows.
//!
//! Behind a call the caller's variables are those from before it, and the globals are the callee's, but for those that the
//! callee cannot write. Parameters that the callee never writes still equal the arguments.

use super::Candidate;
use super::{loops, slice};
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::predicate::frames::{Frames, globals_written};
use crate::predicate::path::{Position, guard_conjuncts};
use crate::predicate::{PathStep, PredicateScope};
use crate::program::{Action, Block, Edge, ProcedureId, Program, Scope};
use crate::smt::{Answer, Budget, Kind, Solver};
use crate::term::import::Import;
use crate::term::{Node, Store, Symbol, Term};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Whether predicates exclude a path.
pub(super) enum Exclusion {
    /// These do.
    By(Vec<usize>),
    /// They do not.
    Not,
    /// Nobody knows: it is too hard to tell.
    Unknown,
}

type Values = BTreeMap<Symbol, Term>;

/// A formula whose states are linked by predicates.
pub(super) struct Linked<'a> {
    program: &'a Program,
    predicates: &'a [Candidate],
    /// The predicates that matter.
    linking: Vec<usize>,
    /// All variables that matter.
    symbols: FxHashSet<Symbol>,
    store: Store,
    solver: Solver,
    globals: Values,
    /// Local variables of each activation.
    locals: Vec<Values>,
    /// For each activation: the globals when it was called, and its arguments.
    calls: Vec<(Values, Vec<Term>)>,
    /// The activations of threads that have been started, with what they run.
    threads: Vec<(usize, ProcedureId)>,
    /// For each activation the number of its last step.
    last: Vec<usize>,
    /// For each predicate: that two states agree on it, all along.
    links: Vec<Vec<Term>>,
}

/// A contradiction on a path: the constraints that make it, and the variables that it depends on.
#[derive(Clone)]
pub(super) struct Conflict<'a> {
    pub path: &'a [PathStep],
    /// The path to its end, behind the contradiction.
    pub whole: &'a [PathStep],
    pub core: &'a [Position],
    symbols: FxHashSet<Symbol>,
    guards: Guards,
}

/// Which guards of the path count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Guards {
    /// Those of the core.
    Core,
    /// Those about its variables, too.
    Near,
}

impl<'a> Conflict<'a> {
    pub fn new(program: &Program, path: &'a [PathStep], core: &'a [Position]) -> Self {
        debug_assert!(core.is_sorted());
        let whole = path;
        let path = &path[..core.last().map_or(path.len(), |position| position.step + 1)];
        Self { path, whole, core, symbols: slice::symbols(program, path, core), guards: Guards::Core }
    }

    /// The same with the variables that loops move together with these, all guards about them, and the variables that
    /// those compare them with. A loop that is unwound a few times may need no guard for its contradiction, but its
    /// invariant does.
    pub fn widened(&self, program: &Program) -> Self {
        let mut symbols = self.symbols.clone();
        for together in loops::companions(program, self.path) {
            if together.iter().any(|symbol| symbols.contains(symbol)) {
                symbols.extend(together);
            }
        }
        let wide = Self { symbols, ..self.clone() };
        let mut symbols = wide.symbols.clone();
        for step in self.path.iter().filter(|step| !step.returns) {
            let edge = &program.procedures[step.procedure].edges[step.edge];
            for conjunct in guard_conjuncts(&program.store, edge) {
                if wide.concerns(&program.store, conjunct) {
                    symbols.extend(program.store.free_symbols(conjunct));
                }
            }
        }
        symbols.retain(|&symbol| program.variables[symbol].scope != Scope::Input);
        Self { symbols, guards: Guards::Near, ..self.clone() }
    }

    /// What matters.
    pub fn symbols(&self) -> &FxHashSet<Symbol> {
        &self.symbols
    }

    /// The same to the end of the path: that a loop is left too early may be excluded by what comes behind it, where it is
    /// left at any time.
    pub fn to_the_end(&self, program: &Program) -> Self {
        let whole = Self { path: self.whole, ..self.clone() };
        let mut symbols = whole.symbols.clone();
        for together in loops::followed(program, whole.path) {
            if together.iter().any(|symbol| symbols.contains(symbol)) {
                symbols.extend(together);
            }
        }
        Self { symbols, ..whole }.widened(program)
    }

    /// Whether a term is about what matters.
    pub fn concerns(&self, store: &Store, term: Term) -> bool {
        store.free_symbols(term).iter().any(|symbol| self.symbols.contains(symbol))
    }

    /// Whether a guard is about what matters, or about an input that the edge stores there.
    fn is_near(&self, store: &Store, edge: &Edge, guard: Term) -> bool {
        let Action::Block(block) = &edge.action else { return false };
        let symbols = store.free_symbols(guard);
        let stored = |&(symbol, value): &(Symbol, Term)| {
            self.symbols.contains(&symbol)
                && store
                    .as_symbol(value)
                    .is_some_and(|input| block.inputs.contains(&input) && symbols.contains(&input))
        };
        symbols.iter().any(|symbol| self.symbols.contains(symbol)) || block.updates.iter().any(stored)
    }

    /// The guards of a step that count.
    fn guards(&self, program: &Program, number: usize) -> Vec<Term> {
        let step = &self.path[number];
        if step.returns {
            return Vec::new();
        }
        let edge = &program.procedures[step.procedure].edges[step.edge];
        let conjuncts = guard_conjuncts(&program.store, edge).into_iter().enumerate();
        let counts = |&(conjunct, term): &(usize, Term)| {
            self.core.binary_search(&Position { step: number, conjunct }).is_ok()
                || self.guards == Guards::Near && self.is_near(&program.store, edge, term)
        };
        conjuncts.filter(counts).map(|(_, term)| term).collect()
    }
}

impl<'a> Linked<'a> {
    /// The formula of a path.
    pub fn new(
        program: &'a Program,
        conflict: &Conflict<'_>,
        predicates: &'a [Candidate],
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let solver = Solver::new(Kind::Link, limits);
        let frames = Frames::of(program, conflict.path);
        let count = frames.activations.len();
        let mut linked = Self {
            program,
            predicates,
            linking: Vec::new(),
            symbols: conflict.symbols.clone(),
            store: Store::new(),
            solver,
            globals: Values::default(),
            locals: vec![Values::default(); count],
            calls: vec![Default::default(); count],
            threads: vec![(0, program.entry)],
            last: last_steps(&frames),
            links: vec![Vec::new(); predicates.len()],
        };
        linked.find_symbols(conflict);
        let matters = linked.steps_that_matter(conflict, &frames);
        for (number, step) in conflict.path.iter().enumerate().filter(|(number, _)| matters[*number]) {
            limits.check()?;
            let guards = conflict.guards(program, number);
            linked.step(number, step, &frames, &guards);
        }
        Ok(linked)
    }

    fn find_symbols(&mut self, conflict: &Conflict<'_>) {
        for (number, predicate) in self.predicates.iter().enumerate() {
            if conflict.concerns(&self.program.store, predicate.term) {
                self.linking.push(number);
                self.symbols.extend(self.program.store.free_symbols(predicate.term));
            }
        }
    }

    /// Steps with a guard that counts, those that write what matters, and the calls around them.
    fn steps_that_matter(&self, conflict: &Conflict<'_>, frames: &Frames) -> Vec<bool> {
        let mut matters = vec![false; conflict.path.len()];
        for (number, step) in conflict.path.iter().enumerate() {
            if !self.matters(step) && conflict.guards(self.program, number).is_empty() {
                continue;
            }
            matters[number] = true;
            for activation in [frames.before[number], frames.behind[number]] {
                let mut inner = activation;
                while let Some((caller, call)) = frames.activations[inner].caller
                    && !std::mem::replace(&mut matters[call], true)
                {
                    inner = caller;
                }
            }
        }
        // A call that matters is returned from.
        for (number, step) in conflict.path.iter().enumerate().filter(|(_, step)| step.returns) {
            let call = frames.activations[frames.before[number]].caller;
            matters[number] |= step.returns && call.is_some_and(|(_, call)| matters[call]);
        }
        matters
    }

    fn matters(&self, step: &PathStep) -> bool {
        match &self.program.procedures[step.procedure].edges[step.edge].action {
            Action::Start { .. } => true,
            Action::Call { result, .. } if step.returns => {
                result.is_some_and(|result| self.symbols.contains(&result))
            }
            Action::Call { procedure, .. } => {
                let mut parameters = self.program.procedures[*procedure].parameters.iter();
                parameters.any(|parameter| self.symbols.contains(parameter))
            }
            Action::Block(block) => block.updates.iter().any(|(symbol, _)| self.symbols.contains(symbol)),
            _ => false,
        }
    }

    /// Sets what each later query may cost.
    pub fn set_resources(&mut self, resources: u32) {
        self.solver.set_budget(Budget { resources: Some(resources) });
    }

    /// Whether these predicates exclude the path, and which of them are needed.
    pub fn excluding(&mut self, some: &[usize]) -> Result<Exclusion, Stop> {
        let mut owners = Vec::new();
        for &number in some {
            owners.extend(self.links[number].iter().map(|&link| (link, number)));
        }
        let assumptions: Vec<Term> = owners.iter().map(|&(link, _)| link).collect();
        let core = match self.solver.check_assuming(&self.store, &assumptions)? {
            Answer::Unsat { core } => core,
            Answer::Sat(_) => return Ok(Exclusion::Not),
            Answer::Unknown(_) => return Ok(Exclusion::Unknown),
        };
        let core: FxHashSet<Term> = core.into_iter().collect();
        let mut needed: Vec<usize> =
            owners.into_iter().filter(|(link, _)| core.contains(link)).map(|(_, number)| number).collect();
        needed.sort_unstable();
        needed.dedup();
        Ok(Exclusion::By(needed))
    }

    fn step(&mut self, number: usize, step: &PathStep, frames: &Frames, guards: &[Term]) {
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
                self.threads.extend(frames.started[number].map(|started| (started, *procedure)));
            }
            Action::Block(block) => self.block(block, guards, before),
            _ => return,
        }
        self.link(number, step, edge, behind);
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

    fn block(&mut self, block: &Block, guard: &[Term], activation: usize) {
        let inputs: Values = block.inputs.iter().map(|&input| (input, self.fresh(input))).collect();
        let updates: Vec<(Symbol, Term)> =
            block.updates.iter().copied().filter(|(symbol, _)| self.symbols.contains(symbol)).collect();
        let values = updates.iter().map(|&(_, value)| value);
        let terms: Vec<Term> = guard.iter().copied().chain(values).collect();
        let imported = self.import(activation, &terms, &inputs);
        let (guard, values) = imported.split_at(guard.len());
        for &conjunct in guard {
            self.solver.assert(&self.store, conjunct);
        }
        for (&(symbol, _), &value) in updates.iter().zip(values) {
            self.write(activation, symbol, value);
        }
    }

    /// The state behind a step agrees with the next one on predicates, and on nothing else.
    fn link(&mut self, number: usize, step: &PathStep, edge: &Edge, activation: usize) {
        let procedure = match &edge.action {
            Action::Call { procedure, .. } if !step.returns => *procedure,
            _ => step.procedure,
        };
        let mut knows = vec![(activation, procedure)];
        knows.extend(self.others(number, activation));
        let mut old = Vec::new();
        for (position, &(activation, procedure)) in knows.iter().enumerate() {
            let mut visible = self.visible(procedure);
            if position > 0 {
                visible.retain(|&number| self.predicates[number].scope != PredicateScope::Global);
            }
            let terms: Vec<Term> = visible.iter().map(|&number| self.predicates[number].term).collect();
            let values = self.import(activation, &terms, &Values::default());
            old.push((visible, terms, values));
        }
        self.globals.clear();
        knows.iter().for_each(|&(activation, _)| self.locals[activation].clear());
        for (&(activation, _), (visible, terms, old)) in knows.iter().zip(old) {
            let new = self.import(activation, &terms, &Values::default());
            for (place, &number) in visible.iter().enumerate() {
                let link = self.store.equal(old[place], new[place]);
                if self.store.truth(link) != Some(true) {
                    self.links[number].push(link);
                }
            }
        }
    }

    /// Other threads that have been started, and have steps to make behind this one.
    fn others(&self, number: usize, activation: usize) -> Vec<(usize, ProcedureId)> {
        let goes_on = |&(other, _): &(usize, ProcedureId)| other != activation && self.last[other] > number;
        match self.threads.len() {
            1 => Vec::new(),
            _ => self.threads.iter().copied().filter(goes_on).collect(),
        }
    }

    /// The predicates that matter and are known in a procedure.
    fn visible(&self, procedure: ProcedureId) -> Vec<usize> {
        let known = |&number: &usize| match self.predicates[number].scope {
            PredicateScope::Global => true,
            PredicateScope::Local(owner) => owner == procedure,
        };
        self.linking.iter().copied().filter(known).collect()
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

/// For each activation the number of its last step.
fn last_steps(frames: &Frames) -> Vec<usize> {
    let mut last = vec![0; frames.activations.len()];
    frames.before.iter().enumerate().for_each(|(number, &activation)| last[activation] = number);
    last
}
