// verdict: violated
// args: --checks overflow
// There is no wider integer to compute the exact sum in.
int main(void) {
    __int128 x = (__int128)1 << 126;
    x = x + x;
    return 0;
}
