//! Weakest preconditions of a core, backwards along the path \[DHMNP17\].
//!
//! What the rest of the core demands is a list of conjuncts over the state before each step; their negation is the weakest
//! precondition of "the path ends here". A step replaces the variables that it writes by their values; steps that write
//! nothing that is demanded change nothing, and so the path is sliced. Each activation has symbols of its own, in a store
//! of its own. Demands that an input decides are solved for it if they are equations, else dropped.
//!
//! Atoms of the demands become candidates for predicates. An atom over variables of two activations is rewritten by the
//! parameters of the inner one, where an argument is a plain variable: so `result == x + 1` becomes `result == p + 1`.

use super::Candidate;
use super::atoms::{atoms, resolve};
use super::frames::Frames;
use crate::predicate::path::{Position, guard_conjuncts};
use crate::predicate::{PathStep, PredicateScope};
use crate::program::{Action, Program, Scope};
use crate::term::import::Import;
use crate::term::substitute::Substitution;
use crate::term::{Node, Store, Symbol, Term};
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
    program: &'a mut Program,
    path: &'a [PathStep],
    frames: Frames,
    store: Store,
    symbols: FxHashMap<Instance, Symbol>,
    instances: FxHashMap<Symbol, Instance>,
    demands: IndexSet<Term>,
    found: IndexSet<Candidate>,
}

/// The candidates of a core, from the end of the path to its start.
pub(super) fn candidates(program: &mut Program, path: &[PathStep], core: &[Position]) -> IndexSet<Candidate> {
    let frames = Frames::of(program, path);
    let mut backward = Backward {
        program,
        path,
        frames,
        store: Store::new(),
        symbols: FxHashMap::default(),
        instances: FxHashMap::default(),
        demands: IndexSet::new(),
        found: IndexSet::new(),
    };
    let last = core.last().map_or(0, |position| position.step + 1);
    for number in (0..last).rev() {
        let conjuncts: Vec<usize> = core
            .iter()
            .filter(|position| position.step == number)
            .map(|position| position.conjunct)
            .collect();
        backward.step(number, &conjuncts);
        backward.harvest(number);
    }
    backward.found
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
        let step = &self.path[number];
        let (before, behind) = (self.frames.before[number], self.frames.behind[number]);
        let edge = self.program.procedures[step.procedure].edges[step.edge].clone();
        match &edge.action {
            Action::Call { procedure, result, .. } if step.returns => {
                let value = self.program.procedures[*procedure].result;
                if let (Some(target), Some(value)) = (*result, value) {
                    let pair = (self.symbol(behind, target), self.symbol(before, value));
                    self.replace(vec![pair]);
                }
            }
            Action::Call { procedure, arguments, .. } | Action::Start { procedure, arguments } => {
                let behind = self.frames.started[number].unwrap_or(behind);
                let values = self.import(before, arguments, &[]);
                let parameters = self.program.procedures[*procedure].parameters.clone();
                let pairs =
                    parameters.into_iter().map(|parameter| self.symbol(behind, parameter)).zip(values);
                let pairs: Vec<_> = pairs.collect();
                self.replace(pairs);
                self.drop_locals(behind);
            }
            Action::Block(block) => {
                let inputs: Vec<(Symbol, Term)> =
                    block.inputs.iter().map(|&input| (input, self.input(input))).collect();
                let values: Vec<Term> = block.updates.iter().map(|&(_, value)| value).collect();
                let values = self.import(before, &values, &inputs);
                let pairs: Vec<_> = block
                    .updates
                    .iter()
                    .map(|&(symbol, _)| self.symbol(before, symbol))
                    .zip(values)
                    .collect();
                self.replace(pairs);
                let conjuncts = guard_conjuncts(&self.program.store, &edge);
                let own: Vec<Term> = core.iter().map(|&conjunct| conjuncts[conjunct]).collect();
                let own = self.import(before, &own, &inputs);
                self.demands.extend(own);
                self.eliminate();
            }
            _ => {}
        }
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
            for conjunct in crate::predicate::path::conjuncts(&self.store, new) {
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

    /// Inputs are solved for, where an equation says what they are; other demands on them are dropped.
    fn eliminate(&mut self) {
        let equations: Vec<Term> = self.demands.iter().copied().collect();
        for equation in equations {
            if let Some((input, value)) = self.solved(equation) {
                self.demands.shift_remove(&equation);
                self.replace(vec![(input, value)]);
            }
        }
        self.drop_demands(|instance| *instance == Instance::Input);
    }

    /// The input that an equation determines, and its value.
    fn solved(&self, equation: Term) -> Option<(Term, Term)> {
        let Node::Equal(a, b) = self.store.node(equation) else { return None };
        [(a, b), (b, a)].into_iter().find(|&(input, value)| {
            let symbol = self.store.as_symbol(input);
            symbol.is_some_and(|symbol| {
                self.instances[&symbol] == Instance::Input
                    && !self.store.free_symbols(value).contains(&symbol)
            })
        })
    }

    /// The atoms of the demands, as predicates of the activation before a step.
    fn harvest(&mut self, number: usize) {
        let activation = self.frames.before[number];
        let names = self.names_of_arguments(activation);
        for demand in self.demands.clone() {
            for atom in atoms(&mut self.store, demand) {
                let local = self.localised(activation, atom, &names);
                if let Some(candidate) = local.and_then(|atom| self.export(activation, atom)) {
                    self.found.insert(candidate);
                }
            }
        }
    }

    /// Variables of the caller that are arguments, and the parameters that they became, unless the callee writes those.
    fn names_of_arguments(&mut self, activation: usize) -> Vec<(Symbol, Term)> {
        let Some((caller, call)) = self.frames.activations[activation].caller else { return Vec::new() };
        let procedure = self.frames.activations[activation].procedure;
        let step = &self.path[call];
        let edge = &self.program.procedures[step.procedure].edges[step.edge];
        let Action::Call { arguments, .. } = edge.action.clone() else { return Vec::new() };
        let written: BTreeSet<Symbol> =
            self.program.procedures[procedure].edges.iter().flat_map(crate::program::Edge::writes).collect();
        let parameters = self.program.procedures[procedure].parameters.clone();
        let values = self.import(caller, &arguments, &[]);
        let mut names = Vec::new();
        for (parameter, value) in parameters.into_iter().zip(values) {
            let argument = self.store.as_symbol(value);
            if let Some(argument) = argument.filter(|_| !written.contains(&parameter)) {
                names.push((argument, self.symbol(activation, parameter)));
            }
        }
        names
    }

    /// The atom over variables of one activation and globals, if it can be said so.
    fn localised(&mut self, activation: usize, atom: Term, names: &[(Symbol, Term)]) -> Option<Term> {
        if self.is_local(activation, atom) {
            return Some(atom);
        }
        let atom = self.store.substitute(atom, names);
        self.is_local(activation, atom).then_some(atom)
    }

    fn is_local(&self, activation: usize, atom: Term) -> bool {
        self.store.free_symbols(atom).iter().all(|symbol| match self.instances[symbol] {
            Instance::Global(_) => true,
            Instance::Local(other, _) => other == activation,
            Instance::Input => false,
        })
    }

    /// An atom as a term of the program.
    fn export(&mut self, activation: usize, atom: Term) -> Option<Candidate> {
        let mut local = false;
        let mut symbols = Vec::new();
        for symbol in self.store.free_symbols(atom) {
            let theirs = match self.instances[&symbol] {
                Instance::Global(theirs) => theirs,
                Instance::Local(_, theirs) => {
                    local = true;
                    theirs
                }
                Instance::Input => return None,
            };
            symbols.push((symbol, self.program.store.symbol(theirs)));
        }
        let term = Import::new(symbols).term(&self.store, &mut self.program.store, atom);
        let procedure = self.frames.activations[activation].procedure;
        let scope = if local { PredicateScope::Local(procedure) } else { PredicateScope::Global };
        super::canonical(&self.program.store, term).map(|term| Candidate { term, scope })
    }
}
