//! Generated programs: the same assertion fails in the compiled program, in the machine and in the model, or none does and
//! they compute the same checksum. A program on which they do not agree is made smaller before it is shown.

use super::native::{Native, number_behind, run};
use super::runs::{Inputs, Verdict, machine, model, models, read};
use super::{left_out, model_of, programs};
use crate::llvm::generate::Generated;
use crate::llvm::read::clang::DataModel;
use crate::llvm::read::program::Library;
use crate::lower;
use crate::vm;
use std::collections::BTreeMap;

/// gcc takes a call of a function that is declared later.
const NATIVE: &[&str] = &["-Wno-error=implicit-function-declaration"];

/// What the compiled program does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expected {
    Failed(u32),
    Checksum(u64),
}

fn expected(source: &str, data_model: DataModel) -> Expected {
    let output = match run(source, data_model, NATIVE, &[]) {
        Native::Ran(output) => output.stdout,
        Native::Slow => panic!("too slow:\n{source}"),
        Native::Refused(text) => panic!("{text}\n{source}"),
    };
    let failed = number_behind(&output, "failed", 10).map(|line| Expected::Failed(line as u32));
    let sum = || number_behind(&output, "checksum", 10).map(Expected::Checksum);
    failed.or_else(sum).unwrap_or_else(|| panic!("no checksum:\n{source}"))
}

/// What a comparison can come to.
enum Comparison {
    Agrees,
    /// Machine or model gets to what they do not know.
    Unsupported(String),
    /// What machine or model do otherwise than the compiled program.
    Differs(String),
}

fn comparison(program: &Generated, data_model: DataModel) -> Comparison {
    let source = program.text();
    let expected = expected(&source, data_model);
    let module = read(&source, data_model, Library::Models, &[]);
    let forms = models(&module, &lower::Settings::default());
    let inputs = Inputs::new(program.inputs.clone());
    let trials = match expected {
        Expected::Failed(line) => vec![(0, Verdict::Failed(line))],
        Expected::Checksum(sum) => vec![(sum, Verdict::Done), (sum ^ 1, Verdict::Error)],
    };
    for (sum, wanted) in trials {
        let inputs = inputs.with("ulonglong", sum);
        let checks = crate::ir::undefined::Fault::of_one_thread().collect();
        let machine = machine(&module, vm::Settings { checks, ..vm::Settings::default() }, &inputs);
        let [basic, large] = [0, 1].map(|form| model(&forms[form], &inputs));
        for (found, who) in [(machine, "machine"), (basic, "basic blocks"), (large, "large blocks")] {
            match found {
                Verdict::Other(text) if text.starts_with("Unsupported") => {
                    return Comparison::Unsupported(text);
                }
                found if found == wanted => {}
                found => return Comparison::Differs(format!("{who}: {found:?} instead of {wanted:?}")),
            }
        }
    }
    Comparison::Agrees
}

/// So many smaller programs are tried.
const TRIALS: usize = 400;

/// The smallest program found that still shows a disagreement.
fn shrunk(program: Generated, data_model: DataModel) -> Generated {
    let (mut smallest, mut number) = (program, 0);
    for _ in 0..TRIALS {
        let Some(smaller) = smallest.without(number) else { break };
        if matches!(comparison(&smaller, data_model), Comparison::Differs(_)) {
            smallest = smaller;
        } else {
            number += 1;
        }
    }
    smallest
}

/// Whether this machine can link for 32 bits.
fn links_for_32_bits() -> bool {
    matches!(run("int main(void) { return 0; }", DataModel::Ilp32, &[], &[]), Native::Ran(_))
}

/// The complaint about a program, made smaller.
fn complaint(program: Generated, data_model: DataModel) -> String {
    let small = shrunk(program, data_model);
    let again = match comparison(&small, data_model) {
        Comparison::Differs(text) => text,
        _ => String::new(),
    };
    format!("smaller: {again}\n{}", small.text())
}

/// All programs of some numbers, compared. One in so many may be unsupported.
fn compare(seeds: std::ops::Range<u64>, generate: fn(u64) -> Generated, unsupported_of: Option<u32>) {
    let narrow = links_for_32_bits();
    if !narrow {
        left_out("a C library for 32 bits");
    }
    let (mut failed, mut count, mut complaints) = (0, 0, Vec::new());
    let mut unsupported = BTreeMap::<String, u32>::new();
    for seed in seeds {
        let data_model = if narrow { model_of(seed) } else { DataModel::Lp64 };
        let program = generate(seed);
        match comparison(&program, data_model) {
            Comparison::Agrees => {}
            Comparison::Unsupported(text) => *unsupported.entry(text).or_default() += 1,
            Comparison::Differs(text) => {
                complaints.push(format!("seed {seed}, {data_model:?}: {text}\n"));
                if complaints.len() == 1 {
                    complaints[0] += &complaint(program.clone(), data_model);
                }
            }
        }
        count += 1;
        failed += u32::from(matches!(expected(&program.text(), data_model), Expected::Failed(_)));
    }
    assert!(complaints.is_empty(), "{} of {count} differ\n{}", complaints.len(), complaints.join(""));
    // Neither kind may be missing, or the comparison would say little.
    assert!(count < 30 || (failed > 0 && failed < count), "{failed} of {count} programs fail an assertion");
    let left = unsupported.values().sum::<u32>();
    eprintln!(
        "{} programs agree, {failed} have an assertion that fails, unsupported: {unsupported:?}",
        count - left
    );
    assert!(left <= unsupported_of.map_or(0, |of| 1 + count / of), "{left} of {count}: {unsupported:?}");
}

#[test]
fn generated_programs_do_what_they_do_compiled() {
    compare(programs(60), Generated::new, None);
}

#[test]
fn the_c_of_kernels_does_what_it_does_compiled() {
    compare(programs(16), Generated::of_kernels, Some(6));
}
