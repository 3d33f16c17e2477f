// Classes of characters (C11 7.4) in the C locale. Where a class is true, the value is any but zero.

int boolero_nondet_class(void);

static int boolero_is(int member) {
    int value = boolero_nondet_class();
    return !member ? 0 : value != 0 ? value : 1;
}

int isupper(int c) {
    return boolero_is(c >= 'A' && c <= 'Z');
}

int islower(int c) {
    return boolero_is(c >= 'a' && c <= 'z');
}

int isalpha(int c) {
    return boolero_is((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'));
}

int isdigit(int c) {
    return boolero_is(c >= '0' && c <= '9');
}

int isxdigit(int c) {
    return boolero_is((c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'));
}

int isalnum(int c) {
    return boolero_is((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'));
}

int isspace(int c) {
    return boolero_is(c == ' ' || (c >= '\t' && c <= '\r'));
}

int isblank(int c) {
    return boolero_is(c == ' ' || c == '\t');
}

int iscntrl(int c) {
    return boolero_is((c >= 0 && c < 32) || c == 127);
}

int isprint(int c) {
    return boolero_is(c >= 32 && c < 127);
}

int isgraph(int c) {
    return boolero_is(c > 32 && c < 127);
}

int ispunct(int c) {
    return boolero_is((c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126));
}

int toupper(int c) {
    return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

int tolower(int c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}
