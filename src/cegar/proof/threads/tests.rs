//! Proofs of programs with threads stand; where a statement leaves a step of the program out, they do not. On generated
//! programs the oracle is all schedules: nothing that a run violates is ever certified, whatever the statements say.

use super::super::Proof;
use crate::abstraction::{Abstractor, Options};
use crate::boolean::ast::{At, Expression, Statement, StatementKind};
use crate::boolean::check::{CheckOptions, check};
use crate::boolean::expression;
use crate::cegar::tests::threads::verified;
use crate::certify::proof::Certificate;
use crate::certify::threads::MORE;
use crate::ground::event::Silent;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::ground::run::Run;
use crate::ir::Module;
use crate::llvm::tests::threaded::{Source, explore_all};
use crate::program::generate::Random;
use crate::program::tallies::{Account, Locked, Shares};
use crate::program::{Action, Program, PropertyId};
use std::collections::BTreeSet;

const HEAD: &str = "#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, flag;
";

/// Any number of workers.
const MAIN: &str =
    "int main(void) { pthread_t t; while (__VERIFIER_nondet_int()) pthread_create(&t, 0, f, 0); return 0; }";

/// A shared variable behind a lock; a flag, once set; what a thread remembers of a shared variable; an atomic section.
fn programs() -> [String; 4] {
    let worker = |body: &str| format!("{HEAD}void *f(void *a) {{ {body} return 0; }}\n{MAIN}");
    [
        worker("pthread_mutex_lock(&m); x = x + 1; assert(x == 1); x = x - 1; pthread_mutex_unlock(&m);"),
        worker("flag = 1; assert(flag == 1);"),
        worker("pthread_mutex_lock(&m); int l = x; x = l + 1; assert(x == l + 1); pthread_mutex_unlock(&m);"),
        worker("__VERIFIER_atomic_begin(); x = 1; assert(x == 1); x = 0; __VERIFIER_atomic_end();"),
    ]
}

/// What was proven of a program, its last abstraction made again.
fn proof_of(source: &str) -> (Program, Module, Proof, BTreeSet<PropertyId>) {
    let (outcome, mut program, module) = verified(source);
    let (precision, limits) = (outcome.precision, Limits::none());
    let run = Run { limits: &limits, observer: &Silent };
    let abstraction = Abstractor::new(Options::default(), &limits)
        .abstract_program(&mut program, &precision, run)
        .expect("no limit");
    let graph = check(&abstraction.program, &CheckOptions::default()).expect("a program").0;
    let all = program.properties.ids().collect();
    (program, module, Proof { precision, abstraction, graph }, all)
}

impl Proof {
    fn certificate(
        &self,
        program: &Program,
        all: &BTreeSet<PropertyId>,
    ) -> (BTreeSet<PropertyId>, Certificate) {
        let limits = Limits::none();
        self.check_threads(program, all, Run { limits: &limits, observer: &Silent })
    }

    /// The statements of edges.
    fn statements(&mut self) -> Vec<&mut Statement> {
        let thread = self.abstraction.program.procedures.last_mut().expect("what threads run");
        thread.body.statements.iter_mut().filter(|statement| statement.at.0.start > 0).collect()
    }

    /// The proof with one statement changed.
    fn with(&self, number: usize, change: impl FnOnce(&mut StatementKind)) -> Self {
        let (precision, abstraction) = (self.precision.clone(), self.abstraction.clone());
        let mut changed = Self { precision, abstraction, graph: self.graph.clone() };
        change(&mut changed.statements()[number].kind);
        changed
    }
}

/// The numbers of assignments.
fn assignments(proof: &mut Proof) -> Vec<usize> {
    let statements = proof.statements().into_iter().enumerate();
    let assigns = |statement: &Statement| matches!(statement.kind, StatementKind::Assign { .. });
    statements.filter(|(_, statement)| assigns(statement)).map(|(number, _)| number).collect()
}

fn never() -> Expression {
    Expression { body: expression::Expression::constant(false), at: At::default() }
}

/// The statement blocks.
fn block(kind: &mut StatementKind) {
    match kind {
        StatementKind::Assign { constrain, .. } => *constrain = Some(never()),
        other => *other = StatementKind::Assume(never()),
    }
}

/// One value is negated.
fn negate(kind: &mut StatementKind, position: usize) {
    let StatementKind::Assign { values, .. } = kind else { return };
    let position = position % values.len();
    values[position].body = values[position].body.clone().negate();
}

/// Other threads are not told.
fn silence(kind: &mut StatementKind) {
    let StatementKind::Assign { targets, values, .. } = kind else { return };
    let told: Vec<bool> = targets.iter().map(|target| target.text.ends_with('$')).collect();
    let mut own = told.iter().map(|told| !told);
    values.retain(|_| own.next().expect("as many as targets"));
    targets.retain(|target| !target.text.ends_with('$'));
}

fn is_certified((_, certificate): &(BTreeSet<PropertyId>, Certificate)) -> bool {
    matches!(certificate, Certificate::Certified { .. })
}

#[test]
fn proofs_stand_and_those_that_leave_steps_out_do_not() {
    let mut broadcasts = 0;
    for source in programs() {
        let (program, _, mut proof, all) = proof_of(&source);
        let found = proof.certificate(&program, &all);
        assert!(is_certified(&found) && found.0 == all, "{source}: {found:?}");
        for number in assignments(&mut proof) {
            let blocked = proof.with(number, block).certificate(&program, &all);
            assert!(matches!(blocked.1, Certificate::Rejected(_)), "{number} of {source}: {blocked:?}");
            let negated = proof.with(number, |kind| negate(kind, 0)).certificate(&program, &all);
            assert!(!is_certified(&negated), "{number} of {source}");
            let mut silent = proof.with(number, silence);
            if silent.statements()[number].kind != proof.statements()[number].kind {
                let found = silent.certificate(&program, &all);
                assert!(matches!(found.1, Certificate::Rejected(_)), "{number} of {source}: {found:?}");
                broadcasts += 1;
            }
        }
    }
    assert!(broadcasts > 0);
}

#[test]
fn weaker_statements_are_never_rejected() {
    for source in programs() {
        let (program, _, mut proof, all) = proof_of(&source);
        for number in assignments(&mut proof) {
            let weaker = proof.with(number, |kind| {
                if let StatementKind::Assign { values, constrain, .. } = kind {
                    *constrain = None;
                    values[0].body = expression::Expression::choice();
                }
            });
            match weaker.certificate(&program, &all).1 {
                Certificate::Certified { .. } => {}
                Certificate::Stopped(Stop::Bound(why)) if why == MORE => {}
                other => panic!("{number} of {source}: {other:?}"),
            }
        }
    }
}

#[test]
fn without_the_lock_nothing_is_certified() {
    for source in programs() {
        let open = source.replace("pthread_mutex_lock(&m);", "").replace("pthread_mutex_unlock(&m);", "");
        let open = open.replace("__VERIFIER_atomic_begin();", "").replace("__VERIFIER_atomic_end();", "");
        let (program, _, proof, all) = proof_of(&open);
        let found = proof.certificate(&program, &all);
        assert_eq!(is_certified(&found), open == source, "{open}: {found:?}");
    }
}

/// Changes a statement at random.
fn changed(proof: &mut Proof, random: &mut Random) -> Proof {
    let count = proof.statements().len();
    let (number, position) = (random.below(count), random.below(8));
    match random.below(3) {
        0 => proof.with(number, block),
        1 => proof.with(number, |kind| negate(kind, position)),
        _ => proof.with(number, silence),
    }
}

#[test]
fn what_a_schedule_violates_is_never_certified() {
    let number = |name| std::env::var(name).ok().and_then(|text: String| text.parse().ok());
    let (first, count) = (number("BOOLERO_SEED").unwrap_or(1), number("BOOLERO_COUNT").unwrap_or(6));
    let (mut certified, mut refused) = (0, 0);
    for seed in first..first + count {
        let (program, module, mut proof, all) = proof_of(&Source::new(seed).text());
        let Some(violated) = explore_all(&module, &program) else { continue };
        let mut random = Random::new(seed);
        for round in 0..6 {
            let proof = if round == 0 { proof.with(0, |_| ()) } else { changed(&mut proof, &mut random) };
            let found = proof.certificate(&program, &all);
            if is_certified(&found) {
                certified += 1;
                let wrong = found.0.iter().find(|&property| violated[property]);
                assert_eq!(wrong, None, "seed {seed}, round {round}");
            } else {
                refused += 1;
                assert!(round > 0 || !matches!(found.1, Certificate::Rejected(_)), "seed {seed}: {found:?}");
            }
        }
    }
    eprintln!("{certified} certified, {refused} refused");
    assert!(certified > 0 && refused > 0, "{certified} certified, {refused} refused");
}

/// Something that makes the account wrong.
type Change = fn(&mut Program);

/// A proof that rests on what threads keep account of: the lock, copies of the counter under it, shares.
#[test]
fn what_threads_keep_account_of_is_checked() {
    let source = format!("{}{}", crate::cegar::tests::tallies::HEAD, crate::cegar::tests::tallies::LOCKED);
    let (program, _, proof, all) = proof_of(&source);
    assert!(matches!(proof.certificate(&program, &all).1, Certificate::Certified { .. }));
    let changes: [(&str, Change); 7] = [
        ("another first value", |it| shares(it).first += 1),
        ("a share of many as one of a thread that exists once", |it| {
            let (&template, share) = shares(it).many.iter().next().expect("requests");
            let share = share.clone();
            shares(it).once.insert(template, share);
        }),
        ("a range that is too small", |it| {
            let share = shares(it).many.values_mut().next().expect("requests");
            share.ranges.iter_mut().flatten().for_each(|range| range.1 = 0);
        }),
        ("a copy that is something else", |it| {
            let copies = locked(it).copies.values_mut().next().expect("copies");
            copies.values_mut().for_each(|more| *more += 1);
        }),
        ("a lock that is held everywhere", |it| {
            let procedures = it.procedures.enumerate();
            let places = procedures.flat_map(|(id, all)| all.locations.ids().map(move |at| (id, at)));
            locked(it).held = places.collect();
        }),
        ("a lock that is held nowhere", |it| locked(it).held.clear()),
        ("an update that is left out", |it| {
            let ghost = shares(it).many.values().next().expect("requests").symbol;
            for procedure in it.procedures.iter_mut() {
                for edge in procedure.edges.iter_mut() {
                    if let Action::Block(block) = &mut edge.action {
                        block.updates.retain(|&(symbol, _)| symbol != ghost);
                    }
                }
            }
        }),
    ];
    for (what, change) in changes {
        let mut changed = program.clone();
        change(&mut changed);
        let certificate = proof.certificate(&changed, &all).1;
        assert!(matches!(certificate, Certificate::Rejected(_)), "{what}: {certificate:?}");
    }
}

fn shares(program: &mut Program) -> &mut Shares {
    match &mut program.tallies[0].account {
        Account::Shares(shares) => shares,
        Account::Numbers(_) => panic!("numbers"),
    }
}

fn locked(program: &mut Program) -> &mut Locked {
    program.tallies[0].locked.as_mut().expect("a lock")
}
