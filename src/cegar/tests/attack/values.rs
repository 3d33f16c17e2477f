//! Uninitialised values, and assertions on values.

use super::plant::{Plant, Wish};
use crate::ir::undefined::Fault;

pub(super) fn uninitialised(wish: &mut Wish) -> Plant {
    let plant = |define: &str| Plant::of(Fault::Uninitialised, define).top("int sink;");
    // A place of zeros gets the value of a variable that is not set.
    let zero = wish.zero;
    let set = |ty: &str, value: &str| match zero {
        true => format!("{ty} before; if (!(@W)) before = {value}; @L = before;"),
        false => format!("if (!(@W)) @L = {value};"),
    };
    if wish.library {
        let fill = "char before[8]; memset(before, 1, @W ? 3 : 8); memcpy(@L, before, 8);";
        return match wish.random.below(4) {
            0 => plant("typedef char T[8];").prepare(fill).operate("if (@L[5] > 2) sink = 1;"),
            1 => plant("typedef char T[8];")
                .prepare(fill)
                .operate("if (memcmp(@L, \"\\1\\1\\1\\1\\1\\1\\1\", 8)) sink = 1;"),
            2 => plant("typedef char T[8];")
                .prepare("char before[8]; if (!(@W)) before[0] = 0; memmove(@L, before, 8);")
                .operate("if (strlen(@L) > 3) sink = 1;"),
            _ => plant("typedef int *T;")
                .prepare("@L = @W ? malloc(8) : calloc(2, 4);")
                .operate("if (@L[1]) sink = 2;")
                .finish("free(@L);"),
        };
    }
    let integer = wish.one(&["int", "unsigned char", "short", "long", "unsigned", "long long"]);
    let of = |ty: &str| plant(&format!("typedef {ty} T;"));
    match wish.random.below(8) {
        0 | 1 => of(integer).prepare(set(integer, "3")).operate("if (@L > 2) sink = 1;"),
        2 => of("int")
            .prepare(set("int", "3"))
            .operate("switch (@L) { case 3: sink = 1; break; default: sink = 2; }"),
        3 => {
            of("unsigned").prepare(set("unsigned", "1")).operate("int a[4] = {1, 2, 3, 4}; sink = a[@L & 3];")
        }
        4 => plant("typedef struct { int a, b; } T;")
            .prepare("T before; before.a = 1; if (!(@W)) before.b = 2; @L = before;")
            .operate("if (@L.b) sink = 2;"),
        5 => plant("typedef struct { unsigned a : 3, b : 5; } T;")
            .prepare("T before; before.a = 1; if (!(@W)) before.b = 2; @L = before;")
            .operate("if (@L.b == 3) sink = 2;"),
        6 => of("int").prepare(set("int", "4")).operate("int i; for (i = 0; i < (@L & 3); i++) sink = i;"),
        _ => of("int")
            .top("int sink; static int twice(int x) { return x + x; }")
            .prepare(set("int", "2"))
            .operate("if (twice(@L) > 3) sink = 1;"),
    }
}

pub(super) fn assertion(wish: &mut Wish) -> Plant {
    let plant = |define: &str| Plant { define: define.to_owned(), ..Plant::default() };
    let good = wish.number(0, 100);
    if wish.library {
        return match wish.random.below(8) {
            0 => plant("typedef char T[8];")
                .prepare("memset(@L, 0, 8); memcpy(@L, @W ? \"abx\" : \"abc\", 3);")
                .operate("assert(@L[2] == 'c' && @L[3] == 0);"),
            1 => plant("typedef int T;").prepare("memset(&@L, @W ? 2 : 1, sizeof @L);").operate("assert(@L == 0x01010101);"),
            2 => plant("typedef char T[8];").prepare("strcpy(@L, @W ? \"ab\" : \"abc\");").operate("assert(strlen(@L) == 3);"),
            3 => plant("typedef char T[12];")
                .prepare("strcpy(@L, \"ab\"); strcat(@L, @W ? \"ce\" : \"cd\");")
                .operate("assert(strcmp(@L, \"abcd\") == 0);"),
            4 => plant("typedef int *T;")
                .prepare(format!("@L = calloc(3, sizeof(int)); @L[1] = {good}; @L = realloc(@L, 40); @L[9] = 1 + @W;"))
                .operate(format!("assert(@L[1] + @L[9] == {good} + 1);"))
                .finish("free(@L);"),
            5 => plant("typedef int T;").prepare("@L = atoi(@W ? \"43\" : \"42\");").operate("assert(@L == 42);"),
            6 => plant("typedef int T[5];")
                .prepare("for (int i = 0; i < 5; i++) @L[i] = i; memmove(&@L[1], &@L[0], 3 * sizeof(int)); if (@W) @L[2]++;")
                .operate("assert(@L[1] == 0 && @L[2] == 1 && @L[3] == 2 && @L[4] == 4);"),
            _ => plant("typedef const char *T;").prepare("@L = strchr(\"hello\", @W ? 'e' : 'l');").operate("assert(@L[0] == 'l');"),
        };
    }
    match wish.random.below(20) {
        0 | 1 => {
            let ty = wish.one(&["signed char", "unsigned char", "short", "int", "unsigned", "long", "long long", "unsigned long"]);
            plant(&format!("typedef {ty} T;")).prepare(format!("@L = {good} + @W;")).operate(format!("assert(@L == {good});"))
        }
        2 => plant("typedef unsigned char T;").prepare(format!("@L = 256 + {good} + @W;")).operate(format!("assert(@L == {good});")),
        3 => plant("typedef signed char T;").prepare("@L = @W ? 128 : 127;").operate("if (@L < 0) reach_error();"),
        4 => plant("typedef struct { unsigned a : 3; int b : 5; unsigned c : 9; } T;")
            .prepare("@L.a = @W ? 9 : 5; @L.b = -3; @L.c = 511;")
            .operate("assert(@L.a == 5 && @L.b == -3 && @L.c == 511);"),
        5 => plant("typedef union { unsigned word; unsigned char bytes[4]; } T;")
            .prepare("@L.word = 0x01020304; if (@W) @L.bytes[1] = 9;")
            .operate("assert(@L.word == 0x01020304 && @L.bytes[0] == 4);"),
        6 => plant("typedef int T[4];")
            .prepare("for (int i = 0; i < 4; i++) @L[i] = i; if (@W) @L[2] = 7;")
            .operate("int sum = 0; for (int i = 0; i < 4; i++) sum += @L[i]; assert(sum == 6);"),
        7 => plant("typedef struct { struct { int a, b; } in[2]; } T;")
            .prepare("@L.in[0].a = 1; @L.in[0].b = 2; @L.in[1] = @L.in[0]; if (@W) @L.in[1].b++;")
            .operate("assert(@L.in[1].a == 1 && @L.in[1].b == 2);"),
        8 => plant("typedef int (*T)(int); static int up(int x) { return x + 1; } static int down(int x) { return x - 1; }")
            .prepare("@L = @W ? down : up;")
            .operate("assert(@L(4) == 5);"),
        9 => plant("typedef int **T; static int cell, *inner;")
            .prepare(format!("inner = &cell; @L = &inner; **@L = {good}; if (@W) cell++;"))
            .operate(format!("if (**@L != {good}) reach_error();")),
        10 => plant("typedef unsigned T;").prepare("@L = 0u - 1u; if (@W) @L = @L / 2;").operate("assert(@L == 4294967295u);"),
        11 => plant("typedef _Bool T;").prepare("@L = @W ? 0 : 6;").operate("assert(@L == 1);"),
        12 => plant("enum color { RED, GREEN = 5, BLUE }; typedef enum color T;")
            .prepare("@L = @W ? GREEN : BLUE;")
            .operate("assert(@L == 6);"),
        13 => plant("typedef struct { char c; int v[3]; } T; static T made(int n) { T t = {1, {n, n + 1, 3}}; return t; }")
            .prepare("@L = made(@W ? 3 : 4);")
            .operate("T copy = @L; assert(copy.v[1] == 5 && copy.c == 1);"),
        14 => plant("typedef int T; static int sum(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n-- > 0) s += va_arg(l, int); va_end(l); return s; }")
            .prepare("@L = sum(@W ? 2 : 3, 1, 2, 4);")
            .operate("assert(@L == 7);"),
        15 => plant("typedef int T[5];")
            .prepare("for (int i = 0; i < 5; i++) @L[i] = i;")
            .operate("int *end = &@L[5], *at = &@L[@W ? 1 : 2]; assert(end - at == 3 && at[-1] == 1);"),
        16 => plant("struct outer { int a; struct { char x; int b; } in; }; typedef struct outer T;")
            .prepare("@L.a = 3; @L.in.b = 4; if (@W) @L.a = 4;")
            .operate("int *q = &@L.in.b; struct outer *o = (struct outer *)((char *)q - offsetof(struct outer, in.b)); assert(o->a == 3);"),
        17 => plant("typedef short T[2][3];")
            .prepare("for (int i = 0; i < 6; i++) @L[i / 3][i % 3] = i; if (@W) (&@L[0][0])[4] = 9;")
            .operate("assert(@L[1][1] == 4);"),
        18 => plant("typedef long long T;")
            .prepare("@L = 1LL << 40; @L |= @W ? 3 : 1;")
            .operate("unsigned *half = (unsigned *)&@L; assert(half[0] == 1 && half[1] == 256);"),
        _ => plant("typedef int T;").prepare("@L = -7; if (@W) @L = -8;").operate("assert(@L / 2 == -3 && @L % 2 == -1);"),
    }
}

/// Places that the program says are never reached.
pub(super) fn unreachable(wish: &mut Wish) -> Plant {
    let plant = Plant::of(Fault::Unreachable, "typedef int T;").top("int sink;");
    let good = wish.number(1, 9);
    let value = if wish.library { format!("abs(@W ? 0 : -{good})") } else { format!("@W ? 0 : {good}") };
    let plant = plant.prepare(format!("@L = {value};"));
    match wish.random.below(3) {
        0 => plant.operate("if (@L == 0) __builtin_unreachable(); sink = @L;"),
        1 => plant.operate(format!(
            "switch (@L) {{ case {good}: sink = 1; break; default: __builtin_unreachable(); }}"
        )),
        _ => plant.operate("while (@L == 0) __builtin_unreachable(); sink = 2;"),
    }
}
