// verdict: holds
// Statement expressions, typeof, local labels, omitted operands, case ranges, nested __extension__.
#define max(a, b)                                                                                                      \
    ({                                                                                                                 \
        typeof(a) _a = (a);                                                                                            \
        __typeof__(b) _b = (b);                                                                                        \
        _a > _b ? _a : _b;                                                                                             \
    })
int nondet_int(void);

static int first(int x) {
    return __extension__({
        __label__ out;
        __extension__ int y = x;
        if (y > 0)
            goto out;
        y = -1;
    out:
        y;
    });
}

int main(void) {
    int x = nondet_int(), y = nondet_int();
    assert(max(x, max(y, 0)) >= x);
    assert(first(5) == 5 && first(-7) == -1);
    switch (x) {
    case 0 ... 9:
        assert(x < 10 && x >= 0);
        break;
    case 10:
        assert((x ?: 3) == 10);
        break;
    default:
        assert(x < 0 || x > 10);
    }
    return 0;
}
