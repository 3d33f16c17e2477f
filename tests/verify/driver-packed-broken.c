// verdict: violated
// A byte is written one behind its place.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct header {
  unsigned char type;
  unsigned short length;
  unsigned char flags;
} __attribute__((packed));

int main(void) {
  struct header header = {1, 0, 0};
  unsigned char *bytes = (unsigned char *)&header;
  unsigned short length = __VERIFIER_nondet_int();
  bytes[1] = length & 255;
  bytes[3] = length >> 8;
  assert(sizeof header == 4 && header.type == 1 && header.flags == 0);
  assert(header.length == length);
  return 0;
}
