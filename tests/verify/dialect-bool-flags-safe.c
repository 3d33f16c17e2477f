// verdict: holds
// Flags of the type of CBMC.
_Bool nondet_bool(void);
__CPROVER_bool ready, done;
int main(void) {
  ready = nondet_bool();
  if (ready) done = 1;
  __CPROVER_assert(!done || ready, "done only if ready");
  return 0;
}
