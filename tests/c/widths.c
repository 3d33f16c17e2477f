// Made for pointers of 32 bits.
_Static_assert(sizeof(long) == 4, "a long has 32 bits");

int main(void) {
    return 0;
}
