//! Verdicts by all states, against all schedules of the machine.

use super::*;
use crate::cegar::Engine;
use crate::ground::verdict::Overall;
use crate::llvm::tests::threaded::{Means, Source, explore_all_with};
use crate::program::ready::ready;

/// Verifies a program by its states alone.
fn verified_by_states(source: &str, checks: &[Fault]) -> (Outcome, Program, Module) {
    let (module, mut program) = model(source, checks);
    let unready = ready(&mut program);
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
    let options = Options { engine: Engine::States, ..options(0) };
    let outcome =
        within(Duration::from_secs(30), |run| verify(task, Precision::default(), &options, &mut Blind, run));
    (outcome, program, module)
}

/// What is wrong with the verdicts on a program, if anything is; how many say something, and how many nothing.
fn disagreement(source: &str, checks: &[Fault], counts: &mut [usize; 3]) -> Option<String> {
    let (outcome, program, module) = verified_by_states(source, checks);
    let violated = explore_all_with(&module, &program, checks)?;
    for (id, verdict) in &outcome.verdicts {
        let name = &program.properties[*id].id;
        match verdict {
            Verdict::Holds if violated[id] => return Some(format!("{name} holds, but a run violates it")),
            Verdict::Violated(_) if !violated[id] => return Some(format!("{name} is violated by no run")),
            Verdict::Unknown(Reason::Defect(defect)) => return Some(format!("{name}: {defect}")),
            Verdict::Unknown(Reason::ReplayMismatch(text)) => return Some(format!("{name}: {text}")),
            Verdict::Holds => counts[0] += 1,
            Verdict::Violated(_) => counts[1] += 1,
            Verdict::Unknown(_) => counts[2] += 1,
        }
    }
    None
}

fn agree(means: Means, checks: &[Fault], count: u64) {
    let (seed, count) = (number("BOOLERO_SEED", 1), number("BOOLERO_COUNT", count));
    let mut counts = [0; 3];
    for seed in seed..seed + count {
        let source = Source::of(seed, means).text();
        if let Some(what) = disagreement(&source, checks, &mut counts) {
            panic!("seed {seed}: {what}\n{source}");
        }
    }
    assert!(counts[0] > 0 && counts[1] > 0, "some hold, some are violated: {counts:?}");
}

#[test]
fn verdicts_by_states_agree_with_all_schedules() {
    agree(Means::Few, &[], 16);
}

/// What the machine does not look for everywhere, or answers by itself, is not decided.
#[test]
fn states_decide_nothing_that_they_do_not_see() {
    let undecided = [
        // A value that is read before it is written has all values.
        "int main(void) { int x; int y = x; return y; }",
        // Nobody knows how long it sleeps.
        "unsigned sleep(unsigned); int main(void) { return sleep(1); }",
        // An input of 32 bits.
        "int __VERIFIER_nondet_int(void); int main(void) { int n = __VERIFIER_nondet_int(); return n * n == 49; }",
        // The number of an address.
        "int x; int main(void) { return (unsigned long)&x > 70000; }",
    ];
    for body in undecided {
        let source = format!("#include <assert.h>\nstatic int zero;\nstatic int f(void) {{ assert(zero == 0); return 0; }}\n{body}")
            .replace("{ int x;", "{ f(); int x;")
            .replace("{ int n", "{ f(); int n")
            .replace("{ return", "{ f(); return");
        let (outcome, ..) = verified_by_states(&source, &[]);
        assert!(matches!(outcome.overall(), Overall::Unknown(_)), "{source}");
    }
}
