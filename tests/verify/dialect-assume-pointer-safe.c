// verdict: holds
// An assumption about a pointer.
int y;
int nondet_int(void);

int main(void) {
    int *p = 0;
    if (nondet_int())
        p = &y;
    __CPROVER_assume(p);
    *p = 3;
    assert(y == 3);
    return 0;
}
