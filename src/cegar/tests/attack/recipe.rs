//! A program with a planted fault, or the same without: what it consists of, and its text.

use super::noise::{kinds, noise};
use super::place::{PLACES, Place, Storage};
use super::plant::{Plant, Wish};
use super::{arithmetic, memory, threads, values};
use crate::ir::undefined::Fault;
use crate::program::generate::Random;
use std::collections::BTreeSet;

/// How a run gets to the fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Path {
    Direct,
    Callee,
    Library,
    Loop,
    Thread,
    Entry,
}

pub(super) const PATHS: [Path; 6] =
    [Path::Direct, Path::Callee, Path::Library, Path::Loop, Path::Thread, Path::Entry];

/// What makes faults of one kind.
pub(super) type Check = (&'static str, fn(&mut Wish) -> Plant);

pub(super) const CHECKS: [Check; 14] = [
    ("division", arithmetic::division),
    ("overflow", arithmetic::overflow),
    ("shift", arithmetic::shift),
    ("null", memory::null),
    ("bounds", memory::bounds),
    ("pointer", memory::pointer),
    ("free", memory::free),
    ("leak", memory::leak),
    ("uninitialised", values::uninitialised),
    ("race", threads::race),
    ("deadlock", threads::deadlock),
    ("lock", threads::lock),
    ("assertion", values::assertion),
    ("unreachable", values::unreachable),
];

/// How many cells the matrix has: check, place, path, with a fault and without.
const CELLS: u64 = 14 * 8 * 6 * 2;

/// Coprime to the number of cells: consecutive seeds get to all of them, far apart.
const STRIDE: u64 = 817;

/// All that a program is made of.
#[derive(Clone, Debug)]
pub(super) struct Recipe {
    pub check: usize,
    pub place: Place,
    pub path: Path,
    /// Whether there is a fault.
    pub faulty: bool,
    /// What the check draws its plant from.
    pub seed: u64,
    /// How the place is written,
    pub style: usize,
    /// and the path.
    pub way: usize,
    /// What decides whether it goes wrong.
    pub trigger: usize,
    /// Whether all of the plant is in the callee, loop or thread, not only the fault.
    pub whole: bool,
    /// Kinds of noise.
    pub noise: Vec<usize>,
    /// Further faults that are looked for.
    pub more: Vec<Fault>,
    pub ilp32: bool,
}

impl Recipe {
    /// The program of a seed.
    pub fn new(seed: u64) -> Self {
        let cell = seed.wrapping_mul(STRIDE) % CELLS;
        let part = |below: u64, size: usize| ((cell / below) % size as u64) as usize;
        let mut random = Random::new(seed);
        let check = part(2, CHECKS.len());
        let path = PATHS[part(28, PATHS.len())];
        let threaded = path == Path::Thread || matches!(CHECKS[check].0, "race" | "deadlock" | "lock");
        let noises = random.below(4);
        let more = match random.below(12) {
            0 | 1 => vec![Fault::Null, Fault::Bounds, Fault::Division],
            2 => Fault::of_one_thread().collect(),
            _ => Vec::new(),
        };
        Self {
            check,
            place: PLACES[part(28 * 6, PLACES.len())],
            path,
            faulty: cell.is_multiple_of(2),
            seed: random.next(),
            style: random.below(6),
            way: random.below(12),
            trigger: random.below(6),
            whole: random.below(3) == 0,
            noise: (0..noises).map(|_| random.below(kinds(threaded))).collect(),
            more,
            ilp32: random.below(3) == 0,
        }
    }

    /// The name of its check.
    pub fn name(&self) -> &'static str {
        CHECKS[self.check].0
    }

    /// The faults that are looked for.
    pub fn checks(&self) -> BTreeSet<Fault> {
        self.plant().fault.into_iter().chain(self.more.iter().copied()).collect()
    }

    /// The function that a run starts with.
    pub fn entry(&self) -> &'static str {
        if self.path == Path::Entry { "start" } else { "main" }
    }

    fn plant(&self) -> Plant {
        let mut random = Random::new(self.seed);
        let library = self.path == Path::Library;
        let zero = self.place.is_zero(self.style);
        CHECKS[self.check].1(&mut Wish { random: &mut random, library, zero })
    }

    /// Smaller programs of the same kind: less noise first, then simpler ways.
    pub fn smaller(&self) -> Vec<Self> {
        let mut all = Vec::new();
        for at in 0..self.noise.len() {
            let mut noise = self.noise.clone();
            noise.remove(at);
            all.push(Self { noise, ..self.clone() });
        }
        let mut simpler = |differs: bool, recipe: Self| {
            if differs {
                all.push(recipe);
            }
        };
        simpler(!self.more.is_empty(), Self { more: Vec::new(), ..self.clone() });
        simpler(self.trigger != 0, Self { trigger: 0, ..self.clone() });
        simpler(self.ilp32, Self { ilp32: false, ..self.clone() });
        simpler(self.way != 0, Self { way: 0, ..self.clone() });
        simpler(self.whole, Self { whole: false, ..self.clone() });
        simpler(self.style != 0, Self { style: 0, ..self.clone() });
        // The library has plants of its own.
        let path = !matches!(self.path, Path::Direct | Path::Library);
        simpler(path, Self { path: Path::Direct, ..self.clone() });
        // So have places of zeros.
        let place = self.name() != "uninitialised" && !matches!(self.place, Place::Global | Place::Stack);
        simpler(place, Self { place: Place::Stack, ..self.clone() });
        simpler(place, Self { place: Place::Global, ..self.clone() });
        all
    }

    /// The arguments that ask `boolero` the same.
    pub fn arguments(&self) -> String {
        let names: Vec<&str> = self.checks().iter().map(|fault| fault.name()).collect();
        let checks = if names.is_empty() { String::new() } else { format!(" --checks {}", names.join(",")) };
        let model = if self.ilp32 { " --32" } else { " --64" };
        let entry = if self.path == Path::Entry { " --entry start" } else { "" };
        format!("--hunt 0{model}{entry}{checks}")
    }

    /// The program.
    pub fn text(&self) -> String {
        let (plant, storage) = (self.plant(), self.place.storage(self.style));
        let truth = if self.faulty { "violated" } else { "holds" };
        let what = format!("{} {:?} {:?}", self.name(), self.place, self.path);
        let Plant { define, top, .. } = &plant;
        let frame = Frame { recipe: self, plant: &plant, storage: &storage };
        let (mut tops, mut statements) = (String::new(), Vec::new());
        for (number, kind) in self.noise.iter().enumerate() {
            let (top, statement) = noise(*kind, number);
            tops += &format!("{top}\n");
            statements.push(statement);
        }
        let mut noise = statements.into_iter();
        let before = noise.next().unwrap_or_default();
        let between = noise.next().unwrap_or_default();
        let after: Vec<String> = noise.collect();
        let (functions, body) = frame.parts(&between);
        let head = match self.path {
            Path::Entry => {
                let ty = ["int", "long", "unsigned char", "short"][self.way % 4];
                format!("int start({ty} in) {{\n")
            }
            _ => "int main(void) {\nint in = __VERIFIER_nondet_int();\n".to_owned(),
        };
        format!(
            "// {truth}: {what}\n// {}\n{INCLUDES}{define}\n{top}\n{}\nint wrong;\nunsigned noise;\n{tops}{}{functions}{head}{before}\n{}\n{body}\n{}\nreturn 0;\n}}\n",
            self.arguments(),
            storage.top,
            self.decide(),
            self.decision(),
            after.join("\n"),
        )
        .replace("\n\n", "\n")
    }

    /// The value of `@W`.
    fn wrong(&self) -> &'static str {
        match (self.trigger, self.faulty) {
            (0, true) => "1",
            (0, false) => "0",
            _ => "wrong",
        }
    }

    /// What makes `wrong` 1 in some run, or in none.
    fn decision(&self) -> String {
        let number = self.seed % 6;
        match (self.trigger, self.faulty) {
            (0, _) => String::new(),
            (1, faulty) => format!("wrong = {};", u8::from(faulty)),
            (2, true) => format!("wrong = in == {number};"),
            (2, false) => format!("wrong = in == {number} && in != {number};"),
            (3, true) => format!("if (in > {number} && in < {} + 2) wrong = 1;", number),
            (3, false) => format!("if (in > {number} && in < {} + 1) wrong = 1;", number),
            (4, true) => "switch (in & 7) { case 3: wrong = 1; break; default: wrong = 0; }".to_owned(),
            (4, false) => "switch (in & 7) { case 9: wrong = 1; break; default: wrong = 0; }".to_owned(),
            _ => "wrong = decide(in);".to_owned(),
        }
    }

    /// The function that decides, if one does.
    fn decide(&self) -> String {
        if self.trigger != 5 {
            return String::new();
        }
        let least = if self.faulty { 0 } else { 1 };
        format!(
            "static int decide(int in) {{ int n = 0; for (int i = 0; i < 3; i++) if (i == in) n++; return n > {least}; }}\n"
        )
    }
}

const INCLUDES: &str = "#include <assert.h>\n#include <ctype.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdlib.h>\n#include <string.h>\n\
    extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";

/// What the text of the path is made of.
struct Frame<'a> {
    recipe: &'a Recipe,
    plant: &'a Plant,
    storage: &'a Storage,
}

impl Frame<'_> {
    /// A piece of the plant, where the object has this name.
    fn piece(&self, text: &str, name: &str) -> String {
        text.replace("@L", name).replace("@W", self.recipe.wrong())
    }

    /// Functions, and the statements of the entry.
    fn parts(&self, between: &str) -> (String, String) {
        let path = self.recipe.path;
        if !self.plant.second.is_empty() {
            return self.two_threads(between);
        }
        if self.recipe.whole && matches!(path, Path::Callee | Path::Loop | Path::Thread) {
            return self.whole(between);
        }
        let (functions, operate) = self.operation();
        (functions, self.around(&format!("{between}\n{operate}")))
    }

    /// The object, what is done with it, its end.
    fn around(&self, operate: &str) -> String {
        let Storage { declare, name, end, .. } = self.storage;
        let prepare = self.piece(&self.plant.prepare, name);
        let finish = self.piece(&self.plant.finish, name);
        format!("{declare}\n{prepare}\n{operate}\n{finish}\n{end}")
    }

    fn here(&self) -> String {
        format!("{{ {} }}", self.piece(&self.plant.operate, &self.storage.name))
    }

    /// The fault alone is in the callee, the loop, the thread.
    fn operation(&self) -> (String, String) {
        let name = &self.storage.name;
        match self.recipe.path {
            Path::Direct | Path::Library | Path::Entry => (String::new(), self.here()),
            Path::Callee => self.callee(&self.plant.operate, "act"),
            Path::Loop => {
                let (count, at) = (2 + self.recipe.way % 4, self.recipe.way % 2);
                let text = match self.recipe.way % 3 {
                    0 => format!(
                        "for (int turn = 0; turn < {count}; turn++) if (turn == {at}) {}",
                        self.here()
                    ),
                    1 => format!(
                        "int turn = {count}; while (turn > 0) {{ turn--; if (turn == {at}) {} }}",
                        self.here()
                    ),
                    _ => format!(
                        "int turn = 0; again: if (turn == {at}) {} turn++; if (turn < {count}) goto again;",
                        self.here()
                    ),
                };
                (String::new(), text)
            }
            Path::Thread => {
                let body = self.piece(&self.plant.operate, "(*p)");
                let functions =
                    format!("static void *work(void *argument) {{ T *p = argument; {body} return 0; }}\n");
                let text = format!("pthread_t t; pthread_create(&t, 0, work, &{name}); pthread_join(t, 0);");
                (functions, text)
            }
        }
    }

    /// A piece in a function of its own, and its call.
    fn callee(&self, piece: &str, act: &str) -> (String, String) {
        let name = &self.storage.name;
        let by_pointer = self.piece(piece, "(*p)");
        let everywhere = self.recipe.place.is_named_everywhere(self.recipe.style);
        let here = self.piece(piece, name);
        let lasting = everywhere && self.plant.finish.is_empty() && self.storage.end.is_empty();
        match self.recipe.way {
            0 => (format!("static void {act}(T *p) {{ {by_pointer} }}\n"), format!("{act}(&{name});")),
            1 if everywhere => {
                (format!("static void {act}(void) {{ {} }}\n", self.piece(piece, name)), format!("{act}();"))
            }
            1 | 2 => (
                format!("static void {act}(T **q) {{ {} }}\n", self.piece(piece, "(**q)")),
                format!("T *{act}_p = &{name}; {act}(&{act}_p);"),
            ),
            3 => (
                format!(
                    "static void {act}(T *p) {{ {by_pointer} }}\nstatic void (*{act}_by)(T *) = {act};\n"
                ),
                format!("{act}_by(&{name});"),
            ),
            4 => (
                format!(
                    "static T *{act}_hook;\nstatic void {act}_in(int n) {{ T *p = {act}_hook; if (n > 1) {{ {by_pointer} }} }}\nstatic void {act}(T *p) {{ {act}_hook = p; {act}_in(2); }}\n"
                ),
                format!("{act}(&{name});"),
            ),
            5 if lasting => (format!("static void {act}(void) {{ {here} }}\n"), format!("atexit({act});")),
            6 if lasting => {
                (format!("__attribute__((destructor)) static void {act}(void) {{ {here} }}\n"), String::new())
            }
            7 if everywhere => (
                format!(
                    "static pthread_once_t {act}_once = PTHREAD_ONCE_INIT;\nstatic void {act}(void) {{ {here} }}\n"
                ),
                format!("pthread_once(&{act}_once, {act}); pthread_once(&{act}_once, {act});"),
            ),
            8 if everywhere => (
                format!("static int {act}(const void *a, const void *b) {{ {here} return 0; }}\n"),
                format!("int {act}_key = 1; bsearch(&{act}_key, &{act}_key, 1, sizeof(int), {act});"),
            ),
            9 => (
                format!(
                    "static void {act}(int n, ...) {{ va_list list; va_start(list, n); T *p = va_arg(list, T *); {by_pointer} va_end(list); }}\n"
                ),
                format!("{act}(1, &{name});"),
            ),
            10 => (
                format!(
                    "struct {act}_pass {{ char n; T *p; }};\nstatic void {act}(struct {act}_pass pass) {{ T *p = pass.p; {by_pointer} }}\n"
                ),
                format!("struct {act}_pass {act}_it = {{ 1, &{name} }}; {act}({act}_it);"),
            ),
            _ => (
                format!(
                    "static void {act}(T *p, int n) {{ if (n > 0) {{ {act}(p, n - 1); return; }} {by_pointer} }}\n"
                ),
                format!("{act}(&{name}, 2);"),
            ),
        }
    }

    /// All of the plant is in the callee, the loop, the thread.
    fn whole(&self, between: &str) -> (String, String) {
        let all = self.around(&self.here());
        match self.recipe.path {
            Path::Callee if self.recipe.trigger == 0 && self.recipe.way.is_multiple_of(3) => (
                format!("__attribute__((constructor)) static void all(void) {{ {all} }}\n"),
                between.to_owned(),
            ),
            Path::Callee => (format!("static void all(void) {{ {all} }}\n"), format!("{between}\nall();")),
            Path::Thread => (
                format!("static void *work(void *unused) {{ {all} return 0; }}\n"),
                format!("{between}\npthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0);"),
            ),
            _ => {
                let count = 1 + self.recipe.way % 4;
                (String::new(), format!("{between}\nfor (int turn = 0; turn < {count}; turn++) {{ {all} }}"))
            }
        }
    }

    /// Two threads work on the object; one of them may be the first.
    fn two_threads(&self, between: &str) -> (String, String) {
        let name = &self.storage.name;
        let way = self.recipe.way;
        let one = |act: &str, piece: &str, called: bool| {
            let body = self.piece(piece, "(*p)");
            match (called, self.recipe.path) {
                (true, Path::Callee) => format!(
                    "static void {act}_in(T *p) {{ {body} }}\nstatic void *{act}(void *argument) {{ {act}_in(argument); return 0; }}\n"
                ),
                (true, Path::Loop) => format!(
                    "static void *{act}(void *argument) {{ T *p = argument; for (int turn = 0; turn < 2; turn++) {{ if (turn == {}) {{ {body} }} }} return 0; }}\n",
                    way % 2
                ),
                _ => format!("static void *{act}(void *argument) {{ T *p = argument; {body} return 0; }}\n"),
            }
        };
        let first = one("first", &self.plant.operate, true);
        let create = |act: &str| format!("pthread_t {act}_t; pthread_create(&{act}_t, 0, {act}, &{name});");
        let join = |act: &str| format!("pthread_join({act}_t, 0);");
        if self.recipe.path == Path::Thread || way.is_multiple_of(2) {
            let functions = first + &one("second", &self.plant.second, way.is_multiple_of(3));
            let text = [create("first"), create("second"), between.to_owned(), join("first"), join("second")]
                .join("\n");
            return (functions, self.around(&text));
        }
        let second = format!("{{ {} }}", self.piece(&self.plant.second, name));
        let text = [create("first"), between.to_owned(), second, join("first")].join("\n");
        (first, self.around(&text))
    }
}
