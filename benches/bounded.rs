//! The bounded engine, the summary engine, and both beside each other, on programs with 10 to 200 variables, in the manner of [Bas10, figure 4.10].
//!
//! Three families, each with a program that holds and one that is violated. None is decided while formulas are built: the
//! table has the number of questions that the bounded engine asked of its solver.
//!
//! - `undo`: half of the variables are scrambled in four rounds by functions of the other ones, and the rounds are undone in the
//!   opposite order, with the functions written in another way. No loop; values get complicated in between.
//! - `adder`: two numbers are added twice, with carries written in two ways. No loop; the proof needs one lemma per bit.
//! - `ring`: the values of all variables move round a ring, as often as one likes. As many unrollings as variables.
//!
//! Prints a table, then a scatter of the times on logarithmic axes: `x` violated, `o` holds; what lies above the diagonal
//! took the bounded engine longer. An engine has five seconds for a program (`BOOLERO_SECONDS`). `--csv FILE` writes the
//! numbers as well: `program,variables,verdict,summary,bounded,auto`. `cargo bench --bench bounded -- FILE.bp …` measures
//! files instead. The last lines compare `auto` with the better engine on what takes both of them half a second or more, and
//! the sums. The times of single engines are those of the processor; that of `auto` is elapsed time, since it works on two cores: measure it on a quiet machine.
//!
//! `-- --work FILE.bp …` prints how many units of work both engines count in a microsecond (`ground::rounds`): the race is fair where
//! these numbers are alike.
//!
//! `-- --sequence FILE.bp …` takes the files for the iterations of one refinement loop (`verify --save-iterations`): the bounded
//! engine checks each anew, and going on from what the one before left. Each time is the least of three.

use boolero::bdd::BackEnd;
use boolero::boolean::cfg::Program;
use boolero::boolean::check::CheckOptions;
use boolero::engine::bounded::Bounded;
use boolero::engine::portfolio::Portfolio;
use boolero::engine::reducing::Reducing;
use boolero::engine::summary::Summary;
use boolero::engine::{Answer, Engine, Kept, Query, Threads};
use boolero::ground::event::Silent;
use boolero::ground::limits::Limits;
use boolero::ground::rounds::{Pace, Rounds};
use boolero::ground::run::Run;
use boolero::ground::source::SourceFile;
use std::fmt::Write;
use std::time::{Duration, Instant};

const SIZES: [usize; 5] = [10, 20, 50, 100, 200];

type Family = (&'static str, fn(usize, bool) -> String);

const FAMILIES: [Family; 3] = [("undo", undo), ("adder", adder), ("ring", ring)];

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let (mut csv, mut files, mut is_sequence, mut is_work) = (None, Vec::new(), false, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--csv" => csv = arguments.next(),
            "--sequence" => is_sequence = true,
            "--work" => is_work = true,
            _ => files.push(argument),
        }
    }
    if is_sequence {
        return sequence(&files);
    }
    if is_work {
        return files.iter().for_each(|path| work(path));
    }
    println!("variables  verdict    summary (s)  bounded (s)  auto (s)  SAT questions  program");
    let rows: Vec<Row> =
        if files.is_empty() { families() } else { files.iter().map(|path| row(&read(path))).collect() };
    println!("\n{}\n{}", scatter(&rows), compared(&rows));
    if let Some(path) = csv {
        let lines: String = rows.iter().map(Row::csv).collect();
        let text = format!("program,variables,verdict,summary,bounded,auto\n{lines}");
        std::fs::write(&path, text).unwrap_or_else(|error| eprintln!("cannot write `{path}`: {error}"));
    }
}

/// Programs one after the other, each anew and going on from the one before.
fn sequence(files: &[String]) {
    let mut kept = Kept::default();
    let mut totals = [Duration::ZERO; 2];
    println!("anew (s)  going on (s)  verdict    program");
    for path in files {
        let program = load(&read(path));
        let (verdict, anew, _) = least(&program, &Kept::default());
        let (other, going_on, left) = least(&program, &kept);
        assert!(verdict == "unknown" || other == "unknown" || verdict == other, "{path}: {verdict}, {other}");
        kept = left;
        totals = [totals[0] + anew, totals[1] + going_on];
        println!("{:8.4}  {:12.4}  {verdict:9}  {path}", anew.as_secs_f64(), going_on.as_secs_f64());
    }
    println!("{:8.4}  {:12.4}             all", totals[0].as_secs_f64(), totals[1].as_secs_f64());
}

/// The least time of three, and what is left.
fn least(program: &Program, kept: &Kept) -> (&'static str, Duration, Kept) {
    let once = |_| {
        let mut engine = Reducing::new(Bounded::default().after(kept.clone()));
        let Measured { verdict, time, .. } = measure(program, &mut engine);
        (verdict, time, engine.kept().cloned().unwrap_or_default())
    };
    (0..3).map(once).min_by_key(|measured| measured.1).expect("there are three")
}

fn families() -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, family) in FAMILIES {
        for violated in [false, true] {
            for size in SIZES {
                rows.push(row(&SourceFile::new(name, family(size, violated))));
            }
        }
    }
    rows
}

fn read(path: &str) -> SourceFile {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    SourceFile::new(path, text)
}

fn load(source: &SourceFile) -> Program {
    let loaded = boolero::api::load_program(source, &CheckOptions::default());
    loaded.unwrap_or_else(|refusal| panic!("{refusal}")).0
}

fn summary() -> Reducing<Summary> {
    Reducing::new(Summary::new(BackEnd::Biodivine))
}

fn bounded() -> Reducing<Bounded> {
    Reducing::new(Bounded::default())
}

fn both() -> Reducing<Portfolio> {
    Reducing::new(Portfolio::new(Summary::new(BackEnd::Biodivine), Bounded::default()))
}

/// Units of work in a microsecond.
fn work(path: &str) {
    let program = load(&read(path));
    let told = |measured: Measured| {
        let microseconds = measured.time.as_micros().max(1) as f64;
        format!("{:8.3} s {:6.2}", measured.time.as_secs_f64(), measured.work as f64 / microseconds)
    };
    let (one, other) = (measure(&program, &mut summary()), measure(&program, &mut bounded()));
    println!("summary {}  bounded {}  {path}", told(one), told(other));
}

/// The times of the engines on a program; none without an answer.
struct Row {
    program: String,
    variables: usize,
    verdict: &'static str,
    summary: Option<Duration>,
    bounded: Option<Duration>,
    auto: Option<Duration>,
}

impl Row {
    fn csv(&self) -> String {
        let seconds = |time: Option<Duration>| time.map(|time| format!("{:.3}", time.as_secs_f64()));
        let [summary, bounded, auto] =
            [self.summary, self.bounded, self.auto].map(|time| seconds(time).unwrap_or_default());
        format!("{},{},{},{summary},{bounded},{auto}\n", self.program, self.variables, self.verdict)
    }

    /// The time of the better engine, if one of them has an answer.
    fn better(&self) -> Option<Duration> {
        self.summary.into_iter().chain(self.bounded).min()
    }
}

fn row(source: &SourceFile) -> Row {
    let program = load(source);
    let all = [
        measure(&program, &mut summary()),
        measure(&program, &mut bounded()),
        elapsed(&program, &mut both()),
    ];
    let verdicts: Vec<_> =
        all.iter().map(|one| one.verdict).filter(|&verdict| verdict != "unknown").collect();
    assert!(verdicts.windows(2).all(|pair| pair[0] == pair[1]), "{}: {verdicts:?}", source.name());
    let verdict = verdicts.first().copied().unwrap_or("unknown");
    let [summary, bounded, auto] = all.each_ref().map(|one| (one.verdict != "unknown").then_some(one.time));
    let text =
        |time: Option<Duration>| time.map_or("-".to_owned(), |time| format!("{:.3}", time.as_secs_f64()));
    println!(
        "{:9}  {verdict:9}  {:>11}  {:>11}  {:>8}  {:13}  {}",
        program.variables.len(),
        text(summary),
        text(bounded),
        text(auto),
        all[1].questions,
        source.name()
    );
    Row {
        program: source.name().to_owned(),
        variables: program.variables.len(),
        verdict,
        summary,
        bounded,
        auto,
    }
}

/// How `auto` compares with the better engine.
fn compared(rows: &[Row]) -> String {
    let half = Duration::from_millis(500);
    let mut text = String::new();
    let long = |row: &&Row| row.better().is_none_or(|better| better >= half);
    for row in rows.iter().filter(long) {
        let (Some(better), Some(auto)) = (row.better(), row.auto) else {
            let _ = writeln!(text, "undecided: {}", row.program);
            continue;
        };
        let factor = auto.as_secs_f64() / better.as_secs_f64();
        let _ = writeln!(text, "{factor:5.2} times the better engine: {}", row.program);
    }
    let sum = |time: fn(&Row) -> Option<Duration>| -> f64 {
        rows.iter().map(|row| time(row).unwrap_or_else(patience).as_secs_f64()).sum()
    };
    let (summary, bounded) = (sum(|row| row.summary), sum(|row| row.bounded));
    let _ = writeln!(
        text,
        "in all: summary {summary:.2} s, bounded {bounded:.2} s, auto {:.2} s",
        sum(|row| row.auto)
    );
    text
}

/// How long an engine may work on a program.
fn patience() -> Duration {
    let seconds = std::env::var("BOOLERO_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or(5))
}

/// What an engine made of a program.
struct Measured {
    verdict: &'static str,
    time: Duration,
    questions: u64,
    work: u64,
}

/// Measures an engine that works in one thread by the time of the processor.
fn measure(program: &Program, engine: &mut dyn Engine) -> Measured {
    let before = processor();
    let measured = elapsed(program, engine);
    match (before, processor()) {
        (Some(before), Some(after)) => Measured { time: after - before, ..measured },
        _ => measured,
    }
}

/// The time that this thread has had on a processor, where the system tells.
fn processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

fn elapsed(program: &Program, engine: &mut dyn Engine) -> Measured {
    let query = Query { properties: program.properties.ids().collect(), threads: Threads::Unbounded };
    let pace = Pace::new(&Rounds::new(1), 0, u64::MAX, 0);
    let limits = Limits::none().paced(pace.clone());
    let alarm = limits.clone();
    std::thread::spawn(move || {
        std::thread::sleep(patience());
        alarm.interrupt();
    });
    let start = Instant::now();
    let answers = engine.check(program, &query, Run { limits: &limits, observer: &Silent });
    let time = start.elapsed();
    let questions = answers.as_ref().map_or(0, |answers| answers.statistics.get("SAT questions"));
    let answers = answers.map(|answers| answers.answers).unwrap_or_default();
    let is_open = |answer: &Answer| matches!(answer, Answer::Unknown(_));
    let verdict = match answers.iter().any(|answer| matches!(answer, Answer::Reachable(_))) {
        true => "violated",
        false if answers.is_empty() || answers.iter().any(is_open) => "unknown",
        false => "holds",
    };
    Measured { verdict, time, questions, work: pace.made() }
}

/// A grid of characters: the time of the summary engine to the right, of the bounded engine upwards.
fn scatter(rows: &[Row]) -> String {
    const SIDE: usize = 25;
    let limit = patience().as_secs_f64();
    let place = |time: Option<Duration>| {
        // From a tenth of a millisecond to the limit; the last place is for what had no answer.
        let Some(time) = time else { return SIDE };
        let (low, high) = (1e-4_f64.ln(), limit.ln());
        let part = (time.as_secs_f64().max(1e-4).ln() - low) / (high - low);
        ((part * (SIDE - 1) as f64) as usize).min(SIDE - 1)
    };
    let mut grid = vec![vec![' '; SIDE + 1]; SIDE + 1];
    (0..=SIDE).for_each(|diagonal| grid[diagonal][diagonal] = '.');
    for row in rows {
        let mark = if row.verdict == "violated" { 'x' } else { 'o' };
        let cell = &mut grid[place(row.bounded)][place(row.summary)];
        *cell = if matches!(*cell, ' ' | '.') || *cell == mark { mark } else { '*' };
    }
    let mut text = String::from("bounded\n");
    for line in grid.iter().rev() {
        let line: String = line.iter().flat_map(|&cell| [cell, ' ']).collect();
        let _ = writeln!(text, "| {}", line.trim_end());
    }
    let _ = writeln!(
        text,
        "+{}\n  0.1 ms {:>width$} summary",
        "-".repeat(2 * SIDE + 2),
        format!("{limit} s, no answer"),
        width = 2 * SIDE - 16
    );
    text.push_str("x violated, o holds, * both\n");
    text
}

/// The names of some variables, and lists of what is made from each.
fn list(count: usize, of: impl Fn(usize) -> String) -> String {
    (0..count).map(of).collect::<Vec<_>>().join(", ")
}

/// Half of the variables are scrambled and restored: each round adds functions of the other half of the half. The rest are copies from
/// before. If it is to be violated, one function is not undone as it should be.
fn undo(n: usize, violated: bool) -> String {
    const ROUNDS: usize = 4;
    let half = (n / 4).max(2);
    let mut random = Random(n as u64);
    let mut rounds: Vec<Vec<[usize; 3]>> = Vec::new();
    for _ in 0..ROUNDS {
        rounds.push((0..half).map(|_| [0; 3].map(|_| random.below(half))).collect());
    }
    let (left, right) = (|i: usize| format!("l{i}"), |i: usize| format!("r{i}"));
    let sides = |round: usize| if round.is_multiple_of(2) { ('l', 'r') } else { ('r', 'l') };
    let mut text = format!("decl {}, {};\n", list(half, left), list(half, right));
    let _ = writeln!(text, "decl {}, {};", list(half, |i| format!("a{i}")), list(half, |i| format!("b{i}")));
    let (copies, values) = (list(half, |i| format!("a{i}, b{i}")), list(half, |i| format!("l{i}, r{i}")));
    let _ = writeln!(text, "void main() begin\n  {copies} := {values};");
    for (round, triples) in rounds.iter().enumerate() {
        let (to, from) = sides(round);
        let value = |i: usize| {
            let [a, b, c] = triples[i];
            format!("{to}{i} ^ (({from}{a} & !{from}{b}) ^ {from}{c})")
        };
        let _ = writeln!(text, "  {} := {};", list(half, |i| format!("{to}{i}")), list(half, value));
    }
    for round in (0..ROUNDS).rev() {
        let (to, from) = sides(round);
        let value = |i: usize| {
            let [a, b, mut c] = rounds[round][i];
            if violated && round == 1 && i == 0 {
                c = (c + 1) % half;
            }
            // (a & !b) ^ c, written as a choice by a and b.
            format!(
                "{to}{i} ^ (({from}{c} & (!{from}{a} | {from}{b})) | (!{from}{c} & !(!{from}{a} | {from}{b})))"
            )
        };
        let _ = writeln!(text, "  {} := {};", list(half, |i| format!("{to}{i}")), list(half, value));
    }
    let claim: Vec<String> = (0..half).map(|i| format!("(l{i} = a{i}) & (r{i} = b{i})")).collect();
    let _ = writeln!(text, "  assert({});\nend", claim.join(" & "));
    text
}

/// Two numbers of n / 2 bits, added twice. If it is to be violated, the second addition loses the carry of the highest bit but one, where
/// one lower bit is set.
fn adder(n: usize, violated: bool) -> String {
    let bits = (n / 2 - 2).max(2);
    let (a, b) = (list(bits, |i| format!("a{i}")), list(bits, |i| format!("b{i}")));
    let mut text = format!("decl {a}, {b};\ndecl c, d, same;\nvoid main() begin\n  c, d, same := F, F, T;\n");
    for i in 0..bits {
        let lost = if violated && i + 2 == bits { " & !(a0 & b0)" } else { "" };
        let _ = writeln!(text, "  same := same & (((a{i} ^ b{i}) ^ c) = (a{i} ^ (b{i} ^ d)));");
        let _ = writeln!(
            text,
            "  c, d := (a{i} & b{i}) | (c & (a{i} ^ b{i})), ((a{i} & b{i}) | (a{i} & d) | (b{i} & d)){lost};"
        );
    }
    text.push_str("  assert(same);\nend\n");
    text
}

/// All values move round a ring. There are two neighbours that differ, if there were some at first; whether the first variable is ever true
/// depends on all others.
fn ring(n: usize, violated: bool) -> String {
    let names = list(n, |i| format!("v{i}"));
    let moved = list(n, |i| format!("v{}", (i + 1) % n));
    let claim = if violated {
        "!v0".to_owned()
    } else {
        (0..n).map(|i| format!("(v{i} != v{})", (i + 1) % n)).collect::<Vec<_>>().join(" | ")
    };
    let last = n - 1;
    let empty = (0..last).map(|i| format!("!v{i}")).collect::<Vec<_>>().join(" & ");
    let start = if violated { format!("{empty} & v{last}") } else { "v0 != v1".to_owned() };
    format!(
        "decl {names};\nvoid main() begin\n  assume({start});\n  while (*) do\n    {names} := {moved};\n  od\n  assert({claim});\nend\n"
    )
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}
