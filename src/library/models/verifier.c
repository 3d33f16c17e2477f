// What verification tasks ask of their environment, where it is more than one value.

typedef __SIZE_TYPE__ size_t;
char boolero_nondet_character(void);

// Any bytes.
void __VERIFIER_nondet_memory(void *block, size_t size) {
    char *bytes = block;
    for (size_t i = 0; i < size; i++)
        bytes[i] = boolero_nondet_character();
}
