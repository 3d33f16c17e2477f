// Numbers, and searching (C11 7.22).

typedef __SIZE_TYPE__ size_t;

// The absolute value of the least integer is undefined; the subtraction says so.
int abs(int value) {
    return value < 0 ? 0 - value : value;
}

long labs(long value) {
    return value < 0 ? 0 - value : value;
}

long long llabs(long long value) {
    return value < 0 ? 0 - value : value;
}

static int boolero_is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// What does not fit is undefined; here, signed overflow.
long long atoll(const char *text) {
    long long value = 0;
    int negative = 0;
    while (boolero_is_space(*text))
        text++;
    if (*text == '-' || *text == '+') {
        negative = *text == '-';
        text++;
    }
    // Towards the negative side, where there is one number more.
    while (*text >= '0' && *text <= '9') {
        value = value * 10 - (*text - '0');
        text++;
    }
    return negative ? value : 0 - value;
}

long atol(const char *text) {
    return (long)atoll(text);
}

int atoi(const char *text) {
    return (int)atoll(text);
}

// The first of equal elements that the halving meets, as everywhere.
void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    const char *low = base;
    while (count > 0) {
        const char *middle = low + count / 2 * size;
        int order = compare(key, middle);
        if (order == 0)
            return (void *)middle;
        if (order > 0) {
            low = middle + size;
            count -= count / 2 + 1;
        } else {
            count /= 2;
        }
    }
    return 0;
}
