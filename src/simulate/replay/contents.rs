//! What memory holds that nobody has written: in the program model by address, in the machine by object and offset.

use crate::predicate::PathStep;
use crate::program::{MEMORY_END, Program, Role, USED_AGAIN};
use crate::simulate::{Feasible, Written};
use crate::term::Sort;
use crate::term::arithmetic::mask;
use crate::term::evaluate::{ArrayValue, Value};
use crate::vm::choices::Spot;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// Objects that come into being at run time start at multiples of this.
const ALIGNMENT: u128 = 16;

/// Whatever is this near to a pointer that is another one in the machine is reached by it.
const NEAR: u64 = 1 << 20;

/// A region of memory as it is before anything is written.
struct Region {
    /// What the program calls it: `a[]`.
    name: String,
    /// Bits of a cell.
    bits: u32,
    cells: Rc<ArrayValue>,
}

/// The memory of a simulation.
pub(super) struct Contents {
    /// Bits of a cell, by the name of the region.
    widths: FxHashMap<String, u32>,
    regions: Vec<Region>,
    /// Cells of objects whose address was in use before: bits and values by address, in order.
    again: FxHashMap<u64, VecDeque<(u32, u128)>>,
    /// Where objects with a fixed address lie, by name.
    fixed: FxHashMap<String, u64>,
    /// Where objects lie that come into being at run time, in order, with the lines of C of the step that makes them.
    allocated: Vec<(Vec<u32>, u64)>,
    /// Those that the machine has asked for.
    placed: FxHashMap<usize, u64>,
    /// Whether code from outside has changed memory: then regions are known as a whole.
    changed: bool,
    /// Pointers that are others in the machine, each with what it is in the model.
    moved: BTreeMap<u64, u64>,
}

impl Contents {
    pub fn new(program: &Program, path: &[PathStep], feasible: &Feasible) -> Self {
        let region = |arbitrary: &crate::simulate::Arbitrary| match (
            &arbitrary.value,
            program.store.sort_of_symbol(arbitrary.symbol),
        ) {
            (Value::Array(cells), Sort::Array { element, .. }) => Some(Region {
                name: program.store.name(arbitrary.symbol).to_owned(),
                bits: element,
                cells: cells.clone(),
            }),
            _ => None,
        };
        let widths = program.variables.enumerate().filter_map(|(symbol, variable)| {
            match program.store.sort_of_symbol(symbol) {
                Sort::Array { element, .. } if variable.role == Role::Memory => {
                    Some((program.store.name(symbol).to_owned(), element))
                }
                _ => None,
            }
        });
        Self {
            widths: widths.collect(),
            regions: feasible.arbitrary.iter().filter_map(region).collect(),
            again: again(program, feasible),
            fixed: program.objects.iter().map(|object| (object.name.clone(), object.base)).collect(),
            allocated: allocated(program, path, feasible),
            placed: FxHashMap::default(),
            changed: false,
            moved: BTreeMap::new(),
        }
    }

    /// A pointer is another one in the machine.
    pub fn moves(&mut self, machine: u64, model: u64) {
        self.moved.insert(machine, model);
    }

    /// The address in the model of memory from outside.
    fn in_the_model(&self, address: u64) -> u64 {
        let near = |pointer: &u64| address.abs_diff(*pointer);
        let (below, above) = (self.moved.range(..=address).next_back(), self.moved.range(address..).next());
        let nearest = below.into_iter().chain(above).min_by_key(|(pointer, _)| near(pointer));
        match nearest {
            Some((pointer, model)) if near(pointer) < NEAR => {
                model.wrapping_add(address.wrapping_sub(*pointer))
            }
            _ => address,
        }
    }

    /// The machine allocates an object: it is the next one that the model allocates in that line.
    pub fn allocates(&mut self, object: usize, line: Option<u32>) {
        let is_it = |(lines, _): &(Vec<u32>, u64)| line.is_none_or(|line| lines.contains(&line));
        match self.allocated.iter().position(is_it) {
            Some(next) => self.placed.insert(object, self.allocated.remove(next).1),
            // The number of an object may be used again.
            None => self.placed.remove(&object),
        };
    }

    /// A region begins again, with other cells.
    pub fn begins(&mut self, name: &str, cells: &Rc<ArrayValue>) {
        match self.regions.iter_mut().find(|region| region.name == name) {
            Some(region) => region.cells = cells.clone(),
            None => self.regions.push(Region {
                name: name.to_owned(),
                bits: self.widths.get(name).copied().unwrap_or(8),
                cells: cells.clone(),
            }),
        }
    }

    /// Code from outside has changed memory.
    pub fn changes(&mut self) {
        self.changed = true;
    }

    /// What so many bits hold at first, if the model says.
    pub fn value(&mut self, spot: &Spot, name: &str, bits: u32) -> Option<u128> {
        let outside = spot.address.map(|address| self.in_the_model(address));
        let base = self.placed.get(&spot.object).or_else(|| self.fixed.get(&spot.name));
        let base = outside.as_ref().or(base);
        let address = base.map(|base| base.wrapping_add(spot.offset));
        let whole = outside.is_some() || self.changed;
        let found = address.and_then(|address| self.at(address, bits));
        let found = found.or_else(|| self.beside(address.filter(|_| whole)?, bits));
        found.or_else(|| self.of_an_activation(spot, name, bits)).or_else(|| self.everywhere(name, bits))
    }

    /// A local variable that exists in several activations: the next cell that lies at this offset from where an object can
    /// start.
    fn of_an_activation(&mut self, spot: &Spot, name: &str, bits: u32) -> Option<u128> {
        let name = without_indices(name);
        let mut regions = self.regions.iter_mut();
        let region = regions.find(|region| region.name == name && region.bits == bits)?;
        let offset = u128::from(spot.offset);
        let starts = |address: &u128| address.wrapping_sub(offset).is_multiple_of(ALIGNMENT);
        let address = region.cells.elements.keys().copied().find(starts)?;
        Rc::make_mut(&mut region.cells).elements.remove(&address)
    }

    /// Memory from outside, or changed there, of which a solver lists only some cells: the others of that region hold what it says of them all.
    fn beside(&self, address: u64, bits: u32) -> Option<u128> {
        let distance = |region: &Region| {
            let listed = region.cells.elements.keys();
            listed.map(|cell| u128::from(address).abs_diff(*cell)).min().filter(|far| *far < u128::from(NEAR))
        };
        let near = self.regions.iter().filter_map(|region| Some((distance(region)?, region)));
        let (_, region) = near.min_by_key(|(far, _)| *far)?;
        let width = region.bits;
        (0..bits.div_ceil(width)).try_fold(0, |value, number| {
            let place = u128::from(address) + u128::from(number * width / 8);
            let cell =
                region.cells.elements.get(&place).copied().unwrap_or(region.cells.default) & mask(width);
            Some(value | cell.checked_shl(number * width)?)
        })
    }

    /// Cells one after the other.
    fn at(&mut self, address: u64, bits: u32) -> Option<u128> {
        let (mut value, mut done) = (0, 0);
        while done < bits {
            let (width, cell) = self.cell(address.wrapping_add(u64::from(done / 8)))?;
            value |= (cell & mask(width)).checked_shl(done)?;
            done += width;
        }
        (done == bits).then_some(value)
    }

    fn cell(&mut self, address: u64) -> Option<(u32, u128)> {
        if let Some(cell) = self.again.get_mut(&address).and_then(VecDeque::pop_front) {
            return Some(cell);
        }
        let listed = |region: &Region| {
            region.cells.elements.get(&u128::from(address)).map(|value| (region.bits, *value))
        };
        self.regions.iter().find_map(listed)
    }

    /// A solver lists only some cells of a region; all others hold the same.
    fn everywhere(&self, name: &str, bits: u32) -> Option<u128> {
        let name = without_indices(name);
        let mut fitting = self.regions.iter().filter(|region| region.bits <= bits);
        let region = fitting.clone().find(|region| region.name == name).or_else(|| {
            // The heap has no names.
            let only = fitting.next()?;
            fitting.all(|other| other.cells.default == only.cells.default).then_some(only)
        })?;
        let cell = region.cells.default & mask(region.bits);
        Some((0..bits / region.bits).fold(0, |value, _| value << (region.bits % 128) | cell))
    }
}

/// Cells that are made arbitrary when an object begins: what is written there is an input of the same step.
fn again(program: &Program, feasible: &Feasible) -> FxHashMap<u64, VecDeque<(u32, u128)>> {
    let mut again: FxHashMap<u64, VecDeque<(u32, u128)>> = FxHashMap::default();
    let is_cell =
        |symbol| matches!(&program.variables[symbol].role, Role::Input(origin) if origin == USED_AGAIN);
    let mut writes = feasible.written.iter().peekable();
    for input in feasible.inputs.iter().filter(|input| is_cell(input.symbol)) {
        let belongs = |write: &&Written| {
            write.step > input.step
                || write.step == input.step && write.cell.is_some() && write.value == input.value
        };
        while writes.next_if(|write| !belongs(write)).is_some() {}
        let Some(write) = writes.next_if(|write| write.step == input.step) else { continue };
        if let (Some(cell), Sort::Array { element, .. }, Value::Bits(value)) =
            (write.cell, program.store.sort_of_symbol(write.symbol), &write.value)
        {
            again.entry(cell as u64).or_default().push_back((element, *value));
        }
    }
    again
}

/// Memory is handed out from where the frontier was before.
fn allocated(program: &Program, path: &[PathStep], feasible: &Feasible) -> Vec<(Vec<u32>, u64)> {
    let mut frontier = None;
    let steps = feasible.written.iter().filter(|write| program.store.name(write.symbol) == MEMORY_END);
    let ends = steps.filter_map(|write| match write.value {
        Value::Bits(end) => Some((&path[write.step], end as u64)),
        _ => None,
    });
    let taken = ends.filter_map(|(step, end)| {
        let places = &program.procedures[step.procedure].edges[step.edge].places;
        let base = frontier.replace(end)?;
        Some((places.iter().map(|place| place.line).collect(), base))
    });
    taken.collect()
}

/// `a[2].x` is a place of the region `a[].x`.
fn without_indices(name: &str) -> String {
    let mut kept = String::new();
    let mut inside = false;
    for c in name.chars() {
        inside = inside && c != ']';
        if !inside {
            kept.push(c);
        }
        inside |= c == '[';
    }
    kept
}
