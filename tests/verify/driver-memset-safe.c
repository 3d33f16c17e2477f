// verdict: holds
// A request is cleared before it is used again.
#include <assert.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct request {
  int kind;
  char name[8];
  struct request *next;
  unsigned int flags;
};

static struct request request;

static void prepare(int kind) {
  memset(&request, 0, sizeof request);
  request.kind = kind;
}

static void submit(void) {
  assert(request.flags == 0 && !request.next);
  request.flags |= 4;
  request.next = &request;
}

int main(void) {
  prepare(1);
  submit();
  prepare(__VERIFIER_nondet_int());
  submit();
  return 0;
}
