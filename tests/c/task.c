extern void __VERIFIER_error(void);
extern int elsewhere(int);
int main(void) {
    if (sizeof(long) == 4 && elsewhere(1)) {
ERROR:
        __VERIFIER_error();
    }
    return 0;
}
