// The end of the process (C11 7.22.4). Where a program registers functions for it, `llvm::models::kinds` gives it these names for `atexit` and
// `exit`, and lets `main` call what was registered before it returns.

_Noreturn void exit(int code);
void boolero_unsupported(const char *what);
typedef void (*boolero_handler)(void);

static boolero_handler boolero_handlers[32];
static int boolero_registered;

// 32 is what the standard promises.
int boolero_at_exit(boolero_handler handler) {
    if (boolero_registered == 32)
        boolero_unsupported("more than 32 functions for atexit");
    boolero_handlers[boolero_registered++] = handler;
    return 0;
}

// The last one first; each may register more.
void boolero_leave(void) {
    while (boolero_registered > 0) {
        boolero_registered--;
        boolero_handlers[boolero_registered]();
    }
}

void boolero_exit(int code) {
    boolero_leave();
    exit(code);
}
