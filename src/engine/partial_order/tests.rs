use super::*;
use crate::bdd::BackEnd;
use crate::boolean::check::{CheckOptions, check};
use crate::boolean::parse::parse;
use crate::engine::Answer;
use crate::engine::counter::Counter;
use crate::engine::interleaving::Interleaving;
use crate::engine::{Engine, Query, Threads};
use crate::ground::event::Silent;
use crate::ground::run::Run;
use crate::ground::source::SourceFile;

const ALL: [PartialOrder; 5] = [
    PartialOrder::None,
    PartialOrder::Local,
    PartialOrder::Ample,
    PartialOrder::Persistent,
    PartialOrder::Cartesian,
];

fn program(text: &str) -> Program {
    let syntax = parse(&SourceFile::new("test.bp", text)).expect("the program is well-formed");
    check(&syntax, &CheckOptions::default()).expect("the program is well-formed").0
}

/// Hands the facts on a program to a test, with the location of each label.
fn with_facts(text: &str, test: impl FnOnce(&Facts<'_>, &dyn Fn(&str) -> LocationId)) {
    let program = program(text);
    let template = Template::new(&program, &Limits::none()).expect("no recursion");
    let facts = Facts::new(&program, &template, &Limits::none()).expect("there is no limit");
    let at = |label: &str| {
        let labelled = |id: &LocationId| {
            let node = &program.nodes[template.locations[*id].top().node];
            node.labels.iter().any(|name| **name == *label)
        };
        template.locations.ids().find(labelled).expect("the label is reached")
    };
    test(&facts, &at);
}

fn engines(reduction: PartialOrder) -> [Box<dyn Engine>; 2] {
    let back_end = BackEnd::Biodivine;
    [
        Box::new(Interleaving::new(back_end).reduced(reduction)),
        Box::new(Counter::new(back_end).reduced(reduction)),
    ]
}

/// Every engine with every reduction finds the violation of the only property.
fn all_find_it(text: &str, threads: usize) {
    let program = program(text);
    let query = Query { properties: program.properties.ids().collect(), threads: Threads::AtMost(threads) };
    for reduction in ALL {
        for mut engine in engines(reduction) {
            let limits = Limits::none();
            let run = Run { limits: &limits, observer: &Silent };
            let answers = engine.check(&program, &query, run).expect("there is no limit").answers;
            let found = matches!(answers[..], [Answer::Reachable(_)]);
            assert!(found, "{} with {reduction:?}: {answers:?}", engine.name());
        }
    }
}

#[test]
fn a_read_conflicts_with_a_write_and_not_with_a_read() {
    let text = "decl s, t; void main() begin decl l;\n\
                a: l := s; b: s := l; c: t := l; d: assume(s); e: skip; end";
    with_facts(text, |facts, at| {
        let conflict = |one, other| facts.now(at(one)).conflicts(facts.now(at(other)));
        assert!(conflict("a", "b") && conflict("b", "a") && conflict("b", "b") && conflict("b", "d"));
        assert!(!conflict("a", "d") && !conflict("a", "a") && !conflict("b", "c") && !conflict("b", "e"));
        assert!(facts.now(at("e")).is_private() && !facts.now(at("a")).is_private());
        assert!(facts.ever(at("a")).conflicts(facts.now(at("c"))));
        assert!(!facts.ever(at("e")).conflicts(facts.now(at("c"))));
    });
}

#[test]
fn what_a_started_thread_does_is_in_the_future_of_its_starter() {
    let text = "decl s; void f() begin w: s := T; end void main() begin a: start_thread f(); b: skip; end";
    with_facts(text, |facts, at| {
        assert!(facts.ever(at("a")).conflicts(facts.now(at("w"))));
        assert!(!facts.ever(at("b")).conflicts(facts.now(at("w"))));
        assert!(!facts.now(at("a")).conflicts(facts.now(at("w"))));
        assert!(facts.now(at("a")).conflicts(facts.ever(at("w"))), "a start depends on who ends");
        assert!(!facts.ever(at("b")).conflicts(facts.ever(at("b"))), "ends do not depend on each other");
    });
}

#[test]
fn a_section_is_one_step() {
    let text = "decl s, t; void main() begin\n\
                a: atomic_begin; s := T; atomic_end; b: t := T; c: s := F; end";
    with_facts(text, |facts, at| {
        assert!(facts.now(at("a")).conflicts(facts.now(at("c"))));
        assert!(!facts.now(at("a")).conflicts(facts.now(at("b"))));
        assert!(facts.may_go_alone(at("a")));
    });
    let blocks = "decl s; void main() begin a: atomic_begin; assume(s); atomic_end; end";
    with_facts(blocks, |facts, at| assert!(!facts.may_go_alone(at("a"))));
    let loops = "void main() begin a: atomic_begin; while (*) do skip; od atomic_end; end";
    with_facts(loops, |facts, at| assert!(!facts.may_go_alone(at("a"))));
}

#[test]
fn broadcasts_depend_on_the_threads_that_hear_them() {
    let text = "void g() begin decl m; w: m := T; end\n\
                void main() begin decl l, k; start_thread g(); start_thread goto a;\n\
                b: l$ := T; c: end_thread; a: l := F; d: k := F; end";
    with_facts(text, |facts, at| {
        assert!(facts.now(at("b")).conflicts(facts.now(at("a"))));
        assert!(facts.now(at("b")).conflicts(facts.now(at("b"))));
        assert!(!facts.now(at("b")).conflicts(facts.now(at("d"))));
        assert!(facts.now(at("b")).conflicts(facts.ever(at("d"))), "it has a frame that hears");
        assert!(!facts.now(at("b")).conflicts(facts.ever(at("w"))));
        assert!(!facts.now(at("a")).conflicts(facts.now(at("a"))), "each thread has its own");
    });
}

#[test]
fn branches_on_private_variables_may_be_dropped_and_others_not() {
    let text = "decl s; void main() begin decl l;\n\
                if (l) then a: skip; fi b: skip; if (s) then c: skip; fi d: assume(l); e: skip; end";
    let program = program(text);
    let template = Template::new(&program, &Limits::none()).expect("no recursion");
    let facts = Facts::new(&program, &template, &Limits::none()).expect("there is no limit");
    let kinds = |kind| template.locations.ids().filter(|&id| facts.blocking(id) == kind).count();
    assert_eq!(kinds(Blocking::Dropped), 2, "both branches of the first");
    assert_eq!(kinds(Blocking::Perhaps), 3, "both of the second, and the assumption");
}

#[test]
fn only_the_end_of_a_loop_leads_back() {
    let text = "void main() begin decl l; while (l) do a: l := *; od b: skip; end";
    let program = program(text);
    let template = Template::new(&program, &Limits::none()).expect("no recursion");
    let facts = Facts::new(&program, &template, &Limits::none()).expect("there is no limit");
    let back = template.locations.ids().filter(|&id| facts.leads_back(id));
    assert_eq!(back.count(), 1);
}

#[test]
fn groups_are_closed_under_dependence() {
    let text = "decl s, t; void f() begin a: s := *; end void g() begin b: t := *; end\n\
                void h() begin c: s := t; end void main() begin\n\
                start_thread f(); start_thread g(); start_thread h(); d: skip; end";
    with_facts(text, |facts, at| {
        let crowd = |labels: &[&str]| {
            let mut crowd: Crowd = labels.iter().map(|label| (at(label), 1)).collect();
            crowd.sort_unstable();
            crowd
        };
        let sizes = |labels: &[&str]| {
            let groups = persistent::groups(facts, &crowd(labels))?;
            let mut sizes: Vec<usize> = groups.iter().map(Vec::len).collect();
            sizes.sort_unstable();
            Some(sizes)
        };
        assert_eq!(sizes(&["a", "b"]), Some(vec![1, 1]));
        assert_eq!(sizes(&["a", "b", "c"]), None);
        assert_eq!(sizes(&["a", "c", "d"]), Some(vec![1, 2]));
    });
}

#[test]
fn regions_end_where_threads_depend_on_each_other() {
    let text = "decl s, t; void f() begin decl l; a: l := T; l := F; c: s := l; e: skip; end\n\
                void main() begin start_thread f(); b: t := T; d: s := T; g: skip; end";
    with_facts(text, |facts, at| {
        let mut crowd = vec![(at("a"), 1), (at("b"), 1)];
        crowd.sort_unstable();
        let regions = cartesian::regions(facts, &crowd).expect("there are steps that do not conflict");
        let inner = |label: &str| regions.iter().any(|(_, region)| region.contains(&at(label)));
        assert!(inner("a") && inner("b"));
        assert!(!inner("c") || !inner("d"), "one of two that conflict is last");
    });
}

/// [Bas10, example 6.1].
#[test]
fn an_assumption_of_one_thread_does_not_hide_what_another_does() {
    all_find_it(
        "decl s; void main() begin s := *; start_thread goto p; assume(s); end_thread;\n\
         p: assume(!s); assert(F); end",
        2,
    );
}

/// [Bas10, example 6.2].
#[test]
fn an_assertion_is_looked_at_before_and_after_what_others_do() {
    all_find_it(
        "decl s; void main() begin decl l; s := T; start_thread goto p; l := T; s := F; end_thread;\n\
         p: assert(s); end",
        2,
    );
}

#[test]
fn a_private_loop_does_not_keep_others_waiting() {
    all_find_it(
        "void f() begin assert(F); end\n\
         void main() begin decl l; l := T; start_thread f(); while (l) do l := T; od end",
        2,
    );
    all_find_it(
        "void f() begin assert(F); end\n\
         void main() begin start_thread f(); while (T) do skip; od end",
        2,
    );
}

#[test]
fn a_thread_that_is_stuck_does_not_keep_others_waiting() {
    all_find_it(
        "void f() begin assert(F); end\n\
         void main() begin decl l; l := F; start_thread f(); assume(l); end",
        2,
    );
    all_find_it(
        "void f() begin assert(F); end\n\
         void main() begin decl l; l := *; start_thread f(); l := T constrain (!'l); end",
        2,
    );
    all_find_it(
        "void f() begin assert(F); end\n\
         void main() begin decl l; l := F; start_thread f(); atomic_begin; assume(l); atomic_end; end",
        2,
    );
    all_find_it(
        "void f() begin assert(F); end\n\
         void main() begin start_thread f(); atomic_begin; while (T) do skip; od atomic_end; end",
        2,
    );
}

#[test]
fn places_are_freed_and_taken_in_every_order() {
    // The second start does nothing unless the first thread has ended.
    all_find_it(
        "void f() begin skip; end void g() begin assert(F); end\n\
         void main() begin start_thread f(); start_thread g(); end",
        2,
    );
}

/// More threads than are tried by ourselves: whatever the reduction leaves out, the verdict is unknown.
#[test]
fn runs_that_are_given_up_are_noticed_with_every_reduction() {
    let texts = [
        "void f() begin while (T) do skip; od end\n\
         void main() begin while (*) do start_thread f(); od assert(T); end",
        "void f() begin decl l; l := T; l := F; end\n\
         void main() begin start_thread f(); start_thread f(); start_thread f(); assert(T); end",
        "decl s; void f() begin start_thread g(); end void g() begin s := T; end\n\
         void main() begin start_thread f(); start_thread f(); assert(T); end",
    ];
    for text in texts {
        let program = program(text);
        let query = Query { properties: program.properties.ids().collect(), threads: Threads::Unbounded };
        for reduction in ALL {
            let engines: [Box<dyn Engine>; 2] = [
                Box::new(Interleaving::new(BackEnd::Biodivine).up_to(2).reduced(reduction)),
                Box::new(Counter::new(BackEnd::Biodivine).up_to(2).reduced(reduction)),
            ];
            for mut engine in engines {
                let limits = Limits::none();
                let run = Run { limits: &limits, observer: &Silent };
                let answers = engine.check(&program, &query, run).expect("there is no limit");
                let unknown = matches!(answers.answers[..], [Answer::Unknown(_)]);
                assert!(unknown && !answers.assurance.sound, "{} with {reduction:?}", engine.name());
            }
        }
    }
}
