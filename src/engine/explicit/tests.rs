//! Bounds, limits, assumptions and the length of counterexamples.

use super::*;
use crate::boolean;
use crate::boolean::check::CheckOptions;
use crate::boolean::generate::lower::lower;
use crate::boolean::generate::{Shape, generate};
use crate::boolean::parse::parse;
use crate::certify::replay;
use crate::ground::event::Silent;
use crate::ground::limits::Limits;
use crate::ground::source::SourceFile;

fn program(text: &str) -> Program {
    let parsed = parse(&SourceFile::new("test.bp", text)).unwrap_or_else(|errors| panic!("{errors:?}"));
    boolean::check::check(&parsed, &CheckOptions::default()).unwrap_or_else(|errors| panic!("{errors:?}")).0
}

fn check(program: &Program, threads: Threads, bounds: Bounds, limits: &Limits) -> Result<Answers, Stop> {
    let query = Query { properties: program.properties.ids().collect(), threads };
    Explicit::within(bounds).check(program, &query, Run { limits, observer: &Silent })
}

fn answers(text: &str, threads: Threads, bounds: Bounds) -> Answers {
    check(&program(text), threads, bounds, &Limits::none()).expect("no limit")
}

fn bound(answer: &Answer) -> &str {
    match answer {
        Answer::Unknown(Reason::Stopped(Stop::Bound(text))) => text,
        other => panic!("{other:?}"),
    }
}

const ONE: Threads = Threads::AtMost(1);

#[test]
fn stack_bound_makes_unknown() {
    let text = "void f() begin if (*) then f(); fi assert(T); end void main() begin f(); assert(F); end";
    let found = answers(text, ONE, Bounds { depth: 5, ..Bounds::default() });
    assert_eq!(bound(&found.answers[0]), "call stack deeper than 5");
    assert!(matches!(found.answers[1], Answer::Reachable(_)));
    assert!(!found.assurance.sound && found.assurance.precise);
}

#[test]
fn recursion_within_the_bound_is_exhaustive() {
    let text = "void f(p) begin if (p) then f(F); fi end void main() begin f(T); assert(T); end";
    let found = answers(text, ONE, Bounds { depth: 3, ..Bounds::default() });
    assert_eq!(found.answers, [Answer::Unreachable]);
    assert_eq!(found.assurance, Assurance::exact());
    let found = answers(text, ONE, Bounds { depth: 2, ..Bounds::default() });
    assert_eq!(bound(&found.answers[0]), "call stack deeper than 2");
}

#[test]
fn state_bound_makes_unknown() {
    let text = "decl a, b, c; void main() begin assert(T); end";
    let exact = answers(text, ONE, Bounds::default());
    let states = usize::try_from(exact.statistics.get("states")).expect("few");
    assert_eq!(exact.answers, [Answer::Unreachable]);
    let enough = answers(text, ONE, Bounds { states, ..Bounds::default() });
    assert_eq!(enough.answers, [Answer::Unreachable]);
    let short = answers(text, ONE, Bounds { states: states - 1, ..Bounds::default() });
    assert_eq!(bound(&short.answers[0]), format!("more than {} states", states - 1));
}

#[test]
fn hundreds_of_choices_end_at_the_bound() {
    let names: Vec<_> = (0..200).map(|number| format!("v{number}")).collect();
    let names = names.join(", ");
    let globals = answers(
        &format!("decl {names}; void main() begin assert(T); end"),
        ONE,
        Bounds { states: 100, ..Bounds::default() },
    );
    assert_eq!(bound(&globals.answers[0]), "more than 100 states");
    let callee = format!("void f() begin decl {names}; skip; end void main() begin f(); assert(T); end");
    let locals = answers(&callee, ONE, Bounds { states: 100, ..Bounds::default() });
    assert_eq!(bound(&locals.answers[0]), "more than 100 states");
}

#[test]
fn limits_reach_into_a_step_without_successors() {
    let targets: Vec<_> = (0..40).map(|number| format!("v{number}")).collect();
    let values = vec!["*"; 40].join(", ");
    let text = format!(
        "void main() begin {} goto a; a: skip; f(); assert(T); end
         void f() begin decl {}; {} := {values} constrain F; end",
        "",
        targets.join(", "),
        targets.join(", ")
    );
    let stopped = check(&program(&text), ONE, Bounds::default(), &Limits::firing_at(5_000));
    assert_eq!(stopped, Err(Stop::Timeout));
}

#[test]
fn thread_bound_is_an_assumption_only_if_it_mattered() {
    let text = "void f() begin skip; end void main() begin start_thread f(); assert(T); end";
    let two = answers(text, Threads::AtMost(2), Bounds::default());
    assert_eq!((two.answers, two.assurance), (vec![Answer::Unreachable], Assurance::exact()));
    let one = answers(text, ONE, Bounds::default());
    assert_eq!(one.answers, [Answer::Unreachable]);
    assert_eq!(one.assurance, Assurance::exact().assuming(Assumption::Threads(1)));
}

#[test]
fn unbounded_threads_are_cut_at_our_own_bound() {
    let text = "void main() begin start_thread main(); assert(T); end";
    let found = answers(text, Threads::Unbounded, Bounds { threads: 3, ..Bounds::default() });
    assert_eq!(bound(&found.answers[0]), "more than 3 threads");
    assert!(found.assurance.assumptions.is_empty());
    let few = "void f() begin skip; end void main() begin start_thread f(); assert(T); end";
    let found = answers(few, Threads::Unbounded, Bounds { threads: 2, ..Bounds::default() });
    assert_eq!((found.answers, found.assurance), (vec![Answer::Unreachable], Assurance::exact()));
}

#[test]
fn only_what_is_asked_is_answered() {
    let program = program("void main() begin assert(*); assert(*); assert(T); end");
    let ids: Vec<_> = program.properties.ids().collect();
    let run = Run { limits: &Limits::none(), observer: &Silent };
    let query = Query { properties: vec![ids[1]], threads: ONE };
    let found = Explicit::default().check(&program, &query, run).expect("no limit");
    assert!(matches!(&found.answers[..], [Answer::Reachable(trace)] if trace.property == ids[1]));
    let nothing = Query { properties: vec![], threads: ONE };
    assert_eq!(Explicit::default().check(&program, &nothing, run).expect("no limit").answers, []);
}

#[test]
fn counterexamples_are_shortest() {
    let text =
        "decl g; void main() begin goto a, b; a: skip; skip; skip; skip; goto c; b: skip; c: assert(g); end";
    let found = answers(text, ONE, Bounds::default());
    let Answer::Reachable(trace) = &found.answers[0] else { panic!("{found:?}") };
    let longest = answers(&text.replace("a, b", "a"), ONE, Bounds::default());
    let Answer::Reachable(longer) = &longest.answers[0] else { panic!("{longest:?}") };
    assert!(trace.steps.len() < longer.steps.len());
}

#[test]
fn limits_at_every_check_never_give_a_wrong_answer() {
    let bounds = Bounds { states: 3_000, depth: 8, threads: 3 };
    for (shape, seed) in [(Shape::sequential(), 3), (Shape::recursive(), 4), (Shape::threaded(), 5)] {
        let program = lower(&generate(seed, &shape));
        let truth = check(&program, Threads::AtMost(2), bounds, &Limits::none()).expect("no limit");
        for fire in (1..40).chain((40..4_000).step_by(97)) {
            let Ok(found) = check(&program, Threads::AtMost(2), bounds, &Limits::firing_at(fire)) else {
                continue;
            };
            for (answer, right) in found.answers.iter().zip(&truth.answers) {
                let timeout = *answer == Answer::Unknown(Reason::Stopped(Stop::Timeout));
                assert!(timeout || answer == right, "{answer:?}, but {right:?}");
            }
        }
    }
}

#[test]
fn traces_of_threads_have_lasting_numbers() {
    let text = "decl g := F; void f() begin skip; end void k() begin assume(g); assert(F); end
        void main() begin start_thread f(); start_thread k(); g := T; end";
    let program = program(text);
    let found = check(&program, Threads::AtMost(3), Bounds::default(), &Limits::none()).expect("no limit");
    let Answer::Reachable(trace) = &found.answers[0] else { panic!("{found:?}") };
    assert_eq!(trace.thread, 2);
    replay(&program, trace, Threads::AtMost(3)).expect("a run");
}

#[test]
fn initial_values_do_not_multiply_states() {
    let globals: Vec<String> = (0..60).map(|number| format!("g{number} := F")).collect();
    let text = format!("decl {}; void main() begin decl x := g3; assert(!x); end", globals.join(", "));
    let found = answers(&text, ONE, Bounds { states: 200, ..Bounds::default() });
    assert_eq!(found.answers, [Answer::Unreachable]);
}

#[test]
fn values_that_are_read_before_they_are_overwritten_are_arbitrary() {
    for text in [
        "decl a; void main() begin decl x; x := a; a := F; assert(!x); end",
        "decl a, b; void main() begin a, b := b, F; assert(!a); end",
        "void main() begin decl x := T; enforce x; assert(F); end",
        "decl a := F, b; void main() begin assert(!b); end",
        "decl a; void main() begin a := * constrain 'a = a; assert(!a); end",
    ] {
        let found = answers(text, ONE, Bounds::default());
        assert!(matches!(found.answers[..], [Answer::Reachable(_)]), "{text}: {found:?}");
    }
}
