// errno (C11 7.5). The machine has its own variable; what changes it is the same for both: any function of the library without a body may set it
// (`llvm::models::kinds` says which), but never to zero.

void __VERIFIER_assume(int condition);
int boolero_nondet_errno(void);

static _Thread_local int boolero_errno;

int *__errno_location(void) {
    return &boolero_errno;
}

void boolero_errno_changes(void) {
    int error = boolero_nondet_errno();
    __VERIFIER_assume(error >= 0);
    if (error != 0)
        *__errno_location() = error;
}
