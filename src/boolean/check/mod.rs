//! Name resolution and well-formedness: [`ast::Program`] to [`cfg::Program`].
//!
//! All semantic errors of a program are found in one run: where something cannot be resolved the error is
//! noted, a placeholder takes its place, and checking goes on; the result is only given away if there was
//! no error. An undeclared variable is told once per procedure.
//!
//! A `Checker` resolves the text: `names`, `statements`, `expressions`, and `lower`, which makes nodes. What follows is functions over it:
//! `entry` finds where the program starts, `initial` makes initial values of local variables part of the entry of their
//! procedures, `start` adds what prepares the program.

mod entry;
mod expressions;
mod initial;
mod lower;
mod names;
mod nearest;
mod start;
mod statements;
#[cfg(test)]
mod tests;

use super::{ast, cfg};
use crate::ground::diagnostic::Diagnostic;
use crate::ground::index::IndexVec;
use cfg::{Node, NodeId, Property, PropertyId};
use entry::Entry;
use names::Names;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// What the user can say about a program besides its text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CheckOptions {
    /// Labels that must not be reached, besides `SLIC_ERROR`.
    pub error_labels: Vec<String>,
    /// The procedure to start with; otherwise the program's shape decides.
    pub entry: Option<String>,
    /// How many copies of it run at first.
    pub initial_threads: InitialThreads,
}

/// How many threads there are at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InitialThreads {
    /// This many copies, at least 1, of every procedure that the program starts with.
    Exactly(usize),
    /// Any number of copies, at least one.
    Unbounded,
}

impl InitialThreads {
    /// One: the usual case.
    pub const ONE: Self = Self::Exactly(1);
}

impl Default for InitialThreads {
    fn default() -> Self {
        Self::ONE
    }
}

/// The label that is an error in every program.
const ERROR_LABEL: &str = "SLIC_ERROR";
/// How many errors are told; the rest is only counted.
const TOLD: usize = 200;

/// Checks a program and builds its control-flow graphs; warnings come with them.
///
/// # Errors
/// Everything that is wrong with the program, in the order of the text. What is wrong with the options stands
/// at the beginning of the text.
pub fn check(
    program: &ast::Program,
    options: &CheckOptions,
) -> Result<(cfg::Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut checker = Checker::new(program, options);
    let (names, errors) = Names::new(program);
    checker.names = names;
    errors.into_iter().for_each(|error| checker.error(error));
    checker.procedures();
    checker.unknown_error_labels();
    let entry = entry::entry(&mut checker);
    if let Some(entry) = &entry {
        start::refuse(&mut checker, entry);
    }
    if checker.failed() {
        return Err(checker.into_errors());
    }
    let entry = entry.expect("without an entry there is an error");
    initial::enter_at_once(&mut checker, &entry);
    if checker.failed() {
        return Err(checker.into_errors());
    }
    let (program, warnings) = checker.finish(entry);
    debug_assert_eq!(program.check_well_formed(), Ok(()));
    Ok((program, warnings))
}

/// The state of checking.
struct Checker<'a> {
    program: &'a ast::Program,
    options: &'a CheckOptions,
    names: Names<'a>,
    nodes: IndexVec<NodeId, Node>,
    properties: IndexVec<PropertyId, Property>,
    procedures: Vec<cfg::Procedure>,
    /// The procedures whose initial values are part of the entry.
    entering: BTreeMap<cfg::ProcedureId, initial::Entering>,
    /// Error labels that were met.
    met: HashSet<Arc<str>>,
    /// Undeclared variables that were told in the current procedure.
    undeclared: HashSet<Arc<str>>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    untold: usize,
}

impl<'a> Checker<'a> {
    fn new(program: &'a ast::Program, options: &'a CheckOptions) -> Self {
        Self {
            program,
            options,
            names: Names::default(),
            nodes: IndexVec::new(),
            properties: IndexVec::new(),
            procedures: Vec::new(),
            entering: BTreeMap::new(),
            met: HashSet::new(),
            undeclared: HashSet::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
            untold: 0,
        }
    }

    fn error(&mut self, error: Diagnostic) {
        if self.errors.len() < TOLD { self.errors.push(error) } else { self.untold += 1 }
    }

    fn failed(&self) -> bool {
        !self.errors.is_empty() || self.untold > 0
    }

    /// Whether enough errors are told: one more is counted, and need not be made. A suggestion looks at all names,
    /// which would take quadratic time.
    fn only_counted(&mut self) -> bool {
        let full = self.errors.len() >= TOLD;
        self.untold += usize::from(full);
        full
    }

    fn is_error_label(&self, label: &str) -> bool {
        label == ERROR_LABEL || self.options.error_labels.iter().any(|other| other == label)
    }

    /// Labels given by option that are nowhere in the program.
    fn unknown_error_labels(&mut self) {
        for label in &self.options.error_labels {
            if self.met.contains(label.as_str()) {
                continue;
            }
            let labels = self.nodes.iter().flat_map(|node| node.labels.iter().map(AsRef::as_ref));
            let help = match nearest::nearest(label, labels) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "an error label must be a label of some procedure".into(),
            };
            let error = Diagnostic::option_error(format!("no statement has the error label `{label}`"));
            self.error(error.help(help));
        }
    }

    /// The program, with `<start>` if that is needed, and the warnings.
    fn finish(mut self, entry: Entry) -> (cfg::Program, Vec<Diagnostic>) {
        let alone = self.options.initial_threads == InitialThreads::ONE && entry.concurrent.len() == 1;
        let nothing = entry.initial.is_empty() && entry.before.is_empty() && alone;
        let only = Some(entry.concurrent[0]).filter(|first| nothing && !self.entering.contains_key(first));
        let entry = only.unwrap_or_else(|| start::start(&mut self, entry));
        let program = cfg::Program {
            variables: self.names.variables,
            global_count: self.names.global_count,
            procedures: IndexVec::from_vec(self.procedures),
            nodes: self.nodes,
            properties: self.properties,
            entry,
        };
        (program, self.warnings)
    }

    fn into_errors(mut self) -> Vec<Diagnostic> {
        self.errors.sort_by_key(|error| error.primary.span.start);
        if let (Some(last), true) = (self.errors.last(), self.untold > 0) {
            self.errors.push(Diagnostic::more_errors(last.primary.span, self.untold));
        }
        self.errors
    }
}
