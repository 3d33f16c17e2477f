// verdict: holds
// A ring buffer that is a member of a static device struct, beside its indices, counters and flags: the ring is an array, the other
// members are variables of their own. The mask keeps indices within the ring.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
#define assert(c) ((c) ? (void)0 : reach_error())
void reach_error(void) { abort(); }

#define SIZE 16
#define MASK (SIZE - 1)
#define EBUSY 16
#define ENODEV 19

enum state { OFF, IDLE, RUNNING, FAILED };

struct stats { unsigned long sent, received, dropped; };

struct device {
    enum state state;
    int opened;
    int irq_enabled;
    unsigned ring[SIZE];
    unsigned head, tail;
    unsigned length;
    int locked;
    struct stats stats;
    int up;
};

static struct device dev;

static void lock(struct device *d) { assert(!d->locked); d->locked = 1; }
static void unlock(struct device *d) { assert(d->locked); d->locked = 0; }

static int push(struct device *d, unsigned word)
{
    if (d->length == SIZE)
        return -EBUSY;
    d->ring[d->head & MASK] = word;
    d->head = d->head + 1;
    d->length++;
    return 0;
}

static int pop(struct device *d, unsigned *word)
{
    if (d->length == 0)
        return -EBUSY;
    *word = d->ring[d->tail & MASK];
    d->tail = d->tail + 1;
    d->length--;
    return 0;
}

static int dev_open(struct device *d)
{
    if (d->state != OFF)
        return -EBUSY;
    lock(d);
    d->state = IDLE;
    d->head = d->tail = d->length = 0;
    d->irq_enabled = 1;
    d->opened = 1;
    unlock(d);
    return 0;
}

static int dev_start(struct device *d)
{
    if (d->state != IDLE)
        return -ENODEV;
    lock(d);
    d->up = 1;
    d->state = RUNNING;
    unlock(d);
    return 0;
}

static int dev_send(struct device *d, unsigned word)
{
    int result;
    if (d->state != RUNNING)
        return -ENODEV;
    lock(d);
    assert(d->up);
    result = push(d, word);
    if (result)
        d->stats.dropped++;
    else
        d->stats.sent++;
    unlock(d);
    return result;
}

static void dev_interrupt(struct device *d)
{
    unsigned word;
    if (!d->irq_enabled)
        return;
    assert(d->opened);
    lock(d);
    if (pop(d, &word) == 0)
        d->stats.received++;
    unlock(d);
}

static void dev_stop(struct device *d)
{
    if (d->state != RUNNING)
        return;
    lock(d);
    d->up = 0;
    d->state = IDLE;
    unlock(d);
}

static void dev_close(struct device *d)
{
    if (d->state != IDLE)
        return;
    lock(d);
    d->irq_enabled = 0;
    d->opened = 0;
    d->state = OFF;
    unlock(d);
}

int main(void)
{
    struct device *d = &dev;
    while (__VERIFIER_nondet_int()) {
        switch (__VERIFIER_nondet_int()) {
        case 0: dev_open(d); break;
        case 1: dev_start(d); break;
        case 2: dev_send(d, __VERIFIER_nondet_uint()); break;
        case 3: dev_interrupt(d); break;
        case 4: dev_stop(d); break;
        default: dev_close(d); break;
        }
        assert(!d->locked);
        assert(d->length <= SIZE);
        assert(d->up == (d->state == RUNNING));
    }
    return 0;
}
