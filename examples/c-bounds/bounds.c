// verdict: holds
// args: --checks bounds
// Every access to the ring buffer stays within it.
extern unsigned __VERIFIER_nondet_uint(void);

#define SIZE 8

static unsigned char ring[SIZE];

int main(void) {
    unsigned head = 0, tail = 0;
    while (__VERIFIER_nondet_uint()) {
        if (__VERIFIER_nondet_uint()) {
            ring[head] = 1;
            head = (head + 1) % SIZE;
        } else if (head != tail) {
            ring[tail] = 0;
            tail = (tail + 1) % SIZE;
        }
    }
    return 0;
}
