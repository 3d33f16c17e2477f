//! The files of one verification, in a folder of their own that goes with it: the headers, the models that the driver needs, the
//! rule as C, and the harness. The driver itself stays where it is.

use super::closure::Kernel;
use super::harness::harness;
use super::kernel::{HEADERS, aliases};
use super::repair::Repairs;
use super::rule::Rule;
use super::text::names;
use super::weave::{VIOLATION, Woven, weave};
use crate::api::{Input, Reading, Refusal};
use crate::ground::fault::Fault;
use crate::lower::{ExternalPointers, Undefined};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder that is removed in the end.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// A new one, with the headers.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn new() -> Result<Self, Refusal> {
        let path = std::env::temp_dir().join(format!("boolero-driver-{}", std::process::id()));
        let folder = Self { path };
        for (name, text) in HEADERS {
            folder.write(&format!("include/{name}"), text)?;
        }
        for (name, target) in aliases() {
            folder.write(&format!("include/{name}"), &format!("#include <{target}>\n"))?;
        }
        Ok(folder)
    }

    fn write(&self, name: &str, text: &str) -> Result<PathBuf, Refusal> {
        let path = self.path.join(name);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
        written.map_err(|error| Refusal::input(format!("cannot write `{}`: {error}", path.display())))?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // It is a temporary folder: the system removes what we cannot.
        let _ = fs::remove_dir_all(&self.path);
    }
}

impl Folder {
    /// The driver, with what is guessed in front of it.
    ///
    /// # Errors
    /// The files cannot be written.
    fn driver(&self, driver: &Path, repairs: &Repairs) -> Result<PathBuf, Refusal> {
        if repairs.is_empty() {
            return Ok(driver.to_path_buf());
        }
        for name in &repairs.headers {
            self.write(&format!("include/{}", name.replace("../", "")), "")?;
        }
        let whole = std::path::absolute(driver).unwrap_or_else(|_| driver.to_path_buf());
        self.write("driver.c", &format!("{}#include \"{}\"\n", repairs.text(), whole.display()))
    }
}

/// A driver and how it is compiled.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// Its file.
    pub path: &'a Path,
    /// Its text.
    pub source: &'a str,
    /// Macros for it.
    pub define: &'a [String],
    /// Where to look for headers, besides ours.
    pub include: &'a [PathBuf],
    /// What is guessed.
    pub repairs: &'a Repairs,
}

/// What one verification is about.
pub struct Task {
    /// The program.
    pub input: Input,
    /// The rule, woven in.
    pub woven: Woven,
}

/// Makes the files for a driver and a rule.
///
/// # Errors
/// They cannot be written.
pub fn task(folder: &Folder, kernel: &Kernel, subject: Subject<'_>, rule: &Rule) -> Result<Task, Refusal> {
    let (driver, source) = (subject.path, subject.source);
    let of_driver = kernel.reached(names(source));
    let harness = harness(source, &of_driver);
    let woven = weave(rule, kernel, &of_driver);
    let more = rule.handlers.iter().flat_map(|handler| names(&handler.body));
    let reached = kernel.reached(of_driver.iter().cloned().chain(names(&harness)).chain(more));
    let mut files = vec![folder.driver(driver, subject.repairs)?];
    files.push(folder.write("harness.c", &harness)?);
    files.push(folder.write("rule.c", &woven.text)?);
    files.push(folder.write("kernel.c", &models(kernel, &without(reached, source), &woven.replaced))?);
    let faults = rule.checks.iter().filter_map(|name| Fault::named(name));
    let input = Input {
        files,
        include: subject.include.iter().cloned().chain([folder.path.join("include")]).collect(),
        define: defines(source).into_iter().chain(subject.define.iter().cloned()).collect(),
        flags: FLAGS.iter().map(|&flag| flag.to_owned()).collect(),
        error_functions: (0..woven.violations.len()).map(|at| format!("{VIOLATION}{at}")).collect(),
        undefined: Some(Undefined::Pure),
        external_pointers: Some(ExternalPointers::Fresh),
        reading: Reading::Child,
        ..Input::file(driver)
    };
    Ok(Task { input: input.checking(faults), woven })
}

/// Drivers take what the kernel's build lets them.
pub const FLAGS: [&str; 5] = [
    "-w",
    "-Wno-incompatible-function-pointer-types",
    "-Wno-int-conversion",
    "-Wno-implicit-function-declaration",
    "-fno-builtin",
];

/// What the driver defines itself needs no model.
fn without(reached: BTreeSet<String>, source: &str) -> BTreeSet<String> {
    let own = super::scan::scan(source).functions;
    reached.into_iter().filter(|name| !own.contains(name)).collect()
}

/// The models that are needed, under other names where the rule stands in front.
fn models(kernel: &Kernel, reached: &BTreeSet<String>, replaced: &BTreeSet<String>) -> String {
    let mut text = String::new();
    replaced.iter().for_each(|name| _ = writeln!(text, "#define {name} boolero_model_{name}"));
    text.push_str(
        "#include <boolero/all.h>\n#include <boolero/moments.h>\nunsigned int boolero_command(void);\n",
    );
    let needed = kernel.models.values().filter(|function| reached.contains(&function.name));
    let needed: Vec<_> = needed.collect();
    text.push_str(&kernel.globals);
    needed.iter().for_each(|function| _ = writeln!(text, "{};", function.head));
    needed.iter().for_each(|function| _ = writeln!(text, "{}", function.body));
    text
}

/// What differs from version to version of the kernel, as the driver has it.
fn defines(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    if removes_return_nothing(source) {
        found.push("BOOLERO_REMOVE=void".to_owned());
    }
    if source.contains("(struct i2c_client *client)\n") && !source.contains("const struct i2c_device_id *id)")
    {
        found.push("BOOLERO_ONE_ARGUMENT".to_owned());
    }
    if source.contains("(unsigned long") && source.contains("DEFINE_TIMER") {
        found.push("BOOLERO_OLD_TIMERS=1".to_owned());
    }
    found
}

/// Whether the functions that are set as `.remove` return nothing.
fn removes_return_nothing(source: &str) -> bool {
    let entries = super::scan::scan(source).entries;
    let removes = entries.iter().filter(|entry| matches!(entry.by.as_str(), ".remove" | ".port_remove"));
    removes.map(|entry| &entry.function).any(|name| {
        source.match_indices(&format!("{name}(")).any(|(at, _)| {
            let line = source[..at].trim_end();
            line.ends_with("void") || line.ends_with("void __exit") || line.ends_with("void __devexit")
        })
    })
}
