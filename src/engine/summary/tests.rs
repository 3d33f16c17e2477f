//! The fixpoint leaves nothing out: every state that the interpreter comes to is in the set of its node.
//!
//! A direct look at the invariant behind "holds", which agreement of verdicts sees only where a property is violated.

use super::fixpoint::Fixpoint;
use super::order::{Levels, Meaning};
use super::scope::Scopes;
use super::symbolic::Symbolic;
use super::transfer::Transfer;
use super::{Answer, Engine, Query, Summary};
use crate::bdd::{self, BackEnd, Bdd, Level};
use crate::boolean::cfg::{NodeId, Program, PropertyId, Scope, VariableId};
use crate::boolean::check::{CheckOptions, check};
use crate::boolean::generate::{Shape, generate};
use crate::boolean::interpret::{Interpreter, State, Threads};
use crate::boolean::parse::parse;
use crate::boolean::print::print;
use crate::ground::event::Silent;
use crate::ground::index::{Index, IndexVec};
use crate::ground::limits::Limits;
use crate::ground::run::Run;
use crate::ground::source::SourceFile;
use std::collections::HashSet;

/// States that the interpreter comes to, some thousands at most, without deep stacks.
fn states(program: &Program) -> Vec<State> {
    let interpreter = Interpreter::new(program, Threads::Unbounded);
    let mut found: Vec<State> = interpreter.initial_states().take(512).collect();
    let mut seen: HashSet<State> = found.iter().cloned().collect();
    let mut next = 0;
    while next < found.len() && found.len() < 3000 {
        for successor in interpreter.successors(&found[next]) {
            let state = successor.state;
            let deep = state.threads.iter().any(|thread| thread.frames.len() > 6);
            if !deep && seen.insert(state.clone()) {
                found.push(state);
            }
        }
        next += 1;
    }
    found
}

/// The sets of current values that the fixpoint reaches, by node.
fn reached(program: &Program, checked: &[PropertyId]) -> (Transferred, IndexVec<NodeId, Bdd>) {
    let limits = Limits::none();
    let levels = Levels::new(program);
    let manager = bdd::create(BackEnd::Biodivine, levels.meanings.len(), &limits).expect("few variables");
    let mut transfer = Transfer::new(Symbolic::new(program, levels, manager), Scopes::new(program, checked));
    // One more than there are: the search does not end before nothing is new.
    let wanted: Vec<PropertyId> = (0..=program.properties.len()).map(PropertyId::new).collect();
    let mut fixpoint = Fixpoint::new(&mut transfer, &wanted, Run { limits: &limits, observer: &Silent });
    fixpoint.search().expect("there is no limit");
    let reached = fixpoint.reached;
    let Symbolic { mut manager, levels, .. } = transfer.symbolic;
    let other = |level: &Level| !matches!(levels.meanings[*level], Meaning::Current(_));
    let others: Vec<Level> = levels.meanings.ids().filter(other).collect();
    let others = manager.level_set(&others);
    let reached =
        reached.iter().map(|&set| manager.exists(set, others).expect("there is no limit")).collect();
    (Transferred { manager, levels }, reached)
}

struct Transferred {
    manager: Box<dyn bdd::Manager>,
    levels: Levels,
}

impl Transferred {
    fn contains(&self, program: &Program, set: Bdd, state: &State) -> bool {
        let top = state.threads[0].top();
        let value = |variable: VariableId| match program.variables[variable].scope {
            Scope::Global(position) => state.globals.get(position),
            Scope::Local(_, position) => top.locals.get(position),
        };
        // Levels of locals of other procedures do not occur in the sets of a node.
        let here = |variable: VariableId| match program.variables[variable].scope {
            Scope::Global(_) => true,
            Scope::Local(procedure, _) => procedure == program.nodes[top.node].procedure,
        };
        self.manager.evaluate(set, &|level| match self.levels.meanings[level] {
            Meaning::Current(variable) if here(variable) => value(variable),
            _ => panic!("a level that means nothing at this node"),
        })
    }
}

fn all_states_are_reached(program: &Program, checked: &[PropertyId]) -> Result<usize, NodeId> {
    let interpreter = Interpreter::new(program, Threads::Unbounded);
    let (transferred, reached) = reached(program, checked);
    let states = states(program);
    // A state that breaks what is enforced does not exist.
    let runs = |state: &&State| !state.threads.is_empty() && interpreter.may_run(state, 0);
    for state in states.iter().filter(runs) {
        let node = state.threads[0].top().node;
        if !transferred.contains(program, reached[node], state) {
            return Err(node);
        }
    }
    Ok(states.len())
}

fn every_state_is_in_the_set_of_its_node(shape: &Shape) {
    let mut compared = 0;
    for seed in 0..150 {
        let source = generate(seed, shape);
        let (program, _) =
            check(&source, &CheckOptions::default()).expect("generated programs are well-formed");
        let all: Vec<PropertyId> = program.properties.ids().collect();
        let one: Vec<PropertyId> = all.iter().copied().take(1).collect();
        for checked in [all, one] {
            match all_states_are_reached(&program, &checked) {
                Ok(count) => compared += count,
                Err(node) => panic!("seed {seed}: a state is missing at {node:?} of\n{}", print(&source)),
            }
        }
    }
    assert!(compared > 10_000, "only {compared} states were looked for");
}

#[test]
fn every_state_of_sequential_programs_is_in_the_set_of_its_node() {
    every_state_is_in_the_set_of_its_node(&Shape::sequential());
}

#[test]
fn every_state_of_recursive_programs_is_in_the_set_of_its_node() {
    every_state_is_in_the_set_of_its_node(&Shape::recursive());
}

#[test]
fn every_state_of_odd_programs_is_in_the_set_of_its_node() {
    every_state_is_in_the_set_of_its_node(&Shape::odd());
}

/// The values of one state machine become those of another. One value at most is true, which `enforce` says.
#[test]
fn assignments_between_state_machines_stay_small() {
    const STATES: usize = 16;
    let names = |prefix: &str| (0..STATES).map(|state| format!("{prefix}{state}")).collect::<Vec<_>>();
    let (old, new) = (names("x"), names("y"));
    let exclusive = |names: &[String]| {
        let pairs = (0..STATES).flat_map(|right| (0..right).map(move |left| (left, right)));
        pairs.map(|(left, right)| format!("!({} & {})", names[left], names[right])).collect::<Vec<_>>()
    };
    let enforced = [exclusive(&old), exclusive(&new)].concat().join(" & ");
    // All old variables are declared before all new ones.
    let text = format!(
        "void main() begin decl {old}; decl {new}; enforce {enforced}; {old} := {new}; assert(!(x0 & x1)); end",
        old = old.join(", "),
        new = new.join(", "),
    );
    let parsed = parse(&SourceFile::new("test.bp", text)).expect("a program");
    let (program, _) = check(&parsed, &CheckOptions::default()).expect("well-formed");
    let query = Query { properties: program.properties.ids().collect(), threads: Threads::AtMost(1) };
    let run = Run { limits: &Limits::none(), observer: &Silent };
    let answers = Summary::new(BackEnd::Biodivine).check(&program, &query, run).expect("no limit");
    assert_eq!(answers.answers, [Answer::Unreachable]);
    let nodes = answers.statistics.get("BDD nodes");
    assert!(nodes < 1 << 14, "{nodes} nodes");
}
