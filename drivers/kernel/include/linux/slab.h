/* Memory, and memory of user programs. */
#include <linux/kernel.h>
#ifndef BOOLERO_SLAB_H
#define BOOLERO_SLAB_H
#include <linux/types.h>
#define __GFP_WAIT 0x400u
#define __GFP_RECLAIM 0x400u
#define __GFP_DIRECT_RECLAIM 0x400u
#define __GFP_HIGH 0x20u
#define __GFP_IO 0x40u
#define __GFP_FS 0x80u
#define __GFP_ZERO 0x8000u
#define __GFP_NOWARN 0x200u
#define __GFP_DMA 0x1u
#define __GFP_DMA32 0x4u
#define __GFP_HIGHMEM 0x2u
#define __GFP_COMP 0x4000u
#define __GFP_NORETRY 0x1000u
#define __GFP_RETRY_MAYFAIL 0x2000u
#define GFP_KERNEL (__GFP_RECLAIM | __GFP_IO | __GFP_FS)
#define GFP_NOIO __GFP_RECLAIM
#define GFP_NOFS (__GFP_RECLAIM | __GFP_IO)
#define GFP_USER (GFP_KERNEL | 0x20000u)
#define GFP_HIGHUSER GFP_USER
#define GFP_KERNEL_ACCOUNT GFP_KERNEL
#define GFP_ATOMIC __GFP_HIGH
#define GFP_NOWAIT 0u
#define GFP_DMA __GFP_DMA
#define GFP_DMA32 __GFP_DMA32
#define SLAB_HWCACHE_ALIGN 0
#define SLAB_PANIC 0
#define ZERO_SIZE_PTR ((void *)16)
#define gfpflags_allow_blocking(flags) (!!((flags) & __GFP_RECLAIM))
struct kmem_cache;
struct page { unsigned long flags; void *boolero_memory; };
struct device;
void *kmalloc(size_t size, gfp_t flags);
void *kzalloc(size_t size, gfp_t flags);
void *kcalloc(size_t count, size_t size, gfp_t flags);
void *kmalloc_array(size_t count, size_t size, gfp_t flags);
void *krealloc(const void *old, size_t size, gfp_t flags);
void *kmemdup(const void *source, size_t size, gfp_t flags);
char *kstrdup(const char *text, gfp_t flags);
char *kstrndup(const char *text, size_t most, gfp_t flags);
char *kasprintf(gfp_t flags, const char *format, ...);
const char *kstrdup_const(const char *text, gfp_t flags);
void kfree_const(const void *memory);
void kfree(const void *memory);
void kvfree(const void *memory);
#define kzfree kfree
#define kfree_sensitive kfree
#define kmalloc_node(size, flags, node) kmalloc(size, flags)
#define kzalloc_node(size, flags, node) kzalloc(size, flags)
#define kvmalloc kmalloc
#define kvzalloc kzalloc
#define kvcalloc kcalloc
#define kvmalloc_array kmalloc_array
#define kmalloc_obj(p) kmalloc(sizeof(p), GFP_KERNEL)
void *vmalloc(unsigned long size);
void *vzalloc(unsigned long size);
void *vmalloc_user(unsigned long size);
void *vmalloc_32(unsigned long size);
void vfree(const void *memory);
size_t ksize(const void *memory);
unsigned long __get_free_page(gfp_t flags);
unsigned long __get_free_pages(gfp_t flags, unsigned int order);
unsigned long get_zeroed_page(gfp_t flags);
void free_page(unsigned long memory);
void free_pages(unsigned long memory, unsigned int order);
struct page *alloc_pages(gfp_t flags, unsigned int order);
#define alloc_page(flags) alloc_pages(flags, 0)
void __free_pages(struct page *page, unsigned int order);
#define __free_page(page) __free_pages(page, 0)
void *page_address(const struct page *page);
struct page *virt_to_page(const void *memory);
struct page *vmalloc_to_page(const void *memory);
#define put_page(page) ((void)(page))
#define get_page(page) ((void)(page))
phys_addr_t virt_to_phys(const volatile void *memory);
void *phys_to_virt(phys_addr_t address);
#define __pa virt_to_phys
#define __va phys_to_virt
#define virt_addr_valid(p) 1
int get_order(unsigned long size);
struct kmem_cache *kmem_cache_create(const char *name, unsigned int size, unsigned int align, slab_flags_t flags, void (*constructor)(void *));
void kmem_cache_destroy(struct kmem_cache *cache);
void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t flags);
void *kmem_cache_zalloc(struct kmem_cache *cache, gfp_t flags);
void kmem_cache_free(struct kmem_cache *cache, void *memory);
void *memdup_user(const void *from, size_t count);
void *memdup_user_nul(const void *from, size_t count);

unsigned long copy_to_user(void *to, const void *from, unsigned long count);
unsigned long copy_from_user(void *to, const void *from, unsigned long count);
#define __copy_to_user copy_to_user
#define __copy_from_user copy_from_user
#define copy_in_user copy_to_user
unsigned long clear_user(void *to, unsigned long count);
long strncpy_from_user(char *to, const char *from, long count);
long strnlen_user(const char *text, long most);
int boolero_get_user(void);
unsigned long boolero_user_value(void);
#define get_user(x, pointer) ({ (void)(pointer); int boolero_e = boolero_get_user(); (x) = (__typeof__(x))(boolero_e ? 0 : boolero_user_value()); boolero_e; })
#define __get_user get_user
#define put_user(x, pointer) ({ (void)(x); (void)(pointer); boolero_get_user(); })
#define __put_user put_user
#define access_ok(...) boolero_access_ok()
int boolero_access_ok(void);
#define VERIFY_READ 0
#define VERIFY_WRITE 1
#define u64_to_user_ptr(x) ((void *)(unsigned long)(x))
ssize_t simple_read_from_buffer(void *to, size_t count, loff_t *pos, const void *from, size_t available);
ssize_t simple_write_to_buffer(void *to, size_t available, loff_t *pos, const void *from, size_t count);
#endif
