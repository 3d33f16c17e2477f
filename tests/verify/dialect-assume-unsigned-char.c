// verdict: holds
// An assumption whose prototype takes an unsigned char: 256 becomes 0, and nothing passes.
void __CPROVER_assume(unsigned char);

int main(void) {
    __CPROVER_assume(256);
    assert(0);
    return 0;
}
