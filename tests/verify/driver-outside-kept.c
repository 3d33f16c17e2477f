// verdict: holds
// args: --undefined-functions pure
// What is written to memory from outside stays there.
extern void reach_error(void);
struct device { int state; int users; };
extern struct device *find_device(int number);

int main(void) {
    struct device *d = find_device(1);
    if (!d) return 0;
    d->state = 4;
    d->users = 1;
    if (d->state != 4) reach_error();
    return 0;
}
