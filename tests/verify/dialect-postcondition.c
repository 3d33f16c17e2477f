// verdict: violated
// A postcondition is an assertion.
int nondet_int(void);

int clip(int x) {
    int y = x < 0 ? 0 : x > 9 ? 9 : x;
    __CPROVER_postcondition(y >= 0 && y < 9, "clipped");
    return y;
}

int main(void) {
    clip(nondet_int());
    return 0;
}
