// verdict: holds
// A predicate for the abstraction is a hint.
int nondet_int();

int main() {
    int x = 0, n = nondet_int();
    while (n > 0) {
        __CPROVER_predicate(x >= 0);
        if (x < 5)
            x = x + 1;
        n--;
    }
    assert(x >= 0);
    return 0;
}
