//! What accesses and copies say about addresses.
//!
//! An access makes a slot at its address, and addresses flow between the slot and the value. Slots remember whether
//! numbers are written and addresses are read there, because an address may be made of numbers in memory as well.

use super::constraints::{Definitions, comes_from_address, integer, without_constants};
use super::graph::Cell;
use super::state::{Analysis, CopyKey, RawAccess, RawTransfer};
use super::{Origin, Site};
use crate::ir::{Exchange, FunctionId, Instruction, Intrinsic, Operand, Operation, Type};

/// An address, and how far its alignment can be trusted.
#[derive(Clone, Copy)]
struct Place<'o> {
    address: &'o Operand,
    align: u64,
}

/// What is done with memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// It is read.
    Read,
    /// An address is written, or a number that plainly comes from one, or a constant.
    WriteAddress,
    /// Any other number is written.
    WriteNumber,
}

impl<'a> Analysis<'a> {
    /// A load, a store or an atomic operation.
    pub fn memory(
        &mut self,
        site: Site,
        instruction: &Instruction,
        result: Option<Cell>,
        definitions: &Definitions<'a>,
    ) {
        let function = site.function;
        let natural = |ty: &Type| self.module.size_of(ty);
        match &instruction.operation {
            Operation::Load { address, align, .. } => {
                let Some(ty) =
                    instruction.result.map(|v| self.module.functions[function].values[v].ty.clone())
                else {
                    return;
                };
                self.touch(site, Place { address, align: *align }, &ty, Direction::Read, result);
            }
            Operation::Store { address, value, ty, align, .. } => {
                let direction = written(value, ty, definitions);
                let value = self.operand(function, value);
                self.touch(site, Place { address, align: *align }, ty, direction, value);
            }
            Operation::AtomicUpdate { exchange, address, value } => {
                let Some(ty) =
                    instruction.result.map(|v| self.module.functions[function].values[v].ty.clone())
                else {
                    return;
                };
                let place = Place { address, align: natural(&ty) };
                self.touch(site, place, &ty, Direction::Read, result);
                if *exchange == Exchange::Swap {
                    self.write_again(function, place, &ty, value);
                } else {
                    self.combine(function, place, &ty, value);
                }
            }
            Operation::CompareExchange { address, expected, new, ty, .. } => {
                let place = Place { address, align: natural(ty) };
                self.touch(site, place, ty, Direction::Read, result);
                if *ty != Type::Pointer {
                    self.combine(function, place, ty, expected);
                }
                self.write_again(function, place, ty, new);
            }
            _ => {}
        }
    }

    /// What an integer was read from becomes an address; says whether it was read from memory. Constants may be added to it.
    pub fn becomes_address(&mut self, site: Site, value: &'a Operand, definitions: &Definitions<'a>) -> bool {
        let function = site.function;
        let Operand::Value(id) = without_constants(value, definitions) else { return false };
        let Some(Operation::Load { address, .. }) = definitions[*id] else { return false };
        let width = self.module.size_of(&self.module.functions[function].values[*id].ty);
        let (Some(cell), Ok(width)) = (self.operand(function, address), u32::try_from(width)) else {
            return false;
        };
        if width < self.pointer() {
            return false;
        }
        self.graph.touch(cell, width, |slot| slot.address_loaded = true);
        self.becoming.push((site, cell, width));
        true
    }

    /// A number in memory takes part in arithmetic, or is compared.
    fn combine(&mut self, function: FunctionId, place: Place<'_>, ty: &Type, value: &Operand) {
        self.expose_all(function, [value]);
        let Some(address) = self.operand(function, place.address) else { return };
        let width = self.slot(address, ty, place.align, Direction::WriteNumber, None);
        if width >= self.pointer() {
            let link = self.graph.link(address, width);
            self.graph.expose(link);
        }
    }

    /// The second half of an atomic operation, whose access is known already.
    fn write_again(&mut self, function: FunctionId, place: Place<'_>, ty: &Type, value: &Operand) {
        let value = self.operand(function, value);
        let Some(address) = self.operand(function, place.address) else { return };
        for (offset, leaf) in leaves(ty) {
            let pointer = leaf == Type::Pointer;
            let direction = if pointer { Direction::WriteAddress } else { Direction::WriteNumber };
            self.slot(address.plus(offset), &leaf, place.align, direction, value);
        }
    }

    fn touch(&mut self, site: Site, place: Place<'_>, ty: &Type, direction: Direction, value: Option<Cell>) {
        let Some(address) = self.operand(site.function, place.address) else { return };
        for (offset, leaf) in leaves(ty) {
            let cell = address.plus(offset);
            let width = self.slot(cell, &leaf, place.align, direction, value);
            let offset = offset.unsigned_abs();
            self.accesses.push(RawAccess { site, cell, offset, width });
        }
    }

    fn slot(
        &mut self,
        cell: Cell,
        leaf: &Type,
        align: u64,
        direction: Direction,
        value: Option<Cell>,
    ) -> u32 {
        let width = u32::try_from(self.module.size_of(leaf)).unwrap_or(u32::MAX).max(1);
        let (address, pointer) = (*leaf == Type::Pointer, u64::from(self.pointer()));
        self.graph.touch(cell, width, |slot| {
            slot.loaded |= direction == Direction::Read;
            slot.stored |= direction != Direction::Read;
            slot.address_loaded |= address && direction == Direction::Read;
            slot.number_stored |= !address && direction == Direction::WriteNumber;
            slot.misaligned |= align < pointer;
        });
        if width >= self.pointer() {
            let link = self.graph.link(cell, width);
            match direction {
                Direction::Read => self.assign(value, Some(link)),
                Direction::WriteAddress | Direction::WriteNumber => self.assign(Some(link), value),
            }
        }
        width
    }

    /// What LLVM provides.
    pub fn intrinsic(
        &mut self,
        site: Site,
        result: Option<Cell>,
        intrinsic: Intrinsic,
        arguments: &[(Operand, Type)],
    ) {
        let function = site.function;
        let cells: Vec<_> = arguments.iter().map(|(op, _)| self.operand(function, op)).collect();
        let argument = |number: usize| cells.get(number).copied().flatten();
        let length = arguments.get(2).and_then(|(op, _)| integer(op)).map(i64::cast_unsigned);
        let key = CopyKey::Site(site);
        match intrinsic {
            Intrinsic::CopyMemory | Intrinsic::MoveMemory => {
                if let (Some(to), Some(from)) = (argument(0), argument(1)) {
                    self.transfers.push(RawTransfer { key, to, from: Some(from), length });
                }
            }
            Intrinsic::SetMemory => {
                if let Some(to) = argument(0) {
                    self.transfers.push(RawTransfer { key, to, from: None, length });
                }
            }
            Intrinsic::First | Intrinsic::ThreadLocalAddress => self.assign(result, argument(0)),
            Intrinsic::StartArguments => self.start_arguments(site, argument(0)),
            Intrinsic::CopyArguments => {
                let length = Some(if self.pointer() == 8 { 24 } else { 4 });
                if let (Some(to), Some(from)) = (argument(0), argument(1)) {
                    self.transfers.push(RawTransfer { key, to, from: Some(from), length });
                }
            }
            Intrinsic::Nothing
            | Intrinsic::StartLife
            | Intrinsic::EndLife
            | Intrinsic::UnknownLife
            | Intrinsic::Assume
            | Intrinsic::Trap
            | Intrinsic::EndArguments
            | Intrinsic::SaveStack
            | Intrinsic::RestoreStack
            | Intrinsic::ObjectSize
            | Intrinsic::IsConstant => {}
            _ => self.expose_all(function, arguments.iter().map(|(operand, _)| operand)),
        }
    }

    /// `va_start`: the list points to the arguments of this activation. On x86-64 it has two numbers and two
    /// addresses, on i386 it is one address.
    fn start_arguments(&mut self, site: Site, list: Option<Cell>) {
        let Some(list) = list else { return };
        let area = self.arguments_area(site.function);
        let pointer = self.pointer();
        let (numbers, addresses): (&[i64], &[i64]) =
            if pointer == 8 { (&[0, 4], &[8, 16]) } else { (&[], &[0]) };
        for &offset in numbers.iter().chain(addresses) {
            let width = if numbers.contains(&offset) { 4 } else { pointer };
            let cell = list.plus(offset);
            self.graph.touch(cell, width, |slot| slot.stored = true);
            if addresses.contains(&offset) {
                let link = self.graph.link(cell, width);
                self.graph.assign(link, area);
            }
            self.accesses.push(RawAccess { site, cell, offset: offset.unsigned_abs(), width });
        }
    }

    /// The arguments behind `...` of a function, taken as bytes.
    pub fn arguments_area(&mut self, function: FunctionId) -> Cell {
        let area = self.object(Origin::Arguments(function), None);
        self.graph.make_periodic(area, 1);
        area
    }
}

/// What a store writes.
fn written(value: &Operand, ty: &Type, definitions: &Definitions<'_>) -> Direction {
    let constant = matches!(value, Operand::Constant(_));
    let aggregate = matches!(ty, Type::Aggregate { .. });
    if constant || !aggregate && comes_from_address(value, definitions) {
        Direction::WriteAddress
    } else {
        Direction::WriteNumber
    }
}

/// Members that are no aggregates, with their offsets.
fn leaves(ty: &Type) -> Vec<(i64, Type)> {
    let (mut leaves, mut stack) = (Vec::new(), vec![(0, ty)]);
    while let Some((offset, ty)) = stack.pop() {
        match ty {
            Type::Void => {}
            Type::Aggregate { members, .. } => {
                let start = |by: u64| offset + i64::try_from(by).unwrap_or(0);
                stack.extend(members.iter().rev().map(|(by, ty)| (start(*by), ty)));
            }
            _ => leaves.push((offset, ty.clone())),
        }
    }
    leaves
}
