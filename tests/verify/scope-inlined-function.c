// verdict: violated
// args: --checks pointer
// clang puts the body in place of the call, even without optimisation.
static inline __attribute__((always_inline)) int *local(void) {
    int x = 1;
    int *p = &x;
    return p;
}
int main(void) {
    int *q = local();
    return *q;
}
