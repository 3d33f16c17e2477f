//! From demands to candidates: atoms, in the words of one activation.

use super::{Backward, Instance};
use crate::predicate::PredicateScope;
use crate::refine::Candidate;
use crate::refine::atoms::atoms;
use crate::term::import::Import;
use crate::term::{Symbol, Term};
use std::collections::BTreeSet;

/// Variables of so many callers are named.
const DEEPEST: usize = 4;

impl Backward<'_> {
    /// The atoms of the demands, as predicates of the activation before a step.
    pub(super) fn harvest(&mut self, number: usize) {
        let activation = self.line.frames.before[number];
        let names = self.names_of_callers(activation);
        for demand in self.demands.clone() {
            for atom in atoms(&mut self.store, demand) {
                let local = self.localised(activation, atom, &names);
                let local = local.or_else(|| self.with_constants(activation, atom));
                if let Some(candidate) = local.and_then(|atom| self.export(activation, atom)) {
                    self.found.insert(candidate);
                }
            }
        }
    }

    /// The atom with constants for variables of callers, if they are constant and something is left.
    fn with_constants(&mut self, activation: usize, atom: Term) -> Option<Term> {
        let symbols = self.store.free_symbols(atom);
        let own = |symbol: &Symbol| matches!(self.instances[symbol], Instance::Local(other, _) if other == activation);
        if !symbols.iter().any(own) {
            return None;
        }
        let (mut replaced, mut new) = (Vec::new(), Vec::new());
        for symbol in symbols {
            let Instance::Local(owner, theirs) = self.instances[&symbol] else { continue };
            if owner != activation {
                let value = self.constant(activation, owner, theirs)?;
                new.extend(self.equation(owner, theirs, value));
                let ours = Import::default().term(&self.program.store, &mut self.store, value);
                replaced.push((symbol, ours));
            }
        }
        let atom = self.store.substitute(atom, &replaced);
        let local = self.is_local(activation, atom).then_some(atom)?;
        self.found.extend(new);
        Some(local)
    }

    /// What a variable of a caller is while this activation runs.
    fn constant(&self, activation: usize, owner: usize, symbol: Symbol) -> Option<Term> {
        let mut inner = activation;
        while let Some((caller, _)) = self.line.frames.activations[inner].caller {
            if caller == owner {
                return self.facts.at_calls[inner].get(&symbol).copied();
            }
            inner = caller;
        }
        None
    }

    /// That a variable has a value, as a candidate.
    fn equation(&mut self, activation: usize, symbol: Symbol, value: Term) -> Option<Candidate> {
        let variable = self.program.terms().symbol(symbol);
        let term = self.program.terms().equal(variable, value);
        let scope = PredicateScope::Local(self.line.frames.activations[activation].procedure);
        crate::refine::canonical(&self.program.store, term).map(|term| Candidate { term, scope })
    }

    /// Names for variables of all callers, from the outermost to the nearest: to be applied in this order.
    fn names_of_callers(&mut self, activation: usize) -> Vec<Vec<(Symbol, Term)>> {
        let mut names = vec![self.names_of_arguments(activation)];
        let mut inner = activation;
        while let Some((caller, _)) = self.line.frames.activations[inner].caller
            && names.len() < DEEPEST
        {
            names.push(self.names_of_arguments(caller));
            inner = caller;
        }
        names.reverse();
        names
    }

    /// Variables of the caller that are arguments, but for a constant that is added, and the parameters that they became,
    /// unless the callee writes those.
    fn names_of_arguments(&mut self, activation: usize) -> Vec<(Symbol, Term)> {
        let Some((_, call)) = self.line.frames.activations[activation].caller else { return Vec::new() };
        let procedure = self.line.frames.activations[activation].procedure;
        let step = self.line.assignments(&self.program, call);
        let written: BTreeSet<Symbol> =
            self.program.procedures[procedure].edges.iter().flat_map(crate::program::Edge::writes).collect();
        let values = self.assigned(&step);
        let mut names = Vec::new();
        for (&(parameter, _), value) in step.all.iter().zip(values) {
            let (base, added) = self.store.offset(value);
            let argument = self.store.as_symbol(base);
            if let Some(argument) = argument.filter(|_| !written.contains(&parameter)) {
                let mut name = self.symbol(activation, parameter);
                if added != 0 {
                    let width = self.store.width(value);
                    let added = self.store.bits(width, added);
                    name = self.store.subtract(name, added);
                }
                names.push((argument, name));
            }
        }
        names
    }

    /// The atom over variables of one activation and globals, if it can be said so.
    fn localised(&mut self, activation: usize, atom: Term, names: &[Vec<(Symbol, Term)>]) -> Option<Term> {
        let mut atom = atom;
        for names in names {
            if self.is_local(activation, atom) {
                return Some(atom);
            }
            atom = self.store.substitute(atom, names);
        }
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
            symbols.push((symbol, self.program.terms().symbol(theirs)));
        }
        let term = Import::new(symbols).term(&self.store, self.program.terms(), atom);
        let procedure = self.line.frames.activations[activation].procedure;
        let scope = if local { PredicateScope::Local(procedure) } else { PredicateScope::Global };
        crate::refine::canonical(&self.program.store, term).map(|term| Candidate { term, scope })
    }
}
