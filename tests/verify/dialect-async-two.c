// verdict: violated
// The same without the critical section.
int inside;

void *enter(void *argument) {
    inside++;
    assert(inside == 1);
    inside--;
    return 0;
}

int main(void) {
__CPROVER_ASYNC_1:
    enter(0);
__CPROVER_ASYNC_2:
    enter(0);
    return 0;
}
