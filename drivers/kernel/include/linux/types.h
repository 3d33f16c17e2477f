/* The kernel's basic types and the annotations of its declarations. Annotations mean nothing here: what they say is checked by rules. */
#ifndef BOOLERO_TYPES_H
#define BOOLERO_TYPES_H

#ifndef __KERNEL_MODEL__
#define __KERNEL_MODEL__ 1
#endif

typedef signed char s8, __s8;
typedef unsigned char u8, __u8, u_char, unchar, u_int8_t, uint8_t;
typedef short s16, __s16;
typedef unsigned short u16, __u16, u_short, ushort, uint16_t;
typedef int s32, __s32;
typedef unsigned int u32, __u32, u_int, uint, uint32_t, u_int32_t;
typedef long long s64, __s64;
typedef unsigned long long u64, __u64;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned long uint64_t, u_long, ulong;
typedef unsigned long size_t, __kernel_size_t, uintptr_t, __kernel_ulong_t, uint_least_t;
typedef long ssize_t, ptrdiff_t, intptr_t, off_t, __kernel_off_t, __kernel_long_t, __kernel_time_t, time_t, clock_t, suseconds_t;
typedef long long loff_t, time64_t, ktime_t, __kernel_time64_t, __kernel_loff_t;
typedef u16 __le16, __be16, __sum16, umode_t, __kernel_sa_family_t, sa_family_t;
typedef u32 __le32, __be32, __wsum, dev_t, gfp_t, slab_flags_t, fmode_t, __poll_t, uid_t, gid_t, upf_t, mode_t, __kernel_mode_t;
typedef u64 __le64, __be64, sector_t, blkcnt_t, dma_addr_t, phys_addr_t, resource_size_t, dma64_addr_t, __aligned_u64, netdev_features_t;
typedef int pid_t, irqreturn_t, kernel_pid_t, blk_status_t, clockid_t, netdev_tx_t, __kernel_pid_t, __kernel_clockid_t, dma_cookie_t, __kernel_timer_t;
typedef unsigned long irq_hw_number_t, kernel_ulong_t, cycles_t, pgoff_t, pteval_t;
typedef struct { u8 b[16]; } guid_t, uuid_t, uuid_le;

#ifndef __cplusplus
#define bool _Bool
#define true 1
#define false 0
#endif
#define NULL ((void *)0)

struct list_head { struct list_head *next, *prev; };
struct hlist_node { struct hlist_node *next, **pprev; };
struct hlist_head { struct hlist_node *first; };
struct callback_head { struct callback_head *next; void (*func)(struct callback_head *head); };
#define rcu_head callback_head

typedef struct { int counter; } atomic_t;
typedef struct { long counter; } atomic64_t, atomic_long_t;

#define __init
#define __exit
#define __initdata
#define __initconst
#define __exitdata
#define __devinit
#define __devexit
#define __devinitdata
#define __devinitconst
#define __devexit_p(x) (x)
#define __exit_p(x) (x)
#define __refdata
#define __ref
#define __user
#define __iomem
#define __force
#define __percpu
#define __rcu
#define __kernel
#define __bitwise
#define __bitwise__
#define __private
#define __read_mostly
#define __ro_after_init
#define __must_check
#define __cold
#define __hot
#define __sched
#define __must_hold(x)
#define __acquires(x)
#define __releases(x)
#define __acquire(x) ((void)0)
#define __release(x) ((void)0)
#define __maybe_unused __attribute__((unused))
#define __always_unused __attribute__((unused))
#define __used __attribute__((used))
#define __packed __attribute__((packed))
#define __aligned(x) __attribute__((aligned(x)))
#define ____cacheline_aligned
#define ____cacheline_aligned_in_smp
#define __cacheline_aligned
#define __printf(a, b)
#define __noreturn __attribute__((noreturn))
#define __weak __attribute__((weak))
#define __pure
#define __attribute_const__
#define noinline
#define notrace
#define asmlinkage
#define __visible
#define __latent_entropy
#define __nonstring
#define __counted_by(x)
#define __always_inline inline
#define __deprecated
#define __malloc
#define __section(x)
#define fallthrough do {} while (0)
#define __stringify_1(x...) #x
#define __stringify(x...) __stringify_1(x)
#define likely(x) (!!(x))
#define unlikely(x) (!!(x))
#define barrier() ((void)0)
#define uninitialized_var(x) x
#define ACCESS_ONCE(x) (*(volatile __typeof__(x) *)&(x))
#define READ_ONCE(x) (*(volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, val) (*(volatile __typeof__(x) *)&(x) = (val))
#define offsetof(type, member) __builtin_offsetof(type, member)
#define sizeof_field(type, member) (sizeof(((type *)0)->member))
#define FIELD_SIZEOF(type, member) sizeof_field(type, member)
#define DECLARE_BITMAP(name, bits) unsigned long name[((bits) + 63) / 64]
#define __struct_group_attr
#define DECLARE_FLEX_ARRAY(type, name) type name[0]
#define IS_ENABLED(option) BOOLERO_IS(option)
#define IS_BUILTIN(option) BOOLERO_IS(option)
#define IS_MODULE(option) 0
#define IS_REACHABLE(option) BOOLERO_IS(option)
#define BOOLERO_IS(option) BOOLERO_IS_(BOOLERO_PLACE_##option)
#define BOOLERO_IS_(option) BOOLERO_SECOND(option 1, 0)
#define BOOLERO_SECOND(first, second, ...) second
#define BOOLERO_PLACE_1 0,

/* What a kernel with power management, device trees and the rest is configured with. */
#define CONFIG_PM 1
#define CONFIG_PM_SLEEP 1
#define CONFIG_PM_RUNTIME 1
#define CONFIG_OF 1
#define CONFIG_OF_GPIO 1
#define CONFIG_GPIOLIB 1
#define CONFIG_HAS_IOMEM 1
#define CONFIG_PCI 1
#define CONFIG_SYSFS 1
#define CONFIG_PROC_FS 1
#define CONFIG_DEBUG_FS 1
#define CONFIG_SMP 1
#define CONFIG_64BIT 1
#define CONFIG_BLOCK 1
#define CONFIG_HZ 250
#define HZ 250
#define PAGE_SIZE 4096UL
#define PAGE_SHIFT 12
#define PAGE_MASK (~(PAGE_SIZE - 1))
#define PAGE_ALIGN(x) (((x) + PAGE_SIZE - 1) & PAGE_MASK)
#define BITS_PER_LONG 64
#define BITS_PER_BYTE 8
#define NR_CPUS 4
#define L1_CACHE_BYTES 64
#define SMP_CACHE_BYTES 64
#define numa_node_id() 0
#define NUMA_NO_NODE (-1)
#define PATH_MAX 4096
#define NR_IRQS 1024
#define UTS_RELEASE "6.1.0"
#define LINUX_VERSION_CODE KERNEL_VERSION(6, 1, 0)
#define KERNEL_VERSION(a, b, c) (((a) << 16) + ((b) << 8) + (c))
#define KBUILD_MODNAME "driver"
#define KBUILD_BASENAME "driver"

#endif
