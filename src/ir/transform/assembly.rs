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
//! | arithmetic, shifts, `bswap`, `bsf`, `bsr`, `cmov`, `movzb` in registers | the same |
//! | `rdtsc`, `cpuid`, `in`, `pushf; pop`, `mov %cr0`, `call __get_user_4` | arbitrary results |
//! | `out`, `hlt`, `wbinvd`, `clflush` | a fence |
//! | a read relative to `%gs` or `%fs` | an arbitrary result; a pointer from outside, if one fits |
//! | `call` through a member of Linux's `pv_irq_ops`, which reads or switches the interrupts of a virtual machine | arbitrary results |
//!
//! Everything else stays assembly. If it says that it changes only registers, the model takes its results as arbitrary; else it is not modelled. An update without `lock` is two accesses, between which other threads
//! may run. An operand that is read after a result was written, though the compiler may have put both into one register (no `&`), is not taken.

mod memory;
mod processor;
mod registers;
mod template;

use crate::ir::{
    BinaryOperator, Callee, Cast, Comparison, Constant, Exchange, Function, FunctionId, GlobalId,
    Instruction, Module, Operand, Operation, Place, Type, Value, ValueId, Wrap,
};
use crate::term::arithmetic;
use template::{Statement, Text, statements};

/// Replaces what is known.
pub fn translate(module: &mut Module) {
    let threads = module.functions.iter().any(|function| STARTERS.contains(&function.name.as_str()));
    let pointer_bits = module.pointer_bits();
    let table = module.globals.enumerate().find(|(_, global)| global.name == INTERRUPTS).map(|(id, _)| id);
    let users_memory = !module.functions.iter().any(|function| {
        !function.blocks.is_empty() && USERS_MEMORY.iter().any(|name| function.name.starts_with(name))
    });
    let mut known = Known { pointer_bits, threads, table, users_memory, pointer: None };
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
    /// Whether Linux's functions for the memory of users are not the program's own.
    users_memory: bool,
    /// A function that returns a pointer from outside.
    pointer: Option<FunctionId>,
}

/// It returns a pointer from outside.
const POINTER: &str = "__VERIFIER_nondet_pointer";

/// The table by which Linux switches interrupts where it may run in a virtual machine.
const INTERRUPTS: &str = "pv_irq_ops";

/// What Linux calls to read and write the memory of users.
const USERS_MEMORY: [&str; 2] = ["__get_user_", "__put_user_"];

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
    let mut assembler = Assembler {
        function,
        out: Vec::new(),
        place: instruction.place,
        slots,
        flags: None,
        carry: None,
        pushed: Vec::new(),
        lost: false,
        known,
    };
    for statement in statements(template) {
        assembler.statement(&statement)?;
    }
    assembler.finish(instruction.result, result.as_ref())
}

/// An operand of a template.
#[derive(Clone)]
struct Slot {
    place: Where,
    /// The register that it must be in: `ax`.
    register: String,
    /// Whether it is a result, and which one.
    output: Option<usize>,
    /// Whether it is a result in memory.
    memory_output: bool,
    /// Whether it may be the register of an input, too, which is lost when it is written.
    shares: bool,
    /// Whether a number may stand in its place.
    immediate: bool,
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
        let early = text.starts_with('&');
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
                slots[tied].shares = false;
            }
            Where::Register(Some(operand.clone()), ty.clone())
        };
        let output = (is_output && matches!(place, Where::Register(..))).then_some(outputs);
        outputs += usize::from(output.is_some());
        let (shares, immediate) = (output.is_some() && !early, text.contains(IMMEDIATE));
        let memory_output = is_output && output.is_none();
        slots.push(Slot { place, register, output, memory_output, shares, immediate });
    }
    (outputs == results.len()).then_some(slots)
}

/// Constraints that a number fulfils.
const IMMEDIATE: [char; 11] = ['i', 'n', 'g', 'e', 'I', 'J', 'K', 'L', 'M', 'N', 'Z'];

fn members(ty: &Type) -> Option<Vec<Type>> {
    match ty {
        Type::Aggregate { members, .. } => Some(members.iter().map(|(_, member)| member.clone()).collect()),
        _ => None,
    }
}

/// What the last update said of its result.
#[derive(Clone)]
struct Flags {
    result: Operand,
    bits: u32,
}

/// Writes instructions in place of a template.
struct Assembler<'f> {
    function: &'f mut Function,
    out: Vec<Instruction>,
    place: Option<Place>,
    slots: Vec<Slot>,
    flags: Option<Flags>,
    /// One bit.
    carry: Option<Operand>,
    /// What was pushed; nothing for flags.
    pushed: Vec<Option<Operand>>,
    /// Whether inputs may have been overwritten, because they are in the register of a result.
    lost: bool,
    known: Known,
}

impl Assembler<'_> {
    fn statement(&mut self, statement: &Statement) -> Option<()> {
        if self.lost && statement.operands.iter().any(|operand| self.is_given(operand)) {
            return None;
        }
        self.privileged(statement).unwrap_or_else(|| self.ordinary(statement))
    }

    fn ordinary(&mut self, statement: &Statement) -> Option<()> {
        let Statement { name, operands, locked, .. } = statement;
        if let Some(condition) = name.strip_prefix("set") {
            return self.set(condition, operands);
        }
        let (base, bits) = self.width(statement)?;
        if matches!(&operands[..], [Text::Number(0), Text::Other(address)] if *locked && is_stack(address)) {
            // A barrier: the stack is not touched.
            self.push(None, Operation::Fence);
            return Some(());
        }
        let alone = *locked || base == "xchg" || !self.known.threads;
        let changes_memory = operands.last().is_some_and(|to| self.memory(to).is_some());
        match (base, &operands[..]) {
            ("push", [value]) => {
                let value = self.source(value, bits)?;
                self.pushed.push(Some(value));
                Some(())
            }
            ("pop", [Text::Slot(slot)]) => self.pop(*slot, bits),
            ("mov", [from, to]) => self.mov(from, to, bits),
            ("xchg", [a, b]) => self.xchg(a, b, bits),
            ("bt", [bit, memory]) => self.bit(base, bit, memory, bits),
            _ if !changes_memory => self.in_registers(base, operands, bits),
            ("add" | "sub" | "and" | "or" | "xor" | "inc" | "dec", _) => {
                let (value, memory) = match &operands[..] {
                    [value, memory] => (self.read_as(value, bits)?, memory),
                    [memory] => (number(bits, 1), memory),
                    _ => return None,
                };
                self.combine(base, memory, value, bits, alone)
            }
            _ if !alone => None,
            ("xadd", [Text::Slot(register), memory]) => {
                let (address, value) = (self.memory(memory)?, self.read_as(&Text::Slot(*register), bits)?);
                let old = self.update(Exchange::Add, address, value, bits);
                (self.flags, self.carry) = (None, None);
                self.put(*register, old)
            }
            ("cmpxchg", [new, memory]) => self.compare_exchange(new, memory, bits),
            ("bts" | "btr" | "btc", [bit, memory]) => self.bit(base, bit, memory, bits),
            _ => None,
        }
    }

    /// Whether an operand is in a register that the template was given, or in memory, whose address is in one.
    fn is_given(&self, operand: &Text) -> bool {
        let Text::Slot(slot) = operand else { return false };
        self.slots.get(*slot).is_none_or(|slot| slot.output.is_none())
    }

    /// A name without its suffix, and the width it says; or that of the first operand that has one.
    fn width<'n>(&self, statement: &'n Statement) -> Option<(&'n str, u32)> {
        let Statement { name, operands, widths, .. } = statement;
        // What is shifted by, or extended, may have another width.
        let apart = |base: &str| APART.contains(&base) && operands.len() == 2;
        let said = |base: &str| widths[usize::from(apart(base))..].iter().copied().flatten().next();
        let agree = |base: &str, bits: u32| {
            widths[usize::from(apart(base))..].iter().flatten().all(|width| *width == bits)
        };
        if !NAMES.contains(&name.as_str()) {
            let (base, suffix) = name.split_at_checked(name.len().checked_sub(1)?)?;
            let bits = match suffix {
                "b" => 8,
                "w" => 16,
                "l" => 32,
                "q" => 64,
                _ => return None,
            };
            return (NAMES.contains(&base) && agree(base, bits)).then_some((base, bits));
        }
        let known = operands[usize::from(apart(name))..].iter().find_map(|operand| match operand {
            Text::Slot(slot) => match &self.slots.get(*slot)?.place {
                Where::Register(_, ty) => width_of(ty, self.known.pointer_bits),
                Where::Memory(_) => None,
            },
            _ => None,
        });
        let stack = ["push", "pop"].contains(&name.as_str()).then_some(self.known.pointer_bits);
        let bits = said(name).or(stack).or(known).unwrap_or(32);
        agree(name, bits).then_some((name, bits))
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
            return Some(number(bits, *value & arithmetic::mask(bits)));
        }
        let Text::Slot(slot) = operand else { return None };
        let Slot { place: Where::Register(held, ty), immediate, .. } = self.slots.get(*slot)?.clone() else {
            return None;
        };
        let held = held?;
        if let (Operand::Constant(Constant::Integer { bits: width, value }), true) = (&held, immediate)
            && *width < bits
        {
            let value = arithmetic::to_signed(*width, *value);
            return Some(number(bits, arithmetic::from_signed(bits, value)));
        }
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
                let high = arithmetic::mask(*to) & !arithmetic::mask(from);
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
        self.lost |= self.slots[slot].shares;
        Some(())
    }

    /// Reads memory, in one step.
    fn load(&mut self, address: Operand, bits: u32) -> Operand {
        let value = self.value(Type::Integer(bits));
        let align = u64::from(bits / 8);
        self.push(Some(value), Operation::Load { address, align, volatile: true, atomic: true });
        Operand::Value(value)
    }

    /// Writes memory, in one step.
    fn store(&mut self, address: Operand, value: Operand, bits: u32) {
        let (ty, align) = (Type::Integer(bits), u64::from(bits / 8));
        self.push(None, Operation::Store { address, value, ty, align, volatile: true, atomic: true });
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
                // All its members are replaced.
                let mut aggregate = Operand::Constant(Constant::Zero(ty.clone()));
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
const NAMES: [&str; 40] = [
    "mov", "xchg", "xadd", "cmpxchg", "inc", "dec", "add", "sub", "and", "or", "xor", "bts", "btr", "btc",
    "bt", "sbb", "pop", "push", "bsf", "bsr", "bswap", "neg", "not", "cmp", "test", "shl", "sal", "shr",
    "sar", "rol", "ror", "cmovz", "cmove", "cmovnz", "cmovne", "movzb", "movzw", "movsb", "movsw", "movsl",
];
/// Those whose first operand may have another width.
const APART: [&str; 11] =
    ["shl", "sal", "shr", "sar", "rol", "ror", "movzb", "movzw", "movsb", "movsw", "movsl"];

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
