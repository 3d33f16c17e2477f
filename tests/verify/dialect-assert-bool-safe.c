// verdict: holds
// An assertion with CBMC's own prototype.
void __CPROVER_assert(__CPROVER_bool assertion, const char *description);
unsigned nondet_unsigned(void);

int main(void) {
    unsigned x = nondet_unsigned();
    __CPROVER_assert(x / 2 <= x, "half is not more");
    return 0;
}
