//! The `boolero` command.

fn main() {}
