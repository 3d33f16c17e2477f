// verdict: holds
// A precondition is an assertion of the callee.
int half(int x) {
    __CPROVER_precondition(x >= 0, "not negative");
    return x / 2;
}

int main(void) {
    assert(half(8) == 4);
    return 0;
}
