/* General-purpose pins: those that a driver uses, by number or by descriptor, and those that it offers. */
#ifndef BOOLERO_GPIO_H
#define BOOLERO_GPIO_H
#include <linux/kernel.h>
#include <linux/of.h>
struct gpio_desc { int boolero_requested; };
struct gpio_descs { unsigned int ndescs; struct gpio_desc *desc[8]; };
struct gpio { unsigned int gpio; unsigned long flags; const char *label; };
#define GPIOF_DIR_OUT 0
#define GPIOF_DIR_IN 1
#define GPIOF_IN 1
#define GPIOF_INIT_LOW 0
#define GPIOF_INIT_HIGH 2
#define GPIOF_OUT_INIT_LOW 0
#define GPIOF_OUT_INIT_HIGH 2
#define GPIOF_ACTIVE_LOW 4
#define GPIO_LINE_DIRECTION_IN 1
#define GPIO_LINE_DIRECTION_OUT 0
#define GPIO_ACTIVE_HIGH 0
#define GPIO_ACTIVE_LOW 1
#define ARCH_NR_GPIOS 512
static inline bool gpio_is_valid(int gpio) { return gpio >= 0 && gpio < ARCH_NR_GPIOS; }
int gpio_request(unsigned int gpio, const char *label);
int gpio_request_one(unsigned int gpio, unsigned long flags, const char *label);
int gpio_request_array(const struct gpio *array, size_t count);
void gpio_free_array(const struct gpio *array, size_t count);
void gpio_free(unsigned int gpio);
int devm_gpio_request(struct device *dev, unsigned int gpio, const char *label);
int devm_gpio_request_one(struct device *dev, unsigned int gpio, unsigned long flags, const char *label);
void devm_gpio_free(struct device *dev, unsigned int gpio);
int gpio_direction_input(unsigned int gpio);
int gpio_direction_output(unsigned int gpio, int value);
int gpio_get_value(unsigned int gpio);
void gpio_set_value(unsigned int gpio, int value);
int gpio_get_value_cansleep(unsigned int gpio);
void gpio_set_value_cansleep(unsigned int gpio, int value);
int gpio_cansleep(unsigned int gpio);
int gpio_to_irq(unsigned int gpio);
int gpio_set_debounce(unsigned int gpio, unsigned int time);
int gpio_export(unsigned int gpio, bool changeable);
struct gpio_desc *gpio_to_desc(unsigned int gpio);
int desc_to_gpio(const struct gpio_desc *desc);
enum gpiod_flags { GPIOD_ASIS, GPIOD_IN, GPIOD_OUT_LOW, GPIOD_OUT_HIGH };
struct gpio_desc *gpiod_get(struct device *dev, const char *name, enum gpiod_flags flags);
struct gpio_desc *gpiod_get_optional(struct device *dev, const char *name, enum gpiod_flags flags);
struct gpio_desc *gpiod_get_index(struct device *dev, const char *name, unsigned int index, enum gpiod_flags flags);
struct gpio_desc *devm_gpiod_get(struct device *dev, const char *name, enum gpiod_flags flags);
struct gpio_desc *devm_gpiod_get_optional(struct device *dev, const char *name, enum gpiod_flags flags);
struct gpio_desc *devm_gpiod_get_index(struct device *dev, const char *name, unsigned int index, enum gpiod_flags flags);
struct gpio_desc *devm_gpiod_get_index_optional(struct device *dev, const char *name, unsigned int index, enum gpiod_flags flags);
struct gpio_desc *devm_fwnode_get_gpiod_from_child(struct device *dev, const char *name, struct fwnode_handle *child, enum gpiod_flags flags, const char *label);
#define devm_fwnode_gpiod_get(dev, fwnode, name, flags, label) devm_fwnode_get_gpiod_from_child(dev, name, fwnode, flags, label)
struct gpio_descs *devm_gpiod_get_array(struct device *dev, const char *name, enum gpiod_flags flags);
struct gpio_descs *devm_gpiod_get_array_optional(struct device *dev, const char *name, enum gpiod_flags flags);
void gpiod_put(struct gpio_desc *desc);
void devm_gpiod_put(struct device *dev, struct gpio_desc *desc);
int gpiod_direction_input(struct gpio_desc *desc);
int gpiod_direction_output(struct gpio_desc *desc, int value);
#define gpiod_direction_output_raw gpiod_direction_output
int gpiod_get_direction(struct gpio_desc *desc);
int gpiod_get_value(const struct gpio_desc *desc);
void gpiod_set_value(struct gpio_desc *desc, int value);
int gpiod_get_value_cansleep(const struct gpio_desc *desc);
void gpiod_set_value_cansleep(struct gpio_desc *desc, int value);
#define gpiod_get_raw_value gpiod_get_value
#define gpiod_set_raw_value gpiod_set_value
#define gpiod_set_raw_value_cansleep gpiod_set_value_cansleep
int gpiod_cansleep(const struct gpio_desc *desc);
int gpiod_to_irq(const struct gpio_desc *desc);
int gpiod_is_active_low(const struct gpio_desc *desc);
int gpiod_set_debounce(struct gpio_desc *desc, unsigned int time);
int gpiod_set_consumer_name(struct gpio_desc *desc, const char *name);
int gpiod_count(struct device *dev, const char *name);
int gpiod_export(struct gpio_desc *desc, bool changeable);
void gpiod_add_lookup_table(void *table);
void gpiod_remove_lookup_table(void *table);

struct gpio_irq_chip { struct irq_chip *chip; struct irq_domain *domain; const struct irq_domain_ops *domain_ops; irq_flow_handler_t handler; unsigned int default_type; unsigned int first; unsigned int num_parents; unsigned int *parents; irq_flow_handler_t parent_handler; void *parent_handler_data; bool threaded; unsigned long *valid_mask; int (*init_hw)(); void (*init_valid_mask)(); unsigned int *map; void (*irq_mask)(struct irq_data *); void (*irq_unmask)(struct irq_data *); struct irq_domain *parent_domain; struct fwnode_handle *fwnode; int (*child_to_parent_hwirq)(); };
struct gpio_device;
struct gpio_chip { const char *label; struct gpio_device *gpiodev; struct device *parent; struct device *dev; struct module *owner; struct device_node *of_node; struct fwnode_handle *fwnode; int (*request)(struct gpio_chip *, unsigned int); void (*free)(struct gpio_chip *, unsigned int); int (*get_direction)(struct gpio_chip *, unsigned int); int (*direction_input)(struct gpio_chip *, unsigned int); int (*direction_output)(struct gpio_chip *, unsigned int, int); int (*get)(struct gpio_chip *, unsigned int); int (*get_multiple)(struct gpio_chip *, unsigned long *, unsigned long *); void (*set)(struct gpio_chip *, unsigned int, int); void (*set_multiple)(struct gpio_chip *, unsigned long *, unsigned long *); int (*set_config)(struct gpio_chip *, unsigned int, unsigned long); int (*set_debounce)(struct gpio_chip *, unsigned int, unsigned int); int (*set_single_ended)(); int (*to_irq)(struct gpio_chip *, unsigned int); void (*dbg_show)(struct seq_file *, struct gpio_chip *); int (*init_valid_mask)(); int (*add_pin_ranges)(struct gpio_chip *); int base; u16 ngpio; u16 offset; const char *const *names; bool can_sleep; bool exported; bool irq_not_threaded; unsigned long (*read_reg)(void *); void (*write_reg)(void *, unsigned long); bool be_bits; void *reg_dat, *reg_set, *reg_clr, *reg_dir_out, *reg_dir_in, *reg_dir; bool bgpio_dir_unreadable; int bgpio_bits; raw_spinlock_t bgpio_lock; unsigned long bgpio_data, bgpio_dir; struct gpio_irq_chip irq; unsigned int of_gpio_n_cells; int (*of_xlate)(); struct irq_domain *irqdomain; struct irq_chip *irqchip; unsigned int irq_base; void *boolero_data; struct list_head list; unsigned long *valid_mask; };
/* Before 4.4 the generic memory-mapped chip was a struct around the chip. */
struct bgpio_chip { struct gpio_chip gc; unsigned long (*read_reg)(void *); void (*write_reg)(void *, unsigned long); void *reg_dat, *reg_set, *reg_clr, *reg_dir; int bits; unsigned long (*pin2mask)(struct bgpio_chip *, unsigned int); spinlock_t lock; unsigned long data, dir; };
#define to_bgpio_chip(chip) container_of(chip, struct bgpio_chip, gc)
int bgpio_remove(struct bgpio_chip *chip);
struct of_mm_gpio_chip { struct gpio_chip gc; void (*save_regs)(struct of_mm_gpio_chip *); void *regs; };
struct bgpio_pdata { const char *label; int base; int ngpio; };
#define BGPIOF_BIG_ENDIAN 1
#define BGPIOF_UNREADABLE_REG_SET 2
#define BGPIOF_UNREADABLE_REG_DIR 4
#define BGPIOF_BIG_ENDIAN_BYTE_ORDER 8
#define BGPIOF_READ_OUTPUT_REG_SET 16
#define BGPIOF_NO_OUTPUT 32
#define BGPIOF_NO_SET_ON_INPUT 64
#define PIN_CONFIG_BIAS_DISABLE 1
#define PIN_CONFIG_BIAS_PULL_UP 5
#define PIN_CONFIG_BIAS_PULL_DOWN 3
#define PIN_CONFIG_DRIVE_OPEN_DRAIN 6
#define PIN_CONFIG_DRIVE_OPEN_SOURCE 7
#define PIN_CONFIG_DRIVE_PUSH_PULL 8
#define PIN_CONFIG_DRIVE_STRENGTH 9
#define PIN_CONFIG_INPUT_DEBOUNCE 12
#define PIN_CONFIG_OUTPUT 18
#define pinconf_to_config_param(config) ((unsigned int)((config) & 0xff))
#define pinconf_to_config_argument(config) ((u32)((config) >> 8))
#define pinconf_to_config_packed(p, a) (((unsigned long)(a) << 8) | (p))
static inline void *gpiochip_get_data(struct gpio_chip *chip) { return chip->boolero_data; }
int gpiochip_add_data(struct gpio_chip *chip, void *data);
#define gpiochip_add(chip) gpiochip_add_data(chip, NULL)
int devm_gpiochip_add_data(struct device *dev, struct gpio_chip *chip, void *data);
void _gpiochip_remove(struct gpio_chip *chip);
#define gpiochip_remove(chip) (_gpiochip_remove(chip), 0)
int of_mm_gpiochip_add(struct device_node *node, struct of_mm_gpio_chip *chip);
int of_mm_gpiochip_add_data(struct device_node *node, struct of_mm_gpio_chip *chip, void *data);
void of_mm_gpiochip_remove(struct of_mm_gpio_chip *chip);
#define to_of_mm_gpio_chip(chip) container_of(chip, struct of_mm_gpio_chip, gc)
int _bgpio_init(void *chip, struct device *dev, unsigned long size, void *dat, void *set, void *clear, void *dirout, void *dirin, unsigned long flags);
#define bgpio_init _bgpio_init
int gpiochip_irqchip_add(struct gpio_chip *chip, struct irq_chip *irqchip, unsigned int first, irq_flow_handler_t handler, unsigned int type);
int gpiochip_irqchip_add_nested(struct gpio_chip *chip, struct irq_chip *irqchip, unsigned int first, irq_flow_handler_t handler, unsigned int type);
void gpiochip_set_chained_irqchip(struct gpio_chip *chip, struct irq_chip *irqchip, unsigned int parent, irq_flow_handler_t handler);
void gpiochip_set_nested_irqchip(struct gpio_chip *chip, struct irq_chip *irqchip, unsigned int parent);
int gpiochip_lock_as_irq(struct gpio_chip *chip, unsigned int offset);
void gpiochip_unlock_as_irq(struct gpio_chip *chip, unsigned int offset);
void gpiochip_enable_irq(struct gpio_chip *chip, unsigned int offset);
void gpiochip_disable_irq(struct gpio_chip *chip, unsigned int offset);
int gpiochip_reqres_irq(struct gpio_chip *chip, unsigned int offset);
void gpiochip_relres_irq(struct gpio_chip *chip, unsigned int offset);
int gpiochip_generic_request(struct gpio_chip *chip, unsigned int offset);
void gpiochip_generic_free(struct gpio_chip *chip, unsigned int offset);
int gpiochip_generic_config(struct gpio_chip *chip, unsigned int offset, unsigned long config);
int gpiochip_add_pin_range(struct gpio_chip *chip, const char *name, unsigned int offset, unsigned int pin, unsigned int count);
void gpiochip_remove_pin_ranges(struct gpio_chip *chip);
const char *gpiochip_is_requested(struct gpio_chip *chip, unsigned int offset);
struct gpio_desc *gpiochip_request_own_desc(struct gpio_chip *chip, unsigned int offset, const char *label, ...);
void gpiochip_free_own_desc(struct gpio_desc *desc);
void gpio_irq_chip_set_chip(struct gpio_irq_chip *girq, const struct irq_chip *chip);
#define GPIOCHIP_IRQ_RESOURCE_HELPERS .irq_request_resources = gpiochip_reqres_irq_, .irq_release_resources = gpiochip_relres_irq_
int gpiochip_reqres_irq_(struct irq_data *d);
void gpiochip_relres_irq_(struct irq_data *d);
#endif
