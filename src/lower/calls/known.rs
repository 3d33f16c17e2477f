//! Calls of functions without a body: those that are known by name, and those that nobody knows.

use crate::checks::Event;
use crate::ir::analysis::points_to::Origin;
use crate::ir::strings::text_of;
use crate::ir::transform::opaque;
use crate::ir::{Callee, Function, Global, Initialiser, Operand, Type, ValueId};
use crate::library::functions::{self, Known, OUTSIDE_FUNCTION};
use crate::lower::Undefined;
use crate::lower::body::aggregate::Value;
use crate::lower::body::{Body, Dead, Step, numbers};
use crate::lower::memory::{heap, tracking};
use crate::lower::threads::{join, locks, own, sections, start};
use crate::program::{Action, Assumption, CHANGED_OUTSIDE, PropertyKind, Role, Scope, Variable};
use crate::term::Term;

/// Functions that end the process without looking after it.
const ENDS_AT_ONCE: [&str; 5] = ["abort", "_exit", "_Exit", "__VERIFIER_silent_exit", "quick_exit"];

pub(in crate::lower) fn call_undefined<'m>(
    body: &mut Body<'_, 'm>,
    result: Option<ValueId>,
    callee: &'m Function,
    arguments: &'m [(Operand, Type)],
) -> Step<Option<Value>> {
    let name = &callee.name;
    let undefined = functions::undefined(name, body.lowering.settings.undefined);
    if undefined == Undefined::Unknown {
        return body.unsupported(format!("a call of {name}, which is not defined"));
    }
    undefined_effects(body, name, undefined, arguments)?;
    if callee.never_returns {
        return body.end(Action::End);
    }
    Ok(any_result(body, result, name))
}

/// What the user says of a function without a body that is called here.
fn undefined_effects<'m>(
    body: &mut Body<'_, 'm>,
    name: &str,
    undefined: Undefined,
    arguments: &'m [(Operand, Type)],
) -> Step {
    let havoc = undefined == Undefined::Havoc;
    body.lowering.claims.assume(assumed(name.into(), havoc));
    body.gives(arguments);
    if havoc {
        if !body.lowering.points.callbacks().is_empty() {
            return body.unsupported(format!("a call of {name}, which may call back"));
        }
        scramble_outside(body);
        body.offer(&Event::OutsideCode)?;
    }
    Ok(())
}

/// What is assumed of a function without a body, or of assembly.
fn assumed(name: String, havoc: bool) -> Assumption {
    if opaque::changes(&name).is_some() {
        return Assumption::Assembly { name, memory: havoc };
    }
    if havoc { Assumption::Havoc(name) } else { Assumption::Pure(name) }
}

/// A call through a pointer that leads to none of the program's functions. If it may change something, it must be known what it
/// gets at: points-to does not follow what is called through uninitialised pointers.
pub(in crate::lower) fn call_outside<'m>(
    body: &mut Body<'_, 'm>,
    result: Option<ValueId>,
    followed: bool,
    arguments: &'m [(Operand, Type)],
) -> Step<Option<Value>> {
    let undefined = body.lowering.settings.undefined;
    let known = match undefined {
        Undefined::Unknown => false,
        Undefined::Pure => true,
        Undefined::Havoc => followed,
    };
    if !known {
        return body.unsupported("a call through a pointer to an unknown function");
    }
    undefined_effects(body, OUTSIDE_FUNCTION, undefined, arguments)?;
    Ok(any_result(body, result, OUTSIDE_FUNCTION))
}

/// All that functions without a body get at holds anything. The inputs are named after the memory, so that a replay finds them.
fn scramble_outside(body: &mut Body<'_, '_>) {
    for (region, content) in body.lowering.points.regions().enumerate() {
        if !content.origins.contains(&Origin::Outside) {
            continue;
        }
        let symbol = body.lowering.memory.regions[region].symbol;
        let sort = body.lowering.store.sort_of_symbol(symbol);
        let name = format!("{CHANGED_OUTSIDE}{}", body.lowering.store.name(symbol));
        let variable = Variable { scope: Scope::Input, ty: None, role: Role::Input(name.clone()) };
        let input = body.lowering.variable(&name, sort, variable);
        body.pending().input(input);
        let value = body.lowering.store.symbol(input);
        // Shadows stay: nobody knows what is really written.
        body.write(symbol, value);
    }
}

fn any_result(body: &mut Body<'_, '_>, result: Option<ValueId>, name: &str) -> Option<Value> {
    let ty = body.result_type(result);
    result.map(|_| body.arbitrary(ty, name))
}

pub(in crate::lower) fn call<'m>(
    body: &mut Body<'_, 'm>,
    result: Option<ValueId>,
    known: Known,
    arguments: &'m [(Operand, Type)],
) -> Step<Option<Value>> {
    body.gives(arguments);
    if numbers::observation(body).is_some() {
        return body.unsupported("as many bytes as the number of an address");
    }
    match known {
        Known::Arbitrary => Ok(any_result(body, result, callee_name(body))),
        Known::Harmless | Known::Environment => {
            reads_unseen(body, arguments);
            Ok(any_result(body, result, callee_name(body)))
        }
        Known::Random => Ok(random(body, result)),
        Known::Assume => {
            sections::let_others_see(body);
            let condition = is_true(body, &arguments[0].0);
            body.assume(condition);
            Ok(any_result(body, result, "assume"))
        }
        Known::End => {
            // A call through a pointer may be one of `exit`.
            if !ENDS_AT_ONCE.contains(&callee_name(body)) {
                body.offer(&Event::Exit)?;
            }
            body.end(Action::End)
        }
        Known::AssertionFailed => {
            let text = arguments.first().and_then(|(operand, _)| text_of(body.lowering.module, operand));
            body.property(PropertyKind::Assertion, text.unwrap_or_else(|| "assertion".into()), None);
            Err(Dead)
        }
        Known::Assert => assert(body, result, arguments),
        Known::Error | Known::Unmodelled => unreachable!("handled before"),
        Known::AtomicBegin => {
            sections::begin(body);
            Ok(any_result(body, result, "atomic section"))
        }
        Known::AtomicEnd => {
            sections::end(body);
            Ok(any_result(body, result, "atomic section"))
        }
        Known::Allocate | Known::AllocateLocally => heap::malloc(body, arguments).map(Some),
        Known::AllocateZeroed => heap::calloc(body, arguments).map(Some),
        Known::Free => {
            tracking::free(body, arguments);
            Ok(None)
        }
        // Calls by name were made intrinsics before.
        Known::Copy | Known::Move | Known::Set => {
            body.unsupported(format!("a call of {} through a pointer", callee_name(body)))
        }
        Known::Reallocate => heap::realloc(body, arguments).map(Some),
        Known::StartThread => start::create(body, result, arguments),
        Known::JoinThread => join::join(body, result, arguments),
        Known::EndThread => own::exit(body, arguments),
        Known::OwnThread => Ok(own::this_thread(body, result)),
        Known::Lock(step) => {
            locks::step(body, step, arguments)?;
            Ok(None)
        }
        Known::Wait => {
            locks::wait(body, arguments)?;
            Ok(None)
        }
        Known::Unsupported => {
            let what = arguments.first().and_then(|(operand, _)| text_of(body.lowering.module, operand));
            body.unsupported(what.unwrap_or_default())
        }
    }
}

/// Whether a format may have the conversion `%n`, which writes: a constant says so, and of a computed one all that it may
/// point to must be constants.
pub(in crate::lower) fn writes_by_format<'m>(
    body: &mut Body<'_, 'm>,
    position: usize,
    arguments: &'m [(Operand, Type)],
) -> bool {
    let Some((operand, _)) = arguments.get(position) else { return true };
    if let Some(text) = text_of(body.lowering.module, operand) {
        return has_count(text.replace("%%", "").as_bytes());
    }
    let module = body.lowering.module;
    let harmless = |origin: &Origin| match origin {
        Origin::Global(global) => never_counts(&module.globals[*global]),
        _ => false,
    };
    !body.lowering.points.argument(body.site, position).iter().all(harmless)
}

/// A function that reads memory, and whose reads are not checked: strings that are no constants.
fn reads_unseen<'m>(body: &mut Body<'_, 'm>, arguments: &'m [(Operand, Type)]) {
    if arguments
        .iter()
        .any(|(operand, ty)| *ty == Type::Pointer && text_of(body.lowering.module, operand).is_none())
    {
        body.tell(&Event::ReadsUnseen);
    }
}

/// `rand`: from zero to the largest `int`.
fn random(body: &mut Body<'_, '_>, result: Option<ValueId>) -> Option<Value> {
    let width = body.lowering.width_of(body.result_type(result));
    let value = body.input("rand", 31.min(width));
    result.map(|_| Value::Term(body.lowering.store.zero_extend(width, value)))
}

fn callee_name<'m>(body: &Body<'_, 'm>) -> &'m str {
    let instruction = &body.function.blocks[body.site.block].instructions[body.site.number];
    match &instruction.operation {
        crate::ir::Operation::Call { callee: Callee::Function(function), .. } => {
            &body.lowering.module.functions[*function].name
        }
        _ => "a function",
    }
}

/// An operand that is not zero.
pub(in crate::lower) fn is_true<'m>(body: &mut Body<'_, 'm>, operand: &'m Operand) -> Term {
    let term = body.term(operand);
    let width = body.lowering.store.width(term);
    let zero = body.lowering.store.bits(width, 0);
    let is_zero = body.lowering.store.equal(term, zero);
    body.lowering.store.not(is_zero)
}

fn assert<'m>(
    body: &mut Body<'_, 'm>,
    result: Option<ValueId>,
    arguments: &'m [(Operand, Type)],
) -> Step<Option<Value>> {
    // `__CPROVER_assert` has a text.
    let text = arguments.get(1).and_then(|(operand, _)| text_of(body.lowering.module, operand));
    // The condition must be known at the location where the property sits.
    let holds = is_true(body, &arguments[0].0);
    let violated = body.lowering.store.not(holds);
    let violated = body.bit(violated);
    let violated = body.keep_terms(vec![violated])[0];
    let violated = body.is_one(violated);
    body.property(PropertyKind::Assertion, text.unwrap_or_else(|| "assertion".into()), Some(violated));
    let fine = body.lowering.store.not(violated);
    body.assume(fine);
    Ok(any_result(body, result, "assert"))
}

/// Whether a string has the conversion `%n`.
fn has_count(format: &[u8]) -> bool {
    format.split(|&byte| byte == b'%').skip(1).any(|conversion| {
        let mut rest = conversion.iter().skip_while(|byte| !byte.is_ascii_alphabetic());
        rest.find(|byte| !b"hljztqL".contains(byte)) == Some(&b'n')
    })
}

/// Whether no string within a global variable has the conversion `%n`, and nobody writes one there.
fn never_counts(global: &Global) -> bool {
    let known = |initialiser: &Initialiser| {
        let counts = |(_, bytes): &(u64, Vec<u8>)| has_count(bytes);
        initialiser.addresses.is_empty()
            && initialiser.unsupported.is_none()
            && !initialiser.bytes.iter().any(counts)
    };
    global.constant && global.initialiser.as_ref().is_some_and(known)
}
