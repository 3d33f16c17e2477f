//! Small C programs with threads, and what all their runs come to.
//!
//! One to three threads besides `main` share a few integers, a mutex, and what `main` passes them by value or by pointer;
//! they lock, have atomic sections, branch, count, assume, assert. Inputs are 0 or 1. Whatever is in a program can be
//! dropped without making it undefined: that is how programs shrink.
//!
//! [`explore_all`] is the oracle: the machine, with all schedules and all inputs.

use crate::ground::limits::Limits;
use crate::ir::Module;
use crate::ir::undefined::Fault;
use crate::program::generate::Random;
use crate::program::{Program, PropertyId};
use crate::simulate::replay::violates;
use crate::vm::explore::{Coverage, Exploration, explore_states};
use crate::vm::{self, End, Machine};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A statement: a line, or a block between a head and a tail.
#[derive(Clone, Debug)]
enum Statement {
    Line(String),
    Nested(String, Vec<Statement>, &'static str),
}

/// How the argument of a routine is meant.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Argument {
    Nothing,
    Number,
    Pointer,
}

/// The function of a thread.
#[derive(Clone, Debug)]
struct Routine {
    argument: Argument,
    body: Vec<Statement>,
}

/// What programs are made of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Means {
    /// Variables, a mutex, atomic sections.
    Few,
    /// Besides: atomic operations, some by inline assembly, `trylock`, a recursive mutex, a semaphore, thread-local variables, `pthread_self`, and
    /// threads that end somewhere below their routine.
    Many,
    /// Variables, and counters that threads count themselves in or draw numbers from.
    Counters,
    /// Besides few: a function that calls itself.
    Recursion,
}

/// A program.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    means: Means,
    /// What the function that calls itself does before and after.
    again: [Vec<Statement>; 2],
    routines: Vec<Routine>,
    main: Vec<Statement>,
}

const HEAD: &str = "#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static int input(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(0 <= n && n <= 1); return n; }
int x = 0, y = 1, flag;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void up(int *q) { int old = *q; *q = old + 1; }
static int pair(int n) { int two[2]; two[0] = n; two[1] = 1; return two[0] + two[1]; }
static int last(int n) { static int kept; int old = kept; kept = n; return old; }
";

/// What programs of many means need.
const MANY: &str = r#"#include <semaphore.h>
static _Thread_local int mine = 1;
pthread_mutex_t twice = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
sem_t s;
static void leave(void) { pthread_exit(0); }
static int same(pthread_t t) { return pthread_equal(t, pthread_self()) != 0; }
static int swap(int *p, int v) { __asm__ volatile("xchgl %0,%1" : "+r"(v), "+m"(*p) : : "memory"); return v; }
static int more(int *p, int v) { __asm__ volatile("lock; xaddl %0,%1" : "+r"(v), "+m"(*p) : : "memory"); return v; }
static void torn(int *p) { __asm__ volatile("incl %0" : "+m"(*p)); }
static int less(int *p) {
    unsigned char c;
    __asm__ volatile("lock; decl %0; sete %1" : "+m"(*p), "=qm"(c) : : "memory");
    return c;
}
static int claimed(int *p) {
    int was;
    __asm__ volatile("lock; cmpxchgl %2,%1" : "=a"(was), "+m"(*p) : "r"(1), "0"(0) : "memory");
    return was;
}
"#;

/// What programs with counters need.
const COUNTERS: &str = "static int users;
static unsigned next, serving;
static int add(int by) {
    __VERIFIER_atomic_begin(); users += by; int now = users; __VERIFIER_atomic_end();
    return now;
}
static unsigned draw(void) {
    __VERIFIER_atomic_begin(); unsigned number = next; next++; __VERIFIER_atomic_end();
    return number;
}
static void take(unsigned *number) {
    __VERIFIER_atomic_begin(); *number = next; next = next + 1; __VERIFIER_atomic_end();
}
static int more(void) { return __sync_fetch_and_add(&users, 1); }
";

struct Writer {
    random: Random,
    loops: usize,
    argument: Argument,
    means: Means,
    /// Whether the function that calls itself is written already.
    recursive: bool,
}

impl Source {
    /// The program of a seed, of few means.
    pub fn new(seed: u64) -> Self {
        Self::of(seed, Means::Few)
    }

    /// The program of a seed.
    pub fn of(seed: u64, means: Means) -> Self {
        let random = Random::new(seed);
        let mut writer = Writer { random, loops: 0, argument: Argument::Nothing, means, recursive: false };
        let again = [0; 2].map(|_| match means {
            Means::Recursion => writer.block(1, 1),
            _ => Vec::new(),
        });
        writer.recursive = true;
        let routines: Vec<Routine> = (0..1 + writer.random.below(2)).map(|_| writer.routine()).collect();
        let main = writer.main(&routines);
        Self { means, again, routines, main }
    }

    /// The program in C.
    pub fn text(&self) -> String {
        let mut out = match self.means {
            Means::Few => HEAD.to_owned(),
            Means::Many => format!("#define _GNU_SOURCE\n{HEAD}{MANY}"),
            Means::Counters => format!("{HEAD}{COUNTERS}"),
            Means::Recursion => format!("{HEAD}{}", self.recursive()),
        };
        for (number, routine) in self.routines.iter().enumerate() {
            let argument = match routine.argument {
                Argument::Nothing => "",
                Argument::Number => "    int a = (int)(long)argument;\n",
                Argument::Pointer => "    int *a = argument;\n",
            };
            let _ = write!(out, "void *work{number}(void *argument) {{\n{argument}    int r = 0;\n");
            routine.body.iter().for_each(|statement| tell(&mut out, statement, 1));
            out.push_str("    return 0;\n}\n");
        }
        out.push_str("int main(void) {\n    pthread_t t0 = 0, t1 = 0, t2 = 0;\n    int r = 0, own = 0;\n");
        if self.means == Means::Many {
            out.push_str("    sem_init(&s, 0, 1);\n");
        }
        self.main.iter().for_each(|statement| tell(&mut out, statement, 1));
        out.push_str("    return 0;\n}\n");
        out
    }

    /// The function that calls itself.
    fn recursive(&self) -> String {
        let mut out = "static int again(int n) {\n    int r = n;\n".to_owned();
        let [before, after] = &self.again;
        before.iter().for_each(|statement| tell(&mut out, statement, 1));
        out.push_str("    if (n > 0)\n        r = n - again(n - 1);\n");
        after.iter().for_each(|statement| tell(&mut out, statement, 1));
        out + "    return r;\n}\n"
    }

    /// All programs with one statement less, or with a block in place of its statement.
    pub fn smaller(&self) -> Vec<Self> {
        let mut all: Vec<Self> =
            fewer(&self.main).into_iter().map(|main| Self { main, ..self.clone() }).collect();
        for (number, block) in self.again.iter().enumerate() {
            all.extend(fewer(block).into_iter().map(|block| {
                let mut smaller = self.clone();
                smaller.again[number] = block;
                smaller
            }));
        }
        for (number, routine) in self.routines.iter().enumerate() {
            all.extend(fewer(&routine.body).into_iter().map(|body| {
                let mut smaller = self.clone();
                smaller.routines[number].body = body;
                smaller
            }));
        }
        all
    }
}

fn tell(out: &mut String, statement: &Statement, depth: usize) {
    let indent = "    ".repeat(depth);
    match statement {
        Statement::Line(text) => _ = writeln!(out, "{indent}{text}"),
        Statement::Nested(head, body, tail) => {
            let _ = writeln!(out, "{indent}{head}");
            body.iter().for_each(|inner| tell(out, inner, depth + 1));
            let _ = writeln!(out, "{indent}{tail}");
        }
    }
}

fn fewer(block: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for number in 0..block.len() {
        let replaced = |with: Vec<Statement>| {
            let mut copy = block.to_vec();
            copy.splice(number..=number, with);
            copy
        };
        all.push(replaced(Vec::new()));
        if let Statement::Nested(head, body, tail) = &block[number] {
            all.push(replaced(body.clone()));
            let nested = |body| Statement::Nested(head.clone(), body, tail);
            all.extend(fewer(body).into_iter().map(|body| replaced(vec![nested(body)])));
        }
    }
    all
}

impl Writer {
    fn pick<'a>(&mut self, some: &[&'a str]) -> &'a str {
        some[self.random.below(some.len())]
    }

    fn routine(&mut self) -> Routine {
        self.argument = [Argument::Nothing, Argument::Number, Argument::Pointer][self.random.below(3)];
        let count = 2 + self.random.below(2);
        let body = self.block(count, 1);
        Routine { argument: self.argument, body }
    }

    fn main(&mut self, routines: &[Routine]) -> Vec<Statement> {
        self.argument = Argument::Nothing;
        let mut main = Vec::new();
        let threads = [1, 2, 2, 2, 2, 3][self.random.below(6)];
        for number in 0..threads {
            let routine = self.random.below(routines.len());
            let argument = match routines[routine].argument {
                Argument::Nothing => "0",
                Argument::Number => self.pick(&["(void *)0", "(void *)1", "(void *)(long)own"]),
                Argument::Pointer => self.pick(&["&x", "&y", "&own"]),
            };
            main.push(Statement::Line(format!("pthread_create(&t{number}, 0, work{routine}, {argument});")));
        }
        let count = self.random.below(2);
        main.extend(self.block(count, 1));
        for number in (0..threads).filter(|_| self.random.below(4) > 0).collect::<Vec<_>>() {
            main.push(Statement::Line(format!("pthread_join(t{number}, 0);")));
        }
        main.push(Statement::Line(format!("assert({});", self.condition())));
        main
    }

    fn block(&mut self, count: usize, depth: usize) -> Vec<Statement> {
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Statement {
        if self.means == Means::Many && self.random.below(3) == 0 {
            return self.further_statement(depth);
        }
        if self.means == Means::Counters && self.random.below(2) == 0 {
            return self.counting_statement(depth);
        }
        if self.means == Means::Recursion && self.recursive && self.random.below(3) == 0 {
            return Statement::Line(
                self.pick(&["r = again(1);", "r = again(2);", "again(input());"]).to_owned(),
            );
        }
        match self.random.below(if depth == 0 { 8 } else { 12 }) {
            0 | 1 => Statement::Line(format!("{} = {};", self.shared(), self.value())),
            2 | 3 => Statement::Line(format!("r = {};", self.value())),
            4 => Statement::Line(format!("{}++;", self.shared())),
            5 => Statement::Line(format!("up({});", self.address())),
            6 => Statement::Line(format!("assert({});", self.condition())),
            7 => Statement::Line(format!("__VERIFIER_assume({});", self.condition())),
            8 => {
                let head = format!("if ({}) {{", self.condition());
                self.nested(head, "}")
            }
            9 => self.nested("pthread_mutex_lock(&m);".to_owned(), "pthread_mutex_unlock(&m);"),
            10 => self.nested("__VERIFIER_atomic_begin();".to_owned(), "__VERIFIER_atomic_end();"),
            _ => {
                self.loops += 1;
                let head = format!("for (int i{0} = 0; i{0} < 2; i{0}++) {{", self.loops);
                let body = self.block(1, 0);
                Statement::Nested(head, body, "}")
            }
        }
    }

    /// A statement that only programs of many means have.
    fn further_statement(&mut self, depth: usize) -> Statement {
        match self.random.below(if depth == 0 { 7 } else { 11 }) {
            0 => Statement::Line(format!("__sync_fetch_and_add({}, 1);", self.address())),
            1 => Statement::Line(format!("r = __sync_val_compare_and_swap({}, 0, 1);", self.address())),
            2 => Statement::Line(format!("mine = mine + {};", self.source())),
            3 => Statement::Line("r = mine;".to_owned()),
            4 => Statement::Line(format!("assert(mine {} 1);", self.pick(&["==", ">=", "!="]))),
            5 => Statement::Line("r = same(pthread_self());".to_owned()),
            6 => self.assembly(),
            7 => Statement::Line(format!("if ({}) leave();", self.condition())),
            8 => {
                self.nested("if (pthread_mutex_trylock(&m) == 0) {".to_owned(), "pthread_mutex_unlock(&m); }")
            }
            9 => self.nested("sem_wait(&s);".to_owned(), "sem_post(&s);"),
            _ => self.nested(
                "pthread_mutex_lock(&twice); pthread_mutex_lock(&twice);".to_owned(),
                "pthread_mutex_unlock(&twice); pthread_mutex_unlock(&twice);",
            ),
        }
    }

    /// An operation by inline assembly.
    fn assembly(&mut self) -> Statement {
        let address = self.address();
        Statement::Line(match self.random.below(5) {
            0 => format!("r = swap({address}, {});", self.value()),
            1 => format!("r = more({address}, 1);"),
            2 => format!("torn({address});"),
            3 => format!("if (less({address})) {} = 1;", self.shared()),
            _ => format!("r = claimed({address});"),
        })
    }

    /// A statement that only programs with counters have.
    fn counting_statement(&mut self, depth: usize) -> Statement {
        match self.random.below(if depth == 0 { 8 } else { 14 }) {
            0 => Statement::Line(self.pick(&["add(1);", "r = add(1);", "r = more();"]).to_owned()),
            1 => Statement::Line(self.pick(&["add(-1);", "r = add(-1);"]).to_owned()),
            2 => Statement::Line("r = (int)draw();".to_owned()),
            3 => Statement::Line("__VERIFIER_assume(serving == (unsigned)r);".to_owned()),
            4 => Statement::Line(self.pick(&["serving++;", "serving = 1;", "users = 0;"]).to_owned()),
            5 => Statement::Line(format!("if (users == {}) {} = 1;", self.pick(&["0", "1"]), self.shared())),
            6 | 7 => Statement::Line(
                self.pick(&[
                    "assert(users >= 0);",
                    "assert(users <= 2);",
                    "assert(next >= serving);",
                    "assert(serving <= 1);",
                    "assert(users != 3);",
                ])
                .to_owned(),
            ),
            8 | 9 => self.nested("add(1);".to_owned(), "add(-1);"),
            10 => self.nested("if (add(1) > 1) {".to_owned(), "} if (add(-1) == 0) flag = 1;"),
            11 => {
                let head = "{ unsigned mine = draw(); __VERIFIER_assume(serving == mine);".to_owned();
                self.nested(head, "serving++; }")
            }
            _ => {
                let head = "{ unsigned mine; take(&mine); while (serving != mine) __VERIFIER_assume(serving == mine);";
                self.nested(head.to_owned(), "serving = mine + 1; }")
            }
        }
    }

    fn nested(&mut self, head: String, tail: &'static str) -> Statement {
        let count = 1 + self.random.below(2);
        Statement::Nested(head, self.block(count, 0), tail)
    }

    /// Something to write to that others see, mostly.
    fn shared(&mut self) -> &'static str {
        match self.argument {
            Argument::Pointer => self.pick(&["x", "y", "flag", "(*a)", "(*a)"]),
            _ => self.pick(&["x", "y", "flag", "x"]),
        }
    }

    fn address(&mut self) -> &'static str {
        match self.argument {
            Argument::Pointer => self.pick(&["&x", "a", "&r"]),
            _ => self.pick(&["&x", "&y", "&r"]),
        }
    }

    /// Something to read.
    fn source(&mut self) -> &'static str {
        match self.argument {
            Argument::Nothing => self.pick(&["x", "y", "flag", "r"]),
            Argument::Number => self.pick(&["x", "y", "a", "r"]),
            Argument::Pointer => self.pick(&["x", "y", "(*a)", "r"]),
        }
    }

    fn value(&mut self) -> String {
        match self.random.below(9) {
            0 | 1 => self.pick(&["0", "1", "2"]).to_owned(),
            2 => "input()".to_owned(),
            3 | 4 => self.source().to_owned(),
            5 => format!("{} + 1", self.source()),
            6 => format!("pair({})", self.source()),
            7 => format!("last({})", self.source()),
            _ => format!("{} ? {} : 0", self.condition(), self.source()),
        }
    }

    fn condition(&mut self) -> String {
        let operator = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let right = match self.random.below(4) {
            0 => self.source(),
            _ => self.pick(&["0", "1", "2"]),
        };
        format!("{} {operator} {right}", self.source())
    }
}

/// So many runs of the machine, from no state twice.
const RUNS: usize = 20_000;

/// Which properties some run violates, among all runs; nothing if there are too many of them.
pub(crate) fn explore_all(module: &Module, program: &Program) -> Option<BTreeMap<PropertyId, bool>> {
    explore_all_with(module, program, &[])
}

/// The same, where some faults are checked.
pub(crate) fn explore_all_with(
    module: &Module,
    program: &Program,
    checks: &[Fault],
) -> Option<BTreeMap<PropertyId, bool>> {
    let settings = Exploration { numbers: vec![0, 1], runs: RUNS, choices: 400 };
    let checks = checks.iter().copied().collect();
    let mut machine = Machine::new(module, vm::Settings { steps: 20_000, checks, ..vm::Settings::default() });
    let explored = explore_states(&mut machine, &settings, &Limits::none());
    let strange = |end: &End| matches!(end, End::Unsupported(_) | End::Stopped(_) | End::Choices(_));
    assert!(!explored.ends.iter().any(|found| strange(&found.outcome.end)), "{:?}", explored.ends);
    let violated = |id: PropertyId| explored.ends.iter().any(|found| violates(program, id, &found.outcome));
    (explored.coverage == Coverage::Complete)
        .then(|| program.properties.ids().map(|id| (id, violated(id))).collect())
}
