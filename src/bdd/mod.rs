//! Binary decision diagrams: one interface, two back ends.
//!
//! The only place that names BDD libraries. A [`Bdd`] is an interned, canonical id of its [`Manager`]: two
//! functions are equal if and only if their ids are, and every operation is memoised by id. The ids, the
//! memory of results and the interned sets and renamings are the same for both back ends (`interned`); what
//! a library has to add is small (`biodivine`, `oxidd`).
//!
//! Operations can be stopped. With biodivine they look at the limits every thousand steps; oxidd's
//! cannot be entered, so the limits are looked at between operations and whenever its table of nodes is full
//! (it starts small and doubles), and the watchdog of the process is the last resort. An operation that was
//! stopped leaves no trace: the manager stays usable and remembers only finished results.

use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::index_types;
use std::fmt;
use std::str::FromStr;

mod biodivine;
mod interned;
pub mod ops;
pub mod order;
mod oxidd;
mod rebuild;
mod store;
mod substitution;

#[cfg(test)]
mod tests;

index_types! {
    /// A BDD variable; the number is also its level, 0 on top.
    Level,
    /// An interned set of variables.
    LevelSet,
    /// An interned renaming of variables.
    Renaming,
}

/// A Boolean function, as an id of the manager that made it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bdd(u32);

impl Bdd {
    /// The id as a number. Numbers are dense: those of dropped functions are used again.
    #[must_use]
    pub fn number(self) -> usize {
        self.0 as usize
    }
}

/// A decision node of a diagram written as a vector, children first. Numbers 0 and 1 are the terminals;
/// the node at position i has the number i + 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlainNode {
    /// The variable.
    pub level: Level,
    /// The number of the node for false.
    pub low: usize,
    /// The number of the node for true.
    pub high: usize,
}

/// A back end. All functions are over the variables given at its creation.
///
/// Every operation that returns a [`Stop`] does so because a limit was reached, and has then no effect. A function
/// that was dropped by [`retain`](Self::retain) must not be used again: that is a panic, or another function.
pub trait Manager {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// A constant function.
    fn constant(&self, value: bool) -> Bdd;
    /// The variable, or its negation.
    fn literal(&mut self, level: Level, positive: bool) -> Result<Bdd, Stop>;

    /// Negation.
    fn not(&mut self, f: Bdd) -> Result<Bdd, Stop>;
    /// Conjunction.
    fn and(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Stop>;
    /// Disjunction.
    fn or(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Stop>;
    /// Exclusive or.
    fn xor(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Stop>;
    /// f and not g: set difference.
    fn minus(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Stop>;

    /// Interns a set of variables.
    fn level_set(&mut self, levels: &[Level]) -> LevelSet;
    /// Existential quantification.
    fn exists(&mut self, f: Bdd, levels: LevelSet) -> Result<Bdd, Stop>;
    /// The relational product: exists levels. f and g, fused.
    fn and_exists(&mut self, f: Bdd, g: Bdd, levels: LevelSet) -> Result<Bdd, Stop>;

    /// Interns a renaming: pairs (from, to), simultaneous, each `from` once. Where two variables of a function get
    /// the same name they become one variable.
    fn renaming(&mut self, pairs: &[(Level, Level)]) -> Renaming;
    /// Renames variables. Any renaming is possible; one that keeps the order of the function's variables is
    /// fast.
    fn rename(&mut self, f: Bdd, renaming: Renaming) -> Result<Bdd, Stop>;

    /// The value under a total assignment (indexed by level).
    fn evaluate(&self, f: Bdd, assignment: &dyn Fn(Level) -> bool) -> bool;
    /// A satisfying partial assignment (the variables on one path to true, in level order), the
    /// lexicographically first with false before true; `None` for the constant false. Deterministic, and
    /// the same for every back end.
    fn pick(&self, f: Bdd) -> Option<Vec<(Level, bool)>>;
    /// The variables the function depends on, in order.
    fn support(&self, f: Bdd) -> Vec<Level>;
    /// The decision nodes of the diagram, the root last; none for a constant.
    fn nodes(&self, f: Bdd) -> Vec<PlainNode>;
    /// How many nodes the diagram has, terminals included.
    fn size(&self, f: Bdd) -> usize;
    /// How many assignments of `variables` variables satisfy the function, which must not depend on more.
    fn count(&self, f: Bdd, variables: usize) -> f64;

    /// Forgets every function and memoised result that is not among these roots. Ids of the roots stay valid,
    /// all other ids become invalid (constants, sets and renamings stay).
    fn retain(&mut self, roots: &[Bdd]);
    /// Roughly how many nodes are stored now. Cheap.
    fn stored_nodes(&self) -> usize;
}

/// The libraries to choose from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BackEnd {
    /// `biodivine-lib-bdd`: every function is a vector of its own nodes. At most 65,534 variables.
    #[default]
    Biodivine,
    /// `oxidd`: all functions share one table of nodes and one cache.
    Oxidd,
}

impl BackEnd {
    /// Every back end.
    pub const ALL: [Self; 2] = [Self::Biodivine, Self::Oxidd];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Biodivine => "biodivine",
            Self::Oxidd => "oxidd",
        }
    }
}

impl fmt::Display for BackEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for BackEnd {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|kind| kind.name() == name);
        known.ok_or_else(|| format!("unknown BDD back end `{name}`: use `biodivine` or `oxidd`"))
    }
}

/// A new manager for functions of this many variables, stopped by these limits.
///
/// # Errors
/// The back end cannot have that many variables.
pub fn create(kind: BackEnd, levels: usize, limits: &Limits) -> Result<Box<dyn Manager>, Stop> {
    Ok(match kind {
        BackEnd::Biodivine => {
            Box::new(interned::Interned::new(biodivine::Biodivine::new(levels, limits)?, limits))
        }
        BackEnd::Oxidd => Box::new(interned::Interned::new(oxidd::Oxidd::new(levels, limits)?, limits)),
    })
}
