//! An abstraction that is exact and an engine that is naive: abstract states are stacks of locations with values of
//! predicates, and the successors of a step are asked of Z3, all of them.

use crate::ground::limits::Limits;
use crate::path::globals_written;
use crate::predicate::{PathStep, Precision, PredicateId, PredicateScope};
use crate::program::{Action, Edge, EdgeId, LocationId, ProcedureId, Program, Scope};
use crate::smt::{Answer, Kind, Solver};
use crate::term::{Symbol, Term};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

type Values = Vec<(PredicateId, bool)>;
type Question = (Vec<Term>, Vec<Term>);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Frame {
    procedure: ProcedureId,
    location: LocationId,
    values: Values,
    /// The globals' predicates when it was called, and the call.
    call: Option<(Values, EdgeId)>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct State {
    globals: Values,
    frames: Vec<Frame>,
}

struct Explorer<'a> {
    program: &'a mut Program,
    precision: &'a Precision,
    /// Answers to facts and goals.
    known: BTreeMap<Question, Vec<Vec<bool>>>,
    copies: BTreeMap<Symbol, Symbol>,
}

/// A shortest abstract path that violates a property, if there is one.
pub(super) fn explore(program: &mut Program, precision: &Precision) -> Option<Vec<PathStep>> {
    let mut explorer = Explorer { program, precision, known: BTreeMap::new(), copies: BTreeMap::new() };
    let starts = explorer.starts();
    let mut states: Vec<(State, Option<(usize, PathStep)>)> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open = VecDeque::new();
    for start in starts {
        seen.insert(start.clone());
        open.push_back(states.len());
        states.push((start, None));
    }
    while let Some(number) = open.pop_front() {
        assert!(states.len() < 20_000, "too many abstract states");
        let state = states[number].0.clone();
        for (step, next) in explorer.successors(&state) {
            let edge = &explorer.program.procedures[step.procedure].edges[step.edge];
            if edge.property.is_some() && !step.returns {
                return Some(path(&states, number, step));
            }
            if seen.insert(next.clone()) {
                open.push_back(states.len());
                states.push((next, Some((number, step))));
            }
        }
    }
    None
}

fn path(states: &[(State, Option<(usize, PathStep)>)], mut number: usize, last: PathStep) -> Vec<PathStep> {
    let mut path = vec![last];
    while let Some((before, step)) = &states[number].1 {
        path.push(step.clone());
        number = *before;
    }
    path.reverse();
    path
}

impl Explorer<'_> {
    fn ids(&self, procedure: Option<ProcedureId>) -> Vec<PredicateId> {
        let scope = procedure.map_or(PredicateScope::Global, PredicateScope::Local);
        self.precision.predicates.ids().filter(|&id| self.precision.predicates[id].scope == scope).collect()
    }

    fn starts(&mut self) -> Vec<State> {
        let entry = self.program.entry;
        let (globals, locals) = (self.ids(None), self.ids(Some(entry)));
        let ids: Vec<PredicateId> = globals.iter().chain(&locals).copied().collect();
        let terms: Vec<Term> = ids.iter().map(|&id| self.precision.predicates[id].term).collect();
        let location = self.program.procedures[entry].entry;
        let frame = |values| Frame { procedure: entry, location, values, call: None };
        let found = self.all(vec![], terms);
        let states = found.into_iter().map(|bits| {
            let values: Values = ids.iter().copied().zip(bits).collect();
            let (a, b) = values.split_at(globals.len());
            State { globals: a.to_vec(), frames: vec![frame(b.to_vec())] }
        });
        states.collect()
    }

    /// All values of the goals in states that satisfy the facts.
    fn all(&mut self, facts: Vec<Term>, goals: Vec<Term>) -> Vec<Vec<bool>> {
        if let Some(known) = self.known.get(&(facts.clone(), goals.clone())) {
            return known.clone();
        }
        let store = &mut self.program.store;
        let mut solver = Solver::new(Kind::Step, &Limits::none());
        facts.iter().for_each(|&fact| solver.assert(store, fact));
        let mut found = Vec::new();
        loop {
            match solver.check(store).unwrap() {
                Answer::Sat(model) => {
                    let bits: Vec<bool> =
                        goals.iter().map(|&goal| model.evaluate(store, goal).as_bool()).collect();
                    let mut other = store.boolean(false);
                    for (&goal, &bit) in goals.iter().zip(&bits) {
                        let differs = if bit { store.not(goal) } else { goal };
                        other = store.or(other, differs);
                    }
                    solver.assert(store, other);
                    found.push(bits);
                    assert!(found.len() < 2000, "too many successors");
                }
                Answer::Unsat { .. } => break,
                Answer::Unknown(reason) => panic!("{reason}"),
            }
        }
        found.sort();
        self.known.insert((facts, goals), found.clone());
        found
    }

    fn facts(&mut self, values: &[(PredicateId, bool)]) -> Vec<Term> {
        let mut facts = Vec::new();
        for &(id, value) in values {
            let term = self.precision.predicates[id].term;
            facts.push(if value { term } else { self.program.store.not(term) });
        }
        facts
    }

    fn successors(&mut self, state: &State) -> Vec<(PathStep, State)> {
        let top = state.frames.last().unwrap().clone();
        let procedure = &self.program.procedures[top.procedure];
        if top.location == procedure.exit {
            return self.returns(state, &top);
        }
        let out: Vec<(EdgeId, Edge)> = procedure
            .edges
            .enumerate()
            .filter(|(_, edge)| edge.from == top.location)
            .map(|(id, edge)| (id, edge.clone()))
            .collect();
        out.into_iter().flat_map(|(id, edge)| self.take(state, &top, id, &edge)).collect()
    }

    fn take(&mut self, state: &State, top: &Frame, id: EdgeId, edge: &Edge) -> Vec<(PathStep, State)> {
        let before: Values = state.globals.iter().chain(&top.values).copied().collect();
        let mut facts = self.facts(&before);
        let (updates, target): (Vec<(Symbol, Term)>, ProcedureId) = match &edge.action {
            Action::Block(block) => {
                facts.push(block.guard);
                (block.updates.clone(), top.procedure)
            }
            Action::Call { procedure, arguments, .. } => {
                let parameters = self.program.procedures[*procedure].parameters.iter().copied();
                let mut pairs: Vec<(Symbol, Term)> = parameters.zip(arguments.iter().copied()).collect();
                // In a recursive call the callee's other variables are not the caller's.
                for local in self.program.procedures[*procedure].locals.clone() {
                    if !pairs.iter().any(|(symbol, _)| *symbol == local) {
                        let copy = self.copy(local);
                        pairs.push((local, self.program.store.symbol(copy)));
                    }
                }
                (pairs, *procedure)
            }
            Action::AtomicBegin | Action::AtomicEnd => (vec![], top.procedure),
            Action::End | Action::Unsupported(_) => return vec![],
            Action::Start { .. } => panic!("one thread"),
        };
        let (globals, locals) = (self.ids(None), self.ids(Some(target)));
        let ids: Vec<PredicateId> = globals.iter().chain(&locals).copied().collect();
        let goals: Vec<Term> = ids
            .iter()
            .map(|&id| self.program.store.substitute(self.precision.predicates[id].term, &updates))
            .collect();
        let mut found = Vec::new();
        for bits in self.all(facts, goals) {
            let behind: Values = ids.iter().copied().zip(bits).collect();
            let (a, b) = behind.split_at(globals.len());
            let mut next = State { globals: a.to_vec(), frames: state.frames.clone() };
            if let Action::Call { procedure, .. } = &edge.action {
                let location = self.program.procedures[*procedure].entry;
                let call = Some((state.globals.clone(), id));
                next.frames.push(Frame { procedure: *procedure, location, values: b.to_vec(), call });
            } else {
                let frame = next.frames.last_mut().unwrap();
                (frame.location, frame.values) = (edge.to, b.to_vec());
            }
            let step = PathStep {
                thread: 0,
                procedure: top.procedure,
                edge: id,
                returns: false,
                behind,
                others: vec![],
            };
            found.push((step, next));
        }
        found
    }

    fn copy(&mut self, symbol: Symbol) -> Symbol {
        if let Some(&copy) = self.copies.get(&symbol) {
            return copy;
        }
        let sort = self.program.store.sort_of_symbol(symbol);
        let name = format!("{}'", self.program.store.name(symbol));
        let copy = self.program.store.fresh(name, sort);
        self.program.variables.push(self.program.variables[symbol].clone());
        self.copies.insert(symbol, copy);
        copy
    }

    /// Terms over the callee's variables, which are copies here.
    fn over_copies(&mut self, symbols: &[Symbol], terms: &[Term]) -> Vec<Term> {
        let mut pairs = Vec::new();
        for &symbol in symbols {
            let copy = self.copy(symbol);
            pairs.push((symbol, self.program.store.symbol(copy)));
        }
        terms.iter().map(|&term| self.program.store.substitute(term, &pairs)).collect()
    }

    fn returns(&mut self, state: &State, top: &Frame) -> Vec<(PathStep, State)> {
        let Some((at_call, call)) = top.call.clone() else { return vec![] };
        let caller = state.frames[state.frames.len() - 2].clone();
        let edge = self.program.procedures[caller.procedure].edges[call].clone();
        let Action::Call { procedure, arguments, result } = &edge.action else { panic!("a call") };
        let callee = self.program.procedures[*procedure].clone();
        let all_globals: Vec<Symbol> = self
            .program
            .variables
            .enumerate()
            .filter(|(symbol, variable)| {
                variable.scope == Scope::Global && !self.copies.values().any(|copy| copy == symbol)
            })
            .map(|(symbol, _)| symbol)
            .collect();
        // What held at the call, of the globals as they were then.
        let then: Values = at_call.iter().chain(&caller.values).copied().collect();
        let then = self.facts(&then);
        let mut facts = self.over_copies(&all_globals, &then);
        let arguments = self.over_copies(&all_globals, arguments);
        let now: Values = state.globals.iter().chain(&top.values).copied().collect();
        let now = self.facts(&now);
        facts.extend(self.over_copies(&callee.locals, &now));
        let written: BTreeSet<Symbol> = callee.edges.iter().flat_map(Edge::writes).collect();
        for (&parameter, &argument) in callee.parameters.iter().zip(&arguments) {
            if !written.contains(&parameter) {
                let copy = self.copy(parameter);
                let copy = self.program.store.symbol(copy);
                facts.push(self.program.store.equal(copy, argument));
            }
        }
        let changed = globals_written(self.program, *procedure);
        for symbol in all_globals {
            if !changed.contains(&symbol) {
                let copy = self.copy(symbol);
                let (now, then) = (self.program.store.symbol(symbol), self.program.store.symbol(copy));
                facts.push(self.program.store.equal(now, then));
            }
        }
        let mut updates = Vec::new();
        if let (Some(target), Some(value)) = (*result, callee.result) {
            let copy = self.copy(value);
            updates.push((target, self.program.store.symbol(copy)));
        }
        let (globals, locals) = (self.ids(None), self.ids(Some(caller.procedure)));
        let ids: Vec<PredicateId> = globals.iter().chain(&locals).copied().collect();
        let goals: Vec<Term> = ids
            .iter()
            .map(|&id| self.program.store.substitute(self.precision.predicates[id].term, &updates))
            .collect();
        let mut found = Vec::new();
        for bits in self.all(facts, goals) {
            let behind: Values = ids.iter().copied().zip(bits).collect();
            let (a, b) = behind.split_at(globals.len());
            let mut next = State { globals: a.to_vec(), frames: state.frames.clone() };
            next.frames.pop();
            let frame = next.frames.last_mut().unwrap();
            (frame.location, frame.values) = (edge.to, b.to_vec());
            let step = PathStep {
                thread: 0,
                procedure: caller.procedure,
                edge: call,
                returns: true,
                behind,
                others: vec![],
            };
            found.push((step, next));
        }
        found
    }
}
