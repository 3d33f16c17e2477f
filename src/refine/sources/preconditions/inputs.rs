//! Demands on inputs: solved, or what is left of them whatever the inputs are.
//!
//! An equation may say what an input is: then it does so in the other demands, too. An equation between sums says something
//! about the lowest bits, if the inputs in it are multiplied by powers of two: `y + 2 * input == 0` has a solution only
//! if `y` is even. Where an input decides a choice (`input == 0 ? q : p`), one of both cases must meet the demand. All other
//! demands on inputs are dropped: some value will do.

use super::{Backward, Instance};
use crate::path::position::conjuncts;
use crate::refine::atoms::replace;
use crate::term::{Node, Operator, Sort, Store, Symbol, Term};
use rustc_hash::FxHashMap;

/// So many choices of one demand are looked at: the cases double with each.
const MOST_CHOICES: usize = 3;

impl Backward<'_> {
    /// No demand is about inputs any more.
    pub(super) fn eliminate(&mut self) {
        let equations: Vec<Term> = self.demands.iter().copied().collect();
        for &equation in &equations {
            if let Some((input, value)) = self.solved(equation) {
                self.demands.shift_remove(&equation);
                self.replace(vec![(input, value)]);
            }
        }
        for demand in self.demands.clone() {
            if let Some(either) = self.either_way(demand) {
                self.demands.extend(conjuncts(&self.store, either));
            }
            let instances = &self.instances;
            let rest = residue(&mut self.store, demand, |symbol| instances[&symbol] == Instance::Input);
            self.demands.extend(rest.filter(|&rest| self.store.truth(rest).is_none()));
        }
        self.drop_demands(|instance| *instance == Instance::Input);
    }

    /// What is left of a demand if inputs decide choices in it: it is met in one of the cases.
    fn either_way(&mut self, demand: Term) -> Option<Term> {
        let mut either = demand;
        for _ in 0..MOST_CHOICES {
            let Some((choice, cases)) = self.open_choice(either) else { break };
            let [yes, no] = cases.map(|case| replace(&mut self.store, either, choice, case));
            either = self.store.or(yes, no);
        }
        (either != demand && self.store.truth(either).is_none()).then_some(either)
    }

    /// A choice that an input decides, and its cases.
    fn open_choice(&self, term: Term) -> Option<(Term, [Term; 2])> {
        self.store.reachable(&[term]).into_iter().find_map(|part| match self.store.node(part) {
            Node::Choose(condition, yes, no) if self.depends_on_input(condition) => Some((part, [yes, no])),
            _ => None,
        })
    }

    fn depends_on_input(&self, term: Term) -> bool {
        self.store.free_symbols(term).iter().any(|symbol| self.instances[symbol] == Instance::Input)
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
}

/// What an equation says about the lowest bits of its sides, if no input touches those. None, if it has no inputs.
fn residue(store: &mut Store, equation: Term, is_input: impl Fn(Symbol) -> bool) -> Option<Term> {
    let Node::Equal(a, b) = store.node(equation) else { return None };
    let Sort::Bits(width) = store.sort(a) else { return None };
    let bits = untouched(store, a, &is_input).min(untouched(store, b, &is_input));
    if bits == 0 || bits == width {
        return None;
    }
    let mut zeros = Vec::new();
    for symbol in store.free_symbols(equation).into_iter().filter(|&symbol| is_input(symbol)) {
        let Sort::Bits(width) = store.sort_of_symbol(symbol) else { return None };
        zeros.push((symbol, store.bits(width, 0)));
    }
    let sides = [a, b].map(|side| {
        let side = store.substitute(side, &zeros);
        store.extract(0, bits, side)
    });
    Some(store.equal(sides[0], sides[1]))
}

/// How many of the lowest bits of a term depend on no input.
fn untouched(store: &Store, term: Term, is_input: &impl Fn(Symbol) -> bool) -> u32 {
    let mut known: FxHashMap<Term, u32> = FxHashMap::default();
    for part in store.reachable(&[term]) {
        let node = store.node(part);
        let all = match store.sort(part) {
            Sort::Bits(width) => width,
            _ => 1,
        };
        let whole = |operand: Term| {
            let width = if let Sort::Bits(width) = store.sort(operand) { width } else { 1 };
            known[&operand] == width
        };
        let bits = match node {
            Node::Symbol(symbol) if is_input(symbol) => 0,
            _ if node.operands().all(whole) => all,
            Node::Binary(Operator::Multiply, a, b) => product(store, &known, a, b).min(all),
            Node::Binary(Operator::ShiftLeft, a, b) => match store.constant(b) {
                Some(by) => known[&a].saturating_add(u32::try_from(by).unwrap_or(all)).min(all),
                None => 0,
            },
            Node::Binary(
                Operator::Add | Operator::Subtract | Operator::And | Operator::Or | Operator::Xor,
                a,
                b,
            ) => known[&a].min(known[&b]),
            Node::Extract { low, of, .. } => known[&of].saturating_sub(low).min(all),
            Node::ZeroExtend(_, inner) | Node::SignExtend(_, inner) => known[&inner],
            Node::Concatenate(high, low) if whole(low) => store.width(low) + known[&high],
            Node::Concatenate(_, low) => known[&low],
            Node::Choose(condition, yes, no) if whole(condition) => known[&yes].min(known[&no]),
            _ => 0,
        };
        known.insert(part, bits);
    }
    known[&term]
}

/// The same of a product: a power of two in one factor protects as many bits more of the other.
fn product(store: &Store, known: &FxHashMap<Term, u32>, a: Term, b: Term) -> u32 {
    let protected = |constant: Term, other: Term| {
        store.constant(constant).map(|value| known[&other].saturating_add(value.trailing_zeros()))
    };
    protected(b, a).or_else(|| protected(a, b)).unwrap_or_else(|| known[&a].min(known[&b]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of a variable and multiples of an input, and how many bits stay.
    #[test]
    fn multiples_of_powers_of_two_leave_the_lowest_bits() {
        let mut store = Store::new();
        let symbols = ["x", "input"].map(|name| store.fresh(name, Sort::Bits(8)));
        let [x, input] = symbols.map(|symbol| store.symbol(symbol));
        for (factor, bits) in [(1, 0), (2, 1), (3, 0), (12, 2), (64, 6)] {
            let factor = store.bits(8, factor);
            let multiple = store.binary(Operator::Multiply, input, factor);
            let sum = store.add(x, multiple);
            assert_eq!(untouched(&store, sum, &|symbol| symbol == symbols[1]), bits);
        }
        assert_eq!(untouched(&store, x, &|symbol| symbol == symbols[1]), 8);
    }

    /// For every value of the variable: the residue holds if and only if some input solves the equation.
    #[test]
    fn a_residue_is_what_is_left_of_the_equation() {
        let mut store = Store::new();
        let symbols = ["x", "input"].map(|name| store.fresh(name, Sort::Bits(4)));
        let [x, input] = symbols.map(|symbol| store.symbol(symbol));
        for factor in 1..16 {
            let [number, goal] = [factor, 5].map(|value| store.bits(4, value));
            let multiple = store.binary(Operator::Multiply, input, number);
            let sum = store.add(x, multiple);
            let equation = store.equal(sum, goal);
            let rest = residue(&mut store, equation, |symbol| symbol == symbols[1]);
            for value in 0..16_u128 {
                let solvable = (0..16).any(|input| (value + input * factor) % 16 == 5);
                let constant = store.bits(4, value);
                let told = rest.is_none_or(|rest| {
                    let told = store.substitute(rest, &[(symbols[0], constant)]);
                    store.truth(told).unwrap()
                });
                assert_eq!(told, solvable, "{value} + {factor} * input");
            }
        }
    }
}
