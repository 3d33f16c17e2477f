//! Generated programs with floating-point numbers: the compiled program, the machine and the model compute the same bits. Of what is
//! not a number they need not be the same, and are not looked at.

use super::native::{Native, number_behind, run};
use super::runs::{Inputs, Verdict, machine, model, models, read};
use super::{model_of, programs};
use crate::llvm::read::clang::DataModel;
use crate::llvm::read::program::Library;
use crate::lower;
use crate::term::tests::floats::some_number;
use crate::term::tests::generate::Random;
use crate::vm;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const COMMON: &str = "static unsigned long long sum;\n\
    static void note(unsigned long long bits) { sum = sum * 31 + bits; }\n\
    static void note_d(double x) { union { double d; unsigned long long u; } b; b.d = x; note(x != x ? 1 : b.u); }\n\
    static void note_f(float x) { union { float f; unsigned u; } b; b.f = x; note(x != x ? 1 : b.u); }\n\
    static double some_d(void) { union { double d; long long u; } b; b.u = __VERIFIER_nondet_longlong(); return b.d; }\n\
    static float some_f(void) { union { float f; int u; } b; b.u = __VERIFIER_nondet_int(); return b.f; }\n";

const BOOLERO: &str = "extern long long __VERIFIER_nondet_longlong(void);\nextern int __VERIFIER_nondet_int(void);\n\
    extern unsigned long long __VERIFIER_nondet_ulonglong(void);\nextern void reach_error(void);\n\
    static void finish(unsigned long long sum) { if (sum != __VERIFIER_nondet_ulonglong()) reach_error(); }\n";

struct Writer {
    random: Random,
}

impl Writer {
    fn below(&mut self, bound: u32) -> u32 {
        self.random.below(bound)
    }

    /// An expression of type `double`, or `float`.
    fn number(&mut self, double: bool, depth: u32) -> String {
        if depth == 0 {
            return self.leaf(double);
        }
        let a = self.number(double, depth - 1);
        match self.below(10) {
            0..=3 => {
                let operator = self.random.pick(&["+", "-", "*", "/"]);
                format!("({a} {operator} {})", self.number(double, depth - 1))
            }
            4 => format!("(-{a})"),
            5 => {
                let names = ["abs", "floor", "ceil", "trunc", "round", "roundeven", "sqrt"];
                format!("__builtin_elementwise_{}({a})", self.random.pick(&names))
            }
            6 => format!("({} ? {a} : {})", self.truth(depth - 1), self.number(double, depth - 1)),
            7 => {
                let ty = self.random.pick(&["int", "unsigned", "long long", "unsigned char", "short"]);
                let value = self.leaf(double);
                format!("(({value}) >= 0 && ({value}) <= 100 ? ({ty})({value}) + {a} : {a})")
            }
            8 => {
                format!("({})({})", if double { "double" } else { "float" }, self.number(!double, depth - 1))
            }
            _ => {
                // Which sign something has that is not a number is open.
                let (name, b) = (if double { "" } else { "f" }, self.leaf(double));
                format!("({b} == {b} ? __builtin_copysign{name}({a}, {b}) : {a})")
            }
        }
    }

    fn leaf(&mut self, double: bool) -> String {
        let (name, number) = (if double { "x" } else { "f" }, self.below(4));
        let constants = ["0", "1", "0.1", "-2.5", "1e10", "16777217", "1e-30", "3"];
        match self.below(4) {
            0 if double => self.random.pick(&constants).to_owned() + "* 1.0",
            0 => format!("(float){}", self.random.pick(&constants)),
            1 => format!("({})i[{number}]", if double { "double" } else { "float" }),
            _ => format!("{name}[{number}]"),
        }
    }

    fn truth(&mut self, depth: u32) -> String {
        let double = self.below(2) == 0;
        let (a, b) = (self.number(double, depth), self.number(double, depth));
        match self.below(4) {
            0 => {
                let class = self.random.pick(&["isnan", "isinf", "isfinite", "isnormal"]);
                format!("__builtin_{class}({a})")
            }
            1 => {
                let names = ["isless", "islessequal", "islessgreater", "isunordered", "isgreaterequal"];
                format!("__builtin_{}({a}, {b})", self.random.pick(&names))
            }
            _ => {
                let relation = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({a} {relation} {b})")
            }
        }
    }

    fn body(&mut self) -> String {
        let mut text = "int main(void) {\n".to_owned();
        text += "    double x[4]; float f[4]; int i[4];\n";
        for number in 0..4 {
            writeln!(
                text,
                "    x[{number}] = some_d(); f[{number}] = some_f(); i[{number}] = __VERIFIER_nondet_int();"
            )
            .expect("strings grow");
        }
        for _ in 0..12 {
            let at = self.below(4);
            let line = match self.below(4) {
                0 => format!("x[{at}] = {}; note_d(x[{at}]);", self.number(true, 2)),
                1 => format!("f[{at}] = {}; note_f(f[{at}]);", self.number(false, 2)),
                2 => format!("note(!!({}));", self.truth(1)),
                _ => format!("if ({}) x[{at}] = {};", self.truth(1), self.number(true, 1)),
            };
            writeln!(text, "    {line}").expect("strings grow");
        }
        text + "    finish(sum);\n    return 0;\n}\n"
    }
}

struct Program {
    text: String,
    inputs: BTreeMap<String, Vec<u64>>,
}

impl Program {
    fn new(seed: u64) -> Self {
        let mut writer = Writer { random: Random::new(seed) };
        let body = writer.body();
        let mut numbers = |width| (0..8).map(|_| some_number(&mut writer.random, width) as u64).collect();
        let inputs = [("longlong".to_owned(), numbers(64)), ("int".to_owned(), numbers(32))].into();
        let text = format!("#ifdef NATIVE\n{}#else\n{BOOLERO}#endif\n{COMMON}{body}", native(&inputs));
        Self { text, inputs }
    }
}

fn native(inputs: &BTreeMap<String, Vec<u64>>) -> String {
    let mut text = "#include <stdio.h>\n".to_owned();
    for (name, ty) in [("longlong", "long long"), ("int", "int")] {
        let list: Vec<String> = inputs[name].iter().map(|number| format!("{number}ull")).collect();
        let list = list.join(", ");
        text += &format!(
            "{ty} __VERIFIER_nondet_{name}(void) {{ static unsigned at; \
             static unsigned long long list[] = {{{list}}}; return ({ty})list[at++ % 8]; }}\n"
        );
    }
    text + "static void finish(unsigned long long sum) { printf(\"checksum %llu\\n\", sum); }\n"
}

/// The checksum of the compiled program; nothing if there is no library for it. The x87 unit is not that of the standard.
fn checksum(source: &str, data_model: DataModel) -> Option<u64> {
    let options: &[&str] =
        if data_model == DataModel::Lp64 { &["-lm"] } else { &["-lm", "-msse2", "-mfpmath=sse"] };
    match run(source, data_model, options, &[]) {
        Native::Ran(output) => {
            Some(number_behind(&output.stdout, "checksum", 10).unwrap_or_else(|| panic!("{source}")))
        }
        Native::Refused(_) if data_model == DataModel::Ilp32 => None,
        Native::Refused(text) => panic!("{text}\n{source}"),
        Native::Slow => panic!("too slow:\n{source}"),
    }
}

#[test]
fn generated_programs_compute_what_the_processor_does() {
    let mut compared = 0;
    for seed in programs(16) {
        let (data_model, program) = (model_of(seed), Program::new(seed));
        let Some(sum) = checksum(&program.text, data_model) else { continue };
        let module = read(&program.text, data_model, Library::Models, &[]);
        let forms = models(&module, &lower::Settings::default());
        for (sum, wanted) in [(sum, Verdict::Done), (sum ^ 1, Verdict::Error)] {
            let inputs = Inputs::new(program.inputs.clone()).with("ulonglong", sum);
            let machine = machine(&module, vm::Settings::default(), &inputs);
            assert_eq!(machine, wanted, "the machine, seed {seed}, {data_model:?}\n{}", program.text);
            for form in &forms {
                assert_eq!(
                    model(form, &inputs),
                    wanted,
                    "the model, seed {seed}, {data_model:?}\n{}",
                    program.text
                );
            }
        }
        compared += 1;
    }
    assert!(compared > 0);
}
