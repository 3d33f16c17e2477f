//! Runs of the machine and of the program model with the same inputs, and what they have in common to compare.

use crate::ground::limits::Limits;
use crate::ir::Module;
use crate::ir::undefined::Fault;
use crate::llvm::read::clang::{CompileOptions, DataModel};
use crate::llvm::read::program::{Folder, Library, ReadOptions, read_here};
use crate::lower::{self, lower};
use crate::program::blocks::{Granularity, Options, large_blocks};
use crate::program::run::{Compiled, Execution, Outcome, Recording};
use crate::program::{Program, PropertyKind, Role, run, well_formed};
use crate::term::Symbol;
use crate::vm::choices::{Choice, ChoiceKind, Domain};
use crate::vm::{self, ChoiceError, End, Machine};
use std::collections::BTreeMap;

/// How a run ended, as far as machine, model and native program can agree on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// It came to its end, or ended itself.
    Done,
    /// An assertion failed in this line.
    Failed(u32),
    /// An error function was called.
    Error,
    /// A fault that is checked, in this line.
    Fault(Fault, u32),
    /// It has no continuation.
    Stuck,
    /// Nothing that can be compared.
    Other(String),
}

/// Inputs by type: each type has a list of its own, which starts again where it ends, because a model may ask for
/// inputs of different types in another order. Whatever else is open is zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inputs {
    pub tables: BTreeMap<String, Vec<u64>>,
    asked: BTreeMap<String, usize>,
}

impl Inputs {
    pub fn new(tables: BTreeMap<String, Vec<u64>>) -> Self {
        Self { tables, asked: BTreeMap::new() }
    }

    /// The same, from the start, with one number for a type.
    pub fn with(&self, ty: &str, number: u64) -> Self {
        let mut inputs = Self::new(self.tables.clone());
        inputs.tables.insert(ty.to_owned(), vec![number]);
        inputs
    }

    fn next(&mut self, ty: &str) -> u128 {
        let asked = self.asked.entry(ty.to_owned()).or_default();
        *asked += 1;
        self.tables.get(ty).map_or(0, |list| list[(*asked - 1) % list.len()]).into()
    }
}

/// What the names of inputs of models begin with.
const MODEL: &str = "boolero_nondet_";

impl vm::Chooser for Inputs {
    fn choose(&mut self, choice: &Choice) -> Result<u128, ChoiceError> {
        Ok(match &choice.domain {
            Domain::Bits(bits) if choice.kind == ChoiceKind::Input => {
                self.next(choice.name.trim_start_matches(MODEL)) & crate::term::arithmetic::mask(*bits)
            }
            Domain::Bits(_) => 0,
            Domain::Among(values) => values[0].into(),
            Domain::Address { suggestion, .. } => (*suggestion).into(),
        })
    }
}

impl run::Chooser for Inputs {
    fn input(&mut self, _: Symbol, role: &Role, _: u32) -> u128 {
        match role {
            Role::Input(name) => {
                let name = name.strip_prefix("__VERIFIER_nondet_").or(name.strip_prefix(MODEL));
                name.map_or(0, |ty| self.next(ty.trim_end_matches("()")))
            }
            _ => 0,
        }
    }
}

/// Reads a program from a text.
pub(crate) fn read(source: &str, data_model: DataModel, library: Library, include: &[&str]) -> Module {
    let folder = Folder::new().unwrap();
    let path = folder.0.join("test.c");
    std::fs::write(&path, source).unwrap();
    let include = include.iter().map(Into::into).collect();
    let compile = CompileOptions { data_model, include, ..CompileOptions::default() };
    read_here(&[path], &ReadOptions { compile, library }).unwrap_or_else(|error| panic!("{error}\n{source}"))
}

/// So many instructions of the machine, or edges of the model.
pub(crate) const STEPS: u64 = 20_000_000;

/// What the machine does.
pub(crate) fn machine(module: &Module, settings: vm::Settings, inputs: &Inputs) -> Verdict {
    let settings = vm::Settings { steps: STEPS, ..settings };
    let outcome = Machine::new(module, settings).run(&mut inputs.clone(), &Limits::none());
    let line = |location: &vm::Location| location.place.map_or(0, |place| place.line);
    match outcome.end {
        End::Exit(_) | End::Abort => Verdict::Done,
        End::AssertionFailed(_) => Verdict::Failed(line(&outcome.location)),
        End::ErrorReached(_) => Verdict::Error,
        End::Fault(report) => Verdict::Fault(report.fault, line(&report.location)),
        End::Stopped(_) => Verdict::Stuck,
        other => Verdict::Other(format!("{other:?}")),
    }
}

/// The model with basic and with large blocks; it is well-formed.
pub(crate) fn models(module: &Module, settings: &lower::Settings) -> [Program; 2] {
    let basic = lower(module, settings).unwrap();
    assert_eq!(well_formed::check(&basic), []);
    let mut large = basic.clone();
    let labels = std::collections::BTreeSet::new();
    let options = Options { granularity: Granularity::Sequential, budget: 2_000, labels: &labels };
    large_blocks(&mut large, options);
    assert_eq!(well_formed::check(&large), []);
    [basic, large]
}

/// What the model does.
pub(crate) fn model(program: &Program, inputs: &Inputs) -> Verdict {
    let code = Compiled::new(program);
    let mut execution = Execution::new(&code, Recording::Nothing);
    match execution.run(&mut inputs.clone(), STEPS) {
        Outcome::Exit | Outcome::End => Verdict::Done,
        Outcome::Stuck => Verdict::Stuck,
        Outcome::Violated(id) => {
            let property = &program.properties[id];
            let line = property.place.map_or(0, |place| place.line);
            match property.kind {
                PropertyKind::Assertion => Verdict::Failed(line),
                PropertyKind::ErrorReached => Verdict::Error,
                PropertyKind::Fault(fault) => Verdict::Fault(fault, line),
            }
        }
        Outcome::Unsupported(procedure, edge) => {
            Verdict::Other(format!("{:?}", program.procedures[procedure].edges[edge].action))
        }
        Outcome::StepLimit => Verdict::Other("too many steps".into()),
    }
}
