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
//! ([`Analysis::forged`]), and has no meaning in the model.

use super::constraints::{comes_from_address, integer};
use super::graph::{Cell, NodeId, Slot};
use super::once::in_loops;
use super::outside::{is_forged, is_overlapped, is_torn, widest};
use super::state::{Analysis, definitions};
use super::uses::AddressUses;
use super::{Observation, Origin, Site};
use crate::ground::index::IndexVec;
use crate::ir::{
    BinaryOperator, Callee, Cast, Comparison, Constant, Exchange, Function, FunctionId, Intrinsic, Operand,
    Operation, Terminator, Type, ValueId,
};
use std::collections::{BTreeMap, BTreeSet};

/// How far an integer may be moved by a constant and still plainly be near an address.
const NEAR: u64 = 1 << 16;

/// Where the terminator of a block is, as a site.
const END: usize = usize::MAX;

/// What lets addresses of different objects meet.
struct Shifting<'s> {
    /// Nodes whose addresses may lie outside their objects.
    moved: BTreeSet<NodeId>,
    /// Whether objects of the heap end.
    frees: bool,
    /// Functions that are called: their variables end.
    entered: BTreeSet<FunctionId>,
    /// Functions with several activations at a time.
    several: &'s BTreeSet<FunctionId>,
    /// Nodes whose addresses are kept where they may outlive an activation.
    kept: BTreeSet<NodeId>,
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

/// One function that is being looked at.
struct Look<'s, 'm> {
    id: FunctionId,
    definitions: Definitions<'m>,
    shifting: &'s Shifting<'s>,
}

impl Analysis<'_> {
    /// All such places.
    pub fn observed(
        &self,
        several: &BTreeSet<FunctionId>,
        uses: &AddressUses,
    ) -> BTreeMap<Site, Observation> {
        let mut sites = BTreeMap::new();
        let shifting = self.shifting(several, uses);
        for &id in &self.reachable {
            let function = &self.module.functions[id];
            let look = Look { id, definitions: definitions(function), shifting: &shifting };
            for (block_id, block) in function.blocks.enumerate() {
                let mut note = |number: usize, operands: &[&Operand], at: Vec<usize>| {
                    if !at.is_empty() {
                        let site = Site { function: id, block: block_id, number };
                        sites.insert(site, self.observation(&look, operands, &at));
                    }
                };
                for (number, instruction) in block.instructions.iter().enumerate() {
                    let operands = looked_at(&instruction.operation);
                    note(number, &operands, self.observes(&look, &instruction.operation, &operands));
                }
                if let Terminator::Switch { value, .. } = &block.terminator {
                    note(END, &[value], self.numbers(id, &[value]));
                }
            }
        }
        for site in self.torn_reads() {
            sites.insert(site, Observation { operands: [(0, 0)].into(), lasting: false });
        }
        sites
    }

    fn observation(&self, look: &Look<'_, '_>, operands: &[&Operand], at: &[usize]) -> Observation {
        let cell =
            |&position: &usize| operands.get(position).and_then(|operand| self.node_of(look.id, operand));
        let aligned = |position: &usize| cell(position).map_or(0, |cell| self.aligned_bits(cell));
        let lasts = |position: &usize| cell(position).is_none_or(|cell| self.lasts(cell, look.shifting));
        Observation {
            operands: at.iter().map(|position| (*position, aligned(position))).collect(),
            lasting: at.iter().all(lasts),
        }
    }

    /// Which operands an operation observes the numbers of.
    fn observes(&self, look: &Look<'_, '_>, operation: &Operation, operands: &[&Operand]) -> Vec<usize> {
        let id = look.id;
        let silent = match operation {
            Operation::Compare { comparison, left, right } => {
                !self.comparison_observes(look, *comparison, left, right)
            }
            Operation::Binary { operator, left, right, .. } => self.is_followed(look, *operator, left, right),
            Operation::AtomicUpdate { exchange, value, .. } => {
                let moves = matches!(exchange, Exchange::Add | Exchange::Subtract);
                *exchange == Exchange::Swap || moves && self.numbers(id, &[value]).is_empty()
            }
            // What is in memory is compared with what is expected, and may be equal to it by chance.
            Operation::CompareExchange { address, expected, .. } => {
                let own = !self.numbers(id, &[expected]).is_empty() || self.keeps_own(id, address);
                !own || !self.comparison_observes(look, Comparison::Equal, expected, expected)
            }
            Operation::Cast { cast: Cast::Truncate, .. }
            | Operation::Offset { .. }
            | Operation::Intrinsic { .. }
            | Operation::Allocate { .. } => false,
            Operation::Call { callee, .. } => !self.takes_sizes(callee),
            _ => true,
        };
        match operation {
            _ if silent => Vec::new(),
            // The first operand is in memory, where what is exchanged has the kind of what it is compared with.
            Operation::CompareExchange { .. } => vec![0, 1],
            Operation::AtomicUpdate { address, .. } => self.updated(id, address, operands),
            _ => self.numbers(id, operands),
        }
    }

    /// Whether a function is given numbers of bytes.
    fn takes_sizes(&self, callee: &Callee) -> bool {
        use super::External as E;
        let Callee::Function(function) = callee else { return false };
        let function = &self.module.functions[*function];
        let effect = || (self.externals)(&function.name);
        !function.is_defined()
            && matches!(
                effect(),
                E::Allocates(_) | E::Reallocates(..) | E::CopiesMemory(..) | E::ReturnsArgument(_)
            )
    }

    /// What an atomic update observes: the place in memory, and the operand.
    fn updated(&self, id: FunctionId, address: &Operand, operands: &[&Operand]) -> Vec<usize> {
        let mut out = self.numbers(id, operands);
        out.extend(self.keeps_own(id, address).then_some(0));
        out
    }

    /// Whether an address of the program's own objects may lie where an address points.
    fn keeps_own(&self, id: FunctionId, address: &Operand) -> bool {
        self.known(id, address).is_some_and(|cell| {
            let cell = self.graph.resolve(cell);
            let mut slots = self.graph.body(cell.node).slots.iter().filter(|(key, _)| key.0 == cell.offset);
            slots.any(|(_, slot)| slot.link.is_some_and(|link| self.owns(link)))
        })
    }

    /// Whether the result of arithmetic is an address again, which the analysis follows.
    fn is_followed(
        &self,
        look: &Look<'_, '_>,
        operator: BinaryOperator,
        left: &Operand,
        right: &Operand,
    ) -> bool {
        let near = |operand: &Operand| integer(operand).is_some_and(|by| by.unsigned_abs() < NEAR);
        let plain = |operand: &Operand| comes_from_address(operand, &look.definitions);
        let foreign = |operand: &Operand| self.numbers(look.id, &[operand]).is_empty();
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
                    || plain(left) && plain(right) && self.one_object(look, left, right)
            }
            _ => false,
        }
    }

    /// Where something is added to the number of an address, or subtracted from it; and whether it is no small constant.
    pub fn moved(&self) -> BTreeMap<Site, bool> {
        let mut sites = BTreeMap::new();
        let near = |operand: &Operand| integer(operand).is_some_and(|by| by.unsigned_abs() < NEAR);
        for &id in &self.reachable {
            for (block, content) in self.module.functions[id].blocks.enumerate() {
                for (number, instruction) in content.instructions.iter().enumerate() {
                    if let Operation::Binary { operator, left, right, .. } = &instruction.operation
                        && matches!(operator, BinaryOperator::Add | BinaryOperator::Subtract)
                        && self.numbers(id, &[left, right]).len() == 1
                    {
                        let site = Site { function: id, block, number };
                        sites.insert(site, !near(left) && !near(right));
                    }
                }
            }
        }
        sites
    }

    /// Whether two operands point into one object for sure.
    fn one_object(&self, look: &Look<'_, '_>, left: &Operand, right: &Operand) -> bool {
        let (left, right) = (self.node_of(look.id, left), self.node_of(look.id, right));
        left == right && left.is_some_and(|cell| self.is_one_object(cell, look.shifting))
    }

    fn comparison_observes(
        &self,
        look: &Look<'_, '_>,
        comparison: Comparison,
        left: &Operand,
        right: &Operand,
    ) -> bool {
        let equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        let null = equality && (integer(left) == Some(0) || integer(right) == Some(0));
        if null || self.one_object(look, left, right) {
            return false;
        }
        let known = |operand| self.node_of(look.id, operand).filter(|&cell| self.owns(cell));
        match (known(left), known(right)) {
            (Some(a), Some(b)) if equality => {
                let direct = self.is_variable(look, left) && self.is_variable(look, right);
                self.may_meet(a, b, direct, look.shifting)
            }
            _ => true,
        }
    }

    /// Whether the same number depends on where objects are.
    fn may_meet(&self, a: Cell, b: Cell, direct: bool, shifting: &Shifting<'_>) -> bool {
        let moved = |cell: Cell| shifting.moved.contains(&cell.node);
        let ends = |origin: Origin| is_heap(origin) || owner(origin).is_some();
        let literal = |origin: Origin| self.is_literal(origin);
        moved(a)
            || moved(b)
            || !self.lasts(a, shifting)
            || !self.lasts(b, shifting)
            || shifting.frees
                && self.holds(a, ends)
                && self.holds(b, ends)
                && (self.holds(a, is_heap) || self.holds(b, is_heap))
            || self.holds(a, literal) && self.holds(b, literal)
            || !direct && self.locals_meet(a, b)
    }

    /// Whether one may be the address of a variable whose block has ended, where the other one lies now.
    fn locals_meet(&self, a: Cell, b: Cell) -> bool {
        let owners = |cell: Cell| -> Vec<(FunctionId, Origin)> {
            let objects =
                self.graph.body(cell.node).objects.iter().map(|&object| self.objects[object].origin);
            objects.filter_map(|origin| Some((owner(origin)?, origin))).collect()
        };
        let others = owners(b);
        owners(a).iter().any(|(function, origin)| {
            others.iter().any(|(other, another)| function == other && origin != another)
        })
    }

    /// Whether all objects of a node lie at one place as long as anybody has their address.
    fn lasts(&self, cell: Cell, shifting: &Shifting<'_>) -> bool {
        let again = |origin: Origin| {
            owner(origin).is_some_and(|function| {
                shifting.entered.contains(&function) && shifting.kept.contains(&cell.node)
            })
        };
        !self.holds(cell, again)
    }

    fn holds(&self, cell: Cell, is_such: impl Fn(Origin) -> bool) -> bool {
        let body = self.graph.body(cell.node);
        body.objects.iter().any(|&object| is_such(self.objects[object].origin))
    }

    /// A string literal or the like: what C gives no name.
    fn is_literal(&self, origin: Origin) -> bool {
        let Origin::Global(global) = origin else { return false };
        self.module.globals[global].constant && self.module.globals[global].variable.is_none()
    }

    /// Whether an operand is the address of a variable of the function itself, or of a global one, which lives.
    fn is_variable(&self, look: &Look<'_, '_>, operand: &Operand) -> bool {
        match operand {
            Operand::Value(value) => matches!(look.definitions[*value], Some(Operation::Allocate { .. })),
            Operand::Constant(_) => true,
        }
    }

    /// What the program does that lets addresses of different objects meet.
    fn shifting<'s>(&self, several: &'s BTreeSet<FunctionId>, uses: &AddressUses) -> Shifting<'s> {
        let ends = |name: &str| {
            matches!((self.externals)(name), super::External::Frees | super::External::Reallocates(..))
        };
        let mut functions = self.module.functions.iter();
        let mut shifting = Shifting {
            moved: BTreeSet::new(),
            frees: functions.any(|function| !function.is_defined() && ends(&function.name)),
            entered: self.edges.iter().map(|(_, callee, _)| *callee).collect(),
            several,
            kept: self.kept(uses),
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

    /// Nodes whose addresses are returned, or lie in memory that others than one activation get at.
    fn kept(&self, uses: &AddressUses) -> BTreeSet<NodeId> {
        let outlives = |origin: Origin| !matches!(origin, Origin::Local(..)) || uses.is_needed(origin);
        let returned = self.results.values().chain([&self.thread_result]);
        let mut kept: BTreeSet<NodeId> = returned.map(|&cell| self.graph.resolve(cell).node).collect();
        for node in self.graph.roots() {
            let body = self.graph.body(node);
            if body.outside || body.objects.iter().any(|&object| outlives(self.objects[object].origin)) {
                let links = body.slots.values().filter_map(|slot| slot.link);
                kept.extend(links.map(|link| self.graph.resolve(link).node));
            }
        }
        kept
    }

    /// An address that may have left its object.
    fn note_moved(&self, id: FunctionId, operation: &Operation, shifting: &mut Shifting<'_>) {
        if let Operation::Offset { base, constant, terms, .. } = operation
            && let Some(cell) = self.node_of(id, base)
            && (!terms.is_empty() || !self.is_inside(cell, *constant))
        {
            shifting.moved.insert(cell.node);
        }
        // The walk that changes operands serves for looking, too, on a copy.
        for operand in crate::ir::operands::operands(&mut operation.clone()) {
            self.note_operand(operand, shifting);
        }
    }

    fn note_operand(&self, operand: &Operand, shifting: &mut Shifting<'_>) {
        if let Operand::Constant(constant) = operand {
            self.note_constant(constant, shifting);
        }
    }

    fn note_constant(&self, constant: &Constant, shifting: &mut Shifting<'_>) {
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

    /// Which operands are numbers that may be those of addresses of the program's own objects.
    fn numbers(&self, id: FunctionId, operands: &[&Operand]) -> Vec<usize> {
        let own = |operand: &Operand| self.known(id, operand).is_some_and(|cell| self.owns(cell));
        (0..operands.len()).filter(|&position| own(operands[position])).collect()
    }

    /// Whether the node has an object or a function of the program itself.
    pub fn owns(&self, cell: Cell) -> bool {
        let body = self.graph.body(self.graph.resolve(cell).node);
        !body.functions.is_empty() || body.objects.iter().any(|&object| !self.objects[object].invented)
    }

    fn known(&self, id: FunctionId, operand: &Operand) -> Option<Cell> {
        match operand {
            Operand::Value(value) => self.values.get(&(id, *value)).copied(),
            Operand::Constant(Constant::Global(global, by)) => {
                let object = self.by_origin.get(&Origin::Global(*global))?;
                Some(self.objects[*object].cell.plus(*by))
            }
            Operand::Constant(Constant::Function(function)) => self.functions.get(function).copied(),
            Operand::Constant(_) => None,
        }
    }

    /// The node, as the cell where it starts.
    fn node_of(&self, id: FunctionId, operand: &Operand) -> Option<Cell> {
        let cell = self.graph.resolve(self.known(id, operand)?);
        Some(Cell { node: cell.node, offset: 0 })
    }

    /// Whether all addresses of a node are in one object.
    fn is_one_object(&self, cell: Cell, shifting: &Shifting<'_>) -> bool {
        let body = self.graph.body(cell.node);
        let [object] = body.objects[..] else { return false };
        let object = &self.objects[object];
        let single = match object.origin {
            Origin::Global(global) => !self.module.globals[global].thread_local,
            Origin::Heap(site) => self.is_reached_once(site, shifting),
            Origin::Unset(_) | Origin::Outside => false,
            Origin::Local(function, _) | Origin::Copy(function, _) | Origin::Arguments(function) => {
                !object.repeated && !shifting.several.contains(&function)
            }
        };
        !body.outside && body.functions.is_empty() && single && self.lasts(cell, shifting)
    }

    /// Whether a run gets to an instruction at most once: it is in no loop of a function that nobody calls.
    fn is_reached_once(&self, site: Site, shifting: &Shifting<'_>) -> bool {
        let function = &self.module.functions[site.function];
        let called = shifting.entered.contains(&site.function) || shifting.several.contains(&site.function);
        !called && !in_loops(function)[site.block]
    }

    /// How many low bits of addresses of a node are the same in all layouts: those that alignment fixes.
    fn aligned_bits(&self, cell: Cell) -> u32 {
        let body = self.graph.body(cell.node);
        if body.outside || !body.functions.is_empty() {
            return 0;
        }
        let align = |origin: Origin| match origin {
            Origin::Global(global) => self.module.globals[global].align,
            Origin::Heap(_) => 2 * u64::from(self.pointer()),
            Origin::Local(function, value) => alignment(&self.module.functions[function], value),
            _ => 1,
        };
        let all = body.objects.iter().map(|&object| align(self.objects[object].origin).max(1).ilog2());
        all.min().unwrap_or(0).min(4)
    }

    /// Reads of a part of an address, or of more than one.
    fn torn_reads(&self) -> BTreeSet<Site> {
        let mut bytewise: BTreeMap<FunctionId, BTreeSet<Site>> = BTreeMap::new();
        let mut sites = BTreeSet::new();
        for access in &self.accesses {
            let id = access.site.function;
            if matches!(self.operation(access.site), Some(Operation::Load { .. }))
                && self.is_torn_read(access.cell, access.width, || {
                    bytewise.entry(id).or_insert_with(|| self.bytewise(id)).contains(&access.site)
                })
            {
                sites.insert(access.site);
            }
        }
        sites
    }

    /// Whether a read of so many bytes may be of a part of an address. Where the analysis does not tell the members of
    /// objects apart, only bytes that are read one by one may: to read an address as an integer is undefined there.
    fn is_torn_read(&self, cell: Cell, width: u32, bytewise: impl FnOnce() -> bool) -> bool {
        let cell = self.graph.resolve(cell);
        let (body, key) = (self.graph.body(cell.node), (cell.offset, width));
        let address = |slot: &Slot| slot.link.is_some_and(|link| self.owns(link));
        let misaligned = |slot: &Slot| is_torn(body, key, slot) && address(slot);
        let torn = || {
            body.slots.get(&key).is_some_and(misaligned) || is_overlapped(body, key, widest(body), address)
        };
        let collapsed = body.stride != 0 && body.stride < u64::from(self.pointer());
        if collapsed { width == 1 && torn() && bytewise() } else { torn() }
    }

    /// Loads through pointers to bytes: no members of structs, which lie at constant offsets.
    fn bytewise(&self, id: FunctionId) -> BTreeSet<Site> {
        let function = &self.module.functions[id];
        let definitions = definitions(function);
        let is_member = |address: &Operand| match address {
            Operand::Value(value) => match definitions[*value] {
                Some(Operation::Offset { terms, .. }) => terms.is_empty(),
                Some(Operation::Allocate { .. }) => true,
                _ => false,
            },
            Operand::Constant(_) => true,
        };
        let mut sites = BTreeSet::new();
        for (block, content) in function.blocks.enumerate() {
            for (number, instruction) in content.instructions.iter().enumerate() {
                if let Operation::Load { address, .. } = &instruction.operation
                    && !is_member(address)
                {
                    sites.insert(Site { function: id, block, number });
                }
            }
        }
        sites
    }

    /// Where an address of an object of the program may be made of numbers that are not followed: there the program
    /// model, in which objects lie elsewhere, cannot go on.
    pub fn forged(&self) -> BTreeSet<Site> {
        if !self.numbers_meet {
            return BTreeSet::new();
        }
        let mut sites = self.forging.clone();
        for access in &self.accesses {
            let cell = self.graph.resolve(access.cell);
            let (body, key) = (self.graph.body(cell.node), (cell.offset, access.width));
            let forged = |slot: &Slot| slot.address_loaded && is_forged(body, key, slot);
            let reads = match self.operation(access.site) {
                Some(Operation::Load { .. }) => self.result_type(access.site) == Some(&Type::Pointer),
                _ => false,
            };
            // Arguments behind `...` are read as what was passed: anything else is undefined.
            let passed = self.holds(cell, |origin| matches!(origin, Origin::Arguments(_)));
            if reads && !passed && body.slots.get(&key).is_some_and(forged) {
                sites.insert(access.site);
            }
        }
        sites
    }

    fn operation(&self, site: Site) -> Option<&Operation> {
        let block = &self.module.functions[site.function].blocks[site.block];
        block.instructions.get(site.number).map(|instruction| &instruction.operation)
    }

    fn result_type(&self, site: Site) -> Option<&Type> {
        let function = &self.module.functions[site.function];
        let result = function.blocks[site.block].instructions.get(site.number)?.result?;
        Some(&function.values[result].ty)
    }
}

/// The operands that an operation may observe the numbers of, by position.
fn looked_at(operation: &Operation) -> Vec<&Operand> {
    match operation {
        Operation::Compare { left, right, .. } | Operation::Binary { left, right, .. } => vec![left, right],
        Operation::Cast { cast: Cast::Truncate, value } => vec![value],
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
