// verdict: violated
// args: --checks pointer --hunt 2000
// The pointer is to the variable of the first round. The program model has both at one address.
int main(void) {
    int *p = 0, n = 0;
    for (int i = 0; i < 3; i++) {
        int x = i;
        if (i == 0)
            p = &x;
        else
            n += *p;
    }
    return n;
}
