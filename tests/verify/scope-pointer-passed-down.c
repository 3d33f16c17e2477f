// verdict: holds
// args: --checks pointer
// Addresses that are only passed down are gone when the variable ends.
static void add(int *to, const int *from) { *to = *to | *from; }
static int both(int a) {
    int x = a, y = 1;
    add(&x, &y);
    return x;
}
int main(void) {
    int n = both(1) | both(2);
    for (int i = 0; i < 2; i++) {
        int x = i;
        add(&x, &n);
        n = x;
    }
    return n;
}
