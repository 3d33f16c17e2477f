// verdict: holds
// Types of gcc that glibc's headers mention after the preprocessor: clang does not have them.
extern _Float128 wide(_Float128);
extern _Float32 narrow(_Float32);
extern _Float64x extended(_Float64x);
int main(void) {
    assert(sizeof(_Float32) == 4 && sizeof(_Float128) == 16);
    assert(__LINE__ == 8);
    return 0;
}
