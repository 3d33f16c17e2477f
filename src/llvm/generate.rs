//! Generates small C programs without undefined behaviour, for comparisons with compiled code.
//!
//! A program has variables of all widths, arrays, structs with bit-fields, a union, pointers to all of them, functions
//! that call earlier ones and themselves, loops with bounds, inputs, and assertions of which some fail. Whatever could
//! be undefined is avoided in the text itself: sums are computed without sign, divisors are tried first, shifts are
//! masked, indices are taken modulo the length. A global amount of fuel ends every loop and every recursion.
//!
//! All variables are declared ahead of statements, so that any statement can be dropped: that is how programs shrink.

mod expressions;
mod idioms;
mod statements;

use crate::program::generate::Random;
use std::collections::BTreeMap;

/// A type of C, and the name of its input function.
pub(crate) struct Scalar {
    pub name: &'static str,
    pub input: &'static str,
    /// Its operands are promoted or have no sign: sums cannot overflow.
    pub wraps: bool,
}

const fn scalar(name: &'static str, input: &'static str, wraps: bool) -> Scalar {
    Scalar { name, input, wraps }
}

/// All types. `unsigned long long` has no input here: that one is asked for the checksum.
pub(crate) const SCALARS: [Scalar; 10] = [
    scalar("signed char", "char", true),
    scalar("unsigned char", "uchar", true),
    scalar("short", "short", true),
    scalar("unsigned short", "ushort", true),
    scalar("int", "int", false),
    scalar("unsigned", "uint", true),
    scalar("long", "long", false),
    scalar("unsigned long", "ulong", true),
    scalar("long long", "longlong", false),
    scalar("unsigned long long", "", true),
];

/// A statement, with those that it consists of between its head and its tail.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statement {
    pub head: String,
    pub body: Vec<Statement>,
    pub tail: &'static str,
}

/// A function.
#[derive(Clone, Debug)]
struct Function {
    head: String,
    body: Vec<Statement>,
    tail: String,
}

/// A program and its inputs.
#[derive(Clone, Debug)]
pub(crate) struct Generated {
    declarations: String,
    functions: Vec<Function>,
    /// What stands at the end.
    epilogue: &'static str,
    /// What each input function returns, in order.
    pub inputs: BTreeMap<String, Vec<u64>>,
}

impl Generated {
    /// The program with this number.
    pub fn new(seed: u64) -> Self {
        Self::written(seed, false)
    }

    /// The same in the C that kernels and their drivers are written in.
    pub fn of_kernels(seed: u64) -> Self {
        Self::written(seed, true)
    }

    fn written(seed: u64, of_kernels: bool) -> Self {
        let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9) ^ 0xc0de);
        let mut inputs = BTreeMap::new();
        for scalar in SCALARS.iter().filter(|scalar| !scalar.input.is_empty()) {
            let list = (0..1 + random.below(7)).map(|_| number(&mut random)).collect();
            inputs.insert(scalar.input.to_owned(), list);
        }
        let mut writer = Writer::new(random);
        let mut declarations = writer.globals();
        if of_kernels {
            declarations += &writer.idioms();
        }
        let count = 1 + writer.random.below(3);
        let mut functions: Vec<Function> = (0..count).map(|_| writer.function()).collect();
        functions.push(writer.main());
        Self { declarations, functions, epilogue: if of_kernels { idioms::EPILOGUE } else { "" }, inputs }
    }

    /// Its text.
    pub fn text(&self) -> String {
        let mut text = format!("{}{}", self.prologue(), self.declarations);
        for function in &self.functions {
            text += &function.head;
            function.body.iter().for_each(|statement| write(statement, 1, &mut text));
            text += &function.tail;
        }
        text + self.epilogue
    }

    /// The program without its statement of this number; nothing if there are not so many.
    pub fn without(&self, number: usize) -> Option<Self> {
        let mut smaller = self.clone();
        let mut left = number;
        let dropped = smaller.functions.iter_mut().any(|function| drop_from(&mut function.body, &mut left));
        dropped.then_some(smaller)
    }

    /// Where assertions, inputs and the checksum go: to the standard output of the compiled program, or to Boolero.
    fn prologue(&self) -> String {
        let mut native = String::new();
        let mut declared = String::new();
        for scalar in SCALARS.iter().filter(|scalar| !scalar.input.is_empty()) {
            let (ty, name) = (scalar.name, scalar.input);
            let list: Vec<String> = self.inputs[name].iter().map(|number| format!("{number}ull")).collect();
            native += &format!(
                "{ty} __VERIFIER_nondet_{name}(void) {{ static unsigned at; static unsigned long long list[] = {{{}}}; \
                 return ({ty})list[at++ % {}]; }}\n",
                list.join(", "),
                list.len()
            );
            declared += &format!("extern {ty} __VERIFIER_nondet_{name}(void);\n");
        }
        format!(
            "#include <string.h>\n#include <stdlib.h>\n#ifdef NATIVE\n{NATIVE}{native}#else\n{BOOLERO}{declared}#endif\n"
        )
    }
}

const NATIVE: &str = "#include <stdio.h>\n\
    static void fail(int line) { printf(\"failed %d\\n\", line); exit(0); }\n\
    static void finish(unsigned long long sum) { printf(\"checksum %llu\\n\", sum); }\n\
    #define CHECK(claim) ((claim) ? (void)0 : fail(__LINE__))\n";

const BOOLERO: &str = "extern unsigned long long __VERIFIER_nondet_ulonglong(void);\nextern void reach_error(void);\n\
    extern void __assert_fail(const char *, const char *, unsigned, const char *);\n\
    static void finish(unsigned long long sum) { if (sum != __VERIFIER_nondet_ulonglong()) reach_error(); }\n\
    #define CHECK(claim) ((claim) ? (void)0 : __assert_fail(\"\", \"\", __LINE__, \"\"))\n";

/// Statements nest a few levels deep only.
fn write(statement: &Statement, level: usize, text: &mut String) {
    *text += &format!("{}{}\n", "    ".repeat(level), statement.head);
    statement.body.iter().for_each(|inner| write(inner, level + 1, text));
    if !statement.tail.is_empty() {
        *text += &format!("{}{}\n", "    ".repeat(level), statement.tail);
    }
}

fn drop_from(body: &mut Vec<Statement>, left: &mut usize) -> bool {
    for position in 0..body.len() {
        if *left == 0 {
            body.remove(position);
            return true;
        }
        *left -= 1;
        if drop_from(&mut body[position].body, left) {
            return true;
        }
    }
    false
}

/// Small numbers, numbers near the ends of types, and any.
fn number(random: &mut Random) -> u64 {
    let small = random.below(20) as u64;
    match random.below(5) {
        0 => small,
        1 => small.wrapping_neg(),
        2 => (1u64 << (7 + 8 * random.below(8))).wrapping_sub(10).wrapping_add(small),
        _ => random.next(),
    }
}

/// Something that can be assigned, and the number of its type.
#[derive(Clone, Debug)]
struct Place {
    text: String,
    ty: usize,
    /// Whether its address can be taken.
    addressable: bool,
}

/// What a function is called with, besides its depth.
#[derive(Clone, Copy, Debug)]
struct Signature {
    parameters: [usize; 2],
    structure: Passing,
}

/// How a function gets a struct. Those that call themselves get its address: by value is not modelled there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Passing {
    ByValue,
    ByAddress,
}

/// Writes a program.
struct Writer {
    random: Random,
    globals: Vec<Place>,
    /// What can be assigned in the function at hand.
    places: Vec<Place>,
    /// Numbers of the types that have a pointer variable.
    pointers: Vec<usize>,
    /// The functions so far.
    functions: Vec<Signature>,
    /// How many loops are open.
    loops: usize,
    /// Whether there are the idioms of kernels.
    idiomatic: bool,
}

/// Types with an array and a pointer of their own, and the length of the array.
const ARRAYS: [(usize, usize); 4] = [(1, 5), (2, 3), (4, 4), (9, 3)];

impl Writer {
    fn new(random: Random) -> Self {
        Self {
            random,
            globals: Vec::new(),
            places: Vec::new(),
            pointers: Vec::new(),
            functions: Vec::new(),
            loops: 0,
            idiomatic: false,
        }
    }

    fn one<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.random.below(list.len())].clone()
    }

    fn place(&mut self, text: String, ty: usize, addressable: bool) {
        self.globals.push(Place { text, ty, addressable });
    }

    /// Declarations of everything that is global.
    fn globals(&mut self) -> String {
        let mut text = "static int fuel = 1500;\nstatic unsigned long long sum;\n".to_owned();
        let members: Vec<usize> = (0..4).map(|_| self.random.below(SCALARS.len())).collect();
        let width = 1 + self.random.below(31);
        text += "struct S {";
        for (number, &ty) in members.iter().enumerate() {
            text += &format!(" {} m{number};", SCALARS[ty].name);
        }
        text += &format!(" int b0 : {width}; unsigned b1 : {}; short a[3]; }};\n", 1 + self.random.below(31));
        text += "static struct S s0, s1 = {1, 2, 3, 4, 0, 1, {7, 8, 9}}, *ps = &s0;\n";
        text += "static union { unsigned w; unsigned char b[4]; unsigned short h[2]; } u;\n";
        for base in ["s0.", "s1.", "ps->"] {
            for (number, &ty) in members.iter().enumerate() {
                self.place(format!("{base}m{number}"), ty, true);
            }
            self.place(format!("{base}b0"), 4, false);
            self.place(format!("{base}b1"), 5, false);
            let element = self.random.below(3);
            self.place(format!("{base}a[{element}]"), 2, true);
        }
        for (place, ty) in [("u.w", 5), ("u.b[1]", 1), ("u.h[1]", 3)] {
            self.place(place.into(), ty, true);
        }
        for (ty, scalar) in SCALARS.iter().enumerate() {
            let value = number(&mut self.random);
            text += &format!("static {0} g{ty} = ({0}){value}ull;\n", scalar.name);
            self.place(format!("g{ty}"), ty, true);
        }
        for (ty, length) in ARRAYS {
            let name = SCALARS[ty].name;
            text +=
                &format!("static {name} a{ty}[{length}] = {{1, 2, 3}};\nstatic {name} *p{ty} = &g{ty};\n");
            let element = self.random.below(length);
            self.place(format!("a{ty}[{element}]"), ty, true);
            self.place(format!("*p{ty}"), ty, true);
            self.pointers.push(ty);
        }
        text
    }

    /// Declarations that every function has; its variables are assignable from here on.
    fn locals(&mut self) -> String {
        let mut text =
            "    unsigned i0 = 0, i1 = 0, i2 = 0;\n    int d = 1;\n    long long e = 1;\n".to_owned();
        text += "    struct S ls = s1;\n    unsigned short la[3] = {1, 2, 3};\n    (void)i0, (void)i1, (void)i2, (void)e;\n";
        for number in 0..3 + self.random.below(3) {
            let ty = self.random.below(SCALARS.len());
            let value = self.random.below(200);
            text += &format!("    {} l{number} = {value};\n", SCALARS[ty].name);
            self.places.push(Place { text: format!("l{number}"), ty, addressable: true });
        }
        self.places.push(Place { text: "ls.a[1]".into(), ty: 2, addressable: true });
        self.places.push(Place { text: "ls.b0".into(), ty: 4, addressable: false });
        self.places.push(Place { text: "la[2]".into(), ty: 3, addressable: true });
        text
    }

    fn function(&mut self) -> Function {
        let (number, result) = (self.functions.len(), self.random.below(SCALARS.len()));
        let parameters = [self.random.below(SCALARS.len()), self.random.below(SCALARS.len())];
        self.places = self.globals.clone();
        for (at, &ty) in parameters.iter().enumerate() {
            self.places.push(Place { text: format!("x{at}"), ty, addressable: true });
        }
        self.places.push(Place { text: "*q".into(), ty: 4, addressable: true });
        self.places.push(Place { text: "v.a[0]".into(), ty: 2, addressable: true });
        let [first, second] = parameters.map(|ty| SCALARS[ty].name);
        let structure = self.one(&[Passing::ByValue, Passing::ByAddress]);
        let (last, own) = match structure {
            Passing::ByValue => ("struct S v", ""),
            Passing::ByAddress => ("const struct S *w", "    struct S v = *w;\n"),
        };
        let mut head = format!(
            "static {} f{number}(int depth, {first} x0, {second} x1, int *q, {last}) {{\n{own}    if (fuel-- <= 0) return 1;\n",
            SCALARS[result].name
        );
        head += &self.locals();
        if structure == Passing::ByAddress {
            // From here on it can be called, by itself, too.
            self.functions.push(Signature { parameters, structure });
        }
        let body = self.block(3, 7);
        let tail = format!("    return {};\n}}\n", self.expression(result, 2));
        if structure == Passing::ByValue {
            self.functions.push(Signature { parameters, structure });
        }
        Function { head, body, tail }
    }

    fn main(&mut self) -> Function {
        self.places = self.globals.clone();
        // `main` calls the others, never itself.
        let head = format!(
            "int main(void) {{\n    int depth = 0, *q = &g4;\n    struct S v = s1;\n{}",
            self.locals()
        );
        let body = self.block(3, 14);
        let mut tail = String::new();
        for place in self.places.clone() {
            tail += &format!("    sum = sum * 31 + (unsigned long long)({});\n", place.text);
        }
        Function {
            head,
            body,
            tail: tail + "    finish(sum);\n    return (void)depth, (void)q, (void)d, 0;\n}\n",
        }
    }
}
