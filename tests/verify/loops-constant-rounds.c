// verdict: holds
// args: --error-function reach_error --max-iterations 4
// The loops have constant numbers of rounds and nothing to do with the lock: a path that leaves them too early is refuted
// by what it says of the lock, not by unwinding them.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int ra[56], qa[56], sa[56];
int locked, status;
static void lock(void) { if (locked) reach_error(); locked = 1; }
static void unlock(void) { if (!locked) reach_error(); locked = 0; }
int main(void) {
  int i;
  for (i = 0; i < 56; i++) ra[i] = __VERIFIER_nondet_int();
  for (i = 0; i < 40; i++) qa[i] = ra[i];
  for (i = 0; i < 31; i++) sa[i] = 0;
  status = __VERIFIER_nondet_int();
  if (status == 3) lock();
  for (i = 0; i < 10; i++) qa[i] = 0;
  if (status == 3) unlock();
  lock();
  for (i = 0; i < 33; i++) sa[i] += 2;
  unlock();
  return 0;
}
