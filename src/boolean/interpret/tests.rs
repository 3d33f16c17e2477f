//! The two forms of the relation against each other, and expressions against brute force.

use super::*;
use crate::boolean::cfg::Expression;
use crate::boolean::expression::Item;
use crate::boolean::generate::lower::lower;
use crate::boolean::generate::{Seed, Shape, generate};
use crate::ground::index::Index;

/// States that a few random walks of a program visit.
fn visited(interpreter: &Interpreter<'_>, seed: &mut Seed) -> Vec<State> {
    let mut states = Vec::new();
    for _ in 0..3 {
        let mut state = interpreter
            .initial_states()
            .nth(seed.below(4))
            .unwrap_or_else(|| interpreter.initial_states().next().expect("an initial state"));
        for _ in 0..25 {
            let successors = interpreter.successors(&state);
            states.push(state);
            if successors.is_empty() {
                break;
            }
            state = seed.pick(&successors).state.clone();
        }
    }
    states
}

/// A state that differs a little.
fn perturbed(state: &State, program: &Program, seed: &mut Seed) -> State {
    let mut changed = state.clone();
    let thread = seed.below(changed.threads.len());
    let flip = |bits: &mut Bits, seed: &mut Seed| {
        if !bits.is_empty() {
            let position = seed.below(bits.len());
            bits.set(position, !bits.get(position));
        }
    };
    match seed.below(6) {
        0 => flip(&mut changed.globals, seed),
        1 if !changed.threads.is_empty() => {
            let frames = &mut changed.threads[thread].frames;
            let depth = seed.below(frames.len());
            flip(&mut frames[depth].locals, seed);
        }
        2 if !changed.threads.is_empty() => {
            changed.threads[thread].top_mut().node = NodeId::new(seed.below(program.nodes.len()));
        }
        3 if !changed.threads.is_empty() => changed = changed.without_thread(thread),
        4 if !changed.threads.is_empty() => {
            let frame = changed.threads[thread].top().clone();
            changed.threads[thread].frames.push(frame);
        }
        _ => {
            changed.atomic =
                if changed.atomic.is_some() || changed.threads.is_empty() { None } else { Some(thread) }
        }
    }
    changed
}

#[test]
fn permits_agrees_with_successors() {
    let (mut permitted, mut refused, mut broadcast) = (0, 0, 0);
    for (number, (_, shape)) in Shape::profiles().iter().enumerate() {
        for program in (0..40).map(|seed| lower(&generate(seed, shape))) {
            let interpreter = Interpreter::new(&program, Threads::AtMost(3));
            let mut seed = Seed::new(number as u64);
            for state in visited(&interpreter, &mut seed) {
                let successors = interpreter.successors(&state);
                broadcast += successors.iter().filter(|successor| changes_others(&state, successor)).count();
                for next in neighbours(&state, &successors, &program, &mut seed) {
                    for thread in 0..state.threads.len() + 1 {
                        let expected = successors.iter().any(|s| s.thread == thread && s.state == next);
                        let found = interpreter.permits(&state, thread, &next);
                        assert_eq!(found, expected, "thread {thread}: {state:?} -> {next:?}");
                        if expected { permitted += 1 } else { refused += 1 }
                    }
                }
            }
        }
    }
    assert!(permitted > 1_000 && refused > 1_000, "{permitted} permitted, {refused} refused");
    assert!(broadcast > 50, "{broadcast} broadcasts");
}

/// Whether a step changes frames of other threads.
fn changes_others(state: &State, successor: &Successor) -> bool {
    let pairs = state.threads.iter().zip(&successor.state.threads).enumerate();
    let mut others = pairs.filter(|(thread, _)| *thread != successor.thread);
    successor.effect != Effect::Ended && others.any(|(_, (before, after))| before != after)
}

/// Successors, states near them, and the state itself.
fn neighbours(state: &State, successors: &[Successor], program: &Program, seed: &mut Seed) -> Vec<State> {
    let mut found = vec![state.clone(), perturbed(state, program, seed)];
    for successor in successors.iter().take(40) {
        found.push(successor.state.clone());
        if !successor.state.threads.is_empty() {
            found.extend((0..4).map(|_| perturbed(&successor.state, program, seed)));
        }
    }
    found
}

/// All values by trying all choices: each `*` and each `schoose` takes one bit.
fn by_brute_force(expression: &Expression, seed: u64) -> Values {
    let choices =
        expression.items().iter().filter(|item| matches!(item, Item::Choice | Item::Schoose)).count();
    let mut found = Values { can_be_false: false, can_be_true: false };
    for choice in 0..1u32 << choices {
        let mut upcoming = 0..;
        let mut chosen = || choice >> upcoming.next().expect("endless") & 1 == 1;
        let value = expression.fold(|item, operands: &[bool]| match item {
            Item::Constant(value) => *value,
            Item::Choice => chosen(),
            Item::Variable(read) => arbitrary(read, seed),
            Item::Not => !operands[0],
            Item::Binary(operator) => operator.apply(operands[0], operands[1]),
            Item::Schoose => {
                let free = chosen();
                if operands[0] {
                    true
                } else if operands[1] {
                    false
                } else {
                    free
                }
            }
        });
        if value { found.can_be_true = true } else { found.can_be_false = true }
    }
    found
}

/// A value for each variable, time and copy.
fn arbitrary(read: &crate::boolean::cfg::Read, seed: u64) -> bool {
    let key = read.variable.index() as u64 * 4 + read.time as u64 * 2 + read.copy as u64;
    Seed::new(seed ^ (key << 20)).percent(50)
}

#[test]
fn values_are_those_of_all_choices() {
    let mut both = 0;
    for (_, profile) in Shape::profiles() {
        let shape = Shape { choices: 35, expressions: 4, ..profile };
        for seed in 0..40 {
            for expression in expressions(&lower(&generate(seed, &shape))) {
                let expected = by_brute_force(&expression, seed);
                assert_eq!(expression.values(|read| arbitrary(read, seed)), expected, "{expression:?}");
                both += usize::from(expected == Values::BOTH);
            }
        }
    }
    assert!(both > 100, "{both} expressions with two values");
}

fn expressions(program: &Program) -> Vec<Expression> {
    let of = |op: &Op| match op {
        Op::Assume(e) | Op::Assert(e, _) => vec![e.clone()],
        Op::Assign { values, constrain, .. } => values.iter().chain(constrain).cloned().collect(),
        Op::Call { arguments, .. } | Op::StartThread { arguments, .. } => arguments.clone(),
        Op::Return(values) => values.clone(),
        _ => Vec::new(),
    };
    let enough =
        |e: &Expression| e.items().iter().filter(|i| matches!(i, Item::Choice | Item::Schoose)).count() <= 12;
    program.nodes.iter().flat_map(|node| of(&node.op)).filter(enough).collect()
}

#[test]
fn malformed_states_are_refused() {
    let program = lower(&generate(1, &Shape::threaded()));
    let interpreter = Interpreter::new(&program, Threads::Unbounded);
    let state = interpreter.initial_states().next().expect("an initial state");
    let next = interpreter.successors(&state)[0].state.clone();
    assert!(interpreter.permits(&state, 0, &next));
    let malformed = [
        State { globals: Bits::new(program.global_count + 1), ..next.clone() },
        State { threads: vec![Thread { frames: vec![] }], ..next.clone() },
        State { atomic: Some(7), ..next.clone() },
        State {
            threads: vec![Thread {
                frames: vec![Frame { node: NodeId::new(program.nodes.len()), locals: Bits::new(0) }],
            }],
            ..next.clone()
        },
    ];
    for wrong in malformed {
        assert!(!interpreter.permits(&state, 0, &wrong) && !interpreter.permits(&wrong, 0, &next));
    }
}
