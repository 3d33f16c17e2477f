/* What a device needs to run: clocks, resets, regulators, pins, power, register maps, DMA. */
#ifndef BOOLERO_CLK_H
#define BOOLERO_CLK_H
#include <linux/kernel.h>
struct clk { int prepared; int enabled; unsigned long rate; };
struct clk_bulk_data { const char *id; struct clk *clk; };
struct clk *clk_get(struct device *dev, const char *id);
struct clk *clk_get_sys(const char *dev, const char *id);
struct clk *clk_get_optional(struct device *dev, const char *id);
struct clk *devm_clk_get(struct device *dev, const char *id);
struct clk *devm_clk_get_optional(struct device *dev, const char *id);
struct clk *devm_clk_get_enabled(struct device *dev, const char *id);
struct clk *devm_clk_get_optional_enabled(struct device *dev, const char *id);
struct clk *devm_clk_get_prepared(struct device *dev, const char *id);
struct clk *devm_get_clk_from_child(struct device *dev, struct device_node *node, const char *id);
struct clk *of_clk_get(struct device_node *node, int index);
struct clk *of_clk_get_by_name(struct device_node *node, const char *name);
unsigned int of_clk_get_parent_count(struct device_node *node);
#define of_clk_get_parent_name(node, index) ((const char *)"clock")
void clk_put(struct clk *clk);
void devm_clk_put(struct device *dev, struct clk *clk);
int clk_prepare(struct clk *clk);
void clk_unprepare(struct clk *clk);
int clk_enable(struct clk *clk);
void clk_disable(struct clk *clk);
int clk_prepare_enable(struct clk *clk);
void clk_disable_unprepare(struct clk *clk);
unsigned long clk_get_rate(struct clk *clk);
int clk_set_rate(struct clk *clk, unsigned long rate);
long clk_round_rate(struct clk *clk, unsigned long rate);
int clk_set_parent(struct clk *clk, struct clk *parent);
struct clk *clk_get_parent(struct clk *clk);
int clk_notifier_register(struct clk *clk, struct notifier_block *nb);
int clk_notifier_unregister(struct clk *clk, struct notifier_block *nb);
int devm_clk_bulk_get(struct device *dev, int count, struct clk_bulk_data *clks);
int devm_clk_bulk_get_optional(struct device *dev, int count, struct clk_bulk_data *clks);
int devm_clk_bulk_get_all(struct device *dev, struct clk_bulk_data **clks);
int clk_bulk_get_all(struct device *dev, struct clk_bulk_data **clks);
void clk_bulk_put_all(int count, struct clk_bulk_data *clks);
int clk_bulk_prepare_enable(int count, const struct clk_bulk_data *clks);
void clk_bulk_disable_unprepare(int count, const struct clk_bulk_data *clks);
struct clk_hw; struct clk_ops; struct clk_init_data;
struct clk *clk_register_fixed_rate(struct device *dev, const char *name, const char *parent, unsigned long flags, unsigned long rate);
struct clk_hw *clk_hw_register_fixed_rate(struct device *dev, const char *name, const char *parent, unsigned long flags, unsigned long rate);

struct reset_control { int asserted; };
struct reset_control *devm_reset_control_get(struct device *dev, const char *id);
struct reset_control *reset_control_get(struct device *dev, const char *id);
void reset_control_put(struct reset_control *reset);
#define devm_reset_control_get_exclusive devm_reset_control_get
#define devm_reset_control_get_shared devm_reset_control_get
#define reset_control_get_exclusive reset_control_get
#define reset_control_get_shared reset_control_get
struct reset_control *devm_reset_control_get_optional(struct device *dev, const char *id);
#define devm_reset_control_get_optional_exclusive devm_reset_control_get_optional
#define devm_reset_control_get_optional_shared devm_reset_control_get_optional
struct reset_control *devm_reset_control_array_get(struct device *dev, bool shared, bool optional);
struct reset_control *of_reset_control_array_get(struct device_node *node, bool shared, bool optional, bool acquired);
struct reset_control *of_reset_control_array_get_exclusive(struct device_node *node);
struct reset_control *of_reset_control_array_get_optional_exclusive(struct device_node *node);
int reset_control_assert(struct reset_control *reset);
int reset_control_deassert(struct reset_control *reset);
int reset_control_reset(struct reset_control *reset);
int reset_control_status(struct reset_control *reset);
int device_reset(struct device *dev);
int device_reset_optional(struct device *dev);

struct regulator { int enabled; };
struct regulator_bulk_data { const char *supply; struct regulator *consumer; };
struct regulator *regulator_get(struct device *dev, const char *id);
struct regulator *regulator_get_optional(struct device *dev, const char *id);
struct regulator *devm_regulator_get(struct device *dev, const char *id);
struct regulator *devm_regulator_get_optional(struct device *dev, const char *id);
#define devm_regulator_get_exclusive devm_regulator_get
void regulator_put(struct regulator *regulator);
int regulator_enable(struct regulator *regulator);
int regulator_disable(struct regulator *regulator);
int regulator_is_enabled(struct regulator *regulator);
int regulator_set_voltage(struct regulator *regulator, int least, int most);
int regulator_get_voltage(struct regulator *regulator);
int regulator_set_load(struct regulator *regulator, int load);
int devm_regulator_get_enable(struct device *dev, const char *id);
int devm_regulator_bulk_get(struct device *dev, int count, struct regulator_bulk_data *consumers);
int regulator_bulk_get(struct device *dev, int count, struct regulator_bulk_data *consumers);
int regulator_bulk_enable(int count, struct regulator_bulk_data *consumers);
int regulator_bulk_disable(int count, struct regulator_bulk_data *consumers);
void regulator_bulk_free(int count, struct regulator_bulk_data *consumers);

struct pinctrl; struct pinctrl_state;
struct pinctrl *devm_pinctrl_get(struct device *dev);
struct pinctrl *devm_pinctrl_get_select(struct device *dev, const char *name);
struct pinctrl *devm_pinctrl_get_select_default(struct device *dev);
struct pinctrl *pinctrl_get(struct device *dev);
void pinctrl_put(struct pinctrl *pinctrl);
struct pinctrl_state *pinctrl_lookup_state(struct pinctrl *pinctrl, const char *name);
int pinctrl_select_state(struct pinctrl *pinctrl, struct pinctrl_state *state);
int pinctrl_pm_select_default_state(struct device *dev);
int pinctrl_pm_select_sleep_state(struct device *dev);
int pinctrl_pm_select_idle_state(struct device *dev);
int pinctrl_gpio_direction_input(unsigned int gpio);
int pinctrl_gpio_direction_output(unsigned int gpio);
int pinctrl_request_gpio(unsigned int gpio);
void pinctrl_free_gpio(unsigned int gpio);
#define pinctrl_gpio_request pinctrl_request_gpio
#define pinctrl_gpio_free pinctrl_free_gpio
int pinctrl_gpio_set_config(unsigned int gpio, unsigned long config);
#define PINCTRL_STATE_DEFAULT "default"
#define PINCTRL_STATE_SLEEP "sleep"
#define PINCTRL_STATE_IDLE "idle"

struct pwm_args { u64 period; int polarity; };
struct pwm_state { u64 period; u64 duty_cycle; int polarity; bool enabled; };
struct pwm_device { struct pwm_args args; struct pwm_state state; unsigned int hwpwm; };
struct pwm_device *devm_pwm_get(struct device *dev, const char *id);
struct pwm_device *devm_fwnode_pwm_get(struct device *dev, struct fwnode_handle *fwnode, const char *id);
struct pwm_device *pwm_get(struct device *dev, const char *id);
struct pwm_device *pwm_request(int id, const char *label);
void pwm_free(struct pwm_device *pwm);
void pwm_put(struct pwm_device *pwm);
int pwm_config(struct pwm_device *pwm, int duty, int period);
int pwm_enable(struct pwm_device *pwm);
void pwm_disable(struct pwm_device *pwm);
void pwm_apply_args(struct pwm_device *pwm);
int pwm_apply_state(struct pwm_device *pwm, const struct pwm_state *state);
static inline void pwm_get_state(const struct pwm_device *pwm, struct pwm_state *state) { *state = pwm->state; }
static inline void pwm_init_state(const struct pwm_device *pwm, struct pwm_state *state) { *state = pwm->state; }
static inline void pwm_get_args(const struct pwm_device *pwm, struct pwm_args *args) { *args = pwm->args; }
static inline void pwm_set_period(struct pwm_device *pwm, u64 period) { pwm->state.period = period; }
static inline u64 pwm_get_period(const struct pwm_device *pwm) { return pwm->state.period; }

struct reg_default { unsigned int reg, def; };
struct reg_sequence { unsigned int reg, def, delay_us; };
#define REG_SEQ0(r, d) { .reg = r, .def = d }
struct regmap_range { unsigned int range_min, range_max; };
#define regmap_reg_range(low, high) { .range_min = low, .range_max = high }
struct regmap_access_table { const struct regmap_range *yes_ranges; unsigned int n_yes_ranges; const struct regmap_range *no_ranges; unsigned int n_no_ranges; };
enum regcache_type { REGCACHE_NONE, REGCACHE_RBTREE, REGCACHE_COMPRESSED, REGCACHE_FLAT, REGCACHE_MAPLE };
enum regmap_endian { REGMAP_ENDIAN_DEFAULT, REGMAP_ENDIAN_BIG, REGMAP_ENDIAN_LITTLE, REGMAP_ENDIAN_NATIVE };
struct regmap_config { const char *name; int reg_bits, reg_stride, pad_bits, val_bits; bool (*writeable_reg)(struct device *, unsigned int); bool (*readable_reg)(struct device *, unsigned int); bool (*volatile_reg)(struct device *, unsigned int); bool (*precious_reg)(struct device *, unsigned int); bool disable_locking; bool fast_io; int (*reg_read)(void *, unsigned int, unsigned int *); int (*reg_write)(void *, unsigned int, unsigned int); unsigned int max_register; const struct regmap_access_table *wr_table, *rd_table, *volatile_table; const struct reg_default *reg_defaults; unsigned int num_reg_defaults; enum regcache_type cache_type; const void *reg_defaults_raw; unsigned int num_reg_defaults_raw; unsigned long read_flag_mask, write_flag_mask; bool use_single_rw, use_single_read, use_single_write, can_multi_write; enum regmap_endian reg_format_endian, val_format_endian; const void *ranges; unsigned int num_ranges; bool use_hwlock; void (*lock)(void *); void (*unlock)(void *); void *lock_arg; };
struct regmap_bus { bool fast_io; int (*write)(void *context, const void *data, size_t count); int (*gather_write)(void *context, const void *reg, size_t reg_len, const void *val, size_t val_len); int (*read)(void *context, const void *reg, size_t reg_size, void *val, size_t val_size); int (*reg_write)(void *context, unsigned int reg, unsigned int val); int (*reg_read)(void *context, unsigned int reg, unsigned int *val); u8 read_flag_mask; enum regmap_endian reg_format_endian_default, val_format_endian_default; size_t max_raw_read, max_raw_write; };
struct regmap { int fast; };
struct regmap_field { struct regmap *map; };
struct reg_field { unsigned int reg, lsb, msb, id_size, id_offset; };
#define REG_FIELD(r, l, m) { .reg = r, .lsb = l, .msb = m }
struct regmap_irq { unsigned int reg_offset, mask; };
struct regmap_irq_chip { const char *name; unsigned int status_base, mask_base, ack_base, wake_base; bool init_ack_masked; int num_regs; const struct regmap_irq *irqs; int num_irqs; };
struct regmap_irq_chip_data;
struct i2c_client; struct spi_device;
struct regmap *_devm_regmap_init(struct device *dev);
struct regmap *_regmap_init(struct device *dev);
#define devm_regmap_init(dev, bus, context, config) ((void)(bus), (void)(context), (void)(config), _devm_regmap_init(dev))
#define devm_regmap_init_i2c(i2c, config) ((void)(config), _devm_regmap_init(&(i2c)->dev))
#define devm_regmap_init_spi(spi, config) ((void)(config), _devm_regmap_init(&(spi)->dev))
#define devm_regmap_init_mmio(dev, registers, config) ((void)(registers), (void)(config), _devm_regmap_init(dev))
#define devm_regmap_init_mmio_clk(dev, id, registers, config) ((void)(registers), (void)(config), _devm_regmap_init(dev))
#define regmap_init(dev, bus, context, config) ((void)(bus), (void)(context), (void)(config), _regmap_init(dev))
#define regmap_init_i2c(i2c, config) ((void)(config), _regmap_init(&(i2c)->dev))
#define regmap_init_mmio(dev, registers, config) ((void)(registers), (void)(config), _regmap_init(dev))
void regmap_exit(struct regmap *map);
struct regmap *dev_get_regmap(struct device *dev, const char *name);
struct device *regmap_get_device(struct regmap *map);
int regmap_read(struct regmap *map, unsigned int reg, unsigned int *value);
int regmap_write(struct regmap *map, unsigned int reg, unsigned int value);
int regmap_update_bits(struct regmap *map, unsigned int reg, unsigned int mask, unsigned int value);
int regmap_update_bits_check(struct regmap *map, unsigned int reg, unsigned int mask, unsigned int value, bool *change);
#define regmap_update_bits_async regmap_update_bits
#define regmap_write_bits regmap_update_bits
#define regmap_write_async regmap_write
#define regmap_set_bits(map, reg, bits) regmap_update_bits(map, reg, bits, bits)
#define regmap_clear_bits(map, reg, bits) regmap_update_bits(map, reg, bits, 0)
int regmap_test_bits(struct regmap *map, unsigned int reg, unsigned int bits);
int regmap_bulk_read(struct regmap *map, unsigned int reg, void *values, size_t count);
int regmap_bulk_write(struct regmap *map, unsigned int reg, const void *values, size_t count);
int regmap_raw_read(struct regmap *map, unsigned int reg, void *values, size_t bytes);
int regmap_raw_write(struct regmap *map, unsigned int reg, const void *values, size_t bytes);
#define regmap_noinc_read regmap_raw_read
#define regmap_noinc_write regmap_raw_write
int regmap_multi_reg_write(struct regmap *map, const struct reg_sequence *sequence, int count);
int regmap_register_patch(struct regmap *map, const struct reg_sequence *sequence, int count);
#define regmap_read_poll_timeout(map, reg, value, condition, sleep, time) ({ int boolero_e = regmap_read(map, reg, &(value)); boolero_e ? boolero_e : ((condition) ? 0 : -ETIMEDOUT); })
int regcache_sync(struct regmap *map);
void regcache_cache_only(struct regmap *map, bool enable);
void regcache_mark_dirty(struct regmap *map);
void regcache_cache_bypass(struct regmap *map, bool enable);
int regmap_attach_dev(struct device *dev, struct regmap *map, const struct regmap_config *config);
int regmap_irq_get_virq(struct regmap_irq_chip_data *data, int irq);
struct irq_domain *regmap_irq_get_domain(struct regmap_irq_chip_data *data);
int regmap_add_irq_chip(struct regmap *map, int irq, int flags, int base, const struct regmap_irq_chip *chip, struct regmap_irq_chip_data **data);
int devm_regmap_add_irq_chip(struct device *dev, struct regmap *map, int irq, int flags, int base, const struct regmap_irq_chip *chip, struct regmap_irq_chip_data **data);
void regmap_del_irq_chip(int irq, struct regmap_irq_chip_data *data);
struct regmap_field *devm_regmap_field_alloc(struct device *dev, struct regmap *map, struct reg_field field);
int regmap_field_read(struct regmap_field *field, unsigned int *value);
int regmap_field_write(struct regmap_field *field, unsigned int value);
struct regmap *syscon_node_to_regmap(struct device_node *node);
struct regmap *syscon_regmap_lookup_by_compatible(const char *name);
struct regmap *syscon_regmap_lookup_by_phandle(struct device_node *node, const char *property);
struct regmap *device_node_to_regmap(struct device_node *node);

struct phy { struct device dev; int power_count; int init_count; };
struct phy_ops { int (*init)(struct phy *phy); int (*exit)(struct phy *phy); int (*power_on)(struct phy *phy); int (*power_off)(struct phy *phy); int (*set_mode)(); int (*configure)(); int (*validate)(); int (*reset)(struct phy *phy); int (*calibrate)(struct phy *phy); struct module *owner; };
struct phy_provider { int unused; };
static inline void phy_set_drvdata(struct phy *phy, void *data) { phy->dev.driver_data = data; }
static inline void *phy_get_drvdata(struct phy *phy) { return phy->dev.driver_data; }
struct phy *devm_phy_create(struct device *dev, struct device_node *node, const struct phy_ops *ops);
struct phy_provider *_devm_of_phy_provider_register(struct device *dev);
#define devm_of_phy_provider_register(dev, xlate) _devm_of_phy_provider_register(dev)
struct phy *of_phy_simple_xlate(struct device *dev, struct of_phandle_args *args);
struct phy *devm_phy_get(struct device *dev, const char *name);
struct phy *devm_phy_optional_get(struct device *dev, const char *name);
int phy_init(struct phy *phy);
int phy_exit(struct phy *phy);
int phy_power_on(struct phy *phy);
int phy_power_off(struct phy *phy);

struct nvmem_device; struct nvmem_cell;
struct nvmem_config { struct device *dev; const char *name; int id; struct module *owner; bool read_only, root_only; int (*reg_read)(void *, unsigned int, void *, size_t); int (*reg_write)(void *, unsigned int, void *, size_t); int size, word_size, stride; void *priv; int type; };
#define NVMEM_TYPE_BATTERY_BACKED 1
typedef int (*nvmem_reg_read_t)(void *, unsigned int, void *, size_t);
struct nvmem_device *devm_nvmem_register(struct device *dev, const struct nvmem_config *config);

enum dma_data_direction { DMA_BIDIRECTIONAL, DMA_TO_DEVICE, DMA_FROM_DEVICE, DMA_NONE };
#define DMA_BIT_MASK(n) (((n) == 64) ? ~0ULL : ((1ULL << (n)) - 1))
#define DMA_MAPPING_ERROR (~(dma_addr_t)0)
struct scatterlist { unsigned long page_link; unsigned int offset, length; dma_addr_t dma_address; unsigned int dma_length; };
struct sg_table { struct scatterlist *sgl; unsigned int nents, orig_nents; };
void *dma_alloc_coherent(struct device *dev, size_t size, dma_addr_t *handle, gfp_t flags);
void dma_free_coherent(struct device *dev, size_t size, void *memory, dma_addr_t handle);
void *dmam_alloc_coherent(struct device *dev, size_t size, dma_addr_t *handle, gfp_t flags);
#define dma_zalloc_coherent dma_alloc_coherent
#define dma_alloc_writecombine dma_alloc_coherent
#define dma_free_writecombine dma_free_coherent
#define dma_alloc_wc dma_alloc_coherent
#define dma_free_wc dma_free_coherent
dma_addr_t dma_map_single(struct device *dev, void *memory, size_t size, enum dma_data_direction direction);
void dma_unmap_single(struct device *dev, dma_addr_t address, size_t size, enum dma_data_direction direction);
dma_addr_t dma_map_page(struct device *dev, struct page *page, size_t offset, size_t size, enum dma_data_direction direction);
void dma_unmap_page(struct device *dev, dma_addr_t address, size_t size, enum dma_data_direction direction);
int dma_map_sg(struct device *dev, struct scatterlist *sg, int count, enum dma_data_direction direction);
void dma_unmap_sg(struct device *dev, struct scatterlist *sg, int count, enum dma_data_direction direction);
int dma_mapping_error(struct device *dev, dma_addr_t address);
static inline void dma_sync_single_for_cpu(struct device *dev, dma_addr_t address, size_t size, enum dma_data_direction direction) {}
static inline void dma_sync_single_for_device(struct device *dev, dma_addr_t address, size_t size, enum dma_data_direction direction) {}
static inline void dma_sync_sg_for_cpu(struct device *dev, struct scatterlist *sg, int count, enum dma_data_direction direction) {}
static inline void dma_sync_sg_for_device(struct device *dev, struct scatterlist *sg, int count, enum dma_data_direction direction) {}
int dma_set_mask(struct device *dev, u64 mask);
int dma_set_coherent_mask(struct device *dev, u64 mask);
int dma_set_mask_and_coherent(struct device *dev, u64 mask);
int dma_mmap_coherent();
int dma_set_max_seg_size(struct device *dev, unsigned int size);
struct dma_pool;
struct dma_pool *dma_pool_create(const char *name, struct device *dev, size_t size, size_t align, size_t boundary);
void dma_pool_destroy(struct dma_pool *pool);
void *dma_pool_alloc(struct dma_pool *pool, gfp_t flags, dma_addr_t *handle);
void dma_pool_free(struct dma_pool *pool, void *memory, dma_addr_t handle);
int sg_alloc_table(struct sg_table *table, unsigned int count, gfp_t flags);
int sg_alloc_table_from_pages();
void sg_free_table(struct sg_table *table);
void sg_init_table(struct scatterlist *sg, unsigned int count);
void sg_init_one(struct scatterlist *sg, const void *memory, unsigned int size);
void sg_set_buf(struct scatterlist *sg, const void *memory, unsigned int size);
void sg_set_page(struct scatterlist *sg, struct page *page, unsigned int size, unsigned int offset);
struct scatterlist *sg_next(struct scatterlist *sg);
struct page *sg_page(struct scatterlist *sg);
void *sg_virt(struct scatterlist *sg);
#define sg_dma_address(sg) ((sg)->dma_address)
#define sg_dma_len(sg) ((sg)->dma_length)
#define for_each_sg(list, sg, count, i) for ((i) = 0, (sg) = (list); (i) < (count); (i)++, (sg) = sg_next(sg))
struct gen_pool;
struct gen_pool *devm_gen_pool_create(struct device *dev, int order, int node, const char *name);
struct gen_pool *gen_pool_create(int order, int node);
void gen_pool_destroy(struct gen_pool *pool);
int gen_pool_add(struct gen_pool *pool, unsigned long address, size_t size, int node);
int gen_pool_add_virt(struct gen_pool *pool, unsigned long address, phys_addr_t physical, size_t size, int node);
unsigned long gen_pool_alloc(struct gen_pool *pool, size_t size);
void gen_pool_free(struct gen_pool *pool, unsigned long address, size_t size);
size_t gen_pool_avail(struct gen_pool *pool);
size_t gen_pool_size(struct gen_pool *pool);
typedef int (*genpool_algo_t)();
void gen_pool_set_algo(struct gen_pool *pool, void *algo, void *data);

struct mfd_cell { const char *name; int id; void *platform_data; size_t pdata_size; const char *of_compatible; int num_resources; const struct resource *resources; bool ignore_resource_conflicts; int (*enable)(struct platform_device *); int (*disable)(struct platform_device *); };
int mfd_add_devices(struct device *parent, int id, const struct mfd_cell *cells, int count, struct resource *base, int irq, struct irq_domain *domain);
void mfd_remove_devices(struct device *parent);
int devm_mfd_add_devices(struct device *dev, int id, const struct mfd_cell *cells, int count, struct resource *base, int irq, struct irq_domain *domain);
#define mfd_get_cell(pdev) ((pdev)->mfd_cell)
#endif
