//! How much of a run is kept. A thousand steps and a hundred iterations are to need less than five megabytes.

/// Bytes of the text of one file.
pub const FILE: usize = 400_000;
/// Bytes of the texts of all files.
pub const FILES: usize = 1_200_000;
/// Characters of one statement.
pub const STATEMENT: usize = 300;
/// Characters of one predicate or constraint.
pub const PREDICATE: usize = 400;
/// Statements of all automata.
pub const STATEMENTS: usize = 6_000;
/// Bytes of the differences of all Boolean programs.
pub const PROGRAMS: usize = 1_500_000;
/// Numbers in the paths of all counterexamples of Boolean programs.
pub const PATHS: usize = 250_000;
/// Constraints that are told of one contradiction.
pub const CONSTRAINTS: usize = 40;
/// Contradictions that are told of one path.
pub const CONTRADICTIONS: usize = 6;
/// Excluded steps that are told of one path.
pub const EXCLUDED: usize = 20;
/// Runs that are told.
pub const RUNS: usize = 5;
/// Steps of one run: so many from the start and as many from the end.
pub const STEPS: usize = 2_500;
/// Cases of one invariant.
pub const CASES: usize = 12;
