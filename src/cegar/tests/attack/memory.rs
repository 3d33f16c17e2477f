//! Null pointers, bounds, objects that have ended, `free`, leaks.

use super::plant::{Plant, Wish};
use crate::ir::undefined::Fault;

pub(super) fn null(wish: &mut Wish) -> Plant {
    let plant = |define: &str| Plant::of(Fault::Null, define).top("int target[4] = {1, 2, 3}; long sink;");
    let pointer = || plant("typedef int *T;").prepare("@L = @W ? 0 : target;");
    if wish.library {
        let operate = wish.one(&[
            "memset(@L, 0, 8);",
            "int copy[2]; memcpy(copy, @L, 8); sink = copy[0];",
            "memmove(@L, target + 1, 4);",
            "sink = memcmp(@L, target, 4);",
        ]);
        return match wish.random.below(4) {
            3 => plant(
                "typedef pthread_t *T; static pthread_t thread; static void *nothing(void *p) { return p; }",
            )
            .prepare("@L = @W ? 0 : &thread;")
            .operate("pthread_create(@L, 0, nothing, 0);"),
            0 => plant("typedef const char *T;").prepare("@L = @W ? 0 : \"text\";").operate(wish.one(&[
                "sink = strlen(@L);",
                "sink = strcmp(@L, \"t\");",
                "char copy[8]; strcpy(copy, @L);",
            ])),
            1 => plant("typedef const char *T;")
                .prepare("@L = strchr(\"text\", @W ? 'y' : 'x');")
                .operate("sink = @L[0];"),
            _ => pointer().operate(operate),
        };
    }
    match wish.random.below(7) {
        0 => pointer().operate("*@L = 3;"),
        1 => pointer().operate("sink = @L[2];"),
        2 => {
            plant("struct pair { int a; struct pair *next; }; typedef struct pair *T; struct pair pairs[2];")
                .prepare("pairs[0].next = @W ? 0 : &pairs[1]; @L = &pairs[0];")
                .operate("@L->next->a = 4;")
        }
        3 => plant("typedef int (*T)(int); static int same(int x) { return x; }")
            .prepare("@L = @W ? 0 : same;")
            .operate("sink = @L(3);"),
        4 => plant("typedef int **T; static int *inner;")
            .prepare("inner = @W ? 0 : target; @L = &inner;")
            .operate("sink = **@L;"),
        5 => plant("typedef unsigned long T;")
            .prepare("@L = @W ? 0 : (unsigned long)target;")
            .operate("sink = *(int *)@L;"),
        _ => pointer().operate("struct view { int a, b; } *view = (struct view *)@L; view->b = 2;"),
    }
}

pub(super) fn bounds(wish: &mut Wish) -> Plant {
    let size = wish.number(2, 7);
    let ty = wish.one(&["char", "short", "int", "long", "unsigned char", "long long"]);
    let plant = |ty: &str| Plant::of(Fault::Bounds, format!("typedef {ty} T[{size}];")).top("long sink;");
    let index = wish.random.below(size);
    let zeros = "for (int i = 0; i < (int)(sizeof @L / sizeof @L[0]); i++) @L[i] = 1;";
    if wish.library {
        return library_bounds(wish, &plant, size);
    }
    let far = [size, size + 1, size + 40, size + 5000][wish.random.below(4)];
    match wish.random.below(8) {
        0 | 1 => plant(ty).prepare(zeros).operate(format!("@L[@W ? {far} : {index}] = 1;")),
        2 => plant(ty).prepare(zeros).operate(format!("sink = @L[@W ? -100 : {index}];")),
        3 => plant(ty).prepare(zeros).operate(format!("for (int i = 0; i < {size} + @W; i++) @L[i] = i;")),
        4 => plant(ty)
            .prepare(zeros)
            .operate(format!("{ty} *q = &@L[0] + {size}; q -= @W ? 0 : 1; *q = 2;")),
        5 => plant(ty).prepare(zeros).operate(format!("unsigned char at = 250; at += @W ? {} : 6; sink = @L[at];", size + 6)),
        6 => plant("char")
            .prepare(zeros)
            .operate(format!("sink = *(short *)&@L[{size} - 2 + (@W ? 1 : 0)];")),
        _ => plant(ty)
            .prepare(zeros)
            .operate(format!("int at = @W ? {far} : {index}; switch (at) {{ case {far}: @L[at] = 1; break; default: @L[at]++; }}")),
    }
}

/// Bounds that a library function does not keep.
fn library_bounds(wish: &mut Wish, plant: &dyn Fn(&str) -> Plant, size: usize) -> Plant {
    let text = &"abcdefghij"[..size];
    let fill = format!("memset(@L, 'a', {size}); @L[{size} - 1] = @W ? 'b' : 0;");
    match wish.random.below(8) {
        0 => plant("int").operate("memset(@L, 0, sizeof(T) + (@W ? 1 : 0));"),
        1 => plant("int")
            .prepare("memset(@L, 0, sizeof(T));")
            .operate("char copy[99]; memcpy(copy, @L, sizeof(T) + (@W ? 3 : 0)); sink = copy[0];"),
        2 => plant("char")
            .prepare("@L[0] = 0;")
            .operate(format!("strcpy(@L, @W ? \"{text}\" : \"a\"); sink = @L[0];")),
        3 => plant("char").prepare(fill).operate("sink = strlen(@L);"),
        4 => plant("char").prepare("@L[0] = 0;").operate(format!("strncpy(@L, \"x\", {size} + @W);")),
        5 => plant("char").prepare("@L[0] = 0;").operate(format!("strcat(@L, @W ? \"{text}\" : \"a\");")),
        6 => plant("short")
            .prepare("memset(@L, 0, sizeof(T));")
            .operate(format!("memmove(&@L[@W ? 1 : 0], &@L[0], {size} * 2);")),
        _ => plant("char").prepare(fill).operate("char copy[20]; strcpy(copy, @L); sink = copy[0];"),
    }
}

pub(super) fn pointer(wish: &mut Wish) -> Plant {
    let plant = |define: &str| Plant::of(Fault::Pointer, define).top("int target[4]; long sink;");
    let access = match wish.library {
        false => wish.one(&[
            "*@L = 2;",
            "sink = *@L;",
            "sink = @L[0] + 1;",
            "int **again = &@L; **again = 4;",
            "(*@L)++;",
        ]),
        true => wish.one(&[
            "memset(@L, 0, 4);",
            "int copy; memcpy(&copy, @L, 4);",
            "memmove(@L, target, 3);",
            "sink = memcmp(@L, target, 4);",
        ]),
    };
    let integer = || plant("typedef int *T;");
    match wish.random.below(14) {
        0 | 1 => integer()
            .prepare("@L = malloc(4); *@L = 1; if (@W) free(@L);")
            .operate(access)
            .finish("if (!(@W)) free(@L);"),
        2 => integer()
            .prepare("@L = malloc(8); *@L = 1; int *old = @L; @L = realloc(@L, 400); if (@W) { free(@L); @L = old; }")
            .operate(access)
            .finish("if (!(@W)) free(@L);"),
        3 => integer()
            .top("int target[4]; long sink; static void local(int **to) { int x = 3; *to = &x; }")
            .prepare("@L = target; if (@W) local(&@L);")
            .operate(access),
        4 => integer().prepare("@L = target; { int x = 1; if (@W) @L = &x; }").operate(access),
        5 => integer().prepare("@L = @W ? (int *)123456789 : target;").operate(access),
        6 => plant("typedef char *T;")
            .top("static const int constant[2] = {1, 2}; char letters[8]; long sink;")
            .prepare("@L = @W ? (char *)constant : letters;")
            .operate(if wish.library { "memset(@L, 1, 3);" } else { "@L[1] = 'x';" }),
        7 => plant("struct node { struct node *next; int v; }; typedef struct node *T;")
            .prepare(
                "@L = malloc(sizeof(struct node)); @L->next = malloc(sizeof(struct node)); @L->next->v = 1; \
                 @L->next->next = 0; @L->v = 2; if (@W) free(@L->next);",
            )
            .operate("@L->next->v++;")
            .finish("if (!(@W)) free(@L->next); free(@L);"),
        8 => integer()
            .prepare("@L = target; for (int i = 0; i < 2; i++) { int x = i; if (i == 1 && (@W)) *@L = 3; if (@W) @L = &x; }")
            .operate(access),
        9 => integer()
            .top("int target[4]; long sink; static int *kept; static void keep(void) { int x[2] = {1, 2}; kept = x; }")
            .prepare("keep(); @L = @W ? kept : target;")
            .operate(access),
        10 => integer()
            .top("int target[4]; long sink; static void drop(int *p) { free(p); }")
            .prepare("@L = calloc(2, 4); int *alias = @L; if (@W) drop(alias);")
            .operate(access)
            .finish("if (!(@W)) drop(@L);"),
        // A pointer through a freed object: the object it leads to lives, the pointer itself does not.
        11 => plant("typedef int ***T;")
            .prepare("@L = malloc(sizeof(int **)); *@L = malloc(sizeof(int *)); **@L = target; if (@W) free(*@L);")
            .operate("sink = ***@L;")
            .finish("if (!(@W)) free(*@L); free(@L);"),
        12 => integer()
            .prepare("int *q = malloc(4); *q = 1; free(q); @L = malloc(4); *@L = 2; if (@W) { int *r = @L; @L = q; free(r); }")
            .operate(access)
            .finish("if (!(@W)) free(@L);"),
        _ => integer()
            .top("int target[4]; long sink; static int *area(int n) { int *p = __builtin_alloca(4 * n); p[0] = n; return p; }")
            .prepare("@L = area(2); if (!(@W)) @L = target;")
            .operate(access),
    }
}

pub(super) fn free(wish: &mut Wish) -> Plant {
    let plant = || Plant::of(Fault::Free, "typedef char *T;").top("char target[4]; long sink;");
    let allocate =
        wish.one(&["@L = malloc(6);", "@L = calloc(3, 2);", "@L = malloc(1); @L = realloc(@L, 9);"]);
    if wish.library {
        return match wish.random.below(3) {
            0 => plant().prepare("@L = strdup(\"abc\"); if (@W) @L++;").operate("free(@L);"),
            1 => plant()
                .prepare(format!("{allocate} if (@W) free(@L);"))
                .operate("@L = realloc(@L, 20);")
                .finish("free(@L);"),
            _ => plant()
                .prepare("@L = malloc(4); if (@W) { free(@L); @L = target; }")
                .operate("@L = realloc(@L, 8);")
                .finish("free(@L);"),
        };
    }
    match wish.random.below(7) {
        0 => plant().prepare(allocate).operate("free(@L); if (@W) free(@L);"),
        1 => plant().prepare(format!("{allocate} if (@W) {{ free(@L); @L = target; }}")).operate("free(@L);"),
        2 => plant().prepare(format!("{allocate} if (@W) @L = @L + 1;")).operate("free(@L);"),
        3 => plant()
            .prepare(format!("{allocate} int local = 1; if (@W) {{ free(@L); @L = (char *)&local; }} "))
            .operate("free(@L);"),
        4 => plant()
            .prepare(format!("{allocate} if (@W) {{ free(@L); @L = (char *)\"text\"; }}"))
            .operate("free(@L);"),
        5 => plant()
            .top("static void drop(char **p) { free(*p); }")
            .prepare(format!("{allocate} char **q = &@L; if (@W) drop(q);"))
            .operate("drop(&@L);"),
        _ => plant().prepare(format!("{allocate} free(@L); if (!(@W)) @L = 0;")).operate("free(@L);"),
    }
}

pub(super) fn leak(wish: &mut Wish) -> Plant {
    let plant = |define: &str| Plant::of(Fault::Leak, define).top("long sink;");
    let letters = || plant("typedef char *T;");
    let lose = wish.one(&[
        "@L = 0;",
        "@L = malloc(2); free(@L); @L = 0;",
        "char *other = @L; other = 0; @L = other;",
    ]);
    if wish.library {
        let allocate = wish.one(&[
            "@L = strdup(\"abc\");",
            "@L = calloc(2, 2);",
            "@L = realloc(0, 5);",
            "@L = malloc(3); @L = realloc(@L, 12);",
        ]);
        return letters().prepare(allocate).operate(format!("if (!(@W)) free(@L); {lose}"));
    }
    match wish.random.below(5) {
        0 => letters().prepare("@L = malloc(4);").operate(format!("@L[1] = 2; if (!(@W)) free(@L); {lose}")),
        1 => plant("struct node { struct node *next; int v; }; typedef struct node *T;")
            .prepare("@L = malloc(sizeof(struct node)); @L->next = malloc(sizeof(struct node)); @L->next->next = 0;")
            .operate("if (!(@W)) free(@L->next); free(@L); @L = 0;"),
        2 => letters().prepare("@L = malloc(4); if (@W) @L = malloc(5);").operate("free(@L); @L = 0;"),
        3 => letters()
            .top("static char *make(int n) { return malloc(n); }")
            .prepare("@L = make(3); if (@W) make(2);")
            .operate("free(@L); @L = 0;"),
        _ => plant("struct node { struct node *next; }; typedef struct node *T;")
            .prepare("@L = 0; for (int i = 0; i < 3; i++) { struct node *n = malloc(sizeof *n); n->next = @L; @L = n; }")
            .operate("for (int i = 0; i < 3 - @W; i++) { struct node *n = @L->next; free(@L); @L = n; } @L = 0;"),
    }
}
