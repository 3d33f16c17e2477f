//! One function: its blocks, executed symbolically.
//!
//! `Body` is the builder of edges. Its methods are here (blocks, one instruction after the other), in `values` (operands as terms,
//! slots), `edges` (what the pending edge reads, writes and assumes, and where it is cut) and `offer` (events for the checks). What single
//! instructions do are functions over it: `operations`, `intrinsics`, `flow` and `numbers` here, the others beside this folder.

pub(in crate::lower) mod aggregate;
pub(in crate::lower) mod edges;
pub(in crate::lower) mod floats;
pub(in crate::lower) mod flow;
pub(in crate::lower) mod intrinsics;
pub(in crate::lower) mod numbers;
pub(in crate::lower) mod offer;
pub(in crate::lower) mod operations;
pub(in crate::lower) mod pending;
pub(in crate::lower) mod values;

use crate::ground::index::IndexVec;
use crate::ir::analysis::points_to::{Origin, Site};
use crate::ir::analysis::uses::{END, Use, uses};
use crate::ir::{BlockId, Function, FunctionId, Operation, Place, ValueId};
use crate::lower::calls::parameters;
use crate::lower::memory::{lifetimes, outside};
use crate::lower::shadow::{self, Shadows};
use crate::lower::{Lowering, new_location};
use crate::program::{LocationId, ProcedureId};
use crate::term::free::FreeSymbols;
use crate::term::{Node, Symbol, Term};
use aggregate::Value;
use pending::Pending;
use rustc_hash::FxHashMap;

/// Lowers the body of a function.
pub(in crate::lower) fn lower(lowering: &mut Lowering<'_>, function: FunctionId) {
    let mut body = Body::new(lowering, function);
    parameters::set_up(&mut body);
    for block in body.function.blocks.ids() {
        body.block(block);
    }
}

/// A function that is being lowered: the builder of its edges.
pub(in crate::lower) struct Body<'l, 'm> {
    pub lowering: &'l mut Lowering<'m>,
    pub id: FunctionId,
    pub function: &'m Function,
    pub procedure: ProcedureId,
    pub locations: IndexVec<BlockId, LocationId>,
    /// Over the state at the start of the pending edge; `None` before the definition.
    pub values: IndexVec<ValueId, Option<Value>>,
    /// Values of this block that were defined so far.
    pub defined: Vec<ValueId>,
    slots: FxHashMap<ValueId, Value>,
    /// Which bits of values are undefined, where some may be.
    pub shadows: Shadows,
    /// The symbols of terms that were asked for.
    free: FreeSymbols,
    pub uses: IndexVec<ValueId, Use>,
    /// The local variable that an address is made of, by name.
    pub roots: IndexVec<ValueId, Option<Origin>>,
    /// The edge that is being built; nothing if control does not get here.
    pub pending: Option<Pending>,
    pub site: Site,
    pub place: Option<Place>,
    /// Whether the block at hand is the entry.
    fixed: bool,
    /// Where the arguments behind `...` are.
    pub further: Option<Symbol>,
    /// The number of the thread that runs this, where it is needed.
    pub own: Option<Symbol>,
    /// Whether the instruction at hand has offered its access to memory.
    pub offered: bool,
    /// An atomic section that has no edge yet: where it starts, and the location within it.
    pub section: Option<(LocationId, LocationId)>,
}

/// The entry.
const FIRST: BlockId = BlockId::FIRST;

/// Control does not get further.
pub(in crate::lower) struct Dead;

/// What an instruction gives, unless control ends there.
pub(in crate::lower) type Step<T = ()> = Result<T, Dead>;

/// Values and their shadows.
type Snapshot = (IndexVec<ValueId, Option<Value>>, IndexVec<ValueId, Option<Value>>);

/// What is not modelled of an access through a pointer from outside.
const MAY_MEET_OBJECTS: &str =
    "an access through a pointer from outside, which may lead to an object of the program";

impl<'l, 'm> Body<'l, 'm> {
    fn new(lowering: &'l mut Lowering<'m>, id: FunctionId) -> Self {
        let function = &lowering.module.functions[id];
        let procedure = lowering.of_function[&id];
        let target = &mut lowering.procedures[procedure];
        let mut locations = IndexVec::new();
        for (number, block) in function.blocks.iter().enumerate() {
            let location = if number == 0 { target.entry } else { new_location(target) };
            target.locations[location].label = block.name.clone();
            let first = block.instructions.iter().find(|i| !lifetimes::is_mark(&i.operation));
            target.locations[location].place = first.and_then(|i| i.place).or(block.place);
            locations.push(location);
        }
        let site = Site { function: id, block: FIRST, number: 0 };
        let pending = Some(Pending::at(target.entry));
        Self {
            id,
            function,
            procedure,
            locations,
            values: IndexVec::filled(None, function.values.len()),
            defined: Vec::new(),
            slots: FxHashMap::default(),
            shadows: Shadows::of(function.values.len()),
            free: FreeSymbols::default(),
            uses: uses(function),
            roots: lifetimes::roots(id, function),
            pending,
            site,
            place: function.place,
            fixed: true,
            further: None,
            own: None,
            offered: false,
            section: None,
            lowering,
        }
    }

    fn block(&mut self, id: BlockId) {
        let block = &self.function.blocks[id];
        // The entry goes on where the parameters were set up.
        if id != FIRST {
            self.pending = Some(Pending::at(self.locations[id]));
        }
        self.section = None;
        flow::error_label(self, id);
        self.forget_values();
        self.fixed = id == FIRST;
        for (number, instruction) in block.instructions.iter().enumerate() {
            self.site = Site { function: self.id, block: id, number };
            self.place = instruction.place;
            if self.pending.is_none() {
                return;
            }
            self.pending().place(instruction.place);
            if self.instruction(instruction.result, &instruction.operation).is_err() {
                self.pending = None;
                return;
            }
        }
        self.site.number = END;
        self.place = block.place;
        if self.pending.is_some() {
            self.pending().place(block.place);
            flow::terminator(self, id, &block.terminator);
        }
        self.pending = None;
    }

    /// Terms of another block speak of another state; constants of the entry do not, and all blocks come behind it.
    fn forget_values(&mut self) {
        for value in std::mem::take(&mut self.defined) {
            if !self.is_fixed(value) {
                self.values[value] = None;
                self.shadows.forget(value);
            }
        }
    }

    pub fn is_fixed(&self, value: ValueId) -> bool {
        let constant = |term: Term| matches!(self.lowering.store.node(term), Node::Bits(..));
        let fixed = |value: &Value| value.leaves().into_iter().all(constant);
        let (value, shadow) = (self.values[value].as_ref(), self.shadows.values[value].as_ref());
        self.fixed && value.is_some_and(fixed) && shadow.is_none_or(fixed)
    }

    fn instruction(&mut self, result: Option<ValueId>, operation: &'m Operation) -> Step {
        if let Operation::Phi(_) = operation {
            let result = result.expect("a phi has a result");
            let slot = self.slot(result);
            self.values[result] = Some(slot);
            shadow::receive(self, result);
            return Ok(());
        }
        self.shadows.result = None;
        self.offered = false;
        if let Some(whose) = self.lowering.memory.given_pointers
            && outside::is_touched(self)
        {
            return self.unsupported(format!("an access through a pointer that {whose}"));
        }
        if outside::may_meet_objects(self) {
            let always = self.lowering.store.boolean(true);
            self.unsupported_beside(always, MAY_MEET_OBJECTS);
        }
        let value = operations::execute(self, result, operation)?;
        self.offer_what_is_left();
        if let (Some(result), Some(value)) = (result, value) {
            shadow::set_result(self, result, operation);
            self.define(result, value);
        }
        Ok(())
    }

    /// Sets the value of a result; if other blocks use it, in a variable.
    pub fn define(&mut self, result: ValueId, value: Value) {
        self.values[result] = Some(value.clone());
        self.defined.push(result);
        if self.uses[result].elsewhere && !self.is_fixed(result) {
            let slot = self.slot(result);
            self.save(&slot, &value);
            shadow::save(self, result);
        }
    }

    pub fn set_parameter(&mut self, value: ValueId, symbol: Symbol) {
        self.values[value] = Some(Value::Term(self.lowering.store.symbol(symbol)));
    }

    pub fn snapshot(&self) -> Snapshot {
        (self.values.clone(), self.shadows.values.clone())
    }

    pub fn restore(&mut self, (values, shadows): Snapshot) {
        self.values = values;
        self.shadows.values = shadows;
    }
}
