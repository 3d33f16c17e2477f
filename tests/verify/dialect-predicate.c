// verdict: violated
// A predicate that does not hold is no assumption.
int nondet_int();

int main() {
    int x = nondet_int();
    __CPROVER_predicate(x > 5);
    assert(x > 5);
    return 0;
}
