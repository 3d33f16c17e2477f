// Sorting (C11 7.22.5). The order of equal elements is open, and here it is arbitrary. Which elements are compared, and how often, is open, too:
// the models are for comparisons that do nothing but compare, which `llvm::models::kinds` finds out, and where faults are looked for, every pair
// is compared. Elements that are numbers or pointers move as such; all others by their bytes.

typedef __SIZE_TYPE__ size_t;
typedef int (*boolero_comparison)(const void *, const void *);
int boolero_nondet_order(void);
void boolero_unsupported(const char *what);

void qsort(void *base, size_t count, size_t size, boolero_comparison compare) {
    boolero_unsupported("qsort with a comparison that may do more than compare");
}

// Faults of the comparison: of each element with each.
void boolero_each_pair(const char *base, size_t count, size_t size, boolero_comparison compare) {
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            compare(base + i * size, base + j * size);
}

// Whether an element belongs before its left neighbour.
static int boolero_before(const void *left, const void *right, boolero_comparison compare) {
    int order = compare(left, right);
    return order > 0 || (order == 0 && boolero_nondet_order());
}

void boolero_sort_1(unsigned char *base, size_t count, size_t size, boolero_comparison compare) {
    boolero_each_pair((const char *)base, count, size, compare);
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && boolero_before(base + j - 1, base + j, compare); j--) {
            unsigned char left = base[j - 1];
            base[j - 1] = base[j];
            base[j] = left;
        }
}

void boolero_sort_2(unsigned short *base, size_t count, size_t size, boolero_comparison compare) {
    boolero_each_pair((const char *)base, count, size, compare);
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && boolero_before(base + j - 1, base + j, compare); j--) {
            unsigned short left = base[j - 1];
            base[j - 1] = base[j];
            base[j] = left;
        }
}

void boolero_sort_4(unsigned *base, size_t count, size_t size, boolero_comparison compare) {
    boolero_each_pair((const char *)base, count, size, compare);
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && boolero_before(base + j - 1, base + j, compare); j--) {
            unsigned left = base[j - 1];
            base[j - 1] = base[j];
            base[j] = left;
        }
}

void boolero_sort_pointer(void **base, size_t count, size_t size, boolero_comparison compare) {
    boolero_each_pair((const char *)base, count, size, compare);
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && boolero_before(base + j - 1, base + j, compare); j--) {
            void *left = base[j - 1];
            base[j - 1] = base[j];
            base[j] = left;
        }
}

void boolero_sort_bytes(char *base, size_t count, size_t size, boolero_comparison compare) {
    boolero_each_pair(base, count, size, compare);
    for (size_t i = 1; i < count; i++)
        for (char *at = base + i * size; at > base && boolero_before(at - size, at, compare); at -= size)
            for (char *byte = at; byte < at + size; byte++) {
                char left = byte[-size];
                byte[-size] = *byte;
                *byte = left;
            }
}
