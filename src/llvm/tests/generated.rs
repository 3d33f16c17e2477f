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

/// What the compiled program does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expected {
    Failed(u32),
    Checksum(u64),
}

fn expected(source: &str, data_model: DataModel) -> Expected {
    let output = match run(source, data_model, &[], &[]) {
        Native::Ran(output) => output.stdout,
        Native::Slow => panic!("too slow:\n{source}"),
        Native::Refused(text) => panic!("{text}\n{source}"),
    };
    let failed = number_behind(&output, "failed", 10).map(|line| Expected::Failed(line as u32));
    let sum = || number_behind(&output, "checksum", 10).map(Expected::Checksum);
    failed.or_else(sum).unwrap_or_else(|| panic!("no checksum:\n{source}"))
}

/// What machine and model do otherwise than the compiled program.
fn disagreement(program: &Generated, data_model: DataModel) -> Option<String> {
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
            if found != wanted {
                return Some(format!("{who}: {found:?} instead of {wanted:?}"));
            }
        }
    }
    None
}

/// So many smaller programs are tried.
const TRIALS: usize = 400;

/// The smallest program found that still shows a disagreement.
fn shrunk(program: Generated, data_model: DataModel) -> Generated {
    let (mut smallest, mut number) = (program, 0);
    for _ in 0..TRIALS {
        let Some(smaller) = smallest.without(number) else { break };
        if disagreement(&smaller, data_model).is_some() {
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

#[test]
fn generated_programs_do_what_they_do_compiled() {
    let narrow = links_for_32_bits();
    if !narrow {
        left_out("a C library for 32 bits");
    }
    let (mut failed, mut count, mut complaints) = (0, 0, Vec::new());
    for seed in programs(60) {
        let data_model = if narrow { model_of(seed) } else { DataModel::Lp64 };
        let program = Generated::new(seed);
        if let Some(text) = disagreement(&program, data_model) {
            complaints.push(format!("seed {seed}, {data_model:?}: {text}\n"));
            if complaints.len() == 1 {
                let small = shrunk(program.clone(), data_model);
                let again = disagreement(&small, data_model);
                complaints[0] += &format!("smaller: {again:?}\n{}", small.text());
            }
        }
        count += 1;
        failed += u32::from(matches!(expected(&program.text(), data_model), Expected::Failed(_)));
    }
    assert!(complaints.is_empty(), "{} of {count} differ\n{}", complaints.len(), complaints.join(""));
    // Neither kind may be missing, or the comparison would say little.
    assert!(count < 30 || (failed > 0 && failed < count), "{failed} of {count} programs fail an assertion");
    eprintln!("{count} generated programs, {failed} of them with an assertion that fails");
}
