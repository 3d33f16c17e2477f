//! One small program per sentence of the description of the language: what the semantics says of it.

use super::{Frame, Interpreter, State, Thread, Threads};
use crate::boolean::cfg::{Op, Program};
use crate::boolean::check::{CheckOptions, check};
use crate::boolean::parse::parse;
use crate::certify::replay;
use crate::engine::Answer;
use crate::engine::explicit::Explicit;
use crate::engine::{Engine, Query};
use crate::ground::bits::Bits;
use crate::ground::event::Silent;
use crate::ground::limits::Limits;
use crate::ground::run::Run;
use crate::ground::source::SourceFile;

/// The names of the violated properties with at most so many threads, as `1 2 label`: numbers of assertions
/// of `main`; of other procedures with their names, as `f.1`.
fn violated(text: &str, threads: usize) -> String {
    let program = program(text);
    let threads = Threads::AtMost(threads);
    let query = Query { properties: program.properties.ids().collect(), threads };
    let run = Run { limits: &Limits::none(), observer: &Silent };
    let answers = Explicit::default().check(&program, &query, run).expect("no limit");
    let mut names = Vec::new();
    for (&property, answer) in query.properties.iter().zip(&answers.answers) {
        match answer {
            Answer::Unreachable => {}
            Answer::Unknown(reason) => panic!("unknown ({reason})"),
            Answer::Reachable(trace) => {
                replay(&program, trace, threads).unwrap_or_else(|mismatch| panic!("{mismatch}"));
                let name =
                    program.properties[property].name.replace("assert.", "").replace(".SLIC_ERROR", "");
                names.push(name.trim_start_matches("main.").to_owned());
            }
        }
    }
    names.join(" ")
}

fn program(text: &str) -> Program {
    let file = SourceFile::new("test.bp", text);
    let parsed = parse(&file).unwrap_or_else(|errors| panic!("{errors:?}"));
    check(&parsed, &CheckOptions::default()).unwrap_or_else(|errors| panic!("{text}: {errors:?}")).0
}

fn sequential(body: &str, expected: &str) {
    assert_eq!(violated(body, 1), expected, "{body}");
}

/// The body of `main` with globals g and h.
fn body(body: &str, expected: &str) {
    sequential(&format!("decl g, h; void main() begin {body} end"), expected);
}

fn threaded(text: &str, threads: usize, expected: &str) {
    assert_eq!(violated(text, threads), expected, "{threads} threads: {text}");
}

#[test]
fn every_star_is_a_fresh_choice() {
    body("g := *; assert(g = g); assert(* = *);", "2");
    body("if (*) then assert(F); fi if (*) then assert(F); fi", "1 2");
}

#[test]
fn schoose_is_positive_or_else_negative_or_else_a_choice() {
    body("g := schoose[T, T]; assert(g);", "");
    body("g := schoose[F, T]; assert(!g);", "");
    body("g := schoose[F, F]; if (g) then assert(F); else assert(F); fi", "1 2");
}

#[test]
fn parallel_assignment_reads_the_old_state() {
    body("assume(g & !h); g, h := h, g; assert(!g); assert(h);", "");
}

#[test]
fn constraint_relates_old_and_new_state() {
    body("assume(g); g := * constrain 'g != g; assert(!g);", "");
    body("g := * constrain 'g & 'h; assert(g); assert(h);", "");
    body("assume(!h); g := * constrain 'h; assert(F);", "");
    body("g := T constrain *; assert(!g);", "1");
    body("g := T constrain F; assert(F);", "");
}

#[test]
fn variables_are_arbitrary_without_initial_value() {
    body("assert(g); assert(!g);", "1 2");
    sequential("void main() begin decl l; assert(l); assert(!l); end", "1 2");
    sequential("void main(p) begin assert(p); assert(!p); end", "1 2");
}

#[test]
fn initial_values_are_evaluated_in_order() {
    sequential("decl a := T, b := !a; decl c := b | a; void main() begin assert(a & !b & c); end", "");
    sequential("decl a; decl b := a; void main() begin assert(a = b); assert(a); end", "2");
    sequential("decl a := T; void main() begin decl l := a, m := l & !l; assert(l & !m); end", "");
}

/// Nobody moves between the start of a thread, or a call, and the initial values of local variables.
#[test]
fn initial_values_of_locals_belong_to_the_entry() {
    let started = "decl g := F; void f() begin decl l := g; assert(!l); end
        void main() begin start_thread f(); g := T; end";
    threaded(started, 2, "");
    let called = "decl g; void f() begin decl l := g, m := !g; assert(l != m); assert(l = g); end
        void toggle() begin while (*) do g := !g; od end
        void main() begin start_thread toggle(); f(); end";
    threaded(called, 2, "f.2");
    let seen_by_others = "void f() begin decl l := T; assert(l$); end
        void main() begin start_thread f(); start_thread f(); end";
    threaded(seen_by_others, 3, "");
    let first = "void main() begin decl l := T; assert(l); start_thread main(); end";
    threaded(first, 2, "");
}

#[test]
fn initial_values_read_the_arguments_that_were_chosen() {
    let start = "void k() begin skip; end void main() begin start_thread k();";
    let copied = "void f(p) begin decl l := p, m := l; assert(l = p); assert(m = p); assert(p); end";
    threaded(&format!("{copied} {start} f(*); end"), 2, "f.3");
    threaded(&format!("{copied} {start} f(schoose[F, F]); end"), 2, "f.3");
    threaded(&format!("{copied} {start} f(schoose[T, *]); end"), 2, "");
    threaded(&format!("{copied} {start} start_thread f(* | *); end"), 2, "f.3");
    let arbitrary =
        "void f() begin decl a, b := a, c := *, d := c; assert(a = b); assert(c = d); assert(a & c); end";
    threaded(&format!("{arbitrary} {start} f(); end"), 2, "f.3");
    let again = "decl g, h; void f(p) begin decl l := p; g := l; end";
    threaded(&format!("{again} {start} a: f(*); h := g; f(*); assert(g = h); goto a; end"), 2, "1");
    threaded(&format!("{again} {start} goto a; a: SLIC_ERROR: f(*); end"), 2, "label");
    let recursive = "void f(p) begin decl l := !p; assert(l != p); f(p & l); f(*); end";
    threaded(&format!("{recursive} {start} assume(F); f(*); end"), 2, "");
}

#[test]
fn initial_threads_get_their_initial_values_before_any_moves() {
    let both = "decl g := F; void thread0() begin decl l := g; assert(!l); g := T; end
        void thread1(p) begin decl l := g, m := p; assert(!l); assert(m = p); g := T; end";
    threaded(both, 2, "");
}

#[test]
fn assertion_fails_if_it_can_be_false_and_ends_that_run_only() {
    body("assert(F); assert(F);", "1");
    body("assert(*); assert(F);", "1 2");
    body("assert(g); assert(!g | h);", "1 2");
}

#[test]
fn error_label_is_reached_before_its_statement_and_does_not_end_the_run() {
    body("SLIC_ERROR: assume(F); assert(F);", "label");
    body("SLIC_ERROR: skip; assert(F);", "label 1");
    body("assume(F); SLIC_ERROR: skip;", "");
}

#[test]
fn assume_blocks_unless_it_can_hold() {
    body("assume(F); assert(F);", "");
    body("assume(*); assert(F);", "1");
    body("assume(g); assert(g);", "");
}

#[test]
fn abortif_ends_the_run_silently() {
    body("abortif(T); assert(F);", "");
    body("abortif(*); assert(F);", "1");
    body("abortif(g); assert(!g);", "");
}

#[test]
fn dead_forgets_and_print_does_nothing() {
    body("g, h := T, T; dead g; assert(h); assert(g);", "2");
    body("g := T; print g, !g; assert(g);", "");
}

#[test]
fn jumps_choose_a_label() {
    body("goto a, b; a: assert(F); b: assert(F); c: assert(F);", "1 2");
    body("a: g := !g; goto a, b; b: assert(g); ", "1");
    body("g := F; while (!g) do h := *; g := h; od assert(h);", "");
}

#[test]
fn branches_are_tried_in_order() {
    body("if (g) then assert(g); elsif (h) then assert(h & !g); else assert(!g & !h); fi", "");
    body("if (g) then skip; elsif (h) then assert(F); else assert(F); fi", "1 2");
}

#[test]
fn calls_bind_parameters_and_return_values() {
    sequential(
        "bool<2> f(a, b) begin return b, a; end void main() begin decl x, y; x, y := f(T, F); assert(!x & y); end",
        "",
    );
    sequential(
        "bool<2> f() begin return T, F; end void main() begin decl x; x := T; _, x := f(); assert(!x); end",
        "",
    );
    sequential("bool f() begin return T; end void main() begin decl x; x := F; f(); assert(!x); end", "");
    sequential(
        "decl g; bool f() begin g := T; return g; end void main() begin decl x; g := F; x := f(); assert(x & g); end",
        "",
    );
}

#[test]
fn falling_off_returns_arbitrary_values() {
    sequential(
        "bool f() begin skip; end void main() begin decl x; x := f(); assert(x); assert(!x); end",
        "1 2",
    );
}

#[test]
fn every_activation_has_its_own_locals() {
    let text = "void f(p) begin decl l; l := p; if (p) then f(F); assert(l); fi assert(l = p); end
        void main() begin f(T); end";
    sequential(text, "");
    sequential("void f() begin decl l; assert(l); end void main() begin f(); f(); end", "f.1");
}

#[test]
fn enforce_makes_dead_ends() {
    sequential("decl g; void main() begin enforce g; assert(g); g := F; assert(F); end", "");
    sequential("decl g; void main() begin enforce g; g := F; SLIC_ERROR: skip; end", "");
    sequential("decl g; void main() begin enforce g | *; g := F; assert(F); end", "1");
    let passing = "decl g; void f() begin g := F; g := *; end
        void main() begin enforce g; f(); assert(g); assert(F); end";
    sequential(passing, "2");
}

#[test]
fn started_label_copies_the_locals() {
    let text = "void main() begin decl l; l := T; start_thread goto a; l := F; assume(F); a: assert(l); assert(F); end";
    threaded(text, 2, "2");
    let arbitrary = "void f() begin decl l; assert(l); assert(!l); end void main() begin decl l; l := T; start_thread f(); end";
    threaded(arbitrary, 2, "f.1 f.2");
    let argument = "void f(p) begin assert(p); end void main() begin start_thread f(T); end";
    threaded(argument, 2, "");
}

#[test]
fn started_thread_has_one_frame() {
    let text =
        "void f() begin start_thread goto a; assume(F); a: skip; end void main() begin f(); assert(F); end";
    threaded(text, 2, "");
}

#[test]
fn thread_bound_counts_the_living() {
    let text = "decl g := F; void f() begin assert(F); end void main() begin start_thread f(); end";
    threaded(text, 1, "");
    threaded(text, 2, "f.1");
    let second = "decl g := F; void f() begin skip; end void h() begin assert(F); end
        void main() begin start_thread f(); start_thread h(); end";
    threaded(second, 1, "");
    threaded(second, 2, "h.1");
    let both = "decl g := F, h := F; void f() begin g := T; assume(F); end void k() begin assert(!g); end
        void main() begin start_thread f(); start_thread k(); end";
    threaded(both, 2, "");
    threaded(both, 3, "k.1");
}

#[test]
fn at_the_bound_starting_is_a_skip() {
    threaded("void main() begin start_thread main(); assert(F); end", 1, "1");
}

#[test]
fn threads_share_globals_and_interleave() {
    let text = "decl g := F; void f() begin g := T; g := F; end
        void main() begin start_thread f(); assert(!g); end";
    threaded(text, 2, "1");
    threaded(text, 1, "");
}

#[test]
fn atomic_sections_are_strong() {
    let text = "decl g := F; void f() begin atomic_begin; g := T; g := F; atomic_end; end
        void main() begin start_thread f(); assert(!g); end";
    threaded(text, 2, "");
}

#[test]
fn atomic_sections_do_not_nest() {
    let text =
        "decl g := F; void f() begin atomic_begin; atomic_begin; atomic_end; g := T; g := F; atomic_end; end
        void main() begin start_thread f(); assert(!g); end";
    threaded(text, 2, "1");
    threaded("void main() begin atomic_end; assert(F); end", 2, "1");
}

#[test]
fn started_thread_is_outside_the_section() {
    let text = "decl g := F; void f() begin assert(!g); end
        void main() begin atomic_begin; start_thread f(); g := T; g := F; atomic_end; end";
    threaded(text, 2, "");
    let later = "decl g := F; void f() begin assert(!g); end
        void main() begin atomic_begin; start_thread f(); g := T; atomic_end; end";
    threaded(later, 2, "f.1");
}

#[test]
fn end_of_the_thread_releases_the_section() {
    for end in ["end_thread;", "return;", ""] {
        let text = format!(
            "decl g := F; void f() begin assert(!g); end
             void main() begin atomic_begin; start_thread f(); g := T; {end} end"
        );
        threaded(&text, 2, "f.1");
    }
    let call = "decl g := F; void f() begin assert(!g); end void k() begin g := T; return; end
        void main() begin atomic_begin; start_thread f(); k(); g := F; atomic_end; end";
    threaded(call, 2, "");
}

#[test]
fn end_thread_ends_below_the_top_frame_too() {
    threaded("void f() begin end_thread; end void main() begin f(); assert(F); end", 2, "");
}

#[test]
fn blocked_section_blocks_the_system() {
    let text = "void f() begin assert(F); SLIC_ERROR: skip; end
        void main() begin atomic_begin; start_thread f(); assume(F); end";
    threaded(text, 2, "");
    let free = "void f() begin assert(F); end void main() begin start_thread f(); assume(F); end";
    threaded(free, 2, "f.1");
}

/// `main` starts `copies` threads at `w`, which set `l` as told and stay; then it runs a body with `l` false.
fn broadcast(copies: usize, setting: &str, body: &str, expected: &str) {
    let starts = "start_thread goto w; ".repeat(copies);
    let text = format!(
        "decl g, h, n := F; void main() begin decl l; l := F; goto r; w: atomic_begin; {setting} atomic_end;
         s: skip; goto s; r: atomic_begin; {starts} l := F; atomic_end; {body} end"
    );
    threaded(&text, 4, expected);
}

#[test]
fn broadcast_writes_every_copy_and_not_the_own() {
    // Whether each copy changed is seen by reading it back.
    for copies in 1..=2 {
        broadcast(copies, "l := F;", "l$ := T; assume(l$); assert(!l); assert(F);", "2");
        broadcast(copies, "l := F;", "l$ := T; assert(l$);", "1");
        broadcast(copies, "assume(T);", "atomic_begin; l$ := T; assert(l$); assert(!l);", "");
    }
}

#[test]
fn choices_are_fresh_per_copy() {
    let program = program("decl g; void main(p) begin p$, g := *, *; end");
    let (node, _) =
        program.nodes.enumerate().find(|(_, node)| matches!(node.op, Op::Assign { .. })).expect("one");
    for copies in 0..4 {
        let thread = Thread { frames: vec![Frame { node, locals: Bits::new(1) }] };
        let state = State { globals: Bits::new(1), threads: vec![thread; copies + 1], atomic: Some(0) };
        let successors = Interpreter::new(&program, Threads::Unbounded).successors(&state);
        assert_eq!(successors.len(), 2 << copies);
    }
}

#[test]
fn own_target_must_suit_every_copy() {
    let text = "decl g, n := F; void main(p) begin
        if (!n) then atomic_begin; n := T; p := T; start_thread goto w; p := F; start_thread goto w;
            p := *; g := p$; assert(F); fi
        w: assume(F); end";
    threaded(text, 3, "");
    threaded(text, 2, "1");
}

#[test]
fn condition_and_constraint_must_suit_every_copy() {
    let starts = "n := T; p := T; start_thread goto w; p := F; start_thread goto w;";
    for blocked in ["assume(p$);", "assume(!p$);", "g := * constrain 'g = p$;", "p$ := !p$ constrain 'p$;"] {
        let text = format!(
            "decl g, n := F; void main(p) begin if (!n) then atomic_begin; {starts} {blocked} assert(F); fi
             w: assume(F); end"
        );
        threaded(&text, 3, "");
    }
    for passing in ["assume(p$ | *);", "p$ := * constrain 'p$;", "g := * constrain 'g | p$ | !p$;"] {
        let text = format!(
            "decl g, n := F; void main(p) begin if (!n) then atomic_begin; {starts} {passing} assert(F); fi
             w: assume(F); end"
        );
        threaded(&text, 3, "1");
    }
}

#[test]
fn assertion_fails_for_some_copy() {
    let text = |condition: &str| {
        format!(
            "decl n := F; void main(p) begin if (!n) then atomic_begin; n := T; p := T; start_thread goto w;
             p := F; start_thread goto w; assert({condition}); fi w: assume(F); end"
        )
    };
    threaded(&text("p$"), 3, "1");
    threaded(&text("p$"), 2, "");
    threaded(&text("p$ | !p$"), 3, "");
}

#[test]
fn without_copies_some_values_must_do() {
    threaded("void main(p) begin assume(p$); assert(F); end", 1, "1");
    threaded("void main(p) begin assume(p$ & !p$); assert(F); end", 1, "");
    threaded("decl g; void main(p) begin g := p$; assert(g); assert(!g); end", 1, "1 2");
    threaded("void main(p) begin p$ := T constrain !'p$; assert(F); end", 1, "");
    threaded("void main(p) begin p$ := p$ constrain 'p$ & p$; assert(F); end", 1, "1");
    threaded("void main(p) begin assert(p$); assert(F & p$); end", 1, "2");
}

#[test]
fn copies_are_all_frames_of_the_procedure_in_other_threads() {
    // A frame below the top counts, a frame of another procedure and the own stack do not.
    let below = "decl n := F, m := F; void wait() begin m := T; assume(F); end
        void f(p) begin if (p) then wait(); fi assume(m); assert(p$); p$ := F; assert(!p$); assert(F); end
        void main() begin start_thread f(T); start_thread f(F); end";
    threaded(below, 3, "f.3");
    let other = "void k(p) begin assume(F); end void f(p) begin assert(p$); end
        void main() begin start_thread k(F); start_thread f(T); end";
    threaded(other, 3, "");
    let own = "void f(p, q) begin if (q) then f(T, F); fi assert(p$); end void main() begin f(F, T); end";
    threaded(own, 1, "");
}

#[test]
fn other_locals_of_a_copy_are_kept() {
    let text = "decl n := F; void main(p, q) begin if (!n) then atomic_begin; n := T; p, q := F, T; start_thread goto w;
        p$ := T; assert(p$ & q$); q := F; assert(q$); fi w: assume(F); end";
    threaded(text, 2, "");
}
