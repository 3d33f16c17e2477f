//! Models of library functions, written in C: see the README of this folder. Here are their texts; `llvm::models` compiles
//! those that a program needs.

use std::collections::BTreeSet;

/// The models of pthread; the machine has its own.
pub const THREADS: &str = "pthread.c";

/// Those of mutexes: one of these is taken, as `llvm::models` says.
pub const PLAIN: &str = "mutex.c";
/// Mutexes of all kinds, with their owners.
pub const OWNED: &str = "owner.c";

/// How the models of plain mutexes look whether a mutex is plain; left out where all are.
pub const LOOK: &str = "boolero_plain(mutex->kind);";

/// The threads of C11, by pthread; the machine uses them, too.
pub const THREADS_OF_C: &str = "threads.c";

/// Models that the lowering puts in place of calls.
pub const INLINED: [&str; 4] = [THREADS, PLAIN, OWNED, THREADS_OF_C];

/// Those of them whose accesses to memory synchronise threads: such accesses are no races.
pub const SYNCHRONISING: [&str; 3] = [THREADS, PLAIN, OWNED];

/// The models of input and output, which leave open what the machine knows.
pub const OUTPUT: &str = "stdio.c";

/// Where errors are told; the machine has a variable of its own for each thread.
pub const ERRNO: &str = "errno.c";

/// So do those of the time.
pub const TIME: &str = "time.c";

/// Sorting: the models come by the sizes of elements.
pub const SORTING: &str = "sort.c";

/// The model that compares each element with each, so that every fault of a comparison is met.
pub const EACH_PAIR: &str = "boolero_each_pair";

/// What verification tasks ask for.
pub const VERIFIER: &str = "verifier.c";

/// File names and texts of the models.
#[must_use]
pub fn sources() -> &'static [(&'static str, &'static str)] {
    &[
        ("ctype.c", include_str!("ctype.c")),
        (ERRNO, include_str!("errno.c")),
        ("exit.c", include_str!("exit.c")),
        ("math.c", include_str!("math.c")),
        (PLAIN, include_str!("mutex.c")),
        (OWNED, include_str!("owner.c")),
        (THREADS, include_str!("pthread.c")),
        (OUTPUT, include_str!("stdio.c")),
        ("signal.c", include_str!("signal.c")),
        (SORTING, include_str!("sort.c")),
        ("stdlib.c", include_str!("stdlib.c")),
        ("string.c", include_str!("string.c")),
        (THREADS_OF_C, include_str!("threads.c")),
        (TIME, include_str!("time.c")),
        (VERIFIER, include_str!("verifier.c")),
    ]
}

/// Whether a model may define one of these functions: its text names it before a parenthesis at the start of a line.
pub fn defines_any(text: &str, names: &BTreeSet<String>) -> bool {
    defined_names(text).any(|name| names.contains(name))
}

/// The functions that a model defines. Definitions start in the first column and end their line with a brace.
pub fn defined_names(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().filter(|line| line.ends_with('{') && !line.starts_with([' ', '\t', '}']));
    lines.filter_map(|line| {
        let head = &line[..line.find('(')?];
        head.rsplit([' ', '*']).next()
    })
}
