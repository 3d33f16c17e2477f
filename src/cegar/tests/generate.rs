//! Small C programs: a few variables, an array, a pointer, loops, procedures, assertions.
//!
//! Inputs are 0, 1 or 2, so that all runs can be tried out. Loops count, or go on as an input says.

use std::fmt::Write as _;

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// One line.
    Line(String),
    /// A head, and what is in its braces.
    Nested(String, Vec<Statement>),
}

/// A program.
#[derive(Clone, Debug)]
pub struct Source {
    helper: Vec<Statement>,
    main: Vec<Statement>,
}

const HEAD: &str = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int input(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(0 <= x && x <= 2); return x; }
int g = 0, h = 1, a[3];
int *p = &g;
";

/// Numbers from a seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides
    }

    fn pick<'a>(&mut self, some: &[&'a str]) -> &'a str {
        some[self.roll(some.len())]
    }
}

impl Source {
    /// The program of a seed.
    pub fn new(seed: u64) -> Self {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d);
        let mut loops = 0;
        let helper = block(&mut dice, 1, &mut loops, false);
        let main = block(&mut dice, 2, &mut loops, true);
        Self { helper, main }
    }

    /// The program in C.
    pub fn text(&self) -> String {
        let mut out = HEAD.to_owned();
        out.push_str("static int f(int x) {\n    int y = 1;\n");
        self.helper.iter().for_each(|statement| write(&mut out, statement, 1));
        out.push_str("    return x + y;\n}\nint main(void) {\n    int x = 0, y = 2;\n");
        self.main.iter().for_each(|statement| write(&mut out, statement, 1));
        out.push_str("    return 0;\n}\n");
        out
    }

    /// All programs with one statement less, or with a block in place of its statement.
    pub fn smaller(&self) -> Vec<Self> {
        let helpers = fewer(&self.helper).into_iter().map(|helper| Self { helper, main: self.main.clone() });
        let mains = fewer(&self.main).into_iter().map(|main| Self { helper: self.helper.clone(), main });
        mains.chain(helpers).collect()
    }
}

fn write(out: &mut String, statement: &Statement, depth: usize) {
    let indent = "    ".repeat(depth);
    match statement {
        Statement::Line(text) => _ = writeln!(out, "{indent}{text}"),
        Statement::Nested(head, body) => {
            let _ = writeln!(out, "{indent}{head} {{");
            body.iter().for_each(|inner| write(out, inner, depth + 1));
            let _ = writeln!(out, "{indent}}}");
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
        if let Statement::Nested(head, body) = &block[number] {
            all.push(replaced(body.clone()));
            all.extend(
                fewer(body).into_iter().map(|body| replaced(vec![Statement::Nested(head.clone(), body)])),
            );
        }
    }
    all
}

fn block(dice: &mut Dice, depth: usize, loops: &mut usize, calls: bool) -> Vec<Statement> {
    let count = 2 + dice.roll(3);
    (0..count).map(|_| statement(dice, depth, loops, calls)).collect()
}

fn statement(dice: &mut Dice, depth: usize, loops: &mut usize, calls: bool) -> Statement {
    match dice.roll(if depth == 0 { 7 } else { 11 }) {
        0..=2 => Statement::Line(format!("{} = {};", target(dice), value(dice, calls))),
        3 => Statement::Line(format!("p = &{};", dice.pick(&["g", "h", "a[1]"]))),
        4 | 5 => Statement::Line(format!("assert({});", condition(dice))),
        6 => Statement::Line(format!("{} += {};", target(dice), dice.pick(&["1", "-1", "2", "x"]))),
        7 | 8 => Statement::Nested(format!("if ({})", condition(dice)), block(dice, depth - 1, loops, calls)),
        9 => {
            *loops += 1;
            let (name, bound) = (format!("i{loops}"), 1 + dice.roll(3));
            let head = format!("for (int {name} = 0; {name} < {bound}; {name}++)");
            Statement::Nested(head, block(dice, depth - 1, loops, calls))
        }
        _ => {
            *loops += 1;
            let name = format!("i{loops}");
            let head = format!("for (int {name} = input(); {name} > 0; {name}--)");
            Statement::Nested(head, block(dice, depth - 1, loops, calls))
        }
    }
}

fn target(dice: &mut Dice) -> &'static str {
    dice.pick(&["x", "y", "g", "h", "*p", "a[0]", "a[1]", "x", "y", "a[g & 1]"])
}

fn value(dice: &mut Dice, calls: bool) -> String {
    match dice.roll(if calls { 7 } else { 6 }) {
        0 => dice.pick(&["0", "1", "2", "-1"]).to_owned(),
        1 => "input()".to_owned(),
        2 => target(dice).to_owned(),
        3 => format!("{} + {}", target(dice), target(dice)),
        4 => format!("{} - 1", target(dice)),
        5 => format!("{} ? {} : {}", condition(dice), target(dice), dice.pick(&["0", "x", "g"])),
        _ => format!("f({})", target(dice)),
    }
}

fn condition(dice: &mut Dice) -> String {
    let operator = dice.pick(&["==", "!=", "<", "<=", ">", ">="]);
    let right = match dice.roll(3) {
        0 => target(dice),
        _ => dice.pick(&["0", "1", "2", "3", "-1"]),
    };
    format!("{} {operator} {right}", target(dice))
}
