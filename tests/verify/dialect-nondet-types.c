// verdict: violated
// Inputs take the ends of the ranges of their types.
unsigned char nondet_uchar(void);
short nondet_short(void);

int main(void) {
    unsigned char c = nondet_uchar();
    short s = nondet_short();
    assert(!(c == 255 && s == -32768));
    return 0;
}
