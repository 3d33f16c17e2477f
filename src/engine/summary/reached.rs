//! What the fixpoint has reached, for those who want more than verdicts.
//!
//! A set of path edges is told as a decision diagram over variables at two moments: at the entry of the procedure, and
//! now. The engine keeps one copy of a variable that a procedure cannot change; here it can be asked for both.

use super::fixpoint::Fixpoint;
use super::order::{Levels, Meaning};
use super::scope::Scopes;
use super::symbolic::Symbolic;
use super::transfer::Transfer;
use super::{Summary, unsupported_text};
use crate::bdd::{Bdd, Level};
use crate::boolean::cfg::{NodeId, ProcedureId, Program, PropertyId, VariableId};
use crate::ground::index::IndexVec;
use crate::ground::reason::Stop;
use crate::ground::run::Run;

/// When a variable has the value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Moment {
    /// When the procedure was entered.
    Entry,
    /// Now.
    Now,
}

/// A decision. Numbers 0 and 1 are false and true; the decision at position i has the number i + 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The variable,
    pub variable: VariableId,
    /// and when.
    pub moment: Moment,
    /// Where to go if it is false,
    pub low: usize,
    /// and if it is true.
    pub high: usize,
}

/// A set of path edges as a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// The decisions, children first.
    pub decisions: Vec<Decision>,
    /// The number of the root.
    pub root: usize,
}

/// The path edges of all nodes.
pub struct Reached<'p> {
    transfer: Transfer<'p>,
    sets: IndexVec<NodeId, Bdd>,
}

impl Summary {
    /// All path edges, as far as they matter to these properties.
    ///
    /// # Errors
    /// If the limits are raised, or the program starts threads.
    pub fn reached<'p>(
        &self,
        program: &'p Program,
        properties: &[PropertyId],
        run: Run<'_>,
    ) -> Result<Reached<'p>, Stop> {
        if program.starts_threads() {
            return Err(Stop::Bound(unsupported_text().to_owned()));
        }
        let levels = Levels::new(program);
        let manager = self.manager(levels.meanings.len(), run)?;
        let scopes = Scopes::new(program, properties);
        let mut transfer = Transfer::new(Symbolic::new(program, levels, manager), scopes);
        let mut fixpoint = Fixpoint::new(&mut transfer, properties, run);
        fixpoint.exhaust()?;
        let sets = fixpoint.reached;
        Ok(Reached { transfer, sets })
    }
}

impl Reached<'_> {
    /// Whether some run comes to a node.
    #[must_use]
    pub fn is_reached(&self, node: NodeId) -> bool {
        self.sets[node] != self.transfer.symbolic.manager.constant(false)
    }

    /// The path edges at a node. Variables that are not `told` now are left open. Of variables that the procedure
    /// cannot change, those that are `related` are told to be what they were at the entry.
    ///
    /// # Errors
    /// If the limits are raised.
    pub fn at(
        &mut self,
        node: NodeId,
        told: &dyn Fn(VariableId) -> bool,
        related: &dyn Fn(VariableId) -> bool,
    ) -> Result<Diagram, Stop> {
        let procedure = self.transfer.symbolic.program.nodes[node].procedure;
        let mut set = self.sets[node];
        if self.transfer.scopes.of(procedure).summarised && self.is_reached(node) {
            let pairs = self.unchanged(procedure, related);
            let equal = self.transfer.symbolic.equal(&pairs)?;
            set = self.transfer.symbolic.manager.and(set, equal)?;
        }
        let hidden: Vec<Level> = self.hidden(set, told);
        let manager = &mut self.transfer.symbolic.manager;
        let hidden = manager.level_set(&hidden);
        let set = manager.exists(set, hidden)?;
        Ok(self.diagram(set))
    }

    /// Entry and current levels of what a procedure cannot change.
    fn unchanged(&self, procedure: ProcedureId, related: &dyn Fn(VariableId) -> bool) -> Vec<(Level, Level)> {
        let symbolic = &self.transfer.symbolic;
        let scope = self.transfer.scopes.of(procedure);
        let globals = symbolic.program.globals().filter(|global| !scope.outputs.contains(global));
        let unchanged = globals.chain(scope.kept_locals.iter().copied());
        let mut pairs: Vec<(Level, Level)> = unchanged
            .filter(|&variable| related(variable))
            .map(|variable| (symbolic.roles(variable).entry, symbolic.roles(variable).current))
            .collect();
        pairs.sort_unstable();
        pairs
    }

    fn hidden(&self, set: Bdd, told: &dyn Fn(VariableId) -> bool) -> Vec<Level> {
        let symbolic = &self.transfer.symbolic;
        let hides = |level: &Level| match symbolic.levels.meanings[*level] {
            Meaning::Entry(_) => false,
            Meaning::Current(variable) => !told(variable),
            _ => true,
        };
        symbolic.manager.support(set).into_iter().filter(hides).collect()
    }

    fn diagram(&self, set: Bdd) -> Diagram {
        let symbolic = &self.transfer.symbolic;
        let decisions: Vec<Decision> = symbolic
            .manager
            .nodes(set)
            .into_iter()
            .map(|node| {
                let (variable, moment) = match symbolic.levels.meanings[node.level] {
                    Meaning::Entry(variable) => (variable, Moment::Entry),
                    Meaning::Current(variable) => (variable, Moment::Now),
                    other => unreachable!("{other:?} was hidden"),
                };
                Decision { variable, moment, low: node.low, high: node.high }
            })
            .collect();
        let constant = usize::from(set == symbolic.manager.constant(true));
        let root = if decisions.is_empty() { constant } else { decisions.len() + 1 };
        Diagram { decisions, root }
    }
}
