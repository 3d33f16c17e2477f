// verdict: holds
// Two threads by labels, with a critical section.
int busy, inside;

void *enter(void *argument) {
    __CPROVER_atomic_begin();
    __CPROVER_assume(!busy);
    busy = 1;
    __CPROVER_atomic_end();
    inside++;
    assert(inside == 1);
    inside--;
    busy = 0;
    return 0;
}

int main(void) {
__CPROVER_ASYNC_1:
    enter(0);
__CPROVER_ASYNC_2:
    enter(0);
    return 0;
}
