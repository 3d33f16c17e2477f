// exit: 2
// stderr: `__CPROVER_r_ok` is no function that Boolero knows; `--checks null,bounds,pointer,free` looks at every access
int main(void) {
    int x = 1, *p = &x;
    assert(__CPROVER_r_ok(p, sizeof x));
    return *p;
}
