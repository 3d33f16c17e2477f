/* Clocks, resets, regulators, register maps. A clock that fails to be enabled stays as it was. */
struct clk boolero_clocks[2];
struct clk *boolero_some_clock(void) { return boolero_fails() ? ERR_PTR(-ENOENT) : boolero_any() ? &boolero_clocks[0] : &boolero_clocks[1]; }
struct clk *clk_get(struct device *dev, const char *id) { boolero_may_sleep(); return boolero_some_clock(); }
struct clk *devm_clk_get(struct device *dev, const char *id) { boolero_may_sleep(); return boolero_some_clock(); }
struct clk *devm_clk_get_optional(struct device *dev, const char *id) { boolero_may_sleep(); return boolero_any() ? NULL : boolero_some_clock(); }
struct clk *of_clk_get(struct device_node *node, int index) { boolero_may_sleep(); return boolero_some_clock(); }
struct clk *of_clk_get_by_name(struct device_node *node, const char *name) { boolero_may_sleep(); return boolero_some_clock(); }
void boolero_clk_off(void *clk) { }
struct clk *devm_clk_get_enabled(struct device *dev, const char *id) { boolero_may_sleep(); return boolero_some_clock(); }
struct clk *devm_clk_get_optional_enabled(struct device *dev, const char *id) { boolero_may_sleep(); return boolero_any() ? NULL : boolero_some_clock(); }
void clk_put(struct clk *clk) { boolero_may_sleep(); }
int clk_prepare(struct clk *clk) { boolero_may_sleep(); return clk && boolero_fails() ? -EIO : 0; }
void clk_unprepare(struct clk *clk) { boolero_may_sleep(); }
int clk_enable(struct clk *clk) { return clk && boolero_fails() ? -EIO : 0; }
void clk_disable(struct clk *clk) { }
int clk_prepare_enable(struct clk *clk) { boolero_may_sleep(); return clk && boolero_fails() ? -EIO : 0; }
void clk_disable_unprepare(struct clk *clk) { boolero_may_sleep(); }
unsigned long clk_get_rate(struct clk *clk) { boolero_may_sleep(); return __VERIFIER_nondet_ulong(); }
int clk_set_rate(struct clk *clk, unsigned long rate) { boolero_may_sleep(); return boolero_fails() ? -EINVAL : 0; }
struct reset_control boolero_reset;
struct reset_control *devm_reset_control_get(struct device *dev, const char *id) { boolero_may_sleep(); return boolero_fails() ? ERR_PTR(-ENOENT) : &boolero_reset; }
struct reset_control *devm_reset_control_get_optional(struct device *dev, const char *id) { boolero_may_sleep(); return boolero_any() ? NULL : boolero_fails() ? ERR_PTR(-ENOENT) : &boolero_reset; }
struct reset_control *of_reset_control_array_get_optional_exclusive(struct device_node *node) { boolero_may_sleep(); return boolero_any() ? NULL : boolero_fails() ? ERR_PTR(-ENOENT) : &boolero_reset; }
void reset_control_put(struct reset_control *reset) { boolero_may_sleep(); }
int reset_control_assert(struct reset_control *reset) { return reset && boolero_fails() ? -EIO : 0; }
int reset_control_deassert(struct reset_control *reset) { return reset && boolero_fails() ? -EIO : 0; }
int reset_control_reset(struct reset_control *reset) { return reset && boolero_fails() ? -EIO : 0; }
struct regulator boolero_regulator;
struct regulator *regulator_get(struct device *dev, const char *id) { boolero_may_sleep(); return boolero_fails() ? ERR_PTR(-ENODEV) : &boolero_regulator; }
struct regulator *devm_regulator_get(struct device *dev, const char *id) { boolero_may_sleep(); return boolero_fails() ? ERR_PTR(-ENODEV) : &boolero_regulator; }
struct regulator *devm_regulator_get_optional(struct device *dev, const char *id) { boolero_may_sleep(); return boolero_fails() ? ERR_PTR(-ENODEV) : &boolero_regulator; }
void regulator_put(struct regulator *regulator) { boolero_may_sleep(); }
int regulator_enable(struct regulator *regulator) { boolero_may_sleep(); return boolero_fails() ? -EIO : 0; }
int regulator_disable(struct regulator *regulator) { boolero_may_sleep(); return 0; }
int regulator_set_voltage(struct regulator *regulator, int least, int most) { boolero_may_sleep(); return boolero_fails() ? -EINVAL : 0; }
struct regmap boolero_regmap;
struct regmap *_devm_regmap_init(struct device *dev) { boolero_may_sleep(); return boolero_fails() ? ERR_PTR(-ENOMEM) : &boolero_regmap; }
struct regmap *_regmap_init(struct device *dev) { boolero_may_sleep(); return boolero_fails() ? ERR_PTR(-ENOMEM) : &boolero_regmap; }
void regmap_exit(struct regmap *map) { }
struct regmap *dev_get_regmap(struct device *dev, const char *name) { return boolero_fails() ? NULL : &boolero_regmap; }
struct regmap *syscon_node_to_regmap(struct device_node *node) { return boolero_fails() ? ERR_PTR(-EPROBE_DEFER) : &boolero_regmap; }
struct regmap *syscon_regmap_lookup_by_phandle(struct device_node *node, const char *property) { return boolero_fails() ? ERR_PTR(-ENODEV) : &boolero_regmap; }
struct regmap *syscon_regmap_lookup_by_compatible(const char *name) { return boolero_fails() ? ERR_PTR(-ENODEV) : &boolero_regmap; }
int regmap_read(struct regmap *map, unsigned int reg, unsigned int *value) { if (boolero_fails()) return -EIO; *value = __VERIFIER_nondet_uint(); return 0; }
int regmap_write(struct regmap *map, unsigned int reg, unsigned int value) { return boolero_fails() ? -EIO : 0; }
int regmap_update_bits(struct regmap *map, unsigned int reg, unsigned int mask, unsigned int value) { return boolero_fails() ? -EIO : 0; }
int regmap_bulk_read(struct regmap *map, unsigned int reg, void *values, size_t count) {
	if (boolero_fails())
		return -EIO;
	for (size_t i = 0; i < count; i++)
		((u8 *)values)[i] = __VERIFIER_nondet_uchar();
	return 0;
}
int regmap_raw_read(struct regmap *map, unsigned int reg, void *values, size_t bytes) { return regmap_bulk_read(map, reg, values, bytes); }
int regmap_bulk_write(struct regmap *map, unsigned int reg, const void *values, size_t count) { return boolero_fails() ? -EIO : 0; }
int regmap_raw_write(struct regmap *map, unsigned int reg, const void *values, size_t bytes) { return boolero_fails() ? -EIO : 0; }
int gpio_request(unsigned int gpio, const char *label) { boolero_may_sleep(); return boolero_fails() ? -EBUSY : 0; }
int gpio_request_one(unsigned int gpio, unsigned long flags, const char *label) { boolero_may_sleep(); return boolero_fails() ? -EBUSY : 0; }
void gpio_free(unsigned int gpio) { boolero_may_sleep(); }
int devm_gpio_request(struct device *dev, unsigned int gpio, const char *label) { boolero_may_sleep(); return boolero_fails() ? -EBUSY : 0; }
int devm_gpio_request_one(struct device *dev, unsigned int gpio, unsigned long flags, const char *label) { boolero_may_sleep(); return boolero_fails() ? -EBUSY : 0; }
int gpio_direction_input(unsigned int gpio) { return boolero_fails() ? -EIO : 0; }
int gpio_direction_output(unsigned int gpio, int value) { return boolero_fails() ? -EIO : 0; }
int gpio_get_value(unsigned int gpio) { return boolero_any(); }
void gpio_set_value(unsigned int gpio, int value) { }
int gpio_get_value_cansleep(unsigned int gpio) { boolero_may_sleep(); return boolero_any(); }
void gpio_set_value_cansleep(unsigned int gpio, int value) { boolero_may_sleep(); }
int gpio_to_irq(unsigned int gpio) { return boolero_fails() ? -ENXIO : 18; }
struct gpio_desc boolero_pin;
struct gpio_desc *devm_gpiod_get(struct device *dev, const char *name, enum gpiod_flags flags) { boolero_may_sleep(); return boolero_fails() ? ERR_PTR(-ENOENT) : &boolero_pin; }
struct gpio_desc *devm_gpiod_get_optional(struct device *dev, const char *name, enum gpiod_flags flags) { boolero_may_sleep(); return boolero_any() ? NULL : boolero_fails() ? ERR_PTR(-EBUSY) : &boolero_pin; }
struct gpio_desc *devm_gpiod_get_index(struct device *dev, const char *name, unsigned int index, enum gpiod_flags flags) { boolero_may_sleep(); return boolero_fails() ? ERR_PTR(-ENOENT) : &boolero_pin; }
struct gpio_desc *gpiod_get(struct device *dev, const char *name, enum gpiod_flags flags) { boolero_may_sleep(); return boolero_fails() ? ERR_PTR(-ENOENT) : &boolero_pin; }
void gpiod_put(struct gpio_desc *desc) { boolero_may_sleep(); }
void gpiod_set_value(struct gpio_desc *desc, int value) { }
void gpiod_set_value_cansleep(struct gpio_desc *desc, int value) { boolero_may_sleep(); }
int gpiod_get_value(const struct gpio_desc *desc) { return boolero_any(); }
int gpiod_get_value_cansleep(const struct gpio_desc *desc) { boolero_may_sleep(); return boolero_any(); }
int gpiod_direction_output(struct gpio_desc *desc, int value) { return boolero_fails() ? -EIO : 0; }
int gpiod_direction_input(struct gpio_desc *desc) { return boolero_fails() ? -EIO : 0; }
int gpiod_to_irq(const struct gpio_desc *desc) { return boolero_fails() ? -ENXIO : 18; }
int dma_mapping_error(struct device *dev, dma_addr_t address) { return boolero_fails(); }
dma_addr_t dma_map_single(struct device *dev, void *memory, size_t size, enum dma_data_direction direction) { return __VERIFIER_nondet_ulong(); }
void dma_unmap_single(struct device *dev, dma_addr_t address, size_t size, enum dma_data_direction direction) { }
void *dma_alloc_coherent(struct device *dev, size_t size, dma_addr_t *handle, gfp_t flags) { if (flags & __GFP_RECLAIM) boolero_may_sleep(); if (boolero_fails()) return NULL; *handle = __VERIFIER_nondet_ulong(); return calloc(1, size); }
void dma_free_coherent(struct device *dev, size_t size, void *memory, dma_addr_t handle) { free(memory); }
