// verdict: violated
// without random runs: violated
// args: --undefined-functions pure
// A pointer from an undefined function: the run needs it to lead somewhere, and a value there.
extern void reach_error(void);
struct device { int state; struct device *next; };
extern struct device *find_device(int number);

int main(void) {
    struct device *d = find_device(1);
    if (d && d->next && d->next->state == 77) reach_error();
    return 0;
}
