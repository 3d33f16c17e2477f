//! The map, the table and the runs of a driver, as text: what the driver does and what the kernel calls, in the driver's terms.

use super::check::{Broken, Checked, Driver, Row, Standing};
use crate::ir::FileId;
use crate::vm::{Event, TraceStep};
use std::fmt::Write;

/// The functions that the kernel calls.
#[must_use]
pub fn map(driver: &Driver) -> String {
    let width = driver.map.entries.iter().map(|entry| entry.function.len()).max().unwrap_or(0);
    let mut text = String::from("the kernel calls:\n");
    for entry in &driver.map.entries {
        _ = writeln!(text, "  {:width$}  {} at line {}", entry.function, entry.by, entry.line);
    }
    text
}

/// One line of the table.
#[must_use]
pub fn row(row: &Row) -> String {
    let (word, more) = match &row.standing {
        Standing::Holds => ("holds", String::new()),
        Standing::Violated(broken) => ("violated", place(broken)),
        Standing::NotApplicable(why) => ("not applicable", why.clone()),
        Standing::Unknown(why) => ("unknown", why.clone()),
    };
    format!("{:<12} {word:<15} {more}", row.rule).trim_end().to_owned() + "\n"
}

/// What is wrong and where.
fn place(broken: &Broken) -> String {
    let at =
        broken.run.stack.iter().find(|open| open.place.is_some_and(|place| is_driver(broken, place.file)));
    let at =
        at.and_then(|open| open.place.map(|place| format!(" (line {}, in {})", place.line, open.function)));
    broken.text.clone() + &at.unwrap_or_default()
}

fn is_driver(broken: &Broken, file: FileId) -> bool {
    broken.files.get(file).is_some_and(|name| !is_ours(name))
}

/// Whether a file is ours: the models, the harness, the rule, a header.
fn is_ours(name: &str) -> bool {
    name.contains("/boolero-driver-") || name.starts_with('<') || name.contains("/include/")
}

/// The runs, what no run reaches, and what has no model.
#[must_use]
pub fn details(checked: &Checked, full: bool) -> String {
    let mut text = String::new();
    for row in &checked.rows {
        if let Standing::Violated(broken) = &row.standing {
            _ = writeln!(text, "\na run that violates {}: {}", row.rule, broken.text);
            text.push_str(&story(broken, full));
        }
    }
    let list =
        |names: &std::collections::BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(", ");
    if !checked.unreached.is_empty() {
        _ = writeln!(text, "\nno run returned from: {}", list(&checked.unreached));
    }
    if !checked.repairs.headers.is_empty() {
        _ = writeln!(text, "\nheaders that are missing, taken as empty: {}", list(&checked.repairs.headers));
    }
    if !checked.unmodelled.is_empty() {
        _ = writeln!(text, "\nwithout a model, taken to return anything: {}", list(&checked.unmodelled));
    }
    text
}

/// A run in the driver's terms.
fn story(broken: &Broken, full: bool) -> String {
    let mut text = String::new();
    let mut depth_in_driver = 0;
    for step in &broken.run.trace {
        let in_driver = step.location.place.is_some_and(|place| is_driver(broken, place.file));
        let line = step.location.place.map_or(0, |place| place.line);
        match &step.event {
            Event::Call { function, .. } if phrase(function).is_some() => {
                _ = writeln!(text, "  {}", phrase(function).unwrap_or_default());
            }
            Event::Call { function, arguments } if in_driver => {
                depth_in_driver = step.depth;
                _ = writeln!(text, "    line {line:<5}{}{function}({})", indent(step), arguments.join(", "));
            }
            Event::Return { function, value } if in_driver => {
                let value = value.as_ref().map(|value| format!(" {value}")).unwrap_or_default();
                _ = writeln!(text, "              {}{function} returns{value}", indent(step));
            }
            Event::Return { function, value }
                if step.depth == depth_in_driver + 1 && !is_helper(function) =>
            {
                let value = value.as_ref().map(|value| format!(" = {value}")).unwrap_or_default();
                _ = writeln!(text, "              {}{function}(){value}", indent(step));
            }
            Event::Store { target, value } if in_driver && full => {
                _ = writeln!(text, "    line {line:<5}{}  {target} = {value}", indent(step));
            }
            _ => {}
        }
    }
    for name in &broken.open {
        _ = writeln!(text, "  this run depends on what {name} returns, which has no model");
    }
    text
}

fn indent(step: &TraceStep) -> String {
    "  ".repeat(step.depth.saturating_sub(2).min(12))
}

fn is_helper(function: &str) -> bool {
    ["boolero_", "__VERIFIER", "callback_"].iter().any(|prefix| function.starts_with(prefix))
}

/// What happens when the harness calls one of its functions.
fn phrase(function: &str) -> Option<&'static str> {
    let table = [
        ("boolero_module_init", "the module is loaded"),
        ("boolero_module_exit", "the module is unloaded"),
        ("boolero_bind_", "a device appears"),
        ("boolero_unbind_", "the device goes"),
        ("boolero_detach", "what the kernel manages for the device is released"),
        ("boolero_step_irq", "the interrupt arrives"),
        ("boolero_step_timer", "the timer expires"),
        ("boolero_step_tasklet", "the tasklet runs"),
        ("boolero_step_work", "the work runs"),
        ("boolero_complete_urb", "a USB request completes"),
        ("boolero_step_file", "a client uses the file"),
        ("boolero_close_files", "clients close their files"),
        ("boolero_step_pm", "the system sleeps and wakes up"),
        ("boolero_step_", "a client uses the device"),
    ];
    table.iter().find(|(prefix, _)| function.starts_with(prefix)).map(|(_, text)| *text)
}
