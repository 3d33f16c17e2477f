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
int boolero_nondet_zero(void) { return 0; }
int boolero_nondet_difference(void) { return 2; }
int boolero_nondet_order(void) { return 0; }
int boolero_nondet_errno(void) { return 0; }
void __VERIFIER_assume(int condition) {}
int boolero_nondet_end(void) { return 0; }
void boolero_unsupported(const char *what) {}
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
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

// All pieces of a text, by each function that takes one apart.
static void pieces(const char *text, const char *separators) {
    char x[16], y[16], *a = x, *b = y, *p, *q;
    strcpy(x, text); strcpy(y, text);
    p = model_strtok(x, separators); q = strtok(y, separators);
    for (; p && q; p = model_strtok(0, separators), q = strtok(0, separators))
        CHECK(p - x == q - y && strcmp(p, q) == 0);
    CHECK(!p && !q && memcmp(x, y, strlen(text) + 1) == 0);
    strcpy(x, text); strcpy(y, text);
    p = model_strtok_r(x, separators, &a); q = strtok_r(y, separators, &b);
    for (; p && q; p = model_strtok_r(0, separators, &a), q = strtok_r(0, separators, &b))
        CHECK(p - x == q - y && a - x == b - y && strcmp(p, q) == 0);
    CHECK(!p && !q);
    strcpy(x, text); strcpy(y, text);
    a = x; b = y;
    do {
        p = model_strsep(&a, separators); q = strsep(&b, separators);
        CHECK(!p == !q && (!p || (p - x == q - y && strcmp(p, q) == 0)));
    } while (p && q);
}

// What is not in every version of glibc is compared with its definition.
static void cut(const char *s, const char *t, size_t n) {
    char x[32], y[32];
    memset(x, '#', 32); memset(y, '#', 32);
    CHECK(model_strlcpy(x, s, n) == strlen(s));
    if (n) { strncpy(y, s, n - 1); y[strlen(s) < n ? strlen(s) : n - 1] = 0; }
    CHECK(n ? strcmp(x, y) == 0 : memcmp(x, y, 32) == 0);
    CHECK(x[n] == '#');
    strcpy(x, t); strcpy(y, t);
    size_t old = strlen(t), size = old + n;
    CHECK(model_strlcat(x, s, size) == old + strlen(s));
    if (n) strncat(y, s, n - 1);
    CHECK(strcmp(x, y) == 0);
    char *copy = model_strndup(s, n), *real = strndup(s, n);
    CHECK(strcmp(copy, real) == 0);
    free(copy); free(real);
    memset(x, '#', 32); memset(y, '#', 32);
    CHECK(model_mempcpy(x, s, n) == x + n && mempcpy(y, s, n) == y + n && memcmp(x, y, 32) == 0);
    char *a = model_memccpy(x, t, 'a', n), *b = memccpy(y, t, 'a', n);
    CHECK((a ? a - x : -1) == (b ? b - y : -1) && memcmp(x, y, 32) == 0);
    CHECK(model_memrchr(s, 'b', n) == memrchr(s, 'b', n));
}

static void pairs(char *s, char *t) {
    char x[32], y[32];
    CHECK(sign(model_strcmp(s, t)) == sign(strcmp(s, t)));
    CHECK(model_strspn(s, t) == strspn(s, t));
    CHECK(model_strcspn(s, t) == strcspn(s, t));
    CHECK(model_strpbrk(s, t) == strpbrk(s, t));
    CHECK(model_strstr(s, t) == strstr(s, t));
    CHECK(sign(model_strcasecmp(s, t)) == sign(strcasecmp(s, t)));
    CHECK(sign(model_strcoll(s, t)) == sign(strcoll(s, t)));
    pieces(s, t);
    strcpy(x, s); strcpy(y, s);
    CHECK(model_strcat(x, t) == x && strcat(y, t) == y && strcmp(x, y) == 0);
    for (size_t n = 0; n < 6; n++) {
        CHECK(sign(model_strncmp(s, t, n)) == sign(strncmp(s, t, n)));
        CHECK(sign(model_memcmp(s, t, n)) == sign(memcmp(s, t, n)));
        memset(x, '#', 32); memset(y, '#', 32);
        CHECK(model_strncpy(x, s, n) == x && strncpy(y, s, n) == y && memcmp(x, y, 32) == 0);
        CHECK(sign(model_strncasecmp(s, t, n)) == sign(strncasecmp(s, t, n)));
        CHECK(!model_bcmp(s, t, n) == !bcmp(s, t, n));
        cut(s, t, n);
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
        CHECK(model_index(s, c) == index(s, c) && model_rindex(s, c) == rindex(s, c));
        CHECK(model_memchr(s, c, 5) == memchr(s, c, 5));
    }
    for (size_t n = 0; n < 6; n++)
        CHECK(model_strnlen(s, n) == strnlen(s, n));
}

#define NUMBER(name) do { \
        char *a, *b; \
        errno = 0; __auto_type x = model_##name(text, &a, base); int mine = errno; \
        errno = 0; __auto_type y = name(text, &b, base); \
        if (x != y || a != b || (mine == ERANGE) != (errno == ERANGE)) { printf("%s %s %d\n", #name, text, base); failures++; } \
    } while (0)
static void number(const char *text) {
    static const int bases[] = { 0, 2, 7, 8, 10, 16, 36 };
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        int base = bases[i];
        NUMBER(strtol); NUMBER(strtoul); NUMBER(strtoll); NUMBER(strtoull);
    }
}

// All short texts of what numbers are made of.
static void short_numbers(void) {
    static const char alphabet[] = " -0x18gB";
    for (int all = 0; all < 8 * 8 * 8 * 8; all++) {
        char text[5] = { alphabet[all % 8], alphabet[all / 8 % 8], alphabet[all / 64 % 8], alphabet[all / 512 % 8], 0 };
        for (int from = 0; from <= 4; from++)
            number(text + from);
    }
}

static void numbers(void) {
    static const char *large[] = { "2147483648", "-2147483649", "4294967296", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "-18446744073709551615", "-18446744073709551616", "99999999999999999999999", "0xffffffffffffffffff", "zzzzzzzzzzzzzzzzz" };
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        number(large[i]);
    short_numbers();
    static const char *texts[] = { "", "0", "7", "-12", "+3", " \t\n42x", "- 1", "--1", "2147483647", "-2147483648", "abc", "9223372036854775807" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CHECK(model_atoll(texts[i]) == atoll(texts[i]));
        CHECK(model_atol(texts[i]) == atol(texts[i]));
        CHECK(model_atoi(texts[i]) == atoi(texts[i]));
    }
    CHECK(model_abs(-5) == 5 && model_labs(7) == 7 && model_llabs(-9000000000) == 9000000000);
    for (int a = -7; a < 8; a++)
        for (int b = -3; b < 4; b++)
            if (b != 0) {
                CHECK(model_div(a, b).quot == div(a, b).quot && model_div(a, b).rem == div(a, b).rem);
                CHECK(model_ldiv(a, b).quot == ldiv(a, b).quot && model_lldiv(a, b).rem == lldiv(a, b).rem);
            }
    for (int length = 0; length < 9; length++) {
        int all[9];
        for (int i = 0; i < length; i++)
            all[i] = 2 * i;
        for (int key = -1; key < 18; key++)
            CHECK(model_bsearch(&key, all, length, sizeof(int), order) == bsearch(&key, all, length, sizeof(int), order));
    }
}

// All short arrays of a few elements, by each model that sorts.
#define SORTS(type, model) do { \
        type x[4], y[4]; \
        for (int i = 0; i < length; i++) x[i] = y[i] = (type)(all >> 2 * i & 3); \
        model((void *)x, length, sizeof(type), order_##type); qsort(y, length, sizeof(type), order_##type); \
        for (int i = 0; i < length; i++) CHECK(x[i] == y[i]); \
    } while (0)
typedef unsigned char byte;
static int order_byte(const void *a, const void *b) { return *(const byte *)a - *(const byte *)b; }
static int order_short(const void *a, const void *b) { return *(const short *)a - *(const short *)b; }
static int order_int(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int order_long(const void *a, const void *b) { return (int)(*(const long *)a - *(const long *)b); }
static void sorts(void) {
    for (int length = 0; length <= 4; length++)
        for (int all = 0; all < 256; all++) {
            SORTS(byte, boolero_sort_1); SORTS(short, boolero_sort_2); SORTS(int, boolero_sort_4);
            SORTS(long, boolero_sort_pointer); SORTS(int, boolero_sort_bytes); SORTS(long, boolero_sort_bytes);
        }
}

#define CLASS(name) CHECK(!model_##name(c) == !name(c))
static void characters(void) {
    for (int c = -1; c < 256; c++) {
        CLASS(isupper); CLASS(islower); CLASS(isalpha); CLASS(isdigit); CLASS(isxdigit); CLASS(isalnum); CLASS(isspace);
        CLASS(isblank); CLASS(iscntrl); CLASS(isprint); CLASS(isgraph); CLASS(ispunct);
        CLASS(isascii);
        CHECK(model_toascii(c) == toascii(c) && (*model___ctype_b_loc())[c] == (*__ctype_b_loc())[c]);
        CHECK(model_toupper(c) == toupper(c) && model_tolower(c) == tolower(c));
    }
}


// The same number, or none either; minus zero is not zero.
#define SAME(a, b) (((a) == (b) && !signbit(a) == !signbit(b)) || ((a) != (a) && (b) != (b)))
#define OF_ONE(name) do { \
        errno = 0; double a = model_##name(x); int mine = errno; errno = 0; double b = name(x); int real = errno; \
        errno = 0; float c = model_##name##f(x); int mine_f = errno; errno = 0; float d = name##f(x); \
        CHECK(SAME(a, b) && SAME(c, d) && mine == real && mine_f == errno); \
    } while (0)
#define OF_TWO(name, same) do { \
        errno = 0; double a = model_##name(x, y); int mine = errno; errno = 0; double b = name(x, y); int real = errno; \
        float c = model_##name##f(x, y), d = name##f(x, y); \
        CHECK(same(a, b) && same(c, d) && mine == real); \
    } while (0)
// Either zero may be the smaller one.
#define EQUAL(a, b) ((a) == (b) || ((a) != (a) && (b) != (b)))
static void floating(void) {
    static const double all[] = { 0.0, -0.0, 0.3, -0.3, 0.5, -0.5, 1.5, -1.5, 2.5, 1e-310, -1e-310, 1e-45, 1e10, 4503599627370497.5, -1e300, 1.7976931348623157e308, -1.7976931348623157e308, INFINITY, -INFINITY, NAN, 3.0, 16777217.0, -7.9999999999999991 };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double x = all[i];
        OF_ONE(fabs); OF_ONE(floor); OF_ONE(ceil); OF_ONE(trunc); OF_ONE(round); OF_ONE(rint); OF_ONE(nearbyint); OF_ONE(sqrt);
        CHECK(!model___isnan(x) == !isnan(x) && !model_isnan(x) == !isnan(x) && !model___isnanf(x) == !isnan((float)x));
        CHECK(model___isinf(x) == (isinf(x) ? x < 0 ? -1 : 1 : 0) && !model___isinff(x) == !isinf((float)x));
        CHECK(!model___finite(x) == !isfinite(x) && !model___finitef(x) == !isfinite((float)x));
        CHECK(!model___signbit(x) == !signbit(x) && !model___signbitf(x) == !signbit((float)x));
        CHECK(model___fpclassify(x) == fpclassify(x) && model___fpclassifyf(x) == fpclassify((float)x));
        for (size_t j = 0; j < sizeof all / sizeof *all; j++) {
            double y = all[j];
            OF_TWO(copysign, SAME); OF_TWO(fmin, EQUAL); OF_TWO(fmax, EQUAL); OF_TWO(fdim, EQUAL);
        }
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
    sorts();
    characters();
    floating();
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
        .arg("-lm")
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let run = Command::new(&to).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}

#[test]
fn every_model_is_found_by_its_name() {
    let all: Vec<&str> = sources().iter().flat_map(|(_, text)| defined_names(text)).collect();
    for name in [
        "strlen",
        "memcmp",
        "strdup",
        "strtol",
        "__ctype_b_loc",
        "gettimeofday",
        "abs",
        "__fpclassify",
        "bsearch",
        "toupper",
        "pthread_mutex_lock",
        "boolero_contains",
    ] {
        assert!(all.contains(&name), "{name}");
    }
    let ends = sources().iter().flat_map(|(_, text)| text.lines()).filter(|line| *line == "}").count();
    assert_eq!(all.len(), ends);
}
