//! The headers, models and rules of the folder `drivers/`, as they are built in: the binary works from any folder. A test
//! compares these lists with the folders.

/// A name and the text behind it.
pub type Named = (&'static str, &'static str);

/// Headers that say the same as another one.
const ALIASES: &str = include_str!("../../drivers/kernel/aliases.txt");

/// The headers, by the names that `#include` uses.
#[rustfmt::skip]
pub const HEADERS: &[Named] = &[
    ("boolero/all.h", include_str!("../../drivers/kernel/include/boolero/all.h")),
    ("boolero/moments.h", include_str!("../../drivers/kernel/include/boolero/moments.h")),
    ("boolero/open.h", include_str!("../../drivers/kernel/include/boolero/open.h")),
    ("linux/bits.h", include_str!("../../drivers/kernel/include/linux/bits.h")),
    ("linux/chips.h", include_str!("../../drivers/kernel/include/linux/chips.h")),
    ("linux/clk.h", include_str!("../../drivers/kernel/include/linux/clk.h")),
    ("linux/device.h", include_str!("../../drivers/kernel/include/linux/device.h")),
    ("linux/errno.h", include_str!("../../drivers/kernel/include/linux/errno.h")),
    ("linux/fs.h", include_str!("../../drivers/kernel/include/linux/fs.h")),
    ("linux/gpio.h", include_str!("../../drivers/kernel/include/linux/gpio.h")),
    ("linux/hid.h", include_str!("../../drivers/kernel/include/linux/hid.h")),
    ("linux/i2c.h", include_str!("../../drivers/kernel/include/linux/i2c.h")),
    ("linux/input.h", include_str!("../../drivers/kernel/include/linux/input.h")),
    ("linux/interrupt.h", include_str!("../../drivers/kernel/include/linux/interrupt.h")),
    ("linux/io.h", include_str!("../../drivers/kernel/include/linux/io.h")),
    ("linux/kernel.h", include_str!("../../drivers/kernel/include/linux/kernel.h")),
    ("linux/list.h", include_str!("../../drivers/kernel/include/linux/list.h")),
    ("linux/mod_devicetable.h", include_str!("../../drivers/kernel/include/linux/mod_devicetable.h")),
    ("linux/module.h", include_str!("../../drivers/kernel/include/linux/module.h")),
    ("linux/of.h", include_str!("../../drivers/kernel/include/linux/of.h")),
    ("linux/platform_device.h", include_str!("../../drivers/kernel/include/linux/platform_device.h")),
    ("linux/pm.h", include_str!("../../drivers/kernel/include/linux/pm.h")),
    ("linux/slab.h", include_str!("../../drivers/kernel/include/linux/slab.h")),
    ("linux/spinlock.h", include_str!("../../drivers/kernel/include/linux/spinlock.h")),
    ("linux/string.h", include_str!("../../drivers/kernel/include/linux/string.h")),
    ("linux/tty.h", include_str!("../../drivers/kernel/include/linux/tty.h")),
    ("linux/types.h", include_str!("../../drivers/kernel/include/linux/types.h")),
    ("linux/usb.h", include_str!("../../drivers/kernel/include/linux/usb.h")),
];

/// The models of kernel functions.
#[rustfmt::skip]
pub const MODELS: &[Named] = &[
    ("bus.c", include_str!("../../drivers/kernel/model/bus.c")),
    ("class.c", include_str!("../../drivers/kernel/model/class.c")),
    ("clk.c", include_str!("../../drivers/kernel/model/clk.c")),
    ("core.c", include_str!("../../drivers/kernel/model/core.c")),
    ("device.c", include_str!("../../drivers/kernel/model/device.c")),
    ("fs.c", include_str!("../../drivers/kernel/model/fs.c")),
    ("interrupt.c", include_str!("../../drivers/kernel/model/interrupt.c")),
    ("of.c", include_str!("../../drivers/kernel/model/of.c")),
    ("usb.c", include_str!("../../drivers/kernel/model/usb.c")),
];

/// The rules, in the order of the table.
#[rustfmt::skip]
pub const RULES: &[Named] = &[
    ("access", include_str!("../../drivers/rules/access.rule")),
    ("atomic", include_str!("../../drivers/rules/atomic.rule")),
    ("clk-below", include_str!("../../drivers/rules/clk-below.rule")),
    ("clk-get", include_str!("../../drivers/rules/clk-get.rule")),
    ("clk", include_str!("../../drivers/rules/clk.rule")),
    ("dma", include_str!("../../drivers/rules/dma.rule")),
    ("gpio", include_str!("../../drivers/rules/gpio.rule")),
    ("ioremap", include_str!("../../drivers/rules/ioremap.rule")),
    ("irq-lock", include_str!("../../drivers/rules/irq-lock.rule")),
    ("irq", include_str!("../../drivers/rules/irq.rule")),
    ("irqflags", include_str!("../../drivers/rules/irqflags.rule")),
    ("memory-error", include_str!("../../drivers/rules/memory-error.rule")),
    ("memory", include_str!("../../drivers/rules/memory.rule")),
    ("module", include_str!("../../drivers/rules/module.rule")),
    ("mutex", include_str!("../../drivers/rules/mutex.rule")),
    ("of-node", include_str!("../../drivers/rules/of-node.rule")),
    ("pm-runtime", include_str!("../../drivers/rules/pm-runtime.rule")),
    ("probe", include_str!("../../drivers/rules/probe.rule")),
    ("region", include_str!("../../drivers/rules/region.rule")),
    ("spinlock", include_str!("../../drivers/rules/spinlock.rule")),
    ("sysfs", include_str!("../../drivers/rules/sysfs.rule")),
    ("timer-sync", include_str!("../../drivers/rules/timer-sync.rule")),
    ("timer", include_str!("../../drivers/rules/timer.rule")),
    ("urb", include_str!("../../drivers/rules/urb.rule")),
    ("usb-dev", include_str!("../../drivers/rules/usb-dev.rule")),
    ("work", include_str!("../../drivers/rules/work.rule")),
];

/// The headers that are only other names: each with what it includes.
pub fn aliases() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = ALIASES.lines().filter(|line| !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.split_once(':'));
    let each = pairs.flat_map(|(target, names)| names.split_whitespace().map(move |name| (name, target)));
    each.filter(|(name, _)| !name.ends_with('_'))
}
