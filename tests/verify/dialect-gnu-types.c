// verdict: holds
// Zero-length arrays, arithmetic on void pointers, ranges of designators, old designators, transparent unions, empty structures.
struct buffer {
    int length;
    int data[0];
};
typedef union {
    int *number;
    char *text;
} either __attribute__((__transparent_union__));
struct empty {};
struct pair {
    int a, b;
};
static int table[8] = {[0 ... 3] = 7, [5] = 2};
static struct pair old = {b : 4, a : 3};

static int get(either e) {
    return *e.number;
}

int main(void) {
    int a[3] = {1, 2, 3};
    void *p = a;
    p = p + sizeof(int);
    p += 4;
    assert(*(int *)p == 3);
    assert(sizeof(struct buffer) == sizeof(int) && sizeof(struct empty) == 0 && sizeof(void) == 1);
    assert(table[3] == 7 && table[4] == 0 && table[5] == 2);
    assert(old.a == 3 && old.b == 4);
    assert(get(&a[1]) == 2);
    return 0;
}
