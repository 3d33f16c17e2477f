// verdict: violated
// without random runs: violated
// args: --checks pointer
// An atomic update writes, too.
static const int limit = 1;

int main(void) {
    int *p = (int *)&limit;
    __sync_fetch_and_add(p, 1);
    return 0;
}
