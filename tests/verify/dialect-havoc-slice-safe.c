// verdict: holds
// Other variables stay as they are.
int x = 1, y = 2;

int main(void) {
    __CPROVER_havoc_slice(&x, sizeof x);
    assert(y == 2);
    return 0;
}
