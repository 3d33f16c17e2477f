//! A driver under its rules. For each rule the program is verified as any other is. That a rule holds says little if no run
//! gets to what it is about: random runs of the machine show which callbacks are entered and return, whether a probe
//! succeeds and fails, and which functions of the rule are called.

use super::closure::Kernel;
use super::harness::harness;
use super::kernel::RULES;
use super::repair::Repairs;
use super::rule::{Rule, RuleError};
use super::scan::{Entry, Map, scan};
use super::task::{Folder, Subject, Task, task};
use super::text::names;
use super::weave::VIOLATION;
use crate::api::{self, Options as Verifying, Refusal, Verification};
use crate::cegar::{self, Hunt, Violation};
use crate::ground::event::Silent;
use crate::ground::index::IndexVec;
use crate::ground::limits::{Limits, Watchdog};
use crate::ground::reason::Stop;
use crate::ground::verdict::Overall;
use crate::ir::{FileId, Module};
use crate::vm::{End, Event, Machine, Random, RunOutcome, Settings, Tracing};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Why a rule is not said to hold. A proof is one about the harness and the models, and these do not have all runs that a kernel has: names
/// that macros make up, other error codes, further interrupts and entries of tables are missing.
const NOT_ALL: &str = "nothing violates it in the model, which does not have all runs of a kernel";

/// A driver.
#[derive(Clone, Debug)]
pub struct Driver {
    /// Its file.
    pub path: PathBuf,
    /// Its text.
    pub source: String,
    /// What it registers.
    pub map: Map,
}

/// How to verify.
#[derive(Clone, Debug)]
pub struct Options {
    /// The time for each rule.
    pub timeout: Option<Duration>,
    /// The memory for each rule.
    pub memory: Option<u64>,
    /// Macros for the driver: `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// Where the driver's own headers are.
    pub include: Vec<PathBuf>,
    /// Ends the process where a rule does not stop at its limits.
    pub last_resort: fn(Stop),
    /// How many random runs look for violations, and show what is reached.
    pub runs: u64,
}

/// What is known of a driver and a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It holds. Not said at present: see `NOT_ALL`.
    Holds,
    /// It is violated: what is wrong, and the run.
    Violated(Box<Broken>),
    /// The rule says nothing about this driver: why.
    NotApplicable(String),
    /// Nobody knows: why.
    Unknown(String),
}

/// A violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// What is wrong.
    pub text: String,
    /// The run, with its steps.
    pub run: RunOutcome,
    /// The files of the program, by number.
    pub files: IndexVec<FileId, String>,
    /// Kernel functions without a model that the run calls: what they return is open.
    pub open: BTreeSet<String>,
}

/// A rule and its verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The rule's name.
    pub rule: String,
    /// What is known.
    pub standing: Standing,
}

/// A driver under its rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// What it registers.
    pub map: Map,
    /// The verdicts.
    pub rows: Vec<Row>,
    /// Callbacks that no run reached, or none returned from.
    pub unreached: BTreeSet<String>,
    /// Kernel functions that have no model.
    pub unmodelled: BTreeSet<String>,
    /// What was guessed.
    pub repairs: Repairs,
}

impl Driver {
    /// Reads a driver.
    ///
    /// # Errors
    /// The file cannot be read, or it registers nothing.
    pub fn read(path: &Path) -> Result<Self, Refusal> {
        let bytes = std::fs::read(path)
            .map_err(|error| Refusal::input(format!("cannot read `{}`: {error}", path.display())))?;
        let source = String::from_utf8_lossy(&bytes).into_owned();
        let map = scan(&source);
        let loaded = Kernel::built_in().reached(names(&source)).contains("boolero_module_init");
        if map.entries.is_empty() || !loaded {
            let what =
                "registers nothing: there is no `module_init`, and no `module_platform_driver` or the like";
            return Err(Refusal::input(format!("`{}` {what}", path.display())));
        }
        Ok(Self { path: path.to_path_buf(), source, map })
    }
}

/// The rules of these names: built in, or in files. All that are built in, if there are no names.
///
/// # Errors
/// There is no such rule, or its text is wrong.
pub fn rules(wanted: &[String]) -> Result<Vec<Rule>, Refusal> {
    let parsed = |name: &str, text: &str| {
        Rule::parse(text).map_err(|error: RuleError| Refusal::input(format!("rule `{name}`: {error}")))
    };
    if wanted.is_empty() {
        return RULES.iter().map(|(name, text)| parsed(name, text)).collect();
    }
    wanted
        .iter()
        .map(|name| match RULES.iter().find(|(known, _)| known == name) {
            Some((_, text)) => parsed(name, text),
            None if name.ends_with(".rule") => {
                let text = std::fs::read_to_string(name)
                    .map_err(|error| Refusal::input(format!("cannot read `{name}`: {error}")))?;
                parsed(name, &text)
            }
            None => {
                let known: Vec<&str> = RULES.iter().map(|(name, _)| *name).collect();
                Err(Refusal::Options(format!(
                    "there is no rule `{name}`; there are {}, and files that end in `.rule`",
                    known.join(", ")
                )))
            }
        })
        .collect()
}

/// The harness of a driver, as it is verified.
#[must_use]
pub fn emitted(driver: &Driver) -> String {
    harness(&driver.source, &Kernel::built_in().reached(names(&driver.source)))
}

/// Verifies a driver for each of these rules. `told` gets each row as it comes.
///
/// # Errors
/// The driver does not compile.
pub fn check(
    driver: &Driver,
    rules: &[Rule],
    options: &Options,
    told: &mut dyn FnMut(&Row),
) -> Result<Checked, Refusal> {
    let (folder, kernel) = (Folder::new()?, Kernel::built_in());
    let used = kernel.reached(names(&driver.source));
    let mut checked = Checked {
        map: driver.map.clone(),
        rows: Vec::new(),
        unreached: BTreeSet::new(),
        unmodelled: BTreeSet::new(),
        repairs: Repairs::default(),
    };
    let mut seen: Option<Seen> = None;
    for rule in rules {
        let missing = !rule
            .events()
            .iter()
            .any(|event| kernel.function(event).is_some_and(|it| used.contains(&it.name)));
        let standing = if missing && rule.checks.is_empty() {
            Standing::NotApplicable("the driver calls none of its functions".to_owned())
        } else {
            let found = repaired(driver, rule, (&folder, &kernel), &mut checked.repairs, options)?;
            checked.unmodelled.extend(found.open);
            seen.get_or_insert_with(Seen::default).add(found.seen);
            found.standing
        };
        let row = Row { rule: rule.name.clone(), standing };
        told(&row);
        checked.rows.push(row);
    }
    if let Some(seen) = seen {
        let entries = driver.map.entries.iter().map(|entry| entry.function.clone());
        checked.unreached = entries.filter(|name| !seen.returned.contains(name)).collect();
    }
    Ok(checked)
}

/// What is known of one rule.
struct Found {
    standing: Standing,
    seen: Seen,
    open: BTreeSet<String>,
}

/// So many times something is guessed.
const GUESSES: usize = 12;

/// One rule; what clang misses is guessed.
fn repaired(
    driver: &Driver,
    rule: &Rule,
    (folder, kernel): (&Folder, &Kernel),
    repairs: &mut Repairs,
    options: &Options,
) -> Result<Found, Refusal> {
    for _ in 0..GUESSES {
        let (path, source) = (driver.path.as_path(), driver.source.as_str());
        let subject = Subject { path, source, define: &options.define, include: &options.include, repairs };
        let task = task(folder, kernel, subject, rule)?;
        match one(driver, rule, &task, options) {
            Err(Refusal::Clang(text)) if repairs.learn(&text) => {}
            Ok(mut found) if found.standing == Standing::Holds && !repairs.is_empty() => {
                found.standing = Standing::Unknown(repairs.reason());
                return Ok(found);
            }
            other => return other,
        }
    }
    Err(Refusal::input(format!("`{}`: {}", driver.path.display(), repairs.reason())))
}

/// What random runs have shown.
#[derive(Default)]
struct Seen {
    called: BTreeSet<String>,
    returned: BTreeSet<String>,
    /// Functions that returned no negative number.
    succeeded: BTreeSet<String>,
}

impl Seen {
    fn add(&mut self, other: Self) {
        self.called.extend(other.called);
        self.returned.extend(other.returned);
        self.succeeded.extend(other.succeeded);
    }
}

/// One rule.
fn one(driver: &Driver, rule: &Rule, task: &Task, options: &Options) -> Result<Found, Refusal> {
    let cegar =
        cegar::Options { hunt: Hunt::of(options.runs), stop_at_first: true, ..cegar::Options::default() };
    let limits = Limits::new(options.timeout, options.memory);
    let ended = watched(&limits, options.last_resort);
    let verifying = Verifying { limits, cegar, ..Verifying::default() };
    let verification = api::verify(&task.input, &verifying, &mut Silent);
    ended.store(true, Ordering::Relaxed);
    let verification = verification?;
    let module = &verification.setup.read.module;
    let seen = explore(module, &verification.setup.machine, options.runs / 8);
    let open = unmodelled(module);
    if let Some((_, violation)) = verification.violations().next() {
        let broken = broken(&verification, violation, task, &open);
        return Ok(Found { standing: Standing::Violated(Box::new(broken)), seen, open });
    }
    let standing = match verification.overall() {
        Overall::Holds => {
            vacuous(driver, rule, task, &seen).unwrap_or_else(|| Standing::Unknown(NOT_ALL.to_owned()))
        }
        Overall::Violated => Standing::Unknown("a violation without a run".to_owned()),
        Overall::Unknown(reason) => Standing::Unknown(reason.to_string()),
    };
    Ok(Found { standing, seen, open })
}

/// Measures time and memory of one rule; what comes after it is not ended by its limits.
fn watched(limits: &Limits, last_resort: fn(Stop)) -> Arc<AtomicBool> {
    let ended = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&ended);
    Watchdog::start(limits, move |stop| {
        if !seen.load(Ordering::Relaxed) {
            last_resort(stop);
        }
    });
    ended
}

/// Why nothing is said to hold: no run shows a callback to its end, or a function of the rule.
fn vacuous(driver: &Driver, rule: &Rule, task: &Task, seen: &Seen) -> Option<Standing> {
    let watched = &task.woven.replaced;
    if rule.checks.is_empty() && !watched.iter().any(|name| seen.called.contains(name)) {
        return Some(Standing::NotApplicable("no run calls any of its functions".to_owned()));
    }
    let begins = |by: &str| by == ".probe" || by.ends_with("init") || by.ends_with("initcall");
    let shown = |entry: &Entry| {
        let runs = if begins(&entry.by) { &seen.succeeded } else { &seen.returned };
        runs.contains(&entry.function)
    };
    let callbacks = driver.map.entries.iter().filter(|entry| !shown(entry)).map(|entry| &entry.function);
    let hidden: BTreeSet<&str> = callbacks
        .chain(watched.iter().filter(|name| !seen.called.contains(*name)))
        .map(String::as_str)
        .collect();
    let names = hidden.iter().copied().collect::<Vec<_>>().join(", ");
    (!hidden.is_empty())
        .then(|| Standing::Unknown(format!("nothing is violated, but no run was seen to go through {names}")))
}

/// Random runs, and what they call.
fn explore(module: &Module, settings: &Settings, runs: u64) -> Seen {
    let settings = Settings { tracing: Tracing::On, steps: 20_000, ..settings.clone() };
    let mut machine = Machine::new(module, settings);
    let mut seen = Seen::default();
    for seed in 1..=runs {
        let run = machine.run(&mut Random::new(seed), &Limits::none());
        for step in run.trace {
            match step.event {
                Event::Call { function, .. } => _ = seen.called.insert(function),
                Event::Return { function, value } => {
                    if !value.is_some_and(|value| value.starts_with('-')) {
                        seen.succeeded.insert(function.clone());
                    }
                    seen.returned.insert(function);
                }
                _ => {}
            }
        }
    }
    seen
}

/// Functions that the program calls and nobody defines.
fn unmodelled(module: &Module) -> BTreeSet<String> {
    let known = |name: &str| {
        ["__VERIFIER_", "boolero_", "llvm."].iter().any(|prefix| name.starts_with(prefix))
            || ["malloc", "calloc", "free"].contains(&name)
            || crate::library::functions::known(name, &[]).is_some()
    };
    let declared = module.functions.iter().filter(|function| !function.is_defined());
    declared.map(|function| function.name.clone()).filter(|name| !known(name)).collect()
}

fn broken(
    verification: &Verification,
    violation: &Violation,
    task: &Task,
    open: &BTreeSet<String>,
) -> Broken {
    let module = &verification.setup.read.module;
    let run = verification.setup.again(violation);
    let number = |name: &str| name.strip_prefix(VIOLATION)?.parse::<usize>().ok();
    let text = match &run.end {
        End::ErrorReached(name) => {
            number(name).map_or_else(|| name.clone(), |at| task.woven.violations[at].clone())
        }
        End::Fault(fault) => format!("{}: {}", fault.fault.name(), fault.text),
        End::AssertionFailed(text) => format!("assertion `{text}` fails"),
        other => other.name().to_owned(),
    };
    let called = run.trace.iter().filter_map(|step| match &step.event {
        Event::Call { function, .. } | Event::Return { function, .. } => Some(function.clone()),
        _ => None,
    });
    let open = called.filter(|name| open.contains(name)).collect();
    Broken { text, run, files: module.files.clone(), open }
}
