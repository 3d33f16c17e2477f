// verdict: violated
// A precondition is an assertion of the callee.
int nondet_int(void);
int half(int x) {
    __CPROVER_precondition(x >= 0, "not negative");
    return x / 2;
}

int main(void) {
    half(nondet_int());
    return 0;
}
