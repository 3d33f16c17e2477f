//! Where objects live: one fixed layout of memory.
//!
//! Functions, global variables and local variables that exist once get addresses one after the other, each aligned to 16 bytes or more and apart
//! from its neighbours by a gap, so that a pointer one past the end is no pointer to the next. Behind them
//! memory is handed out at run time: the heap, and local variables that may exist several times.
//!
//! No verdict rests on this layout: where the program observes the number of an address, any other takes its place ([`crate::lower::body::numbers`]).

use crate::ground::index::IndexVec;
use crate::ir::analysis::points_to::{Origin, PointsTo};
use crate::ir::{FunctionId, Module, Operand, Operation};
use crate::program::{Object, ObjectId};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

const ALIGNMENT: u64 = 16;

/// Addresses of everything that has a fixed one.
pub(in crate::lower) struct Layout {
    objects: IndexMap<Origin, Object>,
    functions: FxHashMap<FunctionId, u64>,
    start: u64,
    end: u64,
}

impl Layout {
    pub fn of(module: &Module, points: &PointsTo) -> Self {
        // Far from small numbers, so that they are not taken for addresses.
        let start = if module.pointer_bytes == 4 { 0x0804_8000 } else { 0x5555_5555_0000 };
        let mut layout =
            Self { objects: IndexMap::new(), functions: FxHashMap::default(), start, end: start };
        for (id, _) in module.functions.enumerate() {
            let base = layout.take(1, ALIGNMENT);
            layout.functions.insert(id, base);
        }
        for (id, global) in module.globals.enumerate() {
            let name = global.variable.as_ref().map_or(&global.name, |variable| &variable.name).clone();
            let ty = global.variable.as_ref().and_then(|variable| variable.ty);
            let base = layout.take(global.size, global.align);
            layout.objects.insert(Origin::Global(id), Object { name, base, size: global.size, ty });
        }
        points.reachable().iter().for_each(|&function| layout.locals(module, function));
        layout
    }

    fn locals(&mut self, module: &Module, id: FunctionId) {
        let function = &module.functions[id];
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            let (Some(value), Operation::Allocate { size, count, align }) =
                (instruction.result, &instruction.operation)
            else {
                continue;
            };
            let Some(size) = constant(count).and_then(|count| size.checked_mul(count)) else { continue };
            let info = &function.values[value];
            let name = info.variable.as_ref().map_or(&info.name, |variable| &variable.name).clone();
            let ty = info.variable.as_ref().and_then(|variable| variable.ty);
            let base = self.take(size, *align);
            self.objects.insert(Origin::Local(id, value), Object { name, base, size, ty });
        }
        for (number, parameter) in function.parameters.iter().enumerate() {
            let Some(size) = parameter.copied else { continue };
            let base = self.take(size, ALIGNMENT);
            let name = function.values[parameter.value].name.clone();
            self.objects.insert(Origin::Copy(id, number), Object { name, base, size, ty: None });
        }
    }

    /// An object of the heap gets a fixed address.
    pub fn add(&mut self, origin: Origin, name: String, size: u64) {
        let base = self.take(size, ALIGNMENT);
        self.objects.insert(origin, Object { name, base, size, ty: None });
    }

    fn take(&mut self, size: u64, align: u64) -> u64 {
        let base = self.end.next_multiple_of(align.max(ALIGNMENT));
        self.end = base.saturating_add(size).saturating_add(ALIGNMENT);
        base
    }

    /// The address of an object.
    pub fn base(&self, origin: Origin) -> Option<u64> {
        self.objects.get(&origin).map(|object| object.base)
    }

    pub fn size(&self, origin: Origin) -> Option<u64> {
        self.objects.get(&origin).map(|object| object.size)
    }

    pub fn object(&self, origin: Origin) -> Option<&Object> {
        self.objects.get(&origin)
    }

    /// What C calls an object, or where it is allocated.
    pub fn name(&self, origin: Origin) -> Option<String> {
        self.object(origin).map(|object| object.name.clone())
    }

    pub fn function(&self, function: FunctionId) -> u64 {
        self.functions[&function]
    }

    /// The first address of all.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// The first address behind everything.
    pub fn end(&self) -> u64 {
        self.end.next_multiple_of(4096)
    }

    pub fn objects(&self) -> IndexVec<ObjectId, Object> {
        self.objects.values().cloned().collect()
    }
}

/// The value of a constant integer.
pub(in crate::lower) fn constant(operand: &Operand) -> Option<u64> {
    match operand {
        Operand::Constant(crate::ir::Constant::Integer { value, .. }) => u64::try_from(*value).ok(),
        _ => None,
    }
}
