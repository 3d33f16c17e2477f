//! Instructions and the ends of blocks.
//!
//! The numbers that go with operands are their places in LLVM's own list: of a store, the value is 0 and the address 1.
//! An instruction on types that are not modelled (vectors, `long double`, integers beyond 128 bits) is unsupported as a
//! whole; calls and phis only pass such values on.

use super::function::Builder;
use super::labels;
use super::layout::is_modelled;
use crate::ir::{
    BinaryOperator as B, BlockId, Cast, Comparison, Exchange, FloatComparison, FloatOperator as F, Operand,
    Operation, Terminator, Type, Wrap,
};
use llvm_ir::instruction::{Atomicity, RMWBinOp};
use llvm_ir::{FPPredicate, Instruction as I, IntPredicate, Operand as Source, Terminator as T};

impl Builder<'_, '_> {
    /// What an instruction does.
    pub fn instruction(&mut self, instruction: &I) -> Operation {
        match instruction {
            I::Call(call) => return self.call(call),
            I::Phi(phi) => return self.phi(phi),
            _ => {}
        }
        match self.unmodelled() {
            Some(what) => Operation::Unsupported(what),
            None => self.memory(instruction),
        }
    }

    /// The name of the first type at hand that is not modelled.
    fn unmodelled(&mut self) -> Option<String> {
        let item = self.item;
        let result = self.reader.constants.type_of(item);
        let operands: Vec<Type> =
            (0..item.operand_count()).map(|n| self.reader.constants.type_of(item.operand(n))).collect();
        let name = operands.iter().chain([&result]).find_map(unmodelled_name)?;
        let opcode = format!("{:?}", item.opcode()).trim_start_matches("LLVM").to_lowercase();
        Some(format!("{opcode} on {name}"))
    }

    fn memory(&mut self, instruction: &I) -> Operation {
        match instruction {
            I::Alloca(i) => self.allocate(i),
            I::Load(i) => Operation::Load {
                address: self.operand(&i.address, 0),
                align: i.alignment.into(),
                volatile: i.volatile,
                atomic: is_atomic(i.atomicity.as_ref()),
            },
            I::Store(i) => Operation::Store {
                value: self.operand(&i.value, 0),
                address: self.operand(&i.address, 1),
                ty: self.operand_type(0),
                align: i.alignment.into(),
                volatile: i.volatile,
                atomic: is_atomic(i.atomicity.as_ref()),
            },
            I::GetElementPtr(i) => self.offset(i),
            I::AtomicRMW(i) => self.update(i),
            I::CmpXchg(i) => Operation::CompareExchange {
                address: self.operand(&i.address, 0),
                expected: self.operand(&i.expected, 1),
                new: self.operand(&i.replacement, 2),
                ty: self.operand_type(1),
                weak: i.weak,
            },
            I::Fence(_) => Operation::Fence,
            I::ExtractValue(i) => Operation::Extract {
                aggregate: self.operand(&i.aggregate, 0),
                ty: self.operand_type(0),
                path: i.indices.clone(),
            },
            I::InsertValue(i) => Operation::Insert {
                aggregate: self.operand(&i.aggregate, 0),
                value: self.operand(&i.element, 1),
                path: i.indices.clone(),
            },
            _ => self.arithmetic(instruction),
        }
    }

    #[rustfmt::skip] // one line each
    fn arithmetic(&mut self, instruction: &I) -> Operation {
        match instruction {
            I::Add(i) => self.binary(B::Add, &i.operand0, &i.operand1, wrap(i.nsw, i.nuw)),
            I::Sub(i) => self.binary(B::Subtract, &i.operand0, &i.operand1, wrap(i.nsw, i.nuw)),
            I::Mul(i) => self.binary(B::Multiply, &i.operand0, &i.operand1, wrap(i.nsw, i.nuw)),
            I::Shl(i) => self.binary(B::ShiftLeft, &i.operand0, &i.operand1, wrap(i.nsw, i.nuw)),
            I::UDiv(i) => self.binary(B::UnsignedDivide, &i.operand0, &i.operand1, exact(i.exact)),
            I::SDiv(i) => self.binary(B::SignedDivide, &i.operand0, &i.operand1, exact(i.exact)),
            I::LShr(i) => self.binary(B::ShiftRight, &i.operand0, &i.operand1, exact(i.exact)),
            I::AShr(i) => self.binary(B::ShiftRightSigned, &i.operand0, &i.operand1, exact(i.exact)),
            I::URem(i) => self.binary(B::UnsignedRemainder, &i.operand0, &i.operand1, Wrap::default()),
            I::SRem(i) => self.binary(B::SignedRemainder, &i.operand0, &i.operand1, Wrap::default()),
            I::And(i) => self.binary(B::And, &i.operand0, &i.operand1, Wrap::default()),
            I::Or(i) => self.binary(B::Or, &i.operand0, &i.operand1, Wrap::default()),
            I::Xor(i) => self.binary(B::Xor, &i.operand0, &i.operand1, Wrap::default()),
            I::FAdd(i) => self.float(F::Add, &i.operand0, &i.operand1),
            I::FSub(i) => self.float(F::Subtract, &i.operand0, &i.operand1),
            I::FMul(i) => self.float(F::Multiply, &i.operand0, &i.operand1),
            I::FDiv(i) => self.float(F::Divide, &i.operand0, &i.operand1),
            I::FRem(i) => self.float(F::Remainder, &i.operand0, &i.operand1),
            I::FNeg(i) => Operation::FloatNegate(self.operand(&i.operand, 0)),
            I::Freeze(i) => Operation::Freeze(self.operand(&i.operand, 0)),
            _ => self.conversion(instruction),
        }
    }

    #[rustfmt::skip] // one line each
    fn conversion(&mut self, instruction: &I) -> Operation {
        match instruction {
            I::Trunc(i) => self.cast_of(Cast::Truncate, &i.operand),
            I::ZExt(i) => { let value = self.operand(&i.operand, 0); self.extended(value) }
            I::SExt(i) => self.cast_of(Cast::SignExtend, &i.operand),
            I::PtrToInt(i) => self.cast_of(Cast::PointerToInteger, &i.operand),
            I::IntToPtr(i) => self.cast_of(Cast::IntegerToPointer, &i.operand),
            I::BitCast(i) => self.cast_of(Cast::Bits, &i.operand),
            I::FPTrunc(i) => self.cast_of(Cast::FloatTruncate, &i.operand),
            I::FPExt(i) => self.cast_of(Cast::FloatExtend, &i.operand),
            I::FPToSI(i) => self.cast_of(Cast::FloatToSigned, &i.operand),
            I::FPToUI(i) => self.cast_of(Cast::FloatToUnsigned, &i.operand),
            I::SIToFP(i) => self.cast_of(Cast::SignedToFloat, &i.operand),
            I::UIToFP(i) => self.cast_of(Cast::UnsignedToFloat, &i.operand),
            _ => self.comparison(instruction),
        }
    }

    fn comparison(&mut self, instruction: &I) -> Operation {
        match instruction {
            I::ICmp(i) => Operation::Compare {
                comparison: comparison(i.predicate),
                left: self.operand(&i.operand0, 0),
                right: self.operand(&i.operand1, 1),
            },
            I::FCmp(i) => Operation::FloatCompare {
                comparison: float_comparison(i.predicate),
                left: self.operand(&i.operand0, 0),
                right: self.operand(&i.operand1, 1),
            },
            I::Select(i) => Operation::Select {
                condition: self.operand(&i.condition, 0),
                yes: self.operand(&i.true_value, 1),
                no: self.operand(&i.false_value, 2),
            },
            I::VAArg(_) => Operation::Unsupported("the instruction va_arg".to_owned()),
            _ => {
                let opcode = format!("{:?}", self.item.opcode());
                Operation::Unsupported(format!(
                    "the instruction {}",
                    opcode.trim_start_matches("LLVM").to_lowercase()
                ))
            }
        }
    }

    /// The type of an operand of the instruction at hand.
    pub fn operand_type(&mut self, number: u32) -> Type {
        self.reader.constants.type_of(self.item.operand(number))
    }

    fn binary(&mut self, operator: B, left: &Source, right: &Source, wrap: Wrap) -> Operation {
        let (left, right) = (self.operand(left, 0), self.operand(right, 1));
        self.guarded(operator, left, right, wrap)
    }

    fn float(&mut self, operator: F, left: &Source, right: &Source) -> Operation {
        Operation::FloatBinary { operator, left: self.operand(left, 0), right: self.operand(right, 1) }
    }

    fn cast_of(&mut self, cast: Cast, value: &Source) -> Operation {
        Operation::Cast { cast, value: self.operand(value, 0) }
    }

    fn allocate(&mut self, i: &llvm_ir::instruction::Alloca) -> Operation {
        let shape = self.reader.constants.shapes.shape(self.item.allocated_type());
        let count = self.operand(&i.num_elements, 0);
        Operation::Allocate { size: shape.size, count, align: u64::from(i.alignment).max(1) }
    }

    fn offset(&mut self, i: &llvm_ir::instruction::GetElementPtr) -> Operation {
        let Some((constant, terms)) = self.reader.constants.distance(self.item) else {
            return Operation::Unsupported("an address within a type that is not modelled".to_owned());
        };
        let base = self.operand(&i.address, 0);
        let array = self.reader.constants.indexed_array(self.item, constant, &terms);
        let mut sum = Vec::new();
        for (step, bits, scale) in terms {
            sum.push((self.operand(&i.indices[step], step as u32 + 1), bits, scale));
        }
        Operation::Offset { base, constant, terms: sum, in_bounds: i.in_bounds, array }
    }

    fn update(&mut self, i: &llvm_ir::instruction::AtomicRMW) -> Operation {
        let exchange = match i.operation {
            RMWBinOp::Xchg => Exchange::Swap,
            RMWBinOp::Add => Exchange::Add,
            RMWBinOp::Sub => Exchange::Subtract,
            RMWBinOp::And => Exchange::And,
            RMWBinOp::Nand => Exchange::Nand,
            RMWBinOp::Or => Exchange::Or,
            RMWBinOp::Xor => Exchange::Xor,
            RMWBinOp::Max => Exchange::SignedMax,
            RMWBinOp::Min => Exchange::SignedMin,
            RMWBinOp::UMax => Exchange::UnsignedMax,
            RMWBinOp::UMin => Exchange::UnsignedMin,
            other => return Operation::Unsupported(format!("the atomic operation {other}")),
        };
        Operation::AtomicUpdate {
            exchange,
            address: self.operand(&i.address, 0),
            value: self.operand(&i.value, 1),
        }
    }

    fn phi(&mut self, phi: &llvm_ir::instruction::Phi) -> Operation {
        let mut incoming: Vec<(BlockId, Operand)> = Vec::new();
        for (number, (operand, from)) in (0u32..).zip(&phi.incoming_values) {
            let from = self.target(from);
            // A switch may come from one block several times; its values are the same then.
            if incoming.iter().all(|&(known, _)| known != from) {
                incoming.push((from, self.incoming(operand, number, from)));
            }
        }
        Operation::Phi(incoming)
    }

    /// How a block ends.
    pub fn terminator(&mut self, terminator: &T) -> Terminator {
        match terminator {
            T::Ret(t) => Terminator::Return(t.return_operand.as_ref().map(|value| self.operand(value, 0))),
            T::Br(t) => Terminator::Jump(self.target(&t.dest)),
            T::CondBr(t) => Terminator::Branch {
                condition: self.operand(&t.condition, 0),
                yes: self.target(&t.true_dest),
                no: self.target(&t.false_dest),
            },
            T::Switch(t) => self.switch(t),
            T::Unreachable(_) => Terminator::Unreachable,
            T::IndirectBr(t) => labels::jump(self, t),
            T::CallBr(_) => Terminator::Unsupported("assembly with goto".to_owned()),
            _ => Terminator::Unsupported("exceptions".to_owned()),
        }
    }

    fn switch(&mut self, t: &llvm_ir::terminator::Switch) -> Terminator {
        let Type::Integer(bits @ 1..=64) = self.operand_type(0) else {
            return Terminator::Unsupported("a switch on a wide integer".to_owned());
        };
        let cases = t.dests.iter().map(|(constant, to)| match constant.as_ref() {
            llvm_ir::Constant::Int { value, .. } => (u128::from(*value), self.target(to)),
            other => unreachable!("a case that is no integer: {other}"),
        });
        let cases = cases.collect();
        Terminator::Switch {
            value: self.operand(&t.operand, 0),
            bits,
            cases,
            default: self.target(&t.default_dest),
        }
    }
}

/// The name of a type that is not modelled; labels and the like are no types of values.
fn unmodelled_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Other { name, .. } => Some(name.clone()),
        Type::Aggregate { .. } if !is_modelled(ty) => Some("struct with such a member".to_owned()),
        _ => None,
    }
}

fn is_atomic(atomicity: Option<&Atomicity>) -> bool {
    atomicity.is_some_and(|a| a.mem_ordering != llvm_ir::instruction::MemoryOrdering::NotAtomic)
}

fn wrap(signed: bool, unsigned: bool) -> Wrap {
    Wrap { signed, unsigned, ..Wrap::default() }
}

fn exact(exact: bool) -> Wrap {
    Wrap { exact, ..Wrap::default() }
}

fn comparison(predicate: IntPredicate) -> Comparison {
    match predicate {
        IntPredicate::EQ => Comparison::Equal,
        IntPredicate::NE => Comparison::NotEqual,
        IntPredicate::ULT => Comparison::UnsignedLess,
        IntPredicate::ULE => Comparison::UnsignedLessEqual,
        IntPredicate::UGT => Comparison::UnsignedGreater,
        IntPredicate::UGE => Comparison::UnsignedGreaterEqual,
        IntPredicate::SLT => Comparison::SignedLess,
        IntPredicate::SLE => Comparison::SignedLessEqual,
        IntPredicate::SGT => Comparison::SignedGreater,
        IntPredicate::SGE => Comparison::SignedGreaterEqual,
    }
}

/// LLVM names a predicate by the cases in which it holds.
fn float_comparison(predicate: FPPredicate) -> FloatComparison {
    use FPPredicate as P;
    let (less, equal, greater) = match predicate {
        P::False | P::UNO => (false, false, false),
        P::OEQ | P::UEQ => (false, true, false),
        P::OGT | P::UGT => (false, false, true),
        P::OGE | P::UGE => (false, true, true),
        P::OLT | P::ULT => (true, false, false),
        P::OLE | P::ULE => (true, true, false),
        P::ONE | P::UNE => (true, false, true),
        P::ORD | P::True => (true, true, true),
    };
    let unordered =
        matches!(predicate, P::UNO | P::UEQ | P::UGT | P::UGE | P::ULT | P::ULE | P::UNE | P::True);
    FloatComparison { less, equal, greater, unordered }
}
