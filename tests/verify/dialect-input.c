// verdict: violated
// Inputs and outputs for a trace change nothing.
int nondet_int();

int main() {
    int x = nondet_int();
    __CPROVER_input("x", x);
    assert(x != 77);
    __CPROVER_output("x", x);
    return 0;
}
