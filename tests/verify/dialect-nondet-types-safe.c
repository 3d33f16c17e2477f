// verdict: holds
// Inputs of all types stay in the ranges of their types.
_Bool nondet_bool(void);
char nondet_char(void);
signed char nondet_schar(void);
unsigned char nondet_uchar(void);
short nondet_short(void);
unsigned short nondet_ushort(void);
unsigned int nondet_uint(void);

int main(void) {
    int sum = nondet_bool() + nondet_uchar();
    assert(sum >= 0 && sum <= 256);
    short s = nondet_short();
    assert(s >= -32768 && s <= 32767);
    assert(nondet_ushort() <= 65535);
    signed char c = nondet_schar();
    assert(c >= -128 && c < 128);
    return 0;
}
