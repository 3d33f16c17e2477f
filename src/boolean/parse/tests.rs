//! Tests of the parser and the printer.

use super::super::ast::{self, StatementKind};
use super::super::print::{print, print_expression};
use super::grammar::{Grammar, Rule};
use super::parse;
use crate::ground::diagnostic::Diagnostic;
use crate::ground::source::SourceFile;
use pest::Parser;

/// One line per diagnostic: `line:column: message | help (line: further place) …`.
pub fn render(file: &SourceFile, diagnostics: &[Diagnostic]) -> String {
    let line = |diagnostic: &Diagnostic| {
        let place = file.position(diagnostic.primary.span.start);
        let help = diagnostic.help.as_ref().map(|help| format!(" | {help}")).unwrap_or_default();
        let further = diagnostic.secondary.iter();
        let further: String =
            further.map(|label| format!(" ({}: {})", file.line(label.span.start), label.text)).collect();
        format!("{}:{}: {}{help}{further}", place.line, place.column, diagnostic.message)
    };
    diagnostics.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn program(text: &str) -> ast::Program {
    let file = SourceFile::new("test.bp", text);
    parse(&file).unwrap_or_else(|errors| panic!("{text}\n{}", render(&file, &errors)))
}

fn errors(text: &str) -> String {
    let file = SourceFile::new("test.bp", text);
    match parse(&file) {
        Ok(program) => panic!("no error in:\n{text}\nread as:\n{}", print(&program)),
        Err(errors) => render(&file, &errors),
    }
}

/// The canonical form of statements in a procedure.
fn body(statements: &str) -> String {
    let printed = print(&program(&format!("void main() begin {statements} end")));
    let lines: Vec<&str> = printed.lines().collect();
    lines[1..lines.len() - 1].iter().map(|line| line.trim_start()).collect::<Vec<_>>().join(" ")
}

#[test]
fn canonical_statements() {
    for (text, canonical) in [
        ("skip", "skip;"),
        (";;skip;;", "skip;"),
        ("a: b: 17: skip;", "a: b: 17: skip;"),
        ("a:", "a: skip;"),
        ("a: ;", "a: skip;"),
        ("if x then a: fi", "if (x) then a: skip; fi;"),
        ("goto a , 7", "goto a, 7;"),
        ("return", "return;"),
        ("return x,!y;", "return x, !y;"),
        ("x:=y", "x := y;"),
        ("a,b:=*,? constrain 'a|b'", "a, b := *, * constrain 'a | 'b;"),
        ("assume x; assume (x) & y; constrain(x)", "assume(x); assume(x & y); assume(x);"),
        ("assert x; assert((x))", "assert(x); assert(x);"),
        ("abortif x & y", "abortif(x & y);"),
        ("dead x,y", "dead x, y;"),
        ("print; print x; print(x, y); print (x), y", "print; print x; print x, y; print x, y;"),
        ("f(); call f(x); x,_ := f(T,F); x := call f()", "f(); f(x); x, _ := f(T, F); x := f();"),
        ("call(); call := T; x := call(y); call call()", "call(); call := T; x := call(y); call();"),
        ("x := choose[T,schoose]; x := choose", "x := schoose[T, schoose]; x := choose;"),
        (
            "start_thread l; start_thread goto 3; start_thread f(x)",
            "start_thread goto l; start_thread goto 3; start_thread f(x);",
        ),
        (
            "ASYNC_1: f(x); a: ASYNC_2: b: call f()",
            "ASYNC_1: start_thread f(x); a: ASYNC_2: b: start_thread f();",
        ),
        ("ASYNC_: f(); ASYNC_1x: f(); ASYNC_1: skip", "ASYNC_: f(); ASYNC_1x: f(); ASYNC_1: skip;"),
        (
            "end_thread; thread_end; atomic_begin; atomic_end",
            "end_thread; end_thread; atomic_begin; atomic_end;",
        ),
        (
            "if x then skip elsif y then skip else skip fi skip",
            "if (x) then skip; elsif (y) then skip; else skip; fi; skip;",
        ),
        ("while * do od while x do skip od;", "while (*) do od; while (x) do skip; od;"),
        ("{x==0} := {y > z}' & '{y > z}; {x==0}$ := T", "{x==0} := '{y > z} & '{y > z}; {x==0}$ := T;"),
        ("a.b#c$d := .x & $y & #z & _w", "a.b#c$d := .x & $y & #z & _w;"),
        ("endx := ifx & T1 & Fx & truex", "endx := ifx & T1 & Fx & truex;"),
    ] {
        assert_eq!(body(text), canonical, "{text}");
        assert_eq!(body(canonical), canonical);
    }
}

#[test]
fn canonical_expressions() {
    for (text, canonical) in [
        ("0 & 1 | true ^ false", "F & T | T ^ F"),
        ("a || b && c", "a | b & c"),
        ("(a || b) && c", "(a | b) & c"),
        ("a == b", "a = b"),
        ("!a = b", "!a = b"),
        ("!(a = b)", "!(a = b)"),
        ("a = b & c", "a = b & c"),
        ("a = (b & c)", "a = (b & c)"),
        ("a != b = c", "a != b = c"),
        ("a != (b = c)", "a != (b = c)"),
        ("a ^ b & c", "a ^ b & c"),
        ("a | b ^ c", "a | b ^ c"),
        ("(a | b) ^ c", "(a | b) ^ c"),
        ("a => b => c", "a => b => c"),
        ("(a => b) => c", "(a => b) => c"),
        ("a => (b => c)", "a => b => c"),
        ("a <=> b <=> c", "a <=> b <=> c"),
        ("a <=> (b <=> c)", "a <=> (b <=> c)"),
        ("a => b <=> c | d", "a => b <=> c | d"),
        ("a => (b <=> c)", "a => (b <=> c)"),
        ("! ~ /* not ! */ !a", "!!!a"),
        ("! // !\n a", "!a"),
        ("((((a))))", "a"),
        ("schoose[a | b, (c)] & ?", "schoose[a | b, c] & *"),
        ("a & (b & c) & d", "a & (b & c) & d"),
    ] {
        let program = program(&format!("void main() begin assume {text}; end"));
        let StatementKind::Assume(expression) = &program.procedures[0].body.statements[0].kind else {
            panic!("not an assumption: {text}");
        };
        assert_eq!(print_expression(expression), canonical, "{text}");
    }
}

#[test]
fn syntax_errors() {
    for (text, expected) in [
        (
            "void main() begin x = 1; end",
            "1:21: expected `:=`, `,` or `(`, found `=` | write `:=` to assign; `=` compares",
        ),
        (
            "decl x = 1; void main() begin end",
            "1:8: expected `;`, `:=` or `,`, found `=` | write `:=` to assign; `=` compares",
        ),
        (
            "void main() begin\nif (x) then skip; end",
            "2:19: missing `fi` before `end` | every `if` ends with `fi` (2: this `if` is not closed)",
        ),
        (
            "void main() begin while (x) do skip; fi end",
            "1:38: expected `od`, found `fi` (1: this `while` ends with `od`)",
        ),
        (
            "void main() begin if x then while y do skip; fi end",
            "1:46: missing `od` before `fi` | every `while` ends with `od` (1: this `while` is not closed)",
        ),
        ("void main() begin skip goto l; end", "1:23: expected `;`, found the keyword `goto`"),
        (
            "void main() begin\n x := y\n z := T; end",
            "2:8: missing `;` before `z` (3: the next statement begins here)",
        ),
        ("void main() begin if x skip; fi end", "1:23: expected `then`, found the keyword `skip`"),
        (
            "void main() begin if x then skip; else if y then skip; fi end",
            "1:59: missing `fi` before `end` | `else if` opens a second `if`, which needs a `fi` of its own; `elsif` does not (1: this `if` is not closed)",
        ),
        (
            "void main() begin x := f(y) & z; end",
            "1:24: a call cannot stand inside an expression | assign the result to a variable first: `x := f(…);`",
        ),
        (
            "void main() begin x := z & f(y); end",
            "1:28: a call cannot stand inside an expression | assign the result to a variable first: `x := f(…);`",
        ),
        (
            "void main() begin x := (y; end",
            "1:26: expected an operator or `)`, found `;` (1: this is not closed)",
        ),
        ("void main() begin x := y); end", "1:25: unbalanced `)` | remove it, or add the `(` that it closes"),
        (
            "void main() begin x := 2; end",
            "1:24: expected an expression, found `2` | the constants are `T` and `F`, also written `1` and `0`",
        ),
        (
            "void main() begin x := y + z; end",
            "1:26: Boolean programs have no operator `+` | the operators are `!`, `&`, `^`, `|`, `=`, `!=`, `=>` and `<=>`",
        ),
        (
            "void main() begin decl if; end",
            "1:24: `if` is a keyword and cannot be a name | choose another name",
        ),
        ("void main() begin goto ; end", "1:24: expected a label, found `;`"),
        (
            "void main() begin skip; decl x; end",
            "1:25: a declaration must stand before the statements of its procedure",
        ),
        ("void main() begin l: decl x; end", "1:22: a declaration cannot have a label"),
        (
            "void main() begin skip; enforce x; end",
            "1:25: `enforce` must stand before the statements of its procedure",
        ),
        (
            "x := 1;",
            "1:1: a statement outside of a procedure | statements stand in procedures: `void main() begin … end`",
        ),
        (
            "l: skip;",
            "1:1: a label outside of a procedure\n1:4: a statement outside of a procedure | statements stand in procedures: `void main() begin … end`",
        ),
        ("void f();", "1:9: expected `begin`, found `;` | a procedure is written `void f() begin … end`"),
        (
            "void main() begin skip; void f() begin end",
            "1:25: missing `end` before the next procedure | every `begin` ends with `end` (1: the procedure `main` is not closed)",
        ),
        (
            "void main() begin skip; f() begin end",
            "1:25: missing `end` before the next procedure | every `begin` ends with `end` (1: the procedure `main` is not closed)",
        ),
        (
            "void main() begin skip;",
            "1:24: missing `end` at the end of the file | every `begin` ends with `end` (1: the procedure `main` is not closed)",
        ),
        ("void main() begin end end", "1:23: `end` outside of a procedure"),
        ("void main() begin fi end", "1:19: `fi` without `if`"),
        (
            "void main() begin if x then else skip; else skip; fi end",
            "1:40: `else` after `else` (1: of this `if`)",
        ),
        (
            "void main() begin x := ü; end",
            "1:24: unexpected character `ü` | names are made of letters, digits, `_`, `$`, `#` and `.`",
        ),
        ("bool<99999> f() begin end", "1:6: a procedure can return up to 1024 values"),
        (
            "void main() begin ASYNC_1: x := f(); end",
            "1:28: a thread that is started returns no values (1: this label makes the call start a thread)",
        ),
        (
            "void main() begin end: skip; end",
            "1:19: `end` is a keyword and cannot be a name | choose another name",
        ),
        (
            "void main() begin _ := T; end",
            "1:19: only a call can have `_` on its left | `_` drops a value that a call returns",
        ),
        ("void 1() begin end", "1:6: expected a name, found `1` | a name cannot begin with a digit"),
        ("// ok\n/* foo", "2:1: this comment does not end | close it with `*/`"),
        ("void main() begin /* foo", "1:19: this comment does not end | close it with `*/`"),
        ("a\0b", "1:2: this is not a text file | Boolean programs are plain text in UTF-8"),
    ] {
        assert_eq!(errors(text), expected, "{text}");
    }
}

#[test]
fn habits_from_other_languages() {
    for (statements, expected) in [
        ("if x\n y := T; fi", "1:23: missing `then` before `y` (2: the next statement begins here)"),
        ("while (x) y := T; od", "1:28: missing `do` before `y` (1: the next statement begins here)"),
        ("if x then skip; endif; y := T;", "1:35: `endif` is written `fi`"),
        ("while x do skip; done", "1:36: `done` is written `od`"),
        ("if x then skip; elif (y) then skip; else skip; fi", "1:35: `elif` is written `elsif`"),
        ("unless (x) then skip; fi; skip;", "1:30: `then` without `if`"),
        ("for (x := T; x; x := F) do skip; od;", "1:19: there is no `for` | the loop is `while (e) do … od`"),
        ("for (x := T; x; x := F) skip;", "1:19: there is no `for` | the loop is `while (e) do … od`"),
        (
            "if (x) then { y := T; } fi",
            "1:31: `{ y := T; }` alone is no statement | `{…}` is a name; blocks are written `begin … end`, `then … fi` and `do … od`",
        ),
        (
            "atomic { y := T; }",
            "1:26: expected `:=`, `,` or `(`, found `{ y := T; }` | `{…}` is a name; blocks are written `begin … end`, `then … fi` and `do … od`",
        ),
        ("assert(x and y);", "1:28: expected an operator or `)`, found `and` | the operator is written `&`"),
        (
            "x := y or z;",
            "1:26: expected an operator, `;`, `,` or `constrain`, found `or` | the operator is written `|`",
        ),
        ("assert(not x);", "1:30: expected an operator or `)`, found `x` | the operator is written `!`"),
        (
            "x := c ? a : b;",
            "1:26: expected an operator, `;`, `,` or `constrain`, found `?` | there is no `c ? a : b`; write `c & a | !c & b`",
        ),
        ("x := a -> b;", "1:26: Boolean programs have no operator `->` | write `=>` for implication"),
        ("x := a <-> b;", "1:26: Boolean programs have no operator `<` | write `<=>` for equivalence"),
        ("x <- T;", "1:21: expected `:=`, `,` or `(`, found `<` | write `:=` to assign; `=` compares"),
        (
            "x' := T;",
            "1:20: expected `:=`, `,` or `(`, found `'` | an assignment is to the next value anyway: write `v := …;`",
        ),
        (
            "SLIC_ERROR;",
            "1:19: `SLIC_ERROR` alone is no statement | a call is written `SLIC_ERROR();`, a label `SLIC_ERROR: …`",
        ),
        ("atomic_begin x := T;", "1:31: missing `;` before `x` (1: the next statement begins here)"),
        (
            "call x := f();",
            "1:26: expected `(`, found `:=` | `call` stands before the procedure: `x := call f(…);`",
        ),
        ("decl x: bool; skip;", "1:25: variables have no types: all are Boolean | write `decl x;`"),
        ("decl bool x; skip;", "1:24: variables have no types: all are Boolean | write `decl x;`"),
        ("decl T; skip;", "1:24: `T` is a constant and cannot be a name | choose another name"),
    ] {
        assert_eq!(errors(&format!("void main() begin {statements} end")), expected, "{statements}");
    }
    let expected = "1:12: missing `begin` before `x` (1: the next statement begins here)";
    assert_eq!(errors("void main() x := T; y := T; end"), expected);
}

#[test]
fn words_of_other_languages_are_names_here() {
    program(
        "decl done, endif; void for(elif) begin done := elif; end\nvoid main() begin for(T); endif: for(done); end",
    );
}

#[test]
fn one_error_per_statement_and_parsing_goes_on() {
    let text = "void main() begin\n x = 1;\n y := T;\n z := ;\n if a b then skip; fi;\n goto;\nend\nvoid f( begin\n q = 1;\nend\n";
    let lines: Vec<String> =
        errors(text).lines().map(|line| line.split(' ').next().unwrap_or("").into()).collect();
    assert_eq!(lines, ["2:4:", "4:7:", "5:7:", "6:6:", "8:9:", "9:4:"]);
}

#[test]
fn many_errors_are_counted() {
    let text = format!("void main() begin\n{}end", "x = 1;\n".repeat(1_000));
    let rendered = errors(&text);
    assert_eq!(rendered.lines().count(), 51);
    assert!(rendered.ends_with("… and 950 more errors"), "{rendered}");
}

#[test]
fn pseudo_code_gets_one_message() {
    for text in [
        "void main() {\n  skip;\n}\n",
        "bool x = 1;\nvoid main() begin end",
        "bool x := 1;\nint y;\n",
        "int main() { return 0; }",
        "var x: int\nproc main () : void\nbegin\n  post p ()\nend",
        "decl s = false;\nvoid thr1() {\n0: s := false;\n}",
        "module void thread1(){\n bool loc;\n}",
        "#define mutex\nbool g = 0, x = 0;\n",
        "void f(int d) begin d = d - 1; end",
        "#include <stdio.h>\ndecl x; void main() begin skip; end",
        "void main() begin bool x; end",
        "void main() begin\n while (x) {\n x := F; }\n end",
    ] {
        let rendered = errors(text);
        assert_eq!(rendered.lines().count(), 1, "{rendered}");
        assert!(rendered.contains("this looks like C-like pseudo-code, not a Boolean program"), "{rendered}");
    }
}

#[test]
fn names_of_other_languages_are_allowed() {
    let text = "decl int, var, proc;\nvoid module(define) begin\n  int, var := proc, {a{} ;\nend";
    assert!(errors(text).contains("looks like"), "an open brace is a mark");
    program("decl int, var, proc;\nvoid module(define) begin\n  int, var := proc, define;\n  call();\nend");
}

#[test]
fn comments_stay() {
    let text = "\
// head

// globals
decl a, /* inside */ b; // a and b


/* before f */ void f /* name */ (x) // f
begin // start
  // first
  decl y; /* y */ decl z;
  enforce x; // enforced

  l: // labelled
  x := y & // operator
    z; // done
  // before if
  if (x) then // taken
    skip; // nothing
    // end of then
  else // not taken
    // empty
  fi; // after fi
  while (x) do /* body */ od
  // last
end // of f
// the end
";
    let canonical = "\
// head

// globals
/* inside */
decl a, b; // a and b

/* before f */
/* name */
// f
void f(x) begin // start
  // first
  decl y;
  /* y */
  decl z;
  enforce x;
  // enforced

  // labelled
  // operator
  l: x := y & z; // done
  // before if
  if (x) then
    // taken
    skip; // nothing
    // end of then
  else
    // not taken
    // empty
  fi; // after fi
  while (x) do
    /* body */
  od;
  // last
  // of f
end
// the end
";
    assert_eq!(print(&program(text)), canonical);
    assert_eq!(print(&program(canonical)), canonical);
}

#[test]
fn line_ends_and_byte_order_mark() {
    let unix = "// c\ndecl a; /* x\n y */\nvoid main() begin\n  skip; // s\nend\n";
    let windows = format!("\u{feff}{}", unix.replace('\n', "\r\n"));
    assert_eq!(program(unix), program(&windows));
    assert_eq!(print(&program(&windows)), unix);
}

#[test]
fn places_are_exact() {
    let text = "decl g;\nbool f(a) begin\n  l: if (a) then g := T; fi\nend\n";
    let file = SourceFile::new("test.bp", text);
    let program = parse(&file).expect("well-formed");
    let procedure = &program.procedures[0];
    assert_eq!(file.slice(program.globals[0].variables[0].0.at.0), "g");
    assert_eq!(file.slice(procedure.name.at.0), "f");
    assert_eq!(file.slice(procedure.parameters[0].at.0), "a");
    assert_eq!(file.slice(procedure.end.0), "end");
    let branch = &procedure.body.statements[0];
    assert_eq!(file.slice(branch.at.0), "if (a)");
    assert_eq!(file.slice(branch.labels[0].at.0), "l");
    let StatementKind::If { branches, .. } = &branch.kind else { panic!("not an if") };
    assert_eq!(file.slice(branches[0].0.at.0), "(a)");
    assert_eq!(file.slice(branches[0].1.statements[0].at.0), "g := T");
}

#[test]
fn hostile_texts() {
    let inside = |text: String| format!("decl x; void main() begin {text} end");
    let deep = |depth: usize| inside(format!("x := {}x{};", "!(".repeat(depth), ")".repeat(depth)));
    program(&deep(2_000));
    assert!(errors(&deep(2_001)).contains("more than 2000 deep"));
    assert!(errors(&"(".repeat(300_000)).contains("more than 2000 deep"));
    assert!(errors(&inside("(".repeat(300_000))).contains("more than 2000 deep"));
    program(&inside(format!("x := {}x;", "!".repeat(300_000))));
    program(&inside(format!("x := {}x;", "x => ".repeat(50_000))));
    assert!(errors(&inside(format!("x := {}x;", "!".repeat(1_000_001)))).contains("tokens is too long"));
    let nested = |depth: usize| inside(format!("{}skip;{}", "if x then ".repeat(depth), " fi".repeat(depth)));
    let deepest = program(&nested(1_000));
    assert_eq!(program(&print(&deepest)), deepest.clone());
    assert!(errors(&nested(1_001)).contains("more than 1000 deep"));
    let labels: String = (0..20_000).map(|number| format!("l{number}: ")).collect();
    assert_eq!(
        program(&inside(format!("{labels}skip;"))).procedures[0].body.statements[0].labels.len(),
        20_000
    );
    assert_eq!(program(&inside("x:=!x;".repeat(20_000))).procedures[0].body.statements.len(), 20_000);
    for junk in [
        "{", "}", "'", ":", "fi ", "else ", "end ", "begin ", "if ", "decl ", "*", "/ ", "\"", "é", "l:",
        "void ", "[", ")",
    ] {
        assert!(!errors(&junk.repeat(5_000)).is_empty());
        let within = parse(&SourceFile::new("test.bp", inside(junk.repeat(5_000))));
        assert_eq!(within.is_ok(), junk == "l:", "{junk}");
    }
}

/// The rule `program` of the grammar says of whole programs what the parser says by pieces.
#[test]
fn the_grammar_agrees() {
    for text in [
        "",
        "decl a; decl b, c := a & T; void main() begin end",
        "f() begin decl x; enforce x; ; decl y; l: 1: x := y; if x then skip elsif y then else goto l, 1 fi end;",
        "bool<2> f(a, b) begin while (*) do x, _ := f(a, T); od return a, b end decl z;",
        "void f() begin start_thread goto l; start_thread l; start_thread f(); l: end_thread; atomic_begin; atomic_end end",
        "void f() begin print x; print(x, y); dead x, y; abortif x; assume x; constrain(x); assert 'x = x'; end",
        "void f() begin l: end",
        "void f() begin if x then l: fi m: ; end",
        "void f() begin skip goto l; end",
        "void f() begin skip; decl x; end",
        "void f() begin enforce x end",
        "void f() begin x := y) end",
        "void f() begin x := (y end",
        "void f() begin if x then skip; od end",
        "void f() begin if x then skip; else else fi end",
        "void f() begin x := f(y) & z; end",
        "void f() begin print: skip; end",
        "decl a void f() begin end",
        "void f(a b) begin end",
        "void f() end",
        "x := y;",
    ] {
        let whole = Grammar::parse(Rule::program, text).is_ok();
        let pieces = parse(&SourceFile::new("test.bp", text)).is_ok();
        assert_eq!(whole, pieces, "{text}");
    }
}

/// Every example in the description of the language is one.
#[test]
fn the_examples_of_the_description_parse() {
    let description = include_str!("../../../grammar/README.md");
    let blocks: Vec<&str> = description.split("```").skip(1).step_by(2).collect();
    assert!(blocks.len() >= 6);
    for block in blocks {
        let statements = format!("void main() begin {block} end");
        let parses = |text: &str| parse(&SourceFile::new("example.bp", text)).is_ok();
        assert!(parses(block) || parses(&statements), "{block}");
    }
}

#[test]
fn one_mistake_in_blocks_is_one_message() {
    assert_eq!(
        errors("void main() begin if * then while * do skip; fi od end"),
        "1:46: missing `od` before `fi` | every `while` ends with `od` (1: this `while` is not closed)"
    );
    assert_eq!(
        errors("void main() begin while * do if * then skip; od; fi; skip; end\nvoid f() begin skip; end"),
        "1:46: missing `fi` before `od` | every `if` ends with `fi` (1: this `if` is not closed)"
    );
    for text in [
        "void main() begin begin skip; end skip; end",
        "void main() begin begin skip; end; end void f() begin end",
        "void main() begin begin skip; end void f() begin end",
        "void main() begin begin begin skip; end end; skip; end",
    ] {
        let told = errors(text);
        assert!(told.lines().all(|line| line.ends_with("unexpected `begin`")), "{text}: {told}");
    }
    // What is missing and comes too late in another procedure is told.
    let told = errors("void main() begin if * then while * do skip; fi end void f() begin od; end");
    assert_eq!(told.lines().count(), 2, "{told}");
}
