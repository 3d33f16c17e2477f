//! Verdicts found by hand. (Generated programs are in `engine::agreement::contexts`.)

use super::*;
use crate::bdd::BackEnd;
use crate::boolean::check::{CheckOptions, check};
use crate::boolean::parse::parse;
use crate::certify::replay;
use crate::engine::bounded::Bounded;
use crate::engine::reducing::Reducing;
use crate::engine::summary::Summary;
use crate::ground::event::Silent;
use crate::ground::limits::Limits;
use crate::ground::source::SourceFile;

/// The fewest context switches with which the only property is violated, as both engines see it; none up to 5.
fn fewest(text: &str, threads: Threads) -> Option<usize> {
    let syntax = parse(&SourceFile::new("test.bp", text)).expect("the program is well-formed");
    let (program, _) = check(&syntax, &CheckOptions::default()).expect("the program is well-formed");
    let query = Query { properties: program.properties.ids().collect(), threads };
    let violated = |engine: &mut dyn Engine| {
        let run = Run { limits: &Limits::none(), observer: &Silent };
        match &engine.check(&program, &query, run).expect("there is no limit").answers[..] {
            [Answer::Unreachable] => false,
            [Answer::Reachable(trace)] => {
                assert_eq!(replay(&program, trace, threads), Ok(()));
                true
            }
            other => panic!("{other:?}"),
        }
    };
    (0..=5).find(|&switches| {
        let summary =
            violated(&mut ContextBounded::new(Reducing::new(Summary::new(BackEnd::Biodivine)), switches));
        let bounded = violated(&mut ContextBounded::new(Reducing::new(Bounded::default()), switches));
        assert_eq!(summary, bounded, "with {switches} context switches");
        summary
    })
}

#[test]
fn a_thread_that_is_started_needs_a_context_of_its_own() {
    let text = "decl g := F; void f() begin assert(g); end void main() begin start_thread f(); end";
    assert_eq!(fewest(text, Threads::Unbounded), Some(1));
}

#[test]
fn a_message_and_its_answer_are_two_switches() {
    let text = "decl g := F, h := F;\n\
                void f() begin assume(g); h := T; end\n\
                void main() begin start_thread f(); g := T; assert(!h); end";
    assert_eq!(fewest(text, Threads::Unbounded), Some(2));
}

#[test]
fn a_thread_that_blocks_by_itself_lets_others_run() {
    let blocks = "void main() begin start_thread goto L; assume(F); L: assert(F); end";
    assert_eq!(fewest(blocks, Threads::Unbounded), Some(1));
    let circles = "void f() begin assert(F); end\n\
                   void main() begin start_thread f(); while (T) do skip; od; end";
    assert_eq!(fewest(circles, Threads::Unbounded), Some(1));
    let called = "decl g := F; void f() begin assert(!g); end\n\
                  void h() begin g := T; end\n\
                  void main() begin start_thread f(); h(); assume(F); end";
    assert_eq!(fewest(called, Threads::Unbounded), Some(1));
}

#[test]
fn three_threads_hand_a_token_on() {
    let text = "decl a := F, b := F, c := F;\n\
                void f() begin assume(a); b := T; assume(c); assert(F); end\n\
                void g() begin assume(b); c := T; end\n\
                void main() begin start_thread f(); start_thread g(); a := T; end";
    // main, f, g, f
    assert_eq!(fewest(text, Threads::Unbounded), Some(3));
}

#[test]
fn at_the_bound_no_thread_is_started() {
    let text = "decl g := F; void f() begin g := T; end\n\
                void main() begin start_thread f(); assert(!g); end";
    assert_eq!(fewest(text, Threads::AtMost(2)), Some(2));
    assert_eq!(fewest(text, Threads::AtMost(1)), None);
}

#[test]
fn an_ended_thread_makes_room() {
    let text = "decl a := F, b := F;\n\
                void f() begin a := T; end void g() begin b := T; end\n\
                void main() begin start_thread f(); assume(a); start_thread g(); assume(b); assert(F); end";
    // main, f to its end, main, g, main
    assert_eq!(fewest(text, Threads::AtMost(2)), Some(4));
}

#[test]
fn nobody_interrupts_a_section() {
    let text = "decl g := F;\n\
                void f() begin g := T; end\n\
                void main() begin start_thread f(); atomic_begin; g := F; assert(!g); atomic_end; end";
    assert_eq!(fewest(text, Threads::Unbounded), None);
}

#[test]
fn recursive_threads_count_down_together() {
    // Both threads are as deep in recursion as they like when they meet.
    let text = "decl g := F, h := F;\n\
                void f() begin if (*) then f(); else g := T; assume(h); fi; end\n\
                void main() begin start_thread f(); m(); assert(F); end\n\
                void m() begin if (*) then m(); else assume(g); h := T; fi; end";
    // main starts, f sets g, main goes on: the assertion comes before f sees h.
    assert_eq!(fewest(text, Threads::Unbounded), Some(2));
}

#[test]
fn local_variables_of_others_are_refused() {
    let text = "decl g; void main() begin decl l; l$ := T; assert(g); end";
    let syntax = parse(&SourceFile::new("test.bp", text)).expect("the program is well-formed");
    let (program, _) = check(&syntax, &CheckOptions::default()).expect("the program is well-formed");
    let query = Query { properties: program.properties.ids().collect(), threads: Threads::Unbounded };
    let run = Run { limits: &Limits::none(), observer: &Silent };
    let mut engine = ContextBounded::new(Summary::new(BackEnd::Biodivine), 2);
    let answers = engine.check(&program, &query, run).expect("there is no limit").answers;
    assert!(matches!(&answers[..], [Answer::Unknown(Reason::Unsupported(_))]), "{answers:?}");
}
