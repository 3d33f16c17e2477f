// verdict: holds
// without random runs: holds
// args: --checks pointer
// The number is never used as an address.
extern int __VERIFIER_nondet_int(void);
static int target[4];
static int *places[3];

int main(void) {
    int in = __VERIFIER_nondet_int();
    int wrong = in == 5 && in != 5;
    places[2] = wrong ? (int *)123456789 : target;
    return *places[2];
}
