// exit: 2
// stderr: `__VERIFIER_asume` is no function that Boolero knows
extern void __VERIFIER_asume(int);

int main(void) {
    __VERIFIER_asume(1);
    return 0;
}
