//! The machine against AddressSanitizer and UBSan [Serebryany, Bruening, Potapenko, Vyukov: AddressSanitizer, USENIX ATC
//! 2012] on small programs with one error or none: both find an error in the same line, or none.
//!
//! Leaks and uninitialised values are left out: these sanitizers do not look for them (in the same way).

use super::native::{Native, run};
use super::runs::{Inputs, Verdict, machine, read};
use super::{left_out, programs};
use crate::ir::undefined::Fault;
use crate::llvm::read::clang::DataModel;
use crate::llvm::read::program::Library;
use crate::program::generate::Random;
use crate::vm;

/// Steps, with `N` for the length of something and `M` for a number that is sometimes too large for it. Each is right if
/// `M < N` and `M > 0`, or whatever the numbers are.
const STEPS: [&str; 26] = [
    "{ int a[9]; for (int i = 0; i < 9; i++) a[i] = i; int *p = a + 9 - N; sum += p[M]; }",
    "{ int a[N]; int i;\nfor (i = 0; i <= M; i++)\na[i] = i;\nsum += a[0]; }",
    "{ int *a = stack; sum += a[9 - N + M]; }",
    "{ stack[9 - N + M] = 5; sum++; }",
    "sum += global[9 - N + M];",
    "global[9 - N + M] = sum;",
    "sum += table[1].row[9 - N + M];",
    "{ int *p = malloc(N * sizeof(int));\np[0] = 1;\np[M] = 2;\nsum += p[0];\nfree(p); }",
    "{ char *p = malloc(N);\nmemset(p, 1, M + 1);\nsum += p[0];\nfree(p); }",
    "{ char *p = malloc(N), *q = calloc(9, 1);\nmemcpy(p, q, M + 1);\nsum += p[0];\nfree(p);\nfree(q); }",
    "{ int *p = malloc(4);\n*p = 3;\nif (M >= N)\nfree(p);\nsum += *p;\nif (M < N) free(p); }",
    "{ int *p = malloc(4);\nfree(p);\nif (M >= N)\n*p = 3;\nsum++; }",
    "{ char *p = malloc(N);\nfree(p);\nif (M >= N)\nfree(p);\nsum++; }",
    "{ int *p = M < N ? global : 0;\nsum += *p; }",
    "{ struct pair *p = M < N ? &pairs[0] : 0;\np->b = 4;\nsum += p->b; }",
    "{ int x = 2147483647 - N;\nx = x + M + 1;\nsum += x & 1; }",
    "{ int x = -2147483647 + M;\nx -= N;\nsum += x & 1; }",
    "{ int x = M < N ? 3 : 1 << 20;\nx = x * x;\nsum += x & 1; }",
    "{ int z = M < N ? N - M : 0;\nsum += 100 / z; }",
    "{ unsigned z = M < N;\nsum += 100u % z; }",
    "{ int s = 31 - N + M + 1;\nsum += (1u << s) & 1; }",
    "{ int s = M < N ? 3 : -1;\nsum += 64 >> s; }",
    "{ struct node *l = 0;\nfor (int i = 0; i < N; i++) l = push(l, i);\nfor (int i = 0; i <= M; i++) {\nstruct node *n = l->next;\nfree(l);\nl = n; }\nwhile (l) { struct node *n = l->next; free(l); l = n; } sum++; }",
    "{ char b[4];\nstrcpy(b, M < N ? \"abc\" : \"abcd\");\nsum += b[0]; }",
    "sum += deep(pairs, 5 - N + M);",
    "{ int *p = malloc(4 * N);\np[N - 1] = 1;\nint *q = p + N;\nif (M >= N) q++;\nsum += q[-1];\nfree(p); }",
];

const PROLOGUE: &str = "#include <stdlib.h>\n#include <string.h>\nstruct pair { int a, b; }; struct node { struct node *next; int v; };\n\
    int global[9], sum; struct pair pairs[5]; struct { int tag, row[9]; } table[2];\n\
    struct node *push(struct node *l, int v) { struct node *n = malloc(sizeof *n); n->next = l; n->v = v; return n; }\n\
    int deep(struct pair *p, int i) { return i > 3 ? p[i].a + 1 : deep(p, i + 1) + 1; }\n";

/// A program with some right steps, and in most cases a wrong one.
fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let count = 1 + random.below(4);
    let wrong = random.below(count + 1);
    let mut text =
        format!("{PROLOGUE}int main(void) {{\nint stack[9] = {{0}};\nvolatile int n, m; int N, M;\n");
    for step in 0..count {
        let length = 2 + random.below(6);
        let number = if step == wrong { length } else { 1 + random.below(length - 1) };
        text += &format!("n = {length}; m = {number}; N = n; M = m;\n{}\n", STEPS[random.below(STEPS.len())]);
    }
    text + "return sum & 1 ? 0 : 0;\n}\n"
}

const OPTIONS: [&str; 4] =
    ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-builtin"];

/// The line that the sanitizers complain about.
fn sanitized(source: &str) -> Option<u32> {
    let options = [
        ("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1"),
        ("UBSAN_OPTIONS", "print_stacktrace=0"),
    ];
    let output = match run(source, DataModel::Lp64, &OPTIONS, &options) {
        Native::Ran(output) => output,
        Native::Slow => panic!("too slow:\n{source}"),
        Native::Refused(text) => panic!("{text}\n{source}"),
    };
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if !text.contains("ERROR: ") && !text.contains("runtime error") {
        assert!(output.status.success(), "{text}\n{source}");
        return None;
    }
    // The first place in the program: `…/test.c:12:5`.
    let place = text.split("test.c:").nth(1).unwrap_or_else(|| panic!("no place in\n{text}"));
    Some(place.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap())
}

/// The line that the machine complains about.
fn noticed(source: &str) -> Result<Option<u32>, Verdict> {
    let module = read(source, DataModel::Lp64, Library::Declared, &[]);
    let left_out = [Fault::Leak, Fault::Uninitialised];
    let checks = Fault::of_one_thread().filter(|fault| !left_out.contains(fault)).collect();
    match machine(&module, vm::Settings { checks, ..vm::Settings::default() }, &Inputs::default()) {
        Verdict::Done => Ok(None),
        Verdict::Fault(_, line) => Ok(Some(line)),
        other => Err(other),
    }
}

#[test]
fn errors_are_those_that_the_sanitizers_find() {
    if !matches!(run("int main(void) { return 0; }", DataModel::Lp64, &OPTIONS, &[]), Native::Ran(_)) {
        return left_out("clang's library of sanitizers");
    }
    let (mut found, mut count) = (0, 0);
    let mut complaints = Vec::new();
    for seed in programs(20) {
        let source = program(seed);
        let (wanted, line) = (sanitized(&source), noticed(&source));
        count += 1;
        found += u32::from(wanted.is_some());
        if line != Ok(wanted) {
            let numbered: Vec<String> =
                source.lines().enumerate().map(|(number, text)| format!("{:3} {text}", number + 1)).collect();
            let text = numbered[PROLOGUE.lines().count()..].join("\n");
            complaints.push(format!("seed {seed}: {line:?}, and the sanitizers {wanted:?}\n{text}"));
        }
    }
    assert!(complaints.is_empty(), "{} of {count} differ\n{}", complaints.len(), complaints.join("\n"));
    assert!(count < 20 || (found > 0 && found < count), "{found} of {count} have an error");
    eprintln!("{count} programs, {found} of them with an error");
}
