//! Weakest preconditions of a core, backwards along the path \[DHMNP17\].
//!
//! What the rest of the core demands is a list of conjuncts over the state before each step; their negation is the weakest
//! precondition of "the path ends here". A step replaces the variables that it writes by their values; steps that write
//! nothing that is demanded change nothing, and so the path is sliced. Each activation has symbols of its own, in a store
//! of its own. Demands that an input decides are solved for it if they are equations, else dropped but for what they say
//! whatever the input is (`inputs`).
//!
//! Atoms of the demands become candidates for predicates. An atom over variables of two activations is rewritten by the
//! parameters of the inner one, where an argument is a plain variable: so `result == x + 1` becomes `result == p + 1`.
//! Else variables of callers become the constants that they are on this path, which are predicates themselves.

mod choices;
mod harvest;
mod inputs;

use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::path::{Assignments, Kind, Line, Position, Value, guard_conjuncts, of_step};
use crate::program::overlay::Frozen;
use crate::program::{Action, Block, Scope};
use crate::refine::Candidate;
use crate::refine::atoms::resolve;
use crate::refine::forward::Facts;
use crate::term::import::Import;
use crate::term::substitute::Substitution;
use crate::term::{Node, Store, Symbol, Term};
use choices::specialised;
use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// No more demands than this are followed.
const MOST: usize = 40;

/// What a symbol of ours stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Instance {
    Global(Symbol),
    Local(usize, Symbol),
    Input,
}

struct Backward<'a> {
    program: Frozen<'a>,
    line: &'a Line<'a>,
    store: Store,
    symbols: FxHashMap<Instance, Symbol>,
    instances: FxHashMap<Symbol, Instance>,
    demands: IndexSet<Term>,
    found: IndexSet<Candidate>,
    /// What is constant on the path.
    facts: &'a Facts,
    start: Start,
}

/// What the walk starts with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::refine) enum Start {
    /// The guards of the core.
    Guards,
    /// The values that their variables have on the path; guards where these are not enough.
    Constants,
}

/// The candidates of a core, from the end of the path to its start.
pub(in crate::refine) fn candidates(
    program: &mut Frozen<'_>,
    line: &Line<'_>,
    core: &[Position],
    facts: &Facts,
    (start, limits): (Start, &Limits),
) -> Result<IndexSet<Candidate>, Stop> {
    let mut backward = Backward {
        program: program.lend(),
        line,
        store: Store::new(),
        symbols: FxHashMap::default(),
        instances: FxHashMap::default(),
        demands: IndexSet::new(),
        found: IndexSet::new(),
        facts,
        start,
    };
    let last = core.last().map_or(0, |position| position.step + 1);
    for number in (0..last).rev() {
        limits.check()?;
        let conjuncts: Vec<usize> = of_step(core, number).iter().map(|position| position.conjunct).collect();
        backward.step(number, &conjuncts);
        backward.harvest(number);
    }
    Ok(backward.found)
}

impl Backward<'_> {
    fn symbol(&mut self, activation: usize, symbol: Symbol) -> Term {
        let instance = match self.program.variables[symbol].scope {
            Scope::Local(_) => Instance::Local(activation, symbol),
            Scope::Global => Instance::Global(symbol),
            Scope::Input => return self.input(symbol),
        };
        if let Some(&known) = self.symbols.get(&instance) {
            return self.store.symbol(known);
        }
        let ours = self.fresh(symbol, instance);
        self.symbols.insert(instance, ours);
        self.store.symbol(ours)
    }

    fn fresh(&mut self, symbol: Symbol, instance: Instance) -> Symbol {
        let sort = self.program.store.sort_of_symbol(symbol);
        let ours = self.store.fresh(self.program.store.name(symbol), sort);
        self.instances.insert(ours, instance);
        ours
    }

    /// A term of the program, in an activation.
    fn import(&mut self, activation: usize, terms: &[Term], inputs: &[(Symbol, Term)]) -> Vec<Term> {
        let mut symbols: Vec<(Symbol, Term)> = inputs.to_vec();
        for part in self.program.store.reachable(terms) {
            if let Node::Symbol(symbol) = self.program.store.node(part)
                && !inputs.iter().any(|(input, _)| *input == symbol)
            {
                symbols.push((symbol, self.symbol(activation, symbol)));
            }
        }
        let mut import = Import::new(symbols);
        terms.iter().map(|&term| import.term(&self.program.store, &mut self.store, term)).collect()
    }

    /// From the demands behind a step to those before it.
    fn step(&mut self, number: usize, core: &[usize]) {
        let edge = self.line.edge(&self.program, number).clone();
        if let Action::Block(block) = &edge.action {
            let conjuncts = guard_conjuncts(&self.program.store, &edge);
            let mut own: Vec<Term> = core.iter().map(|&conjunct| conjuncts[conjunct]).collect();
            if self.start == Start::Constants {
                own = self.values_of(number, &own);
            }
            self.block(number, block, &own);
            return self.eliminate();
        }
        self.passed(number);
    }

    /// Values go into a procedure, or out of it.
    fn passed(&mut self, number: usize) {
        let step = self.line.assignments(&self.program, number);
        let values = self.assigned(&step);
        let pairs = step.all.iter().map(|&(target, _)| self.symbol(step.to, target)).zip(values).collect();
        if step.kind != Kind::Other {
            self.replace(pairs);
        }
        if matches!(step.kind, Kind::Call | Kind::Start) {
            self.drop_locals(step.to);
        }
    }

    /// The values that a call or a return assigns.
    fn assigned(&mut self, step: &Assignments) -> Vec<Term> {
        let given = |&(_, value): &(Symbol, Value)| match value {
            Value::Term(term) => Some(term),
            Value::Variable(_) => None,
        };
        let terms: Vec<Term> = step.all.iter().filter_map(given).collect();
        let mut terms = self.import(step.from, &terms, &[]).into_iter();
        let mut value = |&(_, value): &(Symbol, Value)| match value {
            Value::Term(_) => terms.next().expect("a value for each term"),
            Value::Variable(symbol) => self.symbol(step.from, symbol),
        };
        step.all.iter().map(&mut value).collect()
    }

    /// From the demands behind a block to those before it: updates of what is demanded, its part of the core, and the
    /// conditions of choices that are decided.
    fn block(&mut self, number: usize, block: &Block, core: &[Term]) {
        let activation = self.line.frames.before[number];
        let mut demanded = BTreeSet::new();
        self.demands.iter().for_each(|&demand| demanded.extend(self.store.free_symbols(demand)));
        let mut targets = Vec::new();
        let mut terms = Vec::new();
        for &(symbol, value) in &block.updates {
            let target = self.symbol(activation, symbol);
            if self.store.as_symbol(target).is_some_and(|target| demanded.contains(&target)) {
                targets.push(target);
                terms.push(value);
            }
        }
        terms.extend(core);
        let conditions = self.decide(number, &mut terms);
        terms.extend(conditions);
        let inputs: Vec<(Symbol, Term)> =
            block.inputs.iter().map(|&input| (input, self.input(input))).collect();
        let imported = self.import(activation, &terms, &inputs);
        let (values, own) = imported.split_at(targets.len());
        let pairs = targets.into_iter().zip(values.iter().copied()).collect();
        self.replace(pairs);
        self.demands.extend(own.iter().copied());
    }

    /// The values of the variables of guards, and what they leave of the guards.
    fn values_of(&mut self, number: usize, guards: &[Term]) -> Vec<Term> {
        let constants = &self.facts.guards[number];
        let store = self.program.terms();
        let mut substitution = Substitution::new(constants.iter().map(|(&symbol, &value)| (symbol, value)));
        let mut found = IndexSet::new();
        for &guard in guards {
            for symbol in store.free_symbols(guard) {
                if let Some(&value) = constants.get(&symbol) {
                    let variable = store.symbol(symbol);
                    found.insert(store.equal(variable, value));
                }
            }
            let rest = substitution.apply(store, guard);
            found.extend(Some(rest).filter(|&rest| store.truth(rest).is_none()));
        }
        found.into_iter().collect()
    }

    /// Makes the choices in these terms that are decided on the path; tells what they depend on.
    fn decide(&mut self, number: usize, terms: &mut [Term]) -> Vec<Term> {
        let decided = &self.facts.decided[number];
        if decided.is_empty() {
            return Vec::new();
        }
        let mut conditions = IndexSet::new();
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let store = self.program.terms();
        // Only what is left of a term after its outer choices are made asks for conditions of inner ones.
        for term in terms.iter_mut() {
            *term = specialised(store, *term, decided, &mut done, &mut conditions);
        }
        conditions.into_iter().collect()
    }

    fn input(&mut self, input: Symbol) -> Term {
        let ours = self.fresh(input, Instance::Input);
        self.store.symbol(ours)
    }

    /// Symbols become terms, in all demands.
    fn replace(&mut self, pairs: Vec<(Term, Term)>) {
        let symbols =
            pairs.iter().filter_map(|&(symbol, value)| Some((self.store.as_symbol(symbol)?, value)));
        let mut substitution = Substitution::new(symbols.collect::<Vec<_>>());
        let old = std::mem::take(&mut self.demands);
        for demand in old {
            let new = substitution.apply(&mut self.store, demand);
            let new = resolve(&mut self.store, new);
            for conjunct in crate::path::position::conjuncts(&self.store, new) {
                if self.demands.len() < MOST && self.store.truth(conjunct).is_none() {
                    self.demands.insert(conjunct);
                }
            }
        }
    }

    /// Nothing is known of local variables at the entry of their procedure.
    fn drop_locals(&mut self, activation: usize) {
        let mentions =
            |instance: &Instance| matches!(instance, Instance::Local(other, _) if *other == activation);
        self.drop_demands(mentions);
    }

    fn drop_demands(&mut self, mentions: impl Fn(&Instance) -> bool) {
        let (store, instances) = (&self.store, &self.instances);
        self.demands
            .retain(|&demand| !store.free_symbols(demand).iter().any(|symbol| mentions(&instances[symbol])));
    }
}
