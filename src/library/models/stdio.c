// Input and output (C11 7.21), as far as a program can see it: what is read is arbitrary, and so is what a format makes.
//
// These are the lowering's. Where the machine has a function of its own, it takes that one.

typedef __SIZE_TYPE__ size_t;
void __VERIFIER_assume(int condition);
int boolero_nondet_length(void);
size_t boolero_nondet_size(void);
int boolero_nondet_byte(void);
int boolero_nondet_end(void);
char boolero_nondet_character(void);

// What was made is cut to the size, with a zero at its end; the length is that of the whole. If it fails, anything is there.
static int boolero_format(char *to, size_t size) {
    int length = boolero_nondet_length();
    if (size > 0) {
        size_t end = length >= 0 && (size_t)length < size ? (size_t)length : size - 1;
        for (size_t i = 0; i < end; i++) {
            char c = boolero_nondet_character();
            __VERIFIER_assume(c != 0 || length < 0);
            to[i] = c;
        }
        to[end] = 0;
    }
    return length;
}

// As long as it gets: who checks bounds is told if that may be too long. If it fails, anything is there.
static int boolero_format_all(char *to) {
    int length = boolero_nondet_length();
    size_t end = length >= 0 ? (size_t)length : boolero_nondet_size();
    for (size_t i = 0; i < end; i++) {
        char c = boolero_nondet_character();
        __VERIFIER_assume(c != 0 || length < 0);
        to[i] = c;
    }
    to[end] = 0;
    return length;
}

int sprintf(char *to, const char *format, ...) {
    return boolero_format_all(to);
}

int vsprintf(char *to, const char *format, void *arguments) {
    return boolero_format_all(to);
}

int snprintf(char *to, size_t size, const char *format, ...) {
    return boolero_format(to, size);
}

int vsnprintf(char *to, size_t size, const char *format, void *arguments) {
    return boolero_format(to, size);
}

// Null at the end of the file, where nothing changes, or after an error, where anything may have been written. A line ends
// with its newline, at the end of the file, or where there is no room.
char *fgets(char *to, int size, void *stream) {
    if (size <= 0 || boolero_nondet_end())
        return 0;
    size_t length = (size_t)boolero_nondet_length();
    __VERIFIER_assume(length < (size_t)size);
    // Nothing to read is the end of the file, too.
    if (length == 0 && size > 1)
        return 0;
    size_t i = 0;
    while (i < length) {
        char c = boolero_nondet_character();
        to[i++] = c;
        if (c == '\n')
            break;
    }
    to[i] = 0;
    return boolero_nondet_end() ? 0 : to;
}

// −1 is the end of the file.
int getchar(void) {
    int c = boolero_nondet_byte();
    __VERIFIER_assume(c >= -1 && c <= 255);
    return c;
}

int fgetc(void *stream) {
    int c = boolero_nondet_byte();
    __VERIFIER_assume(c >= -1 && c <= 255);
    return c;
}

int getc(void *stream) {
    int c = boolero_nondet_byte();
    __VERIFIER_assume(c >= -1 && c <= 255);
    return c;
}

// So many whole elements; bytes after them may have been written, too, up to the end of what was asked for.
size_t fread(void *to, size_t size, size_t count, void *stream) {
    if (size == 0 || count == 0)
        return 0;
    char *bytes = to;
    size_t all = size * count;
    size_t length = boolero_nondet_size();
    __VERIFIER_assume(length <= all);
    for (size_t i = 0; i < length; i++)
        bytes[i] = boolero_nondet_character();
    return length / size;
}

// The number of bytes, 0 at the end of the file, −1 if it fails.
long read(int file, void *to, size_t size) {
    char *bytes = to;
    if (boolero_nondet_end())
        return -1;
    size_t length = boolero_nondet_size();
    __VERIFIER_assume(length <= size && length <= __LONG_MAX__);
    for (size_t i = 0; i < length; i++)
        bytes[i] = boolero_nondet_character();
    return (long)length;
}
