//! Binary decision diagrams: one interface, two back ends.
//!
//! The only place that names BDD libraries. A [`Bdd`] is an interned, canonical id of its [`Manager`]: two
//! functions are equal if and only if their ids are, and every operation is memoised by id. Operations
//! can be stopped: they run in bounded slices between which the limits are checked.

use crate::ground::reason::Stop;
use crate::index_types;

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

/// A back end. All functions are over the variables given at its creation.
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

    /// Interns a renaming: pairs (from, to), simultaneous. No `to` may occur in the renamed function unless it
    /// is itself renamed away.
    fn renaming(&mut self, pairs: &[(Level, Level)]) -> Renaming;
    /// Renames variables. Any renaming is possible; one that keeps the order is fast.
    fn rename(&mut self, f: Bdd, renaming: Renaming) -> Result<Bdd, Stop>;

    /// The value under a total assignment (indexed by level).
    fn evaluate(&self, f: Bdd, assignment: &dyn Fn(Level) -> bool) -> bool;
    /// A satisfying partial assignment (the variables on one path to true, in level order), the
    /// lexicographically first with false before true; `None` for the constant false. Deterministic, and
    /// the same for every back end.
    fn pick(&self, f: Bdd) -> Option<Vec<(Level, bool)>>;
    /// The variables the function depends on, in order.
    fn support(&self, f: Bdd) -> Vec<Level>;
    /// How many nodes the diagram has, terminals included.
    fn size(&self, f: Bdd) -> usize;

    /// Forgets every function and memoised result that is not among these roots. Ids of the roots stay valid,
    /// all other ids become invalid (constants stay).
    fn retain(&mut self, roots: &[Bdd]);
    /// Roughly how many nodes are stored now.
    fn stored_nodes(&self) -> usize;
}
