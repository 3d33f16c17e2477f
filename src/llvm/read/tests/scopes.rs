//! Where local variables begin and end.

use super::{has, text, text_of_llvm};

/// The lines of a program that say something of the life of a variable, without their numbers.
fn marks(c: &str) -> Vec<String> {
    marks_in(&text(c))
}

fn marks_in(text: &str) -> Vec<String> {
    let mark = |line: &str| line.find("intrinsic ").map(|at| line[at + 10..].trim().to_owned());
    text.lines().filter_map(mark).filter(|line| line.contains("life")).collect()
}

/// Whether some mark of this kind names a variable.
fn names(marks: &[String], kind: &str, variable: &str) -> bool {
    marks.iter().any(|mark| mark.starts_with(kind) && mark.contains(&format!("%{variable}")))
}

#[test]
fn a_variable_of_a_loop_begins_in_each_round() {
    let stale = marks("int f(void) { for (;;) { int x; if (f()) x = 1; if (x) return 1; } }");
    assert!(names(&stale, "start life", "x"), "{stale:?}");
    assert!(!names(&stale, "end life", "x"), "nobody has its address: {stale:?}");
}

#[test]
fn what_is_written_first_needs_no_mark() {
    let none = marks(
        "int f(void) { int s = 0; for (int i = 0; i < 9; i++) { int x = i, y; if (f()) y = 1; else y = 2; s += x + y; } return s; }",
    );
    assert_eq!(none, Vec::<String>::new());
    let once = marks("int f(void) { int x; { int y; if (f()) x = y = 1; return x + y; } }");
    assert_eq!(once, Vec::<String>::new());
}

#[test]
fn a_variable_whose_address_is_used_ends_with_its_block() {
    let ends =
        marks("int g(int *); int f(int c) { int *p = 0; if (c) { int x = 1; p = &x; g(p); } return *p; }");
    assert!(names(&ends, "end life", "x"), "{ends:?}");
    assert!(!names(&ends, "start life", "x"), "{ends:?}");
    assert!(!names(&ends, "end life", "p"), "{ends:?}");
}

/// Where one way out of a branch leaves the block, the mark gets a block of its own.
#[test]
fn ways_out_of_a_block_are_told_apart() {
    let t = text("int g(int *); void f(void) { for (int x = 0; g(&x);) { if (g(&x)) break; } g(0); }");
    has(&t, &["intrinsic end life(ptr %x"]);
    let t = text("int g(int *); int f(int c) { again: { int x = c; if (g(&x)) goto again; } return c; }");
    has(&t, &["intrinsic end life(ptr %x", "intrinsic start life(ptr %x"]);
}

#[test]
fn jumps_over_a_declaration_make_a_new_variable() {
    let over = marks(
        "int f(int c) { again: if (c) goto in; { int x; x = 1; in: if (x) return 1; } c = 1; goto again; }",
    );
    assert!(names(&over, "start life", "x"), "{over:?}");
    has(
        &text("void f(int c) { for (;;) switch (c) { int x; case 0: x = 1; break; default: c = x; } }"),
        &["unsupported", "jumped over"],
    );
}

#[test]
fn compound_literals_end_with_their_block() {
    let literal = marks("int g(int *); void f(void) { for (;;) { int *p = (int[]){1, 2}; g(p); } }");
    assert!(names(&literal, "start life", ".compoundliteral"), "{literal:?}");
    assert!(names(&literal, "end life", ".compoundliteral"), "{literal:?}");
}

/// Without debug information and markers nobody knows; with markers it is as they say.
#[test]
fn bitcode_tells_by_markers_only() {
    let body = |marks: &str| {
        format!(
            "declare void @llvm.lifetime.start.p0(i64, ptr)\ndeclare void @g(ptr)\n\
             define void @f() {{\n%x = alloca i32\nbr label %l\nl:\n{marks}call void @g(ptr %x)\nbr label %l\n}}\n"
        )
    };
    let unknown = marks_in(&text_of_llvm(&body("")));
    assert!(names(&unknown, "unknown life", "x"), "{unknown:?}");
    let told = marks_in(&text_of_llvm(&body("call void @llvm.lifetime.start.p0(i64 4, ptr %x)\n")));
    assert!(names(&told, "start life", "x") && told.len() == 1, "{told:?}");
}
