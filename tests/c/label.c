extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 10)
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
