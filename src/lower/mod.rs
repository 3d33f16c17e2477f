//! Lowering: from `ir` to the program model.
//!
//! Each function becomes a control-flow automaton. Within a basic block the instructions are executed symbolically:
//! reads see the updates before them, so that a block becomes one edge whose terms speak of the state at its start
//! (`pending`). Calls, properties and what is not modelled cut a block; values that are needed behind the cut are kept
//! in temporaries. Memory is cut into regions by [`points_to`](crate::ir::analysis::points_to): a region is a plain variable or an array
//! by address (`memory`). Objects have addresses of one fixed layout (`layout`); that a program looks at the
//! numbers is recorded as an assumption.
//!
//! What undefined behaviour means is in [`ir::undefined`](crate::ir::undefined).

mod body;
mod calls;
mod claims;
mod entry;
mod memory;
mod offer;
mod shadow;
#[cfg(test)]
mod tests;
mod threads;

use claims::{Claim, tell_claims};

use crate::checks::code::Tracking;
use crate::checks::held::Held;
use crate::checks::{self, Check, Needs};
use crate::ground::index::IndexVec;
use crate::ir::analysis::atomicity::Atomicity;
use crate::ir::analysis::definedness::Definedness;
use crate::ir::analysis::points_to::{Multiplicity, Origin, Placement, PointsTo, RegionId, Site, Transfer};
use crate::ir::analysis::sites;
use crate::ir::transform::{Known, normalised};
use crate::ir::undefined::Fault;
use crate::ir::{BlockId, ERROR_FUNCTIONS, FunctionId, Intrinsic, Module, Type};
use crate::library::{functions, models};
use crate::program::{
    Asked, Assumption, Gap, LocationId, MEMORY_END, Procedure, ProcedureId, Program, Property, PropertyId,
    PropertyKind, Role, Scope, Variable,
};
use crate::term::free::FreeSymbols;
use crate::term::{Sort, Store, Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

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
    /// Whether `malloc` may return null.
    pub allocation: Allocation,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            entry: "main".into(),
            checks: BTreeSet::new(),
            error_functions: ERROR_FUNCTIONS.iter().map(|&name| name.to_owned()).collect(),
            error_labels: Vec::new(),
            undefined: Undefined::Unknown,
            allocation: Allocation::Succeeds,
        }
    }
}

pub use crate::library::functions::Undefined;

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
    let (module, of_models) = normalised(module, known);
    let module = &module;
    let name = &settings.entry;
    let start = module.function(name).filter(|&id| module.functions[id].is_defined());
    let start = start.ok_or_else(|| format!("there is no function `{name}` to start with"))?;
    let externals = |name: &str| functions::effect_on_memory(name, errors, settings.undefined);
    let points = PointsTo::analyse(module, &[start], &externals);
    let mut lowering = Lowering::new(module, settings, &points);
    lowering.given_pointers = given_pointers(module, start, settings);
    lowering.place_single_allocations();
    let bodies = || points.reachable().iter().copied().filter(|&id| module.functions[id].is_defined());
    bodies().for_each(|function| lowering.declare(function));
    lowering.hold_regions();
    lowering.track();
    lowering.watch_lifetimes();
    lowering.number_threads(start);
    lowering.of_models = of_models;
    lowering.atomicity = lowering.find_atomicity(start);
    lowering.prepare_checks();
    let entry = entry::lower(&mut lowering, start);
    bodies().for_each(|function| body::lower(&mut lowering, function));
    Ok(lowering.finish(entry))
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

/// Whether a function that is run gets pointers to what nobody knows. What the arguments of `main` point to is known to be
/// apart from the program's objects.
fn gets_pointers(function: &crate::ir::Function) -> bool {
    let pointer = |parameter: &crate::ir::Parameter| {
        parameter.copied.is_some() || function.values[parameter.value].ty == Type::Pointer
    };
    function.name != "main" && function.parameters.iter().any(pointer)
}

/// What the parts of the lowering share.
struct Lowering<'m> {
    module: &'m Module,
    settings: &'m Settings,
    points: &'m PointsTo,
    store: Store,
    free: FreeSymbols,
    variables: IndexVec<Symbol, Variable>,
    procedures: IndexVec<ProcedureId, Procedure>,
    of_function: FxHashMap<FunctionId, ProcedureId>,
    properties: IndexVec<PropertyId, Property>,
    counts: BTreeMap<(ProcedureId, &'static str), usize>,
    layout: memory::layout::Layout,
    regions: IndexVec<RegionId, memory::Held>,
    /// What small arrays hold that nobody changes, by address.
    tables: std::collections::BTreeMap<RegionId, Vec<(u64, Term)>>,
    assumptions: BTreeSet<Assumption>,
    gaps: BTreeSet<Gap>,
    /// The first address that nothing lives at yet.
    frontier: Symbol,
    threaded: bool,
    /// Whose pointers lead to nobody knows what, if anybody's do.
    given_pointers: Option<&'static str>,
    /// What is known of objects that come into being at run time.
    tracking: Option<Tracking>,
    /// The sizes of objects of the heap, by address, if somebody asks for them.
    sizes: Option<Symbol>,
    /// Flags of local variables: whether they live, if that is in question.
    lifetimes: BTreeMap<Origin, Symbol>,
    /// Local variables that begin or end within their functions.
    scoped: memory::lifetimes::Scoped,
    /// How threads are numbered, and who has ended.
    threads: threads::Threads,
    /// What may depend on something uninitialised.
    definedness: Definedness,
    /// Which bits of the result of a function are undefined.
    shadow_results: BTreeMap<FunctionId, Symbol>,
    /// All checks, whether or not they are asked for.
    checks: Vec<Box<dyn Check>>,
    /// What those that are asked for need.
    needs: Needs,
    /// What is executed within atomic sections.
    atomicity: Atomicity,
    /// Blocks that came from models of pthread.
    of_models: BTreeSet<(FunctionId, BlockId)>,
    /// Who holds which lock, if anybody asks.
    held: Held,
    /// What properties say, as terms.
    claims: FxHashMap<PropertyId, Claim>,
}

impl<'m> Lowering<'m> {
    fn new(module: &'m Module, settings: &'m Settings, points: &'m PointsTo) -> Self {
        let layout = memory::layout::Layout::of(module, points);
        let mut store = Store::new();
        let mut variables = IndexVec::new();
        let frontier = store.fresh(MEMORY_END, Sort::Bits(module.pointer_bits()));
        variables.push(Variable { scope: Scope::Global, ty: None, role: Role::Ghost });
        let threaded = !points.routines().is_empty();
        let all = checks::all();
        let mut lowering = Self {
            module,
            settings,
            points,
            store,
            free: FreeSymbols::default(),
            variables,
            procedures: IndexVec::new(),
            of_function: FxHashMap::default(),
            properties: IndexVec::new(),
            counts: BTreeMap::new(),
            layout,
            regions: IndexVec::new(),
            tables: std::collections::BTreeMap::new(),
            assumptions: BTreeSet::new(),
            gaps: BTreeSet::new(),
            frontier,
            threaded,
            given_pointers: None,
            tracking: None,
            sizes: None,
            lifetimes: BTreeMap::new(),
            scoped: memory::lifetimes::Scoped::default(),
            threads: threads::Threads::default(),
            definedness: Definedness::default(),
            shadow_results: BTreeMap::new(),
            needs: checks::needs(&all, &settings.checks),
            checks: all,
            atomicity: Atomicity::default(),
            of_models: BTreeSet::new(),
            held: Held::default(),
            claims: FxHashMap::default(),
        };
        lowering.note_what_is_left_out();
        lowering
    }

    /// What the whole program rests on, or what nobody looks at in it.
    fn note_what_is_left_out(&mut self) {
        let points = self.points;
        let has = |is_such: fn(&Origin) -> bool| {
            points.regions().iter().any(|region| region.origins.iter().any(is_such))
        };
        if has(|origin| matches!(origin, Origin::Outside)) || from_outside(self.module, self.settings) {
            self.assume(Assumption::OutsideApart);
        }
    }

    fn pointer_bits(&self) -> u32 {
        self.module.pointer_bits()
    }

    fn assume(&mut self, assumption: Assumption) {
        self.assumptions.insert(assumption);
    }

    /// Nobody looks for a fault here: its absence is an assumption, or a gap if it was asked for.
    fn without(&mut self, fault: Fault, place: Option<crate::ir::Place>, what: &'static str) {
        match Asked::new(self.settings.checks.iter().copied()).without(fault) {
            Some(fault) => _ = self.assumptions.insert(Assumption::No(fault)),
            None => _ = self.gaps.insert(Gap { fault, place, what }),
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

    /// The regions that an instruction accesses.
    fn touched(&self, site: Site) -> Vec<RegionId> {
        let mut out: Vec<RegionId> = self.points.accesses(site).iter().map(|access| access.region).collect();
        match self.points.copy(site) {
            Transfer::Pieces(pieces) => pieces.iter().for_each(|piece| {
                out.push(piece.to);
                out.extend(piece.from);
            }),
            Transfer::Loop { to, from, .. } => {
                out.push(to);
                out.extend(from);
            }
            Transfer::Nowhere => {}
        }
        out
    }

    /// Whether an object has no address before it comes into being.
    fn is_dynamic(&self, origin: Origin) -> bool {
        match origin {
            Origin::Global(_) => false,
            Origin::Local(function, _) | Origin::Copy(function, _) => {
                let several = self.points.multiplicity(function) == Multiplicity::Several;
                several && self.points.object(origin) == Placement::Addressed
            }
            Origin::Heap(_) => self.layout.object(origin).is_none(),
            Origin::Arguments(_) | Origin::Outside | Origin::Unset(_) => true,
        }
    }

    /// The width of a scalar as a value.
    fn scalar_width(&self, ty: &Type) -> u32 {
        match ty {
            Type::Integer(bits) => *bits,
            Type::Pointer => self.pointer_bits(),
            Type::Float => 32,
            Type::Double => 64,
            Type::Other { size, .. } => u32::try_from(size.saturating_mul(8)).unwrap_or(8).clamp(8, 128),
            Type::Void | Type::Aggregate { .. } => 8,
        }
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
        let count = self.counts.entry((procedure, word)).or_default();
        *count += 1;
        let id = format!("{}.{word}.{count}", self.procedures[procedure].name);
        self.properties.push(Property { id, kind, text, place, procedure, edges: Vec::new() })
    }

    fn finish(self, entry: ProcedureId) -> Program {
        let claims = self.claims;
        let mut program = Program {
            store: self.store,
            pointer_bits: self.module.pointer_bits(),
            variables: self.variables,
            entry,
            procedures: self.procedures,
            properties: self.properties,
            objects: self.layout.objects(),
            files: self.module.files.clone(),
            types: self.module.types.clone(),
            assumptions: self.assumptions,
            gaps: self.gaps,
            tallies: Vec::new(),
        };
        tell_claims(&mut program, &claims);
        program
    }
}

/// Whose pointers lead to nobody knows what, if there are such: those of the entry, and those of variables that are defined
/// elsewhere. What they lead to is apart from the program's objects only where the user says so, by `--undefined-functions`.
fn given_pointers(module: &Module, start: FunctionId, settings: &Settings) -> Option<&'static str> {
    let elsewhere = || module.globals.iter().any(|global| global.initialiser.is_none());
    if gets_pointers(&module.functions[start]) {
        Some("the function to start with gets")
    } else {
        (settings.undefined == Undefined::Unknown && elsewhere()).then_some("a variable from elsewhere holds")
    }
}

/// Whether a declared function returns a pointer that the program uses, or a declared variable is one.
fn from_outside(module: &Module, settings: &Settings) -> bool {
    let arbitrary = |name: &str| {
        let known = functions::known(name, &settings.error_functions);
        known.is_none_or(|known| known == functions::Known::Arbitrary)
    };
    let function = |function: &crate::ir::Function| {
        !function.is_defined() && function.result == crate::ir::Type::Pointer && arbitrary(&function.name)
    };
    module.functions.iter().any(function) || module.globals.iter().any(|global| global.initialiser.is_none())
}

/// A location for what comes next.
fn new_location(procedure: &mut Procedure) -> LocationId {
    procedure.locations.push(crate::program::Location::default())
}
