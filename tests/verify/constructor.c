// exit: 2
// stderr: constructor.c: functions that run before or after main (constructor, destructor) are not modelled
// The message names the file that the user knows.
int x;
__attribute__((constructor)) static void before(void) {
    x = 1;
}
int main(void) {
    return x;
}
