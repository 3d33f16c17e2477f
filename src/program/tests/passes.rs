//! Generated programs before and after each pass, with the same inputs.

use super::{Seeded, every_run, is_unwritten};
use crate::ground::index::Index;
use crate::program::blocks::{Granularity, Options, large_blocks};
use crate::program::copies::use_originals;
use crate::program::generate::{BYTE, Builder, Shape, program as generated, shrink};
use crate::program::inline::{Further, Recursion, inline_calls, inline_with};
use crate::program::liveness::{Drop, drop_dead};
use crate::program::run::{Compiled, Execution, Outcome, ThreadId, Value, run};
use crate::program::split::split;
use crate::program::well_formed::check;
use crate::program::{Action, Edge, ProcedureId, Program, Role, Scope, prune};
use crate::term::Symbol;
use std::collections::BTreeSet;

const STEPS: u64 = 300;

/// How a run ended, in terms that no pass changes.
fn ending(program: &Program, outcome: Outcome) -> String {
    match outcome {
        Outcome::Unsupported(procedure, edge) => match &program.procedures[procedure].edges[edge].action {
            Action::Unsupported(text) => format!("unsupported: {text}"),
            other => panic!("{other:?} is supported"),
        },
        Outcome::Violated(property) => program.properties[property].id.clone(),
        other => format!("{other:?}"),
    }
}

fn globals(program: &Program) -> Vec<Symbol> {
    let variables = program.variables.enumerate();
    variables.filter(|(_, variable)| variable.scope == Scope::Global).map(|(symbol, _)| symbol).collect()
}

/// Global variables at the end. What was never written counts as zero, as the choosers of these tests answer.
fn final_values(program: &Program, execution: &Execution<'_>) -> Vec<Vec<(u128, u128)>> {
    let value = |symbol| match execution.value(ThreadId::new(0), symbol) {
        None => Vec::new(),
        Some(Value::Scalar(value)) => vec![(0, value)],
        Some(Value::Array(contents)) => contents.cells.into_iter().collect(),
    };
    let nonzero = |cells: Vec<(u128, u128)>| cells.into_iter().filter(|&(_, value)| value != 0).collect();
    globals(program).into_iter().map(|symbol| nonzero(value(symbol))).collect()
}

/// What a run with these inputs does: how it ends, which inputs it took, the globals at the end. A run that gets
/// stuck may do so earlier, because an assumption was moved up.
fn behaviour(program: &Program, seed: u64) -> Option<String> {
    let code = Compiled::new(program);
    let (outcome, execution) = run(&code, &mut Seeded::new(seed), STEPS);
    let end = ending(program, outcome);
    match outcome {
        Outcome::StepLimit => None,
        Outcome::Stuck => Some(end),
        _ => {
            let written = |symbol: Symbol| !is_unwritten(&program.variables[symbol].role);
            let inputs = execution.inputs().iter().filter(|(symbol, _)| written(*symbol));
            let inputs: Vec<u128> = inputs.map(|&(_, value)| value).collect();
            Some(format!("{end} {inputs:?} {:?}", final_values(program, &execution)))
        }
    }
}

/// Whether a run gets to where what is forgotten is asked for: from there on it has other inputs.
fn forgets(program: &Program, seed: u64) -> bool {
    let code = Compiled::new(program);
    let (_, execution) = run(&code, &mut Seeded::new(seed), STEPS);
    let edges = |procedure: ProcedureId| &program.procedures[procedure].edges;
    execution.path().iter().any(|step| {
        let from = edges(step.procedure)[step.edge].from;
        edges(step.procedure).iter().any(|edge| edge.from == from && edge.forgets(program).is_some())
    })
}

/// Whether some run that ended before the pass differs afterwards.
fn differs(program: &Program, pass: &dyn Fn(&mut Program)) -> bool {
    let mut changed = program.clone();
    pass(&mut changed);
    let same = |seed, end| behaviour(&changed, seed) == Some(end) || forgets(&changed, seed);
    let differ = |seed| behaviour(program, seed).is_some_and(|end| !same(seed, end));
    !check(&changed).is_empty() || (0..8).any(differ)
}

fn assert_kept(pass: &dyn Fn(&mut Program)) {
    for seed in 0..400 {
        let program = generated(seed, Shape::Deterministic);
        if differs(&program, pass) {
            let small = shrink(&program, |candidate| check(candidate).is_empty() && differs(candidate, pass));
            let mut changed = small.clone();
            pass(&mut changed);
            panic!("seed {seed}: before\n{:#?}\nafter\n{:#?}", small.procedures, changed.procedures);
        }
    }
}

fn merge(program: &mut Program, granularity: Granularity<'_>, budget: usize) {
    large_blocks(program, Options { granularity, budget, labels: &BTreeSet::new() });
}

fn edge_count(program: &Program) -> usize {
    program.procedures.iter().map(|procedure| procedure.edges.len()).sum()
}

#[test]
fn procedures_in_place_of_their_calls_do_the_same() {
    let done = std::cell::Cell::new(0);
    assert_kept(&|program| {
        let mut copy = program.clone();
        if inline_calls(&mut copy).is_ok() {
            done.set(done.get() + 1);
            *program = copy;
        }
    });
    assert!(done.get() > 0, "no program was changed");
}

/// However few copies there are, each run has no more than these within each other, or forgets.
#[test]
fn procedures_that_call_themselves_do_the_same_until_they_forget() {
    for depth in [1, 2] {
        let (recursive, forgetful) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
        assert_kept(&|program| {
            let mut copy = program.clone();
            let recursion = Recursion { depth, further: Further::Forget };
            if calls_itself(program) && inline_with(&mut copy, recursion).is_ok() {
                recursive.set(recursive.get() + 1);
                let forgetting = copy.procedures.iter().flat_map(|procedure| procedure.edges.iter());
                let forgetting = forgetting.filter(|edge| edge.forgets(&copy).is_some()).count();
                forgetful.set(forgetful.get() + forgetting);
                *program = copy;
            }
        });
        assert!(recursive.get() > 10 && forgetful.get() > 0, "{recursive:?} {forgetful:?}");
    }
}

fn calls_itself(program: &Program) -> bool {
    let calls = |id: ProcedureId| {
        let edges = program.procedures[id].edges.iter();
        edges.filter(move |edge| matches!(edge.action, Action::Call { procedure, .. } if procedure == id))
    };
    program.procedures.ids().any(|id| calls(id).next().is_some())
}

#[test]
fn pruning_keeps_behaviour() {
    assert_kept(&prune);
}

#[test]
fn dropping_dead_updates_keeps_behaviour() {
    assert_kept(&|program| {
        drop_dead(program, Drop::Temporaries);
    });
    assert_kept(&|program| {
        drop_dead(program, Drop::Locals);
    });
}

#[test]
fn using_originals_keeps_behaviour() {
    assert_kept(&|program| use_originals(program, Drop::Temporaries));
    assert_kept(&|program| {
        merge(program, Granularity::Sequential, 12);
        use_originals(program, Drop::Temporaries);
        drop_dead(program, Drop::Temporaries);
    });
}

#[test]
fn splitting_locations_keeps_behaviour() {
    assert_kept(&split);
    assert_kept(&|program| {
        merge(program, Granularity::Sequential, 12);
        split(program);
        merge(program, Granularity::Sequential, 300);
    });
}

/// Three ways set `t` to 0, to 1 and to `x`; then `if (!t) y = input();`: what was known is known again.
#[test]
fn a_location_is_split_by_what_is_known() {
    let mut b = Builder::new();
    let main = b.procedure("main");
    let names = ["x", "t", "y"].map(|name| b.local(main, name, BYTE, Role::Plain));
    let [x, t, y] = names;
    let (zero, one) = (b.bits(0), b.bits(1));
    let (read_x, read_t) = (b.read(x), b.read(t));
    let store = &mut b.program.store;
    let always = store.boolean(true);
    let (x_is, t_is) = (store.equal(read_x, zero), store.equal(read_t, zero));
    let (x_is_not, t_is_not) = (store.not(x_is), store.not(t_is));
    let (entry, exit) = b.ends(main);
    let at: Vec<_> = (0..2).map(|_| b.location(main)).collect();
    b.block(main, (entry, at[0]), x_is, vec![(t, zero)], vec![]);
    b.block(main, (entry, at[0]), x_is_not, vec![(t, one)], vec![]);
    b.block(main, (entry, at[0]), always, vec![(t, read_x)], vec![]);
    let input = b.variable("in", BYTE, Scope::Input, Role::Input("in".into()));
    let given = b.read(input);
    b.block(main, (at[0], at[1]), t_is, vec![(y, given)], vec![input]);
    b.block(main, (at[0], exit), t_is_not, vec![], vec![]);
    b.block(main, (at[1], exit), always, vec![], vec![]);
    let mut program = b.program;
    split(&mut program);
    assert_eq!(check(&program), []);
    // Two ways have one edge behind them, whose condition is decided; the third has both.
    let procedure = &program.procedures[main];
    assert_eq!((procedure.locations.len(), procedure.edges.len()), (6, 8));
    let always = |edge: &&Edge| match &edge.action {
        Action::Block(block) => program.store.truth(block.guard) == Some(true),
        _ => false,
    };
    assert_eq!(procedure.edges.iter().filter(always).count(), 4);
}

#[test]
fn large_blocks_keep_behaviour() {
    assert_kept(&|program| merge(program, Granularity::Sequential, 300));
    assert_kept(&|program| merge(program, Granularity::Sequential, 12));
}

#[test]
fn all_passes_keep_behaviour_and_shrink() {
    let all = |program: &mut Program| {
        prune(program);
        drop_dead(program, Drop::Temporaries);
        merge(program, Granularity::Sequential, 300);
        drop_dead(program, Drop::Temporaries);
    };
    assert_kept(&all);
    let (mut before, mut after) = (0, 0);
    for seed in 0..200 {
        let mut program = generated(seed, Shape::Deterministic);
        before += edge_count(&program);
        all(&mut program);
        after += edge_count(&program);
    }
    assert!(after * 2 < before, "{before} edges became {after}");
}

/// All ways in which runs end, if all can be looked at.
fn endings(program: &Program, which: impl Fn(Outcome) -> bool) -> Option<BTreeSet<String>> {
    let code = Compiled::new(program);
    let mut found = BTreeSet::new();
    let complete = every_run(&code, STEPS, |outcome, execution| {
        if which(outcome) {
            let values = match outcome {
                Outcome::Stuck => Vec::new(),
                _ => final_values(program, execution),
            };
            found.insert(format!("{} {values:?}", ending(program, outcome)));
        }
    });
    complete.then_some(found)
}

#[test]
fn large_blocks_keep_all_choices() {
    let mut compared = 0;
    for seed in 0..400 {
        let program = generated(seed, Shape::Choices);
        let mut merged = program.clone();
        merge(&mut merged, Granularity::Sequential, 300);
        let (Some(before), Some(after)) = (endings(&program, |_| true), endings(&merged, |_| true)) else {
            continue;
        };
        compared += 1;
        assert_eq!(before, after, "seed {seed}");
    }
    assert!(compared > 100, "{compared} programs were compared");
}

#[test]
fn blocks_of_threads_keep_all_violations() {
    let mut compared = 0;
    for seed in 0..1500 {
        let program = generated(seed, Shape::Threads);
        let starts = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        if !starts.into_iter().any(|edge| matches!(edge.action, Action::Start { .. })) {
            continue;
        }
        let shared: BTreeSet<Symbol> = globals(&program).into_iter().collect();
        let mut merged = program.clone();
        merge(&mut merged, Granularity::Threaded(&|symbol| shared.contains(&symbol)), 300);
        let counts = |outcome| !matches!(outcome, Outcome::Stuck);
        let (Some(before), Some(after)) = (endings(&program, counts), endings(&merged, counts)) else {
            continue;
        };
        compared += 1;
        assert_eq!(before, after, "seed {seed}");
    }
    assert!(compared > 30, "{compared} programs were compared");
}
