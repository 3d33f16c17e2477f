//! Stories of counterexamples that engines find.

use super::story::{Length, Story, What, tell};
use super::text::{self, Colors};
use super::{Report, json};
use crate::boolean::cfg::Program;
use crate::boolean::check::{CheckOptions, check};
use crate::boolean::parse::parse;
use crate::checker::Outcome;
use crate::checker::{Options, check_program};
use crate::engine::Threads;
use crate::engine::auto::{Preferences, Wish};
use crate::ground::event::Silent;
use crate::ground::limits::Limits;
use crate::ground::run::Run;
use crate::ground::source::SourceFile;
use crate::ground::verdict::Verdict;

fn run(text: &str, engine: Wish, threads: Threads) -> (SourceFile, Program, Outcome) {
    let source = SourceFile::new("test.bp", text);
    let syntax = parse(&source).expect("the program is well-formed");
    let (program, _) = check(&syntax, &CheckOptions::default()).expect("the program is well-formed");
    let limits = Limits::none();
    let preferences = Preferences { engine, ..Preferences::default() };
    let options = Options { preferences, threads, ..Options::default() };
    let outcome = check_program(&program, &options, Run { limits: &limits, observer: &Silent });
    (source, program, outcome)
}

fn story(text: &str, engine: Wish, length: Length) -> (SourceFile, Program, Story) {
    let (source, program, outcome) = run(text, engine, Threads::AtMost(2));
    let Some((_, Verdict::Violated(trace))) = outcome.verdicts.first() else {
        panic!("expected a violation, got {:?}", outcome.verdicts);
    };
    let story = tell(&program, trace, length);
    (source, program, story)
}

/// Every level calls the next one twice; the violation is behind all of them.
fn levels(number: usize) -> String {
    let mut text = "decl g;\nvoid main() begin\n  g := F;\n  level0();\n  assert(F);\nend\n".to_owned();
    for level in 0..number {
        let next = level + 1;
        text.push_str(&format!("void level{level}() begin\n  level{next}();\n  level{next}();\nend\n"));
    }
    text + &format!("void level{number}() begin\n  g := !g;\nend\n")
}

#[test]
fn long_calls_are_folded() {
    let (_, _, story) = story(&levels(40), Wish::Summary, Length::Short);
    assert!(story.steps > 1 << 40, "{} steps", story.steps);
    let folded = story.lines.iter().filter(|line| matches!(line.what, What::Folded(_))).count();
    assert_eq!(folded, 1, "{:?}", story.lines);
    assert_eq!(story.lines.last().map(|line| &line.what), Some(&What::Violation));
}

#[test]
fn short_calls_are_unfolded() {
    let (_, _, story) = story(&levels(3), Wish::Summary, Length::Short);
    assert!(story.lines.iter().all(|line| !matches!(line.what, What::Folded(_))), "{:?}", story.lines);
    let switches = story.lines.iter().filter(|line| line.depth == 4 && !line.changes.is_empty()).count();
    assert_eq!(switches, 8, "every switch of g is told: {:?}", story.lines);
}

#[test]
fn a_full_story_has_a_line_for_every_step() {
    for engine in [Wish::Explicit, Wish::Summary] {
        let (_, _, story) = story(&levels(3), engine, Length::Full);
        // The violation is one more line; nothing of `<start>` is there to be left out.
        assert_eq!(story.lines.len() as u64, story.steps + 1, "{engine:?}");
    }
}

#[test]
fn the_middle_of_a_long_story_is_left_out() {
    let steps: String = (0..1000).map(|_| "  g := !g;\n").collect();
    let (source, program, outcome) = run(
        &format!("decl g;\nvoid main() begin\n{steps}  assert(F);\nend\n"),
        Wish::Auto,
        Threads::Unbounded,
    );
    let trace = Some(Length::Short);
    let report = Report { source: &source, program: &program, outcome: &outcome, trace, usage: None };
    let text = text::report(&report, Colors::Plain);
    assert!(text.lines().count() < 420, "{} lines", text.lines().count());
    assert!(text.contains("… 601 lines not shown; see --trace full"), "{text}");
    assert!(json::report(&report).contains("\"omitted_lines\": 601"));
}

#[test]
fn values_are_told_once_and_when_they_change() {
    let program = "decl g;\n\
                   bool f(x) begin decl unset; return x & unset; end\n\
                   void main() begin decl y; y := f(g); y := f(y); assert(!y); end\n";
    for engine in [Wish::Explicit, Wish::Summary] {
        let (_, program, story) = story(program, engine, Length::Short);
        let name = |variable| &*program.variables[variable].name;
        let initial: Vec<_> = story.initial.iter().map(|value| (name(value.variable), value.value)).collect();
        assert_eq!(initial, [("g", true)], "{engine:?}");
        let told = story.lines.iter().map(|line| {
            let given = line.given.iter().map(|value| format!("{}={}", name(value.variable), value.value));
            let changed =
                line.changes.iter().map(|change| format!("{}->{}", name(change.variable), change.after));
            given.chain(changed).collect()
        });
        let told: Vec<Vec<String>> = told.collect();
        let second = vec!["x=true".to_owned()];
        let expected =
            [second.clone(), vec!["unset=true".into(), "y->true".into()], second, vec!["unset=true".into()]];
        assert_eq!(told[..4], expected, "{engine:?}");
    }
}

#[test]
fn threads_have_their_own_columns_and_stacks() {
    let program = "decl g := F;\n\
                   void main() begin decl x; x := T; start_thread goto l; assume(g); x := F; end_thread;\n\
                   l: f(x); assert(!g); end\n\
                   void f(y) begin g := y; end\n";
    let (source, program, outcome) = run(program, Wish::Explicit, Threads::AtMost(2));
    let trace = Some(Length::Short);
    let report = Report { source: &source, program: &program, outcome: &outcome, trace, usage: None };
    let text = text::report(&report, Colors::Plain);
    assert!(text.contains("thread 0") && text.contains("thread 1"), "{text}");
    let call = text.lines().find(|line| line.contains("f(x)")).expect("the call is told");
    assert!(call.trim_end().ends_with("y=1"), "{text}");
}
