// verdict: violated
// Without the assumption about the pointer, the other branch remains.
int y;
int nondet_int(void);

int main(void) {
    int *p = 0;
    if (nondet_int())
        p = &y;
    __CPROVER_assume(!p);
    assert(y == 3);
    return 0;
}
