// verdict: violated
// Whether a product overflows.
int main() {
    assert(__CPROVER_overflow_mult(65536, 32767));
    return 0;
}
