//! Runs the code of one edge in the state of one thread.

use super::Chooser;
use super::arrays::{Array, Base, Unknowns};
use super::code::{ArrayId, ArrayNode, EdgeCode, Effect, Instruction};
use super::layout::{Frame, Slot, Space, width};
use crate::program::Program;
use crate::term::Symbol;
use crate::term::arithmetic::{self, mask};
use crate::term::float;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// Values of variables; nothing where none was chosen yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    pub scalars: Vec<Option<u128>>,
    pub arrays: Vec<Option<Array>>,
}

impl Values {
    /// All of them, for comparisons.
    pub fn write(&self, to: &mut impl Hasher) {
        self.scalars.hash(to);
        for array in &self.arrays {
            array.as_ref().map(|array| (array.base, array.written())).hash(to);
        }
    }

    /// Room for further variables.
    pub fn grow(&mut self, frame: &Frame) {
        self.scalars.resize(self.scalars.len() + frame.scalars.len(), None);
        self.arrays.resize(self.arrays.len() + frame.arrays.len(), None);
    }
}

/// The state that an edge sees, and who chooses what is arbitrary.
pub(super) struct Context<'a> {
    pub program: &'a Program,
    pub global_frame: &'a Frame,
    pub local_frame: &'a Frame,
    pub globals: &'a mut Values,
    pub locals: &'a mut Values,
    /// Where the scalars and the arrays of the activation start.
    pub base: (usize, usize),
    pub unknowns: &'a mut Unknowns,
    pub inputs: &'a [u128],
    pub registers: &'a mut [u128],
    pub chooser: &'a mut dyn Chooser,
}

/// The new value of an array: nothing if it is the old one with cells written.
pub(super) type NewArray = (Slot, Option<Array>, Vec<(u128, u128)>);

impl Context<'_> {
    /// Executes some of the instructions.
    pub fn execute(&mut self, code: &EdgeCode, range: Range<usize>) {
        for number in range {
            self.registers[number] = self.value(code, code.instructions[number]);
        }
    }

    fn value(&mut self, code: &EdgeCode, instruction: Instruction) -> u128 {
        let at = |register: u32| self.registers[register as usize];
        match instruction {
            Instruction::Load(slot) => self.scalar(slot),
            Instruction::Input(position) => self.inputs[position as usize],
            Instruction::Value(value) => value,
            Instruction::Not(a) => at(a) ^ 1,
            Instruction::And(a, b) => at(a) & at(b),
            Instruction::Or(a, b) => at(a) | at(b),
            Instruction::Equal(a, b) => u128::from(at(a) == at(b)),
            Instruction::UnsignedLess(a, b) => u128::from(at(a) < at(b)),
            Instruction::SignedLess { width, left, right } => {
                let sign = 1 << (width - 1);
                u128::from(at(left) ^ sign < at(right) ^ sign)
            }
            Instruction::Choose(condition, yes, no) => at(if at(condition) == 1 { yes } else { no }),
            Instruction::Binary { operator, width, left, right } => {
                arithmetic::apply(operator, width, at(left), at(right))
            }
            Instruction::FloatBinary { operator, width, left, right } => {
                float::result_of(operator, width, at(left), at(right))
            }
            Instruction::FloatCompare { relation, width, left, right } => {
                u128::from(float::holds_of(relation, width, at(left), at(right)))
            }
            Instruction::FloatUnary { function, width, of } => float::value_of(function, width, at(of)),
            Instruction::Extract { low, width, of } => at(of) >> low & mask(width),
            Instruction::Concatenate { low_width, high, low } => at(high) << low_width | at(low),
            Instruction::SignExtend { from, to, of } => sign_extend(from, to, at(of)),
            Instruction::Select { array, index } => self.select(code, array, at(index)),
            Instruction::ArraysEqual { index_width, left, right } => {
                u128::from(self.arrays_equal(code, index_width, left, right))
            }
        }
    }

    fn scalar(&mut self, slot: Slot) -> u128 {
        let (values, symbols, first) = match slot.space {
            Space::Global => (&mut *self.globals, self.global_frame, 0),
            Space::Local => (&mut *self.locals, self.local_frame, self.base.0),
        };
        let number = slot.number as usize;
        let (program, chooser) = (self.program, &mut *self.chooser);
        *values.scalars[first + number].get_or_insert_with(|| {
            let symbol = symbols.scalars[number];
            let width = width(program, symbol);
            chooser.arbitrary(symbol, None, width) & mask(width)
        })
    }

    /// The array in a slot; arbitrary contents if none was written.
    fn array(&mut self, slot: Slot) -> &mut Array {
        let (values, symbols, first) = match slot.space {
            Space::Global => (&mut *self.globals, self.global_frame, 0),
            Space::Local => (&mut *self.locals, self.local_frame, self.base.1),
        };
        let number = slot.number as usize;
        let unknowns = &mut *self.unknowns;
        values.arrays[first + number]
            .get_or_insert_with(|| Array::new(Base::Unknown(unknowns.fresh(symbols.arrays[number]))))
    }

    /// The element of an array term: that of the last store to the index, or of what lies below.
    fn select(&mut self, code: &EdgeCode, mut array: ArrayId, index: u128) -> u128 {
        loop {
            let at = |register: u32| self.registers[register as usize];
            match code.arrays[array as usize] {
                ArrayNode::Store { index: written, element, .. } if at(written) == index => {
                    return at(element);
                }
                ArrayNode::Store { array: below, .. } => array = below,
                ArrayNode::Choose { condition, yes, no } => array = if at(condition) == 1 { yes } else { no },
                ArrayNode::Constant(element) => return at(element),
                ArrayNode::Variable(slot) => return self.cell(slot, index),
                ArrayNode::Input(position) => {
                    let base = Array::new(Base::Unknown(self.unknown_input(position)));
                    return self.read(&base, index);
                }
            }
        }
    }

    fn cell(&mut self, slot: Slot, index: u128) -> u128 {
        let (values, first) = match slot.space {
            Space::Global => (&*self.globals, 0),
            Space::Local => (&*self.locals, self.base.1),
        };
        let Some(array) = &values.arrays[first + slot.number as usize] else {
            let array = self.array(slot).clone();
            return self.read(&array, index);
        };
        let (program, chooser) = (self.program, &mut *self.chooser);
        self.unknowns.read(array, index, |symbol| choose_cell(program, chooser, symbol, index))
    }

    fn unknown_input(&self, position: u32) -> usize {
        usize::try_from(self.inputs[position as usize]).expect("the number of arbitrary contents")
    }

    fn read(&mut self, array: &Array, index: u128) -> u128 {
        let (program, chooser) = (self.program, &mut *self.chooser);
        self.unknowns.read(array, index, |symbol| choose_cell(program, chooser, symbol, index))
    }

    /// Follows stores and choices down to what an array term starts from; the writes are the oldest first.
    fn unfold(&mut self, code: &EdgeCode, mut array: ArrayId) -> (ArrayNode, Vec<(u128, u128)>) {
        let at = |register: u32| self.registers[register as usize];
        let mut writes = Vec::new();
        loop {
            match code.arrays[array as usize] {
                ArrayNode::Store { array: below, index, element } => {
                    writes.push((at(index), at(element)));
                    array = below;
                }
                ArrayNode::Choose { condition, yes, no } => array = if at(condition) == 1 { yes } else { no },
                base => {
                    writes.reverse();
                    return (base, writes);
                }
            }
        }
    }

    fn base(&mut self, node: ArrayNode) -> Array {
        match node {
            ArrayNode::Variable(slot) => self.array(slot).clone(),
            ArrayNode::Input(position) => Array::new(Base::Unknown(self.unknown_input(position))),
            ArrayNode::Constant(element) => Array::new(Base::Constant(self.registers[element as usize])),
            ArrayNode::Store { .. } | ArrayNode::Choose { .. } => unreachable!("unfolded"),
        }
    }

    fn whole(&mut self, code: &EdgeCode, array: ArrayId) -> Array {
        let (base, writes) = self.unfold(code, array);
        let mut array = self.base(base);
        array.write(writes);
        array
    }

    /// Whether two arrays have the same cells. Different arbitrary contents are taken to differ somewhere where
    /// nothing was written, if there is such a place.
    fn arrays_equal(&mut self, code: &EdgeCode, index_width: u32, left: ArrayId, right: ArrayId) -> bool {
        let (left, right) = (self.whole(code, left), self.whole(code, right));
        let written: BTreeSet<u128> = left.cells.keys().chain(right.cells.keys()).copied().collect();
        let everywhere = index_width < 32 && written.len() == 1 << index_width;
        (everywhere || left.base == right.base)
            && written.iter().all(|&index| self.read(&left, index) == self.read(&right, index))
    }

    /// The new values of arrays. Copies are taken before anything is written.
    pub fn new_arrays(&mut self, code: &EdgeCode) -> Vec<NewArray> {
        let in_place = !matches!(code.effect, Effect::Call(_) | Effect::Start(_));
        let mut arrays = Vec::with_capacity(code.array_updates.len());
        for &(slot, array) in &code.array_updates {
            let (base, writes) = self.unfold(code, array);
            let same = in_place && matches!(base, ArrayNode::Variable(of) if of == slot);
            let copy = if same { None } else { Some(self.base(base)) };
            arrays.push((slot, copy, writes));
        }
        arrays
    }

    /// Takes over the registers and arrays as the new values of variables.
    pub fn assign(&mut self, code: &EdgeCode, arrays: Vec<NewArray>) {
        for &(slot, register) in &code.scalars {
            let value = Some(self.registers[register as usize]);
            match slot.space {
                Space::Global => self.globals.scalars[slot.number as usize] = value,
                Space::Local => self.locals.scalars[self.base.0 + slot.number as usize] = value,
            }
        }
        for (slot, copy, writes) in arrays {
            let array = self.array_for_writing(slot, copy);
            array.write(writes);
        }
    }

    fn array_for_writing(&mut self, slot: Slot, copy: Option<Array>) -> &mut Array {
        match copy {
            None => self.array(slot),
            Some(copy) => {
                let place = match slot.space {
                    Space::Global => &mut self.globals.arrays[slot.number as usize],
                    Space::Local => &mut self.locals.arrays[self.base.1 + slot.number as usize],
                };
                place.insert(copy)
            }
        }
    }
}

fn choose_cell(program: &Program, chooser: &mut dyn Chooser, symbol: Symbol, index: u128) -> u128 {
    let width = width(program, symbol);
    chooser.arbitrary(symbol, Some(index), width) & mask(width)
}

fn sign_extend(from: u32, to: u32, value: u128) -> u128 {
    let sign = 1 << (from - 1);
    (value ^ sign).wrapping_sub(sign) & mask(to)
}
