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

/// A counter of n bits that counts to its end: 2^n iterations, each a small image.
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
        "decl {list};\nvoid main() begin\n  {list} := {zeros};\n  while (!({all})) do\n    {list} := {};\n  od;\n  assert({all});\nend\n",
        increments.join(", ")
    )
}

/// A state machine like those that C front ends write: `procedures` procedures over the same globals, each a long
/// sequence of guarded assignments and jumps, with calls to later procedures. `lines` lines in all, roughly.
pub fn large(lines: usize, globals: usize, seed: u64) -> String {
    let mut random = Random(seed);
    let procedures = (lines / 60).max(1);
    let names: Vec<String> = (0..globals).map(|number| format!("g{number}")).collect();
    let mut text = format!("decl {};\n", names.join(", "));
    for procedure in 0..procedures {
        let name = if procedure == 0 { "main".to_string() } else { format!("p{procedure}") };
        let _ = write!(text, "void {name}() begin\n  decl l0, l1, l2;\n");
        for line in 0..54 {
            let statement = statement(&mut random, &names, procedure, procedures);
            let _ = writeln!(text, "L{line}: {statement}");
        }
        let _ = writeln!(text, "L54: assert(l0 | !l0);\nend");
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

fn statement(random: &mut Random, globals: &[String], procedure: usize, procedures: usize) -> String {
    let variable = |random: &mut Random| match random.below(3) {
        0 => format!("l{}", random.below(3)),
        _ => globals[random.below(globals.len())].clone(),
    };
    let (a, b, c) = (variable(random), variable(random), variable(random));
    match random.below(12) {
        0 | 1 => format!("{a} := schoose[{b}, {c}];"),
        2 | 3 => format!("{a} := {b} & !{c};"),
        4 => format!("{a} := *;"),
        5 | 6 => format!("if ({a} | {b}) then goto L{}; fi;", random.below(55)),
        7 => format!("if (*) then {a} := F; else {b} := T; fi;"),
        8 if procedure + 1 < procedures => {
            let span = (procedures - procedure - 1).min(4);
            format!("p{}();", procedure + 1 + random.below(span))
        }
        9 => format!("goto L{}, L{};", random.below(55), random.below(55)),
        10 => format!("assume({a} | {b} | {c});"),
        _ => "skip;".into(),
    }
}
