// verdict: violated
// As driver-slots-in-device-safe.c, but another slot is expected to be busy.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) { abort(); }

struct slot { int busy; unsigned char data[4]; };
struct device { int open; struct slot slots[4]; int in_use; };
static struct device dev;

static struct slot *take(unsigned number)
{
    struct slot *slot = &dev.slots[number % 4];
    slot->busy = 1;
    dev.in_use++;
    return slot;
}

int main(void)
{
    dev.open = 1;
    unsigned number = __VERIFIER_nondet_uint();
    struct slot *slot = take(number);
    slot->data[__VERIFIER_nondet_uint() % 4] = 7;
    if (!dev.open || dev.in_use != 1)
        reach_error();
    if (!dev.slots[(number + 1) % 4].busy)
        reach_error();
    return 0;
}
