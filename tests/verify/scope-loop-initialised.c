// verdict: holds
// args: --checks uninitialised,pointer
static void set(int *p) { *p = 3; }
int main(void) {
    int n = 0;
    for (int i = 0; i < 2; i++) {
        int x, y, a[2];
        set(&x);
        a[0] = x;
        a[1] = a[0];
        int *p = &y;
        *p = a[1];
        if (y)
            n++;
    }
    return n;
}
