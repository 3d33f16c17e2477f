// verdict: violated
// A small interpreter of commands of a device, with a table of labels: it pops what nobody has pushed.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int depth;

static int interpret(void) {
  static const void *const table[] = {&&push, &&pop, &&stop};
  int steps = 0;
next:
  if (++steps > 3) goto stop;
  unsigned char command = __VERIFIER_nondet_uchar();
  if (command > 2) command = 2;
  goto *table[command];
push:
  if (depth < 2) depth++;
  goto next;
pop:
  depth--;
  goto next;
stop:
  return steps;
}

int main(void) {
  interpret();
  assert(depth >= 0 && depth <= 2);
  return 0;
}
