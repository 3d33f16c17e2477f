//! Several files, and the models of library functions.

use super::{DataModel, Library, Named, ReadError, has, link, options, read_files};
use crate::ir::Module;

fn linked(files: &[(&str, &str)]) -> Result<Module, ReadError> {
    read_files(files, &options(DataModel::Ilp32, Library::Declared))
}

fn message(files: &[(&str, &str)]) -> String {
    match linked(files) {
        Err(ReadError::Input(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn declarations_meet_definitions() {
    let a = "extern int x; int f(int); int main(void) { return f(x); }";
    let b = "int x = 5; int f(int a) { return a + x; }";
    for files in [[("a.c", a), ("b.c", b)], [("b.c", b), ("a.c", a)]] {
        let module = linked(&files).unwrap();
        assert_eq!((module.functions.len(), module.globals.len()), (2, 1));
        let text = module.to_string();
        has(
            &text,
            &["global @x: 4 bytes, align 4 = {0: 05", "call @f(i32 %", "load @x", "// b.c:1", "// a.c:1"],
        );
        assert!(!text.contains("declare"), "{text}");
    }
}

#[test]
fn static_names_stay_apart() {
    let a = "static int n = 1; static int g(void) { return n; } int f(void); int main(void) { return g() + f(); }";
    let b = "static int n = 2; static int g(void) { return n; } int f(void) { return g(); }";
    let text = linked(&[("a.c", a), ("b.c", b)]).unwrap().to_string();
    has(&text, &["global @n: 4 bytes, align 4 = {0: 01", "global @n@b.c: 4 bytes, align 4 = {0: 02"]);
    has(&text, &["function @g@b.c(): i32", "load @n@b.c, align 4", "call @g@b.c()", "call @g()"]);
}

#[test]
fn a_static_name_does_not_hide_an_external_one() {
    let a = "static int n = 1; int f(void); int main(void) { return n + f(); }";
    let b = "int n = 2; int f(void) { return n; }";
    for files in [[("a.c", a), ("b.c", b)], [("b.c", b), ("a.c", a)]] {
        let text = linked(&files).unwrap().to_string();
        has(&text, &["global @n: 4 bytes, align 4 = {0: 02", "global @n@a.c: 4 bytes, align 4 = {0: 01"]);
    }
}

#[test]
fn two_definitions_are_an_error_that_names_both_files() {
    let text = message(&[("a.c", "int f(void) { return 1; }"), ("b.c", "int f(void) { return 2; }")]);
    has(&text, &["f is defined in ", "a.c", "b.c"]);
    let text = message(&[("a.c", "int v = 1;"), ("b.c", "int v = 1;")]);
    has(&text, &["v is defined in ", "a.c", "b.c"]);
    let text = message(&[("a.c", "int v = 1;"), ("b.c", "int v(void) { return 1; }")]);
    has(&text, &["b.c: v is a function here and a variable elsewhere"]);
}

#[test]
fn strong_beats_weak_and_common() {
    let weak = "__attribute__((weak)) int f(void) { return 1; } int v __attribute__((common));\n\
                int main(void) { return f() + v; }";
    let strong = "int f(void) { return 2; } int v = 9;";
    for files in [[("a.c", weak), ("b.c", strong)], [("b.c", strong), ("a.c", weak)]] {
        let text = linked(&files).unwrap().to_string();
        has(&text, &["global @v: 4 bytes, align 4 = {0: 09", "return i32 2"]);
        assert!(!text.contains("return i32 1"), "{text}");
    }
    let wide = "int v[4] __attribute__((common));";
    let text = linked(&[("a.c", weak), ("c.c", wide)]).unwrap().to_string();
    has(&text, &["global @v: 16 bytes", "return i32 1"]);
}

#[test]
fn an_alias_defines_what_another_file_declares() {
    let a = "int g(void); extern int w; int main(void) { return g() + w; }";
    let b = "int f(void) { return 1; } int g(void) __attribute__((alias(\"f\"))); int v = 3;\n\
             extern int w __attribute__((alias(\"v\")));";
    for files in [[("a.c", a), ("b.c", b)], [("b.c", b), ("a.c", a)]] {
        has(&linked(&files).unwrap().to_string(), &["i32 = call @f()", "i32 = load @v, align 4"]);
    }
}

#[test]
fn files_for_different_machines_are_refused() {
    let narrow = "target datalayout = \"e-p:32:32\"\n@x = global i32 0\n";
    let wide = "target datalayout = \"e-i64:64\"\n@y = global i32 0\n";
    has(&message(&[("a.ll", narrow), ("b.ll", wide)]), &["a.ll", "b.ll", "different machines"]);
}

#[test]
fn linking_nothing_is_the_empty_program() {
    let module = link(Vec::<Named>::new()).unwrap();
    assert_eq!((module.functions.len(), module.globals.len()), (0, 0));
}

#[test]
fn models_come_with_what_they_need_and_nothing_else() {
    let c = "#include <string.h>\n#include <stdlib.h>\nint main(void) { return strspn(\"aab\", \"a\") + atoi(\"7\"); }";
    let module = read_files(&[("t.c", c)], &options(DataModel::Ilp32, Library::Models)).unwrap();
    let mut names: Vec<&str> = module.functions.iter().map(|f| f.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["atoi", "atoll", "boolero_contains", "boolero_is_space", "main", "strspn"]);
    assert!(module.functions.iter().all(|f| f.is_defined()));
    has(&module.to_string(), &["// stdlib.c:", "// string.c:"]);
}

#[test]
fn what_a_program_defines_is_not_replaced() {
    let c = "int strlen(const char *s) { return 42; } int main(void) { return strlen(\"a\"); }";
    let text = read_files(&[("t.c", c)], &options(DataModel::Ilp32, Library::Models)).unwrap().to_string();
    has(&text, &["return i32 42"]);
    assert!(!text.contains("string.c"), "{text}");
}

#[test]
fn models_may_need_functions_that_stay_declared() {
    let c = "#include <string.h>\nint main(void) { return strdup(\"x\") != 0; }";
    let text = read_files(&[("t.c", c)], &options(DataModel::Lp64, Library::Models)).unwrap().to_string();
    has(&text, &["function @strdup(", "declare @malloc(", "intrinsic copy memory("]);
}
