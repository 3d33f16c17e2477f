// verdict: violated
// As driver-container-with-ring-safe.c, but the device goes down before its work is handled.
extern void abort(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) { abort(); }
#define container_of(p, type, member) ((type *)((char *)(p) - __builtin_offsetof(type, member)))

struct work { int pending; };
struct device { int up; unsigned ring[8]; unsigned head; struct work work; };
static struct device dev;

static void handle(struct work *work)
{
    struct device *d = container_of(work, struct device, work);
    if (!d->up)
        reach_error();
    d->ring[d->head & 7] = 1;
    d->head++;
    work->pending = 0;
}

int main(void)
{
    dev.up = 1;
    dev.work.pending = 1;
    dev.head = __VERIFIER_nondet_uint();
    dev.up = 0;
    handle(&dev.work);
    if (dev.work.pending || !dev.up)
        reach_error();
    return 0;
}
