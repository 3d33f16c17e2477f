//! Where the number or the order of an address is observed.
//!
//! The number of an address may be kept in an integer and become an address again, it may be compared with zero, and
//! addresses within one object may be compared and subtracted: none of this depends on where objects lie. Anything
//! else does, and so does the order of addresses of different objects. Whether two addresses are the same depends on it only
//! if one may lie outside its object, where another one may begin, if objects may have ended, whose place others get, or
//! if they are string literals, which may share memory. Addresses of objects that are none of the program's own are
//! numbers like any other.
//!
//! The program model has one layout of memory. Here stands which operands it must not look at the numbers of: the lowering puts
//! any number in their place. The results are numbers, which are followed no further; an address that is made of them is *forged*
//! ([`forged`]), and has no meaning in the model.

use super::constraints::{Definitions, comes_from_address, integer};
use super::graph::Cell;
use super::indexed;
use super::shifting::Shifting;
use super::state::{Analysis, definitions};
use super::uses::AddressUses;
use super::{Observation, Origin, Site, forged};
use crate::ir::{
    BinaryOperator, Callee, Cast, Comparison, Constant, Exchange, Function, FunctionId, Intrinsic, Operand,
    Operation, Terminator, Type, ValueId,
};
use std::collections::{BTreeMap, BTreeSet};

/// How far an integer may be moved by a constant and still plainly be near an address.
const NEAR: u64 = 1 << 16;

/// Where the terminator of a block is, as a site.
const END: usize = usize::MAX;

/// One function that is being looked at.
struct Look<'s> {
    analysis: &'s Analysis<'s>,
    id: FunctionId,
    definitions: Definitions<'s>,
    shifting: &'s Shifting<'s>,
}

/// All places where a number or an order is observed.
pub(super) fn find(
    analysis: &Analysis<'_>,
    several: &BTreeSet<FunctionId>,
    uses: &AddressUses,
) -> BTreeMap<Site, Observation> {
    let mut sites = BTreeMap::new();
    let shifting = Shifting::new(analysis, several, uses);
    for &id in &analysis.reachable {
        let function = &analysis.module.functions[id];
        let look = Look { analysis, id, definitions: definitions(function), shifting: &shifting };
        for (block_id, block) in function.blocks.enumerate() {
            let mut note = |number: usize, operands: &[&Operand], at: Vec<usize>| {
                if !at.is_empty() {
                    let site = Site { function: id, block: block_id, number };
                    sites.insert(site, look.observation(operands, &at));
                }
            };
            for (number, instruction) in block.instructions.iter().enumerate() {
                let operands = looked_at(&instruction.operation);
                note(number, &operands, look.observes(&instruction.operation, &operands));
            }
            if let Terminator::Switch { value, .. } = &block.terminator {
                note(END, &[value], numbers(analysis, id, &[value]));
            }
        }
    }
    for site in forged::torn_reads(analysis) {
        sites.insert(site, Observation { operands: [(0, 0)].into(), ..Observation::default() });
    }
    sites
}

impl Look<'_> {
    fn observation(&self, operands: &[&Operand], at: &[usize]) -> Observation {
        let cell = |&position: &usize| {
            operands.get(position).and_then(|operand| self.analysis.node_of(self.id, operand))
        };
        let aligned = |position: &usize| cell(position).map_or(0, |cell| aligned_bits(self.analysis, cell));
        let lasts = |position: &usize| cell(position).is_none_or(|cell| self.shifting.lasts(cell));
        let foreign = |position: &usize| cell(position).is_some_and(|cell| self.shifting.tells_foreign(cell));
        Observation {
            foreign: at.iter().copied().filter(foreign).collect(),
            operands: at.iter().map(|position| (*position, aligned(position))).collect(),
            lasting: at.iter().all(lasts),
        }
    }

    /// Which operands an operation observes the numbers of.
    fn observes(&self, operation: &Operation, operands: &[&Operand]) -> Vec<usize> {
        let id = self.id;
        let silent = match operation {
            Operation::Compare { comparison, left, right } => {
                !self.comparison_observes(*comparison, left, right)
            }
            Operation::Binary { operator, left, right, .. } => self.is_followed(*operator, left, right),
            Operation::AtomicUpdate { exchange, value, .. } => {
                let moves = matches!(exchange, Exchange::Add | Exchange::Subtract);
                *exchange == Exchange::Swap || moves && numbers(self.analysis, id, &[value]).is_empty()
            }
            // What is in memory is compared with what is expected, and may be equal to it by chance.
            Operation::CompareExchange { address, expected, .. } => {
                let own = !numbers(self.analysis, id, &[expected]).is_empty()
                    || keeps_own(self.analysis, id, address);
                !own || !self.comparison_observes(Comparison::Equal, expected, expected)
            }
            Operation::FloatBinary { .. } | Operation::FloatCompare { .. } | Operation::FloatNegate(_) => {
                false
            }
            Operation::Cast { cast, .. } if cast.is_of_floats() => false,
            Operation::Cast { cast: Cast::Truncate, .. }
            | Operation::Offset { .. }
            | Operation::Intrinsic { .. }
            | Operation::Allocate { .. } => false,
            Operation::Call { callee, .. } => !takes_sizes(self.analysis, callee),
            _ => true,
        };
        match operation {
            _ if silent => Vec::new(),
            // The first operand is in memory, where what is exchanged has the kind of what it is compared with.
            Operation::CompareExchange { .. } => vec![0, 1],
            Operation::AtomicUpdate { address, .. } => updated(self.analysis, id, address, operands),
            _ => numbers(self.analysis, id, operands),
        }
    }

    /// Whether the result of arithmetic is an address again, which the analysis follows.
    fn is_followed(&self, operator: BinaryOperator, left: &Operand, right: &Operand) -> bool {
        let near = |operand: &Operand| integer(operand).is_some_and(|by| by.unsigned_abs() < NEAR);
        let plain = |operand: &Operand| comes_from_address(operand, &self.definitions);
        let foreign = |operand: &Operand| numbers(self.analysis, self.id, &[operand]).is_empty();
        match operator {
            BinaryOperator::Add => {
                near(left)
                    || near(right)
                    || plain(left) && integer(right).is_none() && foreign(right)
                    || plain(right) && integer(left).is_none() && foreign(left)
            }
            BinaryOperator::Subtract => {
                near(right)
                    || plain(left) && integer(right).is_none() && foreign(right)
                    || plain(left) && plain(right) && self.one_object(left, right)
            }
            _ => false,
        }
    }

    /// Whether two operands point into one object for sure.
    fn one_object(&self, left: &Operand, right: &Operand) -> bool {
        let (left, right) = (self.analysis.node_of(self.id, left), self.analysis.node_of(self.id, right));
        left == right && left.is_some_and(|cell| self.shifting.is_one_object(cell))
    }

    fn comparison_observes(&self, comparison: Comparison, left: &Operand, right: &Operand) -> bool {
        let equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        let null = equality && (integer(left) == Some(0) || integer(right) == Some(0));
        if null || self.one_object(left, right) {
            return false;
        }
        let known =
            |operand| self.analysis.node_of(self.id, operand).filter(|&cell| self.analysis.owns(cell));
        match (known(left), known(right)) {
            (Some(a), Some(b)) if equality => {
                let direct = self.is_variable(left) && self.is_variable(right);
                self.shifting.may_meet(a, b, direct)
            }
            _ => true,
        }
    }

    /// Whether an operand is the address of a variable of the function itself, or of a global one, which lives.
    fn is_variable(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Value(value) => matches!(self.definitions[*value], Some(Operation::Allocate { .. })),
            Operand::Constant(_) => true,
        }
    }
}

/// Whether a function is given numbers of bytes.
fn takes_sizes(analysis: &Analysis<'_>, callee: &Callee) -> bool {
    use super::External as E;
    let Callee::Function(function) = callee else { return false };
    let function = &analysis.module.functions[*function];
    let effect = || (analysis.externals)(&function.name);
    !function.is_defined()
        && matches!(
            effect(),
            E::Allocates(_) | E::Reallocates(..) | E::CopiesMemory(..) | E::ReturnsArgument(_)
        )
}

/// What an atomic update observes: the place in memory, and the operand.
fn updated(analysis: &Analysis<'_>, id: FunctionId, address: &Operand, operands: &[&Operand]) -> Vec<usize> {
    let mut out = numbers(analysis, id, operands);
    out.extend(keeps_own(analysis, id, address).then_some(0));
    out
}

/// Whether an address of the program's own objects may lie where an address points.
fn keeps_own(analysis: &Analysis<'_>, id: FunctionId, address: &Operand) -> bool {
    analysis.known(id, address).is_some_and(|cell| {
        let cell = indexed::resolve(&analysis.graph, cell);
        let mut slots = analysis.graph.body(cell.node).slots.iter().filter(|(key, _)| key.0 == cell.offset);
        slots.any(|(_, slot)| slot.link.is_some_and(|link| analysis.owns(link)))
    })
}

/// Where something is added to the number of an address, or subtracted from it; and whether it is no small constant.
pub(super) fn moved(analysis: &Analysis<'_>) -> BTreeMap<Site, bool> {
    let mut sites = BTreeMap::new();
    let near = |operand: &Operand| integer(operand).is_some_and(|by| by.unsigned_abs() < NEAR);
    for &id in &analysis.reachable {
        for (block, content) in analysis.module.functions[id].blocks.enumerate() {
            for (number, instruction) in content.instructions.iter().enumerate() {
                if let Operation::Binary { operator, left, right, .. } = &instruction.operation
                    && matches!(operator, BinaryOperator::Add | BinaryOperator::Subtract)
                    && numbers(analysis, id, &[left, right]).len() == 1
                {
                    let site = Site { function: id, block, number };
                    sites.insert(site, !near(left) && !near(right));
                }
            }
        }
    }
    sites
}

/// Which operands are numbers that may be those of addresses of the program's own objects.
fn numbers(analysis: &Analysis<'_>, id: FunctionId, operands: &[&Operand]) -> Vec<usize> {
    let own = |operand: &Operand| analysis.known(id, operand).is_some_and(|cell| analysis.owns(cell));
    (0..operands.len()).filter(|&position| own(operands[position])).collect()
}

/// How many low bits of addresses of a node are the same in all layouts: those that alignment fixes.
fn aligned_bits(analysis: &Analysis<'_>, cell: Cell) -> u32 {
    let body = analysis.graph.body(cell.node);
    if body.outside || !body.functions.is_empty() {
        return 0;
    }
    let align = |origin: Origin| match origin {
        Origin::Global(global) => analysis.module.globals[global].align,
        Origin::Heap(_) => 2 * u64::from(analysis.pointer()),
        Origin::Local(function, value) => alignment(&analysis.module.functions[function], value),
        _ => 1,
    };
    let all = body.objects.iter().map(|&object| align(analysis.objects[object].origin).max(1).ilog2());
    all.min().unwrap_or(0).min(4)
}

/// The operands that an operation may observe the numbers of, by position.
fn looked_at(operation: &Operation) -> Vec<&Operand> {
    match operation {
        Operation::Compare { left, right, .. }
        | Operation::Binary { left, right, .. }
        | Operation::FloatBinary { left, right, .. }
        | Operation::FloatCompare { left, right, .. } => vec![left, right],
        Operation::Cast { cast: Cast::Truncate, value } | Operation::FloatNegate(value) => vec![value],
        Operation::Cast { cast, value } if cast.is_of_floats() => vec![value],
        Operation::Offset { terms, .. } => terms.iter().map(|(operand, _, _)| operand).collect(),
        Operation::Allocate { count, .. } => vec![count],
        // The first one is in memory, and of the same kind.
        Operation::CompareExchange { expected, .. } => vec![expected, expected],
        Operation::AtomicUpdate { value, .. } => vec![&ZERO, value],
        Operation::Intrinsic { intrinsic, arguments } => intrinsic_looks_at(*intrinsic, arguments),
        Operation::Call { arguments, .. } => {
            arguments.iter().map(|(operand, ty)| if *ty == Type::Pointer { &ZERO } else { operand }).collect()
        }
        _ => Vec::new(),
    }
}

/// Stands for an operand whose number is not observed.
static ZERO: Operand = Operand::Constant(Constant::Null);

fn intrinsic_looks_at(intrinsic: Intrinsic, arguments: &[(Operand, Type)]) -> Vec<&Operand> {
    use Intrinsic as I;
    match intrinsic {
        // Only their length is a number.
        I::CopyMemory | I::MoveMemory | I::SetMemory => {
            let length = arguments.get(2).map(|(operand, _)| operand);
            [&ZERO, &ZERO].into_iter().chain(length).collect()
        }
        I::First
        | I::ThreadLocalAddress
        | I::Nothing
        | I::StartLife
        | I::EndLife
        | I::UnknownLife
        | I::Assume
        | I::Trap
        | I::StartArguments
        | I::EndArguments
        | I::CopyArguments
        | I::SaveStack
        | I::RestoreStack
        | I::ObjectSize
        | I::IsConstant => Vec::new(),
        _ => arguments.iter().map(|(operand, _)| operand).collect(),
    }
}

/// The alignment of a local variable.
fn alignment(function: &Function, variable: ValueId) -> u64 {
    let mut all = function.blocks.iter().flat_map(|block| &block.instructions);
    let found = all.find(|instruction| instruction.result == Some(variable));
    match found.map(|instruction| &instruction.operation) {
        Some(Operation::Allocate { align, .. }) => *align,
        _ => 1,
    }
}
