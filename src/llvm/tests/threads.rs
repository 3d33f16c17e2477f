//! Threads: all schedules of small programs, in the machine with its own functions of pthread and in the model with those
//! that are written in C. Both must be able to fail and to come to an end, or not, alike.

use super::runs::read;
use super::threaded::{Means, Source, explore_all};
use crate::ground::limits::Limits;
use crate::ir::Module;
use crate::llvm::read::clang::DataModel;
use crate::llvm::read::program::Library;
use crate::lower::{Settings, lower};
use crate::program::blocks::{Granularity, Options, large_blocks};
use crate::program::generate::Random;
use crate::program::run::explore as model_explore;
use crate::program::run::{Chooser, Compiled, Execution, Outcome, Recording, ThreadId};
use crate::program::{Action, EdgeId, ProcedureId, Program, Role, Scope, well_formed};
use crate::term::Symbol;
use crate::vm::explore::{Exploration, explore};
use crate::vm::{self, End, Machine};
use std::collections::BTreeSet;

/// What runs can come to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Finding {
    /// The program ends.
    Ends,
    /// An assertion fails, or an error is reached.
    Fails,
    /// What is not modelled is reached.
    Unsupported,
}

/// All choices, one run after the other: depth first.
#[derive(Default)]
struct All {
    /// What was taken, and of how many.
    taken: Vec<(usize, usize)>,
    next: usize,
}

impl All {
    fn among(&mut self, count: usize) -> usize {
        if self.next == self.taken.len() {
            self.taken.push((0, count));
        }
        let (taken, among) = self.taken[self.next];
        assert_eq!(among, count, "the same choices lead to the same question");
        self.next += 1;
        taken
    }

    /// The next list of choices, if there is one.
    fn advance(&mut self) -> bool {
        self.taken.truncate(self.next);
        self.next = 0;
        while let Some((taken, count)) = self.taken.pop() {
            if taken + 1 < count {
                self.taken.push((taken + 1, count));
                return true;
            }
        }
        false
    }
}

impl Chooser for All {
    fn input(&mut self, _: Symbol, _: &Role, _: u32) -> u128 {
        self.among(2) as u128
    }

    fn edge(&mut self, _: ProcedureId, enabled: &[EdgeId]) -> usize {
        self.among(enabled.len())
    }

    fn thread(&mut self, threads: &[ThreadId]) -> usize {
        self.among(threads.len())
    }
}

/// Any choices.
pub(crate) struct Any(pub Random);

impl Chooser for Any {
    fn input(&mut self, _: Symbol, _: &Role, _: u32) -> u128 {
        self.0.below(2) as u128
    }

    fn edge(&mut self, _: ProcedureId, enabled: &[EdgeId]) -> usize {
        self.0.below(enabled.len())
    }

    fn thread(&mut self, threads: &[ThreadId]) -> usize {
        self.0.below(threads.len())
    }
}

/// So many runs of the model are looked at in order, and so many edges of each; if there are more, as many others again.
const RUNS: usize = 10_000;
const EDGES: u64 = 120;

/// The model in steps that threads take.
pub(super) fn modelled(module: &Module) -> Program {
    let mut program = lower(module, &Settings::default()).unwrap();
    assert_eq!(well_formed::check(&program), []);
    let scopes: Vec<bool> =
        program.variables.iter().map(|variable| variable.scope == Scope::Global).collect();
    // Merging makes inputs, which nobody shares.
    let shared =
        |symbol: Symbol| scopes.get(crate::ground::index::Index::index(symbol)).copied().unwrap_or(false);
    let granularity = Granularity::Threaded(&shared);
    large_blocks(&mut program, Options { granularity, budget: 2_000, labels: &BTreeSet::new() });
    assert_eq!(well_formed::check(&program), []);
    program
}

fn found_by_model(program: &Program) -> BTreeSet<Finding> {
    let code = Compiled::new(program);
    let (mut all, mut found) = (All::default(), BTreeSet::new());
    let mut run = |chooser: &mut dyn Chooser| {
        match Execution::new(&code, Recording::Nothing).run(chooser, EDGES) {
            Outcome::Exit | Outcome::End => found.insert(Finding::Ends),
            Outcome::Violated(_) => found.insert(Finding::Fails),
            Outcome::Unsupported(..) => found.insert(Finding::Unsupported),
            Outcome::Stuck | Outcome::StepLimit => false,
        };
    };
    for _ in 0..RUNS {
        run(&mut all);
        if !all.advance() {
            return found;
        }
    }
    (0..RUNS as u64).for_each(|seed| run(&mut Any(Random::new(seed))));
    found
}

fn found_by_machine(module: &Module) -> BTreeSet<Finding> {
    let settings = Exploration { runs: 20_000, choices: 40, numbers: vec![0, 1] };
    let mut machine = Machine::new(module, vm::Settings { steps: 20_000, ..vm::Settings::default() });
    let explored = explore(&mut machine, &settings, &Limits::none());
    let finding = |end: &End| match end {
        End::Exit(_) | End::Abort => Some(Finding::Ends),
        end if end.is_violation() && !matches!(end, End::Deadlock(_)) => Some(Finding::Fails),
        End::Unsupported(_) => Some(Finding::Unsupported),
        _ => None,
    };
    explored.ends.iter().filter_map(|found| finding(&found.outcome.end)).collect()
}

/// Machine and model find this, and nothing else.
fn both_find(source: &str, wanted: &[Finding]) {
    let module = read(source, DataModel::Lp64, Library::Models, &[]);
    let wanted: BTreeSet<Finding> = wanted.iter().copied().collect();
    assert_eq!(found_by_machine(&module), wanted, "machine\n{source}");
    assert_eq!(found_by_model(&modelled(&module)), wanted, "model\n{source}");
}

/// The model finds this, and nothing else.
fn model_finds(source: &str, wanted: &[Finding]) {
    let module = read(source, DataModel::Lp64, Library::Models, &[]);
    assert_eq!(found_by_model(&modelled(&module)), wanted.iter().copied().collect(), "{source}");
}

const HEADER: &str = "#define _GNU_SOURCE\n#include <pthread.h>\n#include <semaphore.h>\n#include <assert.h>\n\
    extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);\n";

/// Two threads of `body`, then a check.
fn two(declarations: &str, setup: &str, body: &str, check: &str) -> String {
    format!(
        "{HEADER}{declarations}\nvoid *work(void *argument) {{\n{body}\nreturn 0; }}\n\
         int main(void) {{ pthread_t a, b;\n{setup}\npthread_create(&a, 0, work, 0);\npthread_create(&b, 0, work, 0);\n\
         pthread_join(a, 0);\npthread_join(b, 0);\n{check}\nreturn 0; }}"
    )
}

/// One thread beside `main`.
fn one(declarations: &str, thread: &str, main: &str) -> String {
    format!(
        "{HEADER}{declarations}\nvoid *work(void *argument) {{\n{thread}\nreturn 0; }}\n\
         int main(void) {{ pthread_t a;\npthread_create(&a, 0, work, 0);\n{main}\nreturn 0; }}"
    )
}

use Finding::{Ends, Fails, Unsupported};

/// One after the other, in one step each.
const COUNT: &str = "int y = x;\nx = y + 1;";

#[test]
fn a_lost_update_is_found() {
    both_find(&two("int x;", "", COUNT, "assert(x == 2);"), &[Ends, Fails]);
}

#[test]
fn locks_keep_updates() {
    let locks = [
        (
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
            "",
            "pthread_mutex_lock(&m);",
            "pthread_mutex_unlock(&m);",
        ),
        (
            "pthread_mutex_t m;",
            "pthread_mutex_init(&m, 0);",
            "pthread_mutex_lock(&m);",
            "pthread_mutex_unlock(&m);",
        ),
        (
            "pthread_mutex_t m;",
            "pthread_mutexattr_t t; pthread_mutexattr_init(&t); pthread_mutex_init(&m, &t);",
            "pthread_mutex_lock(&m);",
            "pthread_mutex_unlock(&m);",
        ),
        (
            "pthread_spinlock_t m;",
            "pthread_spin_init(&m, 0);",
            "pthread_spin_lock(&m);",
            "pthread_spin_unlock(&m);",
        ),
        ("sem_t m;", "sem_init(&m, 0, 1);", "sem_wait(&m);", "sem_post(&m);"),
        ("pthread_rwlock_t m;", "", "pthread_rwlock_wrlock(&m);", "pthread_rwlock_unlock(&m);"),
        ("", "", "__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"),
        (
            "pthread_mutex_t m;",
            "",
            "if (pthread_mutex_trylock(&m)) pthread_exit(0);",
            "pthread_mutex_unlock(&m);",
        ),
    ];
    for (declarations, setup, lock, unlock) in locks {
        let declarations = format!("int x; {declarations}");
        let kept =
            two(&declarations, setup, &format!("{lock}\n{COUNT}\n{unlock}"), "assert(x == 1 || x == 2);");
        both_find(&kept, &[Ends]);
    }
    // Only one of them goes without the lock.
    let body = format!("if (argument) pthread_mutex_lock(&m);\n{COUNT}\npthread_mutex_unlock(&m);");
    both_find(&two("int x; pthread_mutex_t m;", "", &body, "assert(x == 2);"), &[Ends, Fails]);
}

#[test]
fn locks_are_told_apart() {
    let declarations = "int x; pthread_mutex_t m[2];";
    let body = format!(
        "pthread_mutex_t *own = &m[turn++];\npthread_mutex_lock(own);\n{COUNT}\npthread_mutex_unlock(own);"
    );
    let declarations = format!("{declarations} int turn;");
    both_find(&two(&declarations, "", &body, "assert(x == 2);"), &[Ends, Fails]);
    let same = body.replace("turn++", "1");
    both_find(&two(&declarations, "", &same, "assert(x == 2);"), &[Ends]);
}

#[test]
fn readers_do_not_exclude_each_other_but_writers_do() {
    let read = format!("pthread_rwlock_rdlock(&m);\n{COUNT}\npthread_rwlock_unlock(&m);");
    both_find(&two("int x; pthread_rwlock_t m;", "", &read, "assert(x == 2);"), &[Ends, Fails]);
    let reader = "pthread_rwlock_rdlock(&m);\nassert(x == y);\npthread_rwlock_unlock(&m);";
    let writer =
        "pthread_rwlock_wrlock(&m);\nx = 1;\ny = 1;\npthread_rwlock_unlock(&m);\npthread_join(a, 0);";
    both_find(&one("int x, y; pthread_rwlock_t m;", reader, writer), &[Ends]);
    let hasty = "if (pthread_rwlock_tryrdlock(&m)) return 0;\nassert(x == y);\npthread_rwlock_unlock(&m);";
    both_find(&one("int x, y; pthread_rwlock_t m;", hasty, writer), &[Ends]);
    let hasty = writer.replace("pthread_rwlock_wrlock(&m);", "if (pthread_rwlock_trywrlock(&m)) return 0;");
    both_find(&one("int x, y; pthread_rwlock_t m;", reader, &hasty), &[Ends]);
}

#[test]
fn who_waits_for_a_signal_gives_the_mutex_away() {
    let thread = "pthread_mutex_lock(&m);\nready = 1;\npthread_cond_signal(&c);\npthread_mutex_unlock(&m);";
    let main = |wait: &str| {
        format!(
            "pthread_mutex_lock(&m);\n{wait} pthread_cond_wait(&c, &m);\nassert(ready);\npthread_mutex_unlock(&m);"
        )
    };
    let declarations = "int ready; pthread_mutex_t m; pthread_cond_t c;";
    both_find(&one(declarations, thread, &main("while (!ready)")), &[Ends]);
    // Nobody looks: it may wake by itself.
    both_find(&one(declarations, thread, &main("")), &[Ends, Fails]);
}

#[test]
fn semaphores_count() {
    let main = |value: u32| {
        format!("sem_wait(&s);\nassert(x == {value});\npthread_join(a, 0);\nassert(sem_trywait(&s) != 0);")
    };
    both_find(&one("int x; sem_t s;", "x = 1;\nsem_post(&s);", &main(1)), &[Ends]);
    both_find(&one("int x; sem_t s;", "sem_post(&s);\nx = 1;", &main(1)), &[Ends, Fails]);
}

#[test]
fn barriers_hold_everybody() {
    let body = "__VERIFIER_atomic_begin();\nx++;\n__VERIFIER_atomic_end();\nWAIT\nassert(x == 2);";
    let (declarations, setup) = ("int x; pthread_barrier_t b2;", "pthread_barrier_init(&b2, 0, 2);");
    let source = two(declarations, setup, &body.replace("WAIT", "pthread_barrier_wait(&b2);"), "");
    both_find(&source, &[Ends]);
    both_find(&two(declarations, setup, &body.replace("WAIT", ""), ""), &[Ends, Fails]);
}

#[test]
fn once_is_once() {
    let declarations = "int x; pthread_once_t o = PTHREAD_ONCE_INIT; void init(void) { x++; }";
    let body = "pthread_once(&o, init);\nassert(x == 1);";
    both_find(&two(declarations, "", body, "assert(x == 1);"), &[Ends]);
}

#[test]
fn a_thread_is_joined_by_its_number() {
    both_find(&one("int x;", "x = 1;", "pthread_join(a, 0);\nassert(x == 1);"), &[Ends]);
    both_find(&one("int x;", "x = 1;", "assert(x == 0);\npthread_join(a, 0);"), &[Ends, Fails]);
    // The other one is joined.
    let two = "int x; void *other(void *a) { return 0; }";
    let main = "pthread_t b; pthread_create(&b, 0, other, 0);\npthread_join(b, 0);\nassert(x == 1);";
    both_find(&one(two, "x = 1;", main), &[Ends, Fails]);
    let swapped = main.replace("join(b, 0)", "join(a, 0)");
    both_find(&one(two, "x = 1;", &swapped), &[Ends]);
}

#[test]
fn threads_of_a_loop_are_joined_by_their_numbers() {
    let source = |joined: &str| {
        format!(
            "{HEADER}int x; void *work(void *a) {{ __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }}\n\
             int main(void) {{ pthread_t t[2];\nfor (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);\n\
             for (int i = 0; i < 2; i++) pthread_join({joined}, 0);\nassert(x == 2);\nreturn 0; }}"
        )
    };
    both_find(&source("t[i]"), &[Ends]);
    model_finds(&source("t[0]"), &[Ends, Fails]);
}

#[test]
fn results_of_threads_reach_who_joins_them() {
    let main = "void *r; pthread_join(a, &r);\nassert(r == &g);";
    for end in ["return &g;", "pthread_exit(&g);", "if (g) pthread_exit(&g); else return &g;"] {
        both_find(&one("int g;", end, main), &[Ends]);
    }
    both_find(&one("int g;", "return argument;", main), &[Fails]);
    both_find(&one("int g;", "return 0;", "assert(pthread_join(7, 0) != 0);\npthread_join(a, 0);"), &[Ends]);
}

#[test]
fn arguments_reach_threads() {
    let source = format!(
        "{HEADER}int seen; void *work(void *a) {{ seen = *(int *)a; return 0; }}\n\
         void *other(void *a) {{ seen = *(int *)a + 1; return 0; }}\n\
         int main(int argc, char **argv) {{ pthread_t t; int own = 4; void *(*f)(void *) = own == 4 ? other : work;\n\
         pthread_create(&t, 0, f, &own);\npthread_join(t, 0);\nassert(seen == 5);\nreturn 0; }}"
    );
    both_find(&source, &[Ends]);
}

/// The first thread may go before the others: they run on.
#[test]
fn the_first_thread_may_end_alone() {
    both_find(&one("", "assert(0);", "pthread_exit(0);"), &[Fails]);
}

/// What a thread has written is there, even if the thread gets no further.
#[test]
fn who_is_stuck_has_written_before() {
    both_find(&one("int x;", "x = 1;\n__VERIFIER_assume(0);", "assert(x == 0);"), &[Ends, Fails]);
}

#[test]
fn what_is_not_modelled_is_said() {
    let first = "pthread_join(first, 0);";
    model_finds(&one("pthread_t first;", first, "first = pthread_self();\npthread_exit(0);"), &[Unsupported]);
    let destroyed = "pthread_key_create(&k, free);";
    model_finds(&one("pthread_key_t k; void free(void *);", "", destroyed), &[Unsupported]);
    let cancelled = "pthread_cancel(a);\npthread_join(a, 0);";
    model_finds(&one("int x;", "x = 1;", cancelled), &[Unsupported]);
    let within = "void leave(void) { pthread_exit(0); }";
    let body = "__VERIFIER_atomic_begin();\nleave();\n__VERIFIER_atomic_end();";
    model_finds(&one(within, body, "pthread_join(a, 0);"), &[Unsupported]);
}

/// A lock is one edge: nothing but the lock of a global mutex, by its name.
#[test]
fn a_lock_is_one_step_on_a_variable_of_its_own() {
    let source = two(
        "int x; pthread_mutex_t m, n;",
        "",
        "pthread_mutex_lock(&m);\nx++;\npthread_mutex_unlock(&m);\npthread_mutex_lock(&n);",
        "",
    );
    let program = modelled(&read(&source, DataModel::Lp64, Library::Models, &[]));
    let edges = || program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
    assert!(!edges().any(|edge| matches!(edge.action, Action::AtomicBegin | Action::Unsupported(_))));
    let text = crate::program::text::text(&program);
    assert!(!text.contains("<boolero>"), "{text}");
    assert!(text.contains("m.__data.__lock") && text.contains("n.__data.__lock"), "{text}");
    // That mutexes of an array are plain is known, too.
    let body = "pthread_mutex_lock(&m[x]);\npthread_mutex_unlock(&m[x]);";
    let program = modelled(&read(
        &two("int x; pthread_mutex_t m[3];", "x = 2;", body, ""),
        DataModel::Lp64,
        Library::Models,
        &[],
    ));
    let mut edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
    assert!(!edges.any(|edge| matches!(edge.action, Action::Unsupported(_))));
}

/// What machine and model disagree on, in all runs with inputs 0 and 1; nothing if there are too many runs.
fn disagreement(source: &str) -> Option<Option<String>> {
    let module = read(source, DataModel::Lp64, Library::Models, &[]);
    let program = modelled(&module);
    let settings = model_explore::Exploration { numbers: vec![0, 1], states: 100_000 };
    let machine = explore_all(&module, &program)?;
    let explored = model_explore::explore(&Compiled::new(&program), &settings);
    if !explored.complete {
        return None;
    }
    if explored.ends.iter().any(|end| matches!(end, Outcome::Unsupported(..))) {
        return Some(Some("unsupported".to_owned()));
    }
    let wrong = machine
        .into_iter()
        .find(|&(id, violated)| explored.ends.contains(&Outcome::Violated(id)) != violated);
    Some(wrong.map(|(id, violated)| {
        let name = &program.properties[id].id;
        format!(
            "{name}: the machine {} it, the model does not agree",
            if violated { "violates" } else { "keeps" }
        )
    }))
}

/// The smallest program that can be found with a disagreement.
fn shrunk(mut source: Source) -> Source {
    while let Some(smaller) =
        source.smaller().into_iter().find(|smaller| matches!(disagreement(&smaller.text()), Some(Some(_))))
    {
        source = smaller;
    }
    source
}

/// Compares as many programs as the environment says, or a few.
fn compare_generated(few: u64, means: Means) {
    let (mut compared, mut large) = (0, 0);
    for seed in super::programs(few) {
        let source = Source::of(seed, means);
        match disagreement(&source.text()) {
            None => large += 1,
            Some(None) => compared += 1,
            Some(Some(what)) => panic!("seed {seed}: {what}\n{}", shrunk(source).text()),
        }
    }
    eprintln!("{compared} programs agree, {large} are too large");
    assert!(compared > 2 * large, "{compared} compared, {large} too large");
}

#[test]
fn generated_programs_agree() {
    compare_generated(16, Means::Few);
}

#[test]
fn generated_programs_of_many_means_agree() {
    compare_generated(6, Means::Many);
}
