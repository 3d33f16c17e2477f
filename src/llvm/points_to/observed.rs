//! Where the number or the order of an address is observed.
//!
//! The number of an address may be kept in an integer and become an address again, it may be compared with zero, and
//! the difference of two addresses within one node may be taken: none of this depends on where objects are. Anything
//! else does, and so does the order of addresses of different objects.

use super::Site;
use super::constraints::{comes_from_address, integer};
use super::graph::Cell;
use super::state::{Analysis, definitions};
use crate::ground::index::IndexVec;
use crate::ir::{BinaryOperator, Cast, Comparison, Constant, FunctionId, Operand, Operation, Type, ValueId};

type Definitions<'m> = IndexVec<ValueId, Option<&'m Operation>>;

impl Analysis<'_> {
    /// All such places, in order.
    pub fn observed(&self) -> Vec<Site> {
        let mut sites = Vec::new();
        for &id in &self.reachable {
            let function = &self.module.functions[id];
            let definitions = definitions(function);
            for (block_id, block) in function.blocks.enumerate() {
                for (number, instruction) in block.instructions.iter().enumerate() {
                    if self.observes(id, &instruction.operation, &definitions) {
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
                let object = self.by_origin.get(&super::Origin::Global(*global))?;
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
