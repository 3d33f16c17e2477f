// verdict: violated
// A thread that gets a pointer to a global variable.
struct device {
    int opened, count;
} first;

void opener(struct device *device) { device->opened = 1; }

int main(void) {
    struct device *p = &first;
__CPROVER_ASYNC_1:
    opener(p);
    p = 0;
    assert(first.opened == 0);
    return 0;
}
