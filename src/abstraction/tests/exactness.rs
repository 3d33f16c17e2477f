//! On tiny programs the transition of an edge is the exact existential abstraction.
//!
//! Two variables of two bits, an input, a guard, two updates, up to three predicates: everything can be enumerated. From
//! every valuation of the predicates that some state has, the statement must lead to just those valuations to which
//! some step of such a state leads.

use super::{abstracted, abstractor, add};
use crate::abstraction::Abstraction;
use crate::boolean::interpret::{Frame, Interpreter, State, Thread, Threads};
use crate::boolean::print::print;
use crate::ground::bits::Bits;
use crate::predicate::Precision;
use crate::program::generate::{Builder, Random};
use crate::program::names::ProgramNames;
use crate::program::{Program, Role};
use crate::term::evaluate::{Assignment, Value};
use crate::term::{Node, Operator, Sort, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

const TWO: Sort = Sort::Bits(2);

struct Tiny {
    program: Program,
    variables: [Symbol; 2],
    input: Symbol,
    guard: Term,
    updates: Vec<(Symbol, Term)>,
    precision: Precision,
}

fn value(program: &mut Program, random: &mut Random, symbols: &[Symbol]) -> Term {
    let mut leaf = || match random.below(symbols.len() + 1) {
        number if number < symbols.len() => program.store.symbol(symbols[number]),
        _ => program.store.bits(2, random.below(4) as u128),
    };
    let (left, right) = (leaf(), leaf());
    match random.below(4) {
        0 => program.store.binary(Operator::Add, left, right),
        1 => program.store.binary(Operator::Xor, left, right),
        _ => left,
    }
}

fn comparison(program: &mut Program, random: &mut Random, symbols: &[Symbol]) -> Term {
    let (left, right) = (value(program, random, symbols), value(program, random, symbols));
    match random.below(3) {
        0 => program.store.unsigned_less(left, right),
        1 => program.store.signed_less(left, right),
        _ => program.store.equal(left, right),
    }
}

fn tiny(seed: u64) -> Tiny {
    let mut random = Random::new(seed);
    let mut builder = Builder::new();
    let main = builder.procedure("main");
    let x = builder.local(main, "x", TWO, Role::Plain);
    let y = builder.local(main, "y", TWO, Role::Plain);
    let input = builder.input("nondet", TWO);
    let program = &mut builder.program;
    let guard = match random.below(3) {
        0 => program.store.boolean(true),
        1 => comparison(program, &mut random, &[x, y]),
        _ => comparison(program, &mut random, &[x, y, input]),
    };
    let mut updates = vec![(x, value(program, &mut random, &[x, y, input]))];
    if random.below(2) == 0 {
        updates.push((y, value(program, &mut random, &[x, y, input])));
    }
    let mut precision = Precision::default();
    for _ in 0..1 + random.below(3) {
        let term = comparison(program, &mut random, &[x, y]);
        let term = match program.store.node(term) {
            Node::Not(positive) => positive,
            Node::Boolean(_) => continue,
            _ => term,
        };
        if !program.store.free_symbols(term).is_empty() {
            add(&mut precision, program, term);
        }
    }
    let ends = builder.ends(main);
    builder.block(main, ends, guard, updates.clone(), vec![input]);
    Tiny { program: builder.program, variables: [x, y], input, guard, updates, precision }
}

impl Tiny {
    fn predicates(&self, values: &Assignment) -> Vec<bool> {
        let truth = |term: Term| self.program.store.evaluate(term, values).expect("known").as_bool();
        self.precision.predicates.iter().map(|predicate| truth(predicate.term)).collect()
    }

    fn text(&self, abstraction: &Abstraction) -> String {
        let names = ProgramNames::new(&self.program);
        let updates = self.updates.iter().flat_map(|&(symbol, term)| names.update(symbol, term));
        let updates: Vec<String> = updates.collect();
        format!("[{}] {}\n{}", names.term(self.guard), updates.join(", "), print(&abstraction.program))
    }

    /// For each valuation that some state has, those to which steps lead.
    fn exact(&self) -> BTreeMap<Vec<bool>, BTreeSet<Vec<bool>>> {
        let mut steps: BTreeMap<Vec<bool>, BTreeSet<Vec<bool>>> = BTreeMap::new();
        for number in 0..64u128 {
            let mut values = Assignment::new();
            values.insert(self.variables[0], Value::Bits(number & 3));
            values.insert(self.variables[1], Value::Bits(number >> 2 & 3));
            values.insert(self.input, Value::Bits(number >> 4));
            let reached = steps.entry(self.predicates(&values)).or_default();
            if self.program.store.evaluate(self.guard, &values).expect("known").as_bool() {
                let mut behind = values.clone();
                for &(symbol, term) in &self.updates {
                    behind.insert(symbol, self.program.store.evaluate(term, &values).expect("known"));
                }
                reached.insert(self.predicates(&behind));
            }
        }
        steps
    }
}

#[test]
fn transitions_of_tiny_blocks_are_exact() {
    let mut steps = 0;
    for seed in 0..400 {
        let mut tiny = tiny(seed);
        let precision = tiny.precision.clone();
        let (abstraction, cfg) = abstracted(&mut abstractor(), &mut tiny.program, &precision);
        let found = cfg.nodes.enumerate().find(|(_, node)| node.span.start == 1);
        let node = found.expect("the edge").0;
        for (before, behind) in tiny.exact() {
            let frame = Frame { node, locals: before.iter().copied().collect() };
            let state =
                State { globals: Bits::new(0), threads: vec![Thread { frames: vec![frame] }], atomic: None };
            let successors = Interpreter::new(&cfg, Threads::AtMost(1)).successors(&state);
            let reached: BTreeSet<Vec<bool>> =
                successors.iter().map(|it| it.state.threads[0].top().locals.iter().collect()).collect();
            assert_eq!(reached, behind, "seed {seed}, from {before:?}\n{}", tiny.text(&abstraction));
            steps += behind.len();
        }
    }
    assert!(steps > 1_000, "only {steps}");
}
