/* Bits of words and of bitmaps. */
#ifndef BOOLERO_BITS_H
#define BOOLERO_BITS_H
#include <linux/types.h>
#define BIT(n) (1UL << (n))
#define BIT_ULL(n) (1ULL << (n))
#define BIT_MASK(n) (1UL << ((n) % BITS_PER_LONG))
#define BIT_WORD(n) ((n) / BITS_PER_LONG)
#define BITS_TO_LONGS(n) (((n) + 63) / 64)
#define BITS_PER_TYPE(type) (sizeof(type) * 8)
#define GENMASK(high, low) (((~0UL) << (low)) & (~0UL >> (63 - (high))))
#define GENMASK_ULL(high, low) GENMASK(high, low)
#define FIELD_PREP(mask, value) (((u32)(value) << __builtin_ctzl(mask)) & (mask))
#define FIELD_GET(mask, value) ((u32)(((value) & (mask)) >> __builtin_ctzl(mask)))
#define FIELD_MAX(mask) ((mask) >> __builtin_ctzl(mask))
#define FIELD_FIT(mask, value) (!(((value) << __builtin_ctzl(mask)) & ~(mask)))
static inline void __set_bit(long n, volatile unsigned long *map) { map[BIT_WORD(n)] |= BIT_MASK(n); }
static inline void __clear_bit(long n, volatile unsigned long *map) { map[BIT_WORD(n)] &= ~BIT_MASK(n); }
static inline void __change_bit(long n, volatile unsigned long *map) { map[BIT_WORD(n)] ^= BIT_MASK(n); }
static inline int test_bit(long n, const volatile unsigned long *map) { return (map[BIT_WORD(n)] >> (n % BITS_PER_LONG)) & 1; }
void set_bit(long n, volatile unsigned long *map);
void clear_bit(long n, volatile unsigned long *map);
void change_bit(long n, volatile unsigned long *map);
int test_and_set_bit(long n, volatile unsigned long *map);
int test_and_clear_bit(long n, volatile unsigned long *map);
int test_and_change_bit(long n, volatile unsigned long *map);
#define clear_bit_unlock clear_bit
#define test_and_set_bit_lock test_and_set_bit
#define __test_and_set_bit test_and_set_bit
#define __test_and_clear_bit test_and_clear_bit
#define __assign_bit(n, map, value) do { if (value) __set_bit(n, map); else __clear_bit(n, map); } while (0)
#define assign_bit __assign_bit
static inline int ffs(int x) { return __builtin_ffs(x); }
static inline int fls(unsigned int x) { return x ? 32 - __builtin_clz(x) : 0; }
static inline int fls64(u64 x) { return x ? 64 - __builtin_clzll(x) : 0; }
static inline unsigned long __ffs(unsigned long x) { return (unsigned long)__builtin_ctzl(x); }
static inline unsigned long __fls(unsigned long x) { return 63UL - (unsigned long)__builtin_clzl(x); }
static inline unsigned long ffz(unsigned long x) { return (unsigned long)__builtin_ctzl(~x); }
static inline unsigned int hweight8(unsigned int x) { return (unsigned int)__builtin_popcount(x & 0xff); }
static inline unsigned int hweight16(unsigned int x) { return (unsigned int)__builtin_popcount(x & 0xffff); }
static inline unsigned int hweight32(unsigned int x) { return (unsigned int)__builtin_popcount(x); }
static inline unsigned long hweight_long(unsigned long x) { return (unsigned long)__builtin_popcountl(x); }
static inline int ilog2(u64 x) { return x ? 63 - __builtin_clzll(x) : -1; }
static inline bool is_power_of_2(unsigned long x) { return x && !(x & (x - 1)); }
static inline unsigned long roundup_pow_of_two(unsigned long x) { return x <= 1 ? 1 : 1UL << (64 - __builtin_clzl(x - 1)); }
static inline unsigned long rounddown_pow_of_two(unsigned long x) { return 1UL << (63 - __builtin_clzl(x)); }
static inline int order_base_2(unsigned long x) { return x <= 1 ? 0 : 64 - __builtin_clzl(x - 1); }
static inline int get_count_order(unsigned int x) { return order_base_2(x); }
static inline u32 rol32(u32 x, unsigned int n) { return (x << (n & 31)) | (x >> ((32 - n) & 31)); }
static inline u32 ror32(u32 x, unsigned int n) { return (x >> (n & 31)) | (x << ((32 - n) & 31)); }
static inline s32 sign_extend32(u32 x, int index) { return (s32)(x << (31 - index)) >> (31 - index); }
u8 bitrev8(u8 x);
u32 bitrev32(u32 x);
unsigned long find_next_bit(const unsigned long *map, unsigned long size, unsigned long from);
unsigned long find_next_zero_bit(const unsigned long *map, unsigned long size, unsigned long from);
#define find_first_bit(map, size) find_next_bit(map, size, 0)
#define find_first_zero_bit(map, size) find_next_zero_bit(map, size, 0)
#define for_each_set_bit(bit, map, size) for ((bit) = find_first_bit((map), (size)); (bit) < (size); (bit) = find_next_bit((map), (size), (bit) + 1))
#define for_each_set_bit_from(bit, map, size) for ((bit) = find_next_bit((map), (size), (bit)); (bit) < (size); (bit) = find_next_bit((map), (size), (bit) + 1))
#define for_each_clear_bit(bit, map, size) for ((bit) = find_first_zero_bit((map), (size)); (bit) < (size); (bit) = find_next_zero_bit((map), (size), (bit) + 1))
void bitmap_zero(unsigned long *map, unsigned int bits);
void bitmap_fill(unsigned long *map, unsigned int bits);
void bitmap_set(unsigned long *map, unsigned int from, unsigned int count);
void bitmap_clear(unsigned long *map, unsigned int from, unsigned int count);
int bitmap_weight(const unsigned long *map, unsigned int bits);
bool bitmap_empty(const unsigned long *map, unsigned int bits);
bool bitmap_full(const unsigned long *map, unsigned int bits);
void bitmap_copy(unsigned long *to, const unsigned long *from, unsigned int bits);
void bitmap_or(unsigned long *to, const unsigned long *a, const unsigned long *b, unsigned int bits);
int bitmap_and(unsigned long *to, const unsigned long *a, const unsigned long *b, unsigned int bits);
bool bitmap_equal(const unsigned long *a, const unsigned long *b, unsigned int bits);
bool bitmap_intersects(const unsigned long *a, const unsigned long *b, unsigned int bits);
unsigned long bitmap_find_next_zero_area(unsigned long *map, unsigned long size, unsigned long from, unsigned int count, unsigned long mask);
unsigned long *bitmap_alloc(unsigned int bits, gfp_t flags);
unsigned long *bitmap_zalloc(unsigned int bits, gfp_t flags);
void bitmap_free(const unsigned long *map);
#endif
