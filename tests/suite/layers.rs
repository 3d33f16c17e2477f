//! The layers of the source: which folder of `src/` may use which. The table is the one of `src/ARCHITECTURE.md`.
//!
//! A folder uses what stands in layers above its own, and within its layer what stands before it; steps use no other step.
//! The tests of a module may use anything. What breaks a rule for a reason is an exception below; an exception that is no
//! longer needed fails as well.

use super::{files, root};
use libtest_mimic::{Failed, Trial};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A layer: its name, its folders in order, and whether they may use each other.
type Layer = (&'static str, &'static [&'static str], Within);

/// What folders of one layer may use of each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    /// Those that stand before them.
    Earlier,
    /// Nothing.
    Nothing,
}

const LAYERS: [Layer; 7] = [
    ("ground", &["ground"], Within::Nothing),
    ("logic", &["term", "smt", "sat", "bdd"], Within::Earlier),
    ("models", &["ir", "program", "predicate", "path", "boolean", "system"], Within::Earlier),
    ("library", &["library"], Within::Nothing),
    ("checks", &["checks"], Within::Nothing),
    (
        "steps",
        &["llvm", "lower", "vm", "abstraction", "engine", "simulate", "refine", "states", "certify"],
        Within::Nothing,
    ),
    ("surface", &["checker", "cegar", "report", "api", "drivers", "cli"], Within::Earlier),
];

/// Folders that know nothing of C, LLVM, terms or SMT, though those stand above them.
const APART: [&str; 3] = ["boolean", "system", "engine"];
/// What they may use.
const OF_BOOLEAN_PROGRAMS: [&str; 5] = ["ground", "sat", "bdd", "boolean", "system"];

/// Uses that break a rule, each with the reason.
const EXCEPTIONS: [(&str, &str, &str); 2] = [
    ("simulate", "vm", "a violation counts only if the machine has made the run"),
    ("states", "vm", "it explores what the machine does, step by step"),
];

/// Foreign libraries, each with the only folder that names it.
const FOREIGN: [(&str, &str); 6] = [
    ("z3", "smt"),
    ("llvm_ir", "llvm"),
    ("llvm_sys", "llvm"),
    ("varisat", "sat"),
    ("biodivine_lib_bdd", "bdd"),
    ("oxidd", "bdd"),
];

/// What writes to streams.
const PRINTING: [&str; 6] = ["print!", "println!", "eprint!", "eprintln!", "io::stdout", "io::stderr"];

/// A file that writes to a stream all the same: the child that reads a program answers its parent there.
const ANSWERS: &str = "src/llvm/read/child.rs";

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("layers: each folder uses what stands above it", layered),
        Trial::test("layers: each foreign library is named in one folder", foreign),
        Trial::test("layers: only the command line prints", printing),
        Trial::test("layers: faults are named in their table, in their checks and in the machine", faults),
        Trial::test("layers: who verifies a program does not edit it", read_only),
        Trial::test("layers: folders are small", folders),
        Trial::test("layers: the methods of a type stand together", methods),
    ]
}

/// Where single faults may be named: the table, the checks, the machine, and what both are tested against.
const NAME_FAULTS: [&str; 4] = ["src/ground/fault.rs", "src/checks/", "src/vm/", "src/ir/undefined"];

fn faults() -> Result<(), Failed> {
    let mut problems = Vec::new();
    for file in &sources() {
        if NAME_FAULTS.iter().any(|place| file.path.starts_with(place)) {
            continue;
        }
        for line in file.code.lines() {
            let mut named = line.match_indices("Fault::").map(|(at, word)| &line[at + word.len()..]);
            // Only a variant has a capital letter; `PropertyKind::Fault::…` there is none.
            if named.any(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase())) {
                problems.push(format!("{}: {}", file.path, line.trim()));
            }
        }
    }
    told(problems)
}

/// Folders that only read the program that they verify: they hold a `Frozen` one where they need new terms.
const READ_ONLY: [&str; 3] = ["src/path/", "src/simulate/", "src/refine/"];

fn read_only() -> Result<(), Failed> {
    let mut problems = Vec::new();
    for file in sources().iter().filter(|file| READ_ONLY.iter().any(|folder| file.path.starts_with(folder))) {
        let lines = file.code.lines().filter(|line| line.contains("mut Program"));
        problems.extend(lines.map(|line| format!("{}: {}", file.path, line.trim())));
    }
    told(problems)
}

/// A folder has at most so many files of Rust side by side.
const MOST_FILES: usize = 25;

fn folders() -> Result<(), Failed> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for file in sources() {
        let folder = Path::new(&file.path).parent().map(|folder| folder.display().to_string());
        *counts.entry(folder.unwrap_or_default()).or_default() += 1;
    }
    let large = counts.into_iter().filter(|(_, count)| *count > MOST_FILES);
    told(large.map(|(folder, count)| format!("{folder}: {count} files")).collect())
}

/// The methods of a type stand in at most so many files.
const MOST_OF_A_TYPE: usize = 6;

fn methods() -> Result<(), Failed> {
    let mut of_types: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for file in sources() {
        for name in file.code.lines().filter_map(implemented) {
            of_types.entry((home(&file), name)).or_default().insert(file.path.clone());
        }
    }
    let mut problems = Vec::new();
    for ((folder, name), files) in &of_types {
        if files.len() > MOST_OF_A_TYPE {
            problems.push(format!("`{name}` of {folder} has methods in {} files", files.len()));
        }
    }
    told(problems)
}

/// Where types of one name are the same: in a folder of `src/`, and in that of an engine.
fn home(file: &Source) -> String {
    let mut parts = file.path.split('/').skip(1);
    match (parts.next(), parts.next()) {
        (Some("engine"), Some(engine)) => format!("engine/{}", engine.trim_end_matches(".rs")),
        _ => file.folder.clone(),
    }
}

/// The type whose own methods start in this line.
fn implemented(line: &str) -> Option<String> {
    let rest = line.strip_prefix("impl")?;
    let rest = match rest.strip_prefix('<') {
        // No bound of ours has brackets within brackets.
        Some(generic) => generic.split_once('>')?.1,
        None => rest,
    };
    let name = rest.trim_start();
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    (!line.contains(" for ") && end > 0).then(|| name[..end].to_owned())
}

fn layered() -> Result<(), Failed> {
    let mut problems = Vec::new();
    let mut needed = BTreeSet::new();
    for file in &sources() {
        for used in file.uses()? {
            match forbidden(&file.folder, &used) {
                None => {}
                Some(_) if is_exception(&file.folder, &used) => {
                    _ = needed.insert((file.folder.clone(), used))
                }
                Some(why) => problems.push(format!("{}: uses `{used}`: {why}", file.path)),
            }
        }
    }
    for (from, to, _) in EXCEPTIONS {
        if !needed.contains(&(from.to_owned(), to.to_owned())) {
            problems.push(format!("`{from}` no longer uses `{to}`: take the exception away"));
        }
    }
    told(problems)
}

fn is_exception(from: &str, to: &str) -> bool {
    EXCEPTIONS.iter().any(|(user, used, _)| *user == from && *used == to)
}

/// Why a folder must not use another, if it must not.
fn forbidden(from: &str, to: &str) -> Option<String> {
    if from == to {
        return None;
    }
    let (Some(user), Some(used)) = (place(from), place(to)) else {
        return Some(format!("`{from}` or `{to}` is in no layer"));
    };
    if APART.contains(&from) && !OF_BOOLEAN_PROGRAMS.contains(&to) {
        return Some("Boolean programs know nothing of C".to_owned());
    }
    let (_, _, within) = LAYERS[user.0];
    let allowed = used.0 < user.0 || (used.0 == user.0 && used.1 < user.1 && within == Within::Earlier);
    (!allowed).then(|| format!("{} use what stands above them", LAYERS[user.0].0))
}

/// The layer of a folder, and its place there.
fn place(folder: &str) -> Option<(usize, usize)> {
    LAYERS.iter().enumerate().find_map(|(layer, (_, folders, _))| {
        Some((layer, folders.iter().position(|known| *known == folder)?))
    })
}

fn foreign() -> Result<(), Failed> {
    let mut problems = Vec::new();
    for file in &sources() {
        for (library, home) in FOREIGN {
            if file.folder != home && words(&file.code).any(|(word, path)| word == library && path) {
                problems.push(format!("{}: names {library}, which belongs to `{home}`", file.path));
            }
        }
    }
    told(problems)
}

fn printing() -> Result<(), Failed> {
    let mut problems = Vec::new();
    let mut answers = false;
    for file in sources().iter().filter(|file| file.folder != "cli") {
        for way in PRINTING.iter().filter(|way| file.code.contains(**way)) {
            answers |= file.path == ANSWERS;
            if file.path != ANSWERS {
                problems.push(format!("{}: {way}", file.path));
            }
        }
    }
    if !answers {
        problems.push(format!("{ANSWERS} writes to no stream any more: take the exception away"));
    }
    told(problems)
}

fn told(problems: Vec<String>) -> Result<(), Failed> {
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

/// A file of the source that is no test.
struct Source {
    path: String,
    /// The folder in `src/`.
    folder: String,
    /// How deep its module lies: `crate::a::b` at 2.
    depth: usize,
    /// The text without comments, and without tests at its end.
    code: String,
}

impl Source {
    /// The folders that it uses, by `crate::…` or by as many `super::` as lead to the top.
    fn uses(&self) -> Result<BTreeSet<String>, Failed> {
        if self.code.contains("crate::{") {
            return Err(format!("{}: write one `use` for each module of the crate", self.path).into());
        }
        let top = "super::".repeat(self.depth);
        let mut used = BTreeSet::new();
        for from in ["crate::", &top] {
            for (at, _) in self.code.match_indices(from) {
                let before = &self.code[..at];
                if before.ends_with("::") || before.ends_with(|c: char| c.is_alphanumeric() || c == '_') {
                    continue;
                }
                let rest = &self.code[at + from.len()..];
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                used.insert(rest[..end].to_owned());
            }
        }
        // A macro of `ground::index`, which macros have to be named at the top for.
        used.remove("index_types");
        Ok(used)
    }
}

/// The files of the source, apart from tests and the top.
fn sources() -> Vec<Source> {
    let texts: BTreeMap<String, String> = files("src", "rs")
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(root().join(&path)).expect("the source can be read");
            (path.display().to_string(), text)
        })
        .collect();
    let tests: Vec<String> = texts.iter().flat_map(|(path, text)| test_modules(path, text)).collect();
    let is_test = |path: &str| {
        tests.iter().any(|test| path == format!("{test}.rs") || path.starts_with(&format!("{test}/")))
    };
    let code = texts.iter().filter(|(path, _)| !is_test(path));
    code.filter_map(|(path, text)| source(path, text)).collect()
}

fn source(path: &str, text: &str) -> Option<Source> {
    let module = module(path);
    let names: Vec<&str> = module.split('/').skip(1).collect();
    let folder = names.first().filter(|name| **name != "main")?.to_string();
    let text = text.split_once("#[cfg(test)]\nmod tests {").map_or(text, |(code, _)| code);
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    Some(Source { path: path.to_owned(), folder, depth: names.len(), code: code.join("\n") })
}

/// The path of a file's module: `src/a/mod.rs` and `src/a.rs` are both `src/a`.
fn module(path: &str) -> String {
    let path = Path::new(path);
    let stem = path.with_extension("");
    let is_folder = path.file_name().is_some_and(|name| name == "mod.rs" || name == "lib.rs");
    let module = if is_folder { path.parent().unwrap_or(&stem) } else { &stem };
    module.display().to_string()
}

/// The modules that a file declares for tests only.
fn test_modules(path: &str, text: &str) -> Vec<String> {
    let declared = text.split("#[cfg(test)]\n").skip(1).filter_map(|rest| {
        let line = rest.lines().next()?.trim();
        let name = line.strip_suffix(';')?.split_whitespace().skip_while(|word| *word != "mod").nth(1)?;
        Some(format!("{}/{name}", module(path)))
    });
    declared.collect()
}

/// The words of a text, each with whether `::` follows.
fn words(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let found = text.split(move |c: char| !part(c)).filter(|word| !word.is_empty());
    found.map(move |word| {
        // Both are slices of one text.
        let end = word.as_ptr() as usize - text.as_ptr() as usize + word.len();
        (word, text[end..].starts_with("::"))
    })
}
