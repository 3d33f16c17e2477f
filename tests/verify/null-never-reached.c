// verdict: holds
// args: --checks null
// A write to null on purpose, where no run gets.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int in = __VERIFIER_nondet_int();
    if (in != in)
        *(int *)0 = 1;
    return 0;
}
