//! Where a program starts, and the procedure `<start>` that prepares it.
//!
//! `main`, if there is one. Otherwise, as in Getafix: `init` first, then `thread0`, `thread1`, … at the same
//! time; or `init` alone. `<start>` is made only if it has something to do: initial values of global
//! variables, or several procedures to run.

use super::super::cfg::{self, Copy, Expression, Node, NodeId, Op, Origin, ProcedureId, Target, VariableId};
use super::Checker;
use super::expressions::Place;
use super::nearest::nearest;
use crate::ground::diagnostic::Diagnostic;
use crate::ground::index::{Index, IndexVec};
use crate::ground::source::Span;

/// What runs.
pub struct Entry {
    /// Procedures that run before, one after the other.
    before: Vec<ProcedureId>,
    /// Procedures that run at the same time; the last one in the first thread.
    concurrent: Vec<ProcedureId>,
    /// The initial values of global variables.
    initial: Vec<(VariableId, Expression, Span)>,
}

/// `thread0`, `thread1`, …
fn is_thread(name: &str) -> bool {
    let number = name.strip_prefix("thread");
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

impl Checker<'_> {
    /// What runs; an error is told if nothing does.
    pub fn entry(&mut self) -> Option<Entry> {
        let initial = self.global_values();
        let (before, concurrent) = match self.options.entry.as_deref() {
            Some(name) => (Vec::new(), vec![self.given_entry(name)?]),
            None => self.entry_by_shape()?,
        };
        Some(Entry { before, concurrent, initial })
    }

    fn named(&self, name: &str) -> Option<ProcedureId> {
        self.names.procedures.get(name).copied()
    }

    fn given_entry(&mut self, name: &str) -> Option<ProcedureId> {
        let found = self.named(name);
        if found.is_none() {
            let names = self.program.procedures.iter().map(|procedure| procedure.name.text.as_ref());
            let help = nearest(name, names).map(|near| format!("did you mean `{near}`?"));
            let error =
                Diagnostic::error(Span::default(), format!("there is no procedure `{name}` to start with"));
            self.error(Diagnostic { help, ..error });
        }
        found
    }

    fn entry_by_shape(&mut self) -> Option<(Vec<ProcedureId>, Vec<ProcedureId>)> {
        if let Some(main) = self.named("main") {
            return Some((Vec::new(), vec![main]));
        }
        let init = self.named("init");
        let procedures = self.program.procedures.iter().enumerate();
        let threads: Vec<ProcedureId> = procedures
            .filter(|(_, procedure)| is_thread(&procedure.name.text))
            .map(|(number, _)| ProcedureId::new(number))
            .collect();
        match init {
            _ if !threads.is_empty() => Some((init.into_iter().collect(), threads)),
            Some(init) => Some((Vec::new(), vec![init])),
            None => {
                let place = self.program.procedures.first().map_or(Span::default(), |first| first.name.at.0);
                let error = Diagnostic::error(place, "there is no procedure `main`");
                self.error(error.help("name the procedure to start with by `--entry P`"));
                None
            }
        }
    }

    fn global_values(&mut self) -> Vec<(VariableId, Expression, Span)> {
        let declared = self.program.globals.iter().flat_map(|declaration| &declaration.variables);
        let mut initial = Vec::new();
        for (number, (name, value)) in declared.enumerate() {
            let Some(value) = value else { continue };
            let variable = VariableId::new(number);
            let span = name.at.0.to(value.at.0);
            initial.push((variable, self.expression(value, None, Place::Initial(variable)), span));
        }
        initial
    }

    /// The program, with `<start>` if that is needed, and the warnings.
    pub fn finish(mut self, entry: Entry) -> (cfg::Program, Vec<Diagnostic>) {
        let only = (entry.initial.is_empty() && entry.before.is_empty() && entry.concurrent.len() == 1)
            .then(|| entry.concurrent[0]);
        let entry = only.unwrap_or_else(|| self.start(entry));
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

    fn start(&mut self, entry: Entry) -> ProcedureId {
        let id = ProcedureId::new(self.procedures.len());
        let first = self.nodes.next_id();
        let mut steps: Vec<(Op, Span, Origin)> = Vec::new();
        for (variable, value, span) in entry.initial {
            let targets = vec![Target { variable, copy: Copy::Own }];
            steps.push((Op::Assign { targets, values: vec![value], constrain: None }, span, Origin::Initial));
        }
        let last = entry.concurrent.len() - 1;
        for (position, &procedure) in entry.before.iter().chain(&entry.concurrent).enumerate() {
            let arguments = vec![Expression::choice(); self.procedures[procedure.index()].parameter_count];
            let called = position < entry.before.len() || position == entry.before.len() + last;
            let results = vec![None; self.procedures[procedure.index()].returns];
            let op = if called {
                Op::Call { procedure, arguments, results }
            } else {
                Op::StartThread { procedure, arguments }
            };
            steps.push((op, self.procedures[procedure.index()].span, Origin::Start));
        }
        steps.push((Op::Return(Vec::new()), Span::default(), Origin::Start));
        let count = steps.len();
        for (position, (op, span, origin)) in steps.into_iter().enumerate() {
            let next = NodeId::new(first.index() + position + 1);
            let successors = if position + 1 < count { vec![next] } else { Vec::new() };
            let (forbidden, labels) = (Vec::new(), Vec::new());
            self.nodes.push(Node { procedure: id, op, successors, span, origin, forbidden, labels });
        }
        self.procedures.push(cfg::Procedure {
            name: "<start>".into(),
            span: Span::default(),
            locals: Vec::new(),
            parameter_count: 0,
            returns: 0,
            enforce: None,
            entry: first,
        });
        id
    }
}
