//! Pointers from outside: those that the function to start with gets, that variables from elsewhere hold, and that functions
//! without a body return. What they lead to is apart from the program's objects where somebody says so, which is an assumption.
//! Otherwise there is another run beside an access that may meet an object of the program, which is not modelled: the one in which it does.
//! Most accesses meet none: only what code elsewhere knows can come from there ([`PointsTo::met`]).
//!
//! [`PointsTo::met`]: crate::ir::analysis::points_to::PointsTo::met

use crate::ir::analysis::points_to::{Origin, Site};
use crate::ir::debug::resolve;
use crate::ir::transform::devices::REGISTER;
use crate::ir::{Callee, DebugType, DebugTypeId, Function, FunctionId, Module, Operation, Parameter, Type};
use crate::library::functions;
use crate::lower::body::Body;
use crate::lower::memory::{is_dynamic, touched};
use crate::lower::{ExternalPointers, Lowering, Settings};
use crate::program::Assumption;
use crate::term::{Operator, Signedness, Term};
use std::collections::BTreeSet;

/// Notes whose pointers lead outside, and that what they lead to is apart, if there are any.
pub(in crate::lower) fn note(lowering: &mut Lowering<'_>, start: FunctionId) {
    let (module, settings) = (lowering.module, lowering.settings);
    let mut origins = lowering.points.regions().iter().flat_map(|region| &region.origins);
    let outside = origins.any(|origin| *origin == Origin::Outside) || declares_variables(module);
    if module.functions.iter().any(|function| function.name.starts_with(REGISTER)) {
        lowering.claims.assume(Assumption::OutsideApart);
    }
    let returned = returns_pointers(module, settings);
    let assumption = match settings.external_pointers() {
        ExternalPointers::Fresh => (outside || returned).then_some(Assumption::OutsideApart),
        // Accesses that may be to objects of the program are not modelled.
        ExternalPointers::Any => {
            let silent = settings.external_pointers.is_none() && !has_given_pointers(module, start, settings);
            (outside && silent).then_some(Assumption::OutsideApart)
        }
        ExternalPointers::Null => {
            let given = gets_pointers(&module.functions[start]);
            (returned || given).then_some(Assumption::OutsideNull)
        }
    };
    assumption.into_iter().for_each(|assumption| lowering.claims.assume(assumption));
    lowering.memory.given_pointers = has_given_pointers(module, start, settings);
}

/// What is not modelled of the instruction at hand: an access through a pointer from outside that may lead to an object of the program.
pub(in crate::lower) fn may_meet_objects(body: &mut Body<'_, '_>) -> Option<String> {
    if !is_unsure(body) {
        return None;
    }
    let met = body.lowering.points.met.get(&body.site)?;
    if met.typed {
        body.lowering.claims.assume(Assumption::OutsideTyped);
    }
    let object = met.objects.first()?;
    let name = body.lowering.memory.layout.name(*object).filter(|name| !name.is_empty());
    let name = name.map_or_else(|| "an object of the program".to_owned(), |name| format!("`{name}`"));
    Some(format!("an access through a pointer from outside, which may lead to {name}"))
}

/// Whether the instruction at hand accesses what a pointer leads to that may lead to objects of the program.
fn is_unsure(body: &Body<'_, '_>) -> bool {
    let lowering = &body.lowering;
    let given =
        lowering.memory.given_pointers || lowering.settings.external_pointers == Some(ExternalPointers::Any);
    let returned = lowering.settings.external_pointers() != ExternalPointers::Fresh;
    let unsure = |origin: &Origin| match origin {
        Origin::Heap(site) => returned && is_returned(lowering, *site),
        Origin::Outside => given,
        _ => false,
    };
    let regions = lowering.points.regions();
    let touched = touched(lowering.points, body.site);
    touched.into_iter().any(|region| regions[region].origins.iter().any(unsure))
}

/// Whether a pointer that the function to start with gets leads to none of the program's objects that nobody elsewhere knows yet, where
/// they may be accessed through such pointers later. Where those lie is for us to choose, and what the program sees of such a number is
/// any number (`numbers`).
pub(in crate::lower) fn is_apart(
    lowering: &mut Lowering<'_>,
    pointer: Term,
    ty: Option<DebugTypeId>,
) -> Term {
    let room = ty.and_then(|ty| size_behind(lowering.module, ty)).unwrap_or(1).max(1);
    let objects = unknown_outside(lowering);
    let bits = lowering.pointer_bits();
    let store = &mut lowering.store;
    let mut apart = store.boolean(true);
    for (base, size) in objects {
        // From where on what the pointer leads to reaches into the object.
        let first = base.saturating_sub(room - 1);
        let (low, length) =
            (store.bits(bits, first.into()), store.bits(bits, (base - first + size.max(1)).into()));
        let distance = store.binary(Operator::Subtract, pointer, low);
        let outside = store.less_equal(Signedness::Unsigned, length, distance);
        apart = store.and(apart, outside);
    }
    apart
}

/// The addresses and sizes of objects that are held together with what is outside, and are not known there when the program starts.
fn unknown_outside(lowering: &Lowering<'_>) -> BTreeSet<(u64, u64)> {
    let regions = lowering.points.regions().iter();
    let mixed = regions.filter(|region| region.origins.contains(&Origin::Outside));
    let own = |origin: &&Origin| match origin {
        Origin::Global(id) => {
            let global = &lowering.module.globals[*id];
            global.initialiser.is_some() && !global.exported
        }
        Origin::Local(..) => !is_dynamic(lowering, **origin),
        _ => false,
    };
    let origins = mixed.flat_map(|region| &region.origins).filter(own);
    origins
        .filter_map(|&origin| {
            Some((lowering.memory.layout.base(origin)?, lowering.memory.layout.size(origin)?))
        })
        .collect()
}

/// The size in bytes of what a pointer leads to, if it is a record.
fn size_behind(module: &Module, ty: DebugTypeId) -> Option<u64> {
    let DebugType::Pointer(Some(to)) = &module.types[resolve(&module.types, ty)] else { return None };
    match &module.types[resolve(&module.types, *to)] {
        DebugType::Record { size, .. } => Some(*size),
        DebugType::Basic { bits, .. } | DebugType::Enumeration { bits, .. } => Some(bits / 8),
        DebugType::Pointer(_) => Some(module.pointer_bytes.into()),
        _ => None,
    }
}

/// Whether objects of this origin stand for what a function without a body returns.
fn is_returned(lowering: &Lowering<'_>, site: Site) -> bool {
    let block = &lowering.module.functions[site.function].blocks[site.block];
    let callee = match block.instructions.get(site.number).map(|instruction| &instruction.operation) {
        Some(Operation::Call { callee: Callee::Function(callee), .. }) => callee,
        Some(Operation::Call { .. }) => return true,
        _ => return false,
    };
    let callee = &lowering.module.functions[*callee];
    !callee.is_defined() && functions::returns_anything(&callee.name, &lowering.settings.error_functions)
}

/// Whether a function that is run gets pointers to what nobody knows. What the arguments of `main` point to is known to be
/// apart from the program's objects.
fn gets_pointers(function: &Function) -> bool {
    let pointer = |parameter: &Parameter| {
        parameter.copied.is_some() || function.values[parameter.value].ty == Type::Pointer
    };
    function.name != "main" && function.parameters.iter().any(pointer)
}

/// Whether there are pointers that lead to nobody knows what: those that the function to start with gets, and those of variables that
/// are defined elsewhere. What they lead to is apart from the program's objects only where the user says so, by `--external-pointers fresh`,
/// and of variables by `--undefined-functions`.
fn has_given_pointers(module: &Module, start: FunctionId, settings: &Settings) -> bool {
    let apart = settings.external_pointers() == ExternalPointers::Fresh;
    let asked = settings.external_pointers == Some(ExternalPointers::Fresh);
    !asked && (gets_pointers(&module.functions[start]) || !apart && declares_variables(module))
}

/// Whether a declared function returns a pointer.
fn returns_pointers(module: &Module, settings: &Settings) -> bool {
    let anything = |name: &str| functions::returns_anything(name, &settings.error_functions);
    let returns = |function: &Function| {
        !function.is_defined() && function.result == Type::Pointer && anything(&function.name)
    };
    module.functions.iter().any(returns)
}

/// Whether a variable is declared that nobody defines.
fn declares_variables(module: &Module) -> bool {
    module.globals.iter().any(|global| global.initialiser.is_none())
}
