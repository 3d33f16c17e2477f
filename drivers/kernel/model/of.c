/* The device tree: a few nodes, found or not; what properties say is open. */
struct device_node boolero_nodes[3];
struct device_node *boolero_some_node(void) { return boolero_any() ? NULL : boolero_any() ? &boolero_nodes[1] : &boolero_nodes[2]; }
struct device_node *of_node_get(struct device_node *node) { return node; }
void of_node_put(struct device_node *node) { }
struct device_node *of_get_parent(const struct device_node *node) { return boolero_some_node(); }
struct device_node *of_get_child_by_name(const struct device_node *node, const char *name) { return boolero_some_node(); }
struct device_node *of_get_compatible_child(const struct device_node *node, const char *compatible) { return boolero_some_node(); }
struct device_node *of_parse_phandle(const struct device_node *node, const char *name, int index) { return boolero_some_node(); }
struct device_node *of_find_node_by_path(const char *path) { return boolero_some_node(); }
struct device_node *of_find_node_by_name(struct device_node *from, const char *name) { of_node_put(from); return boolero_some_node(); }
struct device_node *of_find_compatible_node(struct device_node *from, const char *type, const char *compatible) { of_node_put(from); return boolero_some_node(); }
struct device_node *of_find_matching_node(struct device_node *from, const struct of_device_id *matches) { of_node_put(from); return boolero_some_node(); }
struct device_node *of_get_next_child(const struct device_node *node, struct device_node *last) { return boolero_some_node(); }
struct device_node *of_get_next_available_child(const struct device_node *node, struct device_node *last) { return boolero_some_node(); }
int of_get_child_count(const struct device_node *node) { return __VERIFIER_nondet_uchar() & 3; }
int of_get_available_child_count(const struct device_node *node) { return __VERIFIER_nondet_uchar() & 3; }
int boolero_property(u32 *value) { if (boolero_fails()) return -EINVAL; *value = __VERIFIER_nondet_uint(); return 0; }
int of_property_read_u32(const struct device_node *node, const char *name, u32 *value) { return boolero_property(value); }
int of_property_read_u32_index(const struct device_node *node, const char *name, u32 index, u32 *value) { return boolero_property(value); }
int device_property_read_u32(struct device *dev, const char *name, u32 *value) { return boolero_property(value); }
int fwnode_property_read_u32(const struct fwnode_handle *fwnode, const char *name, u32 *value) { return boolero_property(value); }
int of_property_read_u8(const struct device_node *node, const char *name, u8 *value) { if (boolero_fails()) return -EINVAL; *value = __VERIFIER_nondet_uchar(); return 0; }
int of_property_read_string(const struct device_node *node, const char *name, const char **value) { if (boolero_fails()) return -EINVAL; *value = "text"; return 0; }
int of_property_read_string_index(const struct device_node *node, const char *name, int index, const char **value) { if (boolero_fails()) return -EINVAL; *value = "text"; return 0; }
bool of_property_read_bool(const struct device_node *node, const char *name) { return boolero_any(); }
bool device_property_present(struct device *dev, const char *name) { return boolero_any(); }
const struct of_device_id *of_match_node(const struct of_device_id *matches, const struct device_node *node) { return boolero_fails() ? NULL : &matches[0]; }
const struct of_device_id *of_match_device(const struct of_device_id *matches, const struct device *dev) { return boolero_fails() ? NULL : &matches[0]; }
const void *of_device_get_match_data(const struct device *dev) { return dev->driver && dev->driver->of_match_table ? dev->driver->of_match_table[0].data : NULL; }
const void *device_get_match_data(struct device *dev) { return of_device_get_match_data(dev); }
void *of_iomap(struct device_node *node, int index) { return ioremap(0, 0); }
int of_address_to_resource(struct device_node *node, int index, struct resource *resource) { return boolero_fails() ? -EINVAL : 0; }
unsigned int irq_of_parse_and_map(struct device_node *node, int index) { return boolero_fails() ? 0 : 19; }
int of_platform_populate(struct device_node *root, const struct of_device_id *matches, const struct of_dev_auxdata *lookup, struct device *parent) { boolero_may_sleep(); return boolero_fails() ? -ENODEV : 0; }
void of_platform_depopulate(struct device *parent) { boolero_may_sleep(); }
