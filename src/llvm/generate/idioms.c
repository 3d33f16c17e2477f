/* What generated programs use of the C of kernels and their drivers: each function is one idiom. W0, W1, … are widths of
 * bit-fields and K0, K1, … are numbers; the generator defines them. Nothing here is undefined, whatever the arguments. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long word;
#define BITS ((int)(8 * sizeof(word)))
#define INLINE static inline
#define container_of(ptr, type, member) ({ \
    const typeof(((type *)0)->member) *inside = (ptr); \
    (type *)((char *)inside - __builtin_offsetof(type, member)); })
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define min(a, b) ({ typeof(a) min_a = (a); typeof(b) min_b = (b); min_a < min_b ? min_a : min_b; })
#define clamp(x, low, high) ({ typeof(x) clamp_x = (x); clamp_x < (low) ? (low) : clamp_x > (high) ? (high) : clamp_x; })
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Assembly: atomic operations of all widths. */
#define LOGIC(op, condition, bits, suffix) \
    INLINE int op##_##condition##bits(volatile u##bits *p, u##bits v) { \
        u8 c; \
        __asm__ __volatile__("lock; " #op suffix " %2,%0; set" #condition " %1" : "+m"(*p), "=qm"(c) : "q"(v) : "memory"); \
        return c; \
    }
#define PLAIN(op, bits, suffix) \
    INLINE int op##bits(volatile u##bits *p, u##bits v) { \
        (void)v; \
        __asm__ __volatile__(op##_TEXT(suffix) : "+m"(*p) : "q"(v)); \
        return *p & 1; \
    }
#define inc_TEXT(suffix) ".pushsection .smp_locks,\"a\"\n.balign 4\n.popsection\n671:\n\tlock; inc" suffix " %0"
#define dec_TEXT(suffix) "lock\n\tdec" suffix "\t%0"
#define add_TEXT(suffix) "add" suffix " %1, %0"
#define sub_TEXT(suffix) "lock sub" suffix " $3,%0"
#define SIZED(bits, suffix) \
    INLINE u##bits xchg##bits(volatile u##bits *p, u##bits v) { \
        __asm__ __volatile__("xchg" suffix " %0,%1" : "=q"(v), "+m"(*p) : "0"(v) : "memory"); \
        return v; \
    } \
    INLINE u##bits cmpxchg##bits(volatile u##bits *p, u##bits old, u##bits new) { \
        u##bits prev; \
        __asm__ __volatile__("lock; cmpxchg" suffix " %2,%1" : "=a"(prev), "+m"(*p) : "q"(new), "0"(old) : "memory"); \
        return prev; \
    } \
    INLINE u64 try_cmpxchg##bits(volatile u##bits *p, u##bits old, u##bits new) { \
        u8 done; \
        __asm__ __volatile__("lock cmpxchg" suffix " %3,%1\n\tsete %0" : "=q"(done), "+m"(*p), "+a"(old) : "q"(new) : "memory"); \
        return (u64)old * 2 + done; \
    } \
    INLINE u##bits xadd##bits(volatile u##bits *p, u##bits v) { \
        __asm__ __volatile__("lock; xadd" suffix " %0,%1" : "+q"(v), "+m"(*p) : : "memory"); \
        return v + 1; \
    } \
    INLINE u##bits load##bits(const volatile u##bits *p) { \
        u##bits v; \
        __asm__ __volatile__("mov" suffix " %1,%0" : "=q"(v) : "m"(*p)); \
        return v; \
    } \
    INLINE u##bits store##bits(volatile u##bits *p, u##bits v) { \
        __asm__ __volatile__("mov" suffix " %1,%0" : "=m"(*p) : "q"(v)); \
        return *p; \
    } \
    LOGIC(add, e, bits, suffix) LOGIC(sub, e, bits, suffix) LOGIC(and, ne, bits, suffix) \
    LOGIC(or, s, bits, suffix) LOGIC(xor, z, bits, suffix) LOGIC(add, s, bits, suffix) LOGIC(sub, nz, bits, suffix) \
    PLAIN(inc, bits, suffix) PLAIN(dec, bits, suffix) PLAIN(add, bits, suffix) PLAIN(sub, bits, suffix)
SIZED(8, "b")
SIZED(16, "w")
SIZED(32, "l")
typedef unsigned long uword;
#if __SIZEOF_POINTER__ == 8
#define WORD "q"
#else
#define WORD "l"
#endif
SIZED(word, WORD)
INLINE void *xchg_pointer(void **p, void *v) {
    __asm__ __volatile__("xchg" WORD " %0,%1" : "=r"(v), "+m"(*p) : "0"(v) : "memory");
    return v;
}
INLINE int dec_and_test(int *p) {
    u8 c;
    __asm__ __volatile__("lock; decl %0; sete %1" : "+m"(*p), "=qm"(c) : : "memory");
    return c != 0;
}

/* Assembly: bits of a field of bits, found relative to a word in its middle. */
static word bitmap[6];
#define TEST_AND(op) \
    INLINE int op##_sbb(long nr) { \
        int old; \
        nr %= 2 * BITS; \
        __asm__ __volatile__("lock; " #op WORD " %2,%1\n\tsbbl %0,%0" : "=r"(old), "+m"(bitmap[2]) : "r"(nr) : "memory"); \
        return old; \
    } \
    INLINE int op##_setc(int nr) { \
        u8 old; \
        nr = (int)(nr % (2 * BITS)); \
        __asm__ __volatile__("lock; " #op "l %2,%1\n\tsetc %0" : "=qm"(old), "+m"(*(volatile int *)&bitmap[2]) : "r"(nr) : "memory"); \
        return old; \
    }
TEST_AND(bts)
TEST_AND(btr)
TEST_AND(btc)
INLINE int test_bit(long nr) {
    int old;
    nr %= 2 * BITS;
    __asm__ __volatile__("bt" WORD " %2,%1\n\tsbbl %0,%0" : "=r"(old) : "m"(bitmap[2]), "Ir"(nr) : "memory");
    return old != 0;
}
INLINE word clear_few(void) {
    __asm__ __volatile__("lock; btr" WORD " %1,%0" : "+m"(bitmap[3]) : "Ir"(K0 % 31));
    __asm__ __volatile__("lock; bts" WORD " $5,%0" : "+m"(bitmap[1]));
    return bitmap[3] ^ bitmap[1];
}
INLINE int lowest(word x) {
    word at;
    __asm__("bsf" WORD " %1,%0" : "=r"(at) : "r"(x | (word)K2 << 7 | 256));
    return (int)at;
}
INLINE int highest(u32 x) {
    int at;
    __asm__("bsrl %1,%0" : "=r"(at) : "rm"(x | 1));
    return at;
}
INLINE int lowest_or_none(u32 x) {
    int at;
    __asm__("bsfl %1,%0\n\tcmovzl %2,%0" : "=&r"(at) : "rm"(x), "rm"(-1));
    return at + 1;
}

/* Assembly: values in registers. */
INLINE int hidden(int x) {
    __asm__("" : "=r"(x) : "0"(x));
    return x;
}
INLINE u8 hidden_byte(u8 x) {
    __asm__ __volatile__("" : "+q"(x) : : "memory");
    return x;
}
INLINE void *hidden_pointer(void *x) {
    void *y;
    __asm__("" : "=r"(y) : "0"(x));
    return y;
}
INLINE u64 moved(u32 x, u64 y) {
    u32 a, b = 5, c = (u32)y;
    __asm__("movl %1, %0" : "=r"(a) : "r"(x));
    __asm__("movl\t%1,%0" : "=r"(b) : "i"(K3));
    __asm__("movw %w1, %w0" : "+r"(c) : "r"(x));
    __asm__("movb %b1, %b0" : "+q"(b) : "q"(x));
    return a + ((u64)b << 8) + c;
}
INLINE u32 swapped_bytes(u32 x, u16 y) {
    __asm__("bswapl %0" : "=r"(x) : "0"(x));
    __asm__("rolw $8, %0" : "+r"(y));
    __asm__("rorl %b1, %0" : "+r"(x) : "c"((u8)(y & 31)));
    return x + y;
}
INLINE u32 computed(u32 x, u32 y) {
    u8 zero;
    __asm__("addl %2,%0; sete %1" : "+r"(x), "=q"(zero) : "r"(y));
    __asm__("xorl %1,%0; notl %0; negl %0; shll $3,%0; shrl $1,%0" : "+r"(y) : "r"(x));
    __asm__("sarl $2,%0; incl %0; decl %1; subl $1,%1; orl %0,%1" : "+&r"(x), "+r"(y));
    return x * 2 + zero + y;
}
INLINE void pause(void) {
    __asm__ __volatile__("rep; nop" : : : "memory");
    __asm__ __volatile__("lock; addl $0,0(%%" 
#if __SIZEOF_POINTER__ == 8
        "rsp"
#else
        "esp"
#endif
        ")" : : : "memory");
    __asm__ __volatile__("mfence" : : : "memory");
}

/* Intrusive lists. */
struct list_head { struct list_head *next, *prev; };
struct item { u8 tag; struct list_head link; int key; struct { short weight; struct list_head other; } sub; };
static struct list_head queue = { &queue, &queue }, urgent = { &urgent, &urgent };
static struct item items[4];
#define list_for_each_entry(pos, head, member) \
    for (pos = container_of((head)->next, typeof(*pos), member); &pos->member != (head); \
         pos = container_of(pos->member.next, typeof(*pos), member))
static void list_add(struct list_head *new, struct list_head *prev, struct list_head *next) {
    next->prev = new, new->next = next, new->prev = prev, prev->next = new;
}
static void list_del(struct list_head *entry) {
    entry->next->prev = entry->prev, entry->prev->next = entry->next;
    entry->next = entry->prev = 0;
}
static int enqueue(u32 n, int key) {
    struct item *item = &items[n % 4];
    item->key = key, item->tag ^= (u8)n;
    if (item->link.next) return 0;
    n & 8 ? list_add(&item->link, &queue, queue.next) : list_add(&item->link, queue.prev, &queue);
    return 1;
}
static int hurry(u32 n) {
    struct item *item = &items[n % 4];
    item->sub.weight += 3;
    item->sub.other.next ? list_del(&item->sub.other) : list_add(&item->sub.other, urgent.prev, &urgent);
    return urgent.next == &urgent;
}
static int dequeue(void) {
    struct item *item;
    if (queue.next == &queue) return -1;
    item = container_of(queue.next, struct item, link);
    list_del(&item->link);
    return item->key;
}
static u64 in_order(void) {
    struct item *item;
    u64 total = 7;
    list_for_each_entry(item, &queue, link) total = total * 31 + (u32)item->key + item->tag;
    list_for_each_entry(item, &urgent, sub.other) total = total * 17 + (u16)item->sub.weight;
    return total;
}
/* A list by pointers to pointers. */
struct hook { struct hook *next; int (*call)(void *, int); void *data; int priority; };
static struct hook *hooks, hook_pool[3];
static int call_add(void *data, int x) { return (int)((u32)x + (u32)*(int *)data); }
static int call_count(void *data, int x) { return ++((struct item *)data)->tag ^ x; }
static int call_char(void *data, int x) { return ((char *)data)[x & 3]; }
static int hook_on(u32 n, int priority) {
    struct hook *hook = &hook_pool[n % 3], **at = &hooks;
    while (*at && *at != hook) at = &(*at)->next;
    if (*at) { *at = hook->next; return 1; }
    for (at = &hooks; *at && (*at)->priority >= priority; at = &(*at)->next) continue;
    hook->priority = priority, hook->next = *at, *at = hook;
    switch (n % 5) {
    case 0 ... 1: hook->call = call_add, hook->data = &items[n % 4].key; break;
    case 2 ... 3: hook->call = call_count, hook->data = &items[n % 4]; break;
    default: hook->call = call_char, hook->data = "abc";
    }
    return 0;
}
static int hooked(int x) {
    struct hook *hook;
    for (hook = hooks; hook; hook = hook->next) x = hook->call(hook->data, x);
    return x;
}

/* Registers as unions, flags as bit-fields. */
union reg {
    u32 whole;
    u16 half[2];
    u8 byte[4];
    struct { u32 low : W0; u32 mid : W1; int top : W2; } bits;
    struct { u8 a; struct { u16 b; u8 c; } __attribute__((packed)) rest; } part;
};
static union reg regs[3];
static volatile union reg *const io = &regs[1];
struct flags { u32 a : W3; int b : W4; u8 c : W5; u64 d : W6; u32 : 0; u16 e : W7; _Bool f : 1; signed char g : W5; };
struct tight { u8 a : 3; u32 b : W4; u16 c : W7; int d : W3; } __attribute__((packed));
static struct flags flags;
static struct tight tight;
INLINE u64 flag_bytes(u32 n) {
    u8 raw[sizeof tight];
    memcpy(raw, &tight, sizeof raw);
    return raw[n % sizeof raw] + 256 * ((u8 *)&regs[n % 3])[n / 3 % 4];
}
INLINE u32 write_register(u32 n, u32 x) {
    union reg copy = { .whole = x };
    copy.bits.mid++;
    copy.bits.top = -1 - copy.bits.low;
    copy.byte[n & 3] ^= 0x11;
    regs[n % 3] = copy;
    io->half[n & 1] += 5;
    return io->part.rest.b + regs[n % 3].part.rest.c;
}

/* Structs as values. */
struct pair { short a; u8 b; };
struct wide { u64 a; int b; short c[3]; };
struct tiny { u8 a, b, c; };
struct nest { struct pair p; union reg r[2]; struct tiny t; };
static struct nest nest;
static struct pair turned(struct pair p) { return (struct pair){ .a = p.b, .b = (u8)p.a }; }
static struct wide widened(struct pair p, struct wide w) {
    w.c[1] = p.a, w.b ^= p.b;
    return w;
}
static struct tiny tiny_of(u32 x) { struct tiny t = { (u8)x, (u8)(x >> 8) }; return t; }
static int tiny_sum(struct tiny t, union reg r) { return t.a + 2 * t.b + 3 * t.c + r.byte[3]; }
INLINE u64 values(int x, u64 y) {
    struct wide w = { y, x, { 1, [2] = 3 } }, v;
    struct pair p = turned((struct pair){ (short)x, (u8)y });
    struct nest copy = nest, *to = x & 1 ? &copy : &nest;
    v = widened(p, w);
    nest.t = tiny_of((u32)x);
    to->r[x >> 1 & 1].whole = (u32)y, to->p = p;
    nest = *to;
    return v.a + (u32)v.b + (u16)v.c[1] + (u16)(y & 2 ? v : w).c[2] + (u32)tiny_sum(nest.t, copy.r[1]);
}

/* Devices on the heap, with private data and tables of operations. */
struct device;
struct operations { const char *name; int (*get)(struct device *, u32); void (*set)(struct device *, u32, int); };
struct device {
    u8 id;
    const struct operations *ops;
    void *priv;
    struct { u32 head, tail; short ring[8]; u16 guard; } fifo;
    struct { u8 state; int level; } channel[3];
    int references;
    struct list_head node;
};
struct left { int gain; u8 map[4]; };
struct right { u64 sum; struct device *owner; short table[2][3]; };
static struct device *devices[2];
static void *dev_get_drvdata(const struct device *dev) { return dev->priv; }
static int left_get(struct device *dev, u32 n) {
    struct left *left = dev_get_drvdata(dev);
    return left->gain ^ left->map[n & 3];
}
static void left_set(struct device *dev, u32 n, int x) {
    struct left *left = dev_get_drvdata(dev);
    left->map[n & 3] = (u8)x, left->gain ^= x;
}
static int right_get(struct device *dev, u32 n) {
    struct right *right = dev->priv;
    return (int)((u32)right->sum + right->owner->id + (u32)right->table[n & 1][n % 3]);
}
static void right_set(struct device *dev, u32 n, int x) {
    struct right *right = dev->priv;
    right->sum += (u32)x, right->table[n & 1][n % 3] = (short)x, right->owner->channel[n % 3].level = x;
}
static const struct operations operations[] = {
    [0] = { .name = "left", .get = left_get, .set = left_set },
    [1 ... 2] = { .name = "right", .get = right_get, .set = right_set },
};
static void *kzalloc(size_t size) { return calloc(1, size); }
static void *ERR_PTR(long error) { return (void *)error; }
static long PTR_ERR(const void *p) { return (long)p; }
static int IS_ERR(const void *p) { return unlikely((word)p >= (word)-4095); }
static void release(struct device *dev) {
    free(dev->priv);
    free(dev);
}
static int probe(u32 n, u32 kind) {
    struct device **slot = &devices[n % ARRAY_SIZE(devices)], *dev;
    int error = -16;
    if (*slot) goto busy;
    error = -12;
    dev = kzalloc(sizeof *dev);
    if (unlikely(!dev)) goto busy;
    dev->ops = &operations[kind % 3], dev->id = (u8)(n + 1), dev->references = 1;
    dev->priv = dev->ops->get == left_get ? kzalloc(sizeof(struct left)) : kzalloc(sizeof(struct right));
    if (kind & 64) goto undo;
    if (kind % 3) ((struct right *)dev->priv)->owner = dev;
    *slot = dev;
    return 0;
undo:
    free(dev->priv);
    free(dev);
busy:
    return error;
}
static struct device *find(u32 n) { return devices[n % 2] ?: ERR_PTR(-(long)(n % 7 + 1)); }
static long device_get(u32 n, u32 at) {
    struct device *dev = find(n);
    if (IS_ERR(dev)) return PTR_ERR(dev);
    return (dev->ops->get(dev, at) & 0xffffff) + dev->ops->name[at & 3];
}
static int device_set(u32 n, u32 at, int x) {
    struct device *dev = find(n);
    if (IS_ERR(dev)) return 1;
    dev->channel[at % 3].state++;
    dev->ops->set(dev, at, x);
    return dev->channel[(at + 1) % 3].state;
}
static int device_put(u32 n) {
    struct device *dev = devices[n % 2];
    if (!dev || !dec_and_test(&dev->references)) return 0;
    devices[n % 2] = 0;
    release(dev);
    return 1;
}
static int push(u32 n, int x) {
    struct device *dev = find(n);
    if (IS_ERR(dev) || dev->fifo.head - dev->fifo.tail >= ARRAY_SIZE(dev->fifo.ring)) return -1;
    dev->fifo.ring[dev->fifo.head++ & 7] = (short)x;
    dev->fifo.guard++;
    return (int)(dev->fifo.head - dev->fifo.tail);
}
static int pop(u32 n) {
    struct device *dev = find(n);
    if (IS_ERR(dev) || dev->fifo.head == dev->fifo.tail) return -1;
    return dev->fifo.ring[dev->fifo.tail++ & 7] + dev->fifo.guard;
}

/* Arrays: of no length, of any length, of computed length; tables. */
struct message { u16 length; u8 kind; u8 data[0]; };
struct flexible { int n; short v[]; };
static struct flexible fixed = { 3, { 1, -2, 3 } };
static const int ranges[12] = { [0 ... 3] = 7, [5] = 9, [7 ... 10] = -1 };
static const struct { u8 a[4]; struct pair p; } shapes[5] = { [1 ... 3] = { .a[1 ... 2] = 5, .p.b = 6 }, [4].p = { 1, 2 } };
static int message(u32 n, int x) {
    struct message *m = malloc(sizeof *m + n % 9);
    u32 i;
    int sum = 0;
    m->length = (u16)(n % 9), m->kind = 1;
    for (i = 0; i < m->length; i++) m->data[i] = (u8)((u32)x + i % 3);
    for (i = 0; i < n % 9; i++) sum += *((u8 *)m + __builtin_offsetof(struct message, data) + i);
    free(m);
    return sum + fixed.v[n % (u32)fixed.n];
}
static long computed_length(u32 n, u32 x) {
    u32 length = n % 6 + 1, i;
    u32 row[length];
    u16 grid[length][3];
    for (i = 0; i < length; i++) row[i] = x + i, grid[i][0] = grid[i][1] = (u16)(x >> i), grid[i][2] = (u16)i;
    grid[n % length][x % 3] = 9;
    return (long)(sizeof row + sizeof grid[0] + row[length - 1] % 1000 + grid[n % length][1]);
}
static int from_tables(u32 n) {
    short local[8] = { [2 ... 4] = K4 % 100, [7] = -1 };
    return ranges[n % 12] + shapes[n % 5].a[n % 4] + shapes[n % 5].p.b + local[n % 8] + table[n % ARRAY_SIZE(table)];
}
static u32 checksum(const void *data, size_t size) {
    const u8 *at = data;
    u32 crc = ~0u;
    while (size--) crc = crc >> 8 ^ table[(crc ^ *at++) % ARRAY_SIZE(table)];
    return crc;
}

/* Control. */
static int classify(int x) {
    switch (x) {
    case -5 ... -1: return 1;
    case 0: x = 4; /* fall through */
    case 1 ... 9: x++; break;
    case 'a' ... 'z': return 3;
    case 1000 ... 2000: x -= 990; break;
    case 0x7ffffff0 ... 0x7fffffff: return -2;
    default: return 12;
    }
    return x * 2;
}
static u32 interpret(u32 code, u32 acc) {
    static void *const jumps[] = { &&add, &&turn, &&skip, &&stop };
    int left = 12;
next:
    if (!left--) return acc;
    code = code >> 2 | (acc & 1) << 31;
    goto *jumps[code & 3];
add:
    acc += code;
    goto next;
turn:
    acc = acc << 3 | acc >> 29;
    goto next;
skip:
    code >>= 2;
    goto next;
stop:
    return acc ^ 0x55;
}
static int old_style(a, b, c)
    int a;
    short b;
    unsigned char c;
{
    return (a & 0xffff) - b + c * 3;
}
typedef union { int *number; struct item *item; u8 *byte; } any_pointer __attribute__((transparent_union));
static int take(any_pointer p) { return *p.byte; }
static int labelled(int x) __asm__("another_name");
static int labelled(int x) { return x & 0x3f; }
INLINE u64 memory(u32 n, int x) {
    struct { char name[6]; u16 after; struct { int in, out; } v[2]; } s = { "probe", 7, { [1].out = x } };
    memset(&s.v[n & 1], x, n % (sizeof s.v[0] + 1));
    memcpy(s.name + 1, "rob", n & 3);
    s.name[n % 6] ^= (char)(n & 1);
    memmove(&s.v[0].out, &s.v[0].in, sizeof s.v[0]);
    return (u32)s.v[0].out + 3ull * (u32)s.v[1].in + 5ull * (u32)s.v[1].out + s.after + (u8)s.name[2] + !strncmp(s.name, "probe", 6);
}
