//! C and LLVM in: [`read`] (clang, bitcode, [`ir`](crate::ir)), [`models`] (bodies for library functions).

pub mod models;
pub mod read;

#[cfg(test)]
mod generate;
#[cfg(test)]
pub(crate) mod tests;
