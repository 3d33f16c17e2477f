//! What is known of functions of C and POSIX that a program only declares: [`functions`] is the table of those that are known
//! by name, [`libc`] says which others do more than return a value, [`models`] has bodies in C for many of them.

pub mod functions;
pub mod libc;
pub mod models;
