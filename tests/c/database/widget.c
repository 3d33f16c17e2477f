// What the flags of its entry say: LIMIT, a header, and the width of pointers.
int probe(void) {
    return LIMIT + FROM_HEADER + sizeof(void *);
}

int main(void) {
    __VERIFIER_assert(probe() == 10 + 5 + 4);
    return 0;
}
