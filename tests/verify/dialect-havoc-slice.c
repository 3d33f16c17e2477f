// verdict: violated
// The given bytes become arbitrary.
int a[4] = {1, 2, 3, 4};

int main(void) {
    __CPROVER_havoc_slice(a, sizeof(int));
    assert(a[0] == 1);
    return 0;
}
