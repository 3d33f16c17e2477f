//! Formulas as clauses: every node that matters becomes a variable of a solver, with the clauses that define it.

use super::formula::{Formula, Node, Store};
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::sat::{self, Answer, Cnf, Effort, Literal, Solver};
use rustc_hash::{FxHashMap, FxHashSet};

/// A solver that is asked about formulas.
pub struct Encoder {
    solver: Box<dyn Solver>,
    literals: FxHashMap<usize, Literal>,
    /// How many questions it was asked.
    pub questions: u64,
}

impl Default for Encoder {
    fn default() -> Self {
        Self { solver: sat::create(), literals: FxHashMap::default(), questions: 0 }
    }
}

impl Encoder {
    /// The literal of a formula.
    fn literal(&mut self, store: &Store, formula: Formula) -> Literal {
        let mut open = vec![formula];
        while let Some(&top) = open.last() {
            if self.literals.contains_key(&top.node()) {
                open.pop();
                continue;
            }
            if let Node::And(left, right) = store.node(top) {
                let missing =
                    [left, right].into_iter().filter(|part| !self.literals.contains_key(&part.node()));
                let before = open.len();
                open.extend(missing);
                if open.len() > before {
                    continue;
                }
            }
            self.define(store, top);
            open.pop();
        }
        self.known(formula)
    }

    /// The literal of a formula whose node has one.
    fn known(&self, formula: Formula) -> Literal {
        let literal = self.literals[&formula.node()];
        if formula.is_negated() { !literal } else { literal }
    }

    /// A variable for a node whose operands have theirs.
    fn define(&mut self, store: &Store, formula: Formula) {
        let literal = self.solver.new_variable().literal(true);
        match store.node(formula) {
            Node::Constant => self.solver.add_clause(&[!literal]),
            Node::Input(_) => {}
            Node::And(left, right) => {
                let (left, right) = (self.known(left), self.known(right));
                self.solver.add_clause(&[!literal, left]);
                self.solver.add_clause(&[!literal, right]);
                self.solver.add_clause(&[literal, !left, !right]);
            }
        }
        self.literals.insert(formula.node(), literal);
    }

    /// The formula holds from now on.
    pub fn assert(&mut self, store: &Store, formula: Formula) {
        let literal = self.literal(store, formula);
        self.solver.add_clause(&[literal]);
    }

    /// Whether some values make all these formulas true.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn ask(
        &mut self,
        store: &Store,
        assumptions: &[Formula],
        effort: Effort,
        limits: &Limits,
    ) -> Result<Answer, Stop> {
        self.questions += 1;
        let literals: Vec<Literal> =
            assumptions.iter().map(|&formula| self.literal(store, formula)).collect();
        self.solver.solve(&literals, effort, limits)
    }

    /// All clauses that it has.
    pub fn clauses(&self) -> &Cnf {
        self.solver.clauses()
    }

    /// The nodes that it knows, each with its literal.
    pub fn literals(&self) -> impl Iterator<Item = (usize, Literal)> + '_ {
        self.literals.iter().map(|(&node, &literal)| (node, literal))
    }

    /// The literal of a formula, if it has one.
    pub fn looked_up(&self, formula: Formula) -> Option<Literal> {
        self.literals.contains_key(&formula.node()).then(|| self.known(formula))
    }

    /// The value of an input in the values that were found last. What was never asked about is false.
    pub fn value(&self, input: Formula) -> bool {
        let literal = self.literals.get(&input.node());
        literal.is_some_and(|&literal| self.solver.value(literal)) != input.is_negated()
    }

    /// The inputs that are true in the values that were found last, by their nodes.
    pub fn true_inputs(&self, store: &Store) -> FxHashSet<usize> {
        let is_true = |(node, literal): (&usize, &Literal)| {
            let is_input = matches!(store.node_at(*node), Node::Input(_));
            (is_input && self.solver.value(*literal)).then_some(*node)
        };
        self.literals.iter().filter_map(is_true).collect()
    }
}
