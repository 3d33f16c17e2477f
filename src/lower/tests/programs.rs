//! Small programs whose assertions all hold in C: in the machine and in the model, too; and each fails if it is
//! turned round, so that they are really looked at.

use super::super::{Settings, lower};
use crate::ir::undefined::Fault;
use crate::llvm::read::clang::DataModel;
use crate::llvm::read::program::Library;
use crate::llvm::tests::runs::{Inputs, Verdict, machine, model, models, read};
use crate::program::run::explore::{Exploration, explore};
use crate::program::run::{Compiled, Outcome};
use crate::program::{Action, Assumption};
use crate::vm;

const HEADER: &str = "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stdarg.h>\n\
    #include <stdint.h>\n#include <limits.h>\n#define refute(claim) assert(!(claim))\n";

/// Declarations, and the body of `main`.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "int a[3] = {1, 2, 3}, b[2][3] = {{1, 2, 3}, {4, 5, 6}};",
        "int s = 0; for (int i = 0; i < 3; i++) s += a[i]; assert(s == 6);\n\
         b[1][2] = 7; int (*row)[3] = b + 1; assert((*row)[2] == 7 && b[0][2] == 3);\n\
         int *p = &a[1]; p[1] = 9; p[-1] = 8; assert(a[0] == 8 && a[2] == 9 && *p == 2);\n\
         char t[] = \"xyz\"; t[1] ^= 32; assert(t[1] == 'Y' && sizeof t == 4);",
    ),
    (
        "struct in { short a; char b; }; struct out { struct in x[2]; struct in *p; long long l; } g = {{{1, 2}, {3, 4}}, 0, 5};",
        "struct out o = g; o.p = &o.x[1]; o.p->a = 30; assert(o.x[1].a == 30 && g.x[1].a == 3);\n\
         struct out *q = &g; *q = o; assert(g.x[1].a == 30 && g.p == &o.x[1] && g.l == 5);\n\
         struct in y = o.x[0]; y.b++; assert(y.a == 1 && y.b == 3 && o.x[0].b == 2);",
    ),
    (
        "double half(double x) { return x / 2; } float mix(int i, unsigned u) { return i + u * 0.5f; }",
        "assert(half(3) == 1.5 && (int)-2.9 == -2 && (unsigned)3.9f == 3); float f = 0.1f; assert(f != 0.1 && f < 0.2f);\n\
         double z = 0; assert(!(z / z == z / z) && 1 / z > 1e308 && -z == z); assert(mix(-1, 3) == 0.5f);\n\
         union { float f; unsigned u; } b; b.f = 1; assert(b.u == 0x3f800000); assert(__builtin_fabs(-2.5) == 2.5);\n\
         long long l = 1LL << 53; assert((double)l + 1 == l); assert(__builtin_isinf(-1 / z) && __builtin_isnan(z / z));",
    ),
    (
        "union u { unsigned i; unsigned char b[4]; unsigned short h[2]; };",
        "union u u; u.i = 0x01020304; assert(u.b[0] == 4 && u.b[3] == 1 && u.h[1] == 0x0102);\n\
         u.h[0] = 0xffff; assert(u.i == 0x0102ffff); unsigned v = 5; unsigned char *p = (unsigned char *)&v; p[2] = 1;\n\
         assert(v == 0x10005);",
    ),
    (
        "struct bits { unsigned a : 3; int b : 5; unsigned c : 24; unsigned char d : 4, e : 4; } g;",
        "g.a = 9; g.b = -16; g.c = 0xabcdef; g.d = 17; g.e = 15; assert(g.a == 1 && g.b == -16 && g.c == 0xabcdef);\n\
         assert(g.d == 1 && g.e == 15); g.b = 15; g.a++; assert(g.a == 2 && g.b == 15);\n\
         struct bits l = g; l.c++; assert(l.c == 0xabcdf0 && g.c == 0xabcdef);",
    ),
    (
        "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n\
         int even(unsigned n); int odd(unsigned n) { return n ? even(n - 1) : 0; } int even(unsigned n) { return n ? odd(n - 1) : 1; }\n\
         void fill(int *to, int n) { int own = n; if (n > 0) fill(to, n - 1); to[n] = own; }",
        "assert(fib(10) == 55); assert(even(8) && odd(7)); int a[6]; fill(a, 5); assert(a[0] == 0 && a[5] == 5);",
    ),
    (
        "int sum(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s += va_arg(l, int); va_end(l); return s; }\n\
         long long mixed(int n, ...) { va_list l; va_start(l, n); long long s = va_arg(l, long long); int *p = va_arg(l, int *);\n\
         s += *p; s += va_arg(l, unsigned); va_end(l); return s; }",
        "assert(sum(3, 1, 2, 3) == 6); assert(sum(0) == 0); int x = 4; assert(mixed(3, 1LL << 40, &x, 7u) == (1LL << 40) + 11);",
    ),
    (
        "struct big { int v[8]; }; struct small { short a, b; }; struct pair { int x; long long y; };\n\
         struct big grow(struct big b, int by) { for (int i = 0; i < 8; i++) b.v[i] += by; return b; }\n\
         struct small swap(struct small s) { struct small t = {s.b, s.a}; return t; }\n\
         struct pair make(int x, long long y) { return (struct pair){x, y}; }",
        "struct big b = {{1, 2}}, c = grow(b, 5); assert(c.v[1] == 7 && c.v[7] == 5 && b.v[1] == 2);\n\
         struct small s = swap((struct small){3, 4}); assert(s.a == 4 && s.b == 3);\n\
         assert(make(3, 1LL << 33).y == 1LL << 33 && make(-3, 0).x == -3); assert(grow(grow(b, 1), 2).v[0] == 4);",
    ),
    (
        "int add(int a, int b) { return a + b; } int sub(int a, int b) { return a - b; }\n\
         int (*table[])(int, int) = {add, sub}; struct ops { int (*f)(int, int); } ops = {sub};\n\
         int apply(int (*f)(int, int), int a) { return f(a, 2); }",
        "for (int i = 0; i < 2; i++) assert(table[i](5, 3) == (i ? 2 : 8)); assert(apply(add, 1) == 3 && apply(sub, 1) == -1);\n\
         assert(ops.f(9, 4) == 5); ops.f = add; assert(ops.f(9, 4) == 13 && ops.f == table[0] && ops.f != sub);",
    ),
    (
        "int classify(int x) { switch (x) { case -1: return 1; case 0: case 1: x += 10; case 5: x++; break; case 10 ... 20: return 3; default: return 4; } return x; }",
        "assert(classify(-1) == 1 && classify(0) == 11 && classify(5) == 6); assert(classify(15) == 3 && classify(21) == 4);\n\
         unsigned long long w = 1ull << 40; int hit = 0; switch (w) { case 1ull << 40: hit = 1; break; case 0: hit = 2; } assert(hit == 1);\n\
         int n = 0; switch (3) { for (; n < 5; n++) { case 3: n += 2; } } assert(n == 6);",
    ),
    (
        "struct s { int a; char t[6]; struct s *next; } x = {1, \"abcde\", &x}, y; char z[6] = \"abcde\";\n\
         void copy(void *to, const void *from, size_t n) { memcpy(to, from, n); }",
        "memcpy(&y, &x, sizeof x); assert(y.a == 1 && y.t[4] == 'e' && y.next == &x); copy(z, \"zz\", 2); assert(z[1] == 'z' && z[2] == 'c');\n\
         int a[5] = {1, 2, 3, 4, 5}; memmove(a + 1, a, 4 * sizeof(int)); assert(a[0] == 1 && a[1] == 1 && a[4] == 4);\n\
         size_t n = 3; memmove(a, a + 2, n * sizeof(int)); assert(a[0] == 2 && a[2] == 4); memset(a, -1, n * 4); assert(a[2] == -1 && a[3] == 3);\n\
         memset(&y, 0, sizeof y); assert(y.next == 0 && y.t[0] == 0); assert(memcmp(z, \"zzcde\", 6) == 0 && strlen(z) == 5);",
    ),
    (
        "struct node { int v; struct node *next; }; struct node *push(struct node *l, int v) { struct node *n = malloc(sizeof *n); n->v = v; n->next = l; return n; }",
        "struct node *l = 0; for (int i = 0; i < 5; i++) l = push(l, i * i); int s = 0; for (struct node *n = l; n; n = n->next) s = s * 3 + n->v; assert(s == 1578);\n\
         struct node *r = 0; while (l) { struct node *n = l->next; l->next = r; r = l; l = n; } assert(r->v == 0 && r->next->v == 1);\n\
         while (r) { struct node *n = r; r = r->next; free(n); } int *z = calloc(3, sizeof(int)); assert(z[2] == 0); z[2] = 5;\n\
         assert(z[2] == 5); free(z); char *b = malloc(8); *(int *)(b + 4) = -2; assert(b[4] == -2 && b[7] == -1); free(b);",
    ),
    (
        "int x = 1; static int count(void) { static int x = 10; return x++; }",
        "assert(x == 1); int x = 2; { int x = 3; { int x = 4; assert(x == 4); } assert(x == 3); for (int x = 5; x < 6; x++) assert(x == 5); } assert(x == 2);\n\
         count(); assert(count() == 11 && count() == 12);",
    ),
    (
        "int calls; int f(int r) { calls++; return r; }",
        "int x = 0; assert((f(0) && f(1)) == 0 && calls == 1); assert(f(1) || f(1)); assert(calls == 2); x = f(0) ? f(5) : f(6); assert(x == 6 && calls == 4);\n\
         int i = 0, a[4] = {0}; a[i++] = 5; a[i++] += 3; assert(i == 2 && a[0] == 5 && a[1] == 3); x = (i++, i * 2); assert(x == 6);\n\
         x = 1 ? 2 : f(9); assert(calls == 4); int *p = i > 2 ? &a[0] : &a[1]; assert(*p == 5); assert((x > 1) + (x > 2) == 1);",
    ),
    (
        "",
        "unsigned u = UINT_MAX; u += 2; assert(u == 1); u = 0; u--; assert(u == 0xffffffffu && u * u == 1); unsigned char c = 250; c += 10; assert(c == 4);\n\
         unsigned short h = 1; h -= 2; assert(h == 65535); uint64_t w = 1; w <<= 63; assert(w + w == 0 && w >> 62 == 2); assert(-1 > 0u);\n\
         signed char s = (signed char)200; assert(s == -56 && (unsigned char)s == 200 && (unsigned)s == 0xffffffc8u); int n = (int)(short)0x12348000; assert(n == -32768);\n\
         assert((long long)(int)0x80000000u == -2147483648LL && (uint64_t)-1 >> 60 == 15); assert(-7 / 2 == -3 && -7 % 2 == -1 && -7 >> 1 == -4 && 7u / 2 == 3);\n\
         _Bool b = 256; assert(b == 1 && (unsigned char)256 == 0); char *p = 0; assert((char *)((uintptr_t)p + 5) - (char *)5 == 0);",
    ),
    (
        "int g; int *where(int i, int *a, int *b) { return i ? a : b; } void set(int **p, int *to) { *p = to; }",
        "int x = 1, y = 2, *p, **q = &p; set(q, &x); *p = 5; assert(x == 5); *where(0, &x, &y) = 7; assert(y == 7 && x == 5); set(&p, &g); **q = 3; assert(g == 3);\n\
         int a[4] = {0}; for (int *i = a; i != a + 4; i++) *i = i - a; assert(a[3] == 3); int *e = &a[3], *s = a; assert(e - s == 3 && e > s && !(s >= e)); void *v = e; assert(*(int *)v == 3);",
    ),
    (
        "int n; int loop(int a) { again: if (a > 100) goto done; a = a * 2 + 1; n++; goto again; done: return a; }",
        "assert(loop(1) == 127 && n == 6); int s = 0; for (int i = 0; i < 10; i++) { if (i == 3) continue; if (i == 8) break; s += i; } assert(s == 25);\n\
         int k = 0; do { k++; } while (k < 5); assert(k == 5); while (k --> 0) if (k == 2) break; assert(k == 2); int m = 3, v[m]; v[m - 1] = 4; assert(v[2] == 4 && sizeof v == 12);",
    ),
    (
        "struct deep { int n; struct deep *up; short s[2]; }; struct big { int v[8]; };\n\
         int down(struct deep d) { d.n--; d.s[1] += d.n; if (d.n > 0) { struct deep e = d; int r = down(e); return r * 2 + d.n + d.s[1]; } return d.s[1]; }\n\
         int other(struct big b, int k); int some(struct big b, int k) { b.v[k] = k; return k ? other(b, k - 1) + b.v[k] : b.v[0] + b.v[3]; }\n\
         int other(struct big b, int k) { b.v[3] += 10; return some(b, k) + b.v[3]; }",
        "struct deep d = {3, 0, {1, 2}}; assert(down(d) == 38); assert(d.n == 3 && d.s[1] == 2);\n\
         struct big b = {{5, 6}}; assert(some(b, 2) == 53); assert(b.v[0] == 5 && b.v[3] == 0);",
    ),
    (
        "struct row { int tag, v[3]; }; struct row zero[4], one[2] = {{1, {0}}, {2, {0, 5}}}; int table[3] = {7, 7, 7}, other[2] = {7, 8}, n = 2;\n\
         int ends[3] = {4, 4, 4}; void last(int *p) { p[2] = 9; }",
        "for (int i = 0; i < 4; i++) assert(zero[i].tag == 0 && zero[i].v[n] == 0); assert(one[1].v[1] == 5 && one[0].v[1] == 0);\n\
         for (int i = 0; i < 3; i++) assert(table[i] == 7); assert(other[n - 1] == 8 && other[n - 2] == 7); last(ends); assert(ends[n] == 9 && ends[n - 1] == 4);",
    ),
    (
        "struct pair { short a; int b; }; int id(int x) { return x; }",
        "int *p = malloc(2 * sizeof *p); p[0] = 3; p[1] = 4; p = realloc(p, id(5) * sizeof *p); p[4] = 9; assert(p[0] == 3 && p[1] == 4 && p[4] == 9);\n\
         p = realloc(p, sizeof *p); assert(p[0] == 3); int *q = realloc(0, 8); q[1] = 7; assert(q[1] == 7 && p[0] == 3);\n\
         struct pair *s = calloc(id(2), sizeof *s); assert(s[1].b == 0 && s[0].a == 0); s[1].b = 5; s[0].a = -1; s = realloc(s, 4 * sizeof *s);\n\
         s[3].a = 8; assert(s[1].b == 5 && s[0].a == -1 && s[1].a == 0 && s[3].a == 8); char *t = realloc(0, 3); t[0] = 'x'; t[1] = 0;\n\
         t = realloc(t, 400); assert(t[0] == 'x' && t[1] == 0 && strlen(t) == 1); free(t); free(s); free(q); long long *l = calloc(3, 8); *(int *)(l + 1) = 1;\n\
         l = realloc(l, 64); assert(l[0] == 0 && l[1] == 1 && l[2] == 0); free(l); assert(realloc(p, 0) == 0);",
    ),
];

/// What is read is arbitrary: zeros here. Inputs say how many conversions succeed.
#[test]
fn what_is_read_is_an_input() {
    let declarations = "#include <stdio.h>\n";
    let body = "int x = 5, n; char c = 'k'; n = scanf(\"%d %c\", &x, &c);\n\
                if (n < 1) assert(x == 5 && c == 'k');\nif (n == 1) assert(c == 'k');\n\
                assert(n >= -1 && n <= 2);\nassert(x == (n < 1 ? 5 : 9));";
    let module = read(&source(declarations, body), DataModel::Lp64, Library::Models, &[]);
    let programs = models(&module, &Settings::default());
    for (count, fits) in [(u32::MAX, true), (0, true), (1, true), (2, true), (3, false)] {
        let inputs = Inputs::default().with("scanned", count.into()).with("scanned_32", 9);
        let found = model(&programs[0], &inputs);
        assert_eq!(found, model(&programs[1], &inputs));
        // The machine takes other numbers for one of these.
        assert_eq!(machine(&module, vm::Settings::default(), &inputs), Verdict::Done);
        assert_eq!(found, if fits { Verdict::Done } else { Verdict::Stuck }, "{count}");
    }
    for (other, why) in [
        ("char t[4]; scanf(\"%3s\", t);", "not modelled"),
        ("int n; printf(\"x%%%-3hn\", &n);", "format with %n"),
    ] {
        let module = read(&source(declarations, other), DataModel::Lp64, Library::Models, &[]);
        let found = model(&models(&module, &Settings::default())[0], &Inputs::default());
        assert!(matches!(&found, Verdict::Other(text) if text.contains(why)), "{found:?}");
    }
}

#[test]
fn texts_that_are_made_stay_in_their_place() {
    let declarations = "#include <stdio.h>\nextern long time(long *);";
    let body = "char t[4], u[2] = \"u\"; int n = snprintf(t, sizeof t, \"%d\", 7); assert(u[0] == 'u' && n < 3);\n\
                char *r = fgets(t, 3, stdin); assert(r == 0 || r == t && (t[0] == 0 || t[1] == 0 || t[2] == 0));\n\
                int c = getchar(); assert(c >= -1 && c < 256); assert(rand() >= 0);\n\
                long now = -5, then = time(&now); assert(now == then && time(0) >= -1);";
    agree(&source(declarations, body), &|verdict| *verdict == Verdict::Done);
}

/// What is not looked at is told.
#[test]
fn what_a_verdict_rests_on_is_listed() {
    let lowered = |body: &str, checks: &[Fault]| {
        let text = source("#include <stdio.h>\n#include <stdarg.h>\nint some;", body);
        let module = read(&text, DataModel::Lp64, Library::Models, &[]);
        let settings = Settings { checks: checks.iter().copied().collect(), ..Settings::default() };
        lower(&module, &settings).unwrap()
    };
    let writes = |body: &str| {
        let program = lowered(body, &[]);
        let mut edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        edges.any(|edge| matches!(&edge.action, Action::Unsupported(what) if what.contains("%n")))
    };
    assert!(writes("int x = 0; const char *f = \"abc%n\"; printf(f, &x);"));
    assert!(writes("int x = 0; char f[4] = \"%n\"; printf(f, &x);"));
    assert!(writes("int x = 0; char b[8]; snprintf(b, 8, some ? \"a\" : \"b%n\", &x);"));
    assert!(writes("static char f[4] = \"%d\"; f[1] = 'n'; printf(f, &some);"));
    assert!(!writes("int x = 0; printf(\"%d\", x);"));
}

/// A loop behind the end of the run: nothing leads there, and merging blocks must cope with it.
#[test]
fn a_loop_that_cannot_be_reached_does_no_harm() {
    let stop = "void stop(void) { abort(); here: goto here; }";
    agree(&source(stop, "int x = 1; if (x == 7) stop(); assert(x == 1);"), &|verdict| {
        *verdict == Verdict::Done
    });
}

/// Many branches one after the other: what large blocks say of themselves grows with the program, not with its paths.
#[test]
fn large_blocks_of_many_branches_stay_small() {
    let declarations = "extern int __VERIFIER_nondet_int(void); int lock[24];";
    let branch = |number: usize| {
        format!("if (__VERIFIER_nondet_int()) lock[{number}] = 1;\nelse\nlock[{number}] = 2;\n")
    };
    let body: String = (0..24).map(branch).collect();
    let module = read(&source(declarations, &body), DataModel::Lp64, Library::Models, &[]);
    let [_, large] = models(&module, &Settings::default());
    let places =
        |procedure: &crate::program::Procedure| procedure.edges.iter().map(|edge| edge.places.len()).sum();
    let all: usize = large.procedures.iter().map(|procedure| -> usize { places(procedure) }).sum();
    assert!(all < 1_000, "{all} lines");
}

fn source(declarations: &str, body: &str) -> String {
    format!("{HEADER}{declarations}\nint main(void) {{\n{body}\nreturn 0; }}\n")
}

fn agree(source: &str, expected: &dyn Fn(&Verdict) -> bool) {
    for data_model in [DataModel::Ilp32, DataModel::Lp64] {
        let module = read(source, data_model, Library::Models, &[]);
        let checks: std::collections::BTreeSet<_> = crate::ir::undefined::Fault::of_one_thread().collect();
        let inputs = Inputs::default();
        let ran =
            machine(&module, vm::Settings { checks: checks.clone(), ..vm::Settings::default() }, &inputs);
        assert!(expected(&ran), "{data_model:?}, machine: {ran:?}\n{source}");
        for checks in [checks, [].into()] {
            let settings = Settings { checks, ..Settings::default() };
            for (program, form) in models(&module, &settings).iter().zip(["basic", "large"]) {
                let found = model(program, &inputs);
                assert_eq!(
                    found,
                    ran,
                    "{data_model:?}, {form} blocks, {} checks\n{source}",
                    settings.checks.len()
                );
            }
        }
    }
}

#[test]
fn assertions_that_hold_hold() {
    for (declarations, body) in PROGRAMS {
        agree(&source(declarations, body), &|verdict| *verdict == Verdict::Done);
    }
}

/// The last assertion of each program, turned round.
#[test]
fn assertions_that_are_turned_round_fail() {
    for (declarations, body) in PROGRAMS {
        let at = body.rfind("assert(").unwrap();
        let turned = format!("{}refute({}", &body[..at], &body[at + "assert(".len()..]);
        agree(&source(declarations, &turned), &|verdict| matches!(verdict, Verdict::Failed(_)));
    }
}

/// An uninitialised pointer points to something of its own, whoever has a copy of it.
#[test]
fn uninitialised_pointers_have_objects_of_their_own() {
    let text = "#include <assert.h>\nstruct s { int x; struct s *next; int *p; void (*f)(void); }; int g = 5, some;\n\
        int main(void) { struct s *d; struct s *q = d, *r = d; q->x = 1;\nassert(r->x == 1);\n\
        if (some) d->p = &g;\nint v = *d->p;\nassert(v == 5);\nq->next->x = 7;\nassert(g == 5);\n\
        assert(r->next->x == 7);\nd->f();\nassert(0); return 0; }";
    let module = read(text, DataModel::Lp64, Library::Models, &[]);
    let program = lower(&module, &Settings::default()).unwrap();
    let assumed = |assumption: &Assumption| matches!(assumption, Assumption::No(fault) if fault.fault() == Fault::Uninitialised);
    assert!(program.assumptions.iter().any(assumed));
    let settings = Exploration { numbers: vec![5, 0x5000, 0x6000], states: 100_000 };
    let explored = explore(&Compiled::new(&program), &settings);
    assert!(explored.complete);
    let violated = |number: usize| {
        let id = program.properties.ids().nth(number).unwrap();
        explored.ends.contains(&Outcome::Violated(id))
    };
    assert_eq!([0, 1, 2, 3].map(violated), [false, true, false, false]);
    assert!(explored.ends.iter().any(|end| matches!(end, Outcome::Unsupported(..))), "nobody knows d->f");
    assert!(!violated(4));
}

#[test]
fn floating_point_numbers_of_32_bits_rest_on_an_assumption() {
    let source = "double x; int main(void) { x = x + 1; return 0; }";
    for (data_model, assumed) in [(DataModel::Ilp32, true), (DataModel::Lp64, false)] {
        let module = read(source, data_model, Library::Models, &[]);
        let program = lower(&module, &Settings::default()).unwrap();
        assert_eq!(program.assumptions.contains(&Assumption::FloatsAsTyped), assumed, "{data_model:?}");
    }
}

#[test]
fn a_function_that_only_has_the_name_of_one_of_the_library_gets_no_model() {
    let calls = |declared: &str, call: &str| {
        let source = format!("{declared}; int main(void) {{ int x = 0; {call}; return x; }}");
        let module = read(&source, DataModel::Lp64, Library::Models, &[]);
        let function =
            module.functions.iter().find(|function| function.name == "trunc").expect("it is declared");
        function.is_defined()
    };
    assert!(calls("double trunc(double)", "x = trunc(1.5)"));
    assert!(!calls("void trunc(int *)", "trunc(&x)"));
    assert!(!calls("float trunc(float)", "x = trunc(1.5f)"));
}
