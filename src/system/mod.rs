//! Models with counted parts: how many threads, or tokens, are where.
//!
//! [`net::Net`] is the common form of thread transition systems and Petri nets, and of Boolean programs whose
//! thread states have been enumerated: a finite control, places that hold any number of tokens, and steps that
//! take, give and sweep. [`tts`] and [`mist`] read the formats of the neighbours, [`print_tts`] and [`print_mist`]
//! write them. [`template::Template`] is what one thread of a Boolean program runs, its calls inlined;
//! [`enumerate`] makes a net of it.

pub mod enumerate;
pub mod mist;
pub mod names;
pub mod net;
pub mod print_mist;
pub mod print_tts;
#[cfg(test)]
mod round_trip;
pub mod template;
pub mod tts;
mod well_formed;
