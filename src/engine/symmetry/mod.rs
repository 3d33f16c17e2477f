//! Threads symbolically, one template for all of them [Bas10, 7.4].
//!
//! The engines that count threads (`counter`, `karp_miller`) see a thread as an element of a *local set*: a location
//! and a set of values of its live slots, interned as a [`LocalId`]. What a thread in a local set can do is found
//! out once, when it is first asked for ([`Locals::transitions`]): the translation is on the fly, and only local
//! states that occur are ever named. A [`Transition`] is a relation on the shared variables and the local sets the
//! thread, and perhaps a thread it starts, is in afterwards.
//!
//! A pair of sets (shared, local) cannot express that a shared and a local variable are equal. Where a statement
//! relates them (a *splice statement*, [Bas10, 7.4.2]) its image is split into Shannon cofactors, equal cofactors
//! joined: the result is exact, and there are no more parts than there are different local sets.

pub mod concretise;
mod enabled;
mod levels;
mod locals;
mod parts;
mod passive;
mod relations;
mod violations;

pub use levels::{Levels, Pair};
pub use locals::{Facing, Local, LocalId, Locals, Spawn, Transition};
pub use passive::Hearing;
pub use relations::{ClassId, StepId};
pub use violations::{Crowd, Inhabited, Violation};
