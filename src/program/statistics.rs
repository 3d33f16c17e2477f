//! How large a program is, in numbers: for `--stats`.

use super::reads::Walker;
use super::{Action, Program, Scope};
use crate::term::Sort;
use std::collections::BTreeMap;
use std::fmt;

/// Sizes of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Procedures.
    pub procedures: usize,
    /// Locations of all procedures.
    pub locations: usize,
    /// Edges of all procedures.
    pub edges: usize,
    /// Edges that are calls.
    pub calls: usize,
    /// Edges that start a thread.
    pub starts: usize,
    /// Global variables.
    pub globals: usize,
    /// Local variables.
    pub locals: usize,
    /// Inputs.
    pub inputs: usize,
    /// How many of the variables are arrays.
    pub arrays: usize,
    /// Properties.
    pub properties: usize,
    /// Different nodes of all terms on edges.
    pub nodes: usize,
    /// Different nodes of the terms of the largest edge.
    pub largest_edge: usize,
    /// Unsupported edges: how often each text occurs.
    pub unsupported: BTreeMap<String, usize>,
}

impl Statistics {
    /// The sizes of this program.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let mut sizes = Self {
            procedures: program.procedures.len(),
            properties: program.properties.len(),
            ..Self::default()
        };
        sizes.count_variables(program);
        sizes.count_edges(program);
        sizes
    }

    fn count_variables(&mut self, program: &Program) {
        for (symbol, variable) in program.variables.enumerate() {
            match variable.scope {
                Scope::Global => self.globals += 1,
                Scope::Local(_) => self.locals += 1,
                Scope::Input => self.inputs += 1,
            }
            let array = matches!(program.store.sort_of_symbol(symbol), Sort::Array { .. });
            self.arrays += usize::from(array && variable.scope != Scope::Input);
        }
    }

    fn count_edges(&mut self, program: &Program) {
        let mut walker = Walker::new();
        let mut terms = Vec::new();
        for procedure in program.procedures.iter() {
            self.locations += procedure.locations.len();
            self.edges += procedure.edges.len();
            for edge in procedure.edges.iter() {
                self.count_action(&edge.action);
                let mentioned = edge.terms();
                self.largest_edge =
                    self.largest_edge.max(walker.size(&program.store, mentioned.iter().copied()));
                terms.extend(mentioned);
            }
        }
        self.nodes = walker.size(&program.store, terms);
    }

    fn count_action(&mut self, action: &Action) {
        match action {
            Action::Call { .. } => self.calls += 1,
            Action::Start { .. } => self.starts += 1,
            Action::Unsupported(text) => *self.unsupported.entry(text.clone()).or_default() += 1,
            _ => {}
        }
    }

    /// Names and numbers, in the order in which they are shown.
    #[must_use]
    pub fn rows(&self) -> Vec<(String, usize)> {
        let fixed = [
            ("procedures", self.procedures),
            ("locations", self.locations),
            ("edges", self.edges),
            ("calls", self.calls),
            ("thread starts", self.starts),
            ("global variables", self.globals),
            ("local variables", self.locals),
            ("inputs", self.inputs),
            ("arrays", self.arrays),
            ("properties", self.properties),
            ("nodes of terms", self.nodes),
            ("nodes of the largest edge", self.largest_edge),
        ];
        let fixed = fixed.into_iter().map(|(name, count)| (name.to_string(), count));
        let unsupported =
            self.unsupported.iter().map(|(text, &count)| (format!("unsupported: {text}"), count));
        fixed.chain(unsupported).collect()
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows().into_iter().try_for_each(|(name, count)| writeln!(f, "{count:>9}  {name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::generate::{BYTES, Builder};
    use crate::term::Sort;

    #[test]
    fn everything_is_counted_once() {
        let mut b = Builder::new();
        let memory = b.global("M", BYTES);
        let main = b.procedure("main");
        let p = b.local(main, "p", Sort::Bits(8), crate::program::Role::Plain);
        let (entry, exit) = b.ends(main);
        let middle = b.location(main);
        let (array, index) = (b.read(memory), b.read(p));
        let cell = b.program.store.select(array, index);
        let always = b.program.store.boolean(true);
        b.block(main, (entry, middle), always, vec![(p, cell)], vec![]);
        b.violation(main, middle, always);
        for _ in 0..2 {
            b.edge(main, middle, exit, Action::Unsupported("float".into()));
        }
        let sizes = Statistics::of(&b.program);
        let expected = Statistics {
            procedures: 1,
            locations: 4,
            edges: 4,
            globals: 1,
            locals: 1,
            arrays: 1,
            properties: 1,
            nodes: 4,
            largest_edge: 4,
            unsupported: BTreeMap::from([("float".into(), 2)]),
            ..Statistics::default()
        };
        assert_eq!(sizes, expected);
        assert!(sizes.to_string().ends_with("        2  unsupported: float\n"), "{sizes}");
    }
}
