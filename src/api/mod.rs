//! Boolero as a library: [`verify`](fn@verify) for C, [`check`](fn@check) for Boolean programs and nets.
//!
//! Each takes an input, options and an [`Observer`], and returns a result with everything that is needed to tell it, or a
//! [`Refusal`] if the input is wrong. Nothing here prints or ends the process. The command line is a thin layer on top: it
//! makes inputs and options of arguments, and reports of results. Tests and benches use the same functions.
//!
//! | file | what |
//! |---|---|
//! | `input` | a C program: files, how they are compiled, what must not happen |
//! | `prepare` | from an input to a program model that is ready for the loop, in steps that commands use by themselves |
//! | `verify` | the loop on it |
//! | `check` | Boolean programs and nets |
//! | `proof` | a proof as a folder of files |
//! | `specification` | what is asked, and SV-COMP's words for it |
//! | `named` | names of functions and labels must be somewhere in the program |
//! | `file` | text of files |
//! | `refusal` | why an input is refused |
//! | `observer` | who is told while the work goes on |
//! | `witness` | witnesses of SV-COMP are judged |

mod check;
pub mod file;
mod input;
mod named;
mod observer;
mod prepare;
pub mod proof;
mod refusal;
mod specification;
#[cfg(test)]
mod tests;
mod verify;
pub mod witness;

pub use check::{
    BooleanInput, Checked, CheckedNet, CheckedProgram, CheckingOptions, NetFormat, check, load_net,
    load_program, method,
};
pub use input::{Assembly, Input, Reading};
pub use observer::{Observer, SoFar};
pub use prepare::{
    Prepared, Read, Sources, machine, model, prepare, read, require_entry, require_names, sources,
};
pub use refusal::Refusal;
pub use specification::Asked;
pub use verify::{Options, Setup, Verification, verify};
