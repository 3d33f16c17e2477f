/* What is open in a run, for models and harnesses. The kernel's functions fail in some runs: where `boolero_fails` says so. */
#ifndef BOOLERO_OPEN_H
#define BOOLERO_OPEN_H
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void boolero_unsupported(const char *what);
/* Whether something happens that may or may not happen. */
static inline _Bool boolero_any(void) { return __VERIFIER_nondet_bool(); }
/* Whether a function fails. Random runs seldom choose 1: otherwise few of them would get to the end of a long probe. */
static inline _Bool boolero_fails(void) { return __VERIFIER_nondet_uchar() == 1; }
#endif
