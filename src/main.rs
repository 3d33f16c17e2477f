//! The `boolero` command.

fn main() {
    boolero::cli::main()
}
