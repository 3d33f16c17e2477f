/* The device tree, and properties of devices in general. A node that was got must be put. */
#include <linux/kernel.h>
#ifndef BOOLERO_OF_H
#define BOOLERO_OF_H
#include <linux/device.h>
#define MAX_PHANDLE_ARGS 16
struct of_phandle_args { struct device_node *np; int args_count; u32 args[MAX_PHANDLE_ARGS]; };
struct of_dev_auxdata { char *compatible; resource_size_t phys_addr; char *name; void *platform_data; };
struct of_device;
typedef u32 phandle;
enum of_gpio_flags { OF_GPIO_ACTIVE_LOW = 1 };
#define of_match_ptr(p) (p)
#define ACPI_PTR(p) (p)
#define of_node_full_name(node) ((node) ? (node)->full_name : "")
#define of_fwnode_handle(node) (&(node)->fwnode)
static inline struct device_node *to_of_node(const struct fwnode_handle *fwnode) { return fwnode ? container_of(fwnode, struct device_node, fwnode) : (struct device_node *)0; }
#define is_of_node(fwnode) ((fwnode) != NULL)
struct device_node *of_node_get(struct device_node *node);
void of_node_put(struct device_node *node);
struct device_node *of_get_parent(const struct device_node *node);
struct device_node *of_get_next_parent(struct device_node *node);
struct device_node *of_get_next_child(const struct device_node *node, struct device_node *last);
struct device_node *of_get_next_available_child(const struct device_node *node, struct device_node *last);
struct device_node *of_get_child_by_name(const struct device_node *node, const char *name);
struct device_node *of_get_compatible_child(const struct device_node *node, const char *compatible);
struct device_node *of_find_node_by_name(struct device_node *from, const char *name);
struct device_node *of_find_node_by_path(const char *path);
struct device_node *of_find_node_by_type(struct device_node *from, const char *type);
struct device_node *of_find_compatible_node(struct device_node *from, const char *type, const char *compatible);
struct device_node *of_find_matching_node(struct device_node *from, const struct of_device_id *matches);
struct device_node *of_find_matching_node_and_match(struct device_node *from, const struct of_device_id *matches, const struct of_device_id **match);
struct device_node *of_find_node_with_property(struct device_node *from, const char *name);
struct device_node *of_parse_phandle(const struct device_node *node, const char *name, int index);
int of_parse_phandle_with_args(const struct device_node *node, const char *list, const char *cells, int index, struct of_phandle_args *out);
int of_parse_phandle_with_fixed_args(const struct device_node *node, const char *list, int cells, int index, struct of_phandle_args *out);
int of_count_phandle_with_args(const struct device_node *node, const char *list, const char *cells);
#define for_each_child_of_node(parent, child) for ((child) = of_get_next_child(parent, NULL); (child) != NULL; (child) = of_get_next_child(parent, child))
#define for_each_available_child_of_node(parent, child) for ((child) = of_get_next_available_child(parent, NULL); (child) != NULL; (child) = of_get_next_available_child(parent, child))
#define for_each_node_by_name(node, name) for ((node) = of_find_node_by_name(NULL, name); (node); (node) = of_find_node_by_name(node, name))
#define for_each_compatible_node(node, type, compatible) for ((node) = of_find_compatible_node(NULL, type, compatible); (node); (node) = of_find_compatible_node(node, type, compatible))
#define for_each_matching_node(node, matches) for ((node) = of_find_matching_node(NULL, matches); (node); (node) = of_find_matching_node(node, matches))
int of_get_child_count(const struct device_node *node);
int of_get_available_child_count(const struct device_node *node);
bool of_device_is_available(const struct device_node *node);
int of_device_is_compatible(const struct device_node *node, const char *compatible);
int of_machine_is_compatible(const char *compatible);
bool of_node_name_eq(const struct device_node *node, const char *name);
bool of_node_is_type(const struct device_node *node, const char *type);
const struct of_device_id *of_match_node(const struct of_device_id *matches, const struct device_node *node);
const struct of_device_id *of_match_device(const struct of_device_id *matches, const struct device *dev);
const void *of_device_get_match_data(const struct device *dev);
const void *device_get_match_data(struct device *dev);
const void *of_get_property(const struct device_node *node, const char *name, int *length);
struct property *of_find_property(const struct device_node *node, const char *name, int *length);
bool of_property_read_bool(const struct device_node *node, const char *name);
#define of_property_present of_property_read_bool
int of_property_read_u8(const struct device_node *node, const char *name, u8 *value);
int of_property_read_u16(const struct device_node *node, const char *name, u16 *value);
int of_property_read_u32(const struct device_node *node, const char *name, u32 *value);
int of_property_read_s32(const struct device_node *node, const char *name, s32 *value);
int of_property_read_u64(const struct device_node *node, const char *name, u64 *value);
int of_property_read_u32_index(const struct device_node *node, const char *name, u32 index, u32 *value);
int of_property_read_u32_array(const struct device_node *node, const char *name, u32 *values, size_t count);
int of_property_read_u8_array(const struct device_node *node, const char *name, u8 *values, size_t count);
int of_property_read_u16_array(const struct device_node *node, const char *name, u16 *values, size_t count);
int of_property_read_string(const struct device_node *node, const char *name, const char **value);
int of_property_read_string_index(const struct device_node *node, const char *name, int index, const char **value);
int of_property_match_string(const struct device_node *node, const char *name, const char *text);
int of_property_count_strings(const struct device_node *node, const char *name);
int of_property_count_elems_of_size(const struct device_node *node, const char *name, int size);
#define of_property_count_u32_elems(node, name) of_property_count_elems_of_size(node, name, 4)
#define of_read_number(cells, size) ((u64)*(cells))
int of_alias_get_id(const struct device_node *node, const char *stem);
int of_modalias_node(struct device_node *node, char *modalias, int size);
unsigned int irq_of_parse_and_map(struct device_node *node, int index);
int of_irq_get(struct device_node *node, int index);
int of_irq_get_byname(struct device_node *node, const char *name);
int of_irq_count(struct device_node *node);
int of_irq_to_resource(struct device_node *node, int index, struct resource *resource);
int of_irq_to_resource_table(struct device_node *node, struct resource *resource, int count);
int of_address_to_resource(struct device_node *node, int index, struct resource *resource);
const u32 *of_get_address(struct device_node *node, int index, u64 *size, unsigned int *flags);
u64 of_translate_address(struct device_node *node, const u32 *address);
void *of_iomap(struct device_node *node, int index);
void *devm_of_iomap(struct device *dev, struct device_node *node, int index, resource_size_t *size);
void *of_io_request_and_map(struct device_node *node, int index, const char *name);
int of_get_named_gpio(struct device_node *node, const char *name, int index);
int of_get_named_gpio_flags(struct device_node *node, const char *name, int index, enum of_gpio_flags *flags);
int of_get_gpio(struct device_node *node, int index);
int of_get_gpio_flags(struct device_node *node, int index, enum of_gpio_flags *flags);
int of_gpio_count(struct device_node *node);
int of_gpio_named_count(struct device_node *node, const char *name);
int of_platform_populate(struct device_node *root, const struct of_device_id *matches, const struct of_dev_auxdata *lookup, struct device *parent);
int of_platform_default_populate(struct device_node *root, const struct of_dev_auxdata *lookup, struct device *parent);
int devm_of_platform_populate(struct device *dev);
void of_platform_depopulate(struct device *parent);
struct platform_device *of_find_device_by_node(struct device_node *node);
struct platform_device *of_platform_device_create(struct device_node *node, const char *id, struct device *parent);
int of_dma_configure();
int of_get_mac_address();
int of_get_phy_mode();
int of_usb_get_phy_mode(struct device_node *node);
const char *of_prop_next_string(struct property *property, const char *current_one);
const u32 *of_prop_next_u32(struct property *property, const u32 *current_one, u32 *out);
#define of_property_for_each_string(node, name, property, s) for ((property) = of_find_property(node, name, NULL), (s) = of_prop_next_string(property, NULL); (s); (s) = of_prop_next_string(property, s))
#define of_property_for_each_u32(node, name, property, p, u) for ((property) = of_find_property(node, name, NULL), (p) = of_prop_next_u32(property, NULL, &(u)); (p); (p) = of_prop_next_u32(property, p, &(u)))
bool device_property_present(struct device *dev, const char *name);
#define device_property_read_bool device_property_present
int device_property_read_u8(struct device *dev, const char *name, u8 *value);
int device_property_read_u16(struct device *dev, const char *name, u16 *value);
int device_property_read_u32(struct device *dev, const char *name, u32 *value);
int device_property_read_u64(struct device *dev, const char *name, u64 *value);
int device_property_read_u32_array(struct device *dev, const char *name, u32 *values, size_t count);
int device_property_read_u16_array(struct device *dev, const char *name, u16 *values, size_t count);
int device_property_read_u8_array(struct device *dev, const char *name, u8 *values, size_t count);
int device_property_count_u32(struct device *dev, const char *name);
int device_property_read_string(struct device *dev, const char *name, const char **value);
int device_property_match_string(struct device *dev, const char *name, const char *text);
unsigned int device_get_child_node_count(struct device *dev);
struct fwnode_handle *device_get_next_child_node(struct device *dev, struct fwnode_handle *last);
struct fwnode_handle *device_get_named_child_node(struct device *dev, const char *name);
#define device_for_each_child_node(dev, child) for ((child) = device_get_next_child_node(dev, NULL); (child); (child) = device_get_next_child_node(dev, child))
struct fwnode_handle *fwnode_get_next_child_node(const struct fwnode_handle *node, struct fwnode_handle *last);
#define fwnode_for_each_child_node(node, child) for ((child) = fwnode_get_next_child_node(node, NULL); (child); (child) = fwnode_get_next_child_node(node, child))
struct fwnode_handle *fwnode_handle_get(struct fwnode_handle *fwnode);
void fwnode_handle_put(struct fwnode_handle *fwnode);
bool fwnode_property_present(const struct fwnode_handle *fwnode, const char *name);
#define fwnode_property_read_bool fwnode_property_present
int fwnode_property_read_u32(const struct fwnode_handle *fwnode, const char *name, u32 *value);
int fwnode_property_read_u32_array(const struct fwnode_handle *fwnode, const char *name, u32 *values, size_t count);
int fwnode_property_read_string(const struct fwnode_handle *fwnode, const char *name, const char **value);
bool fwnode_device_is_available(const struct fwnode_handle *fwnode);
int fwnode_irq_get(const struct fwnode_handle *fwnode, unsigned int index);
extern struct device_node *of_root, *of_chosen;
#endif
