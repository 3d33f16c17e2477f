//! Which predicates hold at the steps of a run of C, as far as the steps tell.
//!
//! The machine tells the variables that it writes by their names in C. A predicate is evaluated as soon as every variable that it
//! mentions has a known number, and is unknown otherwise. This is for readers only: no verdict rests on it.

use super::tables::{Numbers, Tables};
use super::{Change, Step};
use crate::cegar::Outcome;
use crate::predicate::{PredicateId, PredicateScope};
use crate::program::names::ProgramNames;
use crate::program::{Action, ProcedureId, Program, Role, Scope};
use crate::term::evaluate::{Assignment, Value};
use crate::term::{Node, Sort, Symbol};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// No more predicates are looked at.
const MOST: usize = 200;

/// Adds to each step the predicates whose truth becomes known or changes there.
pub(super) fn add_truths(tables: &mut Tables, program: &Program, outcome: &Outcome, steps: &mut [Step]) {
    let names = ProgramNames::new(program);
    let mut numbers = Numbers::default();
    let mut follower = Follower::new(program, outcome);
    let mut told: BTreeMap<usize, bool> = BTreeMap::new();
    for step in steps {
        if step.kind == "gap" {
            // What happened meanwhile is not told: nothing is known any more.
            follower.forget();
            told.clear();
            continue;
        }
        for (id, value) in follower.follow(step) {
            let number = tables.predicate(&names, &mut numbers, &outcome.precision, id);
            if told.insert(number, value) != Some(value) {
                step.predicates.push(2 * number + usize::from(value));
            }
        }
    }
}

/// Numbers by the names of variables.
type Values = FxHashMap<String, u128>;

struct Follower<'p> {
    program: &'p Program,
    /// The predicates that can be looked at: over variables with distinct names.
    predicates: Vec<(PredicateId, Option<ProcedureId>, Vec<Symbol>)>,
    outcome: &'p Outcome,
    globals: Values,
    /// The open calls of each thread, with what their local variables hold.
    threads: BTreeMap<usize, Vec<(String, Values)>>,
}

impl<'p> Follower<'p> {
    fn new(program: &'p Program, outcome: &'p Outcome) -> Self {
        let ambiguous = ambiguous(program);
        let is_known = |&symbol: &Symbol| {
            let scope = program.variables.get(symbol).and_then(|variable| scope(variable.scope));
            // What the model keeps for itself is not among the steps of the machine.
            let is_plain = program.variables.get(symbol).is_some_and(|variable| variable.role == Role::Plain);
            let is_array = matches!(program.store.sort_of_symbol(symbol), Sort::Array { .. });
            let name = program.store.name(symbol).to_owned();
            is_plain && !is_array && scope.is_some_and(|scope| !ambiguous.contains(&(scope, name)))
        };
        let usable = |id: PredicateId| {
            let predicate = &outcome.precision.predicates[id];
            let symbols: Vec<Symbol> = program.store.free_symbols(predicate.term).into_iter().collect();
            let procedure = match predicate.scope {
                PredicateScope::Global => None,
                PredicateScope::Local(procedure) => Some(procedure),
            };
            symbols.iter().all(is_known).then_some((id, procedure, symbols))
        };
        let ids = outcome.precision.predicates.ids().take(MOST);
        let predicates = ids.filter_map(usable).collect();
        let threads = BTreeMap::new();
        Self { program, predicates, outcome, globals: initial(program), threads }
    }

    /// Takes a step; tells the truth of the predicates that are known then.
    fn follow(&mut self, step: &Step) -> Vec<(PredicateId, bool)> {
        self.enter(step);
        for change in &step.changes {
            self.write(step, change, number(&change.value));
        }
        self.known(step.thread)
    }

    fn forget(&mut self) {
        self.globals.clear();
        self.threads.clear();
    }

    /// The open calls are as deep as the step says.
    fn enter(&mut self, step: &Step) {
        let frames = self.threads.entry(step.thread).or_default();
        frames.truncate(step.depth + 1);
        if step.kind == "call" {
            frames.truncate(step.depth);
        }
        let deeper = frames.len() <= step.depth;
        let other = frames.last().is_some_and(|(name, _)| *name != step.procedure);
        if other && !deeper {
            frames.pop();
        }
        if other || deeper {
            frames.push((step.procedure.clone(), Values::default()));
        }
    }

    fn write(&mut self, step: &Step, change: &Change, value: Option<u128>) {
        if change.thread.is_some() {
            let frames = self.threads.entry(step.thread).or_default();
            let Some((_, values)) = frames.last_mut() else { return };
            put(values, &change.name, value);
            return;
        }
        // Through a pointer, perhaps a local variable of a caller, which is unknown from now on.
        for (_, values) in self.threads.values_mut().flatten() {
            values.remove(&change.name);
        }
        put(&mut self.globals, &change.name, value);
    }

    fn known(&self, thread: usize) -> Vec<(PredicateId, bool)> {
        let top = self.threads.get(&thread).and_then(|frames| frames.last());
        let truth = |(id, procedure, symbols): &(PredicateId, Option<ProcedureId>, Vec<Symbol>)| {
            if let Some(procedure) = procedure
                && top.is_none_or(|(name, _)| *name != self.program.procedures[*procedure].name)
            {
                return None;
            }
            let mut state = Assignment::new();
            for &symbol in symbols {
                state.insert(symbol, self.value(symbol, top)?);
            }
            let term = self.outcome.precision.predicates[*id].term;
            Some((*id, self.program.store.evaluate(term, &state).ok()?.as_bool()))
        };
        self.predicates.iter().filter_map(truth).collect()
    }

    fn value(&self, symbol: Symbol, top: Option<&(String, Values)>) -> Option<Value> {
        let name = self.program.store.name(symbol);
        let number = match self.program.variables[symbol].scope {
            Scope::Global => *self.globals.get(name)?,
            _ => *top?.1.get(name)?,
        };
        Some(match self.program.store.sort_of_symbol(symbol) {
            Sort::Boolean => Value::Bool(number != 0),
            Sort::Bits(width) if width < 128 => Value::Bits(number & ((1 << width) - 1)),
            _ => Value::Bits(number),
        })
    }
}

/// Names that several variables of one scope have.
fn ambiguous(program: &Program) -> BTreeSet<(Where, String)> {
    let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
    for (symbol, variable) in program.variables.enumerate() {
        let Some(scope) = scope(variable.scope) else { continue };
        let named = (scope, program.store.name(symbol).to_owned());
        if !seen.insert(named.clone()) {
            found.insert(named);
        }
    }
    found
}

/// A scope as something to compare.
type Where = Option<ProcedureId>;

fn scope(scope: Scope) -> Option<Where> {
    match scope {
        Scope::Global => Some(None),
        Scope::Local(procedure) => Some(Some(procedure)),
        Scope::Input => None,
    }
}

fn put(values: &mut Values, name: &str, value: Option<u128>) {
    match value {
        Some(value) => _ = values.insert(name.to_owned(), value),
        None => _ = values.remove(name),
    }
}

/// A number, as the machine writes it.
fn number(text: &str) -> Option<u128> {
    match text {
        "NULL" => Some(0),
        _ => text.parse::<i128>().ok().map(i128::cast_unsigned),
    }
}

/// What global variables hold at first.
fn initial(program: &Program) -> Values {
    let mut values = Values::default();
    for edge in program.procedures[program.entry].edges.iter() {
        let Action::Block(block) = &edge.action else { continue };
        for &(symbol, value) in &block.updates {
            let number = match program.store.node(value) {
                Node::Bits(_, number) => number,
                Node::Boolean(value) => u128::from(value),
                _ => continue,
            };
            if program.variables.get(symbol).is_some_and(|variable| variable.scope == Scope::Global) {
                values.insert(program.store.name(symbol).to_owned(), number);
            }
        }
    }
    values
}
