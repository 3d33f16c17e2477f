// verdict: violated
// args: --checks pointer
int main(void) {
    int *p;
    {
        int x;
        p = &x;
        x = 1;
    }
    return *p;
}
