// verdict: violated
// args: --checks bounds
// One iteration too many.
static int table[10];

int main(void) {
    int i;
    for (i = 0; i <= 10; i++) {
        table[i] = 0;
    }
    return 0;
}
