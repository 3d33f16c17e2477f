//! Races, deadlocks, misuse of locks. Two threads work on the object.

use super::plant::{Plant, Wish};
use crate::ir::undefined::Fault;

pub(super) fn race(wish: &mut Wish) -> Plant {
    let plant = |define: &str| {
        Plant::of(Fault::Race, define)
            .top("int sink_a, sink_b; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;")
    };
    let ty = wish.one(&["char", "short", "int", "long", "unsigned long long"]);
    let locked = |what: &str| {
        format!("if (!(@W)) pthread_mutex_lock(&m); {what} if (!(@W)) pthread_mutex_unlock(&m);")
    };
    if wish.library {
        let (one, other) = [
            ("memset(&@L, 1, sizeof @L);", "sink_b = @L[1];"),
            ("memcpy(&@L, \"abcdefg\", 8);", "@L[7] = 1;"),
            ("sink_a = memcmp(&@L, \"abcdefg\", 8);", "@L[0] = 1;"),
            ("@L[0] = 0; strcpy(@L, \"ab\");", "sink_b = @L[1];"),
        ][wish.random.below(4)];
        return plant("typedef char T[8];")
            .prepare("memset(&@L, 0, 8);")
            .operate(locked(one))
            .second(locked(other));
    }
    let plain = || plant(&format!("typedef {ty} T;")).prepare("@L = 0;");
    match wish.random.below(8) {
        0 | 1 => plain().operate(locked("@L = 1;")).second(locked("@L = 2;")),
        2 => plain().operate(locked("@L++;")).second(locked("sink_b = @L;")),
        // Both only read, unless it is to go wrong.
        3 => plain().operate("sink_a = @L; if (@W) @L = 3;").second("sink_b = @L;"),
        4 => plant("typedef int T[4];")
            .prepare("for (int i = 0; i < 4; i++) @L[i] = 0;")
            .operate("@L[1] = 1;")
            .second("int at = @W ? 1 : 2; @L[at] = 2;"),
        5 => plant("typedef struct { int a, b; } T;")
            .prepare("@L.a = @L.b = 0;")
            .operate("@L.a = 1;")
            .second("if (@W) { @L.a = 2; } else { @L.b = 2; }"),
        6 => plant("typedef int T;")
            .prepare("@L = 0;")
            .operate("__atomic_fetch_add(&@L, 1, __ATOMIC_SEQ_CST);")
            .second("if (@W) @L = 2; else __atomic_store_n(&@L, 5, __ATOMIC_SEQ_CST);"),
        _ => plain()
            .top(
                "extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void); int sink_a, sink_b;",
            )
            .operate("__VERIFIER_atomic_begin(); @L++; __VERIFIER_atomic_end();")
            .second("if (!(@W)) __VERIFIER_atomic_begin(); @L--; if (!(@W)) __VERIFIER_atomic_end();"),
    }
}

pub(super) fn deadlock(wish: &mut Wish) -> Plant {
    let plant = |define: &str| Plant::of(Fault::Deadlock, define).top("int sink_a, sink_b;");
    let pair = || {
        plant("typedef struct { pthread_mutex_t a, b; } T;")
            .prepare("pthread_mutex_init(&@L.a, 0); pthread_mutex_init(&@L.b, 0);")
    };
    let both = |first: &str, then: &str, what: &str| {
        format!(
            "pthread_mutex_lock(&{first}); pthread_mutex_lock(&{then}); {what} \
             pthread_mutex_unlock(&{then}); pthread_mutex_unlock(&{first});"
        )
    };
    let forth = both("@L.a", "@L.b", "sink_a = 1;");
    let back = both("@L.b", "@L.a", "sink_b = 1;");
    let same = both("@L.a", "@L.b", "sink_b = 1;");
    match wish.random.below(8) {
        0 | 1 => pair().operate(forth).second(format!("if (@W) {{ {back} }} else {{ {same} }}")),
        2 => plant("typedef pthread_mutex_t T;")
            .prepare("pthread_mutex_init(&@L, 0);")
            .operate("pthread_mutex_lock(&@L); if (@W) pthread_mutex_lock(&@L); pthread_mutex_unlock(&@L);")
            .second("sink_b = 1;"),
        3 => plant("typedef sem_t T;")
            .prepare("sem_init(&@L, 0, 0);")
            .operate("sem_wait(&@L); sink_a = 1;")
            .second("if (!(@W)) sem_post(&@L);"),
        4 => plant("typedef struct { pthread_mutex_t m; pthread_cond_t c; int ready; } T;")
            .prepare("pthread_mutex_init(&@L.m, 0); pthread_cond_init(&@L.c, 0); @L.ready = 0;")
            .operate(
                "pthread_mutex_lock(&@L.m); while (!@L.ready) pthread_cond_wait(&@L.c, &@L.m); \
                 pthread_mutex_unlock(&@L.m);",
            )
            .second(
                "pthread_mutex_lock(&@L.m); @L.ready = 1; if (!(@W)) pthread_cond_signal(&@L.c); \
                 pthread_mutex_unlock(&@L.m);",
            ),
        5 => plant("typedef pthread_barrier_t T;")
            .prepare("pthread_barrier_init(&@L, 0, 2);")
            .operate("pthread_barrier_wait(&@L);")
            .second("if (!(@W)) pthread_barrier_wait(&@L);"),
        // A lock that is never left.
        6 => plant("typedef pthread_mutex_t T;")
            .prepare("pthread_mutex_init(&@L, 0);")
            .operate("pthread_mutex_lock(&@L); sink_a = 1; if (!(@W)) pthread_mutex_unlock(&@L);")
            .second("pthread_mutex_lock(&@L); sink_b = 1; pthread_mutex_unlock(&@L);"),
        _ => plant("typedef struct { pthread_mutex_t a, b; } T;")
            .prepare("pthread_mutex_init(&@L.a, 0); pthread_mutex_init(&@L.b, 0);")
            .operate(both("@L.a", "@L.b", "sink_a = 1;"))
            .second(
                "pthread_mutex_lock(&@L.b); if (@W) { pthread_mutex_lock(&@L.a); } \
                 else if (!pthread_mutex_trylock(&@L.a)) { pthread_mutex_unlock(&@L.a); } \
                 if (@W) pthread_mutex_unlock(&@L.a); pthread_mutex_unlock(&@L.b);",
            ),
    }
}

pub(super) fn lock(wish: &mut Wish) -> Plant {
    let plant = |define: &str| Plant::of(Fault::Lock, define).top("int sink_a, sink_b;");
    let mutex = || plant("typedef pthread_mutex_t T;").prepare("pthread_mutex_init(&@L, 0);");
    let around = "pthread_mutex_lock(&@L); sink_b = 1; pthread_mutex_unlock(&@L);";
    match wish.random.below(6) {
        0 => mutex()
            .operate("if (!(@W)) pthread_mutex_lock(&@L); sink_a = 1; pthread_mutex_unlock(&@L);")
            .second("sink_b = 2;"),
        1 => mutex()
            .operate("pthread_mutex_lock(&@L); sink_a = 1; pthread_mutex_unlock(&@L); if (@W) pthread_mutex_unlock(&@L);")
            .second("sink_b = 2;"),
        2 => mutex().operate("pthread_mutex_lock(&@L); sink_a = 1; pthread_mutex_unlock(&@L);").second(format!(
            "{around} if (@W) pthread_mutex_unlock(&@L);"
        )),
        3 => mutex()
            .operate("pthread_mutex_lock(&@L); if (@W) pthread_mutex_destroy(&@L); else pthread_mutex_unlock(&@L);")
            .second("sink_b = 2;"),
        4 => plant("typedef pthread_rwlock_t T;")
            .prepare("pthread_rwlock_init(&@L, 0);")
            .operate("pthread_rwlock_rdlock(&@L); pthread_rwlock_unlock(&@L);")
            .second("if (!(@W)) pthread_rwlock_wrlock(&@L); pthread_rwlock_unlock(&@L);"),
        _ => plant("typedef pthread_spinlock_t T;")
            .prepare("pthread_spin_init(&@L, 0);")
            .operate("pthread_spin_lock(&@L); sink_a = 1; pthread_spin_unlock(&@L);")
            .second("if (!(@W)) pthread_spin_lock(&@L); sink_b = 1; pthread_spin_unlock(&@L);"),
    }
}
