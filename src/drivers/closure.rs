//! Which definitions of the models a driver needs: those that it names, itself or through macros and inline functions of the
//! headers, and those that these name in turn.

use super::kernel::{HEADERS, MODELS};
use super::text::{Function, declared, functions, names};
use std::collections::{BTreeMap, BTreeSet};

/// The kernel as text, taken apart.
pub struct Kernel {
    /// The functions of the models.
    pub models: BTreeMap<String, Function>,
    /// The functions that headers declare.
    pub declared: BTreeMap<String, Function>,
    /// What stands between the functions of the models: variables and types.
    pub globals: String,
    /// What names in headers stand for.
    macros: BTreeMap<String, BTreeSet<String>>,
}

impl Kernel {
    /// The kernel that is built in.
    pub fn built_in() -> Self {
        let mut kernel = Self {
            models: BTreeMap::new(),
            declared: BTreeMap::new(),
            globals: String::new(),
            macros: BTreeMap::new(),
        };
        for (_, text) in MODELS {
            let (found, others) = functions(text);
            kernel.models.extend(found.into_iter().map(|function| (function.name.clone(), function)));
            kernel.globals.push_str(&others);
        }
        for (_, text) in HEADERS {
            kernel
                .declared
                .extend(declared(text).into_iter().map(|function| (function.name.clone(), function)));
            kernel.add_macros(text);
        }
        kernel
    }

    fn add_macros(&mut self, text: &str) {
        let joined = text.replace("\\\n", " ");
        for line in joined.lines() {
            if let Some(rest) = line.strip_prefix("#define ") {
                let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
                self.macros.entry(rest[..end].to_owned()).or_default().extend(names(&rest[end..]));
            } else if line.starts_with("static inline")
                && let Some(open) = line.find('(')
                && let Some(name) = line[..open].rsplit([' ', '*']).next()
            {
                self.macros.entry(name.to_owned()).or_default().extend(names(&line[open..]));
            }
        }
    }

    /// All names that these lead to.
    pub fn reached(&self, roots: impl IntoIterator<Item = String>) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut open: Vec<String> = roots.into_iter().collect();
        while let Some(name) = open.pop() {
            if !found.insert(name.clone()) {
                continue;
            }
            open.extend(self.macros.get(&name).into_iter().flatten().cloned());
            open.extend(self.models.get(&name).map(|function| names(&function.body)).unwrap_or_default());
        }
        found
    }

    /// A function of the kernel, by its name or by that of the macro in front of it.
    pub fn function(&self, name: &str) -> Option<&Function> {
        let behind = format!("_{name}");
        [name, &behind].into_iter().find_map(|name| self.models.get(name).or_else(|| self.declared.get(name)))
    }
}
