//! The kernel's side of a run, as C: the module is loaded, a device appears, everything that was registered is used in any
//! order, the device goes, the module is unloaded. One client acts at a time; an interrupt, a timer or work may also come where
//! the models call `boolero_meanwhile`: when something was registered, and wherever the driver waits.

use super::text::without_comments;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A step of the harness: what it calls, and which functions make it possible.
struct Step {
    call: &'static str,
    by: &'static [&'static str],
    context: Context,
}

/// Where a step runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Interrupt,
    Process,
    /// Where no callback runs: the system does not sleep before the driver lets go of the device.
    Alone,
}

const fn step(call: &'static str, by: &'static [&'static str], context: Context) -> Step {
    Step { call, by, context }
}

const STEPS: [Step; 18] = [
    step("boolero_step_irq(0)", &["boolero_request_line"], Context::Interrupt),
    step("boolero_step_irq(1)", &["boolero_request_line"], Context::Interrupt),
    step("boolero_step_timer(0)", &["boolero_start_timer"], Context::Interrupt),
    step("boolero_step_timer(1)", &["boolero_start_timer"], Context::Interrupt),
    step("boolero_step_tasklet(0)", &["tasklet_schedule"], Context::Interrupt),
    step("boolero_step_urb(0)", &["usb_submit_urb"], Context::Interrupt),
    step("boolero_step_urb(1)", &["usb_submit_urb"], Context::Interrupt),
    step("boolero_step_work(0)", &["schedule_work"], Context::Process),
    step("boolero_step_work(1)", &["schedule_work"], Context::Process),
    step("boolero_step_file()", FILES, Context::Process),
    step("boolero_step_input()", &["input_register_device"], Context::Process),
    step("boolero_step_rtc()", &["devm_rtc_register_device", "boolero_new_rtc"], Context::Process),
    step("boolero_step_watchdog()", &["watchdog_register_device"], Context::Process),
    step("boolero_step_led()", &["led_classdev_register"], Context::Process),
    step("boolero_step_hwrng()", &["hwrng_register"], Context::Process),
    step("boolero_step_gpio_chip()", &["gpiochip_add_data"], Context::Process),
    step("boolero_step_hid()", &["hid_register_driver"], Context::Interrupt),
    step("boolero_step_pm()", &["boolero_module_init"], Context::Alone),
];

/// What offers files.
const FILES: &[&str] = &["misc_register", "cdev_add", "register_chrdev", "usb_register_dev"];

/// Buses, each with what registers a driver there.
const BUSES: [(&str, &[&str]); 7] = [
    ("platform", &["platform_driver_register", "platform_driver_probe"]),
    ("i2c", &["i2c_register_driver"]),
    ("spi", &["spi_register_driver"]),
    ("amba", &["amba_driver_register"]),
    ("pci", &["pci_register_driver"]),
    ("usb", &["usb_register"]),
    ("hid", &["hid_register_driver"]),
];

/// Writes the harness of a driver that leads to these names.
pub fn harness(source: &str, reached: &BTreeSet<String>) -> String {
    let any = |names: &[&str]| names.iter().any(|name| reached.contains(*name));
    let buses: Vec<&str> = BUSES.iter().filter(|(_, by)| any(by)).map(|(name, _)| *name).collect();
    let has_pm = !buses.is_empty() && source.contains(".pm");
    let usable = |it: &&Step| any(it.by) && (it.call != "boolero_step_pm()" || has_pm);
    let steps: Vec<&Step> = STEPS.iter().filter(usable).collect();
    let mut text = head(source, &steps, &buses);
    text.push_str(&commands(source));
    text.push_str(platform_data(source));
    text.push_str(&meanwhile(&steps));
    text.push_str(&life(&steps, &buses, reached));
    text
}

fn head(source: &str, steps: &[&Step], buses: &[&str]) -> String {
    let mut text = String::from("/* The kernel's side of a run: what it calls, and when. */\n");
    for line in source.lines().filter(|line| is_system_include(line)) {
        _ = writeln!(text, "{}", line.trim());
    }
    text.push_str("#include <boolero/all.h>\n#include <boolero/moments.h>\n");
    let names: BTreeSet<&str> =
        steps.iter().map(|step| &step.call[..step.call.find('(').unwrap_or(0)]).collect();
    for name in names {
        let parameter = if steps.iter().any(|step| step.call.starts_with(name) && step.call.ends_with("()")) {
            "void"
        } else {
            "int number"
        };
        _ = writeln!(text, "void {name}({parameter});");
    }
    for bus in buses {
        _ = writeln!(text, "void boolero_bind_{bus}(void);\nvoid boolero_unbind_{bus}(void);");
    }
    text.push_str("void boolero_close_files(void);\nextern int boolero_mutexes;\n");
    text
}

fn is_system_include(line: &str) -> bool {
    line.trim_start()
        .strip_prefix('#')
        .is_some_and(|rest| rest.trim_start().starts_with("include") && rest.contains('<'))
}

/// Which commands `ioctl` gets: any, and those that the driver names more often.
fn commands(source: &str) -> String {
    let mut text = String::new();
    let clean = without_comments(source);
    let mut names = BTreeSet::new();
    for line in clean.lines() {
        if let Some(rest) = line.trim_start().strip_prefix("case ") {
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if name.starts_with(|c: char| c.is_uppercase()) {
                names.insert(name);
            }
        }
    }
    let joined = source.replace("\\\n", " ");
    for line in joined.lines().filter(|line| line.starts_with("#define ")) {
        if line[8..].split_whitespace().next().is_some_and(|name| names.contains(name)) {
            _ = writeln!(text, "{line}");
        }
    }
    text.push_str("unsigned int boolero_command(void) {\n");
    for name in names {
        _ = writeln!(text, "#ifdef {name}\n\tif (boolero_any())\n\t\treturn (unsigned int)({name});\n#endif");
    }
    text + "\treturn __VERIFIER_nondet_uint();\n}\n"
}

/// What the board says of the device: if the driver asks, nothing or anything.
fn platform_data(source: &str) -> &'static str {
    if source.contains("platform_data") || source.contains("platdata") {
        "void *boolero_platform_data(void) {\n\treturn boolero_any() ? NULL : boolero_outside();\n}\n"
    } else {
        "void *boolero_platform_data(void) {\n\treturn NULL;\n}\n"
    }
}

fn meanwhile(steps: &[&Step]) -> String {
    let mut text = String::from(
        "static int busy;\nvoid boolero_meanwhile(void) {\n\tif (busy || in_atomic())\n\t\treturn;\n\tbusy = 1;\n",
    );
    for step in steps.iter().filter(|step| step.context != Context::Alone) {
        let free = if step.context == Context::Process { " && !boolero_mutexes" } else { "" };
        _ = writeln!(text, "\tif (boolero_any(){free})\n\t\t{};", step.call);
    }
    text + "\tbusy = 0;\n}\n"
}

fn life(steps: &[&Step], buses: &[&str], reached: &BTreeSet<String>) -> String {
    let mut text = String::from("static void use(void) {\n\twhile (boolero_any()) {\n");
    for step in steps {
        _ = writeln!(text, "\t\tif (boolero_any())\n\t\t\t{};", step.call);
    }
    text.push_str("\t}\n}\nint main(void) {\n\tcallback_enter();\n\tint error = boolero_module_init();\n\tcallback_return();\n");
    text.push_str("\tif (error < 0) {\n\t\tmodule_init_failed();\n\t\treturn 0;\n\t}\n\tdo {\n");
    buses.iter().for_each(|bus| _ = writeln!(text, "\t\tboolero_bind_{bus}();"));
    text.push_str("\t\tuse();\n");
    buses.iter().for_each(|bus| _ = writeln!(text, "\t\tboolero_unbind_{bus}();"));
    text.push_str("\t} while (boolero_any());\n");
    if reached.contains("boolero_step_file") || FILES.iter().any(|name| reached.contains(*name)) {
        text.push_str("\tboolero_close_files();\n");
    }
    if reached.contains("boolero_module_exit") {
        text.push_str(
            "\tcallback_enter();\n\tboolero_module_exit();\n\tcallback_return();\n\tmodule_exited();\n",
        );
    }
    text + "\treturn 0;\n}\n"
}
