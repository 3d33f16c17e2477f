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

// As strdup, of at most so many characters.
char *strndup(const char *text, size_t limit) {
    size_t length = 0;
    while (length < limit && text[length] != 0)
        length++;
    char *copy = malloc(length + 1);
    if (copy != 0) {
        __builtin_memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

// The C locale orders by bytes.
int strcoll(const char *left, const char *right) {
    const unsigned char *a = (const unsigned char *)left;
    const unsigned char *b = (const unsigned char *)right;
    while (*a != 0 && *a == *b) {
        a++;
        b++;
    }
    return boolero_order(*a, *b);
}

static unsigned char boolero_small(unsigned char c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

// Without regard to case (POSIX), in the C locale.
int strcasecmp(const char *left, const char *right) {
    const unsigned char *a = (const unsigned char *)left;
    const unsigned char *b = (const unsigned char *)right;
    while (*a != 0 && boolero_small(*a) == boolero_small(*b)) {
        a++;
        b++;
    }
    return boolero_order(boolero_small(*a), boolero_small(*b));
}

int strncasecmp(const char *left, const char *right, size_t size) {
    const unsigned char *a = (const unsigned char *)left;
    const unsigned char *b = (const unsigned char *)right;
    for (size_t i = 0; i < size; i++) {
        if (boolero_small(a[i]) != boolero_small(b[i]) || a[i] == 0)
            return boolero_order(boolero_small(a[i]), boolero_small(b[i]));
    }
    return 0;
}

// Zero if the blocks are equal; which number it is otherwise is left open.
int bcmp(const void *left, const void *right, size_t size) {
    const unsigned char *a = left;
    const unsigned char *b = right;
    for (size_t i = 0; i < size; i++) {
        if (a[i] != b[i]) {
            int value = boolero_nondet_difference();
            return value != 0 ? value : 1;
        }
    }
    return 0;
}

char *index(const char *text, int wanted) {
    for (;; text++) {
        if (*text == (char)wanted)
            return (char *)text;
        if (*text == 0)
            return 0;
    }
}

char *rindex(const char *text, int wanted) {
    const char *last = 0;
    for (;; text++) {
        if (*text == (char)wanted)
            last = text;
        if (*text == 0)
            return (char *)last;
    }
}

void *memrchr(const void *block, int wanted, size_t size) {
    const unsigned char *bytes = block;
    while (size > 0) {
        size--;
        if (bytes[size] == (unsigned char)wanted)
            return (void *)(bytes + size);
    }
    return 0;
}

// Up to and with the wanted byte; what comes after it in the copy, or null.
void *memccpy(void *to, const void *from, int wanted, size_t size) {
    unsigned char *bytes = to;
    const unsigned char *source = from;
    for (size_t i = 0; i < size; i++) {
        bytes[i] = source[i];
        if (source[i] == (unsigned char)wanted)
            return bytes + i + 1;
    }
    return 0;
}

// The end of the copy.
void *mempcpy(void *to, const void *from, size_t size) {
    unsigned char *bytes = to;
    const unsigned char *source = from;
    for (size_t i = 0; i < size; i++)
        bytes[i] = source[i];
    return bytes + size;
}

// The length of what should have been copied; the copy is cut to the size, with a zero at its end (POSIX 2024).
size_t strlcpy(char *to, const char *from, size_t size) {
    size_t length = 0;
    for (; from[length] != 0; length++) {
        if (length + 1 < size)
            to[length] = from[length];
    }
    if (size > 0)
        to[length < size ? length : size - 1] = 0;
    return length;
}

size_t strlcat(char *to, const char *from, size_t size) {
    size_t start = 0;
    while (start < size && to[start] != 0)
        start++;
    size_t length = 0;
    for (; from[length] != 0; length++) {
        if (start + length + 1 < size)
            to[start + length] = from[length];
    }
    if (start < size)
        to[start + length < size ? start + length : size - 1] = 0;
    return start + length;
}

// The next piece of a text between separators, which are overwritten; `rest` says where to go on.
static char *boolero_piece(char *text, const char *separators, char **rest) {
    if (text == 0)
        text = *rest;
    // Nothing was begun, or it is at its end.
    if (text == 0)
        return 0;
    while (*text != 0 && boolero_contains(separators, *text))
        text++;
    if (*text == 0) {
        *rest = text;
        return 0;
    }
    char *end = text;
    while (*end != 0 && !boolero_contains(separators, *end))
        end++;
    if (*end != 0)
        *end++ = 0;
    *rest = end;
    return text;
}

char *strtok_r(char *text, const char *separators, char **rest) {
    return boolero_piece(text, separators, rest);
}

static char *boolero_rest;

// One place for all threads, as the standard allows: calls of several threads may race.
char *strtok(char *text, const char *separators) {
    return boolero_piece(text, separators, &boolero_rest);
}

// As strtok_r, but every separator ends a piece, which may be empty.
char *strsep(char **rest, const char *separators) {
    char *text = *rest;
    if (text == 0)
        return 0;
    char *end = text;
    while (*end != 0 && !boolero_contains(separators, *end))
        end++;
    if (*end != 0) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = 0;
    }
    return text;
}
