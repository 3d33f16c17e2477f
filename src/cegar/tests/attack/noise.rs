//! Statements around a planted fault that have nothing to do with it and nothing wrong with them.

/// Functions and variables of one statement, and the statement; `#` is its number in the program. `in` is the input.
const NOISE: [(&str, &str); 17] = [
    ("", "int n# = 3; n# += 2; if (n# > 9) n# = 0;"),
    ("", "if (in != in) { *(int *)0 = 1; noise = 1 / noise; }"),
    ("", "int na#[3] = {1, 2, 3}; int *nb# = na#, **nc# = &nb#; **nc# = 4; noise = na#[0];"),
    ("", "if (in > 2) goto over#; noise = 7; over#: noise++;"),
    ("", "switch (in & 3) { case 0: noise++; break; case 2: noise = 2; default: ; }"),
    ("static int nf#(int x) { return x < 3 ? x : 3; }", "noise = nf#(nf#(in & 7));"),
    ("", "char *nm# = malloc(3); nm#[0] = 1; free(nm#);"),
    ("", "for (unsigned ni# = 0; ni# < 3; ni#++) noise += ni#;"),
    ("", "union { int i; unsigned char b[4]; } nu#; nu#.i = 5; nu#.b[1] = 0; noise = nu#.i;"),
    ("static int ns#(void) { static int n; if (n < 5) n++; return n; }", "noise = ns#(); noise = ns#();"),
    ("static int np#(int x) { return x & 3; }", "int (*nq#)(int) = np#; noise = nq#(in);"),
    ("", "char nz#[8], ny#[8]; memset(nz#, 0, 8); memcpy(ny#, nz#, 8); noise = ny#[3];"),
    ("", "for (int k# = 0; k# < 2; k#++) { int x = k#, *q = &x; *q += 1; noise += *q; }"),
    ("", "int *nr# = calloc(2, 4); nr# = realloc(nr#, 16); nr#[3] = 1; noise = nr#[1]; free(nr#);"),
    ("struct nv# { unsigned a : 5; int b : 7; } nv#;", "nv#.a = in; nv#.b = 3; noise = nv#.a;"),
    // Only in programs without threads of their own: these come last.
    ("static int nd#(int n) { return n <= 0 ? 0 : 1 + nd#(n - 1); }", "noise = nd#(3);"),
    (
        "static void *nw#(void *p) { *(int *)p = 1; return 0; }",
        "pthread_t nt#; int nx# = 0; pthread_create(&nt#, 0, nw#, &nx#); pthread_join(nt#, 0);",
    ),
];

/// How many kinds there are, with threads or without.
pub(super) fn kinds(threads: bool) -> usize {
    if threads { NOISE.len() - 2 } else { NOISE.len() - 1 }
}

/// The declarations and the statement of one kind, with this number.
pub(super) fn noise(kind: usize, number: usize) -> (String, String) {
    let (top, statement) = NOISE[kind % NOISE.len()];
    let numbered = |text: &str| text.replace('#', &number.to_string());
    (numbered(top), numbered(statement))
}
