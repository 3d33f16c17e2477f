//! Programs that need one idea of refinement each. Nothing is hunted: the abstraction has to prove them.

use super::verified;
use crate::cegar::Certified;
use crate::ground::verdict::Overall;

/// Holds, with a certificate.
fn is_proven(body: &str) {
    let source = format!(
        "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nextern unsigned __VERIFIER_nondet_uint(void);\n{body}"
    );
    let (outcome, program, _) = verified(&source);
    let names = crate::program::names::ProgramNames::new(&program);
    let predicates: Vec<String> =
        outcome.precision.predicates.iter().map(|predicate| names.term(predicate.term)).collect();
    assert_eq!(outcome.overall(), Overall::Holds, "{predicates:?}");
    assert!(matches!(outcome.certified, Certified::Yes(_)), "{:?}", outcome.certified);
}

#[test]
fn multiples_of_inputs_keep_the_lowest_bits() {
    is_proven(
        "int main(void) { unsigned y = 1; while (1) { y = y + 2 * __VERIFIER_nondet_uint(); assert(y != 0); } }",
    );
}

#[test]
fn a_variable_moved_by_another_keeps_its_lowest_bits() {
    is_proven(
        "int main(void) { unsigned x = 0, y = 4; while (1) { x = x + y; y = y + 4; assert(x != 30); } }",
    );
}

#[test]
fn a_callee_tells_what_it_makes_of_a_global_variable() {
    is_proven(
        "static int g; static void up(void) { g = g + 1; }\n\
         int main(void) { int x = __VERIFIER_nondet_int(); g = x; up(); assert(g == x + 1); return 0; }",
    );
}

#[test]
fn a_callee_tells_what_it_makes_of_a_local_variable_whose_address_it_is_given() {
    is_proven(
        "static void up(int *p) { *p = *p + 1; }\n\
         int main(void) { int x = __VERIFIER_nondet_int(), y = x; up(&x); assert(x == y + 1); return 0; }",
    );
}

#[test]
fn recursion_restores_a_global_variable() {
    is_proven(
        "static int g; static void swing(int n) { if (n > 0) { g = g + 1; swing(n - 1); g = g - 1; } }\n\
         int main(void) { int x = __VERIFIER_nondet_int(); g = x; swing(__VERIFIER_nondet_int()); assert(g == x); return 0; }",
    );
}

#[test]
fn recursion_on_a_smaller_argument() {
    is_proven(
        "static unsigned same(unsigned n) { if (n == 0) return 0; return same(n - 1) + 1; }\n\
         int main(void) { unsigned n = __VERIFIER_nondet_uint(); assert(same(n) == n); return 0; }",
    );
}

/// A caller may not keep `x == g` when the callee writes `g`.
#[test]
fn a_callee_may_change_what_a_local_predicate_reads() {
    let source = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
                  static int g; static void any(void) { g = __VERIFIER_nondet_int(); }\n\
                  int main(void) { int x = __VERIFIER_nondet_int(); g = x; any(); assert(g == x); return 0; }";
    assert_eq!(verified(source).0.overall(), Overall::Violated);
}
