//! Which registers are read later: those of all others do not count.
//!
//! The usual backward analysis, once for each function that a state has an activation of.

use super::registers::{reads, successors, writes};
use crate::ground::index::{Index as _, IndexVec};
use crate::ir::FunctionId;
use crate::vm::code::FunctionCode;

/// The registers that are read from each position on, as bits.
#[derive(Debug)]
pub struct Registers {
    /// So many words for each position.
    width: usize,
    bits: Vec<u64>,
}

impl Registers {
    /// Whether a register is read from a position on, before it is written.
    pub fn is_live(&self, position: usize, register: usize) -> bool {
        let word = position * self.width + register / 64;
        self.bits.get(word).is_none_or(|bits| bits >> (register % 64) & 1 != 0)
    }
}

/// What is known of functions so far.
#[derive(Debug)]
pub struct Live {
    functions: IndexVec<FunctionId, Option<Registers>>,
}

impl Live {
    /// Nothing yet, of so many functions.
    pub fn new(functions: usize) -> Self {
        Self { functions: (0..functions).map(|_| None).collect() }
    }

    /// The registers of a function that are read.
    pub fn of(&mut self, function: FunctionId, code: &FunctionCode) -> &Registers {
        debug_assert!(function.index() < self.functions.len());
        self.functions[function].get_or_insert_with(|| analyse(code))
    }
}

/// Computes what is read later, backwards, until nothing changes.
fn analyse(code: &FunctionCode) -> Registers {
    let width = (code.registers as usize).div_ceil(64).max(1);
    let length = code.code.len();
    let mut bits = vec![0u64; width * length];
    let mut changed = true;
    let mut line = vec![0u64; width];
    while changed {
        changed = false;
        for at in (0..length).rev() {
            line.fill(0);
            successors(&code.code[at], at, |next| {
                let from = next * width;
                for (word, other) in line.iter_mut().zip(bits.get(from..from + width).unwrap_or(&[])) {
                    *word |= other;
                }
            });
            writes(&code.code[at], |register| clear(&mut line, register));
            reads(&code.code[at], |register| set(&mut line, register));
            let known = &mut bits[at * width..(at + 1) * width];
            if known != line.as_slice() {
                known.copy_from_slice(&line);
                changed = true;
            }
        }
    }
    Registers { width, bits }
}

fn set(line: &mut [u64], register: u32) {
    if let Some(word) = line.get_mut(register as usize / 64) {
        *word |= 1 << (register % 64);
    }
}

fn clear(line: &mut [u64], register: u32) {
    if let Some(word) = line.get_mut(register as usize / 64) {
        *word &= !(1 << (register % 64));
    }
}
