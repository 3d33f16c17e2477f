// verdict: holds
// A device struct with a ring in it that comes from kzalloc and is reached through private data: the ring is held apart from the other
// members, and zeroing it is one step.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);
void reach_error(void) { abort(); }
static void *kzalloc(unsigned long size) { return calloc(1, size); }

struct bus { void *private; };
struct device { int opened; unsigned ring[4]; unsigned head; };
static struct bus bus;

static void send(struct bus *b, unsigned word)
{
    struct device *d = b->private;
    if (!d->opened)
        reach_error();
    d->ring[d->head % 4] = word;
    d->head++;
}

int main(void)
{
    struct device *d = kzalloc(sizeof *d);
    if (!d)
        return 0;
    if (d->opened)
        reach_error();
    d->opened = 1;
    bus.private = d;
    while (__VERIFIER_nondet_int())
        send(&bus, __VERIFIER_nondet_uint());
    free(d);
    return 0;
}
