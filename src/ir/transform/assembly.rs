//! Inline assembly of x86, by idiom: what kernels and their drivers write in place of operations that C does not have.
//!
//! A template is read as a list of instructions. If all of them are known, other instructions of ours take the place of
//! the assembly, so that model and machine need not know it:
//!
//! | instruction | becomes |
//! |---|---|
//! | nothing, `nop`, `pause`, `mfence`, `lock; addl $0,0(%esp)`, … | a fence |
//! | `mov` between operands, an empty template with an operand that is input and output | the value |
//! | `xchg`, `lock; xadd`, `lock; cmpxchg` | an atomic update, a compare-and-exchange |
//! | `lock; inc`, `dec`, `add`, `sub`, `and`, `or`, `xor` on memory, with `sete`, `sets`, `setne` behind it | an atomic update, and a comparison |
//! | `lock; bts`, `btr`, `btc`, and `bt`, with `sbb` or `setc` behind it | the same on the word that has the bit |
//! | `rdtsc`, `cpuid`, `in`, `pushf; pop` | arbitrary results |
//! | a read relative to `%gs` or `%fs` | an arbitrary result; a pointer from outside, if one fits |
//! | `call` through a member of Linux's `pv_irq_ops`, which reads or switches the interrupts of a virtual machine | arbitrary results |
//!
//! Everything else stays assembly. If it says that it changes only registers, the model takes its results as arbitrary; else it is not modelled. An update without `lock` is two accesses, between which other threads
//! may run: it is only taken where the program starts no threads.

use crate::ir::{
    BinaryOperator, Callee, Cast, Comparison, Constant, Exchange, Function, FunctionId, GlobalId,
    Instruction, Module, Operand, Operation, Place, Type, Value, ValueId, Wrap,
};

/// Replaces what is known.
pub fn translate(module: &mut Module) {
    let threads = module.functions.iter().any(|function| STARTERS.contains(&function.name.as_str()));
    let pointer_bits = module.pointer_bits();
    let table = module.globals.enumerate().find(|(_, global)| global.name == INTERRUPTS).map(|(id, _)| id);
    let mut known = Known { pointer_bits, threads, table, pointer: None };
    for id in module.functions.ids() {
        let mut function = module.functions[id].clone();
        if !function.blocks.iter().flat_map(|block| &block.instructions).any(is_assembly) {
            continue;
        }
        known.pointer = Some(known.pointer.unwrap_or_else(|| module.declare(POINTER, Type::Pointer)));
        for block in function.blocks.ids() {
            let old = std::mem::take(&mut function.blocks[block].instructions);
            for instruction in old {
                let new = translated(&mut function, &instruction, known);
                function.blocks[block].instructions.extend(new.unwrap_or_else(|| vec![instruction]));
            }
        }
        module.functions[id] = function;
    }
}

/// What matters of a module.
#[derive(Clone, Copy)]
struct Known {
    pointer_bits: u32,
    /// Whether it starts threads.
    threads: bool,
    /// The table of operations on interrupts.
    table: Option<GlobalId>,
    /// A function that returns a pointer from outside.
    pointer: Option<FunctionId>,
}

/// It returns a pointer from outside.
const POINTER: &str = "__VERIFIER_nondet_pointer";

/// The table by which Linux switches interrupts where it may run in a virtual machine.
const INTERRUPTS: &str = "pv_irq_ops";

/// Whether an operand is the address of a variable or of a part of it.
fn leads_to(operand: &Operand, variable: GlobalId) -> bool {
    matches!(operand, Operand::Constant(Constant::Global(global, _)) if *global == variable)
}

/// What starts threads.
const STARTERS: [&str; 2] = ["pthread_create", "thrd_create"];

fn is_assembly(instruction: &Instruction) -> bool {
    matches!(instruction.operation, Operation::Call { callee: Callee::Assembly { .. }, .. })
}

/// What takes the place of an instruction, if it is assembly that is known.
fn translated(function: &mut Function, instruction: &Instruction, known: Known) -> Option<Vec<Instruction>> {
    let Operation::Call { callee: Callee::Assembly { template, constraints }, arguments, .. } =
        &instruction.operation
    else {
        return None;
    };
    let result = instruction.result.map(|value| function.values[value].ty.clone());
    let slots = slots(constraints, arguments, result.as_ref())?;
    let mut writer = Writer {
        function,
        out: Vec::new(),
        place: instruction.place,
        slots,
        flags: None,
        carry: None,
        known,
    };
    for statement in statements(template) {
        writer.statement(&statement)?;
    }
    writer.finish(instruction.result, result.as_ref())
}

/// An operand of a template.
#[derive(Clone)]
struct Slot {
    place: Where,
    /// The register that it must be in: `ax`.
    register: String,
    /// Whether it is a result, and which one.
    output: Option<usize>,
    /// Whether the template writes it.
    written: bool,
}

#[derive(Clone)]
enum Where {
    /// A register: what it holds, if anything yet, and its type.
    Register(Option<Operand>, Type),
    /// Memory at an address.
    Memory(Operand),
}

/// The operands, from what LLVM says of them.
fn slots(constraints: &str, arguments: &[(Operand, Type)], result: Option<&Type>) -> Option<Vec<Slot>> {
    let results = match result {
        None => Vec::new(),
        Some(Type::Aggregate { .. }) => members(result?)?,
        Some(ty) => vec![ty.clone()],
    };
    let (mut slots, mut given, mut outputs): (Vec<Slot>, _, _) = (Vec::new(), arguments.iter(), 0);
    for constraint in constraints.split(',').filter(|text| !text.is_empty() && !text.starts_with('~')) {
        let (is_output, text) = match constraint.strip_prefix('=') {
            Some(rest) => (true, rest),
            None => (false, constraint),
        };
        if text.contains('|') {
            return None;
        }
        let text = text.trim_start_matches(['&', '%']);
        let register = text.trim_start_matches('{').trim_end_matches('}').to_owned();
        let place = if text.starts_with('*') {
            Where::Memory(given.next()?.0.clone())
        } else if is_output {
            Where::Register(None, results.get(outputs)?.clone())
        } else {
            let (operand, ty) = given.next()?;
            if let Ok(tied) = text.parse::<usize>() {
                // It is there when the template starts.
                let Where::Register(held, _) = &mut slots.get_mut(tied)?.place else { return None };
                *held = Some(operand.clone());
            }
            Where::Register(Some(operand.clone()), ty.clone())
        };
        let output = (is_output && matches!(place, Where::Register(..))).then_some(outputs);
        outputs += usize::from(output.is_some());
        slots.push(Slot { place, register, output, written: is_output });
    }
    (outputs == results.len()).then_some(slots)
}

fn members(ty: &Type) -> Option<Vec<Type>> {
    match ty {
        Type::Aggregate { members, .. } => Some(members.iter().map(|(_, member)| member.clone()).collect()),
        _ => None,
    }
}

/// One instruction of a template: its name and its operands.
struct Statement {
    name: String,
    operands: Vec<Text>,
    locked: bool,
}

/// An operand as it is written.
#[derive(Clone, PartialEq, Debug)]
enum Text {
    /// `$0`, `${0:b}`.
    Slot(usize),
    /// `$$5`.
    Number(u128),
    /// A register, an address.
    Other(String),
}

/// The instructions of a template. What the kernel notes of them in other sections is left out.
fn statements(template: &str) -> Vec<Statement> {
    let mut out = Vec::new();
    let (mut elsewhere, mut locked) = (false, false);
    for part in template.split(['\n', ';', '\t']) {
        let mut part = part.trim();
        // A label.
        while let Some((label, rest)) = part.split_once(':')
            && !label.is_empty()
            && label.bytes().all(|byte| byte.is_ascii_digit())
        {
            part = rest.trim();
        }
        let directive = part.split_whitespace().next().unwrap_or("");
        match directive {
            "" => continue,
            ".section" | ".pushsection" => elsewhere = true,
            ".previous" | ".popsection" | ".text" => elsewhere = false,
            _ if elsewhere => {}
            "lock" | "rep" if directive == part => locked |= directive == "lock",
            _ => {
                let text = part.strip_prefix("lock ").map_or(part, |rest| {
                    locked = true;
                    rest.trim()
                });
                out.push(statement(text, std::mem::take(&mut locked)));
            }
        }
    }
    out
}

fn statement(text: &str, locked: bool) -> Statement {
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let operands = split(rest).into_iter().map(|operand| written(operand.trim())).collect();
    Statement { name: name.to_owned(), operands, locked }
}

/// At commas that are not within parentheses.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut out) = (0usize, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                out.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text[start..].trim().is_empty() {
        out.push(&text[start..]);
    }
    out
}

fn written(text: &str) -> Text {
    let number = |text: &str| text.strip_prefix("$$").and_then(|digits| digits.parse().ok());
    let plain = || {
        let inner = text.strip_prefix('$')?;
        let inner = inner.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(inner);
        inner.split(':').next()?.parse().ok()
    };
    match (number(text), plain()) {
        (Some(number), _) => Text::Number(number),
        (None, Some(slot)) => Text::Slot(slot),
        (None, None) => Text::Other(text.to_owned()),
    }
}

/// What the last update said of its result.
#[derive(Clone)]
struct Flags {
    result: Operand,
    bits: u32,
}

/// Writes instructions in place of a template.
struct Writer<'f> {
    function: &'f mut Function,
    out: Vec<Instruction>,
    place: Option<Place>,
    slots: Vec<Slot>,
    flags: Option<Flags>,
    /// One bit.
    carry: Option<Operand>,
    known: Known,
}

/// Instructions that only order others, or switch interrupts, which are threads to us.
const FENCES: [&str; 10] =
    ["nop", "pause", "mfence", "lfence", "sfence", "cli", "sti", "popf", "popfl", "popfq"];
/// Instructions whose results are arbitrary.
const ARBITRARY: [&str; 10] =
    ["rdtsc", "rdtscp", "cpuid", "inb", "inw", "inl", "rdmsr", "pushf", "pushfl", "pushfq"];

impl Writer<'_> {
    fn statement(&mut self, statement: &Statement) -> Option<()> {
        let Statement { name, operands, locked } = statement;
        if FENCES.contains(&name.as_str()) {
            self.push(None, Operation::Fence);
            return Some(());
        }
        if ARBITRARY.contains(&name.as_str()) || name == "call" && self.switches_interrupts(operands) {
            return self.arbitrary_results();
        }
        if let Some(condition) = name.strip_prefix("set") {
            return self.set(condition, operands);
        }
        let (base, bits) = self.width(name, operands)?;
        let atomic = *locked || base == "xchg" || !self.known.threads;
        match (base, &operands[..]) {
            // What is pushed and popped is not followed: a result that nothing else writes holds anything.
            ("pop" | "push", [Text::Slot(_)]) => Some(()),
            ("mov", [from, to]) => self.mov(from, to, bits),
            // A barrier: the stack is not touched.
            (_, [Text::Number(0), Text::Other(address)]) if *locked && is_stack(address) => {
                self.push(None, Operation::Fence);
                Some(())
            }
            ("xchg", [a, b]) => self.xchg(a, b, bits),
            _ if !atomic => None,
            ("xadd", [Text::Slot(register), memory]) => {
                let (address, value) = (self.memory(memory)?, self.read_as(&Text::Slot(*register), bits)?);
                let old = self.update(Exchange::Add, address, value, bits);
                (self.flags, self.carry) = (None, None);
                self.put(*register, old)
            }
            ("cmpxchg", [new, memory]) => self.compare_exchange(new, memory, bits),
            ("inc" | "dec", [memory]) => {
                let exchange = if base == "inc" { Exchange::Add } else { Exchange::Subtract };
                self.combine(exchange, memory, number(bits, 1), bits)
            }
            ("add" | "sub" | "and" | "or" | "xor", [value, memory]) => {
                let value = self.read_as(value, bits)?;
                self.combine(exchange(base)?, memory, value, bits)
            }
            ("bts" | "btr" | "btc" | "bt", [bit, memory]) => self.bit(base, bit, memory, bits),
            ("sbb", [Text::Slot(a), Text::Slot(b)]) if a == b => {
                let carry = self.carry.clone()?;
                let all = self.value(Type::Integer(bits));
                self.push(Some(all), Operation::Cast { cast: Cast::SignExtend, value: carry });
                self.put(*a, Operand::Value(all))
            }
            _ => None,
        }
    }

    /// Whether a call goes through a member of the table of Linux's operations on interrupts.
    fn switches_interrupts(&self, operands: &[Text]) -> bool {
        let [Text::Other(target)] = operands else { return false };
        let Some(Text::Slot(slot)) = target.strip_prefix('*').map(written) else { return false };
        let Some(Slot { place: Where::Register(Some(operand), _), .. }) = self.slots.get(slot) else {
            return false;
        };
        self.known.table.is_some_and(|table| leads_to(operand, table))
    }

    /// A name without its suffix, and the width it says; or that of the first operand that has one.
    fn width<'n>(&self, name: &'n str, operands: &[Text]) -> Option<(&'n str, u32)> {
        if !NAMES.contains(&name) {
            let (base, suffix) = name.split_at_checked(name.len().checked_sub(1)?)?;
            let bits = match suffix {
                "b" => 8,
                "w" => 16,
                "l" => 32,
                "q" => 64,
                _ => return None,
            };
            return NAMES.contains(&base).then_some((base, bits));
        }
        let known = operands.iter().find_map(|operand| match operand {
            Text::Slot(slot) => match &self.slots.get(*slot)?.place {
                Where::Register(_, ty) => width_of(ty, self.known.pointer_bits),
                Where::Memory(_) => None,
            },
            _ => None,
        });
        Some((name, known.unwrap_or(32)))
    }

    fn mov(&mut self, from: &Text, to: &Text, bits: u32) -> Option<()> {
        if let (Text::Other(from), Text::Slot(to)) = (from, to) {
            // What each processor has for itself is not known.
            let own = from.starts_with("%gs:") || from.starts_with("%fs:") || from.starts_with("%%gs:");
            return if own { self.of_processor(*to) } else { None };
        }
        let Text::Slot(to) = *to else { return None };
        match (self.slots.get(to)?.place.clone(), self.memory(from)) {
            (Where::Register(_, Type::Pointer), None) => {
                let value = self.read(from)?;
                self.hold(to, value)
            }
            (Where::Register(..), None) => {
                let value = self.read_as(from, bits)?;
                self.put(to, value)
            }
            // An access of C that only looks like assembly.
            (Where::Register(_, ty), Some(address)) => {
                let ty = if ty == Type::Pointer { ty } else { Type::Integer(bits) };
                let value = self.value(ty.clone());
                let align = u64::from(bits / 8);
                self.push(Some(value), Operation::Load { address, align, volatile: true, atomic: true });
                if ty == Type::Pointer {
                    self.hold(to, Operand::Value(value))
                } else {
                    self.put(to, Operand::Value(value))
                }
            }
            (Where::Memory(address), None) => {
                let value = self.read_as(from, bits)?;
                let (ty, align) = (Type::Integer(bits), u64::from(bits / 8));
                self.push(None, Operation::Store { address, value, ty, align, volatile: true, atomic: true });
                Some(())
            }
            (Where::Memory(_), Some(_)) => None,
        }
    }

    fn xchg(&mut self, a: &Text, b: &Text, bits: u32) -> Option<()> {
        let (register, address) = match (self.memory(a), self.memory(b)) {
            (Some(address), None) => (b, address),
            (None, Some(address)) => (a, address),
            _ => return None,
        };
        let Text::Slot(register) = *register else { return None };
        if let Where::Register(held, Type::Pointer) = self.slots.get(register)?.place.clone() {
            // An address stays one.
            let old = self.value(Type::Pointer);
            self.push(Some(old), Operation::AtomicUpdate { exchange: Exchange::Swap, address, value: held? });
            return self.hold(register, Operand::Value(old));
        }
        let value = self.read_as(&Text::Slot(register), bits)?;
        let old = self.update(Exchange::Swap, address, value, bits);
        self.put(register, old)
    }

    fn compare_exchange(&mut self, new: &Text, memory: &Text, bits: u32) -> Option<()> {
        let accumulator = self.slots.iter().position(|slot| {
            ["a", "ax", "al", "eax", "rax"].contains(&slot.register.as_str()) && slot.output.is_some()
        })?;
        let (address, new) = (self.memory(memory)?, self.read_as(new, bits)?);
        let expected = self.read_as(&Text::Slot(accumulator), bits)?;
        let ty = Type::Integer(bits);
        let bytes = u64::from(bits / 8);
        let pair =
            Type::Aggregate { members: vec![(0, ty.clone()), (bytes, Type::Integer(1))], size: 2 * bytes };
        let (both, old) = (self.value(pair.clone()), self.value(ty.clone()));
        let operation = Operation::CompareExchange { address, expected, new, ty, weak: false };
        self.push(Some(both), operation);
        let aggregate = Operand::Value(both);
        self.push(
            Some(old),
            Operation::Extract { aggregate: aggregate.clone(), ty: pair.clone(), path: vec![0] },
        );
        let success = self.value(Type::Integer(1));
        self.push(Some(success), Operation::Extract { aggregate, ty: pair, path: vec![1] });
        // Zero says that it was done.
        let not = self.binary(BinaryOperator::Xor, Operand::Value(success), number(1, 1), 1);
        (self.flags, self.carry) = (Some(Flags { result: not, bits: 1 }), None);
        self.put(accumulator, Operand::Value(old))
    }

    /// An update of memory, whose new value the flags are about.
    fn combine(&mut self, exchange: Exchange, memory: &Text, value: Operand, bits: u32) -> Option<()> {
        let address = self.memory(memory)?;
        let old = self.update(exchange, address, value.clone(), bits);
        let operator = match exchange {
            Exchange::Add => BinaryOperator::Add,
            Exchange::Subtract => BinaryOperator::Subtract,
            Exchange::And => BinaryOperator::And,
            Exchange::Or => BinaryOperator::Or,
            Exchange::Xor => BinaryOperator::Xor,
            _ => return None,
        };
        let result = self.binary(operator, old, value, bits);
        (self.flags, self.carry) = (Some(Flags { result, bits }), None);
        Some(())
    }

    /// A bit of a field of bits: the word that has it, and what it was before.
    fn bit(&mut self, base: &str, bit: &Text, memory: &Text, bits: u32) -> Option<()> {
        let field = self.memory(memory)?;
        let number_of_bit = self.read_as(bit, bits)?;
        let shift = bits.trailing_zeros();
        let word = self.binary(
            BinaryOperator::ShiftRightSigned,
            number_of_bit.clone(),
            number(bits, shift.into()),
            bits,
        );
        let address = self.value(Type::Pointer);
        let terms = vec![(word, bits, i64::from(bits / 8))];
        self.push(
            Some(address),
            Operation::Offset { base: field, constant: 0, terms, in_bounds: false, array: None },
        );
        let within =
            self.binary(BinaryOperator::And, number_of_bit, number(bits, u128::from(bits - 1)), bits);
        let mask = self.binary(BinaryOperator::ShiftLeft, number(bits, 1), within, bits);
        let address = Operand::Value(address);
        let old = match base {
            "bt" => {
                let old = self.value(Type::Integer(bits));
                let align = u64::from(bits / 8);
                self.push(Some(old), Operation::Load { address, align, volatile: true, atomic: true });
                Operand::Value(old)
            }
            "bts" => self.update(Exchange::Or, address, mask.clone(), bits),
            "btc" => self.update(Exchange::Xor, address, mask.clone(), bits),
            _ => {
                let all = number(bits, crate::term::arithmetic::mask(bits));
                let others = self.binary(BinaryOperator::Xor, mask.clone(), all, bits);
                self.update(Exchange::And, address, others, bits)
            }
        };
        let was = self.binary(BinaryOperator::And, old, mask, bits);
        (self.flags, self.carry) = (None, Some(self.compare(Comparison::NotEqual, was, number(bits, 0))));
        Some(())
    }

    /// `sete`, `sets`, …: a byte that is 1 if the condition holds.
    fn set(&mut self, condition: &str, operands: &[Text]) -> Option<()> {
        let [Text::Slot(to)] = operands else { return None };
        let bit = match condition {
            "c" | "b" => self.carry.clone()?,
            _ => {
                let Flags { result, bits } = self.flags.clone()?;
                let comparison = match condition {
                    "e" | "z" => Comparison::Equal,
                    "ne" | "nz" => Comparison::NotEqual,
                    // What a compare-and-exchange says of signs is another matter.
                    "s" if bits > 1 => Comparison::SignedLess,
                    _ => return None,
                };
                self.compare(comparison, result, number(bits, 0))
            }
        };
        if let Where::Memory(address) = self.slots.get(*to)?.place.clone() {
            let value = self.cast(Cast::ZeroExtend, bit, 8);
            let ty = Type::Integer(8);
            self.push(
                None,
                Operation::Store { address, value, ty, align: 1, volatile: false, atomic: false },
            );
            return Some(());
        }
        let byte = self.cast(Cast::ZeroExtend, bit, 8);
        self.put(*to, byte)
    }

    fn arbitrary_results(&mut self) -> Option<()> {
        if self.slots.iter().any(|slot| slot.written && slot.output.is_none()) {
            return None;
        }
        let outputs: Vec<usize> =
            (0..self.slots.len()).filter(|&slot| self.slots[slot].output.is_some()).collect();
        outputs.into_iter().try_for_each(|slot| self.arbitrary_result(slot))
    }

    fn arbitrary_result(&mut self, slot: usize) -> Option<()> {
        let Where::Register(_, ty) = self.slots.get(slot)?.place.clone() else { return None };
        let value = self.value(ty.clone());
        self.push(Some(value), Operation::Freeze(Operand::Constant(Constant::Undefined(ty))));
        self.hold(slot, Operand::Value(value))
    }

    /// What a processor has for itself. If it may be a pointer, it is one from outside.
    fn of_processor(&mut self, slot: usize) -> Option<()> {
        let Where::Register(_, ty) = self.slots.get(slot)?.place.clone() else { return None };
        if width_of(&ty, self.known.pointer_bits)? != self.known.pointer_bits {
            return self.arbitrary_result(slot);
        }
        let pointer = self.value(Type::Pointer);
        let callee = Callee::Function(self.known.pointer?);
        self.push(Some(pointer), Operation::Call { callee, arguments: Vec::new(), copied: Vec::new() });
        let pointer = Operand::Value(pointer);
        if ty == Type::Pointer {
            return self.hold(slot, pointer);
        }
        let number = self.value(ty);
        self.push(Some(number), Operation::Cast { cast: Cast::PointerToInteger, value: pointer });
        self.hold(slot, Operand::Value(number))
    }

    /// The address of an operand in memory.
    fn memory(&self, operand: &Text) -> Option<Operand> {
        let Text::Slot(slot) = operand else { return None };
        match &self.slots.get(*slot)?.place {
            Where::Memory(address) => Some(address.clone()),
            Where::Register(..) => None,
        }
    }

    /// What an operand in a register holds, or a number.
    fn read(&self, operand: &Text) -> Option<Operand> {
        match operand {
            Text::Slot(slot) => match &self.slots.get(*slot)?.place {
                Where::Register(held, _) => held.clone(),
                Where::Memory(_) => None,
            },
            _ => None,
        }
    }

    /// The same, with a width.
    fn read_as(&mut self, operand: &Text, bits: u32) -> Option<Operand> {
        if let Text::Number(value) = operand {
            return Some(number(bits, *value & crate::term::arithmetic::mask(bits)));
        }
        let Text::Slot(slot) = operand else { return None };
        let Where::Register(held, ty) = self.slots.get(*slot)?.place.clone() else { return None };
        let held = held?;
        match (&ty, width_of(&ty, self.known.pointer_bits)?) {
            (Type::Pointer, width) if width == bits => {
                let value = self.value(Type::Integer(bits));
                self.push(Some(value), Operation::Cast { cast: Cast::PointerToInteger, value: held });
                Some(Operand::Value(value))
            }
            (Type::Integer(_), width) if width == bits => Some(held),
            (Type::Integer(_), width) if width > bits => {
                let value = self.value(Type::Integer(bits));
                self.push(Some(value), Operation::Cast { cast: Cast::Truncate, value: held });
                Some(Operand::Value(value))
            }
            // Nobody knows what the rest of the register holds.
            _ => None,
        }
    }

    /// A register gets an integer, in the width of its type.
    fn put(&mut self, slot: usize, value: Operand) -> Option<()> {
        let Where::Register(_, ty) = self.slots.get(slot)?.place.clone() else { return None };
        let Operand::Value(id) = value else { return self.hold(slot, value) };
        let from = width_of(&self.function.values[id].ty, self.known.pointer_bits)?;
        let value = match &ty {
            Type::Pointer => {
                let pointer = self.value(Type::Pointer);
                self.push(Some(pointer), Operation::Cast { cast: Cast::IntegerToPointer, value });
                Operand::Value(pointer)
            }
            Type::Integer(to) if *to == from => value,
            Type::Integer(to) if *to < from => self.cast(Cast::Truncate, value, *to),
            // A write of 32 bits clears the others; one of 8 or 16 bits leaves them as they are.
            Type::Integer(to) if from == 32 => self.cast(Cast::ZeroExtend, value, *to),
            Type::Integer(to) => {
                let low = self.cast(Cast::ZeroExtend, value, *to);
                let before = self.read(&Text::Slot(slot))?;
                let high = crate::term::arithmetic::mask(*to) & !crate::term::arithmetic::mask(from);
                let kept = self.binary(BinaryOperator::And, before, number(*to, high), *to);
                self.binary(BinaryOperator::Or, kept, low, *to)
            }
            _ => return None,
        };
        self.hold(slot, value)
    }

    fn hold(&mut self, slot: usize, value: Operand) -> Option<()> {
        match &mut self.slots.get_mut(slot)?.place {
            Where::Register(held, _) => *held = Some(value),
            Where::Memory(_) => return None,
        }
        Some(())
    }

    fn update(&mut self, exchange: Exchange, address: Operand, value: Operand, bits: u32) -> Operand {
        let old = self.value(Type::Integer(bits));
        self.push(Some(old), Operation::AtomicUpdate { exchange, address, value });
        Operand::Value(old)
    }

    fn binary(&mut self, operator: BinaryOperator, left: Operand, right: Operand, bits: u32) -> Operand {
        let value = self.value(Type::Integer(bits));
        self.push(Some(value), Operation::Binary { operator, left, right, wrap: Wrap::default() });
        Operand::Value(value)
    }

    fn compare(&mut self, comparison: Comparison, left: Operand, right: Operand) -> Operand {
        let value = self.value(Type::Integer(1));
        self.push(Some(value), Operation::Compare { comparison, left, right });
        Operand::Value(value)
    }

    fn cast(&mut self, cast: Cast, value: Operand, bits: u32) -> Operand {
        let other = self.value(Type::Integer(bits));
        self.push(Some(other), Operation::Cast { cast, value });
        Operand::Value(other)
    }

    fn value(&mut self, ty: Type) -> ValueId {
        self.function.values.push(Value { ty, name: String::new(), variable: None })
    }

    fn push(&mut self, result: Option<ValueId>, operation: Operation) {
        self.out.push(Instruction { result, operation, place: self.place });
    }

    /// The results of the template, as what stood there before gave them.
    fn finish(mut self, result: Option<ValueId>, ty: Option<&Type>) -> Option<Vec<Instruction>> {
        let mut outputs: Vec<(usize, Option<Operand>, Type)> = Vec::new();
        for slot in &self.slots {
            if let (Some(number), Where::Register(held, ty)) = (slot.output, &slot.place) {
                outputs.push((number, held.clone(), ty.clone()));
            }
        }
        outputs.sort_by_key(|(number, ..)| *number);
        // A result that no instruction writes holds anything.
        let values: Vec<Operand> = outputs
            .into_iter()
            .map(|(_, held, ty)| held.unwrap_or(Operand::Constant(Constant::Undefined(ty))))
            .collect();
        match (result, ty) {
            (None, _) => {}
            (Some(result), Some(Type::Aggregate { .. })) => {
                let ty = ty?.clone();
                let mut aggregate = Operand::Constant(Constant::Undefined(ty.clone()));
                let last = values.len().checked_sub(1)?;
                for (number, value) in values.into_iter().enumerate() {
                    let next = if number == last { result } else { self.value(ty.clone()) };
                    let path = vec![u32::try_from(number).ok()?];
                    self.push(Some(next), Operation::Insert { aggregate, value, path });
                    aggregate = Operand::Value(next);
                }
            }
            (Some(result), _) => {
                let value = values.into_iter().next()?;
                self.push(Some(result), Operation::Freeze(value));
            }
        }
        Some(self.out)
    }
}

/// Instructions that have a width in their names.
const NAMES: [&str; 18] = [
    "mov", "xchg", "xadd", "cmpxchg", "inc", "dec", "add", "sub", "and", "or", "xor", "bts", "btr", "btc",
    "bt", "sbb", "pop", "push",
];

fn exchange(name: &str) -> Option<Exchange> {
    Some(match name {
        "add" => Exchange::Add,
        "sub" => Exchange::Subtract,
        "and" => Exchange::And,
        "or" => Exchange::Or,
        "xor" => Exchange::Xor,
        _ => return None,
    })
}

/// Whether an address is on the stack of the processor.
fn is_stack(address: &str) -> bool {
    address.contains("%esp)") || address.contains("%rsp)")
}

fn width_of(ty: &Type, pointer_bits: u32) -> Option<u32> {
    match ty {
        Type::Integer(bits) => Some(*bits),
        Type::Pointer => Some(pointer_bits),
        _ => None,
    }
}

fn number(bits: u32, value: u128) -> Operand {
    Operand::Constant(Constant::Integer { bits, value })
}
