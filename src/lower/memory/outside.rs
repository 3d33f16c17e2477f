//! Pointers from outside: those that the function to start with gets, that variables from elsewhere hold, and that functions
//! without a body return. What they lead to is apart from the program's objects where somebody says so, which is an assumption;
//! otherwise an access through them is not modelled.

use crate::ir::analysis::points_to::{Origin, RegionId};
use crate::ir::{Function, FunctionId, Module, Parameter, Type};
use crate::library::functions;
use crate::lower::body::Body;
use crate::lower::memory::touched;
use crate::lower::{Lowering, Settings, Undefined};
use crate::program::Assumption;

/// Notes whose pointers lead outside, and that what they lead to is apart, if there are any.
pub(in crate::lower) fn note(lowering: &mut Lowering<'_>, start: FunctionId) {
    let mut origins = lowering.points.regions().iter().flat_map(|region| &region.origins);
    if origins.any(|origin| *origin == Origin::Outside) || from_outside(lowering.module, lowering.settings) {
        lowering.claims.assume(Assumption::OutsideApart);
    }
    lowering.memory.given_pointers = given_pointers(lowering.module, start, lowering.settings);
}

/// Whether the instruction at hand may access what pointers from outside lead to.
pub(in crate::lower) fn is_touched(body: &Body<'_, '_>) -> bool {
    let regions = body.lowering.points.regions();
    let given = |region: &RegionId| regions[*region].origins.contains(&Origin::Outside);
    touched(body.lowering.points, body.site).iter().any(given)
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
    let function = |function: &Function| {
        !function.is_defined() && function.result == Type::Pointer && arbitrary(&function.name)
    };
    module.functions.iter().any(function) || module.globals.iter().any(|global| global.initialiser.is_none())
}
