// exit: 2
// stderr: `__CPROVER_requires` is not known to Boolero: contracts are not read
int half(int x)
    __CPROVER_requires(x >= 0)
{
    return x / 2;
}

int main(void) {
    return half(4);
}
