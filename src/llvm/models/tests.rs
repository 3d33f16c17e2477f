//! The models against the C library of this machine: both run natively, on all short strings over a few characters.

use crate::library::models::{INLINED, OUTPUT, TIME, VERIFIER, defined_names, sources};
use crate::llvm::read::clang;
use crate::llvm::read::program::Folder;
use std::process::Command;

/// Every model under another name, and then the real ones. What waits by
/// assuming, or reads what is arbitrary, is compared elsewhere.
fn program() -> String {
    let mut text = String::new();
    for (file, source) in sources()
        .iter()
        .filter(|(file, _)| ![OUTPUT, TIME, VERIFIER].contains(file) && !INLINED.contains(file))
    {
        for name in defined_names(source).filter(|name| !name.starts_with("boolero_")) {
            text += &format!("#define {name} model_{name}\n");
        }
        text += &format!("#include \"{file}\"\n");
        for name in defined_names(source).filter(|name| !name.starts_with("boolero_")) {
            text += &format!("#undef {name}\n");
        }
    }
    text + COMPARISONS
}

const COMPARISONS: &str = r#"
int boolero_nondet_class(void) { return 0; }
int boolero_nondet_difference(void) { return 2; }
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define CHECK(claim) do { if (!(claim)) { printf("%d: %s\n", __LINE__, #claim); failures++; } } while (0)
static int failures;
static int sign(int x) { return (x > 0) - (x < 0); }
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void build(char *to, int number) {
    static const char alphabet[] = "ab\xe4";
    memset(to, '#', 16);
    int i = 0;
    for (; number > 0; number /= 4)
        to[i++] = number % 4 == 0 ? 'a' : alphabet[number % 4 - 1];
    to[i] = 0;
}

static void pairs(char *s, char *t) {
    char x[32], y[32];
    CHECK(sign(model_strcmp(s, t)) == sign(strcmp(s, t)));
    CHECK(model_strspn(s, t) == strspn(s, t));
    CHECK(model_strcspn(s, t) == strcspn(s, t));
    CHECK(model_strpbrk(s, t) == strpbrk(s, t));
    CHECK(model_strstr(s, t) == strstr(s, t));
    strcpy(x, s); strcpy(y, s);
    CHECK(model_strcat(x, t) == x && strcat(y, t) == y && strcmp(x, y) == 0);
    for (size_t n = 0; n < 6; n++) {
        CHECK(sign(model_strncmp(s, t, n)) == sign(strncmp(s, t, n)));
        CHECK(sign(model_memcmp(s, t, n)) == sign(memcmp(s, t, n)));
        memset(x, '#', 32); memset(y, '#', 32);
        CHECK(model_strncpy(x, s, n) == x && strncpy(y, s, n) == y && memcmp(x, y, 32) == 0);
        strcpy(x, t); strcpy(y, t);
        CHECK(model_strncat(x, s, n) == x && strncat(y, s, n) == y && memcmp(x, y, strlen(y) + 1) == 0);
    }
}

static void single(char *s) {
    char x[32];
    CHECK(model_strlen(s) == strlen(s));
    CHECK(model_strcpy(x, s) == x && strcmp(x, s) == 0);
    CHECK(model_stpcpy(x, s) == x + strlen(s) && strcmp(x, s) == 0);
    char *copy = model_strdup(s);
    CHECK(copy != s && strcmp(copy, s) == 0);
    free(copy);
    for (int c = 0; c < 256; c++) {
        CHECK(model_strchr(s, c) == strchr(s, c));
        CHECK(model_strrchr(s, c) == strrchr(s, c));
        CHECK(model_memchr(s, c, 5) == memchr(s, c, 5));
    }
    for (size_t n = 0; n < 6; n++)
        CHECK(model_strnlen(s, n) == strnlen(s, n));
}

static void numbers(void) {
    static const char *texts[] = { "", "0", "7", "-12", "+3", " \t\n42x", "- 1", "--1", "2147483647", "-2147483648", "abc", "9223372036854775807" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CHECK(model_atoll(texts[i]) == atoll(texts[i]));
        CHECK(model_atol(texts[i]) == atol(texts[i]));
        CHECK(model_atoi(texts[i]) == atoi(texts[i]));
    }
    CHECK(model_abs(-5) == 5 && model_labs(7) == 7 && model_llabs(-9000000000) == 9000000000);
    for (int length = 0; length < 9; length++) {
        int all[9];
        for (int i = 0; i < length; i++)
            all[i] = 2 * i;
        for (int key = -1; key < 18; key++)
            CHECK(model_bsearch(&key, all, length, sizeof(int), order) == bsearch(&key, all, length, sizeof(int), order));
    }
}

#define CLASS(name) CHECK(!model_##name(c) == !name(c))
static void characters(void) {
    for (int c = -1; c < 256; c++) {
        CLASS(isupper); CLASS(islower); CLASS(isalpha); CLASS(isdigit); CLASS(isxdigit); CLASS(isalnum); CLASS(isspace);
        CLASS(isblank); CLASS(iscntrl); CLASS(isprint); CLASS(isgraph); CLASS(ispunct);
        CHECK(model_toupper(c) == toupper(c) && model_tolower(c) == tolower(c));
    }
}

int main(void) {
    char s[16], t[16];
    for (int i = 0; i < 256; i++) {
        build(s, i);
        single(s);
        for (int j = 0; j < 256; j++) {
            build(t, j);
            pairs(s, t);
        }
    }
    numbers();
    characters();
    return failures != 0;
}
"#;

#[test]
fn models_do_what_the_library_does() {
    let folder = Folder::new().unwrap();
    for (name, text) in sources() {
        std::fs::write(folder.0.join(name), text).unwrap();
    }
    std::fs::write(folder.0.join("compare.c"), program()).unwrap();
    let to = folder.0.join("compare");
    let built = Command::new(clang::find().unwrap())
        .args(["-w", "-O1", "-fno-builtin", "-o"])
        .arg(&to)
        .arg(folder.0.join("compare.c"))
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let run = Command::new(&to).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}

#[test]
fn every_model_is_found_by_its_name() {
    let all: Vec<&str> = sources().iter().flat_map(|(_, text)| defined_names(text)).collect();
    for name in
        ["strlen", "memcmp", "strdup", "abs", "bsearch", "toupper", "pthread_mutex_lock", "boolero_contains"]
    {
        assert!(all.contains(&name), "{name}");
    }
    let ends = sources().iter().flat_map(|(_, text)| text.lines()).filter(|line| *line == "}").count();
    assert_eq!(all.len(), ends);
}
