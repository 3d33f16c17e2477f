// verdict: violated
// Any function whose name begins with nondet_ is an input.
struct state {
  int mode;
};
int nondet_mode_of_device();
int main(void) {
  struct state state = {nondet_mode_of_device()};
  if (state.mode < 0) state.mode = 0;
  __CPROVER_assert(state.mode >= 1, "not negative");
  return 0;
}
