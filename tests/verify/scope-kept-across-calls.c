// verdict: violated
// args: --checks pointer --hunt 2000
// The second call has the address of a variable of the first one.
int *kept;
static void keep(void) {
    int x = 5;
    if (kept)
        x = *kept;
    kept = &x;
}
int main(void) {
    keep();
    keep();
    return 0;
}
