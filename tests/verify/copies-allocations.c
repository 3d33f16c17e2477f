// verdict: violated
// Objects that copies of one wrapper allocate; what the last of them holds counts.
// without random runs: unknown
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct d { int x; int y; };
static void *get(unsigned n) { static int count; count++; void *p = malloc(n); if (!p || count > 3) abort(); return p; }
static struct d *mk(void) { return get(sizeof(struct d)); }
int main(void) {
  struct d *a = mk(); struct d *b = mk();
  a->x = 1; b->x = 2;
  struct d *c = __VERIFIER_nondet_int() ? mk() : get(8);
  if (c->y == 77) assert(a->x == b->x); 
}
