//! Shadows of memory: beside the variable of each region that may be read where it is undefined there is another one.
//!
//! Shadows of arrays start as ones: nothing is initialised before the program does it. Those parts that belong to global
//! variables are zero from the start. Where a region starts as zeros, its shadow does, too, and objects in it
//! become undefined when they come into being.

use crate::ir::analysis::definedness::{self, Definedness};
use crate::ir::analysis::points_to::{Access, Origin, RegionId, RegionKind};
use crate::ir::{FunctionId, Type};
use crate::library::functions::{Known, known};
use crate::lower::body::Body;
use crate::lower::body::aggregate::{Value, scalars};
use crate::lower::memory::tracking::called;
use crate::lower::memory::{Prepared, how_many};
use crate::lower::shadow::Shadowed;
use crate::lower::threads::local;
use crate::lower::{Lowering, memory, shadow};
use crate::program::{Role, Scope, Variable};
use crate::term::{Sort, Symbol, Term};

/// What may be undefined; nothing, if nobody asks.
fn find_definedness(lowering: &Lowering<'_>) -> Definedness {
    if !lowering.checks.needs.shadows {
        return Definedness::default();
    }
    let scope = |region: RegionId| lowering.variables[lowering.memory.regions[region].symbol].scope;
    definedness::find(definedness::Facts {
        module: lowering.module,
        points: lowering.points,
        is_local: &|region| matches!(scope(region), Scope::Local(_)),
        gives_zeros: &|site| called(lowering.module, lowering.settings, site) == Some(Known::AllocateZeroed),
        joins: &|name| known(name, &lowering.settings.error_functions) == Some(Known::JoinThread),
    })
}

/// Makes the shadows of regions, and of results.
pub(in crate::lower) fn hold_shadows(lowering: &mut Lowering<'_>) {
    lowering.shadow.definedness = find_definedness(lowering);
    for region in lowering.shadow.definedness.regions().clone() {
        let symbol = lowering.memory.regions[region].symbol;
        let name = format!("<undefined {}>", lowering.store.name(symbol));
        let (sort, scope) = (lowering.store.sort_of_symbol(symbol), lowering.variables[symbol].scope);
        let shadow = lowering.variable(&name, sort, Variable { scope, ty: None, role: Role::Ghost });
        lowering.memory.regions[region].shadow = Some(shadow);
    }
    if lowering.threaded() {
        // Threads would have to share the variables.
        return;
    }
    for function in lowering.shadow.definedness.results().clone() {
        let Some(result) = lowering.procedures[lowering.of_function[&function]].result else { continue };
        let name = format!("<undefined result of {}>", lowering.module.functions[function].name);
        let sort = lowering.store.sort_of_symbol(result);
        let shadow = lowering.ghost(&name, sort);
        lowering.shadow.results.insert(function, shadow);
    }
}

/// Whether the shadows of arguments are passed to a function. What starts the program or a thread passes none:
/// if others call it, too, what it gets is taken for undefined.
pub(in crate::lower) fn passes_shadows(lowering: &Lowering<'_>, function: FunctionId) -> bool {
    let started = lowering.module.functions[function].name == lowering.settings.entry;
    !started && !lowering.points.routines().contains(&function)
}

/// What is initialised when the program starts.
pub(in crate::lower) fn shadows_at_first(lowering: &mut Lowering<'_>) -> Vec<(Symbol, Term)> {
    let regions: Vec<RegionId> = lowering.memory.regions.ids().collect();
    regions.into_iter().filter_map(|region| shadow_at_first(lowering, region)).collect()
}

fn shadow_at_first(lowering: &mut Lowering<'_>, region: RegionId) -> Option<(Symbol, Term)> {
    let held = lowering.memory.regions[region];
    let shadow = held.shadow.filter(|_| lowering.variables[held.symbol].scope == Scope::Global)?;
    let start = if held.zeroed { 0 } else { u128::MAX };
    let Sort::Array { index, element } = lowering.store.sort_of_symbol(shadow) else {
        let global = matches!(held.kind, RegionKind::Scalar { origin: Origin::Global(_), .. });
        let Sort::Bits(width) = lowering.store.sort_of_symbol(shadow) else { return None };
        return Some((shadow, lowering.store.bits(width, if global { 0 } else { u128::MAX })));
    };
    let value = lowering.store.bits(element, start);
    let mut memory = lowering.store.constant_array(index, value);
    if !held.zeroed {
        let zero = lowering.store.bits(element, 0);
        for address in initialised(lowering, region, element) {
            let address = lowering.store.bits(index, address.into());
            memory = lowering.store.store(memory, address, zero);
        }
    }
    Some((shadow, memory))
}

/// The addresses of all elements of a region that belong to global variables.
fn initialised(lowering: &Lowering<'_>, region: RegionId, element: u32) -> Vec<u64> {
    let mut out = Vec::new();
    for (id, global) in lowering.module.globals.enumerate() {
        let origin = Origin::Global(id);
        let base = lowering.memory.layout.base(origin).expect("globals have addresses");
        let base = local::address_for_main(lowering, id).unwrap_or(base);
        for cell in lowering.points.cells(origin).iter().filter(|cell| cell.region == region) {
            for number in 0..how_many(cell, global.size) {
                let at = base + cell.offset + number * cell.repeats.unwrap_or(0);
                let step = u64::from(element / 8);
                out.extend((0..u64::from(cell.bits / element)).map(|part| at + part * step));
            }
        }
    }
    out
}

/// What is in memory, with its shadow.
pub(in crate::lower) fn read_shadowed(body: &mut Body<'_, '_>, piece: &Access, base: Term) -> Shadowed {
    let value = memory::read_piece(body, piece, base);
    let held = body.lowering.memory.regions[piece.region];
    let shadow = held.shadow.filter(|_| held.constant.is_none());
    let shadow = shadow.map(|shadow| memory::read_element(body, held.kind, shadow, piece, base));
    Shadowed { value, shadow }
}

/// Writes a value and its shadow.
pub(in crate::lower) fn write_shadowed(
    body: &mut Body<'_, '_>,
    piece: &Access,
    base: Term,
    content: Shadowed,
) {
    let held = body.lowering.memory.regions[piece.region];
    if held.constant.is_some() {
        return;
    }
    memory::write_element(body, held.kind, held.symbol, piece, (base, content.value));
    if let Some(shadow) = held.shadow {
        let undefined = shadow::or_zero(body, content);
        memory::write_element(body, held.kind, shadow, piece, (base, undefined));
    }
}

/// Nothing of it is initialised.
pub(in crate::lower) fn make_undefined(body: &mut Body<'_, '_>, piece: &Access, base: Term) {
    let held = body.lowering.memory.regions[piece.region];
    if let Some(shadow) = held.shadow {
        let ones = body.lowering.store.bits(piece.bits, u128::MAX);
        memory::write_element(body, held.kind, shadow, piece, (base, ones));
    }
}

/// The shadow of what a load reads.
pub(in crate::lower) fn read_shadow_at(body: &mut Body<'_, '_>, access: &Prepared, ty: &Type) -> Value {
    let mut terms = Vec::new();
    for (offset, scalar) in scalars(ty) {
        let width = body.lowering.width_of(&scalar);
        let part = access.parts.iter().find(|part| part.offset == offset).copied();
        let shadow = part.map(|part| read_shadowed(body, &part, access.at));
        terms.push(match shadow {
            Some(content) => {
                let shadow = shadow::or_zero(body, content);
                body.lowering.store.extract(0, width, shadow)
            }
            None => body.lowering.store.bits(width, u128::MAX),
        });
    }
    let mut terms = terms.into_iter();
    body.fresh_value(ty, &mut |_, _| terms.next().expect("one for each scalar"))
}

/// A value and its shadow in variables of their own.
pub(in crate::lower) fn kept_shadowed(
    body: &mut Body<'_, '_>,
    name: &str,
    content: Shadowed,
) -> (Symbol, Option<Symbol>) {
    let shadow = content.shadow.map(|shadow| body.kept(&format!("<undefined {name}>"), shadow));
    (body.kept(name, content.value), shadow)
}

pub(in crate::lower) fn read_kept(
    body: &mut Body<'_, '_>,
    (value, shadow): (Symbol, Option<Symbol>),
) -> Shadowed {
    Shadowed { value: body.read(value), shadow: shadow.map(|shadow| body.read(shadow)) }
}
