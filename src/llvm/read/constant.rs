//! Constants: folded to ours where they are plain values or addresses, otherwise instructions before their user.
//!
//! LLVM 19 has few constant expressions left: `getelementptr`, casts, `add`, `sub`, `mul` and `xor`. Addresses fold to a
//! global and an offset; an integer made of an address, and an address made of an integer, are told apart because
//! initialisers can hold them, too, but an instruction must compute them.

use super::debug::{Kind, Val};
use super::layout::{Form, is_modelled};
use super::shapes::{Shapes, Step};
use crate::ground::index::Index as _;
use crate::ir::{Constant, FunctionId, GlobalId, Type};
use llvm_sys::LLVMOpcode as Opcode;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// What a name of the module stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbol {
    /// A global variable.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
}

/// Types and names, as far as constants need them.
pub struct Constants<'d> {
    /// Types.
    pub shapes: Shapes<'d>,
    /// Global variables and functions.
    pub symbols: FxHashMap<Val<'d>, Symbol>,
    /// How many global variables there are.
    pub variables: usize,
    /// Labels whose addresses are taken, in order. They are numbered after the global variables.
    pub labels: Vec<Val<'d>>,
}

/// What is left of a constant.
#[derive(Clone, PartialEq, Debug)]
pub enum Folded {
    /// A constant of ours.
    Constant(Constant),
    /// An address (a constant of type pointer) as an integer of so many bits.
    AddressAsInteger(Constant, u32),
    /// An integer as an address.
    IntegerAsAddress(u128),
    /// Something that must be computed.
    Expression(Opcode),
    /// Something that is not modelled, by name.
    Unsupported(String),
}

/// Aliases of aliases of … are followed no further.
const ALIASES: usize = 64;

impl<'d> Constants<'d> {
    /// The type of a value.
    pub fn type_of(&mut self, value: Val<'d>) -> Type {
        self.shapes.value_type(value.ty())
    }

    /// Folds a constant. Constants nest as deep as C's initialisers do; LLVM's own parser recursed on them before.
    pub fn fold(&mut self, value: Val<'d>) -> Folded {
        let value = unalias(value);
        match value.kind() {
            Kind::Integer => self.integer(value),
            Kind::Float => self.float(value),
            Kind::Null => Folded::Constant(Constant::Null),
            Kind::Zero => Folded::Constant(Constant::Zero(self.type_of(value))),
            Kind::Undefined => Folded::Constant(Constant::Undefined(self.type_of(value))),
            Kind::Poison => Folded::Constant(Constant::Poison(self.type_of(value))),
            Kind::Variable | Kind::Function => self.symbol(value),
            Kind::Members => self.aggregate(value),
            Kind::Expression(opcode) => self.expression(opcode, value),
            Kind::Alias => Folded::Unsupported("an alias of itself".to_owned()),
            Kind::Label => self.label(value),
            Kind::Other => Folded::Unsupported("a vector or other constant".to_owned()),
        }
    }

    fn symbol(&self, value: Val<'d>) -> Folded {
        match self.symbols.get(&value) {
            Some(Symbol::Global(id)) => Folded::Constant(Constant::Global(*id, 0)),
            Some(Symbol::Function(id)) => Folded::Constant(Constant::Function(*id)),
            None => Folded::Unsupported(format!("the address of {}", value.name())),
        }
    }

    /// The address of a label is that of an object that nobody accesses ([`labels`](super::labels)).
    fn label(&mut self, value: Val<'d>) -> Folded {
        let next = GlobalId::new(self.variables + self.labels.len());
        if let Entry::Vacant(entry) = self.symbols.entry(value) {
            entry.insert(Symbol::Global(next));
            self.labels.push(value);
        }
        self.symbol(value)
    }

    fn integer(&mut self, value: Val<'d>) -> Folded {
        match self.shapes.shape(value.ty()).form {
            Form::Integer(bits @ 1..=64) => {
                Folded::Constant(Constant::Integer { bits, value: value.small_integer().into() })
            }
            Form::Integer(bits @ 65..=128) => match wide_integer(&value.text(), bits) {
                Some(value) => Folded::Constant(Constant::Integer { bits, value }),
                None => Folded::Unsupported(format!("a constant of type i{bits}")),
            },
            _ => Folded::Unsupported("a constant of a wide integer type".to_owned()),
        }
    }

    fn float(&mut self, value: Val<'d>) -> Folded {
        match self.type_of(value) {
            Type::Float => Folded::Constant(Constant::Float(value.float_bits(32) as u32)),
            Type::Double => Folded::Constant(Constant::Double(value.float_bits(64))),
            ty => Folded::Constant(Constant::Unsupported(ty, "a floating-point constant".to_owned())),
        }
    }

    fn aggregate(&mut self, value: Val<'d>) -> Folded {
        let ty = self.type_of(value);
        if !is_modelled(&ty) {
            return Folded::Unsupported("a constant of a type that is not modelled".to_owned());
        }
        let mut members = Vec::new();
        for number in 0..u32::try_from(value.member_count()).unwrap_or(0) {
            match value.member(number).map(|member| self.fold(member)) {
                Some(Folded::Constant(member)) => members.push(member),
                _ => return Folded::Unsupported("a constant expression in a struct".to_owned()),
            }
        }
        Folded::Constant(Constant::Aggregate(ty, members))
    }

    fn expression(&mut self, opcode: Opcode, value: Val<'d>) -> Folded {
        let folded = match opcode {
            Opcode::LLVMGetElementPtr => self.address(value),
            Opcode::LLVMPtrToInt => self.pointer_to_integer(value),
            Opcode::LLVMIntToPtr => self.integer_to_pointer(value),
            Opcode::LLVMBitCast if value.ty() == value.operand(0).ty() => Some(self.fold(value.operand(0))),
            Opcode::LLVMAdd | Opcode::LLVMSub => self.moved_address(opcode, value),
            _ => None,
        };
        folded.unwrap_or(Folded::Expression(opcode))
    }

    /// A global and an offset, if all indices are constants.
    fn address(&mut self, value: Val<'d>) -> Option<Folded> {
        let (offset, terms) = self.distance(value)?;
        if !terms.is_empty() {
            return None;
        }
        match self.fold(value.operand(0)) {
            Folded::Constant(Constant::Global(id, start)) => {
                Some(Folded::Constant(Constant::Global(id, start.wrapping_add(offset))))
            }
            Folded::Constant(Constant::Null) => Some(self.plain_address(offset as i128 as u128)),
            Folded::IntegerAsAddress(start) => {
                Some(self.plain_address(start.wrapping_add(offset as i128 as u128)))
            }
            Folded::Constant(function @ Constant::Function(_)) if offset == 0 => {
                Some(Folded::Constant(function))
            }
            _ => None,
        }
    }

    /// How far a `getelementptr` leads, instruction or constant.
    pub fn distance(&mut self, value: Val<'d>) -> Option<super::shapes::Distance> {
        let steps: Option<Vec<Step>> =
            (1..value.operand_count()).map(|n| self.step(value.operand(n))).collect();
        let shape = self.shapes.shape(value.stepped_type());
        self.shapes.distance(&shape, &steps?)
    }

    /// The size in bytes of the array that begins at the base of a `getelementptr` and that its only variable index is for;
    /// nothing if there is no such array. An array of at most one element may be one that C lets grow at the end of a struct.
    pub fn indexed_array(
        &mut self,
        value: Val<'d>,
        constant: i64,
        terms: &[(usize, u32, i64)],
    ) -> Option<u64> {
        let shape = self.shapes.shape(value.stepped_type());
        let Form::Array(_, length) = shape.form else { return None };
        let only = constant == 0 && matches!(terms, [(1, _, _)]) && value.operand_count() == 3;
        (only && length > 1).then_some(shape.size)
    }

    fn step(&mut self, index: Val<'d>) -> Option<Step> {
        let Form::Integer(bits) = self.shapes.shape(index.ty()).form else { return None };
        match self.fold(index) {
            Folded::Constant(Constant::Integer { bits: bits @ 1..=64, value }) => {
                let unused = 64 - bits;
                Some(Step::Constant((((value as u64) << unused) as i64) >> unused))
            }
            _ => Some(Step::Variable(bits)),
        }
    }

    fn plain_address(&self, address: u128) -> Folded {
        match address & mask(self.shapes.layout.pointer_bytes * 8) {
            0 => Folded::Constant(Constant::Null),
            address => Folded::IntegerAsAddress(address),
        }
    }

    fn pointer_to_integer(&mut self, value: Val<'d>) -> Option<Folded> {
        let Form::Integer(bits @ 1..=128) = self.shapes.shape(value.ty()).form else { return None };
        let integer = |value: u128| Folded::Constant(Constant::Integer { bits, value: value & mask(bits) });
        match self.fold(value.operand(0)) {
            Folded::Constant(Constant::Null) => Some(integer(0)),
            Folded::IntegerAsAddress(address) => Some(integer(address)),
            Folded::Constant(address @ (Constant::Global(..) | Constant::Function(_))) => {
                Some(Folded::AddressAsInteger(address, bits))
            }
            _ => None,
        }
    }

    fn integer_to_pointer(&mut self, value: Val<'d>) -> Option<Folded> {
        match self.fold(value.operand(0)) {
            Folded::Constant(Constant::Integer { value, .. }) => Some(self.plain_address(value)),
            Folded::AddressAsInteger(address, bits) if bits >= self.shapes.layout.pointer_bytes * 8 => {
                Some(Folded::Constant(address))
            }
            _ => None,
        }
    }

    /// The address of a global as an integer of a pointer's width, plus or minus a number.
    fn moved_address(&mut self, opcode: Opcode, value: Val<'d>) -> Option<Folded> {
        let (left, right) = (self.fold(value.operand(0)), self.fold(value.operand(1)));
        let (Folded::AddressAsInteger(Constant::Global(id, offset), bits), Folded::Constant(by)) =
            (left, right)
        else {
            return None;
        };
        let Constant::Integer { value: by, .. } = by else { return None };
        if bits != self.shapes.layout.pointer_bytes * 8 {
            return None;
        }
        let unused = 64 - bits;
        let by = (((by as u64) << unused) as i64) >> unused;
        let by = if opcode == Opcode::LLVMSub { by.wrapping_neg() } else { by };
        Some(Folded::AddressAsInteger(Constant::Global(id, offset.wrapping_add(by)), bits))
    }
}

fn unalias(mut value: Val<'_>) -> Val<'_> {
    for _ in 0..ALIASES {
        if value.kind() != Kind::Alias {
            break;
        }
        value = value.aliasee();
    }
    value
}

/// Ones at the low `bits`.
#[must_use]
pub fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// An integer as LLVM writes it: `i128 -5`.
fn wide_integer(text: &str, bits: u32) -> Option<u128> {
    let number = text.split_whitespace().nth(1)?;
    let value = match number.strip_prefix('-') {
        Some(digits) => digits.parse::<u128>().ok()?.wrapping_neg(),
        None => number.parse::<u128>().ok()?,
    };
    Some(value & mask(bits))
}

#[cfg(test)]
mod tests {
    use super::wide_integer;

    #[test]
    fn wide_integers_wrap_at_their_width() {
        assert_eq!(wide_integer("i128 -1", 128), Some(u128::MAX));
        assert_eq!(wide_integer("i96 -1", 96), Some((1 << 96) - 1));
        assert_eq!(wide_integer("i128 36893488147419103232", 128), Some(1 << 65));
        assert_eq!(wide_integer("i128 what", 128), None);
    }
}
