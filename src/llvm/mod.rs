//! C and LLVM in: [`read`] (clang, bitcode, [`ir`](crate::ir)), `points_to`, `lower` (the program model).

pub mod models;
pub mod points_to;
pub mod read;
