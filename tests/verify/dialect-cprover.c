// verdict: violated
// without random runs: violated
// Names of CBMC and SATABS, and `assert` without its header.
__CPROVER_bool ready;
__CPROVER_thread_local int own;

main() {
    int x = nondet_int();
    __CPROVER_assume(x > 3 && x < 100);
    __CPROVER_assert(x > 2, "x is large");
    __CPROVER_atomic_begin();
    own = x;
    ready = x;
    __CPROVER_atomic_end();
    assert(ready == 1);
    assert(own != 50);
    return 0;
}
