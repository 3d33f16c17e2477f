//! Predicates that are written in C are what they say.

use super::parse::parse;
use super::{Predicate, PredicateScope};
use crate::program::generate::Builder;
use crate::program::names::ProgramNames;
use crate::program::{Program, Role};
use crate::term::{Operator, Sort};

/// Globals `g` (32 bits) and `M`, a procedure `main` with `x` (32 bits) and `c` (8 bits), which reads `M[x + 1]`.
fn sample() -> Program {
    let mut builder = Builder::new();
    let g = builder.global("g", Sort::Bits(32));
    let memory = builder.global("M", Sort::Array { index: 32, element: 8 });
    let main = builder.procedure("main");
    let x = builder.local(main, "x", Sort::Bits(32), Role::Plain);
    let c = builder.local(main, "c", Sort::Bits(8), Role::Plain);
    let (x, memory, _) = (builder.read(x), builder.read(memory), builder.read(g));
    builder.read(c);
    let store = &mut builder.program.store;
    let one = store.bits(32, 1);
    let next = store.binary(Operator::Add, x, one);
    let cell = store.select(memory, next);
    let always = store.boolean(true);
    let ends = builder.ends(main);
    builder.block(main, ends, always, vec![(c, cell)], Vec::new());
    builder.program
}

fn texts(line: &str) -> Vec<String> {
    let mut program = sample();
    let found = parse(&mut program, line).unwrap_or_else(|errors| panic!("{line}: {errors:?}"));
    let names = ProgramNames::new(&program);
    found.iter().map(|predicate| names.term(predicate.term)).collect()
}

fn error(line: &str) -> String {
    let errors = parse(&mut sample(), line).expect_err(line);
    errors[0].text.clone()
}

#[test]
fn comparisons_mean_what_they_say() {
    assert_eq!(texts("main: x < 4"), ["x < 4"]);
    assert_eq!(texts("main: !(x >= 4)"), texts("main: x < 4"));
    assert_eq!(texts("main: x + 1 == g * 2"), texts("main: (x + 1) == (2 * g)"));
    assert_eq!(texts("main: x & 3"), texts("main: (x & 3) != 0"));
    assert_eq!(texts("main: c == -1"), texts("main: c + 1 == 0"));
    assert_ne!(texts("main: x < 4u"), texts("main: x < 4"));
}

#[test]
fn connectives_only_separate_atoms() {
    assert_eq!(texts("main: x < 4 && !(g == 0 || x == g)").len(), 3);
    assert_eq!(texts("main: x < 4 || x < 4"), ["x < 4"]);
}

#[test]
fn cells_are_found_by_their_text() {
    assert_eq!(texts("main: M[x+1] == 3").len(), 1);
    assert!(error("main: M[x+2] == 3").contains("is not read here"));
}

#[test]
fn scopes_follow_from_variables() {
    let mut program = sample();
    let found = parse(&mut program, "// a comment\n\nglobal: g == 0\nmain: g == 0\nmain: x == g\n").unwrap();
    let scopes: Vec<PredicateScope> = found.iter().map(|Predicate { scope, .. }| *scope).collect();
    assert_eq!(scopes, [PredicateScope::Global, PredicateScope::Local(program.entry)]);
    assert!(error("global: x == 0").contains("`x` is not read here"));
}

#[test]
fn mistakes_are_told() {
    for (line, part) in [
        ("x == 0", "procedure"),
        ("other: x == 0", "no procedure `other`"),
        ("main: x ==", "too early"),
        ("main: (x == 0", "`(` without `)`"),
        ("main: x == 0)", "`)` without `(`"),
        ("main: x ? 0", "begins nothing"),
        ("main: x 0", "does not belong"),
        ("main: y == 0", "`y`"),
        ("main: 0xg == 0", "no number"),
    ] {
        assert!(error(line).contains(part), "{line}: {}", error(line));
    }
}
