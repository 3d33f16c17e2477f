// exit: 2
// stderr: `__CPROVER_havoc_slice(pointer, size)` makes so many bytes arbitrary
int main(void) {
    int x = 1;
    __CPROVER_havoc_object(&x);
    assert(x == 1);
    return 0;
}
