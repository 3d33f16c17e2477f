// A function without a body, and no assertion.
int mystery(int);

int main(void) {
    __VERIFIER_assert(mystery(3) == mystery(3) || 1);
    return 0;
}
