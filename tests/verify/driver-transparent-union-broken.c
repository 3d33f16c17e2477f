// verdict: violated
// The tag does not tell words from bytes.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

typedef union {
  unsigned char *bytes;
  unsigned *words;
} buffer __attribute__((transparent_union));

enum { BYTES, WORDS };

static unsigned first(int tag, buffer from) {
  return tag >= BYTES ? from.bytes[0] : from.words[0];
}

int main(void) {
  unsigned word = __VERIFIER_nondet_int();
  unsigned char byte = word & 255;
  assert(first(BYTES, &byte) == byte);
  assert(first(WORDS, &word) == word);
  return 0;
}
