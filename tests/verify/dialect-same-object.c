// exit: 2
// stderr: `__CPROVER_same_object` is no function that Boolero knows; a program cannot ask which object
int main(void) {
    int x = 1, *p = &x;
    assert(__CPROVER_same_object(p, &x));
    return 0;
}
