//! Where the number or the order of an address is observed.
//!
//! The number of an address may be kept in an integer and become an address again, it may be compared with zero, and
//! the difference of two addresses within one node may be taken: none of this depends on where objects are. Anything
//! else does, and so does the order of addresses of different objects. Whether two addresses are the same depends on it only
//! if one may lie outside its object, where another one may begin, or if objects may have ended, whose place others get.

use super::constraints::{comes_from_address, integer};
use super::graph::{Cell, NodeId};
use super::state::{Analysis, definitions};
use super::{Origin, Site};
use crate::ground::index::IndexVec;
use crate::ir::{
    BinaryOperator, Cast, Comparison, Constant, FunctionId, Operand, Operation, Terminator, Type, ValueId,
};
use std::collections::BTreeSet;

/// What lets addresses of different objects meet.
struct Shifting {
    /// Nodes whose addresses may lie outside their objects.
    moved: BTreeSet<NodeId>,
    /// Whether objects of the heap end.
    frees: bool,
    /// Functions that are called: their variables end.
    entered: BTreeSet<FunctionId>,
}

fn is_heap(origin: Origin) -> bool {
    matches!(origin, Origin::Heap(_))
}

/// The function whose activations an object belongs to.
fn owner(origin: Origin) -> Option<FunctionId> {
    match origin {
        Origin::Local(function, _) | Origin::Copy(function, _) | Origin::Arguments(function) => {
            Some(function)
        }
        _ => None,
    }
}

type Definitions<'m> = IndexVec<ValueId, Option<&'m Operation>>;

impl Analysis<'_> {
    /// All such places, in order.
    pub fn observed(&self) -> Vec<Site> {
        let mut sites = Vec::new();
        let shifting = self.shifting();
        for &id in &self.reachable {
            let function = &self.module.functions[id];
            let definitions = definitions(function);
            for (block_id, block) in function.blocks.enumerate() {
                for (number, instruction) in block.instructions.iter().enumerate() {
                    let operation = &instruction.operation;
                    if self.observes(id, operation, &definitions)
                        || self.equality_observes(id, operation, &shifting)
                    {
                        sites.push(Site { function: id, block: block_id, number });
                    }
                }
            }
        }
        sites
    }

    fn observes(&self, id: FunctionId, operation: &Operation, definitions: &Definitions<'_>) -> bool {
        match operation {
            Operation::Compare { comparison, left, right } => {
                self.comparison_observes(id, *comparison, left, right)
            }
            Operation::Binary { operator: BinaryOperator::Add, left, right, .. }
                if integer(left).is_some() || integer(right).is_some() =>
            {
                false
            }
            Operation::Binary { operator: BinaryOperator::Subtract, left, right, .. } => {
                let numbers = comes_from_address(left, definitions) && comes_from_address(right, definitions);
                let same = self.node_of(id, left) == self.node_of(id, right);
                integer(right).is_none() && !(numbers && same) && self.is_number_of(id, left, right)
            }
            Operation::Binary { left, right, .. } => self.is_number_of(id, left, right),
            Operation::Cast { cast: Cast::Truncate, value } => self.is_number_of(id, value, value),
            _ => false,
        }
    }

    fn comparison_observes(
        &self,
        id: FunctionId,
        comparison: Comparison,
        left: &Operand,
        right: &Operand,
    ) -> bool {
        let equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        if self.is_pointer(id, left) || self.is_pointer(id, right) {
            let (left, right) = (self.node_of(id, left), self.node_of(id, right));
            let same_object = left == right && left.is_none_or(|cell| self.is_one_object(cell));
            return !equality && !same_object;
        }
        let null = equality && (integer(left) == Some(0) || integer(right) == Some(0));
        !null && self.is_number_of(id, left, right)
    }

    /// Whether an equality of pointers depends on where objects are.
    fn equality_observes(&self, id: FunctionId, operation: &Operation, shifting: &Shifting) -> bool {
        let Operation::Compare { comparison: Comparison::Equal | Comparison::NotEqual, left, right } =
            operation
        else {
            return false;
        };
        if !self.is_pointer(id, left) || !self.is_pointer(id, right) {
            return false;
        }
        let (Some(a), Some(b)) = (self.node_of(id, left), self.node_of(id, right)) else { return false };
        if a == b && self.is_one_object(a) {
            return false;
        }
        let moved = |cell: Cell| shifting.moved.contains(&cell.node);
        moved(a)
            || moved(b)
            || (shifting.frees && self.holds(a, is_heap) && self.holds(b, is_heap))
            || self.ended_locals_meet(id, a, b, shifting)
    }

    /// Whether one of them may be the address of a variable of an activation that has ended, where the other one lies now.
    fn ended_locals_meet(&self, id: FunctionId, a: Cell, b: Cell, shifting: &Shifting) -> bool {
        let local = |origin: Origin| owner(origin).is_some();
        let ends = |origin: Origin| {
            owner(origin).is_some_and(|function| function != id && shifting.entered.contains(&function))
        };
        self.holds(a, local) && self.holds(b, local) && (self.holds(a, ends) || self.holds(b, ends))
    }

    fn holds(&self, cell: Cell, is_such: impl Fn(Origin) -> bool) -> bool {
        let body = self.graph.body(cell.node);
        body.objects.iter().any(|&object| is_such(self.objects[object].origin))
    }

    /// What the program does that lets addresses of different objects meet.
    fn shifting(&self) -> Shifting {
        let ends = |name: &str| {
            matches!((self.externals)(name), super::External::Frees | super::External::Reallocates(_))
        };
        let mut functions = self.module.functions.iter();
        let mut shifting = Shifting {
            moved: BTreeSet::new(),
            frees: functions.any(|function| !function.is_defined() && ends(&function.name)),
            entered: self.edges.iter().map(|(_, callee, _)| *callee).collect(),
        };
        for &id in &self.reachable {
            for block in self.module.functions[id].blocks.iter() {
                for instruction in &block.instructions {
                    self.note_moved(id, &instruction.operation, &mut shifting);
                }
                if let Terminator::Return(Some(value)) = &block.terminator {
                    self.note_operand(value, &mut shifting);
                }
            }
        }
        for global in self.module.globals.iter() {
            for (_, address) in global.initialiser.iter().flat_map(|initialiser| &initialiser.addresses) {
                self.note_constant(address, &mut shifting);
            }
        }
        shifting
    }

    /// An address that may have left its object.
    fn note_moved(&self, id: FunctionId, operation: &Operation, shifting: &mut Shifting) {
        if let Operation::Offset { base, constant, terms, .. } = operation
            && let Some(cell) = self.node_of(id, base)
            && (!terms.is_empty() || !self.is_inside(cell, *constant))
        {
            shifting.moved.insert(cell.node);
        }
        // The walk that changes operands serves for looking, too, on a copy.
        for operand in crate::llvm::read::link::operands(&mut operation.clone()) {
            self.note_operand(operand, shifting);
        }
    }

    fn note_operand(&self, operand: &Operand, shifting: &mut Shifting) {
        if let Operand::Constant(constant) = operand {
            self.note_constant(constant, shifting);
        }
    }

    fn note_constant(&self, constant: &Constant, shifting: &mut Shifting) {
        if let Constant::Global(global, by) = constant
            && !u64::try_from(*by).is_ok_and(|by| by == 0 || by < self.module.globals[*global].size)
            && let Some(object) = self.by_origin.get(&Origin::Global(*global))
        {
            shifting.moved.insert(self.graph.resolve(self.objects[*object].cell).node);
        }
    }

    /// Whether an address so many bytes on is within all objects of the node.
    fn is_inside(&self, cell: Cell, by: i64) -> bool {
        let fits = |size: Option<u64>| u64::try_from(by).is_ok_and(|by| size.is_none_or(|size| by < size));
        let body = self.graph.body(cell.node);
        by == 0 || body.objects.iter().all(|&object| fits(self.objects[object].size))
    }

    fn is_pointer(&self, id: FunctionId, operand: &Operand) -> bool {
        match operand {
            Operand::Value(value) => self.module.functions[id].values[*value].ty == Type::Pointer,
            Operand::Constant(constant) => matches!(constant, Constant::Global(..) | Constant::Function(_)),
        }
    }

    /// Whether one of the operands is an integer that may be the number of an address.
    fn is_number_of(&self, id: FunctionId, left: &Operand, right: &Operand) -> bool {
        [left, right].into_iter().any(|operand| {
            matches!(operand, Operand::Value(_))
                && self.known(id, operand).is_some_and(|cell| self.graph.is_inhabited(cell))
        })
    }

    fn known(&self, id: FunctionId, operand: &Operand) -> Option<Cell> {
        match operand {
            Operand::Value(value) => self.values.get(&(id, *value)).copied(),
            Operand::Constant(Constant::Global(global, by)) => {
                let object = self.by_origin.get(&Origin::Global(*global))?;
                Some(self.objects[*object].cell.plus(*by))
            }
            Operand::Constant(_) => None,
        }
    }

    /// The node, as the cell where it starts.
    fn node_of(&self, id: FunctionId, operand: &Operand) -> Option<Cell> {
        let cell = self.graph.resolve(self.known(id, operand)?);
        Some(Cell { node: cell.node, offset: 0 })
    }

    fn is_one_object(&self, cell: Cell) -> bool {
        let body = self.graph.body(cell.node);
        !body.outside && body.objects.len() == 1 && !self.objects[body.objects[0]].repeated
    }
}
