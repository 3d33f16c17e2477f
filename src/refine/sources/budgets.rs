//! How many candidates sources may offer, and what it may cost to choose among them.
//!
//! | constant | sensible values | if it is smaller | if it is greater |
//! |---|---|---|---|
//! | `ALIKE` | 3 – 20 | loops that need a few values are given up early | loops are unwound by predicates |
//! | `TOO_ALIKE` | 20 – 200 | the same, at last | runs end later without progress |
//! | `FEW` | 1 – 10 | values of variables come before guards | long guards become many predicates |
//! | `STATES` | 1 – 5 | state machines are recognised after fewer states | they take more iterations |
//! | `MOST` | 20 – 200 | what is needed may be left out | queries of `linked` take longer |
//! | `SPARE` | 1 – 20 | more iterations where nothing is known to help | more predicates that do not help |
//! | `RESOURCES` | a million and more | hard paths are not excluded | a stage may take seconds |
//! | `LEAST_RESOURCES` | a tenth of it | later stages are not tried | each takes its time after a hard one |

/// Predicates that differ in numbers only: so many in one scope, then others are preferred.
pub(in crate::refine) const ALIKE: usize = 10;

/// So many at most.
pub(in crate::refine) const TOO_ALIKE: usize = 60;

/// A guard with more atoms than this is rather excluded by the values of its variables.
pub(in crate::refine) const FEW: usize = 4;

/// A variable that is compared with so many numbers by predicates is a state.
pub(in crate::refine) const STATES: usize = 2;

/// Candidates of one stage beyond these are left out.
pub(in crate::refine) const MOST: usize = 60;

/// So many predicates are added where none is known to help.
pub(in crate::refine) const SPARE: usize = 10;

/// What one query may cost, first and last, in steps of Z3.
pub(in crate::refine) const RESOURCES: u32 = 2_000_000;
pub(in crate::refine) const LEAST_RESOURCES: u32 = 100_000;
