// verdict: holds
// Inputs and outputs for a trace change nothing.
int nondet_int();

int main() {
    int x = nondet_int(), y = x;
    __CPROVER_input("x", x);
    __CPROVER_output("x and y", x, y);
    assert(x == y);
    return 0;
}
