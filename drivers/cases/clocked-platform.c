// A platform driver whose probe takes ten steps, each of which may fail; a random number generator.
//
// rules: clk, clk-below, memory, of-node, access, probe
// correct: clk unviolated
// correct: of-node unviolated
// correct: probe unviolated
// broken 1: clk violated          the clock stays on when the generator cannot be registered
// broken 2: of-node violated      the node of the system controller is never put
// broken 3: probe violated        a failed registration is cleaned up, and the probe returns 0
// broken 4: clk-below violated    the clock is disabled though it could not be enabled
#include <linux/module.h>
#include <linux/clk.h>
#include <linux/err.h>
#include <linux/hw_random.h>
#include <linux/io.h>
#include <linux/mfd/syscon.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/regmap.h>
#include <linux/reset.h>
#include <linux/slab.h>

struct generator {
	struct hwrng rng;
	struct clk *clk;
	void __iomem *base;
	struct regmap *control;
	u32 delay;
};

static int generator_read(struct hwrng *rng, void *to, size_t most, bool wait)
{
	struct generator *g = container_of(rng, struct generator, rng);

	if (!(readl(g->base + 4) & 1))
		return 0;
	*(u32 *)to = readl(g->base);
	return 4;
}

static int generator_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct device_node *node;
	struct reset_control *reset;
	struct generator *g;
	int error;

	g = devm_kzalloc(dev, sizeof(*g), GFP_KERNEL);
	if (!g)
		return -ENOMEM;
	g->base = devm_platform_ioremap_resource(pdev, 0);
	if (IS_ERR(g->base))
		return PTR_ERR(g->base);
	if (of_property_read_u32(dev->of_node, "delay", &g->delay))
		g->delay = 10;
	node = of_parse_phandle(dev->of_node, "control", 0);
	if (!node)
		return -ENODEV;
	g->control = syscon_node_to_regmap(node);
#if BROKEN != 2
	of_node_put(node);
#endif
	if (IS_ERR(g->control))
		return PTR_ERR(g->control);
	g->clk = devm_clk_get(dev, NULL);
	if (IS_ERR(g->clk))
		return PTR_ERR(g->clk);
	reset = devm_reset_control_get(dev, NULL);
	if (IS_ERR(reset))
		return PTR_ERR(reset);
	error = clk_prepare_enable(g->clk);
	if (error)
#if BROKEN == 4
		goto off;
#else
		return error;
#endif
	error = reset_control_deassert(reset);
	if (error)
		goto off;
	error = regmap_write(g->control, 0, 1);
	if (error)
		goto off;
	g->rng.name = "generator";
	g->rng.read = generator_read;
	platform_set_drvdata(pdev, g);
	error = hwrng_register(&g->rng);
	if (error)
#if BROKEN == 1
		return error;
#else
		goto off;
#endif
	return 0;
off:
	clk_disable_unprepare(g->clk);
#if BROKEN == 3
	return 0;
#else
	return error;
#endif
}

static int generator_remove(struct platform_device *pdev)
{
	struct generator *g = platform_get_drvdata(pdev);

	hwrng_unregister(&g->rng);
	clk_disable_unprepare(g->clk);
	return 0;
}

static struct platform_driver generator_driver = {
	.probe = generator_probe,
	.remove = generator_remove,
	.driver = { .name = "generator" },
};
module_platform_driver(generator_driver);
MODULE_LICENSE("GPL");
