//! Programs that go too far: bounds of the machine, never a crash.

use super::{End, Limits, Machine, checking, lenient, read, run};
use crate::llvm::read::clang::DataModel;
use crate::vm::{Bound, Settings, Zeros};

#[test]
fn bounds_stop_what_does_not_end() {
    let bound = |source: &str, settings: Settings| run(source, settings).end;
    assert_eq!(bound("int main(void) { for (;;) ; }", lenient()), End::Bound(Bound::Steps));
    assert_eq!(
        bound("int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }", lenient()),
        End::Bound(Bound::Stack)
    );
    let huge = "int main(void) { long n = 1l << 40; char a[n]; a[5] = 1; return 0; }";
    assert_eq!(bound(huge, lenient()), End::Bound(Bound::Memory));
    let threads = "#include <pthread.h>\nvoid *f(void *a) { return 0; }\n\
        int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }";
    assert_eq!(bound(threads, lenient()), End::Bound(Bound::Threads));
    let greedy = "#include <stdlib.h>\nint main(void) { for (;;) malloc(1 << 20); }";
    assert_eq!(bound(greedy, Settings { memory: 1 << 26, ..lenient() }), End::Bound(Bound::Memory));
}

#[test]
fn limits_are_looked_at() {
    let module = read("int main(void) { for (;;) ; }", DataModel::Lp64);
    let mut machine = Machine::new(&module, Settings::default());
    let outcome = machine.run(&mut Zeros, &Limits::firing_at(3));
    assert!(matches!(outcome.end, End::Interrupted(_)));
}

#[test]
fn what_is_not_modelled_says_so_where_it_is_reached() {
    let assembly = "int main(int c, char **v) { if (c > 5) __asm__(\"vzeroall\"); return 3; }";
    assert_eq!(run(assembly, lenient()).end, End::Exit(3));
    let reached = "int main(void) { __asm__(\"vzeroall\"); return 3; }";
    assert!(matches!(run(reached, lenient()).end, End::Unsupported(_)));
    assert!(matches!(
        run("int main(void) { long double d = 1; d = d * d; return 3; }", lenient()).end,
        End::Unsupported(_)
    ));
    let jump = "int _setjmp(long *b); int main(void) { long b[50]; return _setjmp(b); }";
    let pure = Settings { undefined: crate::vm::Undefined::Pure, ..lenient() };
    assert!(matches!(run(jump, pure).end, End::Unsupported(_)), "no undefined function is that pure");
    assert!(matches!(run("int f(void) { return 1; }", lenient()).end, End::Unsupported(_)), "no main");
}

#[test]
fn ended_objects_are_forgotten_in_time() {
    // More calls than objects are kept for; the pointer that is kept stays known.
    let source = "int *kept; int use(int *p) { return *p; }\n\
        int f(int i) { int x = i; if (i == 5) kept = &x; return use(&x); }\n\
        int main(void) { int s = 0; for (int i = 0; i < 80000; i++) s ^= f(i); return *kept; }";
    let End::Fault(report) = run(source, Settings { steps: 5_000_000, ..checking() }).end else { panic!() };
    assert_eq!(report.text, "`x` has ended with its function");
}
