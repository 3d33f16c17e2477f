//! What k-induction proves, and with how few steps.

use super::Induction;
use crate::boolean::check::{CheckOptions, check};
use crate::boolean::parse::parse;
use crate::engine::{Answer, Answers, Engine, Query, Threads};
use crate::ground::event::Silent;
use crate::ground::limits::Limits;
use crate::ground::reason::Reason;
use crate::ground::run::Run;
use crate::ground::source::SourceFile;

fn ask(text: &str, threads: Threads) -> Answers {
    let file = SourceFile::new("test.bp", text);
    let parsed = parse(&file).unwrap_or_else(|errors| panic!("{errors:?}"));
    let (program, _) = check(&parsed, &CheckOptions::default()).unwrap_or_else(|errors| panic!("{errors:?}"));
    let query = Query { properties: program.properties.ids().collect(), threads };
    Induction.check(&program, &query, Run { limits: &Limits::none(), observer: &Silent }).expect("no limit")
}

fn holds(text: &str, threads: usize) -> u64 {
    let answers = ask(text, Threads::AtMost(threads));
    assert_eq!(answers.answers, vec![Answer::Unreachable; answers.answers.len()], "{text}");
    answers.statistics.get("steps of the longest run")
}

/// A lock by one atomic test: who is past it has it.
const LOCK: &str = "decl held := F, inside := F;
    void worker() begin
      while (T) do
        atomic_begin; assume(!held); held := T; atomic_end;
        assert(!inside); inside := T; inside := F; held := F;
      od
    end
    void main() begin while (*) do start_thread worker(); od end";

#[test]
fn a_lock_is_no_matter_for_one_thread() {
    assert!(holds(LOCK, 1) < 10);
}

/// Whatever the sixty values are and however many threads move them: nobody looks at them, and two steps tell all.
#[test]
fn many_values_that_do_not_matter_cost_nothing() {
    let names: Vec<String> = (0..60).map(|number| format!("v{number}")).collect();
    let turned: Vec<String> =
        (0..60).map(|number| format!("v{} ^ v{}", (number * 7 + 1) % 60, (number * 11 + 5) % 60)).collect();
    let (names, turned) = (names.join(", "), turned.join(", "));
    let text = format!(
        "decl {names}; decl a := F, b := F;
         void worker() begin
           while (T) do
             {names} := {turned};
             atomic_begin; a, b := v1, v1; assert(a = b); atomic_end;
           od
         end
         void main() begin while (*) do start_thread worker(); od end"
    );
    let steps: Vec<u64> = (2..=4).map(|threads| holds(&text, threads)).collect();
    assert!(steps.iter().all(|&steps| steps < 5), "{steps:?}");
}

#[test]
fn a_violation_may_come_after_one_of_another_property() {
    let answers = ask("void main() begin assert(*); assert(F); end", Threads::AtMost(1));
    assert!(answers.answers.iter().all(|answer| matches!(answer, Answer::Reachable(_))), "{answers:?}");
}

#[test]
fn all_states_that_can_be_reached_are_a_proof_too() {
    // From elsewhere, runs of any length lead to a violation: the counter goes through its other values.
    let text = "decl a := F, b := F, c := F;
        void main() begin while (T) do if (!a & !b & !c) then a := T; else if (a) then a := F; b := T; c := F; fi
        if (b) then b := F; fi fi od assert(F); end";
    holds(text, 1);
}

#[test]
fn runs_to_violations_are_shortest_and_told() {
    let answers = ask(
        &LOCK.replace("assume(!held); held := T;", "assume(!held); atomic_end; atomic_begin; held := T;"),
        Threads::AtMost(3),
    );
    assert!(matches!(answers.answers[..], [Answer::Reachable(_)]), "{answers:?}");
}

#[test]
fn what_it_cannot_do_it_says() {
    let cases = [
        (LOCK, Threads::Unbounded, "number of threads"),
        (
            "decl g; void f() begin f(); assert(g); end void main() begin f(); end",
            Threads::AtMost(1),
            "recurs",
        ),
        (
            "void main(p) begin assume(p$); assert(p); end",
            Threads::AtMost(2),
            "local variables of other threads",
        ),
    ];
    for (text, threads, why) in cases {
        let answers = ask(text, threads);
        let [Answer::Unknown(reason)] = &answers.answers[..] else { panic!("{answers:?}") };
        let is_recursion = matches!(reason, Reason::Recursion(_)) && why == "recurs";
        assert!(is_recursion || reason.to_string().contains(why), "{reason}");
    }
}
