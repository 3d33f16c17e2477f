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

int isascii(int c) {
    return boolero_is(c >= 0 && c < 128);
}

int toascii(int c) {
    return c & 127;
}

// What the macros of glibc look up: for -128 to 255, one bit for each class. The bits are those of a machine that stores
// low bytes first; bytes that are not ASCII belong to no class.
enum {
    boolero_upper = 0x100,
    boolero_lower = 0x200,
    boolero_alpha = 0x400,
    boolero_digits = 0x800,
    boolero_xdigit = 0x1000,
    boolero_space = 0x2000,
    boolero_print = 0x4000,
    boolero_graph = 0x8000,
    boolero_blank = 0x1,
    boolero_cntrl = 0x2,
    boolero_punct = 0x4,
    boolero_alnum = 0x8,
    boolero_letter = boolero_alpha | boolero_alnum | boolero_graph | boolero_print,
    boolero_sign = boolero_punct | boolero_graph | boolero_print,
};

#define AT(c) [128 + (c)]
#define FROM(c, d) [128 + (c) ... 128 + (d)]
static const unsigned short boolero_classes[384] = {
    FROM(0, 8) = boolero_cntrl,
    AT(9) = boolero_cntrl | boolero_space | boolero_blank,
    FROM(10, 13) = boolero_cntrl | boolero_space,
    FROM(14, 31) = boolero_cntrl,
    AT(' ') = boolero_space | boolero_blank | boolero_print,
    FROM(33, 47) = boolero_sign,
    FROM('0', '9') = boolero_digits | boolero_xdigit | boolero_alnum | boolero_graph | boolero_print,
    FROM(58, 64) = boolero_sign,
    FROM('A', 'F') = boolero_upper | boolero_xdigit | boolero_letter,
    FROM('G', 'Z') = boolero_upper | boolero_letter,
    FROM(91, 96) = boolero_sign,
    FROM('a', 'f') = boolero_lower | boolero_xdigit | boolero_letter,
    FROM('g', 'z') = boolero_lower | boolero_letter,
    FROM(123, 126) = boolero_sign,
    AT(127) = boolero_cntrl,
};
#undef AT
#undef FROM

static const unsigned short *boolero_table = boolero_classes + 128;

const unsigned short **__ctype_b_loc(void) {
    return &boolero_table;
}
