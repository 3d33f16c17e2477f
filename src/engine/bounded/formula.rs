//! Shared formulas: an and-inverter graph [Bas10, 10.3.1].
//!
//! A formula is a node of the graph, or the negation of one; nodes are constants, inputs, and conjunctions of two
//! formulas. Equal conjunctions are one node (hash consing), and what can be told from a conjunct and its own
//! conjuncts is simplified while the graph is built, so that constants travel as far as they can. Operands have smaller
//! numbers than their conjunction: a pass over a formula in the order of numbers sees operands first.

use super::meaning::Meaning;
use rustc_hash::FxHashMap;

/// A formula of a [`Store`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Formula(u32);

impl Formula {
    /// The formula that is false.
    pub const FALSE: Self = Self(0);
    /// The formula that is true.
    pub const TRUE: Self = Self(1);

    /// The number of its node.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the negation of its node.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// A constant.
    pub fn constant(value: bool) -> Self {
        Self(u32::from(value))
    }

    /// Itself, or its negation.
    pub fn negated_if(self, negated: bool) -> Self {
        Self(self.0 ^ u32::from(negated))
    }
}

impl std::ops::Not for Formula {
    type Output = Self;

    fn not(self) -> Self {
        self.negated_if(true)
    }
}

/// What an input stands for, which decides what happens to it when a formula is copied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// A value at the entry of a procedure: replaced by the value at a call.
    Entry,
    /// A choice of a run: fresh in every copy.
    Choice,
    /// The same everywhere: whether a property is asked about.
    Switch,
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// False.
    Constant,
    /// A variable.
    Input(Input),
    /// A conjunction.
    And(Formula, Formula),
}

/// All formulas of one stage of the search.
pub struct Store {
    nodes: Vec<Node>,
    conjunctions: FxHashMap<(Formula, Formula), u32>,
    /// What inputs stand for, by their nodes in ascending order.
    meanings: Vec<(usize, Meaning)>,
}

impl Default for Store {
    fn default() -> Self {
        Self { nodes: vec![Node::Constant], conjunctions: FxHashMap::default(), meanings: Vec::new() }
    }
}

impl Store {
    /// What the node of a formula is.
    pub fn node(&self, formula: Formula) -> Node {
        self.nodes[formula.node()]
    }

    /// What the node with this number is.
    pub fn node_at(&self, number: usize) -> Node {
        self.nodes[number]
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A new input, and what it stands for.
    pub fn input(&mut self, input: Input, meaning: Meaning) -> Formula {
        let formula = self.push(Node::Input(input));
        self.meanings.push((formula.node(), meaning));
        formula
    }

    /// What the input with this node stands for; none if the node is no input.
    pub fn meaning(&self, node: usize) -> Option<Meaning> {
        let place = self.meanings.binary_search_by_key(&node, |&(input, _)| input).ok()?;
        Some(self.meanings[place].1)
    }

    /// A new input that nobody asks the meaning of.
    pub fn unnamed(&mut self, input: Input) -> Formula {
        self.push(Node::Input(input))
    }

    fn push(&mut self, node: Node) -> Formula {
        let number = u32::try_from(self.nodes.len()).expect("the number of nodes is bounded");
        self.nodes.push(node);
        Formula(number << 1)
    }

    /// The conjunction.
    pub fn and(&mut self, left: Formula, right: Formula) -> Formula {
        let (left, right) = if left <= right { (left, right) } else { (right, left) };
        if let Some(known) = trivial(left, right).or_else(|| self.one_level(left, right)) {
            return known;
        }
        if let Some((left, right)) = self.replaced(left, right) {
            return self.and(left, right);
        }
        if let Some(&number) = self.conjunctions.get(&(left, right)) {
            return Formula(number << 1);
        }
        let formula = self.push(Node::And(left, right));
        self.conjunctions.insert((left, right), formula.0 >> 1);
        formula
    }

    /// What follows from the conjuncts of one operand.
    fn one_level(&self, left: Formula, right: Formula) -> Option<Formula> {
        [(left, right), (right, left)].into_iter().find_map(|(one, other)| {
            let Node::And(a, b) = self.node(other) else { return None };
            match (other.is_negated(), one == a || one == b, one == !a || one == !b) {
                // a ∧ (a ∧ b) = a ∧ b
                (false, true, _) => Some(other),
                // a ∧ (¬a ∧ b) = false
                (false, _, true) => Some(Formula::FALSE),
                // a ∧ ¬(¬a ∧ b) = a
                (true, _, true) => Some(one),
                _ => None,
            }
        })
    }

    /// a ∧ ¬(a ∧ b) = a ∧ ¬b: a smaller conjunction with the same meaning.
    fn replaced(&self, left: Formula, right: Formula) -> Option<(Formula, Formula)> {
        [(left, right), (right, left)].into_iter().find_map(|(one, other)| {
            let Node::And(a, b) = self.node(other) else { return None };
            if !other.is_negated() {
                return None;
            }
            if one == a {
                return Some((one, !b));
            }
            (one == b).then_some((one, !a))
        })
    }

    /// The disjunction.
    pub fn or(&mut self, left: Formula, right: Formula) -> Formula {
        !self.and(!left, !right)
    }

    /// The disjunction of all.
    pub fn any(&mut self, formulas: impl IntoIterator<Item = Formula>) -> Formula {
        formulas.into_iter().fold(Formula::FALSE, |any, formula| self.or(any, formula))
    }

    /// The first formula where the condition is true, the second elsewhere.
    pub fn choose(&mut self, condition: Formula, then: Formula, otherwise: Formula) -> Formula {
        if then == otherwise {
            return then;
        }
        if then == !otherwise {
            return self.equal(condition, then);
        }
        let taken = self.and(condition, then);
        let not_taken = self.and(!condition, otherwise);
        self.or(taken, not_taken)
    }

    /// Whether both have the same value.
    pub fn equal(&mut self, left: Formula, right: Formula) -> Formula {
        // One of the four ways to write it, so that it is written once.
        let negated = left.is_negated() != right.is_negated();
        let (left, right) = (left.negated_if(left.is_negated()), right.negated_if(right.is_negated()));
        let both = self.and(left, right);
        let neither = self.and(!left, !right);
        self.or(both, neither).negated_if(negated)
    }
}

/// Conjunctions that need no node.
fn trivial(left: Formula, right: Formula) -> Option<Formula> {
    // Constants are the smallest formulas, so a constant is on the left.
    match left {
        Formula::FALSE => Some(Formula::FALSE),
        Formula::TRUE => Some(right),
        _ if left == right => Some(left),
        _ if left == !right => Some(Formula::FALSE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: Meaning = Meaning::Called(0);

    /// All functions of two inputs, built from all functions of two inputs: as their truth tables say.
    #[test]
    fn conjunctions_and_choices_agree_with_truth_tables() {
        let mut store = Store::default();
        let (a, b) = (store.input(Input::Choice, ANY), store.input(Input::Choice, ANY));
        let mut known = vec![(Formula::FALSE, 0b0000u8), (Formula::TRUE, 0b1111), (a, 0b1010), (b, 0b1100)];
        for _ in 0..2 {
            let before = known.clone();
            for &(left, of_left) in &before {
                for &(right, of_right) in &before {
                    known.push((store.and(left, right), of_left & of_right));
                    known.push((store.equal(left, right), !(of_left ^ of_right) & 0b1111));
                    known.push((store.choose(a, left, right), 0b1010 & of_left | 0b0101 & of_right));
                    known.push((!left, !of_left & 0b1111));
                }
            }
            known.sort_unstable();
            known.dedup();
            assert!(known.windows(2).all(|pair| pair[0].0 != pair[1].0), "one formula has two tables");
        }
        for (formula, table) in known {
            for values in 0..4u8 {
                let inputs = |input: Formula| (values >> u8::from(input == b)) & 1 == 1;
                let found = super::super::evaluate::Valuation::new(inputs).value(&store, formula);
                assert_eq!(found, table >> values & 1 == 1, "{formula:?} of {values:02b}");
            }
        }
    }

    #[test]
    fn equal_formulas_are_one_node() {
        let mut store = Store::default();
        let (a, b) = (store.input(Input::Choice, ANY), store.input(Input::Entry, ANY));
        assert_eq!(store.and(a, b), store.and(b, a));
        assert_eq!(store.equal(a, b), !store.equal(!a, b));
        assert_eq!(store.or(a, !a), Formula::TRUE);
        assert_eq!(store.choose(a, b, b), b);
    }
}
