// verdict: violated
// Any number of threads by one label, of which three are wrong.
int inside;
int nondet_int();

void worker() {
    __CPROVER_atomic_begin();
    inside = inside + 1;
    __CPROVER_atomic_end();
    assert(inside <= 2);
    __CPROVER_atomic_begin();
    inside = inside - 1;
    __CPROVER_atomic_end();
}

int main() {
    while (nondet_int()) {
    __CPROVER_ASYNC_1:
        worker();
    }
    return 0;
}
