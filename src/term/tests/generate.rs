//! Random trees: every operator, few symbols, constants that rules like.

use crate::term::arithmetic::mask;
use crate::term::evaluate::{ArrayValue, Assignment, Value};
use crate::term::reference::{OPERATORS, Shape, Tree};
use crate::term::{Signedness, Sort, Store, Symbol};
use std::rc::Rc;

/// A generator of numbers (splitmix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        (self.next() % u64::from(bound)) as u32
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u32) as usize]
    }

    /// A value of this width: small, large, at a border, or any.
    pub(crate) fn value(&mut self, width: u32) -> u128 {
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        let value = match self.below(6) {
            0 => u128::from(self.below(4)),
            1 => u128::from(self.below(4)).wrapping_neg(),
            2 => (1u128 << (width - 1)).wrapping_add(u128::from(self.below(3))).wrapping_sub(1),
            3 => mask(1 + self.below(width)),
            4 => u128::from(width).wrapping_add(u128::from(self.below(3))).wrapping_sub(1),
            _ => any,
        };
        value & mask(width)
    }
}

/// The widths of bit vectors in random trees, and the symbols: three of each width, three truth values, two arrays.
pub(crate) struct Vocabulary {
    pub(crate) widths: Vec<u32>,
    pub(crate) sorts: Vec<Sort>,
}

const ARRAYS: [Sort; 2] = [Sort::Array { index: 2, element: 8 }, Sort::Array { index: 32, element: 8 }];

impl Vocabulary {
    pub(crate) fn new(widths: &[u32]) -> Self {
        let mut all = widths.to_vec();
        all.extend([2, 8, 32]);
        all.sort_unstable();
        all.dedup();
        let mut sorts: Vec<Sort> = all.iter().flat_map(|&width| [Sort::Bits(width); 3]).collect();
        sorts.extend([Sort::Boolean; 3]);
        sorts.extend(ARRAYS);
        Self { widths: all, sorts }
    }

    pub(crate) fn symbols(&self, store: &mut Store) -> Vec<Symbol> {
        let named = |(number, &sort): (usize, &Sort)| store.fresh(format!("v{number}"), sort);
        self.sorts.iter().enumerate().map(named).collect()
    }

    pub(crate) fn values(&self, random: &mut Random) -> Vec<Value> {
        self.sorts.iter().map(|&sort| random_value(random, sort)).collect()
    }

    /// A tree of this sort and at most this depth.
    pub(crate) fn tree(&self, random: &mut Random, sort: Sort, depth: u32) -> Tree {
        if depth == 0 || random.below(8) == 0 {
            return self.leaf(random, sort);
        }
        match sort {
            Sort::Boolean => self.truth(random, depth - 1),
            Sort::Bits(width) => self.bits(random, width, depth - 1),
            Sort::Array { index, element } => self.array(random, index, element, depth - 1),
        }
    }

    fn leaf(&self, random: &mut Random, sort: Sort) -> Tree {
        let candidates: Vec<usize> =
            (0..self.sorts.len()).filter(|&number| self.sorts[number] == sort).collect();
        if candidates.is_empty() || random.below(3) == 0 {
            match sort {
                Sort::Boolean => return Tree::leaf(Shape::Boolean(random.below(2) == 0)),
                Sort::Bits(width) => return Tree::leaf(Shape::Bits(width, random.value(width))),
                Sort::Array { index, element } => {
                    let element = Tree::leaf(Shape::Bits(element, random.value(element)));
                    return Tree::new(Shape::Constant(index), vec![element]);
                }
            }
        }
        Tree::leaf(Shape::Symbol(random.pick(&candidates), sort))
    }

    fn truth(&self, random: &mut Random, depth: u32) -> Tree {
        let width = random.pick(&self.widths);
        let signedness = random.pick(&[Signedness::Signed, Signedness::Unsigned]);
        let (shape, sorts) = match random.below(12) {
            0 => (Shape::Not, vec![Sort::Boolean]),
            1 | 2 => (Shape::And, vec![Sort::Boolean; 2]),
            3 | 4 => (Shape::Or, vec![Sort::Boolean; 2]),
            5 => (Shape::Equal, vec![Sort::Boolean; 2]),
            6 => (Shape::Choose, vec![Sort::Boolean; 3]),
            7 => (Shape::Equal, vec![random.pick(&ARRAYS); 2]),
            8 | 9 => (Shape::Equal, vec![Sort::Bits(width); 2]),
            _ => (Shape::Less(signedness), vec![Sort::Bits(width); 2]),
        };
        self.with_operands(random, shape, &sorts, depth)
    }

    fn bits(&self, random: &mut Random, width: u32, depth: u32) -> Tree {
        let (shape, sorts) = match random.below(12) {
            0 => self.extraction(random, width),
            1 if width > 1 => {
                let high = 1 + random.below(width - 1);
                (Shape::Concatenate, vec![Sort::Bits(high), Sort::Bits(width - high)])
            }
            2 => (Shape::ZeroExtend(width), vec![Sort::Bits(1 + random.below(width))]),
            3 => (Shape::SignExtend(width), vec![Sort::Bits(1 + random.below(width))]),
            4 if width == 8 => {
                let array = random.pick(&ARRAYS);
                let Sort::Array { index, .. } = array else { unreachable!() };
                (Shape::Select, vec![array, Sort::Bits(index)])
            }
            5 | 6 => (Shape::Choose, vec![Sort::Boolean, Sort::Bits(width), Sort::Bits(width)]),
            _ => (Shape::Binary(random.pick(&OPERATORS)), vec![Sort::Bits(width); 2]),
        };
        self.with_operands(random, shape, &sorts, depth)
    }

    fn extraction(&self, random: &mut Random, width: u32) -> (Shape, Vec<Sort>) {
        let wider: Vec<u32> = self.widths.iter().copied().filter(|&wide| wide >= width).collect();
        let wide = if wider.is_empty() { width } else { random.pick(&wider) };
        (Shape::Extract(random.below(wide - width + 1), width), vec![Sort::Bits(wide)])
    }

    fn array(&self, random: &mut Random, index: u32, element: u32, depth: u32) -> Tree {
        let sort = Sort::Array { index, element };
        let (shape, sorts) = match random.below(5) {
            0 => (Shape::Constant(index), vec![Sort::Bits(element)]),
            1 => (Shape::Choose, vec![Sort::Boolean, sort, sort]),
            _ => (Shape::Store, vec![sort, Sort::Bits(index), Sort::Bits(element)]),
        };
        self.with_operands(random, shape, &sorts, depth)
    }

    fn with_operands(&self, random: &mut Random, shape: Shape, sorts: &[Sort], depth: u32) -> Tree {
        let mut operands: Vec<Tree> = sorts.iter().map(|&sort| self.tree(random, sort, depth)).collect();
        // Rules look for operands that are the same.
        if sorts.len() == 3 && sorts[1] == sorts[2] && random.below(8) == 0 {
            operands[2] = operands[1].clone();
        } else if sorts.len() >= 2 && sorts[0] == sorts[1] && random.below(10) == 0 {
            operands[1] = operands[0].clone();
        }
        Tree::new(shape, operands)
    }
}

fn random_value(random: &mut Random, sort: Sort) -> Value {
    match sort {
        Sort::Boolean => Value::Bool(random.below(2) == 0),
        Sort::Bits(width) => Value::Bits(random.value(width)),
        Sort::Array { index, element } => {
            let mut array = ArrayValue::constant(random.value(element));
            for _ in 0..random.below(5) {
                array.set(random.value(index), random.value(element));
            }
            Value::Array(Rc::new(array))
        }
    }
}

pub(crate) fn assignment(symbols: &[Symbol], values: &[Value]) -> Assignment {
    symbols.iter().copied().zip(values.iter().cloned()).collect()
}
