// verdict: violated
// args: --checks uninitialised
int main(void) {
    int n = 0;
    for (int i = 0; i < 2; i++) {
        int x;
        if (i == 0)
            x = 1;
        if (x)
            n++;
    }
    return n;
}
