// verdict: holds
// args: --64
// CBMC's size_t has the width of a pointer.
int main(void) {
    assert(sizeof(__CPROVER_size_t) == sizeof(void *));
    assert(sizeof(__CPROVER_ssize_t) == sizeof(void *) && (__CPROVER_ssize_t)-1 < 0);
    return 0;
}
