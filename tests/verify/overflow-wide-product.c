// verdict: violated
// property: main.overflow.1 holds
// property: main.overflow.2 violated
// args: --checks overflow
// Products of more than 64 bits do not fit a term twice as wide.
int main(void) {
    __int128 x = ((__int128)1 << 126) + 1, y = x * -1;
    y = y * 3;
    return 0;
}
