// Signals (C11 7.14) that nobody handles: what was there before is the default, or the signal was ignored.

typedef void (*boolero_reaction)(int);
int boolero_nondet_end(void);
void boolero_unsupported(const char *what);

static boolero_reaction boolero_signals[65];
static char boolero_known[65];

// The request need not be honoured.
boolero_reaction signal(int number, boolero_reaction handler) {
    if (handler != (boolero_reaction)0 && handler != (boolero_reaction)1)
        boolero_unsupported("a function that handles a signal");
    if (number < 1 || number > 64 || boolero_nondet_end())
        return (boolero_reaction)-1;
    boolero_reaction before = boolero_signals[number];
    if (!boolero_known[number] && boolero_nondet_end())
        before = (boolero_reaction)1;
    boolero_known[number] = 1;
    boolero_signals[number] = handler;
    return before;
}
