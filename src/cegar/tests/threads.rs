//! The loop on programs with threads, against all schedules of the machine.

use super::*;
use crate::ir::undefined::Fault;
use crate::llvm::tests::threaded::{Means, Source, explore_all_with};
use crate::program::ready::{ready, ready_with_one_copy};
use std::collections::{BTreeMap, BTreeSet};

/// Verifies a program with threads, without hunting.
pub(in crate::cegar) fn verified(source: &str) -> (Outcome, Program, Module) {
    verified_with(source, &[], ready)
}

/// How a program becomes ready.
type Ready = fn(&mut Program) -> Option<String>;

fn verified_with(source: &str, checks: &[Fault], ready: Ready) -> (Outcome, Program, Module) {
    let (module, mut program) = model(source, checks);
    let unready = ready(&mut program);
    let mut precision = Precision::default();
    initial(&mut program, &mut precision, Initial::None);
    let properties = program.properties.ids().collect();
    let task = Task {
        module: &module,
        machine: machine(checks),
        program: &mut program,
        unready,
        properties,
        anywhere: BTreeSet::new(),
        models: None,
    };
    let outcome =
        within(Duration::from_secs(30), |run| verify(task, precision, &options(0), &mut Blind, run));
    (outcome, program, module)
}

/// What is wrong with the verdicts on a program, if anything is. None if there are too many schedules.
fn disagreement(
    source: &str,
    checks: &[Fault],
    ready: Ready,
    counts: &mut BTreeMap<&'static str, usize>,
) -> Option<String> {
    let (outcome, program, module) = verified_with(source, checks, ready);
    let certificate = match &outcome.certified {
        Certified::Rejected(why) => return Some(format!("rejected: {why}")),
        Certified::No(why) if why == crate::certify::threads::MORE => "more than pairs",
        Certified::No(_) => "no certificate",
        Certified::Yes(_) => "certified",
        Certified::Nothing => "nothing to certify",
    };
    if let (Certified::No(why), Ok(_)) = (&outcome.certified, std::env::var("BOOLERO_VERBOSE")) {
        eprintln!("no certificate: {why}");
    }
    *counts.entry(certificate).or_default() += 1;
    let Some(violated) = explore_all_with(&module, &program, checks) else {
        *counts.entry("too large").or_default() += 1;
        return None;
    };
    for (id, verdict) in &outcome.verdicts {
        let name = &program.properties[*id].id;
        let kind = match verdict {
            Verdict::Holds if violated[id] => return Some(format!("{name} holds, but a run violates it")),
            Verdict::Violated(_) if !violated[id] => return Some(format!("{name} is violated by no run")),
            Verdict::Unknown(Reason::Defect(defect)) => return Some(format!("{name}: {defect}")),
            Verdict::Unknown(Reason::ReplayMismatch(_)) if !violated[id] => "mismatch, holds",
            Verdict::Unknown(Reason::ReplayMismatch(_)) => "mismatch, violated",
            Verdict::Holds => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::Unknown(_) => "unknown",
        };
        if std::env::var("BOOLERO_VERBOSE").is_ok() && kind != "holds" && kind != "violated" {
            eprintln!("{kind}: {verdict:?}");
        }
        *counts.entry(kind).or_default() += 1;
    }
    None
}

/// The smallest program that can be found with a disagreement.
fn shrunk(mut source: Source, checks: &[Fault], ready: Ready) -> (Source, String) {
    let mut text = String::new();
    let mut wrong = |smaller: Source| {
        disagreement(&smaller.text(), checks, ready, &mut BTreeMap::new()).map(|what| (smaller, what))
    };
    while let Some((smaller, what)) = source.smaller().into_iter().find_map(&mut wrong) {
        (source, text) = (smaller, what);
    }
    (source, text)
}

#[test]
fn verdicts_on_threads_agree_with_all_schedules() {
    let counts = counted(12, Means::Few, &[]);
    enough(&counts);
}

#[test]
fn verdicts_on_threads_with_counters_agree_with_all_schedules() {
    let counts = counted(12, Means::Counters, &[]);
    enough(&counts);
}

/// With one copy of what calls itself, so that much is forgotten: that may leave a program open, and no more.
#[test]
fn verdicts_on_threads_that_call_themselves_agree_with_all_schedules() {
    let counts = counted_with(12, Means::Recursion, &[], ready_with_one_copy);
    let of = |kind| counts.get(kind).copied().unwrap_or(0);
    assert!(of("holds") > 0 && of("violated") > 0, "{counts:?}");
}

/// Most programs are decided, and certified.
fn enough(counts: &BTreeMap<&'static str, usize>) {
    let of = |kind| counts.get(kind).copied().unwrap_or(0);
    assert!(
        of("certified") > 0 && of("no certificate") + of("more than pairs") < of("certified"),
        "{counts:?}"
    );
    assert!(of("holds") > 0 && of("violated") > 0, "{counts:?}");
    assert!((of("unknown") + of("mismatch, violated")) * 2 < of("holds") + of("violated"), "{counts:?}");
}

/// How often which verdict agrees with all schedules, on generated programs.
fn counted(count: u64, means: Means, checks: &[Fault]) -> BTreeMap<&'static str, usize> {
    counted_with(count, means, checks, ready)
}

fn counted_with(count: u64, means: Means, checks: &[Fault], ready: Ready) -> BTreeMap<&'static str, usize> {
    let (seed, count) = (number("BOOLERO_SEED", 1), number("BOOLERO_COUNT", count));
    let mut counts = BTreeMap::new();
    for seed in seed..seed + count {
        if seed % 50 == 0 {
            eprintln!("seed {seed}: {counts:?}");
        }
        let source = Source::of(seed, means);
        if std::env::var("BOOLERO_VERBOSE").is_ok() && count == 1 {
            eprintln!("{}", source.text());
        }
        if let Some(what) = disagreement(&source.text(), checks, ready, &mut counts) {
            eprintln!("seed {seed}: {what}; shrinking");
            let (small, smaller) = shrunk(source, checks, ready);
            panic!("seed {seed}: {what}; {smaller}\n{}", small.text());
        }
    }
    eprintln!("{counts:?}");
    counts
}

#[test]
fn races_agree_with_all_schedules() {
    let counts = counted(10, Means::Few, &[Fault::Race]);
    let of = |kind| counts.get(kind).copied().unwrap_or(0);
    assert!(of("holds") > 0 && of("violated") > 0, "{counts:?}");
}

/// The section cannot be passed: what comes behind it is not reached.
#[test]
fn a_section_that_assumes_what_is_false_has_no_end() {
    let source = "#include <assert.h>\n#include <pthread.h>\n\
                  extern void __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n\
                  int flag, x; int input(void) { return x; }\n\
                  void *work(void *argument) { x = 1; return 0; }\n\
                  int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); __VERIFIER_atomic_begin();\n\
                  __VERIFIER_assume(flag == 1); x = input(); __VERIFIER_atomic_end(); assert(x == 7); return 0; }";
    let (outcome, ..) = verified(source);
    assert_eq!(outcome.overall(), crate::ground::verdict::Overall::Holds);
}
