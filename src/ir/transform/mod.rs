//! Changes of a module before it is lowered: bodies in place of calls, `scanf` as inputs, functions that are intrinsics by
//! another name, assembly by idiom or as something that nobody knows.
//!
//! What is known of the library is given: this folder knows no names but those of our own models' interface.

pub mod assembly;
pub mod contexts;
pub mod devices;
pub mod helpers;
pub mod inline;
pub mod intrinsics;
pub mod leave_out;
pub mod nulls;
pub mod opaque;
pub mod scan;

pub use intrinsics::{Known, normalised};
