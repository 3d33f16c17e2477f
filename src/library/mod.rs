//! What is known of functions of C and POSIX that a program only declares: [`libc`] says which of them do more than return a
//! value, [`models`] has bodies in C for many of them.

pub mod libc;
pub mod models;
