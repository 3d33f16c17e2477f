//! One function: its blocks, executed symbolically.

pub(in crate::lower) mod aggregate;
pub(in crate::lower) mod edges;
pub(in crate::lower) mod flow;
pub(in crate::lower) mod intrinsics;
pub(in crate::lower) mod numbers;
pub(in crate::lower) mod operations;
pub(in crate::lower) mod pending;

use crate::checks::Cut;
use crate::ground::index::IndexVec;
use crate::ir::analysis::points_to::{Origin, RegionId, Site};
use crate::ir::analysis::uses::{END, Use, uses};
use crate::ir::{BlockId, Function, FunctionId, Operand, Operation, Place, Type, ValueId};
use crate::lower::body::aggregate::Value;
use crate::lower::body::pending::Pending;
use crate::lower::{Lowering, new_location};
use crate::program::{
    Action, Edge, LocationId, ProcedureId, PropertyId, PropertyKind, Role, Scope, Variable,
};
use crate::term::{Node, Sort, Symbol, Term};
use rustc_hash::FxHashMap;

/// Lowers the body of a function.
pub(in crate::lower) fn lower(lowering: &mut Lowering<'_>, function: FunctionId) {
    let mut body = Body::new(lowering, function);
    body.parameters();
    for block in body.function.blocks.ids() {
        body.block(block);
    }
}

/// A function that is being lowered.
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
    pub shadows: IndexVec<ValueId, Option<Value>>,
    pub shadow_slots: FxHashMap<ValueId, Value>,
    /// The shadow of what the instruction at hand gives, if it said so.
    pub shadow: Option<Value>,
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

impl<'l, 'm> Body<'l, 'm> {
    fn new(lowering: &'l mut Lowering<'m>, id: FunctionId) -> Self {
        let function = &lowering.module.functions[id];
        let procedure = lowering.of_function[&id];
        let target = &mut lowering.procedures[procedure];
        let mut locations = IndexVec::new();
        for (number, block) in function.blocks.iter().enumerate() {
            let location = if number == 0 { target.entry } else { new_location(target) };
            target.locations[location].label = block.name.clone();
            let first =
                block.instructions.iter().find(|i| !crate::lower::memory::lifetimes::is_mark(&i.operation));
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
            shadows: IndexVec::filled(None, function.values.len()),
            shadow_slots: FxHashMap::default(),
            shadow: None,
            uses: uses(function),
            roots: crate::lower::memory::lifetimes::roots(id, function),
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
        self.error_label(id);
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
            self.terminator(id, &block.terminator);
        }
        self.pending = None;
    }

    /// Terms of another block speak of another state; constants of the entry do not, and all blocks come behind it.
    fn forget_values(&mut self) {
        for value in std::mem::take(&mut self.defined) {
            if !self.is_fixed(value) {
                self.values[value] = None;
                self.shadows[value] = None;
            }
        }
    }

    pub fn is_fixed(&self, value: ValueId) -> bool {
        let constant = |term: Term| matches!(self.lowering.store.node(term), Node::Bits(..));
        let fixed = |value: &Value| value.leaves().into_iter().all(constant);
        let (value, shadow) = (self.values[value].as_ref(), self.shadows[value].as_ref());
        self.fixed && value.is_some_and(fixed) && shadow.is_none_or(fixed)
    }

    fn instruction(&mut self, result: Option<ValueId>, operation: &'m Operation) -> Step {
        if let Operation::Phi(_) = operation {
            let result = result.expect("a phi has a result");
            let slot = self.slot(result);
            self.values[result] = Some(slot);
            if self.may_be_undefined(result) {
                self.shadows[result] = Some(self.shadow_slot(result));
            }
            return Ok(());
        }
        self.shadow = None;
        self.offered = false;
        if let Some(whose) = self.lowering.given_pointers
            && self.touches_given()
        {
            return self.unsupported(format!("an access through a pointer that {whose}"));
        }
        let value = self.operation(result, operation)?;
        self.offer_what_is_left();
        if let (Some(result), Some(value)) = (result, value) {
            if self.may_be_undefined(result) {
                let function = self.function;
                let shadow = self.shadow_of_result(operation, &function.values[result].ty);
                self.shadows[result] = Some(shadow);
            }
            self.define(result, value);
        }
        Ok(())
    }

    /// Whether the instruction at hand may access what pointers from outside lead to.
    fn touches_given(&self) -> bool {
        let regions = self.lowering.points.regions();
        let given = |region: &RegionId| regions[*region].origins.contains(&Origin::Outside);
        self.lowering.touched(self.site).iter().any(given)
    }

    /// Sets the value of a result; if other blocks use it, in a variable.
    pub fn define(&mut self, result: ValueId, value: Value) {
        self.values[result] = Some(value.clone());
        self.defined.push(result);
        if self.uses[result].elsewhere && !self.is_fixed(result) {
            let slot = self.slot(result);
            self.save(&slot, &value);
            if let Some(shadow) = self.shadows[result].clone() {
                let slot = self.shadow_slot(result);
                self.save(&slot, &shadow);
            }
        }
    }

    pub fn save(&mut self, slot: &Value, value: &Value) {
        for (to, from) in slot.leaves().into_iter().zip(value.leaves()) {
            let symbol = self.symbol_of(to);
            self.pending().write(symbol, from);
        }
    }

    pub fn symbol_of(&self, term: Term) -> Symbol {
        match self.lowering.store.node(term) {
            Node::Symbol(symbol) => symbol,
            other => unreachable!("a slot is a symbol, not {other:?}"),
        }
    }

    /// The variable that keeps a value behind cuts.
    pub fn slot(&mut self, value: ValueId) -> Value {
        if let Some(slot) = self.slots.get(&value) {
            return slot.clone();
        }
        let info = &self.function.values[value];
        let name = if info.name.is_empty() {
            format!("t{}", crate::ground::index::Index::index(value))
        } else {
            info.name.clone()
        };
        let slot = self.fresh_value(&info.ty, &mut |body, width| {
            let symbol = body.temporary(&name, width);
            body.lowering.store.symbol(symbol)
        });
        self.slots.insert(value, slot.clone());
        slot
    }

    /// A new local variable.
    pub fn temporary(&mut self, name: &str, width: u32) -> Symbol {
        let variable = Variable { scope: Scope::Local(self.procedure), ty: None, role: Role::Temporary };
        self.lowering.variable(name, Sort::Bits(width), variable)
    }

    /// An arbitrary value.
    pub fn input(&mut self, name: &str, width: u32) -> Term {
        let variable = Variable { scope: Scope::Input, ty: None, role: Role::Input(name.into()) };
        let symbol = self.lowering.variable(name, Sort::Bits(width), variable);
        self.pending().input(symbol);
        self.lowering.store.symbol(symbol)
    }

    /// An arbitrary value of a type.
    pub fn arbitrary(&mut self, ty: &Type, name: &str) -> Value {
        self.fresh_value(ty, &mut |body, width| body.input(name, width))
    }

    pub fn pending(&mut self) -> &mut Pending {
        self.pending.as_mut().expect("control gets here")
    }

    pub fn read(&mut self, symbol: Symbol) -> Term {
        let pending = self.pending.as_ref().expect("control gets here");
        pending.read(&mut self.lowering.store, symbol)
    }

    pub fn write(&mut self, symbol: Symbol, value: Term) {
        self.pending().write(symbol, value);
    }

    pub fn assume(&mut self, condition: Term) {
        let pending = self.pending.as_mut().expect("control gets here");
        pending.assume(&mut self.lowering.store, condition);
    }

    /// The value of an operand, of the given type.
    pub fn operand(&mut self, operand: &'m Operand) -> Value {
        match operand {
            Operand::Value(value) => match &self.values[*value] {
                Some(value) => value.clone(),
                // Defined in another block, which comes later in the list or is never reached.
                None => self.slot(*value),
            },
            Operand::Constant(constant) => self.constant(constant),
        }
    }

    /// The value of an operand that is no aggregate.
    pub fn term(&mut self, operand: &'m Operand) -> Term {
        let value = self.operand(operand);
        self.joined_term(&value)
    }

    /// All scalars of a value side by side.
    pub fn joined_term(&mut self, value: &Value) -> Term {
        let leaves = value.leaves().into_iter();
        leaves.reduce(|low, high| self.lowering.store.concatenate(high, low)).expect("not empty")
    }

    /// Control ends here.
    pub fn end<T>(&mut self, action: Action) -> Step<T> {
        self.act(action, Cut::Plain);
        Err(Dead)
    }

    pub fn unsupported<T>(&mut self, what: impl Into<String>) -> Step<T> {
        self.end(Action::Unsupported(what.into()))
    }

    /// Where the condition holds, control gets to what is not modelled; it goes on where it does not.
    pub fn unsupported_if(&mut self, condition: Term, what: &str) {
        let condition = self.settled(condition);
        self.unsupported_beside(condition, what);
        let otherwise = self.lowering.store.not(condition);
        self.assume(otherwise);
    }

    /// Where the condition holds, what follows is not all that may happen: control may get to what is not modelled, too.
    pub fn unsupported_beside(&mut self, condition: Term, what: &str) {
        if self.lowering.store.truth(condition) == Some(false) {
            return;
        }
        let condition = self.settled(condition);
        let values = self.snapshot();
        let here = self.pending().from;
        self.assume(condition);
        let _ = self.unsupported::<()>(what);
        self.restore(values);
        self.restart(here);
    }

    /// A condition over the state behind a cut.
    pub fn settled(&mut self, condition: Term) -> Term {
        self.all_settled([condition])[0]
    }

    /// Conditions over the state behind one cut.
    pub fn all_settled<const N: usize>(&mut self, conditions: [Term; N]) -> [Term; N] {
        if self.pending().is_idle() && !self.pending().shared {
            // They are about the very state that the next edge starts from.
            return conditions;
        }
        let kept = conditions.map(|condition| {
            if !self.needs_keeping(condition) {
                return condition;
            }
            let bit = self.bit(condition);
            let symbol = self.temporary("condition", 1);
            self.write(symbol, bit);
            let bit = self.lowering.store.symbol(symbol);
            self.is_one(bit)
        });
        self.cut(Cut::Plain);
        kept
    }

    /// Whether a term means something else behind a cut.
    pub fn needs_keeping(&mut self, term: Term) -> bool {
        self.is_stale(term, if self.lowering.threaded { Cut::Call } else { Cut::Plain })
    }

    pub fn use_of(&self, value: ValueId) -> Use {
        self.uses[value]
    }

    pub fn set_parameter(&mut self, value: ValueId, symbol: Symbol) {
        self.values[value] = Some(Value::Term(self.lowering.store.symbol(symbol)));
    }

    pub fn snapshot(&self) -> Snapshot {
        (self.values.clone(), self.shadows.clone())
    }

    pub fn restore(&mut self, (values, shadows): Snapshot) {
        self.values = values;
        self.shadows = shadows;
    }

    /// A property that is violated if the condition (always, if there is none) holds here.
    pub fn property(&mut self, kind: PropertyKind, text: String, violated: Option<Term>) -> PropertyId {
        self.cut(Cut::Plain);
        let place = self.place;
        let id = self.lowering.property(self.procedure, kind, text, place);
        let to = self.new_location();
        let from = self.pending().from;
        let always = self.lowering.store.boolean(true);
        let block = crate::program::Block {
            guard: violated.unwrap_or(always),
            updates: Vec::new(),
            inputs: Vec::new(),
        };
        self.open_section(from);
        let edges = &mut self.lowering.procedures[self.procedure].edges;
        let places = place.into_iter().collect();
        let edge = edges.push(Edge { from, to, action: Action::Block(block), property: Some(id), places });
        self.lowering.properties[id].edges.push((self.procedure, edge));
        id
    }
}
