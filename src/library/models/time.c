// The time (C11 7.27). It may stand still, or go back.
//
// The lowering's; where the machine has a function of its own, it takes that one.

void __VERIFIER_assume(int condition);
long boolero_nondet_time(void);
void boolero_unsupported(const char *what);

// −1 if it is not known.
long time(long *to) {
    long now = boolero_nondet_time();
    __VERIFIER_assume(now >= -1);
    if (to != 0)
        *to = now;
    return now;
}

long boolero_nondet_ticks(void);

// −1 if it is not known.
long clock(void) {
    long ticks = boolero_nondet_ticks();
    __VERIFIER_assume(ticks >= -1);
    return ticks;
}

// These functions are not the machine's: it asks for the same inputs as the lowering.
long boolero_nondet_clock(void);

struct boolero_time {
    long seconds;
    long fraction;
};

// 0 if it succeeds.
int gettimeofday(struct boolero_time *to, void *zone) {
    if (boolero_nondet_clock() < 0)
        return -1;
    if (to != 0) {
        to->seconds = boolero_nondet_clock();
        to->fraction = boolero_nondet_clock();
        __VERIFIER_assume(to->fraction >= 0 && to->fraction < 1000000);
    }
    if (zone != 0)
        boolero_unsupported("the time zone of gettimeofday");
    return 0;
}

// 0 if it succeeds.
int clock_gettime(int clock, struct boolero_time *to) {
    if (boolero_nondet_clock() < 0)
        return -1;
    to->seconds = boolero_nondet_clock();
    to->fraction = boolero_nondet_clock();
    __VERIFIER_assume(to->fraction >= 0 && to->fraction < 1000000000);
    return 0;
}
