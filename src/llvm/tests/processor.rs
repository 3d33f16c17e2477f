//! Instructions whose results nobody knows: what the processor says is among what machine and model allow, and of
//! privileged instructions, which a compiled program must not execute, machine and model think alike.

use super::native::{self, Native, number_behind};
use super::runs::{Inputs, STEPS, models, read};
use crate::ground::limits::Limits;
use crate::llvm::read::clang::DataModel;
use crate::llvm::read::program::Library;
use crate::lower;
use crate::program::Role;
use crate::program::run::{self, Compiled, Execution, Outcome, Recording};
use crate::term::Symbol;
use crate::term::arithmetic::mask;
use crate::vm::choices::{Choice, Domain};
use crate::vm::{self, ChoiceError, End, Machine};

/// What is arbitrary gets these values, one after the other.
#[derive(Clone)]
struct Values {
    list: Vec<u64>,
    at: usize,
}

impl Values {
    fn next(&mut self, bits: u32) -> u128 {
        self.at += 1;
        u128::from(self.list.get(self.at - 1).copied().unwrap_or(0)) & mask(bits)
    }
}

impl vm::Chooser for Values {
    fn choose(&mut self, choice: &Choice) -> Result<u128, ChoiceError> {
        match &choice.domain {
            Domain::Bits(bits) => Ok(self.next(*bits)),
            _ => vm::Chooser::choose(&mut Inputs::default(), choice),
        }
    }
}

impl run::Chooser for Values {
    fn input(&mut self, _: Symbol, _: &Role, width: u32) -> u128 {
        self.next(width)
    }
}

/// A program that reaches an error if its results are those expected.
fn source(body: &str, count: usize, expected: &[u64]) -> String {
    let expected: Vec<String> = expected.iter().map(|value| format!("{value}ull")).collect();
    format!(
        "#ifdef NATIVE\n#include <stdio.h>\n#else\nextern void reach_error(void);\n#endif\n\
         static unsigned long long results[{count}];\n\
         static const unsigned long long expected[{count}] = {{ {} }};\n\
         int main(void) {{\n{body}\n#ifdef NATIVE\n\
         for (int i = 0; i < {count}; i++) printf(\"result%d %llu\\n\", i, results[i]);\n#else\n\
         for (int i = 0; i < {count}; i++) if (results[i] != expected[i]) return 0;\nreach_error();\n#endif\nreturn 0; }}\n",
        expected.join(", ")
    )
}

/// Machine and model can have these results, and do not have others.
fn both_have(body: &str, values: &[u64], results: &[u64]) {
    let mut others = results.to_vec();
    others[0] ^= 1;
    for (results, wanted) in [(results, true), (&others[..], false)] {
        let module = read(&source(body, results.len(), results), DataModel::Lp64, Library::Models, &[]);
        let values = Values { list: values.to_vec(), at: 0 };
        let mut machine = Machine::new(&module, vm::Settings::default());
        let outcome = machine.run(&mut values.clone(), &Limits::none());
        assert_eq!(matches!(outcome.end, End::ErrorReached(_)), wanted, "{:?}\n{body}", outcome.end);
        for program in models(&module, &lower::Settings::default()) {
            let code = Compiled::new(&program);
            let outcome = Execution::new(&code, Recording::Nothing).run(&mut values.clone(), STEPS);
            assert_eq!(matches!(outcome, Outcome::Violated(_)), wanted, "{outcome:?}\n{body}");
        }
    }
}

#[test]
fn what_the_processor_says_is_among_the_results() {
    let body = "unsigned a = 1, b = 7, c = 0, d = 8; unsigned long long kept = 5;
        __asm__ volatile(\"rdtsc\" : \"=a\"(a), \"=d\"(d)); results[0] = a, results[1] = d;
        a = 1, c = 0;
        __asm__ volatile(\"cpuid\" : \"+a\"(a), \"=b\"(b), \"+c\"(c), \"=d\"(d), \"+S\"(kept));
        results[2] = a, results[3] = b, results[4] = c, results[5] = d, results[6] = kept;
        __asm__ volatile(\"rdtsc\" : \"=a\"(kept) : : \"edx\"); results[7] = kept;
        __asm__ volatile(\"pushfq; popq %0\" : \"=r\"(kept)); results[8] = kept;";
    let Native::Ran(output) = native::run(&source(body, 9, &[]), DataModel::Lp64, &[], &[]) else {
        panic!("it does not run");
    };
    let results: Vec<u64> = (0..9)
        .map(|number| number_behind(&output.stdout, &format!("result{number} "), 10).unwrap())
        .collect();
    let chosen: Vec<u64> = [0, 1, 2, 3, 4, 5, 7, 8].map(|number: usize| results[number]).to_vec();
    both_have(body, &chosen, &results);
}

#[test]
fn privileged_instructions_are_the_same_in_both() {
    let body = "unsigned char byte; unsigned v = 0x11223344, low, high; unsigned long flags, cr; int ret; void *at = 0;
        __asm__ volatile(\"inb %w1,%b0\" : \"=a\"(byte) : \"Nd\"(0x71)); results[0] = byte;
        __asm__ volatile(\"inw %w1,%w0\" : \"+a\"(v) : \"d\"(0x72)); results[1] = v;
        __asm__ volatile(\"inl %w1,%0\" : \"=a\"(v) : \"d\"(0x73)); results[2] = v;
        __asm__ volatile(\"pushf ; pop %0\" : \"=rm\"(flags) : : \"memory\"); results[3] = flags;
        __asm__ volatile(\"cli\" : : : \"memory\"); __asm__ volatile(\"push %0 ; popf\" : : \"g\"(flags) : \"memory\", \"cc\");
        __asm__ volatile(\"outb %b0,%w1\" : : \"a\"(byte), \"Nd\"(0x80)); __asm__ volatile(\"sti; hlt\" : : : \"memory\");
        __asm__ volatile(\"rdmsr\" : \"=a\"(low), \"=d\"(high) : \"c\"(0x10)); results[4] = low, results[5] = high;
        __asm__ volatile(\"mov %%cr0,%0\" : \"=r\"(cr)); results[6] = cr;
        __asm__ volatile(\"call __get_user_%P3\" : \"=a\"(ret), \"=r\"(v) : \"0\"(at), \"i\"(4)); results[7] = v + ret;
        __asm__ volatile(\"wbinvd\" : : : \"memory\"); results[8] = byte;";
    let values = [0x1ff, 0x2abcd, 0xfeed_0000, 0x246, 11, 12, 0x8005_0033, 0, 99];
    let results = [0xff, 0x1122_abcd, 0xfeed_0000, 0x246, 11, 12, 0x8005_0033, 99, 0xff];
    both_have(body, &values, &results);
}
