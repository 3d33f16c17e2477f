//! Every step of a run has its abstract step: random programs, random predicates, random inputs.

use super::follow::{Follower, visible};
use super::{abstracted, add};
use crate::abstraction::{Abstractor, Options};
use crate::ground::index::Index;
use crate::ground::limits::Limits;
use crate::predicate::Precision;
use crate::program::generate::{Random, Shape, program};
use crate::program::run::{Chooser, Compiled};
use crate::program::{EdgeId, LocationId, ProcedureId, Program, Role};
use crate::term::{Node, Sort, Symbol, Term};

/// Random answers; mostly small values, so that predicates change.
pub(super) struct Seeded(pub Random);

impl Chooser for Seeded {
    fn input(&mut self, _: Symbol, _: &Role, _: u32) -> u128 {
        match self.0.below(4) {
            0 => u128::from(self.0.next()),
            _ => self.0.below(5) as u128,
        }
    }

    fn edge(&mut self, _: ProcedureId, enabled: &[EdgeId]) -> usize {
        self.0.below(enabled.len())
    }
}

/// A value of eight bits that can be seen in a procedure, without inputs.
fn operand(program: &mut Program, random: &mut Random, symbols: &[Symbol]) -> Option<Term> {
    let symbol = symbols[random.below(symbols.len())];
    let term = program.store.symbol(symbol);
    match program.store.sort_of_symbol(symbol) {
        Sort::Bits(_) => Some(term),
        Sort::Array { index, .. } => {
            let at = program.store.bits(index, random.below(4) as u128);
            Some(program.store.select(term, at))
        }
        Sort::Boolean => None,
    }
}

/// A comparison of a variable with a small constant or with another variable, or a truth value.
pub(super) fn predicate(program: &mut Program, random: &mut Random, procedure: ProcedureId) -> Option<Term> {
    let symbols = visible(program, procedure);
    let Some(left) = operand(program, random, &symbols) else {
        let flag = symbols.iter().find(|&&it| program.store.sort_of_symbol(it) == Sort::Boolean)?;
        return Some(program.store.symbol(*flag));
    };
    let width = program.store.width(left);
    let constant = program.store.bits(width, random.below(5) as u128);
    let right = match random.below(2) {
        0 => constant,
        _ => operand(program, random, &symbols).filter(|&it| program.store.width(it) == width)?,
    };
    let term = match random.below(4) {
        0 => program.store.signed_less(left, right),
        1 => program.store.unsigned_less(left, right),
        _ => program.store.equal(left, right),
    };
    match program.store.node(term) {
        Node::Not(positive) => Some(positive),
        Node::Boolean(_) => None,
        _ => Some(term),
    }
}

/// A few predicates in all scopes, some of them tracked at some locations only.
pub(super) fn precision(program: &mut Program, random: &mut Random, most: usize) -> Precision {
    let mut precision = Precision::default();
    for procedure in program.procedures.ids() {
        for _ in 0..1 + random.below(most) {
            let Some(term) = predicate(program, random, procedure) else { continue };
            let id = add(&mut precision, program, term);
            if random.below(3) == 0 {
                let count = program.procedures[procedure].locations.len();
                let places = (0..count).filter(|_| random.below(3) > 0).map(LocationId::new);
                precision.places.insert(id, places.collect());
            }
        }
    }
    precision
}

fn follow(seed: u64, shape: Shape) -> u64 {
    [Options { live_only: false, resolves: false, ..Options::default() }, Options::default()]
        .map(|options| follow_with(seed, shape, options))
        .into_iter()
        .sum()
}

fn follow_with(seed: u64, shape: Shape, options: Options) -> u64 {
    let mut program = program(seed, shape);
    let mut random = Random::new(seed ^ 0x5eed);
    let precision = precision(&mut program, &mut random, 6);
    let (abstraction, cfg) =
        abstracted(&mut Abstractor::new(options, &Limits::none()), &mut program, &precision);
    let code = Compiled::new(&program);
    let mut followed = 0;
    for inputs in 0..6 {
        let mut follower = Follower::new(&program, &precision, &abstraction, &cfg);
        follower.run(&code, &mut Seeded(Random::new(seed * 100 + inputs)), 60);
        followed += follower.followed;
    }
    followed
}

#[test]
fn every_step_has_its_abstract_step() {
    let deterministic: u64 = (0..24).map(|seed| follow(seed, Shape::Deterministic)).sum();
    let choices: u64 = (60..72).map(|seed| follow(seed, Shape::Choices)).sum();
    assert!(deterministic + choices > 3_000, "only {deterministic} and {choices} statements");
}
