// exit: 2
// stderr: constructor-section.c: tables of functions that run before or after main
// A table in a section is as good as an attribute.
int x;
static void before(void) {
    x = 1;
}
__attribute__((section(".init_array"), used)) static void (*const table)(void) = before;
int main(void) {
    return x;
}
