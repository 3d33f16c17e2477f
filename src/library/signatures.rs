//! The types of library functions that are known by name.
//!
//! A program may declare a function of its own that has the name of one of the library's: drivers have a `remove` or an `index`. If it takes or returns
//! something else than the library's function, it is another function: nothing that is known of that name holds of it. It
//! gets another name ([`stranger`]), before anybody asks for names. Where the library's function does more than return a value ([`libc`]),
//! nobody can tell whether the program's own is meant, or the library's with careless types: such a call is not modelled.
//!
//! Bodies in C ([`models`](super::models)) say their types themselves. Here are those that have none. Names that begin with an underscore, and those of
//! threads (`pthread_…`), are reserved: no program has functions of its own that are called so.

use super::libc;
use crate::ir::{Function, Type};

/// What is said behind the name of a function that has another type than the library's.
const ANOTHER: &str = " of another type";

/// What a function is called that only has the name of one of the library's.
#[must_use]
pub fn stranger(name: &str) -> String {
    format!("{name}{ANOTHER}")
}

/// Whether a function may be one of the library's after all, and one whose effects must not be overlooked.
#[must_use]
pub fn is_doubtful(name: &str) -> bool {
    name.strip_suffix(ANOTHER).is_some_and(libc::has_effects)
}

/// What the result and the parameters of a function are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    result: Type,
    parameters: Vec<(Type, Option<u64>)>,
    variadic: bool,
}

impl Signature {
    /// That of a function.
    #[must_use]
    pub fn of(function: &Function) -> Self {
        let parameters = function.parameters.iter();
        let parameters =
            parameters.map(|parameter| (function.values[parameter.value].ty.clone(), parameter.copied));
        Self {
            result: function.result.clone(),
            parameters: parameters.collect(),
            variadic: function.variadic,
        }
    }

    /// Reads a row of the table: the result, and the parameters in parentheses.
    fn read(text: &str, pointer_bits: u32) -> Option<Self> {
        let ty = |letter: char| match letter {
            'v' => Some(Type::Void),
            'p' => Some(Type::Pointer),
            'i' => Some(Type::Integer(32)),
            'z' => Some(Type::Integer(pointer_bits)),
            'f' => Some(Type::Float),
            'd' => Some(Type::Double),
            _ => None,
        };
        let (result, rest) = text.split_once('(')?;
        let parameters = rest.strip_suffix(')')?;
        let (parameters, variadic) =
            parameters.strip_suffix('.').map_or((parameters, false), |rest| (rest, true));
        let parameters = parameters.chars().map(|letter| ty(letter).map(|ty| (ty, None)));
        Some(Self {
            result: ty(result.chars().next()?)?,
            parameters: parameters.collect::<Option<_>>()?,
            variadic,
        })
    }

    /// Whether it says nothing of its parameters, as old declarations do: `int f();`.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.parameters.is_empty() && self.variadic
    }

    /// Whether a declaration may be one of a function that is like this.
    #[must_use]
    pub fn fits(&self, declared: &Self) -> bool {
        declared == self || declared.is_open() && declared.result == self.result
    }

    /// Whether it can be called with arguments of these types.
    #[must_use]
    pub fn takes<'a>(&self, arguments: impl ExactSizeIterator<Item = &'a Type>) -> bool {
        let enough = arguments.len() >= self.parameters.len();
        let most = self.variadic || arguments.len() <= self.parameters.len();
        enough && most && self.parameters.iter().zip(arguments).all(|((ty, _), argument)| ty == argument)
    }
}

/// `v`oid, `p`ointer, `i`nt, `z`: an integer as large as a pointer (`size_t`, `long`), `f`loat, `d`ouble; a dot for `...`.
const TABLE: &[(&str, &[&str])] = &[
    ("v()", &["abort"]),
    ("v(i)", &["exit", "quick_exit", "srand", "srandom"]),
    ("i()", &["rand", "sched_yield", "getpid"]),
    ("z()", &["random"]),
    ("i(i)", &["sleep", "usleep", "isatty", "putchar"]),
    ("i(pp)", &["nanosleep", "fputs"]),
    ("p(p)", &["getenv", "secure_getenv"]),
    ("p(z)", &["malloc", "valloc", "alloca"]),
    ("p(zz)", &["calloc", "aligned_alloc", "memalign"]),
    ("p(pz)", &["realloc"]),
    ("i(pzz)", &["posix_memalign"]),
    ("v(p)", &["free", "cfree", "perror"]),
    ("p(ppz)", &["memcpy", "memmove"]),
    ("p(piz)", &["memset"]),
    ("v(pz)", &["bzero"]),
    ("i(p)", &["puts", "fflush", "fclose", "atexit"]),
    ("i(ip)", &["fputc", "putc"]),
    ("z(pzzp)", &["fwrite"]),
    ("i(p.)", &["printf", "scanf"]),
    ("i(pp.)", &["fprintf", "fscanf", "sscanf"]),
    ("i(ppp)", &["vfprintf"]),
    ("i(pp)", &["vprintf"]),
    ("d(dd)", &["fmod"]),
    ("f(ff)", &["fmodf"]),
    // It has several models, by how it is used.
    ("v(pzzp)", &["qsort"]),
];

/// The type of a function of the library, if it stands in the table.
#[must_use]
pub fn signature(name: &str, pointer_bits: u32) -> Option<Signature> {
    let (text, _) = TABLE.iter().find(|(_, names)| names.contains(&name))?;
    Signature::read(text, pointer_bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::models::{defined_names, sources};
    use std::collections::BTreeSet;

    #[test]
    fn every_row_can_be_read_and_every_name_stands_in_one() {
        let names: Vec<&str> = TABLE.iter().flat_map(|(_, names)| names.iter()).copied().collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        assert!(TABLE.iter().all(|(text, _)| Signature::read(text, 64).is_some()));
    }

    /// What is known by name, and neither reserved nor ours, has a type here or in a model.
    #[test]
    fn whatever_is_known_by_name_has_a_type() {
        let models: BTreeSet<&str> = sources().iter().flat_map(|(_, text)| defined_names(text)).collect();
        let reserved = |name: &str| ["_", "boolero_", "pthread_"].iter().any(|start| name.starts_with(start));
        // Any type will do for `assert`; what changes the environment of floating-point numbers is never modelled.
        let any = |name: &str| name == "assert" || name.starts_with("fe");
        for name in crate::library::functions::names().filter(|name| !reserved(name) && !any(name)) {
            assert!(models.contains(name) || signature(name, 64).is_some(), "{name}");
        }
    }
}
