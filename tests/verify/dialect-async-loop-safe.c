// verdict: holds
// Any number of threads by one label.
int lock, inside;
int nondet_int();

void worker() {
    __CPROVER_atomic_begin();
    __CPROVER_assume(lock == 0);
    lock = 1;
    __CPROVER_atomic_end();
    inside = inside + 1;
    assert(inside == 1);
    inside = inside - 1;
    lock = 0;
}

int main() {
    while (nondet_int()) {
    __CPROVER_ASYNC_1:
        worker();
    }
    return 0;
}
