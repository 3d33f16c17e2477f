//! Small C programs with pointers, structs, arrays, unions, casts, copies and calls by address.
//!
//! Most dereferences are guarded, so that runs get far; those that go wrong anyway just end.

/// What every program starts with.
const HEAD: &str = "
int nd(void);
void *malloc(unsigned long);
void *memcpy(void *, const void *, unsigned long);
struct S { int a; char c; struct S *next; int arr[3]; int *p; short h; int (*f)(int *, struct S *); };
union U { int i; char b[8]; int *p; long l; struct { short x, y; } s; };
struct W { int n; union U u; struct S in; };
int g0, g1 = 3; int ga[6] = {1, 2, 3, 4, 5, 6}; char cb[16]; int *gp = &g1; void *vp;
struct S gs, gt = {.a = 7, .p = &g0, .next = &gs}; struct S sa[3]; struct S *ps[3] = {&gs, &gt, &sa[1]};
union U gu; struct W gw;
int f0(int *, struct S *); int f1(int *, struct S *); int f2(int *, struct S *);
int (*fp)(int *, struct S *) = f1;
int (*const table[2])(int *, struct S *) = {f0, f2};
";

/// Writes programs.
pub struct Generator {
    seed: u64,
}

impl Generator {
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.seed >> 33).unwrap() % limit
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }

    /// A whole program.
    pub fn program(&mut self) -> String {
        // Each program knows only some forms, so that not everything meets in every program.
        let (mut text, forms) = (HEAD.to_owned(), 3 + self.below(6));
        let known: Vec<usize> = (0..forms).map(|_| self.below(STATEMENTS.len())).collect();
        for number in 0..3 {
            let body = self.body(&known, 6);
            let locals = "int x = 1, y[4] = {0}; int *q = &x; struct S l = {0}; struct S *t = s; union U u; u.l = 0; static int deep;";
            text += &format!(
                "int f{number}(int *p, struct S *s) {{ {locals} if (deep > 3) return 0; deep++;\n{body}deep--; return x; }}\n"
            );
        }
        text += "int fv(struct S v, int k) { v.a += k; v.arr[1] = v.a; gp = v.p; gs = v; return v.arr[1] + v.h; }\n";
        let body = self.body(&known, 14);
        let locals = "int x = 1, y[4] = {0}; int *p = &x, *q = &g0; struct S l = {0}; struct S *s = &l, *t = &gs; union U u; u.l = 0;";
        text +=
            &format!("int main(void) {{ {locals}\nfor (int n = 0; n < 3; n++) {{\n{body}}}\nreturn x; }}\n");
        text
    }

    fn body(&mut self, known: &[usize], length: usize) -> String {
        (0..length).map(|_| self.statement(known)).collect()
    }

    /// A form with its holes filled: `I` a number that can be assigned to, `P` an `int *`, `T` a `struct S *`,
    /// `p`/`t` likewise but assignable, `N` a small number.
    fn statement(&mut self, known: &[usize]) -> String {
        let form = if self.below(2) == 0 { self.below(6) } else { known[self.below(known.len())] };
        let mut text = String::new();
        for part in STATEMENTS[form].split_inclusive('@') {
            text += part.trim_end_matches('@');
            if part.ends_with('@') {
                let kind = text.pop().unwrap_or('I');
                text += &self.hole(kind);
            }
        }
        text + "\n"
    }

    fn hole(&mut self, kind: char) -> String {
        match kind {
            'N' => self.below(3).to_string(),
            'P' => self
                .pick(&[
                    "p",
                    "q",
                    "gp",
                    "&g0",
                    "&g1",
                    "&ga[2]",
                    "&ga[nd()]",
                    "&x",
                    "&s->a",
                    "&gs.arr[1]",
                    "&y[nd()]",
                    "&t->arr[nd() % 3]",
                ])
                .to_owned(),
            'p' => self.pick(&["p", "q", "gp", "gs.p", "l.p", "sa[nd() % 3].p", "t->p"]).to_owned(),
            'T' => self
                .pick(&[
                    "s",
                    "t",
                    "&gs",
                    "&gt",
                    "&sa[nd() % 3]",
                    "&l",
                    "ps[nd() % 3]",
                    "s->next",
                    "&sa[1]",
                    "&gw.in",
                ])
                .to_owned(),
            't' => self.pick(&["s", "t", "gs.next", "s->next", "ps[nd() % 3]", "l.next"]).to_owned(),
            _ => self
                .pick(&[
                    "x",
                    "g0",
                    "g1",
                    "ga[nd()]",
                    "y[nd()]",
                    "gs.a",
                    "s->a",
                    "t->arr[1]",
                    "sa[nd() % 3].h",
                    "l.c",
                    "l.a",
                    "gt.arr[2]",
                    "gw.n",
                    "y[2]",
                ])
                .to_owned(),
        }
    }
}

const STATEMENTS: &[&str] = &[
    "I@ = I@ + N@;",
    "p@ = P@;",
    "t@ = T@;",
    "if (P@) *p = I@;",
    "{ int *z = P@; if (z) { *z += N@; I@ = *z; } }",
    "{ struct S *z = T@; if (z) { z->a = I@; I@ = z->h; z->p = P@; } }",
    "{ struct S *z = T@; if (z && z->p) I@ = *z->p; }",
    "{ struct S *z = T@, *w = T@; if (z && w) *z = *w; }",
    "{ struct S *z = T@, *w = T@; if (z && w) __builtin_memcpy(z, w, sizeof *z); }",
    "{ struct S *z = T@, *w = T@; if (z && w && z != w) __builtin_memcpy(z, w, 12); }",
    "{ struct S *z = T@; if (z) __builtin_memset(z, 0, sizeof *z); }",
    "{ struct S *z = T@; if (z) __builtin_memset(&z->arr[1], N@, 6); }",
    "memcpy(ga, y, nd() * 4);",
    "memcpy(&gs.arr[0], ga, nd() * 4);",
    "memcpy(cb, &gs, nd() * 4); I@ = cb[nd()];",
    "{ struct S *z = T@; if (z) memcpy(cb, z, 12); __builtin_memcpy(&gt, cb, 12); }",
    "gu.p = P@; p@ = gu.p;",
    "u.i = I@; I@ = u.b[nd()]; u.b[1] = 4; I@ = u.s.x;",
    "gu.l = (long)P@; p@ = (int *)gu.l;",
    "gu.l = (long)P@ | 1; p@ = (int *)(gu.l & ~1L);",
    "u.l = (long)P@ ^ 12; u.l ^= 12; p@ = u.p;",
    "{ unsigned long z = (unsigned long)P@; z += 4 * (nd() & 1); if (z > 4) vp = (void *)z; }",
    "vp = T@;",
    "vp = P@;",
    "if (vp) p@ = (int *)vp;",
    "if (vp) { struct S *z = (struct S *)vp; I@ = z->a; }",
    "{ int **a = &p, **b = &q; for (unsigned k = 0; k < sizeof p; k++) ((char *)a)[k] = ((char *)b)[k]; if (p) *p = N@; }",
    "{ int *z = P@; for (unsigned k = 0; k < sizeof z; k++) cb[k] = ((char *)&z)[k]; __builtin_memcpy(&gp, cb, sizeof gp); }",
    "{ struct S *z = T@; if (z) { char *c = &z->c; struct S *w = (struct S *)(c - __builtin_offsetof(struct S, c)); w->a = I@; } }",
    "{ struct S *z = T@; if (z) { int *w = (int *)((char *)z + __builtin_offsetof(struct S, arr)); w[nd() % 3] = I@; } }",
    "t@ = malloc(sizeof(struct S)); if (t) { t->p = P@; t->next = 0; t->a = 1; t->f = f0; }",
    "p@ = malloc(16); if (p) *p = N@;",
    "if (fp) I@ = fp(P@, T@);",
    "fp = table[nd() & 1];",
    "{ struct S *z = T@; if (z) z->f = f2; if (z && z->f) I@ = z->f(P@, T@); }",
    "{ struct S *z = T@; if (z) I@ = fv(*z, N@); }",
    "I@ = f0(P@, T@);",
    "{ int *z = P@; if (z) { short *h = (short *)z; h[1] = 5; I@ = h[0]; } }",
    "{ int *z = P@, *w = P@; I@ = z == w; I@ = z < w; }",
    "I@ = &ga[nd()] - &ga[1];",
    "gw.in = gs; gw.u = gu; I@ = gw.in.arr[nd() % 3];",
    "{ struct W w = gw; w.u.i += 1; gw = w; I@ = w.u.b[0]; I@ = w.in.a; }",
    "{ struct S z[2]; z[0] = gs; z[nd() & 1] = gt; I@ = z[0].a; p@ = z[0].p; }",
    "{ int **z = nd() ? &gp : &gs.p; *z = P@; if (*z) I@ = **z; }",
    "{ char *z = (char *)P@; if (z) { z[nd()] = 3; } }",
    "{ long long z = *(long long *)ga; I@ = (int)z; *(long long *)&ga[2] = z; }",
    "{ void **z = (void **)&gs.p; *z = P@; }",
    "__builtin_memcpy(&gu, &gs.p, sizeof(void *)); if (gu.p) I@ = *gu.p;",
    "__builtin_memmove(&ga[1], &ga[0], 12); __builtin_memmove(ga, ga + nd(), 8);",
];
