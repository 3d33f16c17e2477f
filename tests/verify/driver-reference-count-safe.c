// verdict: holds
// Whoever gets a reference puts it back.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct object {
  int references;
  int freed;
};
static struct object object;

static void get(struct object *o) {
  assert(!o->freed);
  o->references++;
}
static void put(struct object *o) {
  assert(!o->freed && o->references > 0);
  if (--o->references == 0) o->freed = 1;
}

int main(void) {
  object.references = 1;
  if (__VERIFIER_nondet_int()) {
    get(&object);
    put(&object);
    
  }
  put(&object);
  assert(object.freed);
  return 0;
}
