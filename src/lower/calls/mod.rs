//! Calls.

pub(in crate::lower) mod known;
pub(in crate::lower) mod parameters;
pub(in crate::lower) mod varargs;

use crate::checks::{Cut, Event};
use crate::ir::analysis::points_to::{Multiplicity, Origin, Transfer};
use crate::ir::{Callee, FunctionId, Operand, Type, ValueId};
use crate::library::functions::{Known, format_of, known};
use crate::lower::body::aggregate::{Value, scalars};
use crate::lower::body::{Body, Dead, Step};
use crate::lower::memory::transfer::Direction;
use crate::lower::memory::{objects, transfer};
use crate::lower::shadow::memory::passes_shadows;
use crate::lower::threads::own;
use crate::lower::{Lowering, shadow};
use crate::program::{Action, ProcedureId, PropertyKind, Role, Scope, Variable};
use crate::term::{Sort, Symbol, Term};

/// The width of a value whose scalars are joined; nothing if that is more than a term can have.
pub(in crate::lower) fn joined_width(lowering: &Lowering<'_>, ty: &Type) -> Option<u32> {
    let mut sum = 0;
    for (_, scalar) in scalars(ty) {
        sum += match scalar {
            Type::Integer(bits) => bits,
            Type::Pointer => lowering.pointer_bits(),
            Type::Float => 32,
            Type::Double => 64,
            Type::Void => return None,
            Type::Other { .. } | Type::Aggregate { .. } => return None,
        };
    }
    (1..=128).contains(&sum).then_some(sum)
}

/// The variable of what a procedure returns.
pub(in crate::lower) fn result_of(lowering: &mut Lowering<'_>, procedure: ProcedureId, width: u32) -> Symbol {
    if let Some(symbol) = lowering.procedures[procedure].result {
        return symbol;
    }
    let variable = Variable { scope: Scope::Local(procedure), ty: None, role: Role::Temporary };
    let symbol = lowering.variable("<result>", Sort::Bits(width), variable);
    lowering.procedures[procedure].result = Some(symbol);
    symbol
}

pub(in crate::lower) fn call<'m>(
    body: &mut Body<'_, 'm>,
    result: Option<ValueId>,
    callee: &'m Callee,
    arguments: &'m [(Operand, Type)],
) -> Step<Option<Value>> {
    match callee {
        Callee::Function(function) => call_function(body, result, *function, arguments),
        Callee::Address(address) => call_address(body, result, address, arguments),
        Callee::Assembly { template, constraints } => assembly(body, result, template, constraints),
    }
}

/// Assembly that is not understood (`ir::transform::assembly`). If it says that it changes only registers, its results are
/// arbitrary. The machine does not run it, so that no violation rests on it.
fn assembly(
    body: &mut Body<'_, '_>,
    result: Option<ValueId>,
    template: &str,
    constraints: &str,
) -> Step<Option<Value>> {
    if !only_registers(template, constraints) {
        return body.unsupported("inline assembly");
    }
    let ty = body.result_type(result);
    Ok(result.map(|_| body.arbitrary(ty, "inline assembly")))
}

/// Whether assembly says that it changes nothing but registers, and goes nowhere else.
fn only_registers(template: &str, constraints: &str) -> bool {
    let writes_memory = constraints.split(',').any(|constraint| {
        constraint == "~{memory}" || constraint.starts_with('=') && constraint.contains('*')
    });
    let instructions = template.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.');
    let leaves = |word: &str| {
        let jumps = word.starts_with('j') && word.len() <= 5;
        let calls = ["call", "int", "ret", "iret", "syscall", "sysenter"].iter();
        jumps || calls.clone().any(|call| word.starts_with(call))
    };
    !writes_memory && !instructions.into_iter().any(leaves)
}

fn call_function<'m>(
    body: &mut Body<'_, 'm>,
    result: Option<ValueId>,
    function: FunctionId,
    arguments: &'m [(Operand, Type)],
) -> Step<Option<Value>> {
    let callee = &body.lowering.module.functions[function];
    let known = known(&callee.name, &body.lowering.settings.error_functions);
    if known == Some(Known::Error) {
        return error(body, &callee.name);
    }
    let of_library = !callee.is_defined() || body.lowering.module.model_file(callee).is_some();
    if let Some(format) = format_of(&callee.name).filter(|_| of_library)
        && known::writes_by_format(body, format, arguments)
    {
        return body.unsupported("a format with %n, or one that is computed and may have it");
    }
    if callee.is_defined() {
        return call_procedure(body, result, function, arguments);
    }
    match known {
        Some(Known::Unmodelled) => {
            body.unsupported(format!("a call of {}, which is not modelled", callee.name))
        }
        // Nobody knows what such a function does with its arguments, or what it is for.
        Some(Known::Arbitrary) if !arguments.is_empty() || callee.result == Type::Void => {
            body.unsupported(format!("a call of {}, which is more than an input", callee.name))
        }
        Some(known) => known::call(body, result, known, arguments),
        None => known::call_undefined(body, result, callee, arguments),
    }
}

fn error<T>(body: &mut Body<'_, '_>, name: &str) -> Step<T> {
    body.property(PropertyKind::ErrorReached, format!("{name} is not called"), None);
    Err(Dead)
}

fn call_procedure<'m>(
    body: &mut Body<'_, 'm>,
    result: Option<ValueId>,
    function: FunctionId,
    arguments: &'m [(Operand, Type)],
) -> Step<Option<Value>> {
    let procedure = body.lowering.of_function[&function];
    let callee = &body.lowering.module.functions[function];
    // Copies first: they may cut the block.
    let mut copies = rustc_hash::FxHashMap::default();
    for (number, parameter) in callee.parameters.iter().enumerate() {
        if let (Some(size), Some((operand, _))) = (parameter.copied, arguments.get(number)) {
            body.depends_on(operand);
            let from = body.term(operand);
            copies.insert(number, copy_argument(body, function, number, size, from)?);
        }
    }
    let further = varargs::pass(body, function, arguments)?;
    body.cut(Cut::Call);
    let mut terms = Vec::new();
    for (number, parameter) in callee.parameters.iter().enumerate() {
        let width = body.lowering.width_of(&callee.values[parameter.value].ty);
        let term = match (copies.get(&number), arguments.get(number)) {
            (Some(&copy), _) => body.read(copy),
            (None, Some((operand, _))) => body.term(operand),
            (None, None) => body.input("missing argument", width),
        };
        if body.lowering.store.width(term) != width {
            return body.unsupported(format!("a call of {} with an argument of another type", callee.name));
        }
        terms.push(term);
    }
    terms.extend(shadows_for(body, function, arguments));
    terms.extend(further.map(|further| body.read(further)));
    terms.extend(own::number_for(body, function));
    let arguments = body.keep_terms(terms);
    let ty = body.result_type(result);
    let (target, value) = call_result(body, result, procedure, ty)?;
    body.act(Action::Call { procedure, arguments, result: target }, Cut::Call);
    if shadow::result_is_shadowed(body) && value.is_some() {
        body.shadows.result = Some(shadow_of_call(body, function, ty));
    }
    Ok(value)
}

/// The shadows of arguments that may be undefined.
fn shadows_for<'m>(
    body: &mut Body<'_, 'm>,
    function: FunctionId,
    arguments: &'m [(Operand, Type)],
) -> Vec<Term> {
    let callee = &body.lowering.module.functions[function];
    let mut out = Vec::new();
    for (number, parameter) in callee.parameters.iter().enumerate() {
        let open = body.lowering.shadow.definedness.value(function, parameter.value);
        if open && passes_shadows(body.lowering, function) {
            let width = body.lowering.width_of(&callee.values[parameter.value].ty);
            out.push(match arguments.get(number) {
                Some((operand, _)) => shadow::term(body, operand),
                None => body.lowering.store.bits(width, u128::MAX),
            });
        }
    }
    out
}

/// The shadow of what a function has just returned.
fn shadow_of_call(body: &mut Body<'_, '_>, function: FunctionId, ty: &Type) -> Value {
    if !body.lowering.shadow.definedness.results().contains(&function) {
        return shadow::zeros(body, ty);
    }
    match body.lowering.shadow.results.get(&function) {
        Some(&shadow) => {
            let joined = body.read(shadow);
            split(body, joined, ty)
        }
        None => shadow::ones(body, ty),
    }
}

/// Where the result of a call goes.
fn call_result(
    body: &mut Body<'_, '_>,
    result: Option<ValueId>,
    procedure: ProcedureId,
    ty: &Type,
) -> Step<(Option<Symbol>, Option<Value>)> {
    let Some(value) = result else { return Ok((None, None)) };
    let returned = body.lowering.procedures[procedure].result;
    let width = joined_width(body.lowering, ty);
    let (Some(returned), Some(width)) = (returned, width) else {
        return body.unsupported("a call whose result is not modelled");
    };
    if body.lowering.store.sort_of_symbol(returned) != Sort::Bits(width) {
        return body.unsupported("a call with a result of another type");
    }
    let name = body.function.values[value].name.clone();
    let symbol = body.temporary(&name, width);
    let joined = body.lowering.store.symbol(symbol);
    Ok((Some(symbol), Some(split(body, joined, ty))))
}

/// Scalars that were joined.
fn split(body: &mut Body<'_, '_>, joined: Term, ty: &Type) -> Value {
    let mut low = 0;
    body.fresh_value(ty, &mut |body, width| {
        let part = body.lowering.store.extract(low, width, joined);
        low += width;
        part
    })
}

/// The copy of a struct that is passed by value.
fn copy_argument(
    body: &mut Body<'_, '_>,
    callee: FunctionId,
    number: usize,
    size: u64,
    from: Term,
) -> Step<Symbol> {
    let from = body.kept("original", from);
    let origin = Origin::Copy(callee, number);
    let bits = body.lowering.pointer_bits();
    let several = body.lowering.points.multiplicity(callee) == Multiplicity::Several;
    let to = if several {
        let bytes = body.lowering.store.bits(bits, size.into());
        objects::take(body, origin, bytes, 16)?
    } else {
        let base = body.lowering.memory.layout.base(origin).expect("copies have addresses");
        body.lowering.store.bits(bits, base.into())
    };
    // What follows may cut the block.
    let to = body.kept("copy", to);
    let transfer = body.lowering.points.argument_copy(body.site, callee, number);
    if !matches!(transfer, Transfer::Nowhere) {
        let bytes = body.lowering.store.bits(bits, size.into());
        let bytes = body.kept("bytes", bytes);
        let sides = body.lowering.points.argument_sides(body.site, callee, number);
        body.offer(&Event::Block { at: from, bytes, targets: &sides.from, written: false })?;
        transfer::copy_checked(body, &transfer, to, from, bytes, Direction::Forward)?;
    }
    Ok(to)
}

fn call_address<'m>(
    body: &mut Body<'_, 'm>,
    result: Option<ValueId>,
    address: &'m Operand,
    arguments: &'m [(Operand, Type)],
) -> Step<Option<Value>> {
    let callees = body.lowering.points.callees(body.site);
    body.depends_on(address);
    let address = body.term(address);
    let slot = result.map(|value| body.slot(value));
    let address = body.keep_terms(vec![address])[0];
    body.cut(Cut::Call);
    body.offer(&Event::CallThrough(address))?;
    let (start, behind) = (body.pending().from, body.new_location());
    let mut other = body.lowering.store.boolean(true);
    // What a branch keeps in variables is not kept on the others.
    let values = body.snapshot();
    for &function in &callees.functions {
        body.restore(values.clone());
        let target = body.lowering.memory.layout.function(function);
        let target = body.lowering.store.bits(body.lowering.pointer_bits(), target.into());
        let same = body.lowering.store.equal(address, target);
        let differs = body.lowering.store.not(same);
        other = body.lowering.store.and(other, differs);
        one_callee(body, result, slot.as_ref(), (function, same), arguments, (start, behind));
    }
    body.restore(values);
    body.restart(start);
    if callees.complete {
        // It points to no function that can be called like this.
        body.tell(&Event::NoFunction { other, address });
    } else if body.lowering.store.node(other) != crate::term::Node::Boolean(false) {
        body.assume(other);
        let called = known::call_outside(body, result, callees.outside, arguments);
        leave_with(body, result, slot.as_ref(), called, behind);
    }
    body.restart(behind);
    if let Some(value) = result.filter(|&value| shadow::may_be_undefined(body, value)) {
        body.shadows.result = Some(shadow::slot(body, value));
    }
    Ok(slot)
}

fn one_callee<'m>(
    body: &mut Body<'_, 'm>,
    result: Option<ValueId>,
    slot: Option<&Value>,
    (function, condition): (FunctionId, Term),
    arguments: &'m [(Operand, Type)],
    (start, behind): (crate::program::LocationId, crate::program::LocationId),
) {
    body.restart(start);
    body.assume(condition);
    body.shadows.result = None;
    let called = call_function(body, result, function, arguments);
    leave_with(body, result, slot, called, behind);
}

/// Goes on behind a call through a pointer, with what one of the callees returned.
fn leave_with(
    body: &mut Body<'_, '_>,
    result: Option<ValueId>,
    slot: Option<&Value>,
    called: Step<Option<Value>>,
    behind: crate::program::LocationId,
) {
    let Ok(value) = called else { return };
    let mut updates: Vec<(Symbol, Term)> = Vec::new();
    if let (Some(slot), Some(value)) = (slot, value) {
        let pairs = slot.leaves().into_iter().zip(value.leaves());
        updates.extend(pairs.map(|(to, from)| (body.symbol_of(to), from)));
    }
    if let Some(value) = result.filter(|&value| shadow::may_be_undefined(body, value)) {
        let ty = body.result_type(result);
        let shadow = body.shadows.result.take().unwrap_or_else(|| shadow::zeros(body, ty));
        let pairs = shadow::slot(body, value).leaves().into_iter().zip(shadow.leaves());
        updates.extend(pairs.map(|(to, from)| (body.symbol_of(to), from)));
    }
    body.leave(behind, None, &updates);
}
