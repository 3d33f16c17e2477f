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
use crate::path::unroll::Values;
use crate::path::{Assignments, Frames, Kind, Line, Position, Unrolling, globals_written, guard_conjuncts};
use crate::predicate::PredicateScope;
use crate::program::{Action, Block, Edge, ProcedureId, Program, Scope};
use crate::smt::{self, Answer, Budget, Solver};
use crate::term::{Store, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether predicates exclude a path.
pub(super) enum Excluded {
    /// These do.
    By(Vec<usize>),
    /// They do not.
    Not,
    /// Nobody knows: it is too hard to tell.
    Unknown,
}

/// A formula whose states are linked by predicates.
pub(super) struct Linked<'a> {
    program: &'a Program,
    predicates: &'a [Candidate],
    /// The predicates that matter.
    linking: Vec<usize>,
    /// All variables that matter.
    symbols: FxHashSet<Symbol>,
    unrolling: Unrolling<'a>,
    solver: Solver,
    /// For each activation: the globals when it was called, and what its parameters were.
    calls: Vec<(Values, Vec<(Symbol, Term)>)>,
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
    pub line: Line<'a>,
    /// The path to its end, behind the contradiction.
    pub whole: Line<'a>,
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
    pub fn new(program: &Program, whole: &Line<'a>, core: &'a [Position]) -> Self {
        debug_assert!(core.is_sorted());
        let line = whole.prefix(core.last().map_or(whole.path.len(), |position| position.step + 1));
        let symbols = slice::symbols(program, &line, core);
        Self { line, whole: whole.clone(), core, symbols, guards: Guards::Core }
    }

    /// The same with the variables that loops move together with these, all guards about them, and the variables that
    /// those compare them with. A loop that is unwound a few times may need no guard for its contradiction, but its
    /// invariant does.
    pub fn widened(&self, program: &Program) -> Self {
        let mut symbols = self.symbols.clone();
        for together in loops::companions(program, &self.line) {
            if together.iter().any(|symbol| symbols.contains(symbol)) {
                symbols.extend(together);
            }
        }
        let wide = Self { symbols, ..self.clone() };
        let mut symbols = wide.symbols.clone();
        for step in self.line.path.iter().filter(|step| !step.returns) {
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
        let whole = Self { line: self.whole.clone(), ..self.clone() };
        let mut symbols = whole.symbols.clone();
        for together in loops::followed(program, &whole.line) {
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
        if self.line.path[number].returns {
            return Vec::new();
        }
        let edge = self.line.edge(program, number);
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
        let count = conflict.line.frames.activations.len();
        let mut linked = Self {
            program,
            predicates,
            linking: Vec::new(),
            symbols: conflict.symbols.clone(),
            unrolling: Unrolling::new(program, count),
            solver: Solver::new(smt::Kind::Link, limits),
            calls: vec![Default::default(); count],
            threads: vec![(0, program.entry)],
            last: last_steps(&conflict.line),
            links: vec![Vec::new(); predicates.len()],
        };
        linked.find_symbols(conflict);
        let matters = linked.steps_that_matter(conflict);
        for number in (0..conflict.line.path.len()).filter(|&number| matters[number]) {
            limits.check()?;
            let guards = conflict.guards(program, number);
            linked.step(&conflict.line, number, &guards);
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
    fn steps_that_matter(&self, conflict: &Conflict<'_>) -> Vec<bool> {
        let frames: &Frames = &conflict.line.frames;
        let mut matters = vec![false; conflict.line.path.len()];
        for number in 0..matters.len() {
            let step = conflict.line.assignments(self.program, number);
            let writes = step.all.iter().any(|(symbol, _)| self.symbols.contains(symbol));
            if step.kind != Kind::Start && !writes && conflict.guards(self.program, number).is_empty() {
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
        for (number, step) in conflict.line.path.iter().enumerate().filter(|(_, step)| step.returns) {
            let call = frames.activations[frames.before[number]].caller;
            matters[number] |= step.returns && call.is_some_and(|(_, call)| matters[call]);
        }
        matters
    }

    /// Sets what each later query may cost.
    pub fn set_resources(&mut self, resources: u32) {
        self.solver.set_budget(Budget { resources: Some(resources) });
    }

    /// Whether these predicates exclude the path, and which of them are needed.
    pub fn excluding(&mut self, some: &[usize]) -> Result<Excluded, Stop> {
        let mut owners = Vec::new();
        for &number in some {
            owners.extend(self.links[number].iter().map(|&link| (link, number)));
        }
        let assumptions: Vec<Term> = owners.iter().map(|&(link, _)| link).collect();
        let core = match self.solver.check_assuming(&self.unrolling.store, &assumptions)? {
            Answer::Unsat { core } => core,
            Answer::Sat(_) => return Ok(Excluded::Not),
            Answer::Unknown(_) => return Ok(Excluded::Unknown),
        };
        let core: FxHashSet<Term> = core.into_iter().collect();
        let mut needed: Vec<usize> =
            owners.into_iter().filter(|(link, _)| core.contains(link)).map(|(_, number)| number).collect();
        needed.sort_unstable();
        needed.dedup();
        Ok(Excluded::By(needed))
    }

    fn step(&mut self, line: &Line<'_>, number: usize, guards: &[Term]) {
        let step = line.assignments(self.program, number);
        match &line.edge(self.program, number).action {
            Action::Call { procedure, .. } if step.kind == Kind::Return => self.leave(*procedure, &step),
            Action::Call { procedure, .. } | Action::Start { procedure, .. } => {
                self.enter(&step);
                self.threads.extend(line.frames.started[number].map(|started| (started, *procedure)));
            }
            Action::Block(block) => self.block(block, guards, &step),
            _ => return,
        }
        self.link(line, number);
    }

    fn enter(&mut self, step: &Assignments) {
        let values = self.unrolling.assigned(step);
        let globals = self.unrolling.globals().clone();
        self.write(step, &values);
        let parameters = step.all.iter().map(|&(parameter, _)| parameter);
        self.calls[step.to] = (globals, parameters.zip(values).collect());
    }

    fn write(&mut self, step: &Assignments, values: &[Term]) {
        for (&(symbol, _), &value) in step.all.iter().zip(values) {
            self.unrolling.write(step.to, symbol, value);
        }
    }

    /// What the callee cannot have changed is as it was when it was called.
    fn leave(&mut self, procedure: ProcedureId, step: &Assignments) {
        let (callee, caller) = (step.from, step.to);
        let called = &self.program.procedures[procedure];
        let (globals, parameters) = std::mem::take(&mut self.calls[callee]);
        let own: FxHashSet<Symbol> = called.edges.iter().flat_map(Edge::writes).collect();
        for (parameter, argument) in parameters.into_iter().filter(|(symbol, _)| !own.contains(symbol)) {
            let value = self.unrolling.read(callee, parameter);
            self.equate(value, argument);
        }
        let written = globals_written(self.program, procedure);
        for (symbol, value) in globals.into_iter().filter(|(symbol, _)| !written.contains(symbol)) {
            let now = self.unrolling.read(caller, symbol);
            self.equate(now, value);
        }
        let values = self.unrolling.assigned(step);
        self.write(step, &values);
    }

    fn equate(&mut self, a: Term, b: Term) {
        let equation = self.unrolling.store.equal(a, b);
        self.solver.assert(&self.unrolling.store, equation);
    }

    fn block(&mut self, block: &Block, guard: &[Term], step: &Assignments) {
        let mut inputs = FxHashMap::default();
        for &input in &block.inputs {
            let ours = self.unrolling.fresh(input);
            inputs.insert(input, self.unrolling.store.symbol(ours));
        }
        let updates: Vec<(Symbol, Term)> =
            block.updates.iter().copied().filter(|(symbol, _)| self.symbols.contains(symbol)).collect();
        let values = updates.iter().map(|&(_, value)| value);
        let terms: Vec<Term> = guard.iter().copied().chain(values).collect();
        let terms = self.unrolling.terms(step.from, &terms, &inputs);
        let (guard, values) = terms.split_at(guard.len());
        guard.iter().for_each(|&conjunct| self.solver.assert(&self.unrolling.store, conjunct));
        for (&(symbol, _), &value) in updates.iter().zip(values) {
            self.unrolling.write(step.to, symbol, value);
        }
    }

    /// The state behind a step agrees with the next one on predicates, and on nothing else.
    fn link(&mut self, line: &Line<'_>, number: usize) {
        let activation = line.frames.behind[number];
        let mut knows = vec![(activation, line.frames.activations[activation].procedure)];
        knows.extend(self.others(number, activation));
        let mut old = Vec::new();
        for (position, &(activation, procedure)) in knows.iter().enumerate() {
            let mut visible = self.visible(procedure);
            if position > 0 {
                visible.retain(|&number| self.predicates[number].scope != PredicateScope::Global);
            }
            let values = self.predicates_in(activation, &visible);
            old.push((visible, values));
        }
        self.unrolling.forget_globals();
        knows.iter().for_each(|&(activation, _)| self.unrolling.forget_locals(activation));
        for (&(activation, _), (visible, old)) in knows.iter().zip(old) {
            let new = self.predicates_in(activation, &visible);
            for (place, &number) in visible.iter().enumerate() {
                let link = self.unrolling.store.equal(old[place], new[place]);
                if self.unrolling.store.truth(link) != Some(true) {
                    self.links[number].push(link);
                }
            }
        }
    }

    /// What predicates say in an activation now.
    fn predicates_in(&mut self, activation: usize, some: &[usize]) -> Vec<Term> {
        let terms: Vec<Term> = some.iter().map(|&number| self.predicates[number].term).collect();
        self.unrolling.terms(activation, &terms, &FxHashMap::default())
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
}

/// For each activation the number of its last step.
fn last_steps(line: &Line<'_>) -> Vec<usize> {
    let mut last = vec![0; line.frames.activations.len()];
    let before = line.frames.before.iter().take(line.path.len());
    before.enumerate().for_each(|(number, &activation)| last[activation] = number);
    last
}
