//! What instructions say about addresses.
//!
//! Every value into which a whole address fits has a cell: what it may point to. An address is followed through
//! casts, phis, memory, calls, and sums with constants; a sum with something variable makes the node periodic. Any
//! other arithmetic *exposes* the object ([`super::outside`]), and an address made of a number that does not plainly
//! come from an address is *adopted*.

use super::graph::{Cell, gcd};
use super::indexed::APART;
use super::state::{Analysis, RawCall, definitions};
use super::{ASSEMBLY, Origin, Site};
use crate::ground::index::IndexVec;
use crate::ir::{
    BinaryOperator, Callee, Cast, Constant, FunctionId, Instruction, Operand, Operation, Terminator, Type,
    ValueId,
};

/// Which operation defines each value of a function.
pub(super) type Definitions<'m> = IndexVec<ValueId, Option<&'m Operation>>;

impl<'a> Analysis<'a> {
    /// Reads a function.
    pub fn read(&mut self, id: FunctionId) {
        let function = &self.module.functions[id];
        let definitions = definitions(function);
        for (block_id, block) in function.blocks.enumerate() {
            for (number, instruction) in block.instructions.iter().enumerate() {
                let site = Site { function: id, block: block_id, number };
                self.instruction(site, instruction, &definitions);
            }
            if let Terminator::Return(Some(value)) = &block.terminator {
                let (to, from) = (self.result(id), self.operand(id, value));
                self.assign(Some(to), from);
            }
        }
    }

    fn instruction(&mut self, site: Site, instruction: &'a Instruction, definitions: &Definitions<'a>) {
        let function = site.function;
        let result = instruction.result.and_then(|value| self.value(function, value));
        match &instruction.operation {
            Operation::Binary { operator, left, right, .. } => {
                self.binary(site, result, *operator, (left, right), definitions);
            }
            Operation::Compare { left, right, .. } => self.compare(function, left, right, definitions),
            Operation::FloatNegate(value) => self.expose_all(function, [value]),
            Operation::FloatBinary { left, right, .. } | Operation::FloatCompare { left, right, .. } => {
                self.expose_all(function, [left, right]);
            }
            Operation::Cast { cast, value } => self.cast(site, result, *cast, value, definitions),
            Operation::Select { yes, no, .. } => self.flow(function, result, [yes, no]),
            Operation::Phi(incoming) => self.flow(function, result, incoming.iter().map(|(_, value)| value)),
            Operation::Freeze(value) | Operation::Extract { aggregate: value, .. } => {
                self.flow(function, result, [value]);
            }
            Operation::Insert { aggregate, value, .. } => self.flow(function, result, [aggregate, value]),
            Operation::Allocate { .. } => self.allocate(site, instruction, result),
            Operation::Offset { .. } => self.offset(site, result, &instruction.operation, definitions),
            Operation::Load { .. }
            | Operation::Store { .. }
            | Operation::AtomicUpdate { .. }
            | Operation::CompareExchange { .. } => self.memory(site, instruction, result, definitions),
            Operation::Call { callee, arguments, copied } => {
                self.call(site, instruction, callee, arguments, copied);
            }
            Operation::Intrinsic { intrinsic, arguments } => {
                self.intrinsic(site, result, *intrinsic, arguments);
            }
            Operation::Fence | Operation::Unsupported(_) => {}
        }
    }

    fn flow<'o>(
        &mut self,
        function: FunctionId,
        to: Option<Cell>,
        from: impl IntoIterator<Item = &'o Operand>,
    ) {
        for operand in from {
            let from = self.operand(function, operand);
            self.assign(to, from);
        }
    }

    pub fn expose_all<'o>(&mut self, function: FunctionId, operands: impl IntoIterator<Item = &'o Operand>) {
        for operand in operands {
            if let Some(cell) = self.operand(function, operand) {
                self.graph.expose(cell);
            }
        }
    }

    fn binary(
        &mut self,
        site: Site,
        result: Option<Cell>,
        operator: BinaryOperator,
        (left, right): (&Operand, &Operand),
        definitions: &Definitions<'a>,
    ) {
        let function = site.function;
        let followed = match (operator, integer(left), integer(right)) {
            (BinaryOperator::Add, None, Some(by)) => self.operand(function, left).map(|cell| cell.plus(by)),
            (BinaryOperator::Add, Some(by), None) => self.operand(function, right).map(|cell| cell.plus(by)),
            (BinaryOperator::Subtract, None, Some(by)) => {
                self.operand(function, left).map(|cell| cell.plus(by.wrapping_neg()))
            }
            _ => return self.arithmetic(site, result, operator, (left, right), definitions),
        };
        self.assign(result, followed);
    }

    fn arithmetic(
        &mut self,
        site: Site,
        result: Option<Cell>,
        operator: BinaryOperator,
        (left, right): (&Operand, &Operand),
        definitions: &Definitions<'a>,
    ) {
        let function = site.function;
        let plain = |operand| comes_from_address(operand, definitions);
        match (operator, plain(left), plain(right)) {
            (BinaryOperator::Subtract, true, true) => {
                let (left, right) = (self.operand(function, left), self.operand(function, right));
                self.differences.extend(left.zip(right));
            }
            (BinaryOperator::Add | BinaryOperator::Subtract, true, false) => {
                self.somewhere_in(site, result, left);
                self.expose_all(function, [right]);
            }
            (BinaryOperator::Add, false, true) => {
                self.somewhere_in(site, result, right);
                self.expose_all(function, [left]);
            }
            _ => self.expose_all(function, [left, right]),
        }
    }

    /// The result is the number of the address plus something, which may be the distance to another object.
    fn somewhere_in(&mut self, site: Site, result: Option<Cell>, address: &Operand) {
        if let Some(result) = result {
            self.graph.make_periodic(result, 1);
            self.adopted.push(result);
            self.forging.insert(site);
        }
        self.flow(site.function, result, [address]);
    }

    /// Addresses may be compared. A number that is compared with the number of an address may be guessed to be it.
    fn compare(
        &mut self,
        function: FunctionId,
        left: &Operand,
        right: &Operand,
        definitions: &Definitions<'a>,
    ) {
        // Objects that are only compared have to be known, too.
        for operand in [left, right] {
            if matches!(operand, Operand::Constant(_)) {
                self.operand(function, operand);
            }
        }
        let plain = |operand| comes_from_address(operand, definitions);
        let constant = |operand: &Operand| matches!(operand, Operand::Constant(_));
        let pointer = |operand: &Operand| match operand {
            Operand::Value(value) => self.module.functions[function].values[*value].ty == Type::Pointer,
            Operand::Constant(_) => false,
        };
        let harmless = constant(left) || constant(right) || pointer(left) || plain(left) && plain(right);
        if !harmless {
            self.expose_all(function, [left, right]);
        }
    }

    fn cast(
        &mut self,
        site: Site,
        result: Option<Cell>,
        cast: Cast,
        value: &'a Operand,
        definitions: &Definitions<'a>,
    ) {
        let function = site.function;
        match cast {
            Cast::Truncate
            | Cast::ZeroExtend
            | Cast::SignExtend
            | Cast::PointerToInteger
            | Cast::IntegerToPointer
            | Cast::Bits => {}
            _ => return self.expose_all(function, [value]),
        }
        if result.is_none() {
            return self.expose_all(function, [value]);
        }
        self.flow(function, result, [value]);
        let whole = self.operand(function, value).is_some();
        let known = matches!(value, Operand::Constant(_)) || whole && comes_from_address(value, definitions);
        if cast == Cast::IntegerToPointer && !known && !self.becomes_address(site, value, definitions) {
            self.adopted.extend(result);
            self.forging.insert(site);
        }
    }

    fn allocate(&mut self, site: Site, instruction: &Instruction, result: Option<Cell>) {
        let Operation::Allocate { size, count, .. } = &instruction.operation else { return };
        let (Some(value), Some(result)) = (instruction.result, result) else { return };
        let count = integer(count).and_then(|count| u64::try_from(count).ok());
        let size = count.map(|count| size.saturating_mul(count));
        let origin = Origin::Local(site.function, value);
        let cell = self.object(origin, size);
        let in_entry = site.block == crate::ground::index::Index::new(0);
        let id = self.by_origin[&origin];
        self.objects[id].repeated = size.is_none() || !in_entry;
        self.graph.unify(result, cell);
    }

    fn offset(
        &mut self,
        site: Site,
        result: Option<Cell>,
        operation: &Operation,
        definitions: &Definitions<'a>,
    ) {
        let function = site.function;
        if self.element(site, result, operation, definitions) {
            return;
        }
        let Operation::Offset { base, constant, terms, in_bounds, .. } = operation else { return };
        // Where the sum may wrap around, only powers of two divide every address.
        let wrap = if *in_bounds { 0 } else { 1 << 63 };
        let (mut constant, mut stride) = (*constant, 0);
        for (operand, _, scale) in terms {
            match integer(operand) {
                Some(value) => constant = constant.wrapping_add(value.wrapping_mul(*scale)),
                None => {
                    stride = gcd(stride, gcd(scale.unsigned_abs(), wrap));
                    self.expose_all(function, [operand]);
                }
            }
        }
        if let Some(result) = result
            && stride != 0
        {
            self.graph.make_periodic(result, stride);
            if !in_bounds {
                self.adopted.push(result);
            }
        }
        let from = self.operand(function, base).map(|cell| cell.plus(constant));
        self.assign(result, from);
    }

    /// The address of an element of an array in a struct. Says whether it is one that is kept apart from the struct.
    fn element(
        &mut self,
        site: Site,
        result: Option<Cell>,
        operation: &Operation,
        definitions: &Definitions<'a>,
    ) -> bool {
        let Operation::Offset { base, terms, array: Some(bytes), .. } = operation else { return false };
        let (Some(result), [(index, _, stride)]) = (result, &terms[..]) else { return false };
        let (Ok(bytes), true) = (i64::try_from(*bytes), *stride > 0) else { return false };
        let small = bytes < APART / 4;
        if integer(index).is_some() || !small || !self.is_member(site, base, bytes, definitions) {
            return false;
        }
        self.expose_all(site.function, [index]);
        self.graph.add_band(result.plus(-APART), (bytes, *stride), site);
        let from = self.operand(site.function, base).map(|cell| cell.plus(APART));
        self.assign(Some(result), from);
        true
    }

    /// Whether an array of so many bytes is a part of something larger.
    fn is_member(&self, site: Site, base: &Operand, bytes: i64, definitions: &Definitions<'a>) -> bool {
        if self.together.as_ref().is_none_or(|together| together.contains(&site)) {
            return false;
        }
        match base {
            Operand::Constant(Constant::Global(id, by)) => {
                *by != 0 || self.module.globals[*id].size != bytes.unsigned_abs()
            }
            Operand::Constant(_) => false,
            Operand::Value(value) => {
                matches!(definitions[*value], Some(Operation::Offset { terms, .. }) if terms.is_empty())
            }
        }
    }

    fn call(
        &mut self,
        site: Site,
        instruction: &Instruction,
        callee: &Callee,
        arguments: &[(Operand, Type)],
        copied: &[Option<u64>],
    ) {
        let function = site.function;
        let result_type = instruction.result.map(|v| self.module.functions[function].values[v].ty.clone());
        let call = RawCall {
            site,
            entry: super::state::Entry::Call,
            address: None,
            arguments: arguments.iter().map(|(op, ty)| (self.operand(function, op), ty.clone())).collect(),
            copied: copied.to_vec(),
            result: instruction.result.and_then(|value| self.value(function, value)),
            result_type,
        };
        match callee {
            Callee::Function(target) => self.direct_call(call, *target),
            Callee::Address(address) => {
                let address = self.operand(function, address);
                self.indirect_call(RawCall { address, ..call });
            }
            Callee::Assembly { .. } => {
                let effect = (self.externals)(ASSEMBLY);
                self.external(&call, effect);
            }
        }
    }
}

/// The value of an integer constant, as a signed number.
pub(super) fn integer(operand: &Operand) -> Option<i64> {
    match operand {
        Operand::Constant(Constant::Integer { bits, value }) => {
            let unused = 128 - (*bits).clamp(1, 128);
            i64::try_from((*value << unused).cast_signed() >> unused).ok()
        }
        Operand::Constant(Constant::Zero(_) | Constant::Null) => Some(0),
        _ => None,
    }
}

/// Whether a number plainly is that of an address: a cast of one, or a sum of one with a constant. Results of assembly are frozen.
pub(super) fn comes_from_address(operand: &Operand, definitions: &Definitions<'_>) -> bool {
    let mut operand = operand;
    // A definition precedes its uses but for phis, so this ends; the bound is for input that is not well-formed.
    for _ in 0..definitions.len() {
        let Operand::Value(value) = operand else { return false };
        operand = match definitions[*value] {
            Some(Operation::Cast { cast: Cast::PointerToInteger, .. }) => return true,
            Some(Operation::Freeze(value)) => value,
            Some(Operation::Binary { operator: BinaryOperator::Add, left, right, .. }) => {
                if integer(left).is_some() { right } else { left }
            }
            Some(Operation::Binary { operator: BinaryOperator::Subtract, left, right, .. })
                if integer(right).is_some() =>
            {
                left
            }
            _ => return false,
        };
    }
    false
}

/// What constants were added to, if any were.
pub(super) fn without_constants<'o>(mut operand: &'o Operand, definitions: &Definitions<'o>) -> &'o Operand {
    for _ in 0..definitions.len() {
        let Operand::Value(value) = operand else { break };
        let Some(Operation::Binary { operator, left, right, .. }) = definitions[*value] else { break };
        operand = match (operator, integer(left), integer(right)) {
            (BinaryOperator::Add | BinaryOperator::Subtract, None, Some(_)) => left,
            (BinaryOperator::Add, Some(_), None) => right,
            _ => break,
        };
    }
    operand
}
