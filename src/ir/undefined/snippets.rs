//! Snippets of C for every row of the table of faults, and others that only look like it.
//!
//! The machine and the lowering are both held against this one list. All snippets are functions of one program, so
//! that clang runs once; each has an entry of its own that demands the result 7. A snippet that commits its fault and
//! goes on returns 7, too, if the fault means what the table says.

use super::Fault;

/// Statements that commit a fault.
pub(crate) const FAULTY: &[(Fault, &str)] = &[
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
    (Fault::Division, "long long z = 0; return (int)(5 % z);"),
    (Fault::Division, "unsigned char z = 4; z = z * 64; return 9 / z;"),
    (Fault::Overflow, "int l = -2147483647; l = l - 2; return l == 2147483647 ? 7 : 1;"),
    (Fault::Overflow, "int l = -2147483647 - 1; l--; return l == 2147483647 ? 7 : 1;"),
    (Fault::Overflow, "int l = 2147483647; l += 1; return l < 0 ? 7 : 1;"),
    (Fault::Shift, "long long r = 1; int w = 64; r = r >> w; return 7;"),
    (Fault::Shift, "unsigned short h = 1; int w = 40; h = h << w; return 7;"),
    (Fault::Null, "int *p = 0; *p = 1; return 0;"),
    (Fault::Null, "struct s { int a, b[4]; } *p = 0; int i = 2; return p->b[i];"),
    (Fault::Null, "char *p = 0; memset(p, 0, 3); return 0;"),
    (Fault::Bounds, "struct { int a[2]; int b; } s = {{1, 2}, 3}; int *p = &s.b; return p[1];"),
    (Fault::Bounds, "static int g[4]; int i = 4; g[i] = 1; return 0;"),
    (Fault::Bounds, "int *p = malloc(12); int i = 3; p[i] = 1; return 0;"),
    (Fault::Bounds, "int *p = malloc(12); int i = -1; p[i] = 1; return 0;"),
    (Fault::Bounds, "int a[2] = {1, 2}, b[3]; memcpy(b, a, 12); return 0;"),
    (Fault::Pointer, "int *p = malloc(8), *q = p + 1; free(p); *q = 1; return 0;"),
    (Fault::Pointer, "int *p = malloc(4); *p = 3; int *q = realloc(p, 400); free(q); return *q;"),
    (Fault::Free, "static int g; free(&g); return 0;"),
    (Fault::Leak, "int *p = malloc(4); p = malloc(4); free(p); return 7;"),
    (Fault::Bounds, "char a[4], b[8]; int n = 5; memset(b, 1, 8); memcpy(a, b, n); return 0;"),
    (
        Fault::Bounds,
        "char *p = malloc(4), *q = calloc(8, 1); int n = 8; memset(p, 1, 4); memcpy(q, p, n); return 0;",
    ),
    (Fault::Bounds, "char a[8]; int n = -1; memset(a, 0, n); return 0;"),
    (Fault::Bounds, "struct s { int v[3]; } *p = malloc(8), t; p->v[0] = 1; t = *p; return t.v[0];"),
    (Fault::Pointer, "char *p = malloc(4); free(p); memset(p, 0, 2); return 0;"),
    (Fault::Pointer, "int n = 2; memcpy((char *)&constant, \"ab\", n); return 0;"),
    (Fault::Pointer, "int *p = local(); int x; memcpy(&x, p, 4); return 0;"),
    (Fault::Pointer, "int *p = local(), *q = local(); add(q, 4); return 0;"),
    (Fault::Free, "int *p = malloc(4); free(p); p = realloc(p, 8); return 0;"),
    (Fault::Free, "int x; int *p = realloc(&x, 8); return 0;"),
    (Fault::Null, "char *p = 0; char a[3] = {1, 2, 3}; int n = 2; memcpy(p, a, n); return 0;"),
    (Fault::Uninitialised, "int x, y = 3; switch (x + y) { case 1: return 7; default: return 7; }"),
    (Fault::Uninitialised, "struct { int a, b; } s, t; s.a = 1; t = s; if (t.b) return 7; return 7;"),
    (Fault::Uninitialised, "struct pair s; s.a = 1; if (second(s)) return 7; return 7;"),
    (Fault::Uninitialised, "int x; if (same(x) > 3) return 7; return 7;"),
    (Fault::Uninitialised, "int x, *p = &x; add(p, 2); if (x > 3) return 7; return 7;"),
    (Fault::Uninitialised, "int x, (*f)(int) = &same; if (f(x)) return 7; return 7;"),
    (Fault::Uninitialised, "int s; for (int i = 0; i < 3; i++) s += i; if (s > 1) return 7; return 7;"),
    (Fault::Uninitialised, "int a[4], n = 2; memset(a, 0, n * 4); if (a[3]) return 7; return 7;"),
    (Fault::Uninitialised, "char c, a[4]; memset(a, c, 4); if (a[2]) return 7; return 7;"),
    (
        Fault::Uninitialised,
        "unsigned char b[4]; unsigned u; b[0] = 1; memcpy(&u, b, 4); if (u > 5) return 7; return 7;",
    ),
    (Fault::Uninitialised, "struct { unsigned a : 3, b : 5; } s; s.a = 1; if (s.b == 3) return 7; return 7;"),
    (Fault::Uninitialised, "int x; unsigned u = 1u << (x & 3); if (u > 1) return 7; return 7;"),
    (Fault::Uninitialised, "int x, y = 8 / (x | 1); if (y) return 7; return 7;"),
    (
        Fault::Uninitialised,
        "char *p = malloc(4); p[2] = 1; p = realloc(p, 8); int r = p[2]; if (p[6]) r = 1; free(p); return 6 + r;",
    ),
    (Fault::Uninitialised, "unsigned n; char a[4] = {1}; memset(a, 0, n & 3); return 7;"),
    (Fault::Uninitialised, "int x; x = total(2, 3, x); if (x > 3) return 7; return 7;"),
    (Fault::Pointer, "int *p; { int x = 1; p = &x; } return *p;"),
    (Fault::Pointer, "int *p, y = 1; if (y) { int a[2] = {1, 2}; p = a + 1; } *p = 3; return 7;"),
    (Fault::Pointer, "int *p; { p = (int[]){1, 2}; } return p[1];"),
    (Fault::Pointer, "int *p = 0; for (int i = 0; i < 1; i++) { int x = 1; p = &x; } add(p, 1); return 7;"),
    (
        Fault::Uninitialised,
        "for (int i = 0; i < 2; i++) { int x; if (!i) x = 1; if (x) continue; } return 7;",
    ),
    (
        Fault::Uninitialised,
        "for (int i = 0; i < 2; i++) { int a[2]; if (!i) a[1] = 1; if (a[1]) continue; } return 7;",
    ),
    (Fault::Uninitialised, "int i = 0; l:; int x; if (!i) x = 1; if (x && !i++) goto l; return 7;"),
];

/// Statements that look dangerous and are not; they return 7.
pub(crate) const FINE: &[&str] = &[
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
    "int l = -2147483647 - 1; return l / 1 == l && l % 1 == 0 && 0 / l == 0 ? 7 : 1;",
    "int z = 0; return z != 0 && 5 / z > 0 ? 1 : 7;",
    "int l = 2147483646; l++; l--; l = -l; return l == -2147483646 ? 7 : 1;",
    "short h = 32767; h++; return h == -32768 ? 7 : 1;",
    "signed char c = 127; c += 1; unsigned char d = 255; d++; return c == -128 && d == 0 ? 7 : 1;",
    "int w = 31; unsigned u = 1u << w; return u >> w == 1 && (-1 >> w) == -1 ? 7 : 1;",
    "struct s { int a, b; } *p = 0; return &p->b != 0 || p == 0 ? 7 : 1;",
    "int *p = 0; return p && *p ? 1 : 7;",
    "int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; int i = 1, j = 2; return a[i][j] + a[0][0];",
    "char b[4]; strcpy(b, \"abc\"); return b[3] == 0 && strlen(b) == 3 ? 7 : 1;",
    "int *p = malloc(12); p[2] = 7; int *q = p + 3; int r = q[-1]; free(p); return r;",
    "int *p = malloc(4); free(p); p = malloc(4); *p = 7; int r = *p; free(p); return r;",
    "int *p = calloc(2, 4); int r = p[0] + p[1] + 7; free(p); return r;",
    "char *p = malloc(0); free(p); return 7;",
    "char a[4]; int n = 0; memcpy(a + 4, a, n); memset(a + 4, 0, n); return 7;",
    "char a[4] = \"abc\", b[4]; unsigned n = 4; memcpy(b, a, n); return b[2] == 'c' ? 7 : 1;",
    "int x = 3; add(&x, 1); add(&x, 3); return x;",
    "int *p = realloc(0, 4); *p = 7; int r = *p; free(p); return r;",
    "char *p = malloc(8); p[0] = 7; p = realloc(p, 2); int r = p[0]; free(p); return r;",
    "unsigned x; x = x << 1 | 1; return x == 4 ? 1 : 7;",
    "unsigned x; x <<= 8; return (x & 255) == 0 ? 7 : 1;",
    "unsigned x; x |= 255; return (unsigned char)x == 255 ? 7 : 1;",
    "int a[4], s = 1; for (int i = 0; i < 4; i++) a[i] = i; for (int i = 0; i < 4; i++) s += a[i]; return s;",
    "struct pair s; s.b = 7; return second(s);",
    "int x, y = same(x); y = same(7); return y;",
    "int *p = calloc(2, 4), n = 2, *q = calloc(n, 4); int r = p[1] + q[1] == 0 ? 7 : 1; free(p); free(q); return r;",
    "char c, a[4]; memset(a, c, 4); a[2] = 7; return a[2];",
    "char *p = malloc(2); p[0] = 1; p = realloc(p, 8); int r = p[0] + 6; free(p); return r == 7 ? 7 : 1;",
    "int x; if (constant == 5) x = 7; return x;",
    "char *p; int n = 0; char a[2] = {1, 2}; memcpy(p, a, n); return 7;",
    "return total(2, 3, 4);",
    "struct s { int v[3]; } s = {{1, 2, 4}}, *p = malloc(sizeof s), t; *p = s; t = *p; free(p); return t.v[0] + t.v[1] + t.v[2];",
    "int n = 0; for (int i = 0; i < 2; i++) { int x = 3, *p = &x; add(p, i); n += *p; } return n;",
    "int i = 0, *p = 0; { int x = 3; l: if (p) x += *p; p = &x; if (!i++) goto l; return x + 1; }",
    "int n = 1; for (int i = 0; i < 2; i++) { int *p = (int[]){1, 2}; n += p[0] + p[1]; } return n;",
    "int n = 7; while (1) { int x; if (n == 7) { x = n; n = 8; if (x == 7) continue; } break; } return n - 1;",
];

/// The name of the entry that runs a snippet.
pub(crate) fn entry(kind: Kind, number: usize) -> String {
    format!("{}_{number}", kind.word())
}

/// The line of a snippet in the program.
pub(crate) fn line(kind: Kind, number: usize) -> u32 {
    let before = if kind == Kind::Faulty { 0 } else { FAULTY.len() };
    (PROLOGUE.lines().count() + (before + number) * 4 + 2) as u32
}

/// Which list a snippet is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Faulty,
    Fine,
}

impl Kind {
    fn word(self) -> &'static str {
        if self == Self::Faulty { "faulty" } else { "fine" }
    }
}

const PROLOGUE: &str = "#include <stdlib.h>\n#include <string.h>\n#include <stdarg.h>\nextern void reach_error(void);\nconst int constant = 5;\n\
    int *local(void) { int x = 1; int *p = &x; return p; }\n\
    void add(int *to, int by) { *to += by; }\n\
    int same(int x) { return x; }\n\
    struct pair { int a, b; };\n\
    int second(struct pair p) { return p.b; }\n\
    int total(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n-- > 0) s += va_arg(l, int); va_end(l); return s; }\n";

/// All snippets as one program.
pub(crate) fn program() -> String {
    let faulty = FAULTY.iter().enumerate().map(|(number, (_, text))| (Kind::Faulty, number, *text));
    let fine = FINE.iter().enumerate().map(|(number, text)| (Kind::Fine, number, *text));
    let mut program = PROLOGUE.to_owned();
    for (kind, number, text) in faulty.chain(fine) {
        let name = entry(kind, number);
        program += &format!("static int test_{name}(void) {{\n{text}\n}}\n");
        program += &format!("int {name}(void) {{ if (test_{name}() != 7) reach_error(); return 7; }}\n");
    }
    program
}
