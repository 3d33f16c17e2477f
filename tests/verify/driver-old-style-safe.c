// verdict: holds
// Functions without prototypes: definitions of K&R, and calls before the declaration.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int bounded(word, limit) int word;
int limit;
{
  return word < limit ? word : limit;
}

int main(void) {
  int word = __VERIFIER_nondet_int();
  assert(bounded(word, 1000) <= 1000);
  assert(word > 500 || word < 0 || bounded(word, 1000) == word);
  return declared_later(word) == word ? 0 : 1;
}

int declared_later(int x) { return x; }
