// exit: 2
// stderr: `__CPROVER_rounding_mode` is no variable that Boolero knows
extern int __CPROVER_rounding_mode;

int main(void) {
    __CPROVER_rounding_mode = 1;
    return 0;
}
