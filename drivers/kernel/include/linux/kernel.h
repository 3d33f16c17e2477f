/* What nearly every driver uses: errors, printing, arithmetic, bits, strings, byte orders, time. */
#ifndef BOOLERO_KERNEL_H
#define BOOLERO_KERNEL_H

#include <linux/types.h>
#include <linux/errno.h>
#include <linux/bits.h>
#include <linux/string.h>
#include <linux/list.h>
#include <boolero/open.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define container_of(pointer, type, member) ((type *)((char *)(pointer) - __builtin_offsetof(type, member)))
#define container_of_const container_of
#define typeof __typeof__
#define typecheck(type, x) 1
#define min(x, y) ((x) < (y) ? (x) : (y))
#define max(x, y) ((x) > (y) ? (x) : (y))
#define min_t(type, x, y) ((type)(x) < (type)(y) ? (type)(x) : (type)(y))
#define max_t(type, x, y) ((type)(x) > (type)(y) ? (type)(x) : (type)(y))
#define min3(x, y, z) min(min(x, y), z)
#define max3(x, y, z) max(max(x, y), z)
#define clamp(x, low, high) min(max(x, low), high)
#define clamp_t(type, x, low, high) min_t(type, max_t(type, x, low), high)
#define clamp_val(x, low, high) clamp_t(__typeof__(x), x, low, high)
#define swap(a, b) do { __typeof__(a) boolero_swap = (a); (a) = (b); (b) = boolero_swap; } while (0)
#define abs(x) ((x) < 0 ? -(x) : (x))
#define roundup(x, y) ((((x) + ((y) - 1)) / (y)) * (y))
#define rounddown(x, y) ((x) - ((x) % (y)))
#define round_up(x, y) roundup(x, y)
#define round_down(x, y) rounddown(x, y)
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define DIV_ROUND_UP_ULL(n, d) DIV_ROUND_UP((unsigned long long)(n), (d))
#define DIV_ROUND_CLOSEST(x, divisor) (((x) + ((divisor) / 2)) / (divisor))
#define DIV_ROUND_CLOSEST_ULL(x, divisor) DIV_ROUND_CLOSEST((unsigned long long)(x), (divisor))
#define mult_frac(x, n, d) (((x) * (n)) / (d))
#define ALIGN(x, a) (((x) + (a) - 1) & ~((__typeof__(x))(a) - 1))
#define ALIGN_DOWN(x, a) ((x) & ~((__typeof__(x))(a) - 1))
#define PTR_ALIGN(p, a) ((__typeof__(p))ALIGN((unsigned long)(p), (a)))
#define IS_ALIGNED(x, a) (((x) & ((__typeof__(x))(a) - 1)) == 0)
#define upper_32_bits(n) ((u32)(((u64)(n)) >> 32))
#define lower_32_bits(n) ((u32)((n) & 0xffffffff))
#define struct_size(p, member, n) (sizeof(*(p)) + sizeof((p)->member[0]) * (n))
#define array_size(a, b) ((size_t)(a) * (b))
#define flex_array_size(p, member, n) (sizeof((p)->member[0]) * (n))
#define U8_MAX ((u8)~0U)
#define S8_MAX 127
#define U16_MAX ((u16)~0U)
#define S16_MAX 32767
#define S16_MIN (-32768)
#define U32_MAX ((u32)~0U)
#define S32_MAX 0x7fffffff
#define U64_MAX ((u64)~0ULL)
#define INT_MAX 0x7fffffff
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX (~0U)
#define LONG_MAX (~0UL >> 1)
#define LONG_MIN (-LONG_MAX - 1)
#define ULONG_MAX (~0UL)
#define USHRT_MAX 0xffff
#define SHRT_MAX 0x7fff
#define SIZE_MAX (~(size_t)0)
#define LLONG_MAX 0x7fffffffffffffffLL
#define ULLONG_MAX (~0ULL)
#define _RET_IP_ 0UL
#define _THIS_IP_ 0UL

/* Errors that are carried by pointers. Objects never lie in the last 4095 bytes. */
#define MAX_ERRNO 4095
#define IS_ERR_VALUE(x) ((unsigned long)(void *)(x) >= (unsigned long)-MAX_ERRNO)
static inline void *ERR_PTR(long error) { return (void *)error; }
static inline long PTR_ERR(const void *pointer) { return (long)pointer; }
static inline bool IS_ERR(const void *pointer) { return IS_ERR_VALUE((unsigned long)pointer); }
static inline bool IS_ERR_OR_NULL(const void *pointer) { return !pointer || IS_ERR_VALUE((unsigned long)pointer); }
static inline void *ERR_CAST(const void *pointer) { return (void *)pointer; }
static inline int PTR_ERR_OR_ZERO(const void *pointer) { return IS_ERR(pointer) ? (int)(long)pointer : 0; }
#define PTR_RET PTR_ERR_OR_ZERO

/* Printing does nothing: the arguments are not even evaluated, except for their types. */
static inline int boolero_print(const char *format, ...) { return 0; }
#define boolero_silent(...) ((void)sizeof(boolero_print(__VA_ARGS__)))
#define pr_fmt(format) format
#define printk(...) ((int)(0 * sizeof(boolero_print(__VA_ARGS__))))
#define printk_once printk
#define printk_ratelimited printk
#define printk_ratelimit() 0
#define net_ratelimit() 0
#define KERN_SOH ""
#define KERN_EMERG ""
#define KERN_ALERT ""
#define KERN_CRIT ""
#define KERN_ERR ""
#define KERN_WARNING ""
#define KERN_NOTICE ""
#define KERN_INFO ""
#define KERN_DEBUG ""
#define KERN_CONT ""
#define pr_emerg(...) boolero_silent(__VA_ARGS__)
#define pr_alert(...) boolero_silent(__VA_ARGS__)
#define pr_crit(...) boolero_silent(__VA_ARGS__)
#define pr_err(...) boolero_silent(__VA_ARGS__)
#define pr_err_once(...) boolero_silent(__VA_ARGS__)
#define pr_err_ratelimited(...) boolero_silent(__VA_ARGS__)
#define pr_warning(...) boolero_silent(__VA_ARGS__)
#define pr_warn(...) boolero_silent(__VA_ARGS__)
#define pr_warn_once(...) boolero_silent(__VA_ARGS__)
#define pr_warn_ratelimited(...) boolero_silent(__VA_ARGS__)
#define pr_notice(...) boolero_silent(__VA_ARGS__)
#define pr_info(...) boolero_silent(__VA_ARGS__)
#define pr_info_once(...) boolero_silent(__VA_ARGS__)
#define pr_cont(...) boolero_silent(__VA_ARGS__)
#define pr_debug(...) boolero_silent(__VA_ARGS__)
#define pr_devel(...) boolero_silent(__VA_ARGS__)
#define no_printk(...) boolero_silent(__VA_ARGS__)
#define trace_printk(...) boolero_silent(__VA_ARGS__)
#define print_hex_dump_bytes(...) ((void)0)
#define print_hex_dump(...) ((void)0)
#define print_hex_dump_debug(...) ((void)0)
#define print_dev_t(buffer, dev) 0
#define dump_stack() ((void)0)
#define DUMP_PREFIX_OFFSET 2
#define DUMP_PREFIX_NONE 0
#define KERN_LEVELS 8

#define WARN_ON(condition) (!!(condition))
#define WARN_ON_ONCE(condition) (!!(condition))
#define WARN(condition, ...) (!!(condition))
#define WARN_ONCE(condition, ...) (!!(condition))
#define WARN_TAINT(condition, ...) (!!(condition))
#define BUG() boolero_bug()
#define BUG_ON(condition) do { if (condition) boolero_bug(); } while (0)
#define BUILD_BUG_ON(condition) ((void)0)
#define BUILD_BUG_ON_MSG(condition, text) ((void)0)
#define BUILD_BUG_ON_ZERO(condition) 0
#define static_assert(...) _Static_assert(1, "")
#define might_sleep() boolero_may_sleep()
#define might_sleep_if(condition) do { if (condition) boolero_may_sleep(); } while (0)
#define might_fault() boolero_may_sleep()
void boolero_bug(void);
void boolero_may_sleep(void);
void panic(const char *format, ...);
void emergency_restart(void);

int kstrtoul(const char *text, unsigned int base, unsigned long *result);
int kstrtol(const char *text, unsigned int base, long *result);
int kstrtoull(const char *text, unsigned int base, unsigned long long *result);
int kstrtoint(const char *text, unsigned int base, int *result);
int kstrtouint(const char *text, unsigned int base, unsigned int *result);
int kstrtou8(const char *text, unsigned int base, u8 *result);
int kstrtou16(const char *text, unsigned int base, u16 *result);
int kstrtobool(const char *text, bool *result);
#define kstrtou32 kstrtouint
#define kstrtos32 kstrtoint
#define kstrtou64 kstrtoull
#define strict_strtoul kstrtoul
#define strict_strtol kstrtol
#define strtobool kstrtobool
unsigned long simple_strtoul(const char *text, char **end, unsigned int base);
long simple_strtol(const char *text, char **end, unsigned int base);
int kstrtouint_from_user(const char *text, size_t count, unsigned int base, unsigned int *result);
int kstrtoint_from_user(const char *text, size_t count, unsigned int base, int *result);
int kstrtobool_from_user(const char *text, size_t count, bool *result);
int hex_to_bin(char digit);
int hex2bin(u8 *destination, const char *source, size_t count);
extern const char hex_asc[];
#define hex_asc_lo(x) hex_asc[(x) & 0x0f]
#define hex_asc_hi(x) hex_asc[((x) & 0xf0) >> 4]
char *get_options(const char *text, int count, int *numbers);

static inline unsigned int bcd2bin(u8 value) { return (value & 0x0f) + (value >> 4) * 10; }
static inline u8 bin2bcd(unsigned int value) { return (u8)(((value / 10) << 4) + value % 10); }
#define BCD2BIN bcd2bin
#define BIN2BCD bin2bcd
#define BCD_TO_BIN(value) ((value) = bcd2bin(value))
#define BIN_TO_BCD(value) ((value) = bin2bcd(value))

#define do_div(n, base) ({ unsigned int boolero_rest = (unsigned int)((n) % (base)); (n) = (n) / (base); boolero_rest; })
static inline u64 div_u64(u64 dividend, u32 divisor) { return dividend / divisor; }
static inline s64 div_s64(s64 dividend, s32 divisor) { return dividend / divisor; }
static inline u64 div64_u64(u64 dividend, u64 divisor) { return dividend / divisor; }
static inline s64 div64_s64(s64 dividend, s64 divisor) { return dividend / divisor; }
static inline u64 div64_ul(u64 dividend, unsigned long divisor) { return dividend / divisor; }
static inline u64 div_u64_rem(u64 dividend, u32 divisor, u32 *rest) { *rest = (u32)(dividend % divisor); return dividend / divisor; }
static inline s64 div_s64_rem(s64 dividend, s32 divisor, s32 *rest) { *rest = (s32)(dividend % divisor); return dividend / divisor; }
static inline u64 mul_u64_u32_shr(u64 a, u32 b, unsigned int shift) { return (a * b) >> shift; }
unsigned long int_sqrt(unsigned long x);
unsigned long gcd(unsigned long a, unsigned long b);

#define cpu_to_le16(x) ((__le16)(x))
#define cpu_to_le32(x) ((__le32)(x))
#define cpu_to_le64(x) ((__le64)(x))
#define le16_to_cpu(x) ((u16)(x))
#define le32_to_cpu(x) ((u32)(x))
#define le64_to_cpu(x) ((u64)(x))
#define __constant_cpu_to_le16 cpu_to_le16
#define __constant_cpu_to_le32 cpu_to_le32
#define __cpu_to_le16 cpu_to_le16
#define __cpu_to_le32 cpu_to_le32
#define __le16_to_cpu le16_to_cpu
#define __le32_to_cpu le32_to_cpu
#define swab16(x) ((u16)__builtin_bswap16(x))
#define swab32(x) ((u32)__builtin_bswap32(x))
#define swab64(x) ((u64)__builtin_bswap64(x))
#define cpu_to_be16 swab16
#define cpu_to_be32 swab32
#define cpu_to_be64 swab64
#define be16_to_cpu swab16
#define be32_to_cpu swab32
#define be64_to_cpu swab64
#define __cpu_to_be16 swab16
#define __cpu_to_be32 swab32
#define __be16_to_cpu swab16
#define __be32_to_cpu swab32
#define htons swab16
#define htonl swab32
#define ntohs swab16
#define ntohl swab32
#define le16_to_cpup(p) (*(p))
#define le32_to_cpup(p) (*(p))
#define le64_to_cpup(p) (*(p))
#define be16_to_cpup(p) swab16(*(p))
#define be32_to_cpup(p) swab32(*(p))
#define le16_to_cpus(p) ((void)(p))
#define le32_to_cpus(p) ((void)(p))
#define cpu_to_le16s(p) ((void)(p))
#define cpu_to_le32s(p) ((void)(p))
#define be16_to_cpus(p) (*(p) = swab16(*(p)))
static inline u16 get_unaligned_le16(const void *p) { const u8 *b = p; return (u16)(b[0] | b[1] << 8); }
static inline u32 get_unaligned_le32(const void *p) { const u8 *b = p; return b[0] | b[1] << 8 | b[2] << 16 | (u32)b[3] << 24; }
static inline u64 get_unaligned_le64(const void *p) { const u8 *b = p; return (u64)get_unaligned_le32(b + 4) << 32 | get_unaligned_le32(b); }
static inline u16 get_unaligned_be16(const void *p) { const u8 *b = p; return (u16)(b[1] | b[0] << 8); }
static inline u32 get_unaligned_be32(const void *p) { const u8 *b = p; return b[3] | b[2] << 8 | b[1] << 16 | (u32)b[0] << 24; }
static inline u64 get_unaligned_be64(const void *p) { const u8 *b = p; return (u64)get_unaligned_be32(b) << 32 | get_unaligned_be32(b + 4); }
static inline u32 get_unaligned_be24(const void *p) { const u8 *b = p; return b[2] | b[1] << 8 | b[0] << 16; }
static inline void put_unaligned_le16(u16 v, void *p) { u8 *b = p; b[0] = (u8)v; b[1] = (u8)(v >> 8); }
static inline void put_unaligned_le32(u32 v, void *p) { put_unaligned_le16((u16)v, p); put_unaligned_le16((u16)(v >> 16), (u8 *)p + 2); }
static inline void put_unaligned_be16(u16 v, void *p) { u8 *b = p; b[1] = (u8)v; b[0] = (u8)(v >> 8); }
static inline void put_unaligned_be32(u32 v, void *p) { put_unaligned_be16((u16)(v >> 16), p); put_unaligned_be16((u16)v, (u8 *)p + 2); }
#define get_unaligned(p) (*(p))
#define put_unaligned(value, p) (*(p) = (value))

/* Time passes between callbacks; how much is open. */
unsigned long boolero_jiffies(void);
#define jiffies boolero_jiffies()
#define get_jiffies_64() ((u64)boolero_jiffies())
#define time_after(a, b) ((long)((b) - (a)) < 0)
#define time_before(a, b) time_after(b, a)
#define time_after_eq(a, b) ((long)((a) - (b)) >= 0)
#define time_before_eq(a, b) time_after_eq(b, a)
#define time_after64(a, b) ((s64)((b) - (a)) < 0)
#define time_before64(a, b) time_after64(b, a)
#define time_in_range(a, b, c) (time_after_eq(a, b) && time_before_eq(a, c))
#define time_is_before_jiffies(a) time_after(jiffies, a)
#define time_is_after_jiffies(a) time_before(jiffies, a)
#define msecs_to_jiffies(m) ((unsigned long)(m) * HZ / 1000)
#define usecs_to_jiffies(u) ((unsigned long)(u) * HZ / 1000000)
#define jiffies_to_msecs(j) ((unsigned int)((j) * (1000 / HZ)))
#define jiffies_to_usecs(j) ((unsigned int)((j) * (1000000 / HZ)))
#define secs_to_jiffies(s) ((unsigned long)(s) * HZ)
#define round_jiffies(j) (j)
#define round_jiffies_relative(j) (j)
#define MAX_JIFFY_OFFSET ((LONG_MAX >> 1) - 1)
#define INITIAL_JIFFIES 0UL
#define USEC_PER_SEC 1000000L
#define USEC_PER_MSEC 1000L
#define MSEC_PER_SEC 1000L
#define NSEC_PER_SEC 1000000000L
#define NSEC_PER_MSEC 1000000L
#define NSEC_PER_USEC 1000L
#define HZ_PER_KHZ 1000UL
#define HZ_PER_MHZ 1000000UL
struct timespec { long tv_sec; long tv_nsec; };
struct timespec64 { time64_t tv_sec; long tv_nsec; };
struct timeval { long tv_sec; long tv_usec; };
ktime_t ktime_get(void);
ktime_t ktime_get_real(void);
ktime_t ktime_get_boottime(void);
time64_t ktime_get_real_seconds(void);
time64_t ktime_get_seconds(void);
u64 ktime_get_ns(void);
void ktime_get_ts64(struct timespec64 *time);
void ktime_get_real_ts64(struct timespec64 *time);
void do_gettimeofday(struct timeval *time);
void getnstimeofday(struct timespec *time);
unsigned long get_seconds(void);
#define ktime_set(s, n) ((ktime_t)(s) * NSEC_PER_SEC + (n))
#define ktime_add(a, b) ((a) + (b))
#define ktime_sub(a, b) ((a) - (b))
#define ktime_add_ns(a, n) ((a) + (n))
#define ktime_add_us(a, n) ((a) + (n) * 1000)
#define ktime_add_ms(a, n) ((a) + (n) * 1000000)
#define ktime_to_ns(a) ((s64)(a))
#define ktime_to_us(a) ((s64)(a) / 1000)
#define ktime_to_ms(a) ((s64)(a) / 1000000)
#define ktime_us_delta(a, b) (((a) - (b)) / 1000)
#define ktime_ms_delta(a, b) (((a) - (b)) / 1000000)
#define ktime_compare(a, b) ((a) < (b) ? -1 : (a) > (b))
#define ktime_before(a, b) ((a) < (b))
#define ktime_after(a, b) ((a) > (b))
#define ns_to_ktime(n) ((ktime_t)(n))
#define ms_to_ktime(n) ((ktime_t)(n) * 1000000)
#define KTIME_MAX ((s64)0x7fffffffffffffffLL)

/* Delays: those that wait actively may be called anywhere. */
static inline void udelay(unsigned long time) {}
static inline void ndelay(unsigned long time) {}
static inline void mdelay(unsigned long time) {}
void msleep(unsigned int time);
unsigned long msleep_interruptible(unsigned int time);
void ssleep(unsigned int time);
void usleep_range(unsigned long least, unsigned long most);
void fsleep(unsigned long time);
void cpu_relax(void);
#define mb() ((void)0)
#define rmb() ((void)0)
#define wmb() ((void)0)
#define smp_mb() ((void)0)
#define smp_rmb() ((void)0)
#define smp_wmb() ((void)0)
#define dma_wmb() ((void)0)
#define dma_rmb() ((void)0)
#define mmiowb() ((void)0)
#define smp_mb__before_atomic() ((void)0)
#define smp_mb__after_atomic() ((void)0)
#define smp_mb__before_clear_bit() ((void)0)
#define smp_mb__after_clear_bit() ((void)0)
#define smp_store_release(p, v) (*(p) = (v))
#define smp_load_acquire(p) (*(p))
#define set_mb(variable, value) ((variable) = (value))
#define smp_processor_id() 0
#define raw_smp_processor_id() 0
#define num_online_cpus() 2
#define get_cpu() (preempt_disable(), 0)
#define put_cpu() preempt_enable()
#define for_each_online_cpu(cpu) for ((cpu) = 0; (cpu) < 2; (cpu)++)
#define for_each_possible_cpu for_each_online_cpu

u32 get_random_u32(void);
#define get_random_int get_random_u32
#define prandom_u32 get_random_u32
void get_random_bytes(void *buffer, int count);
void add_device_randomness(const void *buffer, unsigned int count);

enum system_states { SYSTEM_BOOTING, SYSTEM_RUNNING, SYSTEM_HALT, SYSTEM_POWER_OFF, SYSTEM_RESTART };
extern enum system_states system_state;

#include <linux/spinlock.h>
#include <linux/slab.h>
#include <linux/device.h>
#include <linux/interrupt.h>
#include <linux/fs.h>

#endif
