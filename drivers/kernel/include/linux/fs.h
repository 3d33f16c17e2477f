/* Files that a driver offers: character devices, miscellaneous devices, sequential files, files for debugging. */
#ifndef BOOLERO_FS_H
#define BOOLERO_FS_H
#include <linux/kernel.h>
#include <asm-generic/ioctl.h>
struct file; struct inode; struct vm_area_struct; struct poll_table_struct; struct cdev; struct dentry; struct kiocb; struct iov_iter; struct pipe_inode_info; struct file_lock; struct fasync_struct; struct seq_file; struct address_space; struct proc_dir_entry;
typedef struct poll_table_struct { int unused; } poll_table;
typedef void *fl_owner_t;
typedef int (*filldir_t)();
struct file_operations { struct module *owner; loff_t (*llseek)(struct file *, loff_t, int); ssize_t (*read)(struct file *, char *, size_t, loff_t *); ssize_t (*write)(struct file *, const char *, size_t, loff_t *); ssize_t (*read_iter)(struct kiocb *, struct iov_iter *); ssize_t (*write_iter)(struct kiocb *, struct iov_iter *); ssize_t (*aio_read)(); ssize_t (*aio_write)(); __poll_t (*poll)(struct file *, struct poll_table_struct *); int (*ioctl)(struct inode *, struct file *, unsigned int, unsigned long); long (*unlocked_ioctl)(struct file *, unsigned int, unsigned long); long (*compat_ioctl)(struct file *, unsigned int, unsigned long); int (*mmap)(struct file *, struct vm_area_struct *); int (*open)(struct inode *, struct file *); int (*flush)(struct file *, fl_owner_t id); int (*release)(struct inode *, struct file *); int (*fsync)(); int (*fasync)(int, struct file *, int); int (*lock)(); unsigned long (*get_unmapped_area)(); int (*check_flags)(int); ssize_t (*splice_write)(); ssize_t (*splice_read)(); void (*show_fdinfo)(struct seq_file *, struct file *); };
struct proc_ops { unsigned int proc_flags; int (*proc_open)(struct inode *, struct file *); ssize_t (*proc_read)(struct file *, char *, size_t, loff_t *); ssize_t (*proc_write)(struct file *, const char *, size_t, loff_t *); loff_t (*proc_lseek)(struct file *, loff_t, int); int (*proc_release)(struct inode *, struct file *); };
struct path { struct dentry *dentry; };
struct file { fmode_t f_mode; unsigned int f_flags; loff_t f_pos; void *private_data; const struct file_operations *f_op; struct inode *f_inode; struct path f_path; struct address_space *f_mapping; const struct cred *f_cred; };
struct inode { umode_t i_mode; dev_t i_rdev; void *i_private; struct cdev *i_cdev; loff_t i_size; void *boolero_data; struct mutex i_mutex; const struct file_operations *i_fop; struct address_space *i_mapping; };
struct dentry { struct inode *d_inode; struct dentry *d_parent; };
struct vm_area_struct { unsigned long vm_start, vm_end, vm_pgoff, vm_flags; unsigned long vm_page_prot; void *vm_private_data; const struct vm_operations_struct *vm_ops; struct file *vm_file; struct mm_struct *vm_mm; };
struct vm_fault { unsigned int flags; pgoff_t pgoff; void *virtual_address; unsigned long address; struct page *page; struct vm_area_struct *vma; };
typedef int vm_fault_t;
struct vm_operations_struct { void (*open)(struct vm_area_struct *); void (*close)(struct vm_area_struct *); vm_fault_t (*fault)(); int (*access)(); };
#define VM_READ 1
#define VM_WRITE 2
#define VM_EXEC 4
#define VM_SHARED 8
#define VM_IO 0x4000
#define VM_PFNMAP 0x400
#define VM_DONTEXPAND 0x40000
#define VM_DONTDUMP 0x4000000
#define VM_RESERVED 0
#define VM_MAYWRITE 0x20
#define VM_FAULT_SIGBUS 2
#define VM_FAULT_NOPAGE 0x100
#define VM_FAULT_OOM 1
#define FMODE_READ 1
#define FMODE_WRITE 2
#define FMODE_NDELAY 0x40
#define FMODE_EXCL 0x80
#ifndef O_RDONLY
#define O_ACCMODE 3
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_NONBLOCK 04000
#define O_NDELAY O_NONBLOCK
#define O_EXCL 0200
#define O_CLOEXEC 02000000
#define O_APPEND 02000
#endif
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define POLLIN 1
#define POLLPRI 2
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 16
#define POLLRDNORM 64
#define POLLWRNORM 256
#define EPOLLIN 1u
#define EPOLLPRI 2u
#define EPOLLOUT 4u
#define EPOLLERR 8u
#define EPOLLHUP 16u
#define EPOLLRDNORM 64u
#define EPOLLWRNORM 256u
#define POLL_IN 1
#define POLL_OUT 2
static inline void poll_wait(struct file *file, wait_queue_head_t *queue, poll_table *table) {}
static inline unsigned int iminor(const struct inode *inode) { return inode->i_rdev & 0xfffff; }
static inline unsigned int imajor(const struct inode *inode) { return inode->i_rdev >> 20; }
static inline struct inode *file_inode(const struct file *file) { return file->f_inode; }
#define MINORBITS 20
#define MINORMASK ((1U << MINORBITS) - 1)
#define MAJOR(dev) ((unsigned int)((dev) >> MINORBITS))
#define MINOR(dev) ((unsigned int)((dev) & MINORMASK))
#define MKDEV(major, minor) (((dev_t)(major) << MINORBITS) | (minor))
static inline int nonseekable_open(struct inode *inode, struct file *file) { return 0; }
static inline int stream_open(struct inode *inode, struct file *file) { return 0; }
static inline int generic_file_open(struct inode *inode, struct file *file) { return 0; }
static inline int simple_open(struct inode *inode, struct file *file) { file->private_data = inode->i_private; return 0; }
loff_t no_llseek(struct file *file, loff_t offset, int whence);
loff_t noop_llseek(struct file *file, loff_t offset, int whence);
loff_t default_llseek(struct file *file, loff_t offset, int whence);
loff_t fixed_size_llseek(struct file *file, loff_t offset, int whence, loff_t size);
loff_t seq_lseek(struct file *file, loff_t offset, int whence);
long compat_ptr_ioctl(struct file *file, unsigned int command, unsigned long argument);
#define compat_ptr(x) ((void *)(unsigned long)(x))
int fasync_helper(int fd, struct file *file, int on, struct fasync_struct **queue);
void kill_fasync(struct fasync_struct **queue, int signal, int band);
int remap_pfn_range(struct vm_area_struct *vma, unsigned long address, unsigned long frame, unsigned long size, unsigned long protection);
#define io_remap_pfn_range remap_pfn_range
#define pgprot_noncached(x) (x)
#define pgprot_writecombine(x) (x)
int vm_insert_page(struct vm_area_struct *vma, unsigned long address, struct page *page);
int vm_insert_pfn(struct vm_area_struct *vma, unsigned long address, unsigned long frame);
vm_fault_t vmf_insert_pfn(struct vm_area_struct *vma, unsigned long address, unsigned long frame);
int vm_iomap_memory(struct vm_area_struct *vma, phys_addr_t start, unsigned long size);
unsigned long vma_pages(struct vm_area_struct *vma);
void fput(struct file *file);
struct file *fget(unsigned int fd);
void fd_install(unsigned int fd, struct file *file);
int get_unused_fd_flags(unsigned int flags);
void put_unused_fd(unsigned int fd);
struct file *anon_inode_getfile(const char *name, const struct file_operations *fops, void *data, int flags);
int anon_inode_getfd(const char *name, const struct file_operations *fops, void *data, int flags);

struct cdev { struct kobject kobj; struct module *owner; const struct file_operations *ops; struct list_head list; dev_t dev; unsigned int count; };
void cdev_init(struct cdev *cdev, const struct file_operations *fops);
struct cdev *cdev_alloc(void);
int cdev_add(struct cdev *cdev, dev_t dev, unsigned int count);
void cdev_del(struct cdev *cdev);
int cdev_device_add(struct cdev *cdev, struct device *dev);
void cdev_device_del(struct cdev *cdev, struct device *dev);
static inline void cdev_set_parent(struct cdev *cdev, struct kobject *parent) {}
int alloc_chrdev_region(dev_t *dev, unsigned int first, unsigned int count, const char *name);
int register_chrdev_region(dev_t dev, unsigned int count, const char *name);
void unregister_chrdev_region(dev_t dev, unsigned int count);
int register_chrdev(unsigned int major, const char *name, const struct file_operations *fops);
void unregister_chrdev(unsigned int major, const char *name);
#define replace_fops(file, fops) ((file)->f_op = (fops))
#define fops_get(fops) (fops)
#define fops_put(fops) ((void)(fops))

struct miscdevice { int minor; const char *name; const struct file_operations *fops; struct list_head list; struct device *parent; struct device *this_device; const struct attribute_group **groups; const char *nodename; umode_t mode; };
#define MISC_DYNAMIC_MINOR 255
#define WATCHDOG_MINOR 130
#define TEMP_MINOR 131
#define APM_MINOR_DEV 134
#define RTC_MINOR 135
#define HWRNG_MINOR 183
#define NVRAM_MINOR 144
#define HPET_MINOR 228
#define UHID_MINOR 239
#define TPM_MINOR 224
#define MISC_MAJOR 10
#define TTYAUX_MAJOR 5
int misc_register(struct miscdevice *misc);
void misc_deregister(struct miscdevice *misc);
#define module_misc_device(misc) module_driver(misc, misc_register, misc_deregister)

struct seq_operations { void *(*start)(struct seq_file *, loff_t *); void (*stop)(struct seq_file *, void *); void *(*next)(struct seq_file *, void *, loff_t *); int (*show)(struct seq_file *, void *); };
struct seq_file { char *buf; size_t size, count; loff_t index; void *private; const struct seq_operations *op; struct file *file; };
int single_open(struct file *file, int (*show)(struct seq_file *, void *), void *data);
int single_release(struct inode *inode, struct file *file);
int seq_open(struct file *file, const struct seq_operations *op);
int seq_release(struct inode *inode, struct file *file);
ssize_t seq_read(struct file *file, char *to, size_t count, loff_t *pos);
static inline int boolero_seq(struct seq_file *m, ...) { return 0; }
#define seq_printf(m, ...) ((void)(m), boolero_silent(__VA_ARGS__))
#define seq_puts(m, text) ((void)(m))
#define seq_putc(m, c) ((void)(m))
#define seq_write(m, data, count) ((void)(m), 0)
#define seq_has_overflowed(m) 0
static inline void *SEQ_START_TOKEN_(void) { return (void *)1; }
#define SEQ_START_TOKEN ((void *)1)
#define DEFINE_SHOW_ATTRIBUTE(name) static int name##_open(struct inode *inode, struct file *file) { return single_open(file, name##_show, inode->i_private); } static const struct file_operations name##_fops = { .owner = THIS_MODULE, .open = name##_open, .read = seq_read, .llseek = seq_lseek, .release = single_release }
struct proc_dir_entry *proc_create(const char *name, umode_t mode, struct proc_dir_entry *parent, const void *ops);
struct proc_dir_entry *proc_create_data(const char *name, umode_t mode, struct proc_dir_entry *parent, const void *ops, void *data);
struct proc_dir_entry *proc_create_single_data(const char *name, umode_t mode, struct proc_dir_entry *parent, int (*show)(struct seq_file *, void *), void *data);
#define proc_create_single(name, mode, parent, show) proc_create_single_data(name, mode, parent, show, NULL)
struct proc_dir_entry *proc_mkdir(const char *name, struct proc_dir_entry *parent);
void remove_proc_entry(const char *name, struct proc_dir_entry *parent);
void proc_remove(struct proc_dir_entry *entry);
#define PDE_DATA(inode) ((inode)->boolero_data)
#define pde_data(inode) ((inode)->boolero_data)
struct dentry *debugfs_create_dir(const char *name, struct dentry *parent);
struct dentry *debugfs_create_file(const char *name, umode_t mode, struct dentry *parent, void *data, const struct file_operations *fops);
struct dentry *debugfs_create_u8(const char *name, umode_t mode, struct dentry *parent, u8 *value);
struct dentry *debugfs_create_u32(const char *name, umode_t mode, struct dentry *parent, u32 *value);
struct dentry *debugfs_create_x32(const char *name, umode_t mode, struct dentry *parent, u32 *value);
struct dentry *debugfs_create_bool(const char *name, umode_t mode, struct dentry *parent, bool *value);
struct dentry *debugfs_create_symlink(const char *name, struct dentry *parent, const char *target);
struct dentry *debugfs_create_blob(const char *name, umode_t mode, struct dentry *parent, void *blob);
void debugfs_remove(struct dentry *dentry);
void debugfs_remove_recursive(struct dentry *dentry);
#define DEFINE_SIMPLE_ATTRIBUTE(name, get, set, format) static const struct file_operations name = { .owner = THIS_MODULE }
#define DEFINE_DEBUGFS_ATTRIBUTE DEFINE_SIMPLE_ATTRIBUTE
struct kiocb { struct file *ki_filp; loff_t ki_pos; int ki_flags; };
struct iovec { void *iov_base; size_t iov_len; };
struct iov_iter { size_t count; const struct iovec *iov; unsigned long nr_segs; };
#define iov_iter_count(iter) ((iter)->count)
size_t copy_from_iter(void *to, size_t count, struct iov_iter *iter);
size_t copy_to_iter(const void *from, size_t count, struct iov_iter *iter);

struct ida { int next; };
struct idr { int next; };
#define DEFINE_IDA(name) struct ida name = { 0 }
#define DEFINE_IDR(name) struct idr name = { 0 }
void ida_init(struct ida *ida);
void ida_destroy(struct ida *ida);
int ida_simple_get(struct ida *ida, unsigned int start, unsigned int end, gfp_t flags);
void ida_simple_remove(struct ida *ida, unsigned int id);
int ida_alloc(struct ida *ida, gfp_t flags);
int ida_alloc_max(struct ida *ida, unsigned int most, gfp_t flags);
void ida_free(struct ida *ida, unsigned int id);
void idr_init(struct idr *idr);
void idr_destroy(struct idr *idr);
int idr_alloc(struct idr *idr, void *pointer, int start, int end, gfp_t flags);
void *idr_find(const struct idr *idr, unsigned long id);
void *idr_remove(struct idr *idr, unsigned long id);
void *idr_replace(struct idr *idr, void *pointer, unsigned long id);
void idr_preload(gfp_t flags);
#define idr_preload_end() ((void)0)
int idr_for_each(const struct idr *idr, int (*function)(int id, void *p, void *data), void *data);
void *idr_get_next(struct idr *idr, int *next);
#define idr_for_each_entry(idr, entry, id) for ((id) = 0; ((entry) = idr_get_next(idr, &(id))) != NULL; (id) += 1)

struct firmware { size_t size; const u8 *data; };
int request_firmware(const struct firmware **firmware, const char *name, struct device *dev);
int request_firmware_nowait(struct module *module, bool event, const char *name, struct device *dev, gfp_t flags, void *context, void (*done)(const struct firmware *, void *));
void release_firmware(const struct firmware *firmware);
#define request_firmware_direct request_firmware
#define firmware_request_nowarn request_firmware
#endif
