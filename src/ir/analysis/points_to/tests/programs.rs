//! Programs written by hand, one technique each: flat memory and regions agree, and the run gets through.

use super::machine::Machine;
use super::{analyse, read};
use crate::llvm::read::clang::DataModel;

/// The program runs through on both data models and returns 0.
fn works(source: &str) {
    for data_model in [DataModel::Ilp32, DataModel::Lp64] {
        let module = read(source, data_model);
        let points_to = analyse(&module);
        let main = module.function("main").expect("there is a main");
        let mut machine = Machine::new(&module, &points_to, 1);
        let result = machine.call(main, Vec::new());
        let returned = format!("{result:?}");
        assert_eq!(returned, "Ok(Some(Number(0)))", "{data_model:?}: {source}");
    }
}

#[test]
fn an_address_in_an_integer() {
    works("int a, b; int main(void) { long n = (long)&a; int *p = (int *)n; *p = 3; b = 1; return a - 3; }");
}

#[test]
fn an_address_with_a_tag() {
    works(
        "int a; int main(void) { unsigned long n = (unsigned long)&a | 1; int *p = (int *)(n & ~1ul); *p = 3; return a - 3; }",
    );
}

#[test]
fn an_address_copied_byte_by_byte() {
    works(
        "int a; int main(void) { int *p = &a, *q = 0; char *to = (char *)&q, *from = (char *)&p;
         for (unsigned i = 0; i < sizeof p; i++) to[i] = from[i];
         *q = 3; return a - 3; }",
    );
}

#[test]
fn two_addresses_mixed_by_exclusive_or() {
    works(
        "int a, b; int main(void) { unsigned long n = (unsigned long)&a ^ (unsigned long)&b;
         int *p = (int *)(n ^ (unsigned long)&b); *p = 3; return a - 3 + b; }",
    );
}

#[test]
fn the_distance_of_two_objects() {
    works(
        "int a, b; int main(void) { long n = (long)&a - (long)&b; int *p = (int *)((long)&b + n); *p = 3; return a - 3 + b; }",
    );
}

#[test]
fn members_of_a_union() {
    works(
        "union u { int i; char c[4]; }; int main(void) { union u u; u.i = 0; u.c[1] = 1; return u.i != 256; }",
    );
}

#[test]
fn the_object_around_a_member() {
    works(
        "struct s { int a; struct s *l; int b; } g; int main(void) { int *p = &g.b;
         struct s *s = (struct s *)((char *)p - __builtin_offsetof(struct s, b)); s->a = 4; s->b = 5;
         return g.a - 4 + g.b - 5; }",
    );
}

#[test]
fn structs_copied_with_their_addresses() {
    works(
        "struct s { int a; int *p; char c; } x, y, z; int v;
         int main(void) { x.a = 1; x.p = &v; y = x; __builtin_memcpy(&z, &y, sizeof z); *z.p = 7; return v - 7 + z.a - 1; }",
    );
}

#[test]
fn a_part_of_a_struct_copied() {
    works(
        "struct s { int a; int b; } x = {0x01020304, 5}, y; int main(void) { __builtin_memcpy(&y, &x, 2); return y.a != 0x0304 || y.b; }",
    );
}

#[test]
fn as_many_cells_as_the_run_says() {
    works(
        "void *memcpy(void *, const void *, unsigned long);
         int a[4] = {1, 2, 3, 4}, b[4]; int *t[2] = {a, b}, *u[2]; int n = 2;
         int main(void) { memcpy(b, a, n * sizeof *a); memcpy(u, t, n * sizeof *t); u[0][n] = 9;
           return b[1] - 2 + b[2] + a[2] - 9; }",
    );
}

#[test]
fn what_an_initialiser_points_to_is_copied() {
    // Only the copy is ever read.
    works(
        "void *memcpy(void *, const void *, unsigned long); int v = 3; int *const t[2] = {&v, &v}; int n = 2;
         int main(void) { int *u[2]; memcpy(u, t, n * sizeof *u); return *u[n - 1] - 3; }",
    );
}

#[test]
fn a_struct_by_value() {
    works(
        "struct s { int a[6]; int *p; } x; int v;
         int f(struct s s, int d) { s.a[0]++; *s.p += 1; return d ? f(s, d - 1) + s.a[0] : s.a[0]; }
         int main(void) { x.p = &v; return f(x, 2) - 6 + x.a[0] + v - 3; }",
    );
}

#[test]
fn locals_of_a_recursive_function() {
    works(
        "int f(int n, int *up) { int here = n; if (up) *up += n; if (n) f(n - 1, &here); return here; }
         int main(void) { return f(3, 0) - 5; }",
    );
}

#[test]
fn functions_in_a_table() {
    works(
        "int one(int *p) { *p = 1; return 0; } int two(int *p) { *p = 2; return 0; }
         struct ops { int (*f)(int *); } ops[2] = {{one}, {two}}; int k = 1;
         int main(void) { int x = 0; ops[k].f(&x); return x - 2; }",
    );
}

#[test]
fn the_end_of_a_list() {
    works(
        "void *malloc(unsigned long); struct n { struct n *next; int v; };
         int main(void) { struct n *h = 0; for (int i = 0; i < 4; i++) { struct n *n = malloc(sizeof *n);
           n->next = h; n->v = i; h = n; } int s = 0; while (h) { s += h->v; h = h->next; } return s - 6; }",
    );
}

#[test]
fn bit_fields() {
    works(
        "struct b { unsigned a : 3, b : 7; int c : 20; char d; } x; int main(void) { x.a = 5; x.b = 100; x.c = -3; x.d = 1;
         struct b y = x; return y.a - 5 + y.b - 100 + y.c + 3; }",
    );
}

#[test]
fn a_swap_of_addresses_in_one_step() {
    // The machine has no atomic operations; that the region is known is enough.
    let module = read(
        "int a, b; int *p = &a; int main(void) { int *o = __atomic_exchange_n(&p, &b, 5); *o = 3; *p = 4; return a; }",
        DataModel::Lp64,
    );
    let points_to = analyse(&module);
    let regions = points_to.regions();
    assert!(
        regions.iter().any(|region| region.origins.len() == 2),
        "a and b are where p points: {regions:?}"
    );
}
