// verdict: holds
// args: --error-function failed --error-label WRONG
// A function that is declared and never called, and a label in a function that nobody needs, are fine.
extern void failed(int code);
static int unused(void) {
WRONG:
    return 1;
}
int main(void) {
    return 0;
}
