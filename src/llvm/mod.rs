//! C and LLVM in: [`read`] (clang, bitcode, [`ir`](crate::ir)), [`models`] (the C library, in C), [`points_to`],
//! [`lower`] (the program model).

pub mod lower;
pub mod models;
pub mod points_to;
pub mod read;

#[cfg(test)]
mod generate;
#[cfg(test)]
pub(crate) mod tests;
