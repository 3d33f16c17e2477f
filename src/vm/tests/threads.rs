//! Threads: schedules find races and deadlocks, and synchronisation keeps them out.

use super::{DataModel, End, Fault, Limits, Machine, Settings, lenient, random_ends, read};
use crate::vm::Random;
use crate::vm::explore::{Coverage, Exploration, Explored, explore, explore_states};

fn all(source: &str) -> Explored {
    let module = read(source, DataModel::Lp64);
    let settings = Exploration { runs: 20_000, ..Exploration::default() };
    explore(&mut Machine::new(&module, lenient()), &settings, &Limits::none())
}

/// Two threads of `body`, then a check.
fn two(declarations: &str, body: &str, check: &str) -> String {
    format!(
        "#include <pthread.h>\n#include <semaphore.h>\n#include <assert.h>\n\
         extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n{declarations}\n\
         void *work(void *a) {{ {body} return 0; }}\n\
         int main(void) {{ pthread_t a, b; SETUP; pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);\n\
         pthread_join(a, 0); pthread_join(b, 0); {check} return 0; }}"
    )
}

fn names(explored: &Explored) -> Vec<&'static str> {
    let mut names: Vec<&str> = explored.ends.iter().map(|found| found.outcome.end.name()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// No state twice, or all runs: the same ends.
#[test]
fn states_and_runs_come_to_the_same() {
    let heap = "int *p = malloc(4); *p = x; x = *p + 1; free(p);";
    let lock = format!("pthread_mutex_lock(&m); {COUNT} pthread_mutex_unlock(&m);");
    let cases = [("#define SETUP", COUNT), ("#define SETUP", heap), ("#define SETUP x = 1", lock.as_str())];
    for (setup, body) in cases {
        let declarations = format!("#include <stdlib.h>\nint x; pthread_mutex_t m;\n{setup}");
        let module = read(&two(&declarations, body, "assert(x == 2);"), DataModel::Lp64);
        let settings = Exploration { runs: 20_000, ..Exploration::default() };
        let runs = explore(&mut Machine::new(&module, lenient()), &settings, &Limits::none());
        let states = explore_states(&mut Machine::new(&module, lenient()), &settings, &Limits::none());
        assert_eq!(runs.coverage, Coverage::Complete);
        assert_eq!((states.coverage, names(&states)), (Coverage::Complete, names(&runs)), "{body}");
        assert!(states.runs < runs.runs, "{} {}", states.runs, runs.runs);
    }
}

const COUNT: &str = "int y = x; x = y + 1;";

#[test]
fn a_lost_update_is_found() {
    let source = two("int x;\n#define SETUP", COUNT, "assert(x == 2);");
    assert_eq!(names(&all(&source)), ["assertion failed", "exit"]);
    let ends = random_ends(&source, &lenient(), 60);
    assert!(ends.iter().any(End::is_violation) && ends.contains(&End::Exit(0)));
}

#[test]
fn synchronisation_keeps_updates() {
    let cases = [
        (
            "pthread_mutex_t m;\n#define SETUP pthread_mutex_init(&m, 0)",
            "pthread_mutex_lock(&m);",
            "pthread_mutex_unlock(&m);",
        ),
        (
            "pthread_spinlock_t m;\n#define SETUP pthread_spin_init(&m, 0)",
            "pthread_spin_lock(&m);",
            "pthread_spin_unlock(&m);",
        ),
        ("sem_t m;\n#define SETUP sem_init(&m, 0, 1)", "sem_wait(&m);", "sem_post(&m);"),
        (
            "pthread_rwlock_t m = PTHREAD_RWLOCK_INITIALIZER;\n#define SETUP",
            "pthread_rwlock_wrlock(&m);",
            "pthread_rwlock_unlock(&m);",
        ),
        ("#define SETUP", "__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"),
        (
            "pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;\n#define SETUP",
            "pthread_mutex_lock(&m); pthread_mutex_lock(&m);",
            "pthread_mutex_unlock(&m); pthread_mutex_unlock(&m);",
        ),
    ];
    for (declarations, before, after) in cases {
        let source = two(
            &format!("#define _GNU_SOURCE\nint x;\n{declarations}"),
            &format!("{before} {COUNT} {after}"),
            "assert(x == 2);",
        );
        let source = format!("#define _GNU_SOURCE\n{source}");
        let explored = all(&source);
        assert_eq!(names(&explored), ["exit"], "{before}: {:?}", explored.ends[0].outcome.end);
        assert_eq!(explored.coverage, Coverage::Complete, "{before}");
    }
}

#[test]
fn an_atomic_function_is_one_step() {
    let declarations = "int x; void __VERIFIER_atomic_up(void) { int y = x; x = y + 1; }\n#define SETUP";
    assert_eq!(names(&all(&two(declarations, "__VERIFIER_atomic_up();", "assert(x == 2);"))), ["exit"]);
}

#[test]
fn readers_do_not_exclude_each_other() {
    let declarations = "int x; pthread_rwlock_t m;\n#define SETUP";
    let body = format!("pthread_rwlock_rdlock(&m); {COUNT} pthread_rwlock_unlock(&m);");
    assert!(names(&all(&two(declarations, &body, "assert(x == 2);"))).contains(&"assertion failed"));
}

/// Who does nothing that others can see, for ever, does not keep them from going on.
#[test]
fn an_endless_thread_gives_way() {
    let source = "#include <pthread.h>\n#include <assert.h>\nint x;\n\
         void *work(void *a) { x = 1; assert(x == 2); return 0; }\n\
         int main(void) { pthread_t a; pthread_create(&a, 0, work, 0); for (;;) ; }";
    let module = read(source, DataModel::Lp64);
    let settings = Settings { steps: 100_000, ..lenient() };
    let mut machine = Machine::new(&module, settings);
    let ends = (0..8).map(|seed| machine.run(&mut Random::new(seed), &Limits::none()).end);
    assert!(ends.into_iter().any(|end| matches!(end, End::AssertionFailed(_))));
}

#[test]
fn deadlocks_are_found() {
    let source = "#include <pthread.h>\npthread_mutex_t m, n;\n\
        void *work(void *a) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); return 0; }\n\
        int main(void) { pthread_t a; pthread_create(&a, 0, work, 0);\n\
        pthread_mutex_lock(&n); pthread_mutex_lock(&m); return 0; }";
    let explored = all(source);
    assert_eq!(names(&explored), ["deadlock", "exit"]);
    let deadlock = explored.ends.iter().find_map(|found| match &found.outcome.end {
        End::Deadlock(threads) => Some(threads.clone()),
        _ => None,
    });
    let texts: Vec<String> = deadlock.unwrap().into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["waits for the mutex `m`", "waits for the mutex `n`"]);
    let alone = "#include <pthread.h>\npthread_mutex_t m; int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); }";
    assert_eq!(names(&all(alone)), ["deadlock"]);
}

#[test]
fn signals_wake_and_may_be_lost() {
    let program = |guard: &str| {
        format!(
            "#include <pthread.h>\n#include <assert.h>\npthread_mutex_t m; pthread_cond_t c; int ready;\n\
             void *work(void *a) {{ pthread_mutex_lock(&m); {guard} pthread_cond_wait(&c, &m); assert(ready);\n\
             pthread_mutex_unlock(&m); return 0; }}\n\
             int main(void) {{ pthread_t a; pthread_create(&a, 0, work, 0); pthread_mutex_lock(&m); ready = 1;\n\
             pthread_cond_signal(&c); pthread_mutex_unlock(&m); pthread_join(a, 0); return 0; }}"
        )
    };
    // Spurious wake-ups make the loop endless, so that exploration is cut.
    let module = read(&program("while (!ready)"), DataModel::Lp64);
    let settings = Exploration { choices: 14, ..Exploration::default() };
    let explored = explore(&mut Machine::new(&module, lenient()), &settings, &Limits::none());
    assert_eq!(names(&explored), ["exit"]);
    // Without a look at the flag, a signal may come too early, or a thread may wake by itself.
    assert_eq!(names(&all(&program(""))), ["assertion failed", "deadlock", "exit"]);
}

#[test]
fn barriers_hold_everybody() {
    let declarations = "int x; pthread_barrier_t b2;\n#define SETUP pthread_barrier_init(&b2, 0, 2)";
    let body =
        "__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); pthread_barrier_wait(&b2); assert(x == 2);";
    assert_eq!(names(&all(&two(declarations, body, ""))), ["exit"]);
}

#[test]
fn once_runs_once_and_keys_are_per_thread() {
    let declarations = "int x; pthread_once_t o; pthread_key_t k; void init(void) { x++; pthread_key_create(&k, 0); }\n#define SETUP";
    let body = "pthread_once(&o, init); int l; assert(pthread_getspecific(k) == 0); pthread_setspecific(k, &l); \
                assert(pthread_getspecific(k) == &l);";
    assert_eq!(names(&all(&two(declarations, body, "assert(x == 1);"))), ["exit"]);
}

#[test]
fn each_thread_has_its_own_copy_of_a_thread_local_variable() {
    let declarations = "_Thread_local int own = 5; int *seen;\n#define SETUP own = 9";
    let body = "assert(own == 5); own++; assert(own == 6);";
    assert_eq!(names(&all(&two(declarations, body, "assert(own == 9);"))), ["exit"]);
}

#[test]
fn results_of_threads_reach_who_joins_them() {
    let source = "#include <pthread.h>\n#include <assert.h>\nint g;\n\
        void *f(void *a) { *(int *)a = 4; pthread_exit(&g); }\n\
        int main(void) { pthread_t t; int l = 0; void *r; pthread_create(&t, 0, f, &l); pthread_join(t, &r);\n\
        assert(r == &g && l == 4); assert(pthread_equal(pthread_self(), pthread_self())); return 0; }";
    assert_eq!(names(&all(source)), ["exit"]);
}

#[test]
fn the_end_of_main_ends_all_threads_but_pthread_exit_does_not() {
    let program = |end: &str| {
        format!(
            "#include <pthread.h>\nextern void reach_error(void), abort(void);\n\
             void *f(void *a) {{ reach_error(); return 0; }}\n\
             int main(void) {{ pthread_t t; pthread_create(&t, 0, f, 0); {end} }}"
        )
    };
    assert_eq!(names(&all(&program("pthread_exit(0);"))), ["error reached"]);
    assert_eq!(names(&all(&program("return 0;"))), ["error reached", "exit"]);
    assert_eq!(names(&all(&program("abort();"))), ["abort", "error reached"]);
}

/// What ends the runs of a program in which these faults are checked.
fn checked(source: &str, fault: Fault) -> Vec<&'static str> {
    let module = read(source, DataModel::Lp64);
    let settings = Exploration { runs: 20_000, ..Exploration::default() };
    let checks = [fault].into_iter().collect();
    let explored = explore_states(
        &mut Machine::new(&module, Settings { checks, ..lenient() }),
        &settings,
        &Limits::none(),
    );
    assert_eq!(explored.coverage, Coverage::Complete);
    names(&explored)
}

#[test]
fn races_are_found_where_nothing_keeps_accesses_apart() {
    let lock = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);";
    let atomic = "__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();";
    let mixed = "if (!a) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); } int y = x;";
    let flag = "__atomic_store_n(&x, 1, __ATOMIC_SEQ_CST); int y = __atomic_load_n(&x, __ATOMIC_SEQ_CST);";
    let half = "int y = x; __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);";
    let cases = [
        ("x = 1;", true),
        ("int y = x;", false),
        (lock, false),
        (atomic, false),
        (mixed, true),
        (flag, false),
        (half, true),
        ("int own = x; own++;", false),
    ];
    for (body, races) in cases {
        let declarations = "int x; pthread_mutex_t m;\n#define SETUP";
        let ends = checked(&two(declarations, body, "x = 5;"), Fault::Race);
        assert_eq!(ends.contains(&"fault"), races, "{body}: {ends:?}");
    }
    // Bytes side by side are no race.
    let apart = two("char t[2]; int n;\n#define SETUP", "t[__atomic_fetch_add(&n, 1, 5)] = 1;", "");
    assert_eq!(checked(&apart, Fault::Race), ["exit"]);
}

#[test]
fn deadlocks_are_faults_for_those_who_ask() {
    let twice = "#include <pthread.h>\npthread_mutex_t m;\n\
        int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }";
    assert_eq!(checked(twice, Fault::Deadlock), ["fault"]);
    let fine = two(
        "int x; pthread_mutex_t m;\n#define SETUP",
        "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
        "",
    );
    assert_eq!(checked(&fine, Fault::Deadlock), ["exit"]);
}

/// The first instruction of a thread may be the access.
#[test]
fn races_at_the_first_instruction_of_a_thread() {
    let source = "#include <pthread.h>\nint x; void *w(void *a) { x = 1; return 0; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); return x; }";
    assert_eq!(checked(source, Fault::Race), ["exit", "fault"]);
}

#[test]
fn misuse_of_locks_is_a_fault_for_those_who_ask() {
    let m = "pthread_mutex_t m; pthread_spinlock_t s; pthread_rwlock_t r; pthread_cond_t c;\n#define SETUP";
    let cases = [
        ("pthread_mutex_lock(&m); pthread_mutex_unlock(&m);", false),
        ("if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m);", false),
        ("pthread_mutex_unlock(&m);", true),
        ("pthread_mutex_lock(&m); pthread_mutex_lock(&m);", true),
        ("pthread_mutex_lock(&m); pthread_mutex_destroy(&m);", true),
        ("pthread_cond_wait(&c, &m);", true),
        ("pthread_spin_lock(&s); pthread_spin_unlock(&s);", false),
        ("pthread_spin_unlock(&s);", true),
        ("pthread_rwlock_rdlock(&r); pthread_rwlock_unlock(&r);", false),
        ("pthread_rwlock_wrlock(&r); pthread_rwlock_unlock(&r);", false),
        ("pthread_rwlock_wrlock(&r); pthread_rwlock_rdlock(&r);", true),
        ("pthread_rwlock_unlock(&r);", true),
    ];
    for (body, misused) in cases {
        let source = two(m, body, "");
        let ends = checked(&source, Fault::Lock);
        assert_eq!(ends.contains(&"fault"), misused, "{body}: {ends:?}");
        // Who does not ask is told nothing.
        assert!(!checked(&source, Fault::Race).contains(&"fault"), "{body}");
    }
}

/// A third thread goes on, and yet two of them wait for each other.
#[test]
fn circles_are_deadlocks_though_others_can_go_on() {
    let source = "#include <pthread.h>\npthread_mutex_t m, n; int x;\n\
        void leave(void) { pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); }\n\
        void *w(void *a) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); leave(); return 0; }\n\
        void *v(void *a) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); leave(); return 0; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_create(&t, 0, v, 0);\n\
        for (int i = 0; i < 3; i++) x++; return 0; }";
    let ends = checked(source, Fault::Deadlock);
    assert!(ends.contains(&"fault") && ends.contains(&"exit"), "{ends:?}");
    let ordered = source.replace("lock(&n); pthread_mutex_lock(&m)", "lock(&m); pthread_mutex_lock(&n)");
    assert_eq!(checked(&ordered, Fault::Deadlock), ["exit"]);
    // Who ends while it holds them leaves the other one waiting for ever.
    let left = ordered.replace("leave(); ", "");
    assert_eq!(checked(&left, Fault::Deadlock), ["exit", "fault"]);
}
