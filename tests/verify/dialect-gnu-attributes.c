// verdict: holds
// Attributes that nobody knows change nothing; those that change layouts do.
struct __attribute__((packed, randomize_layout)) packed {
    char c;
    int i;
};
static int __attribute__((noclone, no_reorder, optimize("O3"), externally_visible)) f(void) {
    return 3;
}
typedef int half __attribute__((mode(HI)));
#pragma GCC optimize("O2")
int main(void) {
    __attribute__((unused, nonsense)) int x = f();
    assert(sizeof(struct packed) == 5 && sizeof(half) == 2 && x == 3);
    return 0;
}
