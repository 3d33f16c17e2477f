// verdict: violated
// args: --checks overflow
// Products of more than 64 bits do not fit a term twice as wide.
int main(void) {
    __int128 x = (__int128)1 << 126;
    x = x * 3;
    return 0;
}
