//! What the function that is run gets as its arguments: choices.
//!
//! `main` gets a number that is not negative and that many strings, and no environment. Any other function gets arbitrary
//! values: numbers in place of pointers, too, so that nothing is known of what they point to.

use crate::ir::{FunctionId, Type};
use crate::vm::choices::{ChoiceKind, Domain};
use crate::vm::memory::{Contents, Lifetime, Object, Origin, shadow};
use crate::vm::run::{Run, Step};
use crate::vm::value::{ObjectId, Slot};

/// More strings than these are not made; whoever looks at them has no verdict.
const MOST_STRINGS: u64 = 64;

/// The bytes of a string, with the zero that ends it.
const STRING: usize = 8;

/// The arguments of the function that is run.
pub(super) fn arguments(run: &mut Run<'_>, entry: FunctionId) -> Step<Vec<Slot>> {
    if run.settings.entry == "main" { of_main(run, entry) } else { of_other(run, entry) }
}

fn of_main(run: &mut Run<'_>, entry: FunctionId) -> Step<Vec<Slot>> {
    let count = run.image.functions[entry].parameter_slots as usize;
    let Some(first) = run.module.functions[entry].parameters.first() else { return Ok(Vec::new()) };
    let bits = match run.module.functions[entry].values[first.value].ty {
        Type::Integer(bits @ 2..=64) => bits - 1,
        _ => 31,
    };
    let argc = run.choose_bits(ChoiceKind::Input, "argc", bits)?;
    let mut arguments = vec![Slot::number(argc)];
    if count > 1 {
        let word = run.memory.word as u64;
        let environment = Object::new(Origin::Environment("envp"), word, 16, Contents::Zeros);
        arguments.push(Slot::address(strings(run, argc), 0));
        arguments.push(Slot::address(run.memory.add(environment), 0));
    }
    arguments.resize(count, Slot::ZERO);
    Ok(arguments)
}

/// So many strings, and a null pointer behind them. The first one is the name of the program.
fn strings(run: &mut Run<'_>, count: u64) -> ObjectId {
    let word = run.memory.word;
    let made = count.min(MOST_STRINGS) as usize;
    let size = (made + 1) * word;
    let mut list = Object::new(Origin::Environment("argv"), size as u64, 16, Contents::Zeros);
    for number in 0..made {
        let mut string = Object::new(Origin::Environment("argv[]"), STRING as u64, 1, Contents::Zeros);
        if number == 0 {
            string.bytes.copy_from_slice(b"program\0");
        } else {
            string.mark(0, STRING - 1, shadow::HAVOCKED);
        }
        list.write_address(number * word, word, Slot::address(run.memory.add(string), 0));
    }
    if count > MOST_STRINGS {
        list.lifetime = Lifetime::Unsupported;
    }
    run.memory.add(list)
}

fn of_other(run: &mut Run<'_>, entry: FunctionId) -> Step<Vec<Slot>> {
    let module = run.module;
    let function = &module.functions[entry];
    let mut arguments = Vec::new();
    for parameter in &function.parameters {
        let value = &function.values[parameter.value];
        if let Some(size) = parameter.copied {
            let origin = Origin::Environment("parameter");
            let id = run.new_object(origin, size, 16, Contents::Zeros)?;
            run.memory[id].mark(0, size as usize, shadow::HAVOCKED);
            arguments.push(Slot::address(id, 0));
            continue;
        }
        let bits = match value.ty {
            Type::Integer(bits) => bits,
            Type::Pointer => run.pointer_bits(),
            Type::Float => 32,
            Type::Double => 64,
            _ => return run.unsupported("a parameter of this type of the function that is run"),
        };
        let name = format!("parameter {}", value.name);
        let number = run.choose(ChoiceKind::Input, &name, Domain::Bits(bits))?;
        if value.ty == Type::Pointer {
            run.outside.note(number as u64);
        }
        arguments.push(Slot::number(number as u64));
        if bits > 64 {
            arguments.push(Slot::number((number >> 64) as u64));
        }
    }
    Ok(arguments)
}
