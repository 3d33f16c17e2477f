//! Programs of Csmith [Yang, Chen, Eide, Regehr: Finding and understanding bugs in C compilers, PLDI 2011]: machine and
//! model compute the checksum that the compiled program prints, and notice a wrong one.

use super::native::{Native, number_behind, run};
use super::runs::{Inputs, Verdict, machine, model, models, read};
use super::{left_out, model_of, programs};
use crate::llvm::read::clang::DataModel;
use crate::llvm::read::program::Library;
use crate::lower;
use crate::vm;
use std::collections::BTreeMap;
use std::process::Command;

const INCLUDE: &str = "/usr/include/csmith";

/// In front of the program, behind Csmith's header: the checksum is compared with an input instead of printed.
const EXPECT: &str = "#include \"csmith.h\"\n#ifndef NATIVE\nextern unsigned long long __VERIFIER_nondet_ulonglong(void);\n\
    extern void reach_error(void);\n\
    static void expect(unsigned long long sum) { if (sum != __VERIFIER_nondet_ulonglong()) reach_error(); }\n\
    #define platform_main_end(sum, flag) expect(sum)\n#endif\n";

/// The program with this number; nothing if there is no Csmith.
fn generate(seed: u64) -> Option<String> {
    let mut csmith = Command::new("csmith");
    // It leaves a file `platform.info` where it runs.
    csmith.current_dir(std::env::temp_dir());
    csmith.args(["--no-float", "--no-volatiles", "--no-argc", "--max-funcs", "4", "--max-block-size", "3"]);
    let output = csmith.args(["--max-expr-complexity", "6", "--seed", &seed.to_string()]).output().ok()?;
    let source = String::from_utf8(output.stdout).unwrap();
    Some(source.replace("#include \"csmith.h\"", EXPECT))
}

/// Whether the program could be compared.
#[derive(PartialEq, Eq, Debug)]
enum Comparison {
    Agrees,
    TooLong,
    Unsupported(String),
    Differs(String),
}

fn compare(source: &str, data_model: DataModel) -> Comparison {
    let output = match run(source, data_model, &["-I", INCLUDE], &[]) {
        Native::Ran(output) => output.stdout,
        Native::Slow => return Comparison::TooLong,
        Native::Refused(text) => return Comparison::Differs(text),
    };
    let Some(sum) = number_behind(&output, "checksum =", 16) else {
        return Comparison::Differs("the compiled program prints no checksum".into());
    };
    let module = read(source, data_model, Library::Models, &[INCLUDE]);
    let forms = models(&module, &lower::Settings::default());
    for (sum, wanted) in [(sum, Verdict::Done), (sum ^ 1, Verdict::Error)] {
        let inputs = Inputs::default().with("ulonglong", sum);
        let ran = machine(&module, vm::Settings::default(), &inputs);
        if ran == Verdict::Other("Bound(Steps)".into()) {
            return Comparison::TooLong;
        }
        let [basic, large] = [0, 1].map(|form| model(&forms[form], &inputs));
        for (found, who) in [(ran, "machine"), (basic, "basic blocks"), (large, "large blocks")] {
            if let Verdict::Other(text) = &found
                && text.starts_with("Unsupported")
            {
                return Comparison::Unsupported(text.clone());
            }
            if found != wanted {
                return Comparison::Differs(format!("{who}: {found:?} instead of {wanted:?}"));
            }
        }
    }
    Comparison::Agrees
}

#[test]
fn programs_of_csmith_compute_the_same_checksum() {
    if Command::new("csmith").arg("--version").output().is_err() {
        return left_out("csmith");
    }
    let (mut compared, mut long, mut unsupported) = (0, 0, BTreeMap::<String, u32>::new());
    let mut complaints = Vec::new();
    for seed in programs(40) {
        let source = generate(seed).expect("csmith runs");
        match compare(&source, model_of(seed)) {
            Comparison::Agrees => compared += 1,
            Comparison::TooLong => long += 1,
            Comparison::Unsupported(text) => *unsupported.entry(text).or_default() += 1,
            Comparison::Differs(text) => {
                complaints.push(format!("seed {seed}, {:?}: {text}", model_of(seed)))
            }
        }
    }
    eprintln!("{compared} programs of Csmith, {long} more take too long, unsupported: {unsupported:?}");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    // What cannot be compared must stay the exception.
    let left = long + unsupported.values().sum::<u32>();
    assert!(compared > 3 * left, "{compared} compared, {left} not");
}
