// verdict: violated
// A pointer that is an input leads to memory of its own, in the model as in the machine.
extern void abort(void);
extern void *__VERIFIER_nondet_pointer(void);
void reach_error(void) { abort(); }
int main(void)
{
    int *p = __VERIFIER_nondet_pointer();
    *p = 5;
    if (*p == 5)
        reach_error();
    return 0;
}
