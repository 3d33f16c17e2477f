//! Calls: what the callee is given, what it gives back, what it leaves alone.

use super::{Case, not_now, now};
use crate::certify::proof::Atom;
use crate::predicate::PredicateId;
use crate::program::generate::{BYTE, Builder};
use crate::program::overlay::Frozen;
use crate::program::{Action, LocationId, ProcedureId, Role};
use crate::term::Symbol;

/// `g = 1; x = 1; y = f(x); assert(…);` and `f(p) { g = g; r = p; }`, where `f` may or may not write `g`.
struct Call {
    case: Case,
    main: ProcedureId,
    callee: ProcedureId,
    before: LocationId,
    behind: LocationId,
    g: Symbol,
    x: Symbol,
    y: Symbol,
    p: Symbol,
    r: Symbol,
}

/// What the callee does to `g`.
#[derive(Clone, Copy, PartialEq)]
enum Writes {
    Nothing,
    Global,
}

fn call(writes: Writes) -> Call {
    let mut builder = Builder::new();
    let (main, callee) = (builder.procedure("main"), builder.procedure("f"));
    let g = builder.global("g", BYTE);
    let (x, y) = (builder.local(main, "x", BYTE, Role::Plain), builder.local(main, "y", BYTE, Role::Plain));
    let p = builder.parameter(callee, "p", BYTE);
    let r = builder.result(callee, BYTE);
    let (before, behind) = (builder.location(main), builder.location(main));
    let one = builder.bits(1);
    let (value, parameter, global) = (builder.read(x), builder.read(p), builder.read(g));
    let always = builder.program.store.boolean(true);
    let (entry, exit) = builder.ends(main);
    builder.block(main, (entry, before), always, vec![(g, one), (x, one)], Vec::new());
    let action = Action::Call { procedure: callee, arguments: vec![value], result: Some(y) };
    builder.edge(main, before, behind, action);
    builder.block(main, (behind, exit), always, Vec::new(), Vec::new());
    let ends = builder.ends(callee);
    let mut updates = vec![(r, parameter)];
    if writes == Writes::Global {
        updates.push((g, global));
    }
    builder.block(callee, ends, always, updates, Vec::new());
    let mut case = Case::new(builder);
    case.set(main, entry, &[&[]]);
    case.set(main, exit, &[&[]]);
    Call { case, main, callee, before, behind, g, x, y, p, r }
}

impl Call {
    /// Claims that a predicate holds behind the call.
    fn claim(&mut self, predicate: PredicateId) {
        let term = self.case.precision.predicates[predicate].term;
        let fails = self.case.program().store.not(term);
        let property = self.case.builder.violation(self.main, self.behind, fails);
        self.case.claimed.push(property);
    }

    fn is(&mut self, symbol: Symbol, value: u128) -> PredicateId {
        let term = self.case.is(symbol, value);
        self.case.predicate(term)
    }
}

/// What is passed comes back: `y == 1`, by the value that the formal predicate had at the entry.
fn passed_and_returned() -> (Call, [PredicateId; 4]) {
    let mut it = call(Writes::Global);
    let (x, y, p, r) = (it.x, it.y, it.p, it.r);
    let [x, y, p, r] = [it.is(x, 1), it.is(y, 1), it.is(p, 1), it.is(r, 1)];
    it.case.set(it.main, it.before, &[&[now(x)]]);
    it.case.set(it.main, it.behind, &[&[now(y)]]);
    let (entry, exit) = it.case.builder.ends(it.callee);
    let (yes, no) = ((Atom::Entry(p), true), (Atom::Entry(p), false));
    it.case.set(it.callee, entry, &[&[yes, now(p)], &[no, not_now(p)]]);
    it.case.set(it.callee, exit, &[&[yes, now(r)], &[no, not_now(r)]]);
    it.claim(y);
    (it, [x, y, p, r])
}

#[test]
fn summaries_relate_entry_and_exit() {
    let (it, _) = passed_and_returned();
    assert!(it.case.is_certified());
}

#[test]
fn a_summary_that_forgets_the_entry_proves_nothing() {
    let (mut it, _) = passed_and_returned();
    let exit = it.case.builder.ends(it.callee).1;
    it.case.set(it.callee, exit, &[&[]]);
    assert!(it.case.rejected().contains("edge 2 to 3: a step leaves the invariant"));
}

/// `g == 1` all along; a ghost of the callee says so as well.
fn with_ghost(of: impl Fn(&Call) -> Symbol) -> (Call, [PredicateId; 2]) {
    let mut it = call(Writes::Global);
    let (callee, of) = (it.callee, of(&it));
    let ghost = Frozen::new(it.case.program()).ghost(callee, of);
    let (g, x) = (it.g, it.x);
    let [g, x, ghost] = [it.is(g, 1), it.is(x, 1), it.is(ghost, 1)];
    it.case.set(it.main, it.before, &[&[now(g), now(x)]]);
    it.case.set(it.main, it.behind, &[&[now(g)]]);
    let (entry, exit) = it.case.builder.ends(it.callee);
    it.case.set(it.callee, entry, &[&[now(g), now(ghost)]]);
    it.case.set(it.callee, exit, &[&[now(g), now(ghost)]]);
    it.claim(g);
    (it, [g, ghost])
}

#[test]
fn ghosts_are_what_variables_were_at_the_entry() {
    assert!(with_ghost(|it| it.g).0.case.is_certified(), "of a global variable");
    assert!(with_ghost(|it| it.p).0.case.is_certified(), "of a parameter");
    for of in [|it: &Call| it.g, |it: &Call| it.p] {
        let (mut it, [g, ghost]) = with_ghost(of);
        let entry = it.case.builder.ends(it.callee).0;
        it.case.set(it.callee, entry, &[&[now(g), not_now(ghost)]]);
        assert!(it.case.rejected().contains("main, edge 2 to 3"));
    }
}

#[test]
fn what_is_no_ghost_of_anything_is_arbitrary() {
    // The result of the callee is no parameter: nothing is known of it at the entry.
    let (it, _) = with_ghost(|it| it.r);
    assert!(it.case.rejected().contains("main, edge 2 to 3"));
}

#[test]
fn a_summary_that_is_wrong_is_rejected() {
    let (mut it, [.., r]) = passed_and_returned();
    let exit = it.case.builder.ends(it.callee).1;
    it.case.set(it.callee, exit, &[&[now(r)]]);
    assert!(it.case.rejected().contains("f, edge 0 to 1: a step leaves the invariant"));
}

#[test]
fn entries_that_are_not_covered_are_rejected() {
    let (mut it, [_, _, p, _]) = passed_and_returned();
    let entry = it.case.builder.ends(it.callee).0;
    it.case.set(it.callee, entry, &[&[(Atom::Entry(p), false), not_now(p)]]);
    assert!(it.case.rejected().contains("main, edge 2 to 3"));
    let (mut it, [_, _, p, _]) = passed_and_returned();
    it.case.set(it.callee, entry, &[&[(Atom::Entry(p), false), now(p)]]);
    assert!(it.case.rejected().contains("main, edge 2 to 3"));
}

/// `g == 1` before and behind the call, with nothing known of the callee.
fn kept(writes: Writes) -> Call {
    let mut it = call(writes);
    let g = it.g;
    let g = it.is(g, 1);
    it.case.set(it.main, it.before, &[&[now(g)]]);
    it.case.set(it.main, it.behind, &[&[now(g)]]);
    let (entry, exit) = it.case.builder.ends(it.callee);
    it.case.set(it.callee, entry, &[&[]]);
    it.case.set(it.callee, exit, &[&[]]);
    it.claim(g);
    it
}

#[test]
fn what_the_callee_cannot_write_is_kept() {
    assert!(kept(Writes::Nothing).case.is_certified());
}

#[test]
fn what_the_callee_may_write_is_not() {
    let it = kept(Writes::Global);
    assert!(it.case.rejected().contains("main, edge 2 to 3: a step leaves the invariant"));
}

#[test]
fn what_a_callee_of_the_callee_may_write_is_not_kept_either() {
    let mut it = kept(Writes::Nothing);
    let other = it.case.builder.procedure("h");
    let (entry, exit) = it.case.builder.ends(other);
    let global = it.case.builder.read(it.g);
    let always = it.case.program().store.boolean(true);
    it.case.builder.block(other, (entry, exit), always, vec![(it.g, global)], Vec::new());
    it.case.set(other, entry, &[&[]]);
    it.case.set(other, exit, &[&[]]);
    let (entry, exit) = it.case.builder.ends(it.callee);
    let action = Action::Call { procedure: other, arguments: Vec::new(), result: None };
    it.case.builder.edge(it.callee, entry, exit, action);
    assert!(it.case.rejected().contains("main, edge 2 to 3: a step leaves the invariant"));
}

#[test]
fn local_variables_of_another_activation_are_others() {
    // `f(p) { r = 0; if (p) y = f(0); }`: that the callee's `r` is 0 says nothing of the caller's `p`.
    let mut it = call(Writes::Nothing);
    let p = it.p;
    let p = it.is(p, 1);
    let (entry, exit) = it.case.builder.ends(it.callee);
    let zero = it.case.builder.bits(0);
    let action = Action::Call { procedure: it.callee, arguments: vec![zero], result: Some(it.r) };
    it.case.builder.edge(it.callee, entry, exit, action);
    it.case.set(it.main, it.before, &[&[]]);
    it.case.set(it.main, it.behind, &[&[]]);
    it.case.set(it.callee, entry, &[&[]]);
    it.case.set(
        it.callee,
        exit,
        &[&[(Atom::Entry(p), true), now(p)], &[(Atom::Entry(p), false), not_now(p)]],
    );
    assert!(it.case.rejected().contains("f, edge 0 to 1"), "the entry says nothing");
    let relation: [&[_]; 2] = [&[(Atom::Entry(p), true), now(p)], &[(Atom::Entry(p), false), not_now(p)]];
    it.case.set(it.callee, entry, &relation);
    assert!(it.case.is_certified(), "the caller's own parameter is kept");
    it.case.set(it.callee, exit, &[&[not_now(p)]]);
    assert!(it.case.rejected().contains("f, edge 0 to 1"));
}
