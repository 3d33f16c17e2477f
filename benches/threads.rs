//! Counter abstraction against plain interleaving, with and without partial-order reduction, as threads are added.
//!
//! Prints one line per program, number of threads and engine: the time, and how many times longer the plain engine
//! takes. A run that takes too long is cut and told as "> limit"; larger numbers of threads are then not tried with
//! this engine. What is watched is how the ratio grows. `cargo bench --bench threads -- NAME …` measures some
//! programs only.

use boolero::api::load_program;
use boolero::bdd::BackEnd;
use boolero::boolean::cfg::Program;
use boolero::boolean::check::CheckOptions;
use boolero::engine::counter::Counter;
use boolero::engine::interleaving::Interleaving;
use boolero::engine::partial_order::PartialOrder;
use boolero::engine::{Engine, Query, Threads};
use boolero::ground::event::Silent;
use boolero::ground::limits::{Limits, Watchdog};
use boolero::ground::run::Run;
use boolero::ground::source::SourceFile;
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(10);
const THREADS: [usize; 5] = [2, 4, 8, 16, 32];
const REDUCTIONS: [(&str, PartialOrder); 5] = [
    ("none", PartialOrder::None),
    ("local", PartialOrder::Local),
    ("ample", PartialOrder::Ample),
    ("persistent", PartialOrder::Persistent),
    ("cartesian", PartialOrder::Cartesian),
];

/// A lock, with a critical section that nobody else is in.
const LOCK: &str = "decl locked := F, inside := F;
void worker() begin
  decl tries;
  tries := *;
  atomic_begin; assume(!locked); locked := T; atomic_end;
  assert(!inside);
  inside := T;
  tries := !tries;
  inside := F;
  locked := F;
end
void main() begin while (*) do start_thread worker(); od end";

/// Workers that compute by themselves and meet once.
const PRIVATE: &str = "decl sum := F;
void worker() begin
  decl a, b, c;
  a := *; b := !a; c := a & b;
  if (c) then a := T; else b := a; fi
  c := a ^ b;
  atomic_begin; sum := sum ^ c; atomic_end;
end
void main() begin while (*) do start_thread worker(); od assert(sum | !sum); end";

/// A semaphore: idle, trying, inside, for ever.
const SEMAPHORE: &str = "decl free := T;
void worker() begin
  while (*) do
    atomic_begin; assume(free); free := F; atomic_end;
    assert(!free);
    free := T;
  od
end
void main() begin while (*) do start_thread worker(); od end";

/// A flag that each worker turns over, and may look at.
const TOGGLE: &str = "decl flag := F, seen := F;
void worker() begin
  flag := !flag;
  seen := seen | flag;
end
void main() begin while (*) do start_thread worker(); od assert(flag | !flag); end";

fn main() {
    let names: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    for (name, text) in [("lock", LOCK), ("private", PRIVATE), ("semaphore", SEMAPHORE), ("toggle", TOGGLE)] {
        if names.is_empty() || names.iter().any(|other| other == name) {
            println!("{name}");
            REDUCTIONS.iter().for_each(|&(label, reduction)| compare(text, label, reduction));
        }
    }
}

/// One line for each number of threads.
fn compare(text: &str, label: &str, reduction: PartialOrder) {
    let source = SourceFile::new("bench.bp", text);
    let (program, _) = load_program(&source, &CheckOptions::default()).expect("well-formed");
    let (mut counting, mut plain) = (true, true);
    for threads in THREADS {
        let counter = Counter::new(BackEnd::Biodivine).reduced(reduction);
        let interleaving = Interleaving::new(BackEnd::Biodivine).reduced(reduction);
        let counted = counting.then(|| measure(counter, &program, threads)).flatten();
        let interleaved = plain.then(|| measure(interleaving, &program, threads)).flatten();
        (counting, plain) = (counted.is_some(), interleaved.is_some());
        let ratio = match (counted, interleaved) {
            (Some(counted), Some(interleaved)) => format!("x {:.1}", interleaved / counted),
            (Some(counted), None) => format!("x > {:.1}", LIMIT.as_secs_f64() / counted),
            (None, _) => String::new(),
        };
        println!(
            "  {label:10} {threads:3}  counter {}  interleaving {}  {ratio}",
            told(counted),
            told(interleaved)
        );
        if !counting && !plain {
            return;
        }
    }
}

fn told(seconds: Option<f64>) -> String {
    seconds.map_or_else(
        || format!("> {:7} ms", LIMIT.as_millis()),
        |seconds| format!("{:9.1} ms", seconds * 1e3),
    )
}

/// The seconds that a check takes; `None` if it takes too long.
fn measure(mut engine: impl Engine, program: &Program, threads: usize) -> Option<f64> {
    let start = Instant::now();
    let query = Query { properties: program.properties.ids().collect(), threads: Threads::AtMost(threads) };
    let limits = Limits::new(Some(LIMIT), None);
    // The engines answer a raised flag; there is nothing to end if one does not.
    Watchdog::start(&limits, |_| ());
    let run = Run { limits: &limits, observer: &Silent };
    let answers = engine.check(program, &query, run);
    std::hint::black_box(answers)
        .ok()
        .filter(|_| start.elapsed() < LIMIT)
        .map(|_| start.elapsed().as_secs_f64())
}
