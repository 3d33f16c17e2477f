// verdict: violated
// without random runs: unknown(an index outside of the array that it is for)
// An index that leaves its array for the next member. C leaves that undefined, and compiled code writes the other member, as the machine
// does. So nothing may hold.
extern void abort(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) { abort(); }
struct device { int ring[4]; int guard; };
static struct device dev;
int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();
    if (i > 4)
        return 0;
    dev.ring[i] = 1;
    if (dev.guard)
        reach_error();
    return 0;
}
