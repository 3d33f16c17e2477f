//! Functions of the libraries that are not modelled, and whose effects are known to be more than an arbitrary result:
//! a call of one is "unsupported", whatever the settings say of undefined functions.

use super::{Arguments, Flow, Handler, Run, Step};

const NAMES: [&str; 22] = [
    "fesetround",
    "fesetenv",
    "feupdateenv",
    "fesetmode",
    "setjmp",
    "_setjmp",
    "__sigsetjmp",
    "sigsetjmp",
    "longjmp",
    "siglongjmp",
    "_longjmp",
    "fork",
    "vfork",
    "signal",
    "sigaction",
    "qsort",
    "bsearch",
    "fgets",
    "gets",
    "fread",
    "read",
    "getline",
];

/// The handler of such a function. All of pthread that is not modelled belongs here.
pub(super) fn find(name: &str) -> Option<Handler> {
    let library = ["pthread_", "sem_", "thrd_", "mtx_", "cnd_"].iter().any(|prefix| name.starts_with(prefix));
    (library || NAMES.contains(&name)).then_some(unsupported as Handler)
}

fn unsupported(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let name = &run.module.functions[arguments.function].name;
    run.unsupported(format!("the library function `{name}`"))
}
