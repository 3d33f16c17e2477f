//! The loop on slices, and in stages: against all runs, and against the loop on the whole program.

use super::*;
use crate::certify::slice::check_slice;
use crate::llvm::tests::threaded::{Source as Threaded, explore_all_with};
use crate::program::ready::ready;
use crate::program::slice::slice;
use std::cell::Cell;

/// A program as it was lowered, and how often the whole of it was asked for.
struct Lowered {
    program: Program,
    put_back: Cell<usize>,
}

impl Models for Lowered {
    fn model(&self, scope: Scope<'_>) -> Model {
        let mut program = match scope {
            Scope::Whole => {
                self.put_back.set(self.put_back.get() + 1);
                self.program.clone()
            }
            Scope::Slice(asked) => {
                let slice = slice(&self.program, asked);
                assert_eq!(check_slice(&self.program, &slice, asked), Ok(()));
                slice.program
            }
        };
        let unready = ready(&mut program);
        let mut precision = Precision::default();
        initial(&mut program, &mut precision, Initial::None);
        Model { program, unready, precision, edges: None }
    }
}

/// What became of the properties of a program.
struct Decided {
    outcome: Outcome,
    program: Program,
    put_back: usize,
}

/// Verifies some properties on a slice for them.
fn in_slices(module: &Module, lowered: &Program, properties: &[PropertyId]) -> Decided {
    let models = Lowered { program: lowered.clone(), put_back: Cell::new(0) };
    let asked: BTreeSet<PropertyId> = properties.iter().copied().collect();
    let Model { mut program, unready, precision, .. } = models.model(Scope::Slice(&asked));
    let task = Task {
        module,
        machine: machine(&[]),
        program: &mut program,
        unready,
        properties: properties.to_vec(),
        anywhere: BTreeSet::new(),
        models: Some(&models),
    };
    let outcome =
        within(Duration::from_secs(30), |run| verify(task, precision, &options(0), &mut Blind, run));
    Decided { outcome, program, put_back: models.put_back.get() }
}

/// All properties together, and each alone.
fn questions(program: &Program) -> Vec<Vec<PropertyId>> {
    let all: Vec<PropertyId> = program.properties.ids().collect();
    let alone = all.iter().map(|&property| vec![property]);
    alone.chain((all.len() > 1).then(|| all.clone())).collect()
}

/// Compares verdicts with what runs do: none if that is not known.
fn compare(decided: &Decided, violated: &dyn Fn(PropertyId) -> Option<bool>, counts: &mut [usize; 3]) {
    assert_eq!(not_certified(&decided.outcome.certified).filter(|why| !why.contains("pairs")), None);
    for (id, verdict) in &decided.outcome.verdicts {
        let name = &decided.program.properties[*id].id;
        match verdict {
            Verdict::Holds => {
                counts[0] += 1;
                assert_ne!(violated(*id), Some(true), "{name} holds, and a run violates it");
            }
            Verdict::Violated(_) => {
                counts[1] += 1;
                assert_ne!(violated(*id), Some(false), "{name} is violated by no run");
            }
            Verdict::Unknown(Reason::Defect(defect)) => panic!("{name}: {defect}"),
            Verdict::Unknown(_) => counts[2] += 1,
        }
    }
}

#[test]
fn verdicts_on_slices_agree_with_all_runs() {
    let (seed, count) = (number("BOOLERO_SEED", 1), number("BOOLERO_COUNT", 10));
    let mut counts = [0; 3];
    for seed in seed..seed + count {
        let source = Source::new(seed).text();
        let (module, lowered) = model(&source, &[]);
        let settings = vm::Settings { steps: 20_000, ..machine(&[]) };
        let all = Exploration { numbers: vec![0, 1, 2], runs: 20_000, choices: 200 };
        let explored = explore(&mut Machine::new(&module, settings), &all, &Limits::none());
        let violated = |id| {
            let violates = crate::simulate::replay::violates;
            let found = explored.ends.iter().any(|end| violates(&lowered, id, &end.outcome));
            (found || explored.coverage == Coverage::Complete).then_some(found)
        };
        for properties in questions(&lowered) {
            eprintln!("seed {seed}, {properties:?}");
            compare(&in_slices(&module, &lowered, &properties), &violated, &mut counts);
        }
    }
    assert!(counts[0] > 0 && counts[1] > 0 && counts[2] * 4 < counts[0] + counts[1], "{counts:?}");
}

#[test]
fn verdicts_on_slices_of_threads_agree_with_all_schedules() {
    let (seed, count) = (number("BOOLERO_SEED", 1), number("BOOLERO_COUNT", 5));
    let mut counts = [0; 3];
    for seed in seed..seed + count {
        let source = Threaded::new(seed).text();
        let (module, lowered) = model(&source, &[]);
        let Some(explored) = explore_all_with(&module, &lowered, &[]) else { continue };
        let violated = |id| explored.get(&id).copied();
        for properties in questions(&lowered) {
            eprintln!("seed {seed}, {properties:?}");
            compare(&in_slices(&module, &lowered, &properties), &violated, &mut counts);
        }
    }
    assert!(counts[0] + counts[1] > 0, "{counts:?}");
}

const HEAD: &str = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n";

/// The verdicts on a program by name, and whether the whole program was needed.
fn decided(body: &str) -> (Vec<String>, usize) {
    let (module, lowered) = model(&format!("{HEAD}{body}"), &[]);
    let all: Vec<PropertyId> = lowered.properties.ids().collect();
    let decided = in_slices(&module, &lowered, &all);
    let name = |verdict: &Verdict<Violation>| match verdict {
        Verdict::Holds => "holds".to_owned(),
        Verdict::Violated(_) => "violated".to_owned(),
        Verdict::Unknown(reason) => reason.to_string(),
    };
    (decided.outcome.verdicts.iter().map(|(_, verdict)| name(verdict)).collect(), decided.put_back)
}

/// The loop affects nothing, so it is sliced away; but it does not end.
#[test]
fn what_was_sliced_away_is_put_back_if_a_violation_does_not_replay() {
    let body =
        "int main(void) { int x = __VERIFIER_nondet_int(); while (1) x = x + 1; assert(0); return 0; }";
    let (verdicts, _) = decided(body);
    assert!(verdicts.is_empty() || verdicts == ["holds"], "{verdicts:?}");
    let body = "int main(void) { int x = __VERIFIER_nondet_int(), y = 0, n = __VERIFIER_nondet_int();\n\
                if (x > 2) while (n == n) y = y + 1;\nassert(x <= 2); return 0; }";
    assert_eq!(decided(body), (vec!["holds".to_owned()], 1));
}

/// Inputs that were sliced away are asked for all the same when the machine makes the run.
#[test]
fn a_violation_on_a_slice_has_a_run_of_the_program() {
    let body = "static int noise(int n) { int i, s = 0; for (i = 0; i < n; i++) s += __VERIFIER_nondet_int(); return s; }\n\
                int main(void) { int sum = noise(2), x = __VERIFIER_nondet_int(); sum += x;\n\
                assert(x != 77); return 0; }";
    assert_eq!(decided(body).0, ["violated"]);
}

/// Ends of the run stay, and so do the conditions on which they depend.
#[test]
fn an_end_of_the_run_is_not_sliced_away() {
    let body = "extern void exit(int);\nstatic void quit(int n) { int unused = n; if (n > 3) exit(1); unused = 5; }\n\
                int main(void) { int x = __VERIFIER_nondet_int(); quit(x); assert(x <= 3); return 0; }";
    assert_eq!(decided(body), (vec!["holds".to_owned()], 0));
}

/// Keeps the remarks.
#[derive(Default)]
struct Remarks(std::cell::RefCell<Vec<String>>);

impl crate::ground::event::Observer for Remarks {
    fn event(&self, event: crate::ground::event::Event) {
        if let crate::ground::event::Event::Note(text) = event {
            self.0.borrow_mut().push(text);
        }
    }
}

/// The first two need what is not found, one predicate after the other. They are put off, and tried again one by one.
#[test]
fn what_is_hard_is_put_off() {
    let source = format!(
        "{HEAD}int main(void) {{ unsigned x = 0, y = 0, z = 0;\nint a = __VERIFIER_nondet_int(), b = a;\n\
         while (__VERIFIER_nondet_int()) {{ x++; y += x; z += x + x; }}\n\
         assert(y != 5);\nassert(z != 5555);\nassert(a == b); return 0; }}"
    );
    let (module, lowered) = model(&source, &[]);
    let properties: Vec<PropertyId> = lowered.properties.ids().collect();
    let models = Lowered { program: lowered.clone(), put_back: Cell::new(0) };
    let asked = properties.iter().copied().collect();
    let Model { mut program, unready, precision, .. } = models.model(Scope::Slice(&asked));
    let (machine, anywhere) = (machine(&[]), BTreeSet::new());
    let task = Task {
        module: &module,
        machine,
        program: &mut program,
        unready,
        properties,
        anywhere,
        models: Some(&models),
    };
    let (remarks, limits) = (Remarks::default(), Limits::none());
    let options = Options { iterations: 6, patience: 3, ..options(0) };
    let run = Run { limits: &limits, observer: &remarks };
    let outcome = verify(task, precision, &options, &mut Blind, run);
    let holds = |(_, verdict): &(_, Verdict<Violation>)| *verdict == Verdict::Holds;
    assert_eq!(outcome.verdicts.iter().map(holds).collect::<Vec<_>>(), [false, false, true]);
    assert!(matches!(outcome.certified, Certified::Yes(_)), "{:?}", outcome.certified);
    let remarks = remarks.0.into_inner();
    let about = |what: &str| remarks.iter().filter(|text| text.contains(what)).count();
    assert_eq!(
        (about("holds"), about("is put off"), about("is tried again, on a slice")),
        (1, 2, 1),
        "{remarks:?}"
    );
}
