// verdict: violated
// without random runs: violated
// args: --undefined-functions pure
// The same function may find nothing.
extern void reach_error(void);
struct device { int state; };
extern struct device *find_device(int number);

int main(void) {
    struct device *d = find_device(1);
    if (!d) reach_error();
    d->state = 1;
    return 0;
}
