// verdict: violated
// args: --checks shift
// clang makes the number of bits narrower before it shifts: the upper half of `n` counts all the same.
int main(void) {
    long long n = 1LL << 32;
    return 1u << n;
}
