// verdict: violated
// args: --checks pointer
// C11 6.5.2.5p5: a compound literal lives as long as the block around it.
int main(void) {
    int *p = 0;
    {
        p = (int[]){1, 2};
    }
    return p[1];
}
