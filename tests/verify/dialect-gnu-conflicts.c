// verdict: holds
// args: --32
// Functions of the library that a program declares in its own way.
extern void *malloc(unsigned int);
extern int strlen(const char *);
extern char *strcpy();
void abort();
int round(int x) {
    return x + 1;
}
int index;
int main(void) {
    char b[4];
    strcpy(b, "abc");
    assert(strlen(b) == 3 && round(1) == 2 && index == 0);
    return 0;
}
