// verdict: violated
// args: --64
// An input of 64 bits takes values that no int has.
long nondet_long(void);

int main(void) {
    long x = nondet_long();
    assert(x != 0x123456789ab);
    return 0;
}
