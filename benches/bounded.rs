//! The bounded engine against the summary engine on programs with many variables.
//!
//! Prints one line per program: the variables, whether the assertion is violated, and the time of each engine, or that it
//! had no answer after ten seconds. `cargo bench --bench bounded -- FILE.bp …` measures files instead and prints
//! comma-separated lines, `file,verdict,summary,bounded`: the data of the scatter of [Bas10, figure 4.10].

use boolero::bdd::BackEnd;
use boolero::boolean::cfg::Program;
use boolero::boolean::check::CheckOptions;
use boolero::engine::bounded::Bounded;
use boolero::engine::reducing::Reducing;
use boolero::engine::summary::Summary;
use boolero::engine::{Answer, Engine, Query, Threads};
use boolero::ground::event::Silent;
use boolero::ground::limits::Limits;
use boolero::ground::run::Run;
use boolero::ground::source::SourceFile;
use std::fmt::Write;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(10);

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    if files.is_empty() {
        [false, true].into_iter().for_each(family);
    }
    files.iter().for_each(|path| file(path));
}

fn family(violated: bool) {
    println!("{}", if violated { "violated" } else { "holds" });
    for size in [10, 20, 50, 100, 200] {
        let program = load(&SourceFile::new("scrambled", scrambled(size, violated)));
        let told = |(verdict, time): (&'static str, Duration)| {
            format!("{verdict:8} {:9.1} ms", time.as_secs_f64() * 1e3)
        };
        println!(
            "  {size:4} variables  summary {}  bounded {}",
            told(summary(&program)),
            told(bounded(&program))
        );
    }
}

fn file(path: &str) {
    match std::fs::read_to_string(path) {
        Ok(text) => {
            let program = load(&SourceFile::new(path, text));
            let ((one, first), (other, second)) = (summary(&program), bounded(&program));
            let verdict = if one == "unknown" { other } else { one };
            println!("{path},{verdict},{:.3},{:.3}", first.as_secs_f64(), second.as_secs_f64());
        }
        Err(error) => eprintln!("{path}: {error}"),
    }
}

fn load(file: &SourceFile) -> Program {
    let loaded = boolero::api::load_program(file, &CheckOptions::default());
    loaded.unwrap_or_else(|refusal| panic!("{refusal}")).0
}

fn summary(program: &Program) -> (&'static str, Duration) {
    measure(program, &mut Reducing::new(Summary::new(BackEnd::Biodivine)))
}

fn bounded(program: &Program) -> (&'static str, Duration) {
    measure(program, &mut Reducing::new(Bounded::default()))
}

fn measure(program: &Program, engine: &mut dyn Engine) -> (&'static str, Duration) {
    let query = Query { properties: program.properties.ids().collect(), threads: Threads::Unbounded };
    let limits = Limits::none();
    let alarm = limits.clone();
    std::thread::spawn(move || {
        std::thread::sleep(PATIENCE);
        alarm.interrupt();
    });
    let start = Instant::now();
    let answers = engine.check(program, &query, Run { limits: &limits, observer: &Silent });
    let time = start.elapsed();
    let answers = answers.map(|answers| answers.answers).unwrap_or_default();
    let is_open = |answer: &Answer| matches!(answer, Answer::Unknown(_));
    let verdict = match answers.iter().any(|answer| matches!(answer, Answer::Reachable(_))) {
        true => "violated",
        false if answers.is_empty() || answers.iter().any(is_open) => "unknown",
        false => "holds",
    };
    (verdict, time)
}

/// n variables that four parallel assignments scramble, each value a random function of three others. Then an assertion:
/// on a conjunction of eight literals that one run makes true, so that it is violated; or that the last variable has
/// always been a copy of the first, so that it holds.
fn scrambled(n: usize, violated: bool) -> String {
    let mut numbers = Random(n as u64);
    let mut values: Vec<bool> = (0..n).map(|_| numbers.below(2) == 0).collect();
    let names: Vec<String> = (0..n).map(|number| format!("v{number}")).collect();
    let mut text = format!("decl {};\nvoid main() begin\n", names.join(", "));
    let _ = writeln!(text, "  v{} := v0;", n - 1);
    values[n - 1] = values[0];
    for _ in 0..4 {
        let mut parts: Vec<[usize; 3]> =
            (0..n).map(|_| [numbers.below(n), numbers.below(n), numbers.below(n)]).collect();
        parts[n - 1] = parts[0];
        let part = |[a, b, c]: &[usize; 3]| format!("(v{a} & !v{b}) ^ v{c}");
        let list: Vec<String> = parts.iter().map(part).collect();
        let _ = writeln!(text, "  {} := {};", names.join(", "), list.join(", "));
        values = parts.iter().map(|&[a, b, c]| (values[a] && !values[b]) != values[c]).collect();
    }
    let literal = |number: usize| format!("{}v{number}", if values[number] { "" } else { "!" });
    let literals: Vec<String> = (0..8.min(n)).map(literal).collect();
    let claim = if violated { format!("!({})", literals.join(" & ")) } else { format!("v0 = v{}", n - 1) };
    let _ = writeln!(text, "  assert({claim});\nend");
    text
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}
