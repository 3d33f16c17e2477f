// verdict: violated
// A number is finite, and not normal if it is zero.
int main(void) {
    double zero = 0.0;
    assert(__CPROVER_isfinited(zero));
    assert(__CPROVER_isnormald(zero));
    return 0;
}
