//! Which registers an instruction reads, which it surely writes, and where control goes from it.
//!
//! Too many that are read, and too few that are written, are right: then a register counts that need not.

use crate::vm::code::{CalleeCode, Code, Ref, Register};

/// Tells the registers that an instruction reads.
pub fn reads(code: &Code, mut tell: impl FnMut(Register)) {
    let mut read = |operand: Ref, slots: u32| {
        if operand.as_constant().is_none() {
            (0..slots).for_each(|slot| tell(operand.plus(slot).0));
        }
    };
    match code {
        Code::Binary { left, right, .. }
        | Code::Compare { left, right, .. }
        | Code::FloatBinary { left, right, .. }
        | Code::FloatCompare { left, right, .. } => [left, right].into_iter().for_each(|it| read(*it, 1)),
        Code::WideBinary { left, right, .. } | Code::WideCompare { left, right, .. } => {
            [left, right].into_iter().for_each(|it| read(*it, 2));
        }
        Code::FloatNegate { value, .. } | Code::Cast { value, .. } => read(*value, 1),
        Code::WideCast { value, .. } => read(*value, 2),
        Code::Select { condition, yes, no, slots, .. } => {
            read(*condition, 1);
            [yes, no].into_iter().for_each(|it| read(*it, *slots));
        }
        Code::Move { from, slots, .. } => read(*from, *slots),
        Code::Freeze { from, .. } => read(*from, 1),
        Code::FreshLocal { .. } | Code::Jump(_) | Code::Unreachable => {}
        Code::ErrorLabel(_) | Code::Unsupported(_) => {}
        Code::StartLocal { local, promoted, .. } => {
            if !promoted {
                read(Ref(*local), 1);
            }
        }
        Code::EndLocal { local } | Code::LoadLocal { local, .. } => read(Ref(*local), 1),
        Code::StoreLocal { value, .. } => read(*value, 1),
        Code::Allocate { count, .. } => read(*count, 1),
        Code::Load { address, .. } | Code::LoadPieces { address, .. } => read(*address, 1),
        Code::Store { address, value, .. } => [address, value].into_iter().for_each(|it| read(*it, 1)),
        Code::StorePieces { address, value, pieces } => {
            read(*address, 1);
            read(*value, pieces.len() as u32);
        }
        Code::OffsetConstant { base, .. } => read(*base, 1),
        Code::OffsetOne { base, term, .. } => [base, term].into_iter().for_each(|it| read(*it, 1)),
        Code::Offset { base, terms, .. } => {
            read(*base, 1);
            terms.iter().for_each(|(term, ..)| read(*term, 1));
        }
        Code::AtomicUpdate { address, value, .. } => {
            [address, value].into_iter().for_each(|it| read(*it, 1));
        }
        Code::CompareExchange(exchange) => {
            let operands = [exchange.address, exchange.expected, exchange.new];
            operands.into_iter().for_each(|it| read(it, 1));
        }
        Code::Call(call) => {
            if let CalleeCode::Address(address) = call.callee {
                read(address, 1);
            }
            call.arguments.iter().for_each(|it| read(it.from, it.pieces.len() as u32));
        }
        Code::Intrinsic(intrinsic) => intrinsic.arguments.iter().for_each(|(it, _)| read(*it, 2)),
        Code::Return { value, slots } => read(*value, *slots),
        Code::Branch { condition, .. } => read(*condition, 1),
        Code::Switch(switch) => read(switch.value, 1),
    }
}

/// Tells the registers that an instruction writes whenever control goes on behind it.
pub fn writes(code: &Code, tell: impl FnMut(Register)) {
    let (into, slots) = match code {
        Code::Binary { into, .. }
        | Code::Compare { into, .. }
        | Code::FloatBinary { into, .. }
        | Code::FloatCompare { into, .. }
        | Code::WideCompare { into, .. }
        | Code::FloatNegate { into, .. }
        | Code::Cast { into, .. }
        | Code::Freeze { into, .. }
        | Code::LoadLocal { into, .. }
        | Code::Load { into, .. }
        | Code::OffsetConstant { into, .. }
        | Code::OffsetOne { into, .. }
        | Code::Offset { into, .. }
        | Code::AtomicUpdate { into, .. } => (*into, 1),
        Code::Select { into, slots, .. } | Code::Move { into, slots, .. } => (*into, *slots),
        Code::LoadPieces { into, pieces, .. } => (*into, pieces.len() as u32),
        Code::CompareExchange(exchange) => (exchange.into, 2),
        Code::FreshLocal { local } | Code::StoreLocal { local, .. } => (*local, 1),
        Code::StartLocal { local, promoted: true, .. } => (*local, 1),
        Code::Call(call) => (call.into, call.result.len() as u32),
        _ => return,
    };
    (into..into + slots).for_each(tell);
}

/// Tells the positions after an instruction.
pub fn successors(code: &Code, at: usize, mut tell: impl FnMut(usize)) {
    match code {
        Code::Jump(to) => tell(*to as usize),
        Code::Branch { yes, no, .. } => [yes, no].into_iter().for_each(|to| tell(*to as usize)),
        Code::Switch(switch) => {
            switch.cases.iter().for_each(|(_, to)| tell(*to as usize));
            tell(switch.default as usize);
        }
        Code::Return { .. } | Code::Unreachable | Code::ErrorLabel(_) | Code::Unsupported(_) => {}
        _ => tell(at + 1),
    }
}
