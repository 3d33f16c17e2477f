//! The table of faults: each is noticed, and means what the table says if nobody checks it.

use super::{DataModel, End, Fault, MODELS, checking, fault_of, lenient, read, run, run_module};
use crate::ir::undefined::Meaning;
use crate::vm::Zeros;

/// A line that is wrong, in a program with some declarations; and the fault.
const CASES: [(Fault, &str); 31] = [
    (Fault::Division, "int z = 0; return 1 / z;"),
    (Fault::Division, "unsigned z = 0; return 1u % z;"),
    (Fault::Division, "int l = -2147483647 - 1, m = -1; return l / m;"),
    (Fault::Division, "int l = -2147483647 - 1, m = -1; return l % m;"),
    (Fault::Overflow, "int l = 2147483647; l = l + 1; return l == -2147483647 - 1 ? 7 : 1;"),
    (Fault::Overflow, "int l = 2147483647; l++; return l < 0 ? 7 : 1;"),
    (Fault::Overflow, "int l = -2147483647 - 1; l = -l; return l < 0 ? 7 : 1;"),
    (Fault::Overflow, "int l = 65536; l = l * l; return l == 0 ? 7 : 1;"),
    (Fault::Overflow, "long long l = 1LL << 62; l = l + l; return l < 0 ? 7 : 1;"),
    (Fault::Shift, "int w = 32; int r = 1 << w; return 7;"),
    (Fault::Shift, "int w = -1; unsigned r = 1u >> w; return 7;"),
    (Fault::Null, "int *p = 0; return *p;"),
    (Fault::Null, "struct s { int a, b; } *p = 0; p->b = 1; return 0;"),
    (Fault::Null, "void (*f)(void) = 0; f(); return 0;"),
    (Fault::Bounds, "int a[3] = {1, 2, 3}; int i = 3; return a[i];"),
    (Fault::Bounds, "int a[3] = {1, 2, 3}; int i = -1; a[i] = 0; return 0;"),
    (Fault::Bounds, "char *p = malloc(4); memset(p, 0, 5); return 0;"),
    (Fault::Bounds, "char *p = malloc(4); *(int *)(p + 1) = 1; return 0;"),
    (Fault::Bounds, "char b[3]; strcpy(b, \"abc\"); return 0;"),
    (Fault::Pointer, "int *p = malloc(4); *p = 1; free(p); return *p;"),
    (Fault::Pointer, "int *p = local(); return *p;"),
    (Fault::Pointer, "int *p; { int x = 1; p = (int *)12345678; } return *p;"),
    (Fault::Pointer, "char *p = (char *)\"text\"; p[0] = 'T'; return 0;"),
    (Fault::Pointer, "*(int *)&constant = 1; return 0;"),
    (Fault::Free, "int *p = malloc(4); free(p); free(p); return 0;"),
    (Fault::Free, "int x; free(&x); return 0;"),
    (Fault::Free, "char *p = malloc(4); free(p + 1); return 0;"),
    (Fault::Uninitialised, "int x; if (x) return 7; return 7;"),
    (Fault::Uninitialised, "int *p = malloc(4); if (*p == 3) { free(p); return 7; } free(p); return 7;"),
    (Fault::Uninitialised, "int x; int a[2] = {7, 7}; return a[x & 1];"),
    (Fault::Leak, "malloc(4); return 7;"),
];

fn program(line: &str) -> String {
    format!(
        "#include <stdlib.h>\n#include <string.h>\nconst int constant = 5;\n\
         int *local(void) {{ int x = 1; int *p = &x; return p; }}\nint main(void) {{\n{line}\n}}\n"
    )
}

#[test]
fn every_fault_is_noticed_at_its_place() {
    for (fault, line) in CASES {
        for model in MODELS {
            let module = read(&program(line), model);
            let outcome = run_module(&module, checking(), &mut Zeros);
            let End::Fault(report) = &outcome.end else { panic!("{line}: {:?}", outcome.end) };
            assert_eq!(report.fault, fault, "{line}: {}", report.text);
            assert!(!report.text.is_empty());
            if !matches!(fault, Fault::Leak) && !line.contains("strcpy") {
                assert_eq!(report.location.place.map(|place| place.line), Some(6), "{line}");
                assert_eq!(report.location.function, "main");
            }
        }
    }
}

#[test]
fn what_is_not_checked_means_what_the_table_says() {
    for (fault, line) in CASES {
        let outcome = run(&program(line), lenient());
        match fault.without_check() {
            Meaning::EndsTheRun => {
                assert!(matches!(outcome.end, End::Stopped(_)), "{line}: {:?}", outcome.end);
                assert_eq!(fault_of(&outcome.end), Some(fault));
            }
            _ => {
                assert_eq!(outcome.end, End::Exit(7), "{line}");
                assert_eq!(outcome.noted[0].fault, fault, "{line}");
            }
        }
    }
}

/// Programs that look dangerous and are not.
const FINE: [&str; 18] = [
    "int a[3] = {1, 2, 3}; int *p = a + 3; return p - a == 3 ? 7 : 1;",
    "unsigned u = 4294967295u; u = u + 1; return u == 0 ? 7 : 1;",
    "int *p = malloc(4); *p = 7; int r = *p; free(p); free(0); return r;",
    "struct { int a : 3; int b : 5; } s; s.a = 1; s.b = 2; return s.a == 1 && s.b == 2 ? 7 : 1;",
    "char c; int x; memcpy(&c, &x, 1); return 7;",
    "struct { char c; int i; } s, t; s.c = 1; s.i = 6; t = s; return t.c + t.i;",
    "int x; x = x & 0; if (x) return 1; return 7;",
    "static int *kept; kept = malloc(4); return 7;",
    "unsigned long n = (unsigned long)&constant; return *(const int *)n + 2;",
    "int *p = malloc(8); p[0] = 3; p = realloc(p, 64); p[15] = 4; int r = p[0] + p[15]; free(p); return r;",
    "int x = 7, *p = &x, *q; for (unsigned i = 0; i < sizeof p; i++) ((char *)&q)[i] = ((char *)&p)[i]; return *q;",
    "union { int i; float f; } u; u.f = 1.0f; return u.i == 0x3f800000 ? 7 : 1;",
    "int a, b; int *p = &a, *q = &b; return (p == q) + (p < q) + (q < p) == 1 ? 7 : 1;",
    "long l = -5; return l >> 1 == -3 ? 7 : 1;",
    "static struct __attribute__((packed)) { char c; const int *p; } s = {2, &constant}; return s.c + *s.p;",
    "struct __attribute__((packed)) { char c; const int *p; } s; s.c = 2; s.p = &constant; return s.c + *s.p;",
    "int *(*f)(void) = (int *(*)(void))(unsigned long)local; return f == local ? 7 : 1;",
    "int **p = malloc(16 * sizeof *p); static int x = 7; p[3] = &x; memmove(p + 1, p, 8 * sizeof *p); \
     int r = *p[4]; free(p); return r;",
];

#[test]
fn nothing_is_reported_where_nothing_is_wrong() {
    for line in FINE {
        for model in MODELS {
            let outcome = run_module(&read(&program(line), model), checking(), &mut Zeros);
            assert_eq!(outcome.end, End::Exit(7), "{line}");
            assert!(outcome.noted.is_empty(), "{line}");
        }
    }
}

#[test]
fn faults_name_what_they_concern() {
    let source = program("int *buffer = malloc(4); *buffer = 1;\nfree(buffer);\nreturn *buffer;");
    let End::Fault(report) = run(&source, checking()).end else { panic!() };
    assert!(
        report.text.starts_with("`heap@6` was freed at") && report.text.ends_with("test.c:7"),
        "{}",
        report.text
    );
    let End::Fault(report) = run(&program("int grid[2] = {0}; int i = 5; return grid[i];"), checking()).end
    else {
        panic!()
    };
    assert_eq!(report.text, "`grid` has 8 bytes; 4 are read at offset 20");
}

#[test]
fn an_uninitialised_value_is_the_same_at_every_read() {
    let source = "int main(void) { int x, y = x, z = x; int a[2]; int b = a[1]; int c = a[1]; \
                  return y == z && b == c ? 7 : 1; }";
    for end in super::random_ends(source, &lenient(), 20) {
        assert_eq!(end, End::Exit(7));
    }
    // Both values of a branch are possible.
    let source = "int main(void) { int x; if (x != 5) return 1; return 2; }";
    let module = read(source, DataModel::Lp64);
    let mut machine = crate::vm::Machine::new(&module, lenient());
    let explored = crate::vm::explore::explore(
        &mut machine,
        &crate::vm::explore::Exploration { numbers: vec![0, 5], ..Default::default() },
        &crate::ground::limits::Limits::none(),
    );
    let ends: Vec<&End> = explored.ends.iter().map(|found| &found.outcome.end).collect();
    assert_eq!(ends, [&End::Exit(1), &End::Exit(2)]);
}
