// verdict: holds
#include <assert.h>
#include <time.h>

int main(void) {
    clock_t now = clock();
    assert(now >= 0 || now == -1);
    return 0;
}
