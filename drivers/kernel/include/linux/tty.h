/* Terminals, serial ports, and USB adapters for them. */
#ifndef BOOLERO_TTY_H
#define BOOLERO_TTY_H
#include <linux/kernel.h>
#include <linux/fs.h>
#include <linux/input.h>
#include <linux/tty_flags.h>
#include <asm/termbits.h>
#include <asm/ioctls.h>
#include <linux/major.h>
#include <linux/serial.h>
#include <linux/serial_reg.h>
#include <linux/usb.h>
struct tty_struct; struct tty_port; struct tty_driver; struct uart_port; struct serial_icounter_struct;
struct usb_serial; struct usb_serial_port;
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
#define TIOCM_LE 0x001
#define TIOCM_DTR 0x002
#define TIOCM_RTS 0x004
#define TIOCM_ST 0x008
#define TIOCM_SR 0x010
#define TIOCM_CTS 0x020
#define TIOCM_CAR 0x040
#define TIOCM_RNG 0x080
#define TIOCM_DSR 0x100
#define TIOCM_CD TIOCM_CAR
#define TIOCM_RI TIOCM_RNG
#define TIOCM_LOOP 0x8000
struct tty_operations { struct tty_struct *(*lookup)(); int (*install)(struct tty_driver *, struct tty_struct *); void (*remove)(struct tty_driver *, struct tty_struct *); int (*open)(struct tty_struct *, struct file *); void (*close)(struct tty_struct *, struct file *); void (*shutdown)(struct tty_struct *); void (*cleanup)(struct tty_struct *); int (*write)(struct tty_struct *, const unsigned char *, int); int (*put_char)(struct tty_struct *, unsigned char); void (*flush_chars)(struct tty_struct *); unsigned int (*write_room)(struct tty_struct *); unsigned int (*chars_in_buffer)(struct tty_struct *); int (*ioctl)(struct tty_struct *, unsigned int, unsigned long); long (*compat_ioctl)(); void (*set_termios)(); void (*throttle)(struct tty_struct *); void (*unthrottle)(struct tty_struct *); void (*stop)(struct tty_struct *); void (*start)(struct tty_struct *); void (*hangup)(struct tty_struct *); int (*break_ctl)(struct tty_struct *, int); void (*flush_buffer)(struct tty_struct *); void (*set_ldisc)(struct tty_struct *); void (*wait_until_sent)(struct tty_struct *, int); void (*send_xchar)(struct tty_struct *, char); int (*tiocmget)(struct tty_struct *); int (*tiocmset)(struct tty_struct *, unsigned int, unsigned int); int (*resize)(); int (*get_icount)(); int (*proc_show)(struct seq_file *, void *); const struct file_operations *proc_fops; };
struct async_icount { __u32 cts, dsr, rng, dcd, tx, rx, frame, parity, overrun, brk, buf_overrun; };
struct tty_port_operations { int (*carrier_raised)(struct tty_port *); void (*dtr_rts)(struct tty_port *, int); void (*shutdown)(struct tty_port *); int (*activate)(struct tty_port *, struct tty_struct *); void (*destruct)(struct tty_port *); };
struct tty_port { struct tty_struct *tty; const struct tty_port_operations *ops; spinlock_t lock; int blocked_open, count; wait_queue_head_t open_wait, delta_msr_wait; unsigned long flags, iflags; unsigned char console : 1; unsigned char low_latency : 1; struct mutex mutex, buf_mutex; unsigned char *xmit_buf; unsigned int close_delay, closing_wait; int drain_delay; struct kref kref; };
struct tty_driver { int magic; struct kref kref; struct module *owner; const char *driver_name; const char *name; int name_base; int major, minor_start; unsigned int num; short type, subtype; struct ktermios init_termios; unsigned long flags; struct tty_driver *other; struct tty_struct **ttys; struct tty_port **ports; struct ktermios **termios; void *driver_state; const struct tty_operations *ops; };
struct tty_struct { int index; struct tty_driver *driver; const struct tty_operations *ops; struct ktermios termios; char name[64]; unsigned long flags; int count; struct winsize winsize; bool stopped, hw_stopped, flow_stopped, packet; void *disc_data; void *driver_data; struct tty_port *port; struct kref kref; wait_queue_head_t write_wait, read_wait; unsigned int receive_room; struct file *boolero_file; unsigned char closing : 1; unsigned char low_latency : 1; spinlock_t ctrl_lock; struct rw_semaphore termios_rwsem; unsigned char *write_buf; int write_cnt; struct tty_ldisc *ldisc; void *dev; };
struct ktermios_ { int unused; };
#define C_CRTSCTS(tty) ((tty)->termios.c_cflag & CRTSCTS)
#define C_BAUD(tty) ((tty)->termios.c_cflag & CBAUD)
#define C_CSIZE(tty) ((tty)->termios.c_cflag & CSIZE)
#define C_CLOCAL(tty) ((tty)->termios.c_cflag & CLOCAL)
#define C_CSTOPB(tty) ((tty)->termios.c_cflag & CSTOPB)
#define C_PARENB(tty) ((tty)->termios.c_cflag & PARENB)
#define C_PARODD(tty) ((tty)->termios.c_cflag & PARODD)
#define C_HUPCL(tty) ((tty)->termios.c_cflag & HUPCL)
#define C_CMSPAR(tty) ((tty)->termios.c_cflag & CMSPAR)
#define I_IXOFF(tty) ((tty)->termios.c_iflag & IXOFF)
#define I_IXON(tty) ((tty)->termios.c_iflag & IXON)
#define STOP_CHAR(tty) ((tty)->termios.c_cc[VSTOP])
#define START_CHAR(tty) ((tty)->termios.c_cc[VSTART])
#define TTY_NORMAL 0
#define TTY_BREAK 1
#define TTY_FRAME 2
#define TTY_PARITY 3
#define TTY_OVERRUN 4
#define TTY_IO_ERROR 1
#define TTY_THROTTLED 0
#define TTY_DRIVER_MAGIC 0x5402
#define TTY_DRIVER_TYPE_SERIAL 3
#define TTY_DRIVER_TYPE_CONSOLE 2
#define TTY_DRIVER_TYPE_SYSTEM 1
#define SERIAL_TYPE_NORMAL 1
#define SYSTEM_TYPE_CONSOLE 3
#define TTY_DRIVER_INSTALLED 1
#define TTY_DRIVER_RESET_TERMIOS 2
#define TTY_DRIVER_REAL_RAW 4
#define TTY_DRIVER_DYNAMIC_DEV 8
#define TTY_DRIVER_UNNUMBERED_NODE 0x80
#define ASYNCB_INITIALIZED 31
extern struct ktermios tty_std_termios;
int tty_init_termios(struct tty_struct *tty);
extern struct tty_driver *usb_serial_tty_driver;
struct usb_serial_port *usb_serial_port_get_by_minor(unsigned int minor);
void usb_serial_console_exit(void);
void usb_serial_console_init(int minor);
void usb_serial_console_disconnect(struct usb_serial *serial);
struct usb_serial_port;struct usb_serial;
struct tty_driver *alloc_tty_driver(unsigned int lines);
struct tty_driver *_tty_alloc_driver(unsigned int lines);
#define tty_alloc_driver(lines, flags) _tty_alloc_driver(lines)
void put_tty_driver(struct tty_driver *driver);
#define tty_driver_kref_put put_tty_driver
static inline void tty_set_operations(struct tty_driver *driver, const struct tty_operations *ops) { driver->ops = ops; }
int tty_register_driver(struct tty_driver *driver);
int tty_unregister_driver(struct tty_driver *driver);
void tty_port_init(struct tty_port *port);
void tty_port_destroy(struct tty_port *port);
void tty_port_link_device(struct tty_port *port, struct tty_driver *driver, unsigned int index);
struct device *tty_port_register_device(struct tty_port *port, struct tty_driver *driver, unsigned int index, struct device *dev);
struct device *tty_register_device(struct tty_driver *driver, unsigned int index, struct device *dev);
void tty_unregister_device(struct tty_driver *driver, unsigned int index);
int tty_port_open(struct tty_port *port, struct tty_struct *tty, struct file *file);
void tty_port_close(struct tty_port *port, struct tty_struct *tty, struct file *file);
void tty_port_hangup(struct tty_port *port);
struct tty_struct *tty_port_tty_get(struct tty_port *port);
void tty_port_tty_set(struct tty_port *port, struct tty_struct *tty);
void tty_port_tty_wakeup(struct tty_port *port);
void tty_port_tty_hangup(struct tty_port *port, bool check);
void tty_kref_put(struct tty_struct *tty);
void tty_wakeup(struct tty_struct *tty);
void tty_hangup(struct tty_struct *tty);
void tty_vhangup(struct tty_struct *tty);
int tty_insert_flip_char(struct tty_port *port, unsigned char c, char flag);
int tty_insert_flip_string(struct tty_port *port, const unsigned char *text, size_t count);
int tty_insert_flip_string_fixed_flag(struct tty_port *port, const unsigned char *text, char flag, size_t count);
int tty_insert_flip_string_flags(struct tty_port *port, const unsigned char *text, const char *flags, size_t count);
int tty_prepare_flip_string(struct tty_port *port, unsigned char **text, size_t count);
int tty_buffer_request_room(struct tty_port *port, size_t count);
void tty_flip_buffer_push(struct tty_port *port);
#define tty_schedule_flip tty_flip_buffer_push
static inline unsigned int tty_get_baud_rate(struct tty_struct *tty) { return __VERIFIER_nondet_uint(); }
static inline unsigned int tty_termios_baud_rate(const struct ktermios *termios) { return __VERIFIER_nondet_uint(); }
static inline void tty_encode_baud_rate(struct tty_struct *tty, unsigned int in, unsigned int out) {}
static inline void tty_termios_encode_baud_rate(struct ktermios *termios, unsigned int in, unsigned int out) {}
static inline void tty_termios_copy_hw(struct ktermios *to, const struct ktermios *from) {}
static inline int tty_termios_hw_change(const struct ktermios *a, const struct ktermios *b) { return boolero_any(); }
#define tty_name(tty, ...) ((tty)->name)
#define tty_hung_up_p(file) boolero_any()
#define tty_port_initialized(port) boolero_any()
#define tty_port_cts_enabled(port) boolero_any()
#define tty_port_users(port) ((port)->count)
#define tty_throttled(tty) boolero_any()
struct console { char name[16]; void (*write)(struct console *, const char *, unsigned int); int (*read)(); struct tty_driver *(*device)(struct console *, int *); void (*unblank)(void); int (*setup)(struct console *, char *); int (*match)(); short flags, index; int cflag; void *data; struct console *next; };
#define CON_PRINTBUFFER 1
#define CON_CONSDEV 2
#define CON_ENABLED 4
#define CON_BOOT 8
#define CON_ANYTIME 16
void register_console(struct console *console);
int unregister_console(struct console *console);
void console_lock(void);
void console_unlock(void);

struct circ_buf { char *buf; int head, tail; };
#define CIRC_CNT(head, tail, size) (((head) - (tail)) & ((size) - 1))
#define CIRC_SPACE(head, tail, size) CIRC_CNT((tail), ((head) + 1), (size))
struct uart_icount { __u32 cts, dsr, rng, dcd, rx, tx, frame, overrun, parity, brk, buf_overrun; };
struct uart_ops { unsigned int (*tx_empty)(struct uart_port *); void (*set_mctrl)(struct uart_port *, unsigned int); unsigned int (*get_mctrl)(struct uart_port *); void (*stop_tx)(struct uart_port *); void (*start_tx)(struct uart_port *); void (*throttle)(struct uart_port *); void (*unthrottle)(struct uart_port *); void (*send_xchar)(); void (*stop_rx)(struct uart_port *); void (*enable_ms)(struct uart_port *); void (*break_ctl)(struct uart_port *, int); int (*startup)(struct uart_port *); void (*shutdown)(struct uart_port *); void (*flush_buffer)(struct uart_port *); void (*set_termios)(); void (*set_ldisc)(); void (*pm)(); const char *(*type)(struct uart_port *); void (*release_port)(struct uart_port *); int (*request_port)(struct uart_port *); void (*config_port)(struct uart_port *, int); int (*verify_port)(struct uart_port *, struct serial_struct *); int (*ioctl)(); int (*poll_init)(); void (*poll_put_char)(); int (*poll_get_char)(); };
struct uart_state { struct tty_port port; struct circ_buf xmit; struct uart_port *uart_port; };
struct uart_port { spinlock_t lock; unsigned long iobase; unsigned char *membase; unsigned int (*serial_in)(struct uart_port *, int); void (*serial_out)(struct uart_port *, int, int); void (*set_termios)(); int (*startup)(struct uart_port *); void (*shutdown)(struct uart_port *); void (*throttle)(struct uart_port *); void (*unthrottle)(struct uart_port *); int (*handle_irq)(struct uart_port *); void (*pm)(); unsigned int irq; unsigned long irqflags; unsigned int uartclk, fifosize; unsigned char x_char, regshift, iotype, quirks; unsigned int read_status_mask, ignore_status_mask; struct uart_state *state; struct uart_icount icount; struct console *cons; upf_t flags; unsigned int status; int hw_stopped; unsigned int mctrl; unsigned int type; const struct uart_ops *ops; unsigned int line; resource_size_t mapbase, mapsize; struct device *dev; void *private_data; int (*rs485_config)(); unsigned char hub6, suspended; const char *name; bool has_sysrq; unsigned long sysrq; };
struct uart_driver { struct module *owner; const char *driver_name; const char *dev_name; int major, minor, nr; struct console *cons; struct uart_state *state; struct tty_driver *tty_driver; };
#define UPIO_PORT 0
#define UPIO_MEM 2
#define UPIO_MEM32 3
#define UPIO_AU 4
#define UPIO_TSI 5
#define UPIO_MEM32BE 6
#define UPIO_MEM16 7
#define UPF_SHARE_IRQ (1u << 24)
#define UPF_BOOT_AUTOCONF (1u << 28)
#define UPF_SKIP_TEST (1u << 6)
#define UPF_IOREMAP (1u << 31)
#define UPF_FIXED_PORT (1u << 29)
#define UPF_FIXED_TYPE (1u << 27)
#define UPF_NO_TXEN_TEST (1u << 15)
#define UPF_BUG_THRE (1u << 26)
#define UPF_EXAR_EFR (1u << 25)
#define UPF_MAGIC_MULTIPLIER (1u << 16)
#define UPF_FIXED_PORT_ (1u << 29)
#define UART_CONFIG_TYPE 1
#define WAKEUP_CHARS 256
#define UART_XMIT_SIZE 4096
#define UART_NR_ 8
#define PORT_ALTERA_JTAGUART 91
#define uart_circ_empty(circ) ((circ)->head == (circ)->tail)
#define uart_circ_chars_pending(circ) CIRC_CNT((circ)->head, (circ)->tail, UART_XMIT_SIZE)
#define uart_tx_stopped(port) boolero_any()
int uart_register_driver(struct uart_driver *driver);
void uart_unregister_driver(struct uart_driver *driver);
int uart_add_one_port(struct uart_driver *driver, struct uart_port *port);
int uart_remove_one_port(struct uart_driver *driver, struct uart_port *port);
void uart_insert_char(struct uart_port *port, unsigned int status, unsigned int overrun, unsigned int c, unsigned int flag);
void uart_write_wakeup(struct uart_port *port);
int uart_handle_sysrq_char(struct uart_port *port, unsigned int c);
#define uart_prepare_sysrq_char uart_handle_sysrq_char
int uart_handle_break(struct uart_port *port);
void uart_update_timeout(struct uart_port *port, unsigned int flags, unsigned int baud);
unsigned int uart_get_baud_rate(struct uart_port *port, struct ktermios *termios, const struct ktermios *old, unsigned int least, unsigned int most);
unsigned int uart_get_divisor(struct uart_port *port, unsigned int baud);
int uart_suspend_port(struct uart_driver *driver, struct uart_port *port);
int uart_resume_port(struct uart_driver *driver, struct uart_port *port);
void uart_parse_options(const char *options, int *baud, int *parity, int *bits, int *flow);
int uart_set_options(struct uart_port *port, struct console *console, int baud, int parity, int bits, int flow);
struct tty_driver *uart_console_device(struct console *console, int *index);
void uart_console_write(struct uart_port *port, const char *text, unsigned int count, void (*put)());

struct usb_serial; struct usb_serial_port;
struct usb_serial_port { struct usb_serial *serial; struct tty_port port; spinlock_t lock; u32 minor; u8 port_number; unsigned char number; unsigned char *interrupt_in_buffer; struct urb *interrupt_in_urb; __u8 interrupt_in_endpointAddress; unsigned char *interrupt_out_buffer; int interrupt_out_size; struct urb *interrupt_out_urb; __u8 interrupt_out_endpointAddress; unsigned char *bulk_in_buffer; int bulk_in_size; struct urb *read_urb; __u8 bulk_in_endpointAddress; unsigned char *bulk_in_buffers[2]; struct urb *read_urbs[2]; unsigned long read_urbs_free; unsigned char *bulk_out_buffer; int bulk_out_size; struct urb *write_urb; struct { unsigned int in, out; } write_fifo_; struct kfifo_stub *fifo_; int write_urb_busy; unsigned char *bulk_out_buffers[2]; struct urb *write_urbs[2]; unsigned long write_urbs_free; __u8 bulk_out_endpointAddress; struct async_icount icount; int tx_bytes; unsigned long flags; wait_queue_head_t write_wait; struct work_struct work; unsigned long sysrq; struct device dev; char throttled, throttle_req; wait_queue_head_t delta_msr_wait; int boolero_registered; };
struct usb_serial { struct usb_device *dev; struct usb_serial_driver *type; struct usb_interface *interface; unsigned char disconnected : 1, suspending : 1, attached : 1; unsigned char minor; unsigned char num_ports, num_port_pointers; char num_interrupt_in, num_interrupt_out, num_bulk_in, num_bulk_out; struct usb_serial_port *port[16]; struct kref kref; struct mutex disc_mutex; void *private; };
struct usb_serial_endpoints { unsigned char num_bulk_in, num_bulk_out, num_interrupt_in, num_interrupt_out; struct usb_endpoint_descriptor *bulk_in[16], *bulk_out[16], *interrupt_in[16], *interrupt_out[16]; };
struct usb_dynids { spinlock_t lock; struct list_head list; };
struct usb_dynid { struct list_head node; struct usb_device_id id; };
struct usb_serial_driver { struct usb_dynids dynids; const char *description; const struct usb_device_id *id_table; struct list_head driver_list; struct device_driver driver; struct usb_driver *usb_driver; unsigned char no_dynamic_id : 1; char num_ports; unsigned char num_bulk_in, num_bulk_out, num_interrupt_in, num_interrupt_out; size_t bulk_in_size, bulk_out_size; int (*probe)(struct usb_serial *, const struct usb_device_id *); int (*attach)(struct usb_serial *); int (*calc_num_ports)(); void (*disconnect)(struct usb_serial *); void (*release)(struct usb_serial *); int (*port_probe)(struct usb_serial_port *); BOOLERO_REMOVE (*port_remove)(struct usb_serial_port *); int (*suspend)(struct usb_serial *, pm_message_t); int (*resume)(struct usb_serial *); int (*reset_resume)(struct usb_serial *); int (*open)(struct tty_struct *, struct usb_serial_port *); void (*close)(struct usb_serial_port *); int (*write)(struct tty_struct *, struct usb_serial_port *, const unsigned char *, int); int (*write_room)(struct tty_struct *); int (*ioctl)(struct tty_struct *, unsigned int, unsigned long); void (*set_termios)(struct tty_struct *, struct usb_serial_port *, struct ktermios *); void (*break_ctl)(struct tty_struct *, int); int (*chars_in_buffer)(struct tty_struct *); void (*wait_until_sent)(struct tty_struct *, long); bool (*tx_empty)(struct usb_serial_port *); void (*throttle)(struct tty_struct *); void (*unthrottle)(struct tty_struct *); int (*tiocmget)(struct tty_struct *); int (*tiocmset)(struct tty_struct *, unsigned int, unsigned int); int (*tiocmiwait)(struct tty_struct *, unsigned long); int (*get_icount)(); void (*get_serial)(); int (*set_serial)(); void (*dtr_rts)(struct usb_serial_port *, int); int (*carrier_raised)(struct usb_serial_port *); void (*init_termios)(struct tty_struct *); void (*read_int_callback)(struct urb *); void (*write_int_callback)(struct urb *); void (*read_bulk_callback)(struct urb *); void (*write_bulk_callback)(struct urb *); void (*process_read_urb)(struct urb *); int (*prepare_write_buffer)(struct usb_serial_port *, void *, size_t); };
#define to_usb_serial_driver(d) container_of(d, struct usb_serial_driver, driver)
#define to_usb_serial_port(d) container_of(d, struct usb_serial_port, dev)
static inline void *usb_get_serial_data(struct usb_serial *serial) { return serial->private; }
static inline void usb_set_serial_data(struct usb_serial *serial, void *data) { serial->private = data; }
static inline void *usb_get_serial_port_data(struct usb_serial_port *port) { return port->dev.driver_data; }
static inline void usb_set_serial_port_data(struct usb_serial_port *port, void *data) { port->dev.driver_data = data; }
int usb_serial_register_drivers(struct usb_serial_driver *const *drivers, const char *name, const struct usb_device_id *ids);
void usb_serial_deregister_drivers(struct usb_serial_driver *const *drivers);
#define module_usb_serial_driver(drivers, ids) \
	int boolero_module_init(void) { return usb_serial_register_drivers(drivers, "driver", ids); } \
	void boolero_module_exit(void) { usb_serial_deregister_drivers(drivers); } struct boolero_nothing
int usb_serial_generic_open(struct tty_struct *tty, struct usb_serial_port *port);
void usb_serial_generic_close(struct usb_serial_port *port);
int usb_serial_generic_write(struct tty_struct *tty, struct usb_serial_port *port, const unsigned char *data, int count);
int usb_serial_generic_write_start(struct usb_serial_port *port, gfp_t flags);
int usb_serial_generic_submit_read_urbs(struct usb_serial_port *port, gfp_t flags);
void usb_serial_generic_read_bulk_callback(struct urb *urb);
void usb_serial_generic_write_bulk_callback(struct urb *urb);
void usb_serial_generic_throttle(struct tty_struct *tty);
void usb_serial_generic_unthrottle(struct tty_struct *tty);
int usb_serial_generic_tiocmiwait(struct tty_struct *tty, unsigned long argument);
int usb_serial_generic_get_icount();
int usb_serial_generic_resume(struct usb_serial *serial);
void usb_serial_generic_process_read_urb(struct urb *urb);
int usb_serial_handle_sysrq_char(struct usb_serial_port *port, unsigned int c);
int usb_serial_handle_break(struct usb_serial_port *port);
void usb_serial_handle_dcd_change(struct usb_serial_port *port, struct tty_struct *tty, unsigned int status);
void usb_serial_port_softint(struct usb_serial_port *port);
struct usb_serial *usb_serial_get_by_index(unsigned int index);
void usb_serial_put(struct usb_serial *serial);
#define usb_serial_debug_data(dev, name, count, data) ((void)(dev))
#endif
