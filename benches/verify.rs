//! The verification of C: the loop on five programs, how it grows with what a property has nothing to do with, and what the
//! memory of the abstraction is worth.
//!
//! First one line per program: seconds of this build, of the build that `BOOLERO_BASELINE` names (an earlier commit's
//! binary), and how many times longer that one takes. Then one line per number of copies of the irrelevant functions of a driver: seconds
//! without those that reading and lowering take, and the ratio to half as many copies. Then one line per program: abstractions with growing sets of
//! predicates, with the memory of answers and without: queries, queries per second, and the ratio of times.

mod driver;

use boolero::Input;
use boolero::abstraction::{Abstractor, Options, Statistics};
use boolero::api::prepare;
use boolero::cegar::Initial;
use boolero::ground::event::Silent;
use boolero::ground::limits::Limits;
use boolero::ground::run::Run;
use boolero::predicate::Precision;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PROGRAMS: [(&str, &[&str]); 5] = [
    ("c-lock/lock.c", &[]),
    ("c-state-machine/machine.c", &[]),
    ("c-list/list.c", &["--checks", "null"]),
    ("c-port-table/ports.c", &["--checks", "bounds"]),
    ("c-off-by-one/clear.c", &["--checks", "bounds"]),
];

/// How often the irrelevant functions are there.
const COPIES: [usize; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

fn main() {
    let baseline = std::env::var_os("BOOLERO_BASELINE").map(PathBuf::from);
    println!("the loop, without random runs");
    for (name, arguments) in PROGRAMS {
        let ours = verified(Path::new(env!("CARGO_BIN_EXE_boolero")), name, arguments);
        let line = match &baseline {
            Some(other) => {
                let theirs = verified(other, name, arguments);
                format!("{:8.2} s before   x {:.2}", theirs.as_secs_f64(), ratio(theirs, ours))
            }
            None => "(BOOLERO_BASELINE names no earlier build)".to_owned(),
        };
        println!("  {name:28} {:8.2} s  {line}", ours.as_secs_f64());
    }
    println!("one property among copies of the irrelevant functions of a driver: after reading and lowering");
    let mut previous: Option<Duration> = None;
    for copies in COPIES {
        let time = driver::after_reading(Path::new(env!("CARGO_BIN_EXE_boolero")), copies);
        let ratio = previous.map_or(String::new(), |before| format!("  x {:.2}", ratio(time, before)));
        println!("  {copies:4} copies {:8.2} s{ratio}", time.as_secs_f64());
        previous = Some(time);
    }
    println!("abstraction with the conditions of the program as predicates, one after the other");
    for (name, _) in PROGRAMS {
        let (with, without) = (abstracted(name, true), abstracted(name, false));
        println!(
            "  {name:28} with memory {:6} queries, {:6.0} per s; without {:6}, {:6.0} per s; x {:.2}",
            with.queries,
            per_second(with),
            without.queries,
            per_second(without),
            ratio(without.time, with.time)
        );
    }
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

/// Questions that were answered in a second, from memory or by the solver.
fn per_second(statistics: Statistics) -> f64 {
    (statistics.queries + statistics.cache_hits) as f64 / statistics.time.as_secs_f64()
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name)
}

/// The shortest of three runs.
fn verified(boolero: &Path, name: &str, arguments: &[&str]) -> Duration {
    let run = |_| {
        let start = Instant::now();
        let mut command = Command::new(boolero);
        command.arg("verify").arg(example(name)).args(arguments).args(["--hunt", "0", "-q"]);
        command.stdout(Stdio::null()).status().expect("boolero runs");
        start.elapsed()
    };
    (0..3).map(run).min().expect("three runs")
}

/// Abstracts again and again, as predicates come.
fn abstracted(name: &str, remembers: bool) -> Statistics {
    let prepared = prepare(&Input::file(example(name)), Initial::Guards).expect("the example is C");
    let (mut program, all) = (prepared.program, prepared.precision);
    let limits = Limits::none();
    let run = Run { limits: &limits, observer: &Silent };
    let mut abstractor = Abstractor::new(Options { remembers, ..Options::default() }, &limits);
    let mut precision = Precision::default();
    for predicate in all.predicates.into_vec() {
        precision.add(predicate);
        abstractor.abstract_program(&mut program, &precision, run).expect("there is no limit");
    }
    abstractor.statistics()
}
