//! Programs with several initial threads against programs that start them by hand.

use crate::boolean::ast;
use crate::boolean::cfg::Program;
use crate::boolean::check::{CheckOptions, InitialThreads, check};
use crate::boolean::generate::{Shape, generate};
use crate::boolean::parse::parse;
use crate::boolean::print::print;
use crate::boolean::reduce::{lift, reduce};
use crate::certify::replay;
use crate::engine::Answer;
use crate::engine::explicit::{Bounds, Explicit};
use crate::engine::{Engine, Query, Threads};
use crate::ground::event::Silent;
use crate::ground::limits::Limits;
use crate::ground::run::Run;
use crate::ground::source::SourceFile;

const BOUND: Threads = Threads::AtMost(3);

fn parsed(text: &str) -> ast::Program {
    parse(&SourceFile::new("test.bp", text)).expect("the program is well-formed")
}

fn lower(program: &ast::Program, entry: Option<&str>, initial_threads: InitialThreads) -> Program {
    let entry = entry.map(str::to_owned);
    let options = CheckOptions { entry, initial_threads, ..CheckOptions::default() };
    check(program, &options).expect("the program is well-formed").0
}

fn ask(program: &Program, threads: Threads) -> Vec<Answer> {
    let query = Query { properties: program.properties.ids().collect(), threads };
    let run = Run { limits: &Limits::none(), observer: &Silent };
    let bounds = Bounds { states: 6_000, depth: 8, threads: 4 };
    Explicit::within(bounds).check(program, &query, run).expect("there is no limit").answers
}

fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Unreachable => "unreachable",
        Answer::Reachable(_) => "reachable",
        Answer::Unknown(_) => "unknown",
    }
}

fn words(program: &Program, threads: Threads) -> Vec<&'static str> {
    ask(program, threads).iter().map(word).collect()
}

/// The program with a procedure `launch` that starts the threads by hand. Its `main` begins with `atomic_end`: all
/// copies are there when the section ends.
fn by_hand(program: &ast::Program, starts: &str) -> ast::Program {
    let main = program.procedures.iter().find(|procedure| &*procedure.name.text == "main");
    let parameters = main.map_or(0, |main| main.parameters.len());
    let arguments = vec!["*"; parameters].join(", ");
    let starts = starts.replace("main()", &format!("main({arguments})"));
    let text =
        format!("{}\nvoid launch() begin atomic_begin; {starts} main({arguments}); end\n", print(program));
    let mut program = parsed(&text);
    let leave = parsed("void main() begin atomic_end; end").procedures[0].body.statements[0].clone();
    let mut procedures = program.procedures.iter_mut();
    if let Some(main) = procedures.find(|procedure| &*procedure.name.text == "main") {
        main.body.statements.insert(0, leave);
    }
    program
}

/// Small programs. Local variables get their initial values before the first statement, and calls of `main` would leave sections: the
/// programs to compare have neither.
fn comparable(shape: Shape) -> Shape {
    Shape { initial_values: 0, recursion: 0, globals: (1, 2), locals: (0, 1), statements: (2, 4), ..shape }
}

/// How many times as many seeds to try as in the everyday run.
fn patience() -> u64 {
    std::env::var("BOOLERO_PATIENCE").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1)
}

fn compare(shape: &Shape, seeds: u64, initial: InitialThreads, starts: &str) {
    let mut decided = 0;
    for seed in 0..seeds * patience() {
        let program = generate(seed, &comparable(*shape));
        let ours = lower(&program, None, initial);
        let theirs = lower(&by_hand(&program, starts), Some("launch"), InitialThreads::ONE);
        let (found, expected) = (words(&ours, BOUND), words(&theirs, BOUND));
        for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let same = found == expected || *found == "unknown" || *expected == "unknown";
            assert!(same, "seed {seed}, property {number}: {found}, by hand {expected}\n{}", print(&program));
            decided += usize::from(*found != "unknown");
        }
    }
    assert!(decided > 50, "{decided} properties are too few to compare");
}

#[test]
fn two_copies_are_two_copies() {
    let once = "start_thread main();";
    compare(&Shape::threaded(), 120, InitialThreads::Exactly(2), once);
    compare(&Shape::broadcast(), 120, InitialThreads::Exactly(2), once);
    compare(&Shape::sequential(), 100, InitialThreads::Exactly(2), once);
}

#[test]
fn three_copies_are_three_copies() {
    let twice = "start_thread main(); start_thread main();";
    compare(&Shape::broadcast(), 100, InitialThreads::Exactly(3), twice);
}

#[test]
fn any_number_of_copies_is_a_loop() {
    let any = "while (*) do start_thread main(); od";
    compare(&Shape::threaded(), 100, InitialThreads::Unbounded, any);
    compare(&Shape::broadcast(), 100, InitialThreads::Unbounded, any);
}

#[test]
fn one_copy_changes_nothing() {
    for seed in 0..50 {
        let program = generate(seed, &Shape::threaded());
        let plain = check(&program, &CheckOptions::default()).expect("the program is well-formed").0;
        assert_eq!(lower(&program, None, InitialThreads::ONE), plain);
    }
}

#[test]
fn reductions_keep_the_verdicts() {
    for (shape, seeds) in [(Shape::threaded(), 60 * patience()), (Shape::broadcast(), 60 * patience())] {
        for (seed, initial) in (0..seeds).flat_map(|seed| {
            [InitialThreads::Exactly(2), InitialThreads::Unbounded].map(|initial| (seed, initial))
        }) {
            let program = lower(&generate(seed, &shape), None, initial);
            let checked: Vec<_> = program.properties.ids().collect();
            let reduced = reduce(&program, &checked);
            let (before, after) = (ask(&program, BOUND), ask(&reduced.program, BOUND));
            for (before, after) in before.iter().zip(&after) {
                let (before, word) = (word(before), word(after));
                assert!(before == word || before == "unknown" || word == "unknown", "seed {seed}");
                if let Answer::Reachable(trace) = after {
                    let lifted = lift(&program, &reduced, trace).expect("the trace can be lifted");
                    assert_eq!(replay(&program, &lifted, BOUND), Ok(()), "seed {seed}");
                }
            }
        }
    }
}

/// Verdicts on the first property with so many initial threads.
fn verdict(text: &str, initial: InitialThreads, threads: Threads) -> &'static str {
    words(&lower(&parsed(text), None, initial), threads)[0]
}

#[test]
fn initial_values_are_given_once() {
    let text = "decl a := F; void main() begin a := T; assert(a); end";
    assert_eq!(verdict(text, InitialThreads::Exactly(3), Threads::Unbounded), "unreachable");
}

#[test]
fn all_copies_exist_before_any_moves() {
    // Whoever is first tells the other one, which is there whatever its number is.
    let text = "decl first := T; void main() begin decl told;\n\
                atomic_begin; if (first) then first := F; told$ := T; else assert(told); fi; atomic_end; end";
    for initial in [InitialThreads::Exactly(2), InitialThreads::Exactly(3), InitialThreads::Unbounded] {
        assert_eq!(verdict(text, initial, BOUND), "unreachable", "{initial:?}");
    }
    // With another one there, nobody is first alone.
    let text = "decl first := T; void main() begin decl here;\n\
                atomic_begin; here$ := T; assume(!here$); first := F; atomic_end; assert(F); end";
    assert_eq!(verdict(text, InitialThreads::ONE, BOUND), "reachable");
    assert_eq!(verdict(text, InitialThreads::Exactly(2), BOUND), "unreachable");
}

#[test]
fn copies_that_cannot_be_prepared_are_refused() {
    let options = CheckOptions { initial_threads: InitialThreads::Exactly(2), ..CheckOptions::default() };
    let refused = |text: &str| check(&parsed(text), &options).is_err();
    assert!(refused("void main() begin decl a; a$ := T; main(); end"));
    assert!(!refused("void main() begin decl a; a := T; main(); end"));
    assert!(!refused("decl g; void main() begin decl a; enforce g; a$ := T; end"));
    assert!(refused(
        "decl g; void thread0() begin g := T; end\n\
                     void thread1() begin decl a; enforce g; a$ := T; end"
    ));
}

#[test]
fn two_copies_find_what_one_does_not() {
    let text = "decl in := F; void main() begin assume(!in); assert(!in); in := T; in := F; end";
    assert_eq!(verdict(text, InitialThreads::ONE, Threads::Unbounded), "unreachable");
    assert_eq!(verdict(text, InitialThreads::Exactly(2), Threads::Unbounded), "reachable");
    assert_eq!(verdict(text, InitialThreads::Unbounded, Threads::AtMost(1)), "unreachable");
    assert_eq!(verdict(text, InitialThreads::Unbounded, Threads::AtMost(2)), "reachable");
}

#[test]
fn getafix_threads_are_copied_each() {
    let text = "decl a := F, b := F; void init() begin a := F; end\n\
                void thread0() begin if (a) then b := T; fi; assert(!b); a := T; end\n\
                void thread1() begin skip; end";
    assert_eq!(verdict(text, InitialThreads::ONE, Threads::Unbounded), "unreachable");
    assert_eq!(verdict(text, InitialThreads::Exactly(2), Threads::Unbounded), "reachable");
    let program = lower(&parsed(text), None, InitialThreads::Exactly(2));
    let starts = program.nodes.iter().filter(|node| node.op.starts_thread()).count();
    assert_eq!(starts, 3, "four threads, one of them the first");
}
