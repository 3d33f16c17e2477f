//! What may depend on something uninitialised.
//!
//! A fixed point over all functions at once. Variables that only their own function accesses are followed along the flow of
//! control; of all other memory only a region as a whole is known, and of calls neither caller nor order. What is not
//! found here is surely defined: it needs no shadow, and no check.

use super::points_to::{Access, Origin, PointsTo, RegionId, Site, Transfer};
use super::uses::operands;
use crate::ground::index::IndexVec;
use crate::ir::check::successors;
use crate::ir::{
    BlockId, Callee, Constant, FunctionId, Instruction, Intrinsic, Module, Operand, Operation, Terminator,
    Type, ValueId,
};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// What may be undefined.
#[derive(Clone, Default, Debug)]
pub struct Definedness {
    values: FxHashSet<(FunctionId, ValueId)>,
    regions: BTreeSet<RegionId>,
    results: BTreeSet<FunctionId>,
}

impl Definedness {
    /// Whether a value of a function may be undefined.
    #[must_use]
    pub fn value(&self, function: FunctionId, value: ValueId) -> bool {
        self.values.contains(&(function, value))
    }

    /// The regions that may be read where they are undefined.
    #[must_use]
    pub fn regions(&self) -> &BTreeSet<RegionId> {
        &self.regions
    }

    /// Functions whose result may be undefined.
    #[must_use]
    pub fn results(&self) -> &BTreeSet<FunctionId> {
        &self.results
    }
}

/// Whether a constant, or a part of it, is undefined.
#[must_use]
pub fn is_undefined(constant: &Constant) -> bool {
    match constant {
        Constant::Undefined(_) | Constant::Poison(_) | Constant::Unsupported(..) => true,
        Constant::Aggregate(_, members) => members.iter().any(is_undefined),
        _ => false,
    }
}

/// What the analysis looks at.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// The module.
    pub module: &'a Module,
    /// What pointers point to.
    pub points: &'a PointsTo,
    /// Whether a region is a variable that only its own function accesses.
    pub is_local: &'a dyn Fn(RegionId) -> bool,
    /// Whether an instruction allocates memory that is zero.
    pub gives_zeros: &'a dyn Fn(Site) -> bool,
    /// Whether a function without a body writes what a thread returned.
    pub joins: &'a dyn Fn(&str) -> bool,
}

/// Finds what may be undefined.
#[must_use]
pub fn find(facts: Facts<'_>) -> Definedness {
    let mut finder = Finder { facts, found: Definedness::default(), changed: true };
    for (id, region) in facts.points.regions().enumerate() {
        if !(facts.is_local)(id) && region.origins.iter().any(|&origin| starts_undefined(facts, origin)) {
            finder.found.regions.insert(id);
        }
    }
    while std::mem::take(&mut finder.changed) {
        let reachable = facts.points.reachable().iter().copied();
        for function in reachable.filter(|&id| facts.module.functions[id].is_defined()) {
            finder.function(function);
        }
    }
    finder.found
}

/// Whether an object comes into being without values.
fn starts_undefined(facts: Facts<'_>, origin: Origin) -> bool {
    match origin {
        // What comes from outside is an input.
        Origin::Global(_) | Origin::Outside => false,
        Origin::Heap(site) => !(facts.gives_zeros)(site),
        Origin::Local(..) | Origin::Copy(..) | Origin::Arguments(_) | Origin::Unset(_) => true,
    }
}

/// Variables of the function at hand that may be undefined at a place.
type State = BTreeSet<RegionId>;

struct Finder<'m> {
    facts: Facts<'m>,
    found: Definedness,
    changed: bool,
}

impl<'m> Finder<'m> {
    fn function(&mut self, id: FunctionId) {
        let function = &self.facts.module.functions[id];
        let mut states: IndexVec<BlockId, Option<State>> = IndexVec::filled(None, function.blocks.len());
        states[BlockId::FIRST] = Some(State::new());
        let mut grown = true;
        while std::mem::take(&mut grown) {
            for block in function.blocks.ids() {
                let Some(mut state) = states[block].clone() else { continue };
                self.block(id, block, &mut state);
                for next in successors(&function.blocks[block].terminator) {
                    let old = states[next].as_ref().map(State::len);
                    let known = states[next].get_or_insert_default();
                    known.extend(state.iter().copied());
                    grown |= old != Some(known.len());
                }
            }
        }
    }

    fn block(&mut self, id: FunctionId, block: BlockId, state: &mut State) {
        let function = &self.facts.module.functions[id];
        for (number, instruction) in function.blocks[block].instructions.iter().enumerate() {
            let site = Site { function: id, block, number };
            if self.instruction(site, instruction, state)
                && let Some(result) = instruction.result
            {
                self.changed |= self.found.values.insert((id, result));
            }
        }
        if let Terminator::Return(Some(value)) = &function.blocks[block].terminator
            && self.operand(id, value)
        {
            self.changed |= self.found.results.insert(id);
        }
    }

    fn operand(&self, function: FunctionId, operand: &Operand) -> bool {
        match operand {
            Operand::Value(value) => self.found.value(function, *value),
            Operand::Constant(constant) => is_undefined(constant),
        }
    }

    /// Whether the result of an instruction may be undefined.
    fn instruction(&mut self, site: Site, instruction: &'m Instruction, state: &mut State) -> bool {
        let accesses = self.facts.points.accesses(site).to_vec();
        match &instruction.operation {
            Operation::Freeze(_) | Operation::Fence | Operation::Unsupported(_) => false,
            Operation::Allocate { .. } => {
                if let Some(value) = instruction.result {
                    self.begins(Origin::Local(site.function, value), state);
                }
                false
            }
            Operation::Load { .. } => self.read_all(&accesses, state),
            Operation::Store { value, .. } => {
                let undefined = self.operand(site.function, value);
                accesses.iter().for_each(|access| self.put(access.region, undefined, state));
                false
            }
            Operation::AtomicUpdate { value: new, .. } | Operation::CompareExchange { new, .. } => {
                let old = self.read_all(&accesses, state);
                let undefined = old || self.operand(site.function, new);
                accesses.iter().for_each(|access| self.put(access.region, undefined, state));
                old
            }
            Operation::Call { callee, arguments, .. } => self.call(site, callee, arguments, state),
            Operation::Intrinsic { intrinsic, arguments } => {
                self.intrinsic(site, *intrinsic, arguments, state)
            }
            operation => operands(operation).into_iter().any(|operand| self.operand(site.function, operand)),
        }
    }

    /// A local variable comes into being.
    fn begins(&mut self, origin: Origin, state: &mut State) {
        for cell in self.facts.points.cells(origin) {
            self.put(cell.region, true, state);
        }
    }

    fn read_all(&mut self, accesses: &[Access], state: &State) -> bool {
        // All of them: a region that is read where it is undefined needs a shadow.
        accesses.iter().fold(false, |any, access| self.read(access.region, state) | any)
    }

    fn read(&mut self, region: RegionId, state: &State) -> bool {
        if !(self.facts.is_local)(region) {
            return self.found.regions.contains(&region);
        }
        let undefined = state.contains(&region);
        if undefined {
            self.changed |= self.found.regions.insert(region);
        }
        undefined
    }

    fn put(&mut self, region: RegionId, undefined: bool, state: &mut State) {
        match ((self.facts.is_local)(region), undefined) {
            (true, true) => _ = state.insert(region),
            (true, false) => _ = state.remove(&region),
            (false, true) => self.changed |= self.found.regions.insert(region),
            (false, false) => {}
        }
    }

    /// Memory is copied, or set to something that may be undefined.
    fn transfer(&mut self, transfer: &Transfer, set: bool, state: &mut State) {
        let pairs: Vec<(RegionId, Option<RegionId>)> = match transfer {
            Transfer::Nowhere => Vec::new(),
            Transfer::Pieces(pieces) => pieces.iter().map(|piece| (piece.to, piece.from)).collect(),
            Transfer::Loop { to, from, .. } => vec![(*to, *from)],
        };
        let read: Vec<bool> =
            pairs.iter().map(|(_, from)| from.map_or(set, |from| self.read(from, state))).collect();
        // A loop may end before it has come to all cells.
        let whole = !matches!(transfer, Transfer::Loop { .. });
        for ((to, _), undefined) in pairs.into_iter().zip(read) {
            if undefined || whole {
                self.put(to, undefined, state);
            }
        }
    }

    fn intrinsic(
        &mut self,
        site: Site,
        intrinsic: Intrinsic,
        arguments: &'m [(Operand, Type)],
        state: &mut State,
    ) -> bool {
        let any = |finder: &Self| arguments.iter().any(|(operand, _)| finder.operand(site.function, operand));
        match intrinsic {
            Intrinsic::CopyMemory | Intrinsic::MoveMemory | Intrinsic::CopyArguments => {
                let transfer = self.facts.points.copy(site);
                self.transfer(&transfer, false, state);
                false
            }
            Intrinsic::SetMemory => {
                let byte = self.operand(site.function, &arguments[1].0);
                let transfer = self.facts.points.set(site);
                self.transfer(&transfer, byte, state);
                false
            }
            Intrinsic::StartArguments => {
                let accesses = self.facts.points.accesses(site).to_vec();
                accesses.iter().for_each(|access| self.put(access.region, false, state));
                false
            }
            Intrinsic::StartLife => {
                if let Operand::Value(value) = arguments[0].0 {
                    self.begins(Origin::Local(site.function, value), state);
                }
                false
            }
            // Inputs, and what only we know.
            Intrinsic::SaveStack | Intrinsic::IsConstant | Intrinsic::ObjectSize => false,
            _ => any(self),
        }
    }

    fn call(
        &mut self,
        site: Site,
        callee: &Callee,
        arguments: &'m [(Operand, Type)],
        state: &mut State,
    ) -> bool {
        let callees = match callee {
            Callee::Function(function) => vec![*function],
            Callee::Address(_) => self.facts.points.callees(site).functions,
            Callee::Assembly { .. } => return false,
        };
        let mut undefined = false;
        for function in callees {
            let target = &self.facts.module.functions[function];
            if target.is_defined() {
                self.pass(site, function, arguments, state);
                undefined |= self.found.results.contains(&function);
            } else if (self.facts.joins)(&target.name) {
                self.joined(site, state);
            }
        }
        // What has no body gets what is checked, and gives an input.
        undefined
    }

    /// Arguments of a function that has a body.
    fn pass(
        &mut self,
        site: Site,
        function: FunctionId,
        arguments: &'m [(Operand, Type)],
        state: &mut State,
    ) {
        let callee = &self.facts.module.functions[function];
        for (number, parameter) in callee.parameters.iter().enumerate() {
            if parameter.copied.is_some() {
                let transfer = self.facts.points.argument_copy(site, function, number);
                self.transfer(&transfer, false, state);
                continue;
            }
            let argument = arguments.get(number);
            if argument.is_none_or(|(operand, _)| self.operand(site.function, operand)) {
                self.changed |= self.found.values.insert((function, parameter.value));
            }
        }
        for (operand, _) in arguments.iter().skip(callee.parameters.len()) {
            if self.operand(site.function, operand) {
                self.begins(Origin::Arguments(function), state);
            }
        }
    }

    /// What a thread returned is written.
    fn joined(&mut self, site: Site, state: &mut State) {
        let routines = self.facts.points.routines();
        if routines.iter().any(|routine| self.found.results.contains(routine)) {
            for access in self.facts.points.accesses(site).to_vec() {
                self.put(access.region, true, state);
            }
        }
    }
}
