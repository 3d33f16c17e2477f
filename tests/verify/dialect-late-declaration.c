// verdict: holds
// args: --64
// gcc knows memcpy before it is declared; so does what CIL writes. The helper is declared later, too.
typedef unsigned long size_t;

struct pair {
    int a, b;
};

extern void __VERIFIER_error(void);

static int copied(struct pair *to, struct pair *from) {
    memcpy(to, from, sizeof *to);
    return twice(to->a);
}

extern void *memcpy(void *to, void const *from, size_t n);

static long twice(int x) {
    return 2 * x;
}

int main(void) {
    struct pair p = {1, 2}, q = {3, 4};
    if (copied(&p, &q) != 6)
        __VERIFIER_error();
    return 0;
}
