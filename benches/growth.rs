//! How the time of the summary engine grows with the size of the program.
//!
//! Prints one line per instance: family, size, median time, and the ratio to the instance before it in the family.
//! Absolute times say little; the ratios are what is watched. `cargo bench --bench growth -- FILE.bp …` measures
//! files instead.

mod families;

use boolero::api::load_program;
use boolero::bdd::BackEnd;
use boolero::boolean::check::CheckOptions;
use boolero::engine::reducing::Reducing;
use boolero::engine::summary::Summary;
use boolero::engine::{Engine, Query, Threads};
use boolero::ground::event::Silent;
use boolero::ground::limits::Limits;
use boolero::ground::run::Run;
use boolero::ground::source::SourceFile;
use std::time::{Duration, Instant};

const REPETITIONS: usize = 3;

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    for back_end in [BackEnd::Biodivine, BackEnd::Oxidd] {
        println!("{back_end}");
        if files.is_empty() {
            family(back_end, "level", &[250, 500, 1000, 2000], families::level);
            family(back_end, "counter", &[6, 8, 10, 12], families::counter);
            family(back_end, "large", &[1000, 2000, 4000, 6000], |lines| families::large(lines, 7));
        } else {
            files.iter().for_each(|file| measure_file(back_end, file));
        }
    }
}

fn family(back_end: BackEnd, name: &str, sizes: &[usize], program: impl Fn(usize) -> String) {
    let mut previous: Option<f64> = None;
    for &size in sizes {
        let seconds =
            median(back_end, &SourceFile::new(format!("{name}-{size}"), program(size))).as_secs_f64();
        let ratio = previous.map_or(String::new(), |before| format!("  x {:.2}", seconds / before));
        println!("  {name:10} {size:6}  {:9.1} ms{ratio}", seconds * 1e3);
        previous = Some(seconds);
    }
}

fn measure_file(back_end: BackEnd, path: &str) {
    match std::fs::read_to_string(path) {
        Ok(text) => {
            let seconds = median(back_end, &SourceFile::new(path, text)).as_secs_f64();
            println!("  {path}  {:9.1} ms", seconds * 1e3);
        }
        Err(error) => println!("  {path}: {error}"),
    }
}

fn median(back_end: BackEnd, file: &SourceFile) -> Duration {
    let mut times: Vec<Duration> = (0..REPETITIONS).map(|_| measure(back_end, file)).collect();
    times.sort_unstable();
    times[REPETITIONS / 2]
}

fn measure(back_end: BackEnd, file: &SourceFile) -> Duration {
    let start = Instant::now();
    let loaded = load_program(file, &CheckOptions::default());
    let (program, _) = loaded.unwrap_or_else(|refusal| panic!("{refusal}"));
    let query = Query { properties: program.properties.ids().collect(), threads: Threads::Unbounded };
    let limits = Limits::none();
    let run = Run { limits: &limits, observer: &Silent };
    let answers =
        Reducing::new(Summary::new(back_end)).check(&program, &query, run).expect("there is no limit");
    std::hint::black_box(answers);
    start.elapsed()
}
