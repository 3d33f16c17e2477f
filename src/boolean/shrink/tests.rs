//! Shrinking ends in small programs that still fail.

use super::*;
use crate::boolean::ast::StatementKind;
use crate::boolean::generate::{Shape, generate};
use crate::boolean::parse::parse;
use crate::boolean::print::print;
use crate::ground::source::SourceFile;

fn parsed(text: &str) -> Program {
    parse(&SourceFile::new("test.bp", text)).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn same(program: &Program, text: &str) {
    assert_eq!(print(program), print(&parsed(text)));
}

#[test]
fn everything_goes_if_everything_fails() {
    for seed in 0..20 {
        let empty = shrink(&generate(seed, &Shape::broadcast()), |_| true);
        assert_eq!(empty, Program::default());
    }
}

#[test]
fn what_matters_stays() {
    let program = parsed(
        "decl a := T, b; decl c; void f(x, y) begin if (x & (y | !a)) then assert(a); fi end
         void main() begin decl l; l := a; f(l, b); while (c) do c := !c; od end",
    );
    let asserts = |program: &Program| print(program).contains("assert");
    same(&shrink(&program, asserts), "void f() begin assert(T); end");
    let calls = |program: &Program| print(program).contains("f(") && print(program).contains("main()");
    same(&shrink(&program, calls), "void f() begin end void main() begin end");
    let negations = |program: &Program| print(program).contains('!');
    same(&shrink(&program, negations), "void main() begin c := !T; end");
}

/// How large a program is: a skip is less than another statement, a constant less than a variable.
fn weight(program: &Program) -> usize {
    let text = format!("{program:?}");
    let count = |word: &str| text.matches(word).count();
    let parts = [
        "Procedure {",
        "Declaration {",
        "Block {",
        "Name {",
        "Constant(",
        "Variable(",
        "Not",
        "Binary(",
        "Schoose",
    ];
    let parts: usize = parts.iter().map(|part| count(part)).sum();
    parts + 2 * count("Choice") + 2 * count("Statement {") - count("kind: Skip")
}

#[test]
fn reductions_are_smaller() {
    for seed in 0..20 {
        let program = generate(seed, &Shape::threaded());
        assert!(reductions(&program).iter().all(|smaller| weight(smaller) < weight(&program)));
    }
}

#[test]
fn parameters_go_with_their_arguments() {
    let program =
        parsed("void f(x, y) begin assert(y); end void main() begin f(T, F); start_thread f(F, T); end");
    let fitting = |program: &Program| {
        let Some(f) = program.procedures.iter().find(|procedure| &*procedure.name.text == "f") else {
            return false;
        };
        let Some(main) = program.procedures.iter().find(|procedure| &*procedure.name.text == "main") else {
            return false;
        };
        main.body.statements.len() == 2
            && main.body.statements.iter().all(|statement| match &statement.kind {
                StatementKind::Call { arguments, .. } | StatementKind::StartThread { arguments, .. } => {
                    arguments.len() == f.parameters.len()
                }
                _ => false,
            })
    };
    same(&shrink(&program, fitting), "void f() begin end void main() begin f(); start_thread f(); end");
}
