/* Registers and ports: what is read is open, and what is written goes nowhere. Resources. */
#include <linux/kernel.h>
#ifndef BOOLERO_IO_H
#define BOOLERO_IO_H
#include <linux/types.h>
struct device; struct platform_device;
struct resource { resource_size_t start; resource_size_t end; const char *name; unsigned long flags; struct resource *parent, *sibling, *child; };
#define IORESOURCE_IO 0x100
#define IORESOURCE_MEM 0x200
#define IORESOURCE_IRQ 0x400
#define IORESOURCE_DMA 0x800
#define IORESOURCE_REG 0x300
#define IORESOURCE_BUSY 0x80000000
#define IORESOURCE_IRQ_HIGHEDGE 1
#define IORESOURCE_IRQ_LOWEDGE 2
#define IORESOURCE_IRQ_SHAREABLE 16
#define IORESOURCE_IRQ_LOWLEVEL 8
#define DEFINE_RES_NAMED(s, n, nm, f) { .start = (s), .end = (s) + (n) - 1, .name = (nm), .flags = (f) }
#define DEFINE_RES_MEM(s, n) DEFINE_RES_NAMED(s, n, NULL, IORESOURCE_MEM)
#define DEFINE_RES_MEM_NAMED(s, n, nm) DEFINE_RES_NAMED(s, n, nm, IORESOURCE_MEM)
#define DEFINE_RES_IO(s, n) DEFINE_RES_NAMED(s, n, NULL, IORESOURCE_IO)
#define DEFINE_RES_IRQ(s) DEFINE_RES_NAMED(s, 1, NULL, IORESOURCE_IRQ)
#define DEFINE_RES_IRQ_NAMED(s, nm) DEFINE_RES_NAMED(s, 1, nm, IORESOURCE_IRQ)
extern struct resource iomem_resource, ioport_resource;
static inline resource_size_t resource_size(const struct resource *r) { return r->end - r->start + 1; }
static inline unsigned long resource_type(const struct resource *r) { return r->flags & 0x1f00; }
#define RESOURCE_NEEDS_PARENT 1

static inline u8 inb(unsigned long port) { return __VERIFIER_nondet_uchar(); }
static inline u16 inw(unsigned long port) { return (u16)__VERIFIER_nondet_uint(); }
static inline u32 inl(unsigned long port) { return __VERIFIER_nondet_uint(); }
static inline void outb(u8 value, unsigned long port) {}
static inline void outw(u16 value, unsigned long port) {}
static inline void outl(u32 value, unsigned long port) {}
#define inb_p inb
#define outb_p outb
#define inw_p inw
#define outw_p outw
void insb(unsigned long port, void *to, unsigned long count);
void insw(unsigned long port, void *to, unsigned long count);
void insl(unsigned long port, void *to, unsigned long count);
static inline void outsb(unsigned long port, const void *from, unsigned long count) {}
static inline void outsw(unsigned long port, const void *from, unsigned long count) {}
static inline void outsl(unsigned long port, const void *from, unsigned long count) {}
static inline u8 readb(const volatile void *address) { return __VERIFIER_nondet_uchar(); }
static inline u16 readw(const volatile void *address) { return (u16)__VERIFIER_nondet_uint(); }
static inline u32 readl(const volatile void *address) { return __VERIFIER_nondet_uint(); }
static inline u64 readq(const volatile void *address) { return __VERIFIER_nondet_ulong(); }
static inline void writeb(u8 value, volatile void *address) {}
static inline void writew(u16 value, volatile void *address) {}
static inline void writel(u32 value, volatile void *address) {}
static inline void writeq(u64 value, volatile void *address) {}
#define readb_relaxed readb
#define readw_relaxed readw
#define readl_relaxed readl
#define readq_relaxed readq
#define writeb_relaxed writeb
#define writew_relaxed writew
#define writel_relaxed writel
#define writeq_relaxed writeq
#define __raw_readb readb
#define __raw_readw readw
#define __raw_readl readl
#define __raw_writeb writeb
#define __raw_writew writew
#define __raw_writel writel
#define ioread8 readb
#define ioread16 readw
#define ioread32 readl
#define ioread64 readq
#define iowrite8 writeb
#define iowrite16 writew
#define iowrite32 writel
#define iowrite64 writeq
#define ioread16be readw
#define ioread32be readl
#define iowrite16be writew
#define iowrite32be writel
#define in_8 readb
#define in_be16 readw
#define in_be32 readl
#define in_le32 readl
#define out_8(address, value) writeb(value, address)
#define out_be16(address, value) writew(value, address)
#define out_be32(address, value) writel(value, address)
#define out_le32(address, value) writel(value, address)
#define lo_hi_readq readq
#define lo_hi_writeq writeq
static inline void readsl(const volatile void *address, void *to, int count) {}
static inline void writesl(volatile void *address, const void *from, int count) {}
void memcpy_fromio(void *to, const volatile void *from, size_t count);
static inline void memcpy_toio(volatile void *to, const void *from, size_t count) {}
static inline void memset_io(volatile void *to, int value, size_t count) {}
#define ioread32_rep(address, to, count) insl(0, to, count)
#define iowrite32_rep(address, from, count) ((void)0)
#define ioread8_rep(address, to, count) insb(0, to, count)
#define iowrite8_rep(address, from, count) ((void)0)

void *ioremap(phys_addr_t address, size_t size);
void iounmap(volatile void *address);
#define ioremap_nocache ioremap
#define ioremap_wc ioremap
#define ioremap_wt ioremap
#define ioremap_cache ioremap
#define memremap(address, size, flags) ioremap(address, size)
#define memunmap iounmap
#define MEMREMAP_WB 1
#define MEMREMAP_WC 4
void *ioport_map(unsigned long port, unsigned int count);
void ioport_unmap(void *address);
struct resource *request_region(resource_size_t start, resource_size_t count, const char *name);
void release_region(resource_size_t start, resource_size_t count);
struct resource *request_muxed_region(resource_size_t start, resource_size_t count, const char *name);
struct resource *request_mem_region(resource_size_t start, resource_size_t count, const char *name);
void release_mem_region(resource_size_t start, resource_size_t count);
int request_resource(struct resource *root, struct resource *resource);
int release_resource(struct resource *resource);
struct resource *devm_request_region(struct device *dev, resource_size_t start, resource_size_t count, const char *name);
struct resource *devm_request_mem_region(struct device *dev, resource_size_t start, resource_size_t count, const char *name);
void devm_release_region(struct device *dev, resource_size_t start, resource_size_t count);
void devm_release_mem_region(struct device *dev, resource_size_t start, resource_size_t count);
void *devm_ioremap(struct device *dev, resource_size_t address, resource_size_t size);
#define devm_ioremap_nocache devm_ioremap
#define devm_ioremap_wc devm_ioremap
void *devm_ioremap_resource(struct device *dev, const struct resource *resource);
#define devm_ioremap_resource_wc devm_ioremap_resource
void devm_iounmap(struct device *dev, void *address);
void *devm_ioport_map(struct device *dev, unsigned long port, unsigned int count);
void *devm_memremap(struct device *dev, resource_size_t address, size_t size, unsigned long flags);
#define IOMEM(x) ((void *)(unsigned long)(x))
#define IOMEM_ERR_PTR(x) ((void *)(long)(x))
#define read_poll_timeout(op, value, condition, sleep, time, before, ...) ({ if (sleep) boolero_may_sleep(); (value) = op(__VA_ARGS__); (condition) ? 0 : -ETIMEDOUT; })
#define readx_poll_timeout(op, address, value, condition, sleep, time) ({ if (sleep) boolero_may_sleep(); (value) = op(address); (condition) ? 0 : -ETIMEDOUT; })
#define readx_poll_timeout_atomic(op, address, value, condition, delay, time) ({ (value) = op(address); (condition) ? 0 : -ETIMEDOUT; })
#define readl_poll_timeout(address, value, condition, sleep, time) readx_poll_timeout(readl, address, value, condition, sleep, time)
#define readl_relaxed_poll_timeout readl_poll_timeout
#define readl_poll_timeout_atomic(address, value, condition, delay, time) readx_poll_timeout_atomic(readl, address, value, condition, delay, time)
#define readl_relaxed_poll_timeout_atomic readl_poll_timeout_atomic
#define readb_poll_timeout(address, value, condition, sleep, time) readx_poll_timeout(readb, address, value, condition, sleep, time)
#define readw_poll_timeout(address, value, condition, sleep, time) readx_poll_timeout(readw, address, value, condition, sleep, time)
#endif
