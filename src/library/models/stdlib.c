// Numbers, and searching (C11 7.22).

typedef __SIZE_TYPE__ size_t;
int *__errno_location(void);
void boolero_unsupported(const char *what);

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

struct boolero_quotient {
    int quot, rem;
};

struct boolero_long_quotient {
    long quot, rem;
};

struct boolero_longest_quotient {
    long long quot, rem;
};

struct boolero_quotient div(int number, int by) {
    return (struct boolero_quotient){number / by, number % by};
}

struct boolero_long_quotient ldiv(long number, long by) {
    return (struct boolero_long_quotient){number / by, number % by};
}

struct boolero_longest_quotient lldiv(long long number, long long by) {
    return (struct boolero_longest_quotient){number / by, number % by};
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

static int boolero_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 36;
}

// A number: its absolute value, its sign, and whether its type has it.
struct boolero_number {
    unsigned long long value;
    int negative;
    int fits;
};

// What follows a prefix must be a digit: otherwise the number is the 0 before it.
static int boolero_prefix(const char *text, char small, char large, int base) {
    return text[0] == '0' && (text[1] == small || text[1] == large) && boolero_digit(text[2]) < base;
}

// Reads a number of at most `limit`, or of at least −`lower`. Where it does not fit, errno is ERANGE. POSIX lets a base that does not exist set errno, and leaves open what happens to `*end`.
static struct boolero_number boolero_read(const char *text, char **end, int base, int binary, unsigned long long limit, unsigned long long lower) {
    struct boolero_number number = {0, 0, 1};
    const char *start = text;
    if (base != 0 && (base < 2 || base > 36))
        boolero_unsupported("the base of strtol, which is neither 0 nor 2 to 36");
    while (boolero_is_space(*text))
        text++;
    if (*text == '-' || *text == '+') {
        number.negative = *text == '-';
        text++;
    }
    if ((base == 0 || base == 16) && boolero_prefix(text, 'x', 'X', 16)) {
        text += 2;
        base = 16;
    } else if (binary && (base == 0 || base == 2) && boolero_prefix(text, 'b', 'B', 2)) {
        text += 2;
        base = 2;
    } else if (base == 0) {
        base = *text == '0' ? 8 : 10;
    }
    if (boolero_digit(*text) >= base) {
        if (end != 0)
            *end = (char *)start;
        return number;
    }
    unsigned long long most = number.negative ? lower : limit;
    for (int digit = boolero_digit(*text); digit < base; digit = boolero_digit(*++text)) {
        if (number.value > (most - (unsigned)digit) / (unsigned)base)
            number.fits = 0;
        if (number.fits)
            number.value = number.value * (unsigned)base + (unsigned)digit;
    }
    if (end != 0)
        *end = (char *)text;
    if (!number.fits) {
        number.value = most;
        *__errno_location() = 34;
    }
    return number;
}

static long long boolero_signed(struct boolero_number number) {
    return number.negative ? (long long)(0 - number.value) : (long long)number.value;
}

// A minus sign negates what was read, in the unsigned type; what does not fit is the largest number, with or without it.
static unsigned long long boolero_unsigned(struct boolero_number number) {
    return number.negative && number.fits ? 0 - number.value : number.value;
}

long strtol(const char *text, char **end, int base) {
    return (long)boolero_signed(boolero_read(text, end, base, 0, __LONG_MAX__, __LONG_MAX__ + 1UL));
}

long long strtoll(const char *text, char **end, int base) {
    return boolero_signed(boolero_read(text, end, base, 0, __LONG_LONG_MAX__, __LONG_LONG_MAX__ + 1ULL));
}

unsigned long strtoul(const char *text, char **end, int base) {
    return (unsigned long)boolero_unsigned(boolero_read(text, end, base, 0, ~0UL, ~0UL));
}

unsigned long long strtoull(const char *text, char **end, int base) {
    return boolero_unsigned(boolero_read(text, end, base, 0, ~0ULL, ~0ULL));
}

// The names of glibc where the language is C23: binary numbers have a prefix, too.
long __isoc23_strtol(const char *text, char **end, int base) {
    return (long)boolero_signed(boolero_read(text, end, base, 1, __LONG_MAX__, __LONG_MAX__ + 1UL));
}

long long __isoc23_strtoll(const char *text, char **end, int base) {
    return boolero_signed(boolero_read(text, end, base, 1, __LONG_LONG_MAX__, __LONG_LONG_MAX__ + 1ULL));
}

unsigned long __isoc23_strtoul(const char *text, char **end, int base) {
    return (unsigned long)boolero_unsigned(boolero_read(text, end, base, 1, ~0UL, ~0UL));
}

unsigned long long __isoc23_strtoull(const char *text, char **end, int base) {
    return boolero_unsigned(boolero_read(text, end, base, 1, ~0ULL, ~0ULL));
}
