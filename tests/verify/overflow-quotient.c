// verdict: violated
// property: main.overflow.1 violated
// property: main.overflow.2 holds
// args: --checks overflow
// The least integer divided by -1 is an overflow; a division by zero is none.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    int quotient = x / y;
    return x > 0 ? x % y : quotient;
}
