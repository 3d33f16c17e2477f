// Strings and blocks of memory (C11 7.24).
//
// Copying and filling (`memcpy`, `memmove`, `memset`) are known to the lowering and to the machine.
// The sign of a comparison is all that the standard promises: the value is any number of that sign.

typedef __SIZE_TYPE__ size_t;
void *malloc(size_t size);
int boolero_nondet_difference(void);

static int boolero_order(unsigned char left, unsigned char right) {
    int value = boolero_nondet_difference();
    if (left < right)
        return value < 0 ? value : -1;
    if (left > right)
        return value > 0 ? value : 1;
    return 0;
}

int memcmp(const void *left, const void *right, size_t size) {
    const unsigned char *a = left;
    const unsigned char *b = right;
    for (size_t i = 0; i < size; i++) {
        if (a[i] != b[i])
            return boolero_order(a[i], b[i]);
    }
    return 0;
}

void *memchr(const void *block, int wanted, size_t size) {
    const unsigned char *bytes = block;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == (unsigned char)wanted)
            return (void *)(bytes + i);
    }
    return 0;
}

size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length] != 0)
        length++;
    return length;
}

size_t strnlen(const char *text, size_t limit) {
    size_t length = 0;
    while (length < limit && text[length] != 0)
        length++;
    return length;
}

int strcmp(const char *left, const char *right) {
    const unsigned char *a = (const unsigned char *)left;
    const unsigned char *b = (const unsigned char *)right;
    while (*a != 0 && *a == *b) {
        a++;
        b++;
    }
    return boolero_order(*a, *b);
}

int strncmp(const char *left, const char *right, size_t size) {
    const unsigned char *a = (const unsigned char *)left;
    const unsigned char *b = (const unsigned char *)right;
    for (size_t i = 0; i < size; i++) {
        if (a[i] != b[i] || a[i] == 0)
            return boolero_order(a[i], b[i]);
    }
    return 0;
}

char *strcpy(char *to, const char *from) {
    size_t i = 0;
    do {
        to[i] = from[i];
    } while (from[i++] != 0);
    return to;
}

// The end of the new string, not its start (POSIX).
char *stpcpy(char *to, const char *from) {
    while ((*to = *from) != 0) {
        to++;
        from++;
    }
    return to;
}

// Fills up with zeros, and writes no zero at the end if there is no room.
char *strncpy(char *to, const char *from, size_t size) {
    size_t i = 0;
    for (; i < size && from[i] != 0; i++)
        to[i] = from[i];
    for (; i < size; i++)
        to[i] = 0;
    return to;
}

char *strcat(char *to, const char *from) {
    char *end = to;
    while (*end != 0)
        end++;
    while ((*end++ = *from++) != 0)
        ;
    return to;
}

char *strncat(char *to, const char *from, size_t size) {
    char *end = to;
    while (*end != 0)
        end++;
    for (size_t i = 0; i < size && from[i] != 0; i++)
        *end++ = from[i];
    *end = 0;
    return to;
}

char *strchr(const char *text, int wanted) {
    for (;; text++) {
        if (*text == (char)wanted)
            return (char *)text;
        if (*text == 0)
            return 0;
    }
}

char *strrchr(const char *text, int wanted) {
    const char *last = 0;
    for (;; text++) {
        if (*text == (char)wanted)
            last = text;
        if (*text == 0)
            return (char *)last;
    }
}

char *strstr(const char *text, const char *wanted) {
    for (;; text++) {
        size_t i = 0;
        while (wanted[i] != 0 && text[i] == wanted[i])
            i++;
        if (wanted[i] == 0)
            return (char *)text;
        if (*text == 0)
            return 0;
    }
}

static int boolero_contains(const char *set, char wanted) {
    for (; *set != 0; set++) {
        if (*set == wanted)
            return 1;
    }
    return 0;
}

size_t strspn(const char *text, const char *set) {
    size_t length = 0;
    while (text[length] != 0 && boolero_contains(set, text[length]))
        length++;
    return length;
}

size_t strcspn(const char *text, const char *set) {
    size_t length = 0;
    while (text[length] != 0 && !boolero_contains(set, text[length]))
        length++;
    return length;
}

char *strpbrk(const char *text, const char *set) {
    for (; *text != 0; text++) {
        if (boolero_contains(set, *text))
            return (char *)text;
    }
    return 0;
}

// Null if there is no memory.
char *strdup(const char *text) {
    size_t size = 1;
    while (text[size - 1] != 0)
        size++;
    char *copy = malloc(size);
    if (copy != 0)
        __builtin_memcpy(copy, text, size);
    return copy;
}
