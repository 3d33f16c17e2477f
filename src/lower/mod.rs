//! Lowering: from `ir` to the program model.
//!
//! Each function becomes a control-flow automaton. Within a basic block the instructions are executed symbolically:
//! reads see the updates before them, so that a block becomes one edge whose terms speak of the state at its start
//! (`pending`). Calls, properties and what is not modelled cut a block; values that are needed behind the cut are kept
//! in temporaries. Memory is cut into regions by [`points_to`](crate::ir::analysis::points_to): a region is a plain variable or an array
//! by address (`memory`). Objects have addresses of one fixed layout (`layout`); that a program looks at the
//! numbers is recorded as an assumption.
//!
//! `Lowering` is the program so far. `Body` is the function at hand: it builds edges, and knows the values of the block, the
//! edge that is pending and where that is cut; it offers events to the checks. Both have methods for that, and for nothing else.
//! A technique is a module of functions over them (`heap::malloc(body, …)`, `threads::number(lowering, …)`). Where it has
//! state of its own, `Lowering` or `Body` holds that as one field.
//!
//! | module | what it does |
//! |---|---|
//! | `body` | the builder of edges (`values`, `edges`, `offer`), and instructions (`operations`, `intrinsics`, `flow`, `numbers`) |
//! | `memory` | regions and objects: where they are, what they hold, when they live |
//! | `calls` | calls of functions with and without a body, parameters, arguments behind `...` |
//! | `threads` | threads start, are joined and end; their numbers, atomic sections, thread-local variables |
//! | `shadow` | which bits depend on something uninitialised |
//! | `entry` | what happens before `main` |
//! | `claims` | properties, and what a proof of them rests on |
//! | `whole` | what checks may ask about the program |
//!
//! What undefined behaviour means is in [`ir::undefined`](crate::ir::undefined).

mod body;
mod calls;
mod claims;
mod entry;
mod memory;
mod shadow;
#[cfg(test)]
mod tests;
mod threads;
mod whole;

use crate::checks::bounds;
use crate::ground::index::IndexVec;
use crate::ir::analysis::points_to::{Members, PointsTo};
use crate::ir::analysis::sites;
use crate::ir::transform::contexts::{self, Claimed};
use crate::ir::transform::{Known, normalised};
use crate::ir::undefined::Fault;
use crate::ir::{ERROR_FUNCTIONS, FunctionId, Intrinsic, Module, Type};
use crate::library::{functions, models};
use crate::program::{
    Asked, Assumption, Gap, LocationId, MEMORY_END, Procedure, ProcedureId, Program, Property, PropertyId,
    PropertyKind, Role, Scope, Variable,
};
use crate::term::{Sort, Store, Symbol};
use claims::tell_claims;
use memory::{lifetimes, outside, single, tracking};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use threads::sections;

/// What is asked of the lowering.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the program starts.
    pub entry: String,
    /// Which faults are properties.
    pub checks: BTreeSet<Fault>,
    /// Functions that must not be called.
    pub error_functions: Vec<String>,
    /// Labels that must not be reached.
    pub error_labels: Vec<String>,
    /// What a function without a body does.
    pub undefined: Undefined,
    /// What pointers from outside lead to, if somebody says so.
    pub external_pointers: Option<ExternalPointers>,
    /// Whether `malloc` may return null.
    pub allocation: Allocation,
}

impl Settings {
    /// What pointers from outside lead to. Who says what functions without a body do says with it that the pointers that they return lead to
    /// objects of their own.
    #[must_use]
    pub fn external_pointers(&self) -> ExternalPointers {
        let asked = self.undefined != Undefined::Unknown;
        let default = if asked { ExternalPointers::Fresh } else { ExternalPointers::Any };
        self.external_pointers.unwrap_or(default)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            entry: "main".into(),
            checks: BTreeSet::new(),
            error_functions: ERROR_FUNCTIONS.iter().map(|&name| name.to_owned()).collect(),
            error_labels: Vec::new(),
            undefined: Undefined::Unknown,
            external_pointers: None,
            allocation: Allocation::Succeeds,
        }
    }
}

pub use crate::library::functions::{ExternalPointers, Undefined};

/// Whether memory can run out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allocation {
    /// Never.
    Succeeds,
    /// `malloc` returns null at will.
    MayFail,
}

/// The program model of a module.
///
/// # Errors
/// There is no function to start with.
pub fn lower(module: &Module, settings: &Settings) -> Result<Program, String> {
    let errors = &settings.error_functions;
    let known = Known {
        intrinsic: &|name| intrinsic(name, errors),
        inlined: &models::INLINED,
        synchronising: &models::SYNCHRONISING,
    };
    let module = in_contexts(module, settings);
    let (module, of_models) = normalised(&module, known);
    let module = &module;
    let name = &settings.entry;
    let start = module.function(name).filter(|&id| module.functions[id].is_defined());
    let start = start.ok_or_else(|| format!("there is no function `{name}` to start with"))?;
    let externals = |name: &str| functions::effect_on_memory(name, errors, settings.undefined);
    let points = PointsTo::analyse(module, &[start], &externals, members(settings));
    let mut lowering = Lowering::new(module, settings, &points);
    outside::note(&mut lowering, start);
    single::place(&mut lowering);
    let bodies = || points.reachable().iter().copied().filter(|&id| module.functions[id].is_defined());
    bodies().for_each(|function| lowering.declare(function));
    memory::hold_regions(&mut lowering);
    tracking::start(&mut lowering);
    lifetimes::watch(&mut lowering);
    threads::number(&mut lowering, start);
    lowering.threads.of_models = of_models;
    lowering.threads.atomicity = sections::atomicity(&lowering, start);
    whole::prepare_checks(&mut lowering);
    let entry = entry::lower(&mut lowering, start);
    bodies().for_each(|function| body::lower(&mut lowering, function));
    Ok(lowering.finish(entry))
}

/// The module with a copy of each small function for each of its calls, unless everything may be a claim.
fn in_contexts(module: &Module, settings: &Settings) -> Module {
    let mut module = module.clone();
    if settings.checks.is_empty() {
        let errors = &settings.error_functions;
        let calls = |name: &str| {
            use functions::Known::{Assert, AssertionFailed, Error};
            matches!(functions::known(name, errors), Some(Assert | AssertionFailed | Error))
        };
        let labels = |name: &str| settings.error_labels.iter().any(|label| crate::ir::is_label(name, label));
        contexts::separate(&mut module, Claimed { calls: &calls, labels: &labels });
    }
    module
}

/// Whether arrays in structs are kept apart from the structs. An access that leaves such an array has no verdict then, and one that
/// leaves the object would be no violation any more: where that is asked, they are not.
fn members(settings: &Settings) -> Members {
    if bounds::are_asked(&settings.checks) { Members::Together } else { Members::Apart }
}

/// The intrinsic that a function without a body is.
fn intrinsic(name: &str, errors: &[String]) -> Option<Intrinsic> {
    match functions::known(name, errors)? {
        functions::Known::Copy => Some(Intrinsic::CopyMemory),
        functions::Known::Move => Some(Intrinsic::MoveMemory),
        functions::Known::Set => Some(Intrinsic::SetMemory),
        _ => None,
    }
}

/// What the parts of the lowering share.
struct Lowering<'m> {
    module: &'m Module,
    settings: &'m Settings,
    points: &'m PointsTo,
    store: Store,
    variables: IndexVec<Symbol, Variable>,
    procedures: IndexVec<ProcedureId, Procedure>,
    of_function: FxHashMap<FunctionId, ProcedureId>,
    /// Properties, and what a proof of them rests on.
    claims: claims::Claims,
    /// Where objects are, and how their bytes are held.
    memory: memory::Memory,
    /// How threads are numbered, and who has ended.
    threads: threads::Threads,
    /// What may be undefined.
    shadow: shadow::Common,
    /// Who is asked about each event.
    checks: whole::Checks,
}

impl<'m> Lowering<'m> {
    fn new(module: &'m Module, settings: &'m Settings, points: &'m PointsTo) -> Self {
        let mut store = Store::new();
        let mut variables = IndexVec::new();
        let frontier = store.fresh(MEMORY_END, Sort::Bits(module.pointer_bits()));
        variables.push(Variable { scope: Scope::Global, ty: None, role: Role::Ghost });
        Self {
            module,
            settings,
            points,
            store,
            variables,
            procedures: IndexVec::new(),
            of_function: FxHashMap::default(),
            claims: claims::Claims::default(),
            memory: memory::Memory::new(memory::layout::Layout::of(module, points), frontier),
            threads: threads::Threads::default(),
            shadow: shadow::Common::default(),
            checks: whole::Checks::of(&settings.checks),
        }
    }

    /// Whether the program starts threads.
    fn threaded(&self) -> bool {
        !self.points.routines().is_empty()
    }

    fn pointer_bits(&self) -> u32 {
        self.module.pointer_bits()
    }

    /// Nobody looks for a fault here: its absence is an assumption, or a gap if it was asked for.
    fn without(&mut self, fault: Fault, place: Option<crate::ir::Place>, what: &'static str) {
        match Asked::new(self.settings.checks.iter().copied()).without(fault) {
            Some(fault) => self.claims.assume(Assumption::No(fault)),
            None => _ = self.claims.gaps.insert(Gap { fault, place, what }),
        }
    }

    /// A new symbol and what is known of it.
    fn variable(&mut self, name: &str, sort: Sort, variable: Variable) -> Symbol {
        let symbol = self.store.fresh(name, sort);
        let same = self.variables.push(variable);
        debug_assert_eq!(symbol, same);
        if let Scope::Local(procedure) = self.variables[symbol].scope {
            self.procedures[procedure].locals.push(symbol);
        }
        symbol
    }

    fn empty_procedure(&mut self, name: &str) -> ProcedureId {
        let mut locations = IndexVec::new();
        let entry = locations.push(crate::program::Location::default());
        let exit = locations.push(crate::program::Location::default());
        self.procedures.push(Procedure {
            name: name.into(),
            parameters: Vec::new(),
            result: None,
            locals: Vec::new(),
            locations,
            edges: IndexVec::new(),
            entry,
            exit,
            place: None,
        })
    }

    fn declare(&mut self, function: FunctionId) {
        let id = self.empty_procedure(&self.module.functions[function].name);
        self.procedures[id].place = self.module.functions[function].place;
        self.of_function.insert(function, id);
        if let Some(width) = calls::joined_width(self, &self.module.functions[function].result) {
            calls::result_of(self, id, width);
        }
    }

    /// The width of a scalar as a value.
    fn width_of(&self, ty: &Type) -> u32 {
        match ty {
            Type::Integer(bits) => *bits,
            Type::Pointer => self.pointer_bits(),
            Type::Float => 32,
            Type::Double => 64,
            Type::Other { size, .. } => u32::try_from(size.saturating_mul(8)).unwrap_or(8).clamp(8, 128),
            Type::Void | Type::Aggregate { .. } => 8,
        }
    }

    /// A global variable of ours, which C does not have.
    fn ghost(&mut self, name: &str, sort: Sort) -> Symbol {
        self.variable(name, sort, Variable { scope: Scope::Global, ty: None, role: Role::Ghost })
    }

    /// A property with the next number of its kind in the procedure.
    fn property(
        &mut self,
        procedure: ProcedureId,
        kind: PropertyKind,
        text: String,
        place: Option<crate::ir::Place>,
    ) -> PropertyId {
        let word = kind.name();
        let number = self.claims.count(procedure, word);
        let id = format!("{}.{word}.{number}", self.procedures[procedure].name);
        self.claims.properties.push(Property { id, kind, text, place, procedure, edges: Vec::new() })
    }

    fn finish(self, entry: ProcedureId) -> Program {
        let mut program = Program {
            store: self.store,
            pointer_bits: self.module.pointer_bits(),
            variables: self.variables,
            entry,
            procedures: self.procedures,
            properties: self.claims.properties,
            objects: self.memory.layout.objects(),
            files: self.module.files.clone(),
            types: self.module.types.clone(),
            assumptions: self.claims.assumptions,
            gaps: self.claims.gaps,
            tallies: Vec::new(),
            overlay: Default::default(),
        };
        tell_claims(&mut program, &self.claims.subjects);
        program
    }
}

/// A location for what comes next.
fn new_location(procedure: &mut Procedure) -> LocationId {
    procedure.locations.push(crate::program::Location::default())
}
