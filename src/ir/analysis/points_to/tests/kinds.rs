//! How precise regions are.

use super::{analyse, external, read};
use crate::ir::analysis::points_to::{
    Callees, External, Members, Multiplicity, Origin, Placement, PointsTo, Region, RegionKind, Site,
};
use crate::ir::{Callee, Module, Operation};
use crate::llvm::read::clang::DataModel;

fn prepare(source: &str) -> (Module, PointsTo) {
    let module = read(source, DataModel::Ilp32);
    let points_to = analyse(&module);
    (module, points_to)
}

fn named<'p>(points_to: &'p PointsTo, name: &str) -> Vec<&'p Region> {
    points_to.regions().iter().filter(|region| region.name == name).collect()
}

fn kind(points_to: &PointsTo, name: &str) -> RegionKind {
    match named(points_to, name)[..] {
        [region] => region.kind,
        ref other => panic!("{name}: {other:?} in {:#?}", points_to.regions()),
    }
}

fn is_scalar(points_to: &PointsTo, name: &str) -> bool {
    matches!(kind(points_to, name), RegionKind::Scalar { .. })
}

fn global(module: &Module, name: &str) -> Origin {
    Origin::Global(module.globals.ids().find(|&id| module.globals[id].name == name).expect("it is there"))
}

#[test]
fn variables_and_members_are_scalars() {
    let (module, p) = prepare(
        "struct s { int a; char c; struct { short h; } in; } g; int x;
         int main(void) { int l = 1; g.a = l; g.c = 2; g.in.h = 3; x = g.a + g.c + g.in.h; return x; }",
    );
    for name in ["g.a", "g.c", "g.in.h", "x", "l"] {
        assert!(is_scalar(&p, name), "{name}");
    }
    assert_eq!(p.object(global(&module, "g")), Placement::Promoted);
    assert_eq!(p.cells(global(&module, "g")).len(), 3);
}

#[test]
fn members_stay_scalars_behind_a_pointer_to_one_object() {
    let (module, p) = prepare(
        "struct s { int a; int b; } g; int f(struct s *p) { p->a = 1; return p->b; } int main(void) { return f(&g); }",
    );
    assert!(is_scalar(&p, "g.a") && is_scalar(&p, "g.b"));
    assert_eq!(p.object(global(&module, "g")), Placement::Addressed);
}

#[test]
fn members_of_two_objects_are_cells_apart() {
    let (_, p) = prepare(
        "struct s { int a; char b; } g, h; int k; int main(void) { struct s *p = k ? &g : &h; p->a = 1; p->b = 2; return g.a; }",
    );
    assert_eq!(kind(&p, "struct s.a"), RegionKind::Cells { bits: 32 });
    assert_eq!(kind(&p, "struct s.b"), RegionKind::Cells { bits: 8 });
    assert_eq!(named(&p, "struct s.a")[0].origins.len(), 2);
}

#[test]
fn members_of_the_elements_of_an_array_are_apart() {
    let (module, p) = prepare(
        "struct s { int a; short h; char c; } t[8]; int k; int main(void) { t[k].a = 1; t[k + 1].h = 2; t[3].c = 1; return t[2].a; }",
    );
    assert_eq!(kind(&p, "t[].a"), RegionKind::Cells { bits: 32 });
    assert_eq!(kind(&p, "t[].h"), RegionKind::Cells { bits: 16 });
    let cells = p.cells(global(&module, "t"));
    assert!(cells.len() == 3 && cells.iter().all(|cell| cell.repeats == Some(8)), "{cells:?}");
}

#[test]
fn overlapping_members_are_bytes_and_the_others_are_not() {
    let (_, p) = prepare(
        "struct s { int a; union { int i; char c[4]; } u; int b; } g;
         int main(void) { g.a = 1; g.b = 2; g.u.i = 3; g.u.c[1] = 4; return g.u.i + g.a + g.b; }",
    );
    assert!(is_scalar(&p, "g.a") && is_scalar(&p, "g.b"));
    assert_eq!(p.regions().iter().filter(|region| region.kind == RegionKind::Bytes).count(), 1);
}

#[test]
fn a_copied_struct_keeps_its_members_as_scalars() {
    let (_, p) = prepare(
        "struct s { int a; char c; int *p; } x, y; int v;
         int main(void) { x.a = 1; x.p = &v; y = x; return *y.p + y.c; }",
    );
    for name in ["x.a", "y.a", "x.c", "y.c", "x.p", "y.p", "v"] {
        assert!(is_scalar(&p, name), "{name}");
    }
}

#[test]
fn an_escaping_local_of_a_recursive_function_is_no_scalar() {
    let (module, p) = prepare(
        "int f(int n, int *up) { int kept = n, seen = n; if (n) f(n - 1, &seen); return kept + seen + (up ? *up : 0); }
         int main(void) { return f(3, 0); }",
    );
    assert!(is_scalar(&p, "kept"));
    assert_eq!(kind(&p, "seen"), RegionKind::Cells { bits: 32 });
    assert!(p.recursive(module.function("f").unwrap()));
    assert!(!p.recursive(module.function("main").unwrap()));
}

const THREADS: &str = "
    int pthread_create(unsigned *, void *, void *(*)(void *), void *);
    void use(int *p) { *p = 1; }
    void *once(void *a) { int l; use(&l); return 0; }
    void *often(void *a) { int m; *(int *)a = 1; int *q = &m; *q = 2; return 0; }
    void *old() { return 0; }
    int g;
    int main(void) { unsigned t; pthread_create(&t, 0, once, 0);
      for (int i = 0; i < 3; i++) pthread_create(&t, 0, often, &g);
      pthread_create(&t, 0, old, 0); return 0; }";

#[test]
fn threads_that_start_once_and_often() {
    let (module, p) = prepare(THREADS);
    let multiplicity = |name| p.multiplicity(module.function(name).unwrap());
    assert_eq!(multiplicity("once"), Multiplicity::Once);
    assert_eq!(multiplicity("use"), Multiplicity::Once);
    assert_eq!(multiplicity("often"), Multiplicity::Several);
    assert_eq!(p.routines().len(), 3, "a routine without parameters counts");
    assert!(is_scalar(&p, "l") && is_scalar(&p, "g"));
    assert_eq!(kind(&p, "m"), RegionKind::Cells { bits: 32 });
}

fn callees(module: &Module, p: &PointsTo) -> Callees {
    for &function in p.reachable() {
        for (block, content) in module.functions[function].blocks.enumerate() {
            for (number, instruction) in content.instructions.iter().enumerate() {
                if let Operation::Call { callee: Callee::Address(_), .. } = instruction.operation {
                    return p.callees(Site { function, block, number });
                }
            }
        }
    }
    panic!("there is a call by address")
}

#[test]
fn calls_by_address_reach_what_fits() {
    let (module, p) = prepare(
        "int one(int a) { return a; } int two(int a, int b) { return b; } int other(int a) { return 2; }
         void *t[2] = {one, two}; int k; int main(void) { int (*f)(int) = t[k]; return f(1); }",
    );
    let reached = callees(&module, &p);
    assert_eq!(reached.functions, [module.function("one").unwrap()]);
    assert!(reached.complete);
    assert!(!p.reachable().contains(&module.function("other").unwrap()));
}

#[test]
fn what_escapes_may_be_anything() {
    let (module, p) = prepare(
        "int anything(void *, void *); struct s { int *p; } g; int v; static int w;
         int back(int *p) { return *p; }
         int main(void) { g.p = &v; anything(&g, back); return v + w; }",
    );
    let region = named(&p, "v").first().map(|region| region.origins.clone());
    let outside = p.regions().iter().find(|region| region.origins.contains(&Origin::Outside)).unwrap();
    assert!(outside.origins.contains(&global(&module, "v")), "{region:?}");
    assert!(!outside.origins.contains(&global(&module, "w")));
    assert_eq!(outside.kind, RegionKind::Bytes);
    assert!(p.reachable().contains(&module.function("back").unwrap()));
}

#[test]
fn assembly_is_asked_for_by_name() {
    let source = "int g; int main(void) { __asm__ volatile(\"\" : : \"r\"(&g)); return g; }";
    let module = read(source, DataModel::Lp64);
    let main = module.function("main").unwrap();
    let harmless = PointsTo::analyse(&module, &[main], &external, Members::Apart);
    assert!(is_scalar(&harmless, "g"));
    let harmful = PointsTo::analyse(&module, &[main], &|_| External::Anything, Members::Apart);
    assert!(!harmful.regions().iter().any(|region| region.name == "g" && region.kind != RegionKind::Bytes));
}

#[test]
fn numbers_and_orders_of_addresses_are_observed() {
    let (_, quiet) = prepare(
        "int a[4]; int main(void) { int *p = a; long n = (long)p; if ((int *)n != 0 && p < a + 3) return &a[2] - p; return 0; }",
    );
    assert!(quiet.observed.is_empty(), "{:?}", quiet.observed);
    let (_, order) = prepare("int a, b; int main(void) { return &a < &b; }");
    let (_, number) = prepare("int a; int main(void) { return (long)&a % 8; }");
    assert_eq!(order.observed.len(), 1);
    // The remainder; its truncation is one of any number.
    assert_eq!(number.observed.len(), 1, "{:?}", number.observed);
    let observation = number.observed.values().next().unwrap();
    assert_eq!(
        (observation.operands.get(&0), observation.operands.get(&1)),
        (Some(&2), None),
        "aligned to 4 bytes"
    );
}

#[test]
fn parts_of_addresses_and_numbers_of_all_kinds_are_observed() {
    for source in [
        "int a, *p = &a; int main(void) { return *((unsigned char *)&p + 1); }",
        "int a; union { int *p; short n; } u; int main(void) { u.p = &a; return u.n; }",
        "int a; int main(void) { switch ((long)&a) { case 5: return 1; } return 0; }",
        "int a; char b[9]; int main(void) { return b[(long)&a]; }",
        "int f(void) { return 1; } int g(void) { return 2; } int main(void) { return (long)f > (long)g; }",
        "int main(void) { const char *p = \"abc\", *q = \"bc\"; return p == q; }",
        "void f(int *up, int n) { int x; if (up < &x && n) f(&x, n - 1); } int main(void) { f(0, 2); return 0; }",
        "int *last; int f(void) { int x, y = last == &x; last = &x; return y; } int main(void) { f(); return f(); }",
    ] {
        assert!(!prepare(source).1.observed.is_empty(), "{source}");
    }
}

#[test]
fn numbers_from_outside_are_no_addresses() {
    let text = "int in(void); int main(void) { int x = in(), y = in(); return x * y < x % 7; }";
    let module = read(text, DataModel::Ilp32);
    let main = module.function("main").unwrap();
    let points = PointsTo::analyse(&module, &[main], &|_| External::Invents, Members::Apart);
    assert!(points.observed.is_empty(), "{:?}", points.observed);
}

#[test]
fn equality_is_observed_where_addresses_of_different_objects_may_meet() {
    let observed = |source: &str| !prepare(source).1.observed.is_empty();
    assert!(observed("int main(void) { int a[1], b[1]; return a + 1 != b; }"));
    assert!(observed("int a[1], b[1]; int main(void) { return a + 1 != b; }"));
    assert!(observed("int a[1], b[1], *p = a + 1; int main(void) { return p != b; }"));
    assert!(observed(
        "void *malloc(unsigned long); void free(void *);
         int main(void) { int *p = malloc(4), *q = p; free(p); p = malloc(4); return p != q; }"
    ));
    assert!(observed(
        "int *f(void) { int x; return &x; } int *g(void) { int y; return &y; } int main(void) { return f() != g(); }"
    ));
    for quiet in [
        "int a, b; int main(void) { int *p = &a, *q = &b; return p == q || p == 0; }",
        "struct l { int x; struct l *next; } a, b, *head; void *malloc(unsigned long);
         int main(void) { head = malloc(16); head->next = &a; for (struct l *p = head; p != &b; p = p->next) p->x = 1; return 0; }",
        "int a[9]; int main(void) { int s = 0; for (int *p = a; p != a + 9; p++) s += *p; return s; }",
    ] {
        assert!(!observed(quiet), "{quiet}");
    }
}

#[test]
fn arguments_behind_the_dots() {
    for data_model in [DataModel::Ilp32, DataModel::Lp64] {
        let module = read(
            "int v, w; int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n);
             int *p = __builtin_va_arg(l, int *); __builtin_va_end(l); return *p; }
             int main(void) { return f(1, &v) + w; }",
            data_model,
        );
        let p = analyse(&module);
        let last = p.regions().iter().filter(|region| region.name == "v").count();
        assert_eq!(last, 1, "{data_model:?}: what p points to is v");
        assert!(is_scalar(&p, "v") && is_scalar(&p, "w"));
    }
}

#[test]
fn what_only_one_thread_gets_at_is_private() {
    let module = read(
        "typedef unsigned long T; int pthread_create(T *, void *, void *(*)(void *), void *);
         void *malloc(T); int *kept; static void set(int *p) { *p = 1; } static void put(int *p) { *p = 2; }
         void *work(void *a) { int own; set(&own); int *given = a; *given = 3; return 0; }
         int main(void) { T t; int passed = 0; int left; put(&left); kept = &left;
         pthread_create(&t, 0, work, &passed); int *heap = malloc(4); *heap = 1; return *kept + passed; }",
        DataModel::Lp64,
    );
    let main = module.function("main").unwrap();
    let external = |name: &str| match name {
        "pthread_create" => External::StartsThread { handle: 0, routine: 2, argument: 3 },
        _ => External::Allocates(&[]),
    };
    let p = PointsTo::analyse(&module, &[main], &external, Members::Apart);
    let private = |name: &str| {
        let region = p.regions().iter().find(|region| region.name == name);
        region.unwrap_or_else(|| panic!("{name}: {:?}", p.regions())).private
    };
    assert!(private("own"));
    assert!(!private("passed") && !private("left") && !private("kept"));
}
