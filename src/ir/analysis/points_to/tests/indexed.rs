//! Arrays that are members of structs and are indexed by variables: how regions are cut, and flat memory against regions on
//! generated programs. A run ends where an index leaves its array, because the program model asks that.

use super::generated::run;
use super::{analyse, read};
use crate::ir::analysis::points_to::{PointsTo, RegionKind};
use crate::llvm::read::clang::DataModel;

fn regions(source: &str) -> PointsTo {
    analyse(&read(source, DataModel::Lp64))
}

fn kind(points: &PointsTo, name: &str) -> RegionKind {
    let mut named = points.regions().iter().filter(|region| region.name == name);
    let region = named.next().unwrap_or_else(|| panic!("no region {name}: {:?}", points.regions()));
    assert!(named.next().is_none(), "several regions {name}");
    region.kind
}

fn is_scalar(points: &PointsTo, name: &str) -> bool {
    matches!(kind(points, name), RegionKind::Scalar { .. })
}

#[test]
fn only_the_indexed_member_is_an_array() {
    let p = regions(
        "struct d { int up; unsigned ring[8]; unsigned char head; long count; } dev; int k;
         int main(void) { struct d *d = &dev; d->up = 1; d->ring[k] = 2; d->ring[3] = 1; d->head++; d->count = 5; return d->ring[k + 1]; }",
    );
    assert!(is_scalar(&p, "dev.up") && is_scalar(&p, "dev.head") && is_scalar(&p, "dev.count"));
    assert_eq!(kind(&p, "dev.ring[]"), RegionKind::Cells { bits: 32 });
    assert_eq!(p.indexed.values().copied().collect::<Vec<_>>(), [8, 8]);
}

#[test]
fn elements_with_members_and_arrays_in_elements() {
    let p = regions(
        "struct s { int len; char data[6]; int *to; }; struct d { int up; struct s slot[4]; int down; } dev; int k, v;
         int main(void) { struct s *s = &dev.slot[k]; s->len = 1; s->to = &v; dev.slot[2].data[1] = 3; s->data[k] = 1; dev.up = 2; dev.down = 1;
         return *dev.slot[1].to; }",
    );
    assert!(is_scalar(&p, "dev.up") && is_scalar(&p, "dev.down") && is_scalar(&p, "v"));
    assert_eq!(kind(&p, "dev.slot[].len"), RegionKind::Cells { bits: 32 });
    assert_eq!(kind(&p, "dev.slot[].data[]"), RegionKind::Cells { bits: 8 });
    assert_eq!(kind(&p, "dev.slot[].to"), RegionKind::Cells { bits: 64 });
}

#[test]
fn a_pointer_that_walks_through_an_array_may_leave_it() {
    let p = regions(
        "struct d { int up; int ring[4]; int down; } dev; int k;
         int main(void) { dev.up = 1; dev.ring[k] = 2; for (int *p = dev.ring; k; p++, k--) *p = 3; return dev.down; }",
    );
    assert!(p.indexed.is_empty() && !is_scalar(&p, "dev.up"));
}

#[test]
fn a_neighbour_of_an_element_may_be_outside() {
    let p = regions(
        "struct d { int up; int ring[4]; int down; } dev; int k;
         int main(void) { int *p = &dev.ring[k]; p[1] = 3; dev.up = 1; return dev.down; }",
    );
    assert!(p.indexed.is_empty());
}

#[test]
fn an_array_of_unknown_length_at_the_end_is_not_kept_apart() {
    let p = regions(
        "struct d { int up; int ring[1]; } *dev; void *malloc(unsigned long); int k;
         int main(void) { dev = malloc(100); dev->up = 1; dev->ring[k] = 3; return dev->up; }",
    );
    assert!(p.indexed.is_empty());
}

/// What generated programs start with.
const HEAD: &str = "
int nd(void); void *malloc(unsigned long); void *memcpy(void *, const void *, unsigned long);
struct S { int len; short h[3]; int *to; };
struct D { int up; int ring[4]; unsigned char head; struct S slot[3]; int *p; char name[5]; struct D *peer; int last; };
struct D a, b; struct D *d = &a; int g, v[6]; int *q = &g;
";

const NUMBERS: &[&str] = &[
    "g",
    "a.up",
    "d->up",
    "a.ring[nd() % 5]",
    "d->ring[nd() % 4]",
    "b.ring[2]",
    "a.head",
    "d->slot[nd() % 3].len",
    "a.slot[1].len",
    "a.slot[nd() % 3].h[nd() % 3]",
    "d->slot[2].h[1]",
    "a.name[nd() % 5]",
    "b.name[0]",
    "a.last",
    "d->last",
    "v[nd() % 6]",
    "x",
];

const ADDRESSES: &[&str] = &[
    "&g",
    "&x",
    "q",
    "a.p",
    "&v[nd() % 6]",
    "a.slot[nd() % 3].to",
    "d->p",
    "&a.ring[nd() % 4]",
    "&b.last",
    "&a.slot[nd() % 3].len",
];

const STATEMENTS: &[&str] = &[
    "N = N + 1;",
    "N = N;",
    "N = N ^ 5;",
    "N = N + N;",
    "d = nd() & 1 ? &a : &b;",
    "a = b;",
    "b = *d;",
    "a.slot[nd() % 3] = b.slot[1];",
    "a.slot[nd() % 3] = a.slot[nd() % 3];",
    "{ struct S z = a.slot[nd() % 3]; N = z.len; z.len = 3; a.slot[0] = z; }",
    "a.slot[nd() % 3].to = A;",
    "q = A; if (q) N = *q;",
    "a.p = A; if (a.p) *a.p = N;",
    "b.slot[2].to = A;",
    "{ struct S *s = &a.slot[nd() % 3]; s->len = N; s->h[nd() % 3] = 2; N = s->h[0]; if (s->to) *s->to = N; }",
    "__builtin_memset(&a, 0, sizeof a);",
    "__builtin_memset(a.ring, 0, sizeof a.ring);",
    "__builtin_memset(&a.slot[nd() % 3], 0, sizeof(struct S));",
    "__builtin_memcpy(a.ring, v, 16);",
    "memcpy(a.ring, v, nd() % 4 * 4);",
    "__builtin_memcpy(&b.ring[1], &a.ring[2], 8);",
    "{ int *w = a.ring; w[nd() % 4] = N; }",
    "{ int *w = &a.ring[nd() % 4]; *w = N; }",
    "d->peer = d; d = d->peer; d->up = N;",
    "{ struct D *e = malloc(sizeof *e); if (e) { *e = a; e->ring[nd() % 4] = N; N = e->ring[1]; d = e; } }",
    "{ struct D l = a; l.ring[nd() % 4] = N; N = l.ring[0]; N = l.up; b = l; }",
    "{ struct D *e = (struct D *)((char *)&a.last - __builtin_offsetof(struct D, last)); e->up = N; N = e->ring[nd() % 4]; }",
];

/// A program of few forms, so that arrays stay apart in many of them.
fn program(seed: u64) -> String {
    let mut state = seed;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % limit
    };
    let forms: Vec<usize> = (0..2 + below(5)).map(|_| below(STATEMENTS.len())).collect();
    let numbers: Vec<&str> = (0..6).map(|_| NUMBERS[below(NUMBERS.len())]).collect();
    let addresses: Vec<&str> = (0..1).map(|_| ADDRESSES[below(ADDRESSES.len())]).collect();
    let mut text = format!("{HEAD}int main(void) {{ int x = 1; for (int n = 0; n < 6; n++) {{\n");
    for _ in 0..16 {
        let form = if below(2) == 0 { below(4) } else { forms[below(forms.len())] };
        for letter in STATEMENTS[form].chars() {
            match letter {
                'N' => text += numbers[below(numbers.len())],
                'A' => text += addresses[below(addresses.len())],
                other => text.push(other),
            }
        }
        text.push('\n');
    }
    text + "}\nreturn x; }\n"
}

#[test]
fn flat_memory_and_regions_agree() {
    let (mut compared, mut apart) = (0, 0);
    for seed in 0..60 {
        let (source, model) = (program(seed), if seed % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 });
        let outcome = std::panic::catch_unwind(|| run(&source, model, 3));
        compared += outcome.unwrap_or_else(|_| panic!("program {seed}, {model:?}:\n{source}"));
        apart += usize::from(!analyse(&read(&source, model)).indexed.is_empty());
    }
    assert!(
        compared > 2_000 && apart > 5,
        "{compared} values were compared, {apart} programs had arrays apart"
    );
}
