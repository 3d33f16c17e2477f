//! Tests of name resolution and of the control-flow graphs.

use super::super::cfg_text::cfg_text;
use super::super::dot::dot;
use super::super::parse::parse;
use super::{CheckOptions, check};
use crate::boolean::cfg::{Origin, Program};
use crate::ground::diagnostic::Diagnostic;
use crate::ground::source::SourceFile;

fn run(text: &str, options: &CheckOptions) -> Result<(Program, String), String> {
    let file = SourceFile::new("test.bp", text);
    let program = parse(&file).expect("the test is about what comes after parsing");
    match check(&program, options) {
        Ok((program, warnings)) => Ok((program, render(&file, &warnings))),
        Err(errors) => Err(render(&file, &errors)),
    }
}

fn render(file: &SourceFile, diagnostics: &[Diagnostic]) -> String {
    let line = |diagnostic: &Diagnostic| {
        let place = file.position(diagnostic.primary.span.start);
        let help = diagnostic.help.as_ref().map(|help| format!(" | {help}")).unwrap_or_default();
        let further: String = diagnostic
            .secondary
            .iter()
            .map(|label| format!(" ({}: {})", file.line(label.span.start), label.text))
            .collect();
        format!("{}:{}: {}{help}{further}", place.line, place.column, diagnostic.message)
    };
    diagnostics.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn errors(text: &str) -> String {
    run(text, &CheckOptions::default()).expect_err(text)
}

fn graph(text: &str) -> Program {
    run(text, &CheckOptions::default()).unwrap_or_else(|errors| panic!("{text}\n{errors}")).0
}

/// The dump without the blanks that align it.
fn dump(text: &str) -> Vec<String> {
    let text = cfg_text(&graph(text));
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

fn main(body: &str) -> String {
    format!(
        "decl g, count; bool<2> pair(a) begin decl l; return a, l; end void main() begin decl x, y;\n{body}\nend"
    )
}

#[test]
fn semantic_errors_in_statements() {
    for (body, expected) in [
        ("z := T;", "2:1: undeclared variable `z` | declare it: `decl z;`"),
        (
            "cuont := T;",
            "2:1: undeclared variable `cuont` | did you mean `count`? (1: `count` is declared here)",
        ),
        ("elephant := T;", "2:1: undeclared variable `elephant` | declare it: `decl elephant;`"),
        (
            "x := pair;",
            "2:6: undeclared variable `pair` | `pair` is a procedure; a call is written `x := pair(…);`",
        ),
        ("zebra := zebra; zebra := T;", "2:1: undeclared variable `zebra` | declare it: `decl zebra;`"),
        ("x, y := T;", "2:1: 2 variables but 1 value"),
        (
            "x, x := T, F;",
            "2:4: `x` is assigned twice in one statement | the assignments of one statement happen at the same time (2: first assigned here)",
        ),
        (
            "dead x, x;",
            "2:9: `x` is assigned twice in one statement | the assignments of one statement happen at the same time (2: first assigned here)",
        ),
        (
            "x, x := pair(T);",
            "2:4: `x` is assigned twice in one statement | the assignments of one statement happen at the same time (2: first assigned here)",
        ),
        (
            "x := 'y;",
            "2:7: the next value `'y` outside of a constraint | `'v` may only stand in the `constrain` clause of an assignment: `v := * constrain 'v => v;`",
        ),
        (
            "assume(x' = x);",
            "2:8: the next value `'x` outside of a constraint | `'v` may only stand in the `constrain` clause of an assignment: `v := * constrain 'v => v;`",
        ),
        (
            "x := g$;",
            "2:6: `g` has no passive copy | `g` is shared by all threads; it has no passive copy (1: declared here, outside of procedures)",
        ),
        (
            "g$ := T;",
            "2:1: `g` has no passive copy | `g` is shared by all threads; it has no passive copy (1: declared here, outside of procedures)",
        ),
        (
            "pair(x$);",
            "2:6: `x$` in an argument | `v$` may stand in assignments, conditions, `assume` and `assert`",
        ),
        ("x$, y := pair(x);", "2:1: `x$` cannot take the result of a call | assign it in a second statement"),
        ("piar(x);", "2:1: unknown procedure `piar` | did you mean `pair`? (1: `pair` is defined here)"),
        ("x();", "2:1: unknown procedure `x` | `x` is a variable; it cannot be called"),
        (
            "start_thread nothing();",
            "2:14: unknown procedure `nothing` | define it: `void nothing() begin … end`",
        ),
        ("pair();", "2:1: `pair` takes 1 argument, but 0 are given (1: defined here)"),
        (
            "x := pair(y);",
            "2:1: `pair` returns 2 values, but 1 is taken | write `_` for a value that is not needed (1: defined here)",
        ),
        ("x := main();", "2:1: `main` returns nothing, but 1 is taken (1: defined here)"),
        (
            "return x;",
            "2:1: `main` returns no values, not 1 | a procedure that returns one value is declared `bool main(…)` (1: declared to return no values)",
        ),
        ("goto loup; loop: skip;", "2:6: unknown label `loup` | did you mean `loop`? (2: `loop` is here)"),
        ("goto there;", "2:6: unknown label `there` | labels are known only in their own procedure"),
        (
            "start_thread pair;",
            "2:14: unknown label `pair` | `pair` is a procedure; write `start_thread pair();` to run it in a thread",
        ),
        (
            "l: skip; l: skip;",
            "2:10: the label `l` is defined twice | a label stands at one statement of its procedure (2: first defined here)",
        ),
        (
            "if (zebra) then skip; elsif (zebra) then skip; fi",
            "2:5: undeclared variable `zebra` | declare it: `decl zebra;`",
        ),
        (
            "while ('x) do skip; od",
            "2:9: the next value `'x` outside of a constraint | `'v` may only stand in the `constrain` clause of an assignment: `v := * constrain 'v => v;`",
        ),
    ] {
        assert_eq!(errors(&main(body)), expected, "{body}");
    }
}

#[test]
fn semantic_errors_in_programs() {
    for (text, expected) in [
        (
            "decl a, b; decl a; void main() begin end",
            "1:17: the variable `a` is declared twice (1: first declared here)",
        ),
        (
            "void main(a) begin decl a; end",
            "1:25: the variable `a` is declared twice (1: first declared here)",
        ),
        (
            "void main() begin end\nvoid main() begin end",
            "2:6: the procedure `main` is defined twice (1: first defined here)",
        ),
        (
            "void f() begin end",
            "1:6: there is no procedure `main` | name the procedure to start with by `--entry P`",
        ),
        ("", "1:1: there is no procedure `main` | name the procedure to start with by `--entry P`"),
        (
            "decl a := b, b; void main() begin end",
            "1:11: `b` is read before it is declared | initial values are evaluated in the order of the declarations (1: declared here)",
        ),
        (
            "decl a := a; void main() begin end",
            "1:11: `a` is read before it is declared | initial values are evaluated in the order of the declarations (1: declared here)",
        ),
        (
            "decl b; void main() begin decl a := b, b; end",
            "1:37: `b` is read before it is declared | initial values are evaluated in the order of the declarations (1: declared here)",
        ),
        (
            "void main() begin decl a, b := a$; end",
            "1:32: `a$` in an initial value | `v$` may stand in assignments, conditions, `assume` and `assert`",
        ),
        (
            "void main(a) begin enforce a$; end",
            "1:28: `a$` in `enforce` | `v$` may stand in assignments, conditions, `assume` and `assert`",
        ),
        (
            "bool main(a) begin return a$; end",
            "1:27: `a$` in a returned value | `v$` may stand in assignments, conditions, `assume` and `assert`",
        ),
        (
            "void f() begin decl inside; end void main() begin inside := T; end",
            "1:51: undeclared variable `inside` | `inside` is a local variable of `f`, not visible here",
        ),
        (
            "void f() begin l: skip; end\nvoid main() begin\n  q := T;\n  goto l;\n  f(T);\nend",
            "3:3: undeclared variable `q` | declare it: `decl q;`\n4:8: unknown label `l` | labels are known only in their own procedure\n5:3: `f` takes no arguments, but 1 is given (1: defined here)",
        ),
    ] {
        assert_eq!(errors(text), expected, "{text}");
    }
}

#[test]
fn options() {
    let text = "void f() begin ERROR: skip; end void main() begin f(); end";
    let labels = |label: &str| CheckOptions { error_labels: vec![label.into()], ..CheckOptions::default() };
    let (program, _) = run(text, &labels("ERROR")).expect("well-formed");
    let names: Vec<&str> = program.properties.iter().map(|property| property.name.as_str()).collect();
    assert_eq!(names, ["f.label.ERROR"]);
    let unknown = run(text, &labels("EROR")).expect_err("no such label");
    assert_eq!(unknown, "1:1: no statement has the error label `EROR` | did you mean `ERROR`?");
    let entry = |name: &str| CheckOptions { entry: Some(name.into()), ..CheckOptions::default() };
    let (program, _) = run(text, &entry("f")).expect("well-formed");
    assert_eq!(program.procedures[program.entry].name.as_ref(), "f");
    let unknown = run(text, &entry("mian")).expect_err("no such procedure");
    assert_eq!(unknown, "1:1: there is no procedure `mian` to start with | did you mean `main`?");
}

#[test]
fn well_formed_programs() {
    for text in [
        "decl g; void main() begin decl g; g := g$; end",
        "decl g$, g; void main() begin g$ := g; end",
        "void main() begin decl v; v, v$ := v$, v constrain 'v & 'v$ & v$'; assert(v$); if (v$) then skip; fi end",
        "void main() begin l: l: goto l, l; end",
        "void l(l) begin l: l := l; l(l); goto l; end void main() begin end",
        "bool f() begin return T; end void main() begin decl x; f(); x := f(); _ := f(); end",
        "void main() begin decl a := T, b := a; end",
    ] {
        graph(text);
    }
    let program = graph("void main() begin decl v, w; v$ := w; end");
    let passive: Vec<bool> = program.variables.iter().map(|variable| variable.passive).collect();
    assert_eq!(passive, [true, false]);
}

#[test]
fn control_flow() {
    let text = "decl g; void main() begin a: if (g) then skip; elsif (*) then goto a, b; else return; fi \
                while (!g) do g := T; od b: SLIC_ERROR: assert(g); end";
    assert_eq!(
        dump(text)[3..],
        [
            "void main()",
            "0 a: skip -> 1, 3",
            "1 assume(g) -> 2",
            "2 skip -> 9",
            "3 assume(!g) -> 4",
            "4 skip -> 5, 7",
            "5 assume(*) -> 6",
            "6 skip -> 0, 13",
            "7 assume(!*) -> 8",
            "8 return",
            "9 skip -> 10, 12",
            "10 assume(!g) -> 11",
            "11 g := T -> 9",
            "12 assume(!!g) -> 13",
            "13 b: SLIC_ERROR: assert(g) -> 14 [main.label.SLIC_ERROR, main.assert.1]",
            "14 return",
        ]
    );
    let origins: Vec<Origin> = graph(text).nodes.iter().map(|node| node.origin).collect();
    assert_eq!(origins[..4], [Origin::Branch, Origin::Taken, Origin::Statement, Origin::NotTaken]);
    assert_eq!(origins[14], Origin::FallOff);
}

#[test]
fn procedures_and_threads() {
    let text = "bool<2> f(a) begin decl b := a; enforce a | b; enforce !a; dead a, b; abortif a; print a; end \
                void main() begin decl x, y; x, _ := f(y); f(T); start_thread goto l; start_thread f(*); \
                l: atomic_begin; atomic_end; end_thread; end";
    assert_eq!(
        dump(text),
        [
            "entry main",
            "",
            "bool<2> f(a, b) enforce (a | b) & !a",
            "0 a, b := *, * -> 1",
            "1 assume(!a) -> 2",
            "2 skip -> 3",
            "3 return *, *",
            "",
            "void main() locals x, y, <choice 1>",
            "4 x, _ := f(y, y) -> 5",
            "5 f(T, T) -> 6",
            "6 start_thread goto 9 -> 7",
            "7 <choice 1> := * -> 8",
            "8 start_thread f(<choice 1>, <choice 1>) -> 9",
            "9 l: atomic_begin -> 10",
            "10 atomic_end -> 11",
            "11 end_thread",
        ]
    );
    let (_, warnings) = run(text, &CheckOptions::default()).expect("well-formed");
    assert_eq!(warnings, "1:9: `f` has no `return`: its values are arbitrary");
}

#[test]
fn start_procedure() {
    let last = |text: &str| {
        dump(text).into_iter().skip_while(|line| !line.contains("<start>()")).collect::<Vec<_>>()
    };
    assert_eq!(
        last("decl a := T, b := !a; bool main(x) begin return x; end"),
        ["void <start>()", "1 a := T -> 2", "2 b := !a -> 3", "3 main(*) -> 4", "4 return"]
    );
    let getafix =
        "void init() begin end void thread1() begin end void other() begin end void thread0(a) begin end";
    assert_eq!(
        last(getafix),
        [
            "void <start>()",
            "4 init() -> 5",
            "5 atomic_begin -> 6",
            "6 start_thread thread1() -> 7",
            "7 atomic_end -> 8",
            "8 thread0(*) -> 9",
            "9 return"
        ]
    );
    assert_eq!(graph(getafix).procedures[graph(getafix).entry].name.as_ref(), "<start>");
    let entry = |text: &str| graph(text).procedures[graph(text).entry].name.to_string();
    assert_eq!(entry("void thread7() begin end"), "thread7");
    assert_eq!(entry("void init() begin end void f() begin end"), "init");
    assert_eq!(entry("void init() begin end void main() begin end void thread0() begin end"), "main");
}

#[test]
fn properties_in_source_order() {
    let text = "void f() begin assert(T); SLIC_ERROR: x: assert(F); end\nvoid main() begin assert(T); end";
    let file = SourceFile::new("test.bp", text);
    let program = graph(text);
    let properties: Vec<(&str, &str)> = program
        .properties
        .iter()
        .map(|property| (property.name.as_str(), file.slice(property.span)))
        .collect();
    assert_eq!(
        properties,
        [
            ("f.assert.1", "assert(T)"),
            ("f.label.SLIC_ERROR", "SLIC_ERROR"),
            ("f.assert.2", "assert(F)"),
            ("main.assert.1", "assert(T)"),
        ]
    );
    assert_eq!(program.properties.iter().map(|property| property.node).collect::<Vec<_>>(), {
        let nodes: Vec<_> = program.nodes.ids().collect();
        [nodes[0], nodes[1], nodes[1], nodes[3]]
    });
}

#[test]
fn graphviz() {
    let text =
        dot(&graph("void {a\"b}() begin decl x; x := T; end void main() begin {a\"b}(); assert(*); end"));
    assert!(text.starts_with("digraph program {") && text.ends_with("}\n"));
    for part in ["label=\"{a\\\"b}\"", "n0 -> n1;", "n2 -> n0 [style=dashed", "shape=diamond", "start -> n2;"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert_eq!(
        text.matches('{').count() - text.matches("{a").count(),
        text.matches('}').count() - text.matches("b}").count()
    );
}

#[test]
fn broken_graphs_are_noticed() {
    let good = graph("decl g; bool f(a) begin return a; end void main() begin g := f(T); end");
    assert_eq!(good.check_well_formed(), Ok(()));
    let broken = |change: fn(&mut Program)| {
        let mut program = good.clone();
        change(&mut program);
        program.check_well_formed().expect_err("broken")
    };
    assert!(
        broken(|program| program.nodes.iter_mut().for_each(|node| node.successors.clear()))
            .contains("successors")
    );
    assert!(broken(|program| program.global_count = 0).contains("scope"));
    assert!(
        broken(|program| program.procedures.iter_mut().for_each(|procedure| procedure.returns = 2))
            .contains("returned")
    );
}

#[test]
fn deep_and_long() {
    let depth = 900;
    let nested = format!(
        "decl x; void main() begin {}x := T;{} end",
        "while x do ".repeat(depth),
        " od".repeat(depth)
    );
    assert_eq!(graph(&nested).nodes.len(), 3 * depth + 2);
    let chain =
        format!("decl x; void main() begin if x then skip; {} fi end", "elsif x then skip; ".repeat(5_000));
    assert_eq!(graph(&chain).nodes.len(), 4 * 5_001 + 1);
    let unknown = format!("void main() begin {} end", "goto nowhere; ".repeat(1_000));
    assert!(errors(&unknown).ends_with("… and 800 more errors"));
    // A suggestion for each of them would compare all names with all names.
    let number = 5_000;
    let names = |word: &str| (0..number).map(|n| format!("{word}{n}")).collect::<Vec<_>>();
    let assignments: String = names("variabl").iter().map(|name| format!("{name} := T; ")).collect();
    let jumps: String = names("labe").iter().map(|name| format!("goto {name}; ")).collect();
    let calls: String = names("procedur").iter().map(|name| format!("{name}(); ")).collect();
    let labels: String = names("label").iter().map(|name| format!("{name}: ")).collect();
    let procedures: String =
        names("procedure").iter().map(|name| format!("void {name}() begin end\n")).collect();
    let globals = names("variable").join(", ");
    let hostile =
        format!("decl {globals};\nvoid main() begin {labels} {assignments}{jumps}{calls} end\n{procedures}");
    assert!(errors(&hostile).ends_with("… and 14800 more errors"));
}
