//! What is resolved has the models of what was given: compared on all values of three variables, for random formulas.

use super::{Resolved, resolve_where};
use crate::term::evaluate::{ArrayValue, Assignment, Value};
use crate::term::{Node, Sort, Store, Symbol, Term};
use std::rc::Rc;

const WIDTH: u32 = 3;

/// A source of numbers: the multiplier is Knuth's.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

struct Formula {
    store: Store,
    random: Random,
    scalars: Vec<Symbol>,
    memories: Vec<Symbol>,
    /// Addresses and arrays so far.
    addresses: Vec<Term>,
    arrays: Vec<Term>,
    terms: Vec<Term>,
}

impl Formula {
    fn new(seed: u64) -> Self {
        let mut store = Store::new();
        let scalars: Vec<Symbol> = ["p", "q", "r"].map(|name| store.fresh(name, Sort::Bits(WIDTH))).to_vec();
        let sort = Sort::Array { index: WIDTH, element: WIDTH };
        let memories: Vec<Symbol> = ["m", "n"].map(|name| store.fresh(name, sort)).to_vec();
        let addresses = scalars.iter().map(|&it| store.symbol(it)).collect();
        let zero = store.bits(WIDTH, 0);
        let zeros = store.constant_array(WIDTH, zero);
        let arrays = vec![zeros, store.symbol(memories[0])];
        Self { store, random: Random(seed), scalars, memories, addresses, arrays, terms: Vec::new() }
    }

    fn pick(&mut self, from: &[Term]) -> Term {
        from[usize::try_from(self.random.below(from.len() as u64)).unwrap()]
    }

    fn number(&mut self) -> Term {
        let number = self.random.below(1 << WIDTH).into();
        self.store.bits(WIDTH, number)
    }

    /// An address that was made before, plus a constant; or a constant.
    fn address(&mut self) -> Term {
        let number = self.number();
        if self.random.below(6) == 0 {
            return number;
        }
        let base = self.pick(&self.addresses.clone());
        self.store.add(base, number)
    }

    fn array(&mut self) -> Term {
        self.pick(&self.arrays.clone())
    }

    fn grow(&mut self) {
        let (array, at, value) = (self.array(), self.address(), self.address());
        match self.random.below(6) {
            0 => {
                let other = self.array();
                let condition = self.store.unsigned_less(at, value);
                let chosen = self.store.choose(condition, array, other);
                self.arrays.push(chosen);
            }
            1 | 2 => {
                let element = self.store.select(array, at);
                self.addresses.push(element);
            }
            _ => {
                let written = self.store.store(array, at, value);
                self.arrays.push(written);
            }
        }
    }

    fn constrain(&mut self) {
        let (array, at, number) = (self.array(), self.address(), self.number());
        let literal = match self.random.below(8) {
            0 => {
                let name = self.store.symbol(self.memories[1]);
                self.arrays.push(name);
                self.store.equal(name, array)
            }
            1 => {
                let variable = self.address();
                self.store.equal(variable, at)
            }
            2..=5 => self.store.unsigned_less(at, number),
            _ => {
                let element = self.store.select(array, at);
                self.store.equal(element, number)
            }
        };
        let term = if self.random.below(2) == 0 { self.store.not(literal) } else { literal };
        self.terms.push(term);
    }

    fn random(seed: u64) -> Self {
        let mut formula = Self::new(seed);
        for _ in 0..8 {
            formula.grow();
        }
        for _ in 0..4 {
            formula.constrain();
            formula.grow();
        }
        formula
    }

    fn memory(&mut self) -> Value {
        let mut memory = ArrayValue::constant(0);
        for index in 0..1 << WIDTH {
            memory.set(index, self.random.below(1 << WIDTH).into());
        }
        Value::Array(Rc::new(memory))
    }

    fn assignment(&mut self, number: u128) -> Assignment {
        let bits = |place: usize| Value::Bits(number >> (3 * place) & 7);
        let scalars = self.scalars.clone().into_iter().enumerate();
        let mut values: Assignment = scalars.map(|(place, symbol)| (symbol, bits(place))).collect();
        for symbol in self.memories.clone() {
            let memory = self.memory();
            values.insert(symbol, memory);
        }
        values
    }
}

fn all_hold(store: &Store, terms: &[Term], values: &Assignment) -> bool {
    terms.iter().all(|&term| store.evaluate(term, values).unwrap().as_bool())
}

#[test]
fn models_stay_the_same() {
    let (mut models, mut resolvable) = (0, 0);
    for seed in 0..200 {
        let mut formula = Formula::random(seed);
        let Some(resolved) = Resolved::of(&formula.store, &formula.terms) else { continue };
        resolvable += 1;
        for number in 0..512 {
            let mut values = formula.assignment(number);
            if all_hold(&formula.store, &formula.terms, &values) {
                models += 1;
                assert!(all_hold(&resolved.store, &resolved.terms, &values), "a model is lost: seed {seed}");
            }
            if all_hold(&resolved.store, &resolved.terms, &values) {
                resolved.complete(&mut values);
                assert!(all_hold(&formula.store, &formula.terms, &values), "a model is new: seed {seed}");
            }
        }
    }
    assert!(models > 500 && resolvable > 100, "{models} models of {resolvable} formulas");
}

/// Half of the constraints are conditions; the others, and reads, have the same values where these hold.
#[test]
fn values_stay_the_same_where_conditions_hold() {
    let (mut models, mut changed) = (0, 0);
    for seed in 1000..1200 {
        let mut formula = Formula::random(seed);
        let (conditions, atoms) = formula.terms.split_at(formula.terms.len() / 2);
        let terms: Vec<Term> = atoms.iter().chain(&formula.addresses).copied().collect();
        let mut store = formula.store.clone();
        let Some((new_conditions, new_terms)) = resolve_where(&mut store, conditions, &terms) else {
            continue;
        };
        changed += usize::from(new_terms != terms);
        let conditions = conditions.to_vec();
        for number in 0..512 {
            let values = formula.assignment(number);
            let holds = all_hold(&store, &conditions, &values);
            assert_eq!(all_hold(&store, &new_conditions, &values), holds, "conditions: seed {seed}");
            if !holds {
                continue;
            }
            models += 1;
            for (&old, &new) in terms.iter().zip(&new_terms) {
                assert_eq!(store.evaluate(old, &values), store.evaluate(new, &values), "seed {seed}");
            }
        }
    }
    assert!(models > 500 && changed > 100, "{models} models, {changed} formulas");
}

#[test]
fn a_pointer_from_outside_reads_no_object() {
    let mut store = Store::new();
    let [p, q] = ["p", "q"].map(|name| {
        let symbol = store.fresh(name, Sort::Bits(64));
        store.symbol(symbol)
    });
    let [zero, one, low, high, size] = [0, 1, 0x1000, 0x9000, 0x800].map(|number| store.bits(64, number));
    let mut memory = store.constant_array(64, zero);
    for offset in 0..20 {
        let at = store.bits(64, 0x9000 + offset);
        memory = store.store(memory, at, one);
    }
    memory = store.store(memory, q, one);
    let outside = store.unsigned_less(p, low);
    let distance = store.subtract(q, high);
    let object = store.unsigned_less(distance, size);
    let element = store.select(memory, p);
    let set = store.equal(element, one);
    let resolved = Resolved::of(&store, &[outside, object, set]).unwrap();
    assert_eq!(resolved.store.truth(resolved.terms[2]), Some(false));
    // Without what is known the read stays.
    let resolved = Resolved::of(&store, &[set]).unwrap();
    assert_eq!(resolved.store.truth(resolved.terms[0]), None);
}

#[test]
fn bytes_of_two_words_share_one_difference() {
    let mut store = Store::new();
    let [p, q] = ["p", "q"].map(|name| {
        let symbol = store.fresh(name, Sort::Bits(64));
        store.symbol(symbol)
    });
    let zero = store.bits(8, 0);
    let mut memory = store.constant_array(64, zero);
    let mut word = store.bits(8, 7);
    for offset in 0..8 {
        let offset = store.bits(64, offset);
        let at = store.add(q, offset);
        let byte = store.bits(8, 3);
        memory = store.store(memory, at, byte);
        let from = store.add(p, offset);
        let read = store.select(memory, from);
        word = store.binary(crate::term::Operator::Add, word, read);
    }
    let set = store.equal(word, zero);
    let resolved = Resolved::of(&store, &[set]).unwrap();
    let parts = resolved.store.reachable(&resolved.terms);
    let nodes = || parts.iter().map(|&part| resolved.store.node(part));
    assert!(!nodes().any(|node| matches!(node, Node::Select(..) | Node::Store(..))));
    assert_eq!(
        nodes().filter(|node| matches!(node, Node::Binary(crate::term::Operator::Subtract, ..))).count(),
        1
    );
}
