use super::*;
use crate::boolean::check::{CheckOptions, check};
use crate::boolean::generate::{Shape, generate};
use crate::boolean::parse::parse;
use crate::ground::source::SourceFile;
use crate::system::net::Sweep;

fn program(text: &str) -> Program {
    let syntax = parse(&SourceFile::new("test.bp", text)).expect("the program is well-formed");
    check(&syntax, &CheckOptions::default()).expect("the program is well-formed").0
}

fn line(span: Span) -> u32 {
    span.start
}

fn enumeration(text: &str) -> Enumeration {
    let program = program(text);
    let asked: Vec<PropertyId> = program.properties.ids().collect();
    let limits = Limits::none();
    Enumeration::new(&program, &asked, Spawning::Always, Bounds::default(), &limits).expect("no recursion")
}

#[test]
fn private_steps_are_merged() {
    let quiet =
        enumeration("decl g := F; void main() begin decl a; a := *; a := !a; skip; assert(a | g); end");
    let loud =
        enumeration("decl g := F; void main() begin decl a; a := *; g := !g; skip; assert(a | g); end");
    assert!(quiet.net.transitions.len() < loud.net.transitions.len());
    assert_eq!(quiet.net.targets.len(), 1);
}

#[test]
fn an_atomic_section_is_one_transition() {
    let text = "decl g := F, h := F; void main() begin
        atomic_begin; g := T; h := T; g := F; atomic_end; assert(!h); end";
    let enumeration = enumeration(text);
    assert!(enumeration.controls.iter().all(|control| control.atomicity == Atomicity::Free));
    assert!(enumeration.controls.iter().all(|control| !control.shared.get(0)));
}

#[test]
fn an_assertion_in_an_atomic_section_is_seen() {
    let text = "decl g := F; void main() begin atomic_begin; g := T; assert(!g); g := F; atomic_end; end";
    let enumeration = enumeration(text);
    let target = &enumeration.net.targets[0];
    assert_eq!(enumeration.control(target.control).atomicity, Atomicity::Held);
}

#[test]
fn loops_of_private_steps_have_an_end() {
    let enumeration = enumeration("decl g; void main() begin L: skip; goto L; M: goto M; assert(g); end");
    assert!(enumeration.net.targets.is_empty());
}

#[test]
fn a_thread_that_is_started_is_a_second_token() {
    let text = "decl g; void f() begin g := T; end void main() begin start_thread f(); g := F; end";
    let gives = |enumeration: &Enumeration| {
        let given = enumeration.net.transitions.iter().map(|transition| transition.give.len());
        given.max().expect("there are transitions")
    };
    assert_eq!(gives(&enumeration(text)), 2);
}

#[test]
fn first_values_that_are_overwritten_make_no_difference() {
    let all = "decl a, b, c, d; void main() begin a := F; b := a; c := F; d := F; assert(!a); end";
    assert_eq!(enumeration(all).net.initial.len(), 1);
    let read = "decl a, b, c, d; void main() begin b := a; a := F; c := F; d := F; assert(!b); end";
    assert_eq!(enumeration(read).net.initial.len(), 2);
    let started = "decl a, b; void f() begin assert(a); end void main() begin a := F; start_thread f(); end";
    assert_eq!(enumeration(started).net.initial.len(), 2);
}

#[test]
fn copies_move_or_forbid() {
    let text = "void main() begin decl x := F; L: start_thread goto M; goto L;
        M: goto A, B; A: x$ := T constrain !x$; end_thread; B: x := *; assert(!x$); end";
    let enumeration = enumeration(text);
    let sweeps = || enumeration.net.transitions.iter().flat_map(|transition| &transition.sweep);
    assert!(sweeps().any(|(_, sweep)| *sweep == Sweep::Forbid));
    assert!(sweeps().any(|(_, sweep)| matches!(sweep, Sweep::Move(_))));
    assert!(
        enumeration
            .net
            .targets
            .iter()
            .all(|target| target.tokens.iter().map(|entry| entry.1).sum::<u32>() == 2)
    );
}

#[test]
fn the_first_thread_is_alone_where_no_other_comes() {
    let text = "decl a := F, b := F; void f() begin a := T; assert(!b); end
        void main() begin a := F; b := T; b := F; while (*) do start_thread f(); od end";
    assert!(enumeration(text).net.targets.is_empty());
}

#[test]
fn large_programs_end_in_a_bound() {
    let mut text = String::from("decl ");
    text += &(0..30).map(|number| format!("g{number}")).collect::<Vec<_>>().join(", ");
    text += "; void main() begin start_thread main(); assert(g0); end";
    let program = program(&text);
    let bounds = Bounds { pairs: 1000, transitions: 1000 };
    let asked: Vec<PropertyId> = program.properties.ids().collect();
    let refused = Enumeration::new(&program, &asked, Spawning::Always, bounds, &Limits::none()).err();
    assert!(matches!(refused, Some(Refusal::Stopped(Stop::Bound(_)))));
}

#[test]
fn nets_are_well_formed_and_the_same_each_time() {
    for shape in [Shape::threaded(), Shape::broadcast()] {
        for seed in 0..100 {
            let syntax = generate(seed, &shape);
            let (program, _) =
                check(&syntax, &CheckOptions::default()).expect("generated programs are right");
            let asked: Vec<PropertyId> = program.properties.ids().collect();
            let Ok(net) = net_of(&program, &asked, line, &Limits::none()) else { continue };
            assert_eq!(net.check(), Ok(()), "seed {seed}");
            assert_eq!(net_of(&program, &asked, line, &Limits::none()).as_ref(), Ok(&net), "seed {seed}");
        }
    }
}

#[test]
fn a_limit_at_any_moment_stops() {
    let program = program(
        "decl g := F; void f() begin decl x; atomic_begin; x := *; g := x; atomic_end; assert(!g); end
        void main() begin while (*) do start_thread f(); od end",
    );
    let asked: Vec<PropertyId> = program.properties.ids().collect();
    let full = net_of(&program, &asked, line, &Limits::none()).expect("no recursion");
    for moment in 1..2000 {
        match net_of(&program, &asked, line, &Limits::firing_at(moment)) {
            Ok(net) => return assert_eq!(net, full),
            Err(refusal) => assert_eq!(refusal, Refusal::Stopped(Stop::Timeout)),
        }
    }
    panic!("the enumeration takes more than 2000 checks");
}
