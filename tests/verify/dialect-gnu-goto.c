// verdict: holds
// A computed jump to one of two labels.
int nondet_int(void);

int main(void) {
    static void *table[] = {&&zero, &&one};
    int x = nondet_int() & 1, y;
    goto *table[x];
zero:
    y = 0;
    goto end;
one:
    y = 1;
end:
    assert(y == x);
    return 0;
}
