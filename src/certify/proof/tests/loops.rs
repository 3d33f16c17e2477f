//! `x = 0; while (x < 10) x++; assert(x == 10);`

use super::{Case, not_now, now};
use crate::certify::proof::{Atom, Certificate, Claim, check_proof};
use crate::ground::index::Index;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::predicate::PredicateId;
use crate::program::generate::{BYTE, Builder};
use crate::program::{Action, LocationId, ProcedureId, Role};
use crate::term::Signedness;

struct Loop {
    case: Case,
    main: ProcedureId,
    head: LocationId,
    behind: LocationId,
    most: PredicateId,
    equal: PredicateId,
}

fn counting() -> Loop {
    let mut builder = Builder::new();
    let main = builder.procedure("main");
    let x = builder.local(main, "x", BYTE, Role::Plain);
    let (entry, exit) = builder.ends(main);
    let (head, behind) = (builder.location(main), builder.location(main));
    let mut case = Case::new(builder);
    let (zero, one, ten) = (case.builder.bits(0), case.builder.bits(1), case.builder.bits(10));
    let value = case.builder.read(x);
    let next = case.sum(value, one);
    let store = &mut case.program().store;
    let always = store.boolean(true);
    let below = store.unsigned_less(value, ten);
    let above = store.not(below);
    let most = store.less_equal(Signedness::Unsigned, value, ten);
    let equal = store.equal(value, ten);
    let differs = store.not(equal);
    case.builder.block(main, (entry, head), always, vec![(x, zero)], Vec::new());
    case.builder.block(main, (head, head), below, vec![(x, next)], Vec::new());
    case.builder.block(main, (head, behind), above, Vec::new(), Vec::new());
    let property = case.builder.violation(main, behind, differs);
    case.builder.block(main, (behind, exit), equal, Vec::new(), Vec::new());
    case.claimed.push(property);
    let (most, equal) = (case.predicate(most), case.predicate(equal));
    case.set(main, entry, &[&[]]);
    case.set(main, head, &[&[now(most)]]);
    case.set(main, behind, &[&[now(most), now(equal)]]);
    case.set(main, exit, &[&[now(equal)]]);
    Loop { case, main, head, behind, most, equal }
}

#[test]
fn a_proof_stands() {
    let Certificate::Certified { steps: 6, queries: 1.. } = counting().case.check() else {
        panic!("{:?}", counting().case.check());
    };
}

#[test]
fn an_invariant_that_forgets_a_state_is_rejected() {
    let mut it = counting();
    it.case.set(it.main, it.head, &[&[now(it.most), not_now(it.equal)]]);
    assert!(it.case.rejected().contains("edge 2 to 2: a step leaves the invariant"));
    let mut it = counting();
    it.case.set(it.main, it.behind, &[]);
    assert!(it.case.rejected().contains("edge 2 to 3: a step leaves the invariant"));
}

#[test]
fn an_invariant_that_forgets_the_start_is_rejected() {
    let mut it = counting();
    let entry = it.case.builder.ends(it.main).0;
    it.case.set(it.main, entry, &[&[now(it.most)]]);
    assert!(it.case.rejected().contains("a run starts outside the invariant"));
}

#[test]
fn an_invariant_without_a_predicate_proves_nothing() {
    let mut it = counting();
    it.case.set(it.main, it.behind, &[&[now(it.most)]]);
    let why = it.case.rejected();
    assert!(why.contains("main.assert.1 can be violated"), "{why}");
    let mut it = counting();
    it.case.set(it.main, it.head, &[&[]]);
    assert!(it.case.rejected().contains("edge 2 to 3: a step leaves the invariant"));
}

#[test]
fn what_is_not_claimed_may_be_violated() {
    let mut it = counting();
    it.case.claimed.clear();
    it.case.set(it.main, it.head, &[&[]]);
    it.case.set(it.main, it.behind, &[&[]]);
    assert!(it.case.is_certified());
}

#[test]
fn what_is_not_modelled_must_not_be_reached() {
    for (reached, dead) in [(true, false), (false, true)] {
        let mut it = counting();
        let (from, last) = match reached {
            true => (it.behind, it.case.builder.location(it.main)),
            false => (it.case.builder.location(it.main), it.case.builder.location(it.main)),
        };
        it.case.builder.edge(it.main, from, last, Action::Unsupported("floats".into()));
        if dead {
            assert!(it.case.is_certified());
        } else {
            assert!(it.case.rejected().contains("a run gets to what is not modelled"));
        }
    }
}

#[test]
fn predicates_without_a_meaning_are_rejected() {
    let mut it = counting();
    let input = it.case.builder.input("nondet", BYTE);
    let term = it.case.is(input, 1);
    let arbitrary = it.case.predicate(term);
    it.case.set(it.main, it.head, &[&[now(it.most), now(arbitrary)]]);
    assert!(it.case.rejected().contains("has no meaning"));
    let mut it = counting();
    it.case.set(it.main, it.head, &[&[(Atom::Entry(PredicateId::new(17)), true)]]);
    assert!(it.case.rejected().contains("has no meaning"));
}

#[test]
fn limits_stop_the_check() {
    let checks = (1..40).map(|check| {
        let it = counting();
        let invariant = it.case.invariant();
        let properties = it.case.claimed.iter().copied().collect();
        let (precision, program) = (&it.case.precision, &it.case.builder.program);
        let claim = Claim { program, precision, invariant: &invariant, properties: &properties };
        check_proof(claim, &Limits::firing_at(check))
    });
    let (stopped, others): (Vec<_>, Vec<_>) =
        checks.partition(|result| *result == Certificate::Stopped(Stop::Timeout));
    assert!(stopped.len() > 10);
    assert!(others.iter().all(|result| matches!(result, Certificate::Certified { .. })));
}
