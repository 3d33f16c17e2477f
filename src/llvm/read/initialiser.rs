//! What global variables start with: bytes, and the addresses among them.
//!
//! `undef` in an array of bytes is clang's way to write padding, and compilers store zeros there; any other `undef` is
//! not modelled, nor is a constant expression that is no address.

use super::constant::{Constants, Folded, mask};
use super::debug::{Kind, Val};
use super::layout::{Form, Shape};
use crate::ir::{Constant, Initialiser};

/// Takes an initialiser apart.
pub fn initialiser<'d>(constants: &mut Constants<'d>, value: Val<'d>) -> Initialiser {
    let mut found = Pieces { result: Initialiser::default() };
    let mut waiting = vec![(0u64, value)];
    while let Some((at, value)) = waiting.pop() {
        let shape = constants.shapes.shape(value.ty());
        match value.kind() {
            Kind::Zero | Kind::Null => {}
            Kind::Undefined | Kind::Poison if is_padding(&shape) => {}
            Kind::Members => match value.bytes() {
                Some(bytes) => found.bytes(at, &bytes),
                None => push_members(&mut waiting, at, value, &shape),
            },
            _ => found.scalar(constants, at, value, shape.size),
        }
    }
    found.result
}

/// Members wait in reverse, so that they come in order.
fn push_members<'d>(waiting: &mut Vec<(u64, Val<'d>)>, at: u64, value: Val<'d>, shape: &Shape) {
    let count = u32::try_from(value.member_count()).unwrap_or(0);
    for number in (0..count).rev() {
        let offset = match &shape.form {
            Form::Record(members) => members[number as usize].0,
            Form::Array(element, _) => element.size * u64::from(number),
            _ => 0,
        };
        if let Some(member) = value.member(number) {
            waiting.push((at + offset, member));
        }
    }
}

fn is_padding(shape: &Shape) -> bool {
    match &shape.form {
        Form::Array(element, _) => element.form == Form::Integer(8),
        Form::Integer(8) => true,
        _ => false,
    }
}

struct Pieces {
    result: Initialiser,
}

impl Pieces {
    /// Bytes; zeros at the start of a piece are left out, neighbours are joined.
    fn bytes(&mut self, at: u64, bytes: &[u8]) {
        if bytes.iter().all(|&byte| byte == 0) {
            return;
        }
        match self.result.bytes.last_mut() {
            Some((start, piece)) if *start + piece.len() as u64 == at => piece.extend_from_slice(bytes),
            _ => self.result.bytes.push((at, bytes.to_vec())),
        }
    }

    fn integer(&mut self, at: u64, value: u128, bytes: u64) {
        self.bytes(at, &value.to_le_bytes()[..(bytes as usize).min(16)]);
    }

    fn scalar<'d>(&mut self, constants: &mut Constants<'d>, at: u64, value: Val<'d>, size: u64) {
        let pointer_bits = constants.shapes.layout.pointer_bytes * 8;
        match constants.fold(value) {
            Folded::Constant(Constant::Integer { bits, value }) => {
                self.integer(at, value & mask(bits), u64::from(bits.div_ceil(8)));
            }
            Folded::Constant(Constant::Float(bits)) => self.integer(at, bits.into(), 4),
            Folded::Constant(Constant::Double(bits)) => self.integer(at, bits.into(), 8),
            Folded::Constant(Constant::Null) => {}
            Folded::Constant(address @ (Constant::Global(..) | Constant::Function(_))) => {
                self.result.addresses.push((at, address));
            }
            Folded::AddressAsInteger(address, bits) if bits >= pointer_bits => {
                self.result.addresses.push((at, address));
            }
            Folded::IntegerAsAddress(address) => self.integer(at, address, u64::from(pointer_bits / 8)),
            folded => self.unsupported(&folded, size),
        }
    }

    fn unsupported(&mut self, folded: &Folded, size: u64) {
        let what = match folded {
            Folded::Unsupported(what) | Folded::Constant(Constant::Unsupported(_, what)) => what.clone(),
            Folded::Constant(Constant::Undefined(_) | Constant::Poison(_)) => "an undefined value".to_owned(),
            _ => "a constant expression".to_owned(),
        };
        self.result.unsupported.get_or_insert(format!("{what} of {size} bytes in an initialiser"));
    }
}
