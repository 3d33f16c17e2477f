//! The machine against the processor: same output, same exit code.

use super::{End, MODELS, checking, read, run_module};
use crate::llvm::read::clang::{DataModel, find};
use crate::llvm::read::program::Folder;
use crate::vm::Zeros;
use std::process::Command;

/// Output and exit code of the compiled program; nothing if this machine cannot compile for that model.
fn native(source: &str, model: DataModel, options: &[&str]) -> Option<(Vec<u8>, i32)> {
    let folder = Folder::new().unwrap();
    let (path, program) = (folder.0.join("native.c"), folder.0.join("native"));
    std::fs::write(&path, source).unwrap();
    // The old floating-point unit rounds as no standard says.
    let width: &[&str] =
        if model == DataModel::Lp64 { &["-m64"] } else { &["-m32", "-msse2", "-mfpmath=sse"] };
    let mut compile = Command::new(find().unwrap());
    compile.args(["-w", "-O0"]).args(width).arg("-o").arg(&program).arg(&path).args(options).arg("-lm");
    let compiled = compile.output().unwrap().status.success();
    assert!(compiled || model == DataModel::Ilp32, "{source}");
    let output = compiled.then(|| Command::new(&program).output().unwrap())?;
    Some((output.stdout, output.status.code().unwrap_or(-1)))
}

fn agrees(source: &str) {
    for model in MODELS {
        let outcome = run_module(&read(source, model), checking(), &mut Zeros);
        let End::Exit(code) = outcome.end else { panic!("{:?}\n{source}", outcome.end) };
        if let Some((output, expected)) = native(source, model, &[]) {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            assert_eq!((text(&outcome.output), i32::from(code)), (text(&output), expected), "{model:?}");
        }
    }
}

fn with_headers(body: &str) -> String {
    let headers = ["stdio", "stdlib", "string", "stdarg", "stdint", "limits", "math"];
    let includes: String = headers.iter().map(|name| format!("#include <{name}.h>\n")).collect();
    format!("{includes}{body}")
}

#[test]
fn structs_pointers_and_calls() {
    agrees(&with_headers(
        "struct p { int a; char b; double d; struct p *next; };\n\
         struct big { long v[9]; }; struct pair { short x; long long y; };\n\
         static const char *names[] = {\"zero\", \"one\", \"two\"};\n\
         static int table[2][3] = {{1, 2, 3}, {4, 5, 6}}; static int *into = &table[1][1];\n\
         struct p change(struct p p) { p.a++; return p; }\n\
         struct big grow(struct big b, int by) { for (int i = 0; i < 9; i++) b.v[i] += by; return b; }\n\
         struct pair swap(struct pair p) { struct pair q = {(short)p.y, p.x}; return q; }\n\
         int apply(int (*f)(int), int n) { return f(n); } int square(int n) { return n * n; }\n\
         int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n\
         int main(void) { struct p p = {1, 'x', 2.5, 0}, *q = malloc(sizeof *q); *q = p; q->next = &p; p.next = q;\n\
         struct p r = change(p); struct big b = {{1, 2, 3}}; b = grow(b, 7); struct pair t = {3, 70000};\n\
         t = swap(t); printf(\"%d %c %.2f %d %s\\n\", r.a, r.b, r.d, r.next->a, names[2]);\n\
         printf(\"%ld %ld %d %lld %d\\n\", b.v[0], b.v[8], t.x, t.y, *into);\n\
         printf(\"%d %d\\n\", apply(square, 12), fib(12)); free(q); return 42; }",
    ));
}

#[test]
fn arguments_behind_dots() {
    agrees(&with_headers(
        "struct s { int a; long b[4]; }; struct two { long x, y; };\n\
         double sum(int n, ...) { va_list l, k; va_start(l, n); va_copy(k, l); double s = 0;\n\
         for (int i = 0; i < n; i++) { s += va_arg(l, int); s += va_arg(l, double); s += va_arg(l, long long);\n\
         struct s v = va_arg(l, struct s); s += v.a + v.b[3]; struct two w = va_arg(l, struct two); s += w.x - w.y; }\n\
         s += va_arg(k, int); va_end(l); va_end(k); return s; }\n\
         void say(const char *f, ...) { va_list l; va_start(l, f); vprintf(f, l); va_end(l); }\n\
         int main(void) { struct s v = {5, {1, 2, 3, 4}}; struct two w = {100, 1};\n\
         printf(\"%f\\n\", sum(2, 1, 1.5, 7LL, v, w, 2, 2.5, 8LL, v, w));\n\
         say(\"%d %s %c %lld %g %5.1f|%-4d|\\n\", 7, \"text\", 'c', 123456789012LL, 0.25, 3.14159, 9); return 0; }",
    ));
}

#[test]
fn integers_of_all_widths() {
    agrees(&with_headers(
        "struct bits { unsigned a : 3; int b : 7; unsigned long long c : 40; } s;\n\
         int main(void) { signed char c = -100; unsigned char u = 200; short h = -30000; c += c; u += u; h -= 10000;\n\
         printf(\"%d %d %d\\n\", c, u, h); s.a = 9; s.b = -60; s.c = 1ull << 39 | 5; printf(\"%u %d %llx\\n\", s.a, s.b, (unsigned long long)s.c);\n\
         long long x = -7; unsigned long long y = x; printf(\"%lld %lld %llu %llu\\n\", x / 2, x % 2, y / 3, y % 3);\n\
         printf(\"%d %u %d\\n\", -17 >> 2, 0xffffffffu << 4, (int)(short)70000);\n\
         uint32_t h2 = 2166136261u; for (int i = 0; i < 100; i++) { h2 ^= i; h2 *= 16777619u; h2 = h2 << 5 | h2 >> 27; }\n\
         printf(\"%u %d %d\\n\", h2, INT_MAX, INT_MIN); int64_t m = INT64_MIN; printf(\"%lld\\n\", (long long)m);\n\
         printf(\"%d %d\\n\", __builtin_popcount(0xff0f), __builtin_clz(1)); _Bool t = 5; printf(\"%d\\n\", t);\n\
         int o; printf(\"%d\\n\", __builtin_add_overflow(INT_MAX, 1, &o)); return (unsigned char)-3; }",
    ));
}

#[test]
fn integers_of_128_bits() {
    let source = with_headers(
        "typedef unsigned __int128 u128; int main(void) { u128 x = 1; for (int i = 1; i < 30; i++) x *= i;\n\
         __int128 y = -(__int128)x; y >>= 3; u128 z = x << 5 ^ x >> 7; z %= 1000000007u;\n\
         printf(\"%llx %llx %llx %llx %llu %d\\n\", (long long)(x >> 64), (long long)x, (long long)(y >> 64), (long long)y,\n\
         (unsigned long long)z, y < 0); return 0; }",
    );
    let outcome = run_module(&read(&source, DataModel::Lp64), checking(), &mut Zeros);
    assert_eq!(outcome.end, End::Exit(0));
    assert_eq!(outcome.output, native(&source, DataModel::Lp64, &[]).unwrap().0);
}

#[test]
fn floating_point_numbers() {
    agrees(&with_headers(
        "int main(void) { float f = 0.1f; double d = 0.1; f = f * 3 - 0.3f; d = d * 3 - 0.3; printf(\"%g %g\\n\", f, d);\n\
         printf(\"%d %u %lld %f\\n\", (int)-2.9, (unsigned)3.9f, (long long)1e15, (double)(float)16777217);\n\
         printf(\"%d %d %d\\n\", 0.0 / 0.0 == 0.0 / 0.0, 1.0 / 0.0 > 1e308, -0.0 == 0.0);\n\
         printf(\"%f %f %f %e\\n\", __builtin_elementwise_sqrt(2.0), __builtin_elementwise_floor(-1.5), fmod(7.5, 2), 123456.789); double a[3] = {1, 2, 3};\n\
         for (int i = 0; i < 3; i++) a[i] /= 7; printf(\"%.17g\\n\", a[0] + a[1] + a[2]); return d < f; }",
    ));
}

#[test]
fn strings_and_memory() {
    agrees(&with_headers(
        "int main(void) { char b[32], c[8] = \"abc\"; strcpy(b, \"hello\"); strcat(b, \" you\"); strncpy(c, b, 4);\n\
         printf(\"%s %zu %s %d %d\\n\", b, strlen(b), c, strcmp(b, \"hello\") > 0, strncmp(b, \"help\", 3));\n\
         memmove(b + 2, b, 6); printf(\"%s %ld %s\\n\", b, (long)(strchr(b, 'o') - b), strstr(b, \"you\"));\n\
         int *v = calloc(5, sizeof *v); for (int i = 0; i < 5; i++) v[i] += i * i; v = realloc(v, 40); v[9] = 1;\n\
         printf(\"%d %d %d\\n\", v[4], v[9], memcmp(v, v + 1, 4) < 0); free(v); char t[9]; snprintf(t, 9, \"%05d-%x\", 42, 255);\n\
         puts(t); putchar('z'); fputs(\"end\\n\", stdout); printf(\"%s|%10s|%-10s|%.2s|%%\\n\", \"a\", \"b\", \"c\", \"defg\"); return atoi(\"12\"); }",
    ));
}

#[test]
fn control_flow_and_ends() {
    agrees(&with_headers(
        "void last(void) { puts(\"last\"); } void first(void) { puts(\"first\"); }\n\
         int collatz(long n) { int s = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; s++; } return s; }\n\
         int main(void) { atexit(last); atexit(first); int s = 0; for (int i = 0; i < 20; i++) { if (i % 3 == 0) continue;\n\
         switch (i) { case 1: s += 1; case 2: s += 2; break; case 10 ... 12: s += 100; break; default: s += 5; }\n\
         if (s > 300) goto out; } out: printf(\"%d %d\\n\", s, collatz(27)); int n = 3, a[n]; a[2] = s;\n\
         do { n--; } while (n > 0 && a[2]); printf(\"%d %d\\n\", n, s > 5 ? a[2] : -1); exit(s & 0x7f); }",
    ));
}
