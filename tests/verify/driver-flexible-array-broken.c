// verdict: violated
// args: --checks bounds
// Its length counts the header, too.
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct message {
  unsigned length;
  unsigned char data[0];
};

int main(void) {
  unsigned length = 4, index = __VERIFIER_nondet_uint();
  struct message *message = malloc(sizeof *message + length);
  if (!message) return 0;
  message->length = length;
  if (index < message->length + 1u) message->data[index] = 1;
  free(message);
  return 0;
}
