//! Small programs whose verdicts are plain, and what the engine says of them.

use super::{Bounded, Kept};
use crate::boolean::cfg::Program;
use crate::boolean::check::{CheckOptions, check};
use crate::boolean::parse::parse;
use crate::certify::replay;
use crate::engine::{Answer, Answers, Engine, Query, Threads};
use crate::ground::event::Silent;
use crate::ground::limits::Limits;
use crate::ground::reason::Reason;
use crate::ground::run::Run;
use crate::ground::source::SourceFile;

fn program(text: &str) -> Program {
    let syntax = parse(&SourceFile::new("test.bp", text)).expect("the program is well-formed");
    check(&syntax, &CheckOptions::default()).expect("the program is well-formed").0
}

fn ask(program: &Program, mut engine: Bounded) -> Answers {
    let query = Query { properties: program.properties.ids().collect(), threads: Threads::Unbounded };
    let run = Run { limits: &Limits::none(), observer: &Silent };
    engine.check(program, &query, run).expect("there is no limit")
}

/// Which properties are violated, `!` for violated and `.` for unreachable.
fn verdicts(text: &str) -> String {
    let program = program(text);
    let told = |answer: &Answer| match answer {
        Answer::Reachable(trace) => {
            replay(&program, trace, Threads::Unbounded).unwrap_or_else(|mismatch| panic!("{mismatch}"));
            '!'
        }
        Answer::Unreachable => '.',
        Answer::Unknown(_) => '?',
    };
    ask(&program, Bounded::default()).answers.iter().map(told).collect()
}

#[test]
fn straight_lines_and_branches() {
    assert_eq!(verdicts("decl g; void main() begin assert(g); g := T; assert(g); end"), "!.");
    assert_eq!(
        verdicts("decl g; void main() begin if (g) then g := !g; else g := F; fi assert(!g); assert(g); end"),
        ".!"
    );
    assert_eq!(
        verdicts("decl g, h; void main() begin g, h := *, * constrain 'g != 'h; assert(g != h); end"),
        "."
    );
    assert_eq!(
        verdicts("void main() begin goto a, b, c; a: assert(F); b: assume(F); c: assert(T); end"),
        "!."
    );
}

#[test]
fn loops_that_end_by_a_fixed_point() {
    let swap = "decl a, b; void main() begin a, b := T, F; while (*) do a, b := b, a; od assert(a != b); end";
    assert_eq!(verdicts(swap), ".");
    let count = "decl a, b, c; void main() begin a, b, c := F, F, F; while (*) do
        a, b, c := !a, a != b, c != (a & b); od assert(!(a & b & c)); end";
    assert_eq!(verdicts(count), "!");
    let bounded = "decl a, b, c; void main() begin a, b, c := F, F, F; while (!(b & c)) do
        a, b, c := !a, a != b, c != (a & b); od assert(!(a & b & c)); end";
    assert_eq!(verdicts(bounded), ".");
}

#[test]
fn recursion() {
    let even = "decl n0, n1, n2; void down() begin
        n0, n1, n2 := !n0, !(n0 != n1), n2 != (!n0 & !n1); end
        bool even() begin if (!(n0 | n1 | n2)) then return T; fi down(); return odd(); end
        bool odd() begin decl r; if (!(n0 | n1 | n2)) then return F; fi down(); r := even(); return r; end
        void main() begin decl e, start; start := !n0; e := even(); assert(e = start); assert(e); end";
    let text = even
        .replace("return odd();", "odd_result := odd(); return odd_result;")
        .replace("decl n0", "decl odd_result, n0");
    assert_eq!(verdicts(&text), ".!");
    let deep =
        "decl a, b, c; void f() begin assert(!(a & b & c)); a, b, c := !a, a != b, c != (a & b); f(); end
        void main() begin a, b, c := F, F, F; f(); end";
    assert_eq!(verdicts(deep), "!");
    assert_eq!(
        verdicts("decl a; void f() begin f(); a := T; end void main() begin a := F; f(); assert(F); end"),
        "."
    );
}

#[test]
fn procedures_that_do_not_matter_are_never_opened() {
    let text = "decl a, b; void g() begin while (*) do b := !b; od end void main() begin a := T; g(); assert(a); end";
    let found = ask(&program(text), Bounded::default());
    assert_eq!(found.answers, [Answer::Unreachable]);
    assert_eq!(found.statistics.get("procedures never opened"), 1);
}

#[test]
fn what_is_cut_off_is_unknown() {
    let text = "decl a, b, c; void main() begin a, b, c := F, F, F; while (!(a & b & c)) do
        a, b, c := !a, a != b, c != (a & b); od assert(F); end";
    assert_eq!(verdicts(text), "!");
    let unbounded = "decl a, b; void main() begin a, b := F, F; while (*) do a, b := b, *; od assert(F); end";
    assert_eq!(verdicts(unbounded), "!");
    let found = ask(&program(text), Bounded::up_to(1));
    assert_eq!(found.answers, [Answer::Unknown(Reason::BoundedTo { unrollings: 1, nesting: 1 })]);
}

#[test]
fn values_of_a_loop_before_are_choices_of_the_next() {
    let text = "decl g0, g2; void main() begin while (*) do g0 := F; od
        g2 := !g0; while (!g2) do g2 := T; od assert(F = g0); end";
    assert_eq!(verdicts(text), "!");
}

/// A loop that soon does nothing more, over many arbitrary values: each instance of a check for a fixed point covers one of
/// them. The second half of the variables are the negations of the first.
fn phases(variables: usize) -> String {
    let list = |of: &dyn Fn(usize) -> String| (0..variables).map(of).collect::<Vec<_>>().join(", ");
    let (first, second) = (list(&|i| format!("v{i}")), list(&|i| format!("w{i}")));
    let (any, negated) = (list(&|_| "*".into()), list(&|i| format!("!v{i}")));
    let claim = (0..variables).map(|i| format!("(v{i} != w{i})")).collect::<Vec<_>>().join(" & ");
    format!(
        "decl p, q, {first}, {second}; void main() begin p, q := F, F;
         while (*) do if (!q) then if (*) then p, q := T, p; {first} := {any}; {second} := {negated}; fi fi od
         assert(!p | {claim}); end"
    )
}

#[test]
fn a_loop_that_does_nothing_more_ends_by_its_recurrence_diameter() {
    assert_eq!(verdicts(&phases(24)), ".");
    let early = Bounded { stages: 3, ..Bounded::default() };
    assert_eq!(ask(&program(&phases(24)), early).answers, [Answer::Unreachable]);
}

#[test]
fn the_recurrence_diameter_alone_decides_small_loops() {
    let decided = |text: &str| ask(&program(text), Bounded::by_recurrence()).answers;
    let swap = "decl a, b; void main() begin a, b := T, F; while (*) do a, b := b, a; od assert(a != b); end";
    assert_eq!(decided(swap), [Answer::Unreachable]);
    let nested = "decl a, b, c; void main() begin a, b, c := F, F, F; while (*) do a := !a;
        while (*) do b := !b; c := b; od b := F; c := F; od assert(b = c); end";
    assert_eq!(decided(nested), [Answer::Unreachable]);
}

/// The same by recursion: there are too many pieces, and no other way to close it.
#[test]
fn recursion_with_many_results_is_unknown_beyond_its_bounds() {
    let text = phases(24)
        .replace("void main() begin p, q := F, F;\n         while (*) do", "void f() begin if (*) then")
        .replace(
            "fi fi od\n         assert",
            "fi fi f(); fi end void main() begin p, q := F, F; f(); assert",
        );
    let found = ask(&program(&text), Bounded { stages: 3, ..Bounded::default() });
    assert_eq!(found.answers, [Answer::Unknown(Reason::BoundedTo { unrollings: 4, nesting: 3 })]);
}

/// A violation in a procedure below others, after as many rounds of a loop as three bits count.
fn deep(claim: &str) -> String {
    format!(
        "decl a, b, c; void f() begin a, b, c := !a, a != b, c != (a & b); end void g() begin f(); end
         void main() begin a, b, c := F, F, F; while (*) do g(); od assert({claim}); end"
    )
}

#[test]
fn a_search_goes_on_from_what_the_one_before_left() {
    let attempts = |found: &Answers| found.statistics.get("attempts");
    let (one, other) = (program(&deep("!(a & b & c)")), program(&deep("!(b & c)")));
    let alone = ask(&other, Bounded::default());
    let mut engine = Bounded::default();
    let query = |program: &Program| Query {
        properties: program.properties.ids().collect(),
        threads: Threads::Unbounded,
    };
    let run = Run { limits: &Limits::none(), observer: &Silent };
    engine.check(&one, &query(&one), run).expect("there is no limit");
    let kept = engine.kept().expect("it keeps something").clone();
    let after = ask(&other, Bounded::default().after(kept.clone()));
    assert!(attempts(&after) < attempts(&alone), "{} and {}", attempts(&after), attempts(&alone));
    for found in [&alone, &after] {
        let [Answer::Reachable(trace)] = &found.answers[..] else { panic!("{:?}", found.answers) };
        assert_eq!(replay(&other, trace, Threads::Unbounded), Ok(()));
    }
    let few = ask(&other, Bounded { kept, ..Bounded::up_to(1) });
    assert_eq!(few.answers, [Answer::Unknown(Reason::BoundedTo { unrollings: 1, nesting: 1 })]);
}

#[test]
fn what_an_undecided_search_leaves_is_what_it_got() {
    let program = program(&deep("!(a & b & c)"));
    let mut engine = Bounded::up_to(1);
    let query = Query { properties: program.properties.ids().collect(), threads: Threads::Unbounded };
    let run = Run { limits: &Limits::none(), observer: &Silent };
    engine.check(&program, &query, run).expect("there is no limit");
    assert_eq!(engine.kept(), Some(&Kept::default()));
}
