// The time (C11 7.27). It may stand still, or go back.
//
// The lowering's; the machine has its own.

void __VERIFIER_assume(int condition);
long boolero_nondet_time(void);

// −1 if it is not known.
long time(long *to) {
    long now = boolero_nondet_time();
    __VERIFIER_assume(now >= -1);
    if (to != 0)
        *to = now;
    return now;
}
