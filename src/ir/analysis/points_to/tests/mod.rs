//! Tests of the points-to analysis.
//!
//! The oracle is a small machine that runs `ir` on flat memory and, in lockstep, on regions as the analysis cut them:
//! every value that is read must be the same in both. Programs are written by hand ([`programs`]) or generated.

mod generate;
mod generated;
mod graph;
mod indexed;
mod kinds;
mod machine;
mod programs;
mod shadow;
mod steps;

use super::{External, Members, PointsTo};
use crate::ir::Module;
use crate::llvm::read::bitcode::decode;
use crate::llvm::read::clang::{CompileOptions, DataModel, compile};
use std::sync::atomic::{AtomicUsize, Ordering};

static NUMBER: AtomicUsize = AtomicUsize::new(0);

/// Compiles and reads C.
fn read(source: &str, data_model: DataModel) -> Module {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let stem = std::env::temp_dir().join(format!("boolero-points-to-{}-{number}", std::process::id()));
    let (c, bc) = (stem.with_extension("c"), stem.with_extension("bc"));
    std::fs::write(&c, source).expect("a temporary file can be written");
    let options = CompileOptions { data_model, ..CompileOptions::default() };
    compile(&c, &bc, &options).unwrap_or_else(|error| panic!("{error}\n{source}"));
    let module = decode(&bc).unwrap_or_else(|error| panic!("{error}\n{source}"));
    for file in [c, bc] {
        // A file that stays behind does no harm.
        drop(std::fs::remove_file(file));
    }
    module
}

/// What the functions of our tests do.
fn external(name: &str) -> External {
    match name {
        "malloc" => External::Allocates(&[0]),
        "free" => External::Frees,
        "memcpy" | "memmove" => External::CopiesMemory(0, 1),
        "pthread_create" => External::StartsThread { handle: 0, routine: 2, argument: 3 },
        "pthread_join" => External::JoinsThread { result: 1 },
        "anything" => External::Anything,
        _ => External::Nothing,
    }
}

/// Analyses from `main` on.
fn analyse(module: &Module) -> PointsTo {
    let main = module.function("main").expect("there is a main");
    PointsTo::analyse(module, &[main], &external, Members::Apart)
}
