//! Families of Boolean programs of growing size.

use std::fmt::Write;

/// The shape of Bebop's `level` program [BR00]: n procedures, each of which counts to seven on three local
/// variables and calls the next one twice. Every procedure has two entries and few path edges, so the time is
/// linear in n although a run makes 2^n calls.
pub fn level(n: usize) -> String {
    let mut text =
        String::from("decl g;\nvoid main() begin\n  g := F;\n  level1();\n  level1();\n  assert(!g);\nend\n");
    for number in 1..=n {
        let calls =
            if number < n { format!("level{0}();\n  level{0}();", number + 1) } else { "skip;".into() };
        let _ = write!(
            text,
            "void level{number}() begin
  decl a, b, c;
  a, b, c := F, F, F;
  while (!a | !b | !c) do
    if (!a) then a := T;
    elsif (!b) then a, b := F, T;
    else a, b, c := F, F, T;
    fi;
  od;
  {calls}
  g := !g;
end
"
        );
    }
    text
}

/// A counter of n bits, n even, that counts to its end, beside one that counts modulo three: 2^n iterations, each a
/// small image.
pub fn counter(n: usize) -> String {
    let names: Vec<String> = (0..n).map(|bit| format!("b{bit}")).collect();
    let all = names.join(" & ");
    let zeros = vec!["F"; n].join(", ");
    let increments = (0..n).map(|bit| {
        let carry = names[..bit].join(" & ");
        if bit == 0 { "!b0".into() } else { format!("b{bit} ^ ({carry})") }
    });
    let increments: Vec<String> = increments.collect();
    let list = names.join(", ");
    format!(
        "decl m, n, {list};
void main() begin
  m, n, {list} := F, F, {zeros};
  while (!({all})) do
    m, n, {list} := !m & !n, m, {};
  od;
  assert(!m & !n);
end
",
        increments.join(", ")
    )
}

/// Lines of one procedure of [`large`], and procedures of one of its modules.
const LINES: usize = 54;
const PROCEDURES: usize = 4;

/// A random program of roughly this many lines, in the manner of abstractions of C: modules of a few procedures
/// over seven globals of their own, two of which stay different, each procedure a long list of guarded assignments, jumps and calls to later
/// procedures of the module. `main` calls the modules in turn.
pub fn large(lines: usize, seed: u64) -> String {
    let mut random = Random(seed);
    let modules = (lines / (PROCEDURES * (LINES + 4))).max(1);
    let names = |module: usize| (0..5).map(|number| format!("g{module}_{number}")).collect::<Vec<_>>();
    let mut text = String::new();
    for module in 0..modules {
        let _ = writeln!(text, "decl x{module}, y{module}, {};", names(module).join(", "));
    }
    text.push_str("void main() begin\n");
    for module in 0..modules {
        let _ = writeln!(
            text,
            "  x{module}, y{module} := T, F;\n  p{module}_0();\n  assert(x{module} != y{module});"
        );
    }
    text.push_str("end\n");
    for module in 0..modules {
        for procedure in 0..PROCEDURES {
            let _ = writeln!(text, "void p{module}_{procedure}() begin\n  decl l0, l1, l2;");
            for line in 0..LINES {
                let statement = statement(&mut random, &names(module), module, procedure);
                let _ = writeln!(text, "L{line}: {statement}");
            }
            text.push_str("end\n");
        }
    }
    text
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

fn statement(random: &mut Random, globals: &[String], module: usize, procedure: usize) -> String {
    let variable = |random: &mut Random| match random.below(3) {
        0 => format!("l{}", random.below(3)),
        _ => globals[random.below(globals.len())].clone(),
    };
    let (a, b, c) = (variable(random), variable(random), variable(random));
    match random.below(13) {
        0 | 1 => format!("{a} := schoose[{b}, {c}];"),
        2 | 3 => format!("{a} := {b} & !{c};"),
        4 => format!("{a} := *;"),
        5 | 6 => format!("if ({a} | {b}) then goto L{}; fi;", random.below(LINES)),
        7 => format!("if (*) then {a} := F; else {b} := T; fi;"),
        8 if procedure + 1 < PROCEDURES => {
            format!("p{module}_{}();", procedure + 1 + random.below(PROCEDURES - procedure - 1))
        }
        9 => format!("goto L{}, L{};", random.below(LINES), random.below(LINES)),
        10 => format!("assume({a} | {b} | {c});"),
        11 => format!("x{module}, y{module} := {a}, !{a};"),
        _ => "skip;".into(),
    }
}
