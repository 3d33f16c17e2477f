//! Pointers from outside: those that the function to start with gets, that variables from elsewhere hold, and that functions
//! without a body return. What they lead to is apart from the program's objects where somebody says so, which is an assumption.
//! Otherwise an access through those that the function to start with gets or that a variable holds is not modelled; and beside an access through
//! one that a function returns there is another run, which is not modelled: the one in which it is an object of the program.

use crate::ir::analysis::points_to::{Origin, Site};
use crate::ir::transform::devices::REGISTER;
use crate::ir::{Callee, Function, FunctionId, Module, Operation, Parameter, Type};
use crate::library::functions;
use crate::lower::body::Body;
use crate::lower::memory::touched;
use crate::lower::{ExternalPointers, Lowering, Settings};
use crate::program::Assumption;
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
            (outside && settings.external_pointers.is_none()).then_some(Assumption::OutsideApart)
        }
        ExternalPointers::Null => {
            let given = gets_pointers(&module.functions[start]);
            (returned || given).then_some(Assumption::OutsideNull)
        }
    };
    assumption.into_iter().for_each(|assumption| lowering.claims.assume(assumption));
    lowering.memory.given_pointers = given_pointers(module, start, settings);
}

/// Whether the instruction at hand may access an object of the program through a pointer that a function without a body has returned.
pub(in crate::lower) fn may_meet_objects(body: &Body<'_, '_>) -> bool {
    let lowering = &body.lowering;
    if lowering.settings.external_pointers() == ExternalPointers::Fresh {
        return false;
    }
    let asked = lowering.settings.external_pointers.is_some();
    let unsure = |origin: &Origin| match origin {
        Origin::Heap(site) => is_returned(lowering, *site),
        Origin::Outside => asked,
        _ => false,
    };
    accessed(body).iter().any(unsure)
}

/// Where the objects come from that the instruction at hand may access. Those that it copies or sets count even if nobody reads them and they
/// have no region: they may be objects of the program that somebody reads.
fn accessed(body: &Body<'_, '_>) -> BTreeSet<Origin> {
    let points = body.lowering.points;
    let touched = touched(points, body.site);
    let in_regions = touched.into_iter().flat_map(|region| points.regions()[region].origins.iter().copied());
    in_regions.chain(points.copied(body.site)).collect()
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

/// Whether the instruction at hand may access what pointers from outside lead to.
pub(in crate::lower) fn is_touched(body: &Body<'_, '_>) -> bool {
    accessed(body).contains(&Origin::Outside)
}

/// Whether a function that is run gets pointers to what nobody knows. What the arguments of `main` point to is known to be
/// apart from the program's objects.
fn gets_pointers(function: &Function) -> bool {
    let pointer = |parameter: &Parameter| {
        parameter.copied.is_some() || function.values[parameter.value].ty == Type::Pointer
    };
    function.name != "main" && function.parameters.iter().any(pointer)
}

/// Whose pointers lead to nobody knows what, if there are such: those of the entry, and those of variables that are defined
/// elsewhere. What they lead to is apart from the program's objects only where the user says so, by `--external-pointers fresh`,
/// and of variables by `--undefined-functions`.
fn given_pointers(module: &Module, start: FunctionId, settings: &Settings) -> Option<&'static str> {
    let apart = settings.external_pointers() == ExternalPointers::Fresh;
    if settings.external_pointers == Some(ExternalPointers::Fresh) {
        None
    } else if gets_pointers(&module.functions[start]) {
        Some("the function to start with gets")
    } else {
        (!apart && declares_variables(module)).then_some("a variable from elsewhere holds")
    }
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
