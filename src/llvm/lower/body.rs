//! One function: its blocks, executed symbolically.

use super::super::points_to::Site;
use super::aggregate::Value;
use super::pending::Pending;
use super::uses::{END, Use, uses};
use super::{Lowering, new_location};
use crate::ground::index::IndexVec;
use crate::ir::{BlockId, Function, FunctionId, Operand, Operation, Place, Terminator, Type, ValueId};
use crate::program::{
    Action, Edge, LocationId, ProcedureId, PropertyId, PropertyKind, Role, Scope, Variable,
};
use crate::term::{Node, Sort, Symbol, Term};
use rustc_hash::FxHashMap;

/// Lowers the body of a function.
pub(super) fn lower(lowering: &mut Lowering<'_>, function: FunctionId) {
    let mut body = Body::new(lowering, function);
    body.parameters();
    for block in body.function.blocks.ids() {
        body.block(block);
    }
}

/// A function that is being lowered.
pub(super) struct Body<'l, 'm> {
    pub lowering: &'l mut Lowering<'m>,
    pub id: FunctionId,
    pub function: &'m Function,
    pub procedure: ProcedureId,
    locations: IndexVec<BlockId, LocationId>,
    /// Over the state at the start of the pending edge; `None` before the definition.
    values: IndexVec<ValueId, Option<Value>>,
    /// Values of this block that were defined so far.
    defined: Vec<ValueId>,
    slots: FxHashMap<ValueId, Value>,
    uses: IndexVec<ValueId, Use>,
    /// The edge that is being built; nothing if control does not get here.
    pending: Option<Pending>,
    pub site: Site,
    pub place: Option<Place>,
    /// Whether the block at hand is the entry.
    fixed: bool,
    /// Where the arguments behind `...` are.
    pub further: Option<Symbol>,
    /// The number of the thread that runs this, where it is needed.
    pub own: Option<Symbol>,
    /// An atomic section that has no edge yet: where it starts, and the location within it.
    pub section: Option<(LocationId, LocationId)>,
}

/// The entry.
const FIRST: BlockId = BlockId::FIRST;

/// Control does not get further.
pub(super) struct Dead;

/// What an instruction gives, unless control ends there.
pub(super) type Step<T = ()> = Result<T, Dead>;

/// Which values survive a cut as they are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// Those whose variables the edge leaves alone.
    Plain,
    /// Of these, those that mention local variables only: others may change what is global.
    Call,
}

impl<'l, 'm> Body<'l, 'm> {
    fn new(lowering: &'l mut Lowering<'m>, id: FunctionId) -> Self {
        let function = &lowering.module.functions[id];
        let procedure = lowering.of_function[&id];
        let target = &mut lowering.procedures[procedure];
        let mut locations = IndexVec::new();
        for (number, block) in function.blocks.iter().enumerate() {
            let location = if number == 0 { target.entry } else { new_location(target) };
            target.locations[location].label = block.name.clone();
            target.locations[location].place =
                block.instructions.first().and_then(|i| i.place).or(block.place);
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
            uses: uses(function),
            pending,
            site,
            place: function.place,
            fixed: true,
            further: None,
            own: None,
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
            }
        }
    }

    fn is_fixed(&self, value: ValueId) -> bool {
        let constant = |term: Term| matches!(self.lowering.store.node(term), Node::Bits(..));
        let value = self.values[value].as_ref();
        self.fixed && value.is_some_and(|value| value.leaves().into_iter().all(constant))
    }

    fn instruction(&mut self, result: Option<ValueId>, operation: &'m Operation) -> Step {
        if let Operation::Phi(_) = operation {
            let result = result.expect("a phi has a result");
            let slot = self.slot(result);
            self.values[result] = Some(slot);
            return Ok(());
        }
        let value = self.operation(result, operation)?;
        if let (Some(result), Some(value)) = (result, value) {
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
        }
    }

    fn save(&mut self, slot: &Value, value: &Value) {
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
        match self.operand(operand) {
            Value::Term(term) => term,
            Value::Members(members) => {
                let leaves = Value::Members(members).leaves();
                leaves
                    .into_iter()
                    .reduce(|low, high| self.lowering.store.concatenate(high, low))
                    .expect("not empty")
            }
        }
    }

    /// Ends the pending edge, if it does anything, and starts another one behind it.
    pub fn cut(&mut self, cut: Cut) -> LocationId {
        self.keep_values(cut);
        if self.pending().is_idle() {
            return self.pending().from;
        }
        let to = new_location(&mut self.lowering.procedures[self.procedure]);
        self.lowering.procedures[self.procedure].locations[to].place = self.place;
        self.leave(to, None, &[]);
        self.pending = Some(Pending::at(to));
        let place = self.place;
        self.pending().place(place);
        to
    }

    /// Values that are used behind the cut and would mean something else there go to variables.
    fn keep_values(&mut self, cut: Cut) {
        let cut = if self.lowering.threaded { Cut::Call } else { cut };
        let mut defined = std::mem::take(&mut self.defined);
        // An operand of the instruction at hand is still needed.
        defined.retain(|&value| self.uses[value].last >= self.site.number || self.uses[value].elsewhere);
        for &value in &defined {
            let current = self.values[value].clone().expect("defined");
            // What only the instruction at hand needs is read before others can change anything.
            let last = self.uses[value].last == self.site.number && !self.uses[value].elsewhere;
            let cut = if last && !self.lowering.threaded { Cut::Plain } else { cut };
            let stale = current.leaves().into_iter().any(|leaf| self.is_stale(leaf, cut));
            if stale {
                let slot = self.slot(value);
                self.save(&slot, &current);
                self.values[value] = Some(slot);
            }
        }
        self.defined = defined;
    }

    fn is_stale(&mut self, term: Term, cut: Cut) -> bool {
        let free = self.lowering.free.of(&self.lowering.store, term);
        let pending = self.pending.as_ref().expect("control gets here");
        let variables = &self.lowering.variables;
        free.iter().any(|&symbol| {
            let variable = &variables[symbol];
            let global = matches!(variable.scope, Scope::Global);
            pending.changes(symbol) || variable.scope == Scope::Input || (cut == Cut::Call && global)
        })
    }

    /// The edge to a location, with a further condition and further updates.
    pub fn leave(&mut self, to: LocationId, condition: Option<Term>, more: &[(Symbol, Term)]) {
        let pending = self.pending.as_ref().expect("control gets here");
        let (from, places) = (pending.from, pending.places.clone());
        let block = pending.block(&mut self.lowering.store, condition, more);
        if self.lowering.store.node(block.guard) == Node::Boolean(false) {
            return;
        }
        self.edge(Edge { from, to, action: Action::Block(block), property: None, places });
    }

    pub fn edge(&mut self, edge: Edge) {
        self.open_section(edge.from);
        self.lowering.procedures[self.procedure].edges.push(edge);
    }

    pub fn new_location(&mut self) -> LocationId {
        let to = new_location(&mut self.lowering.procedures[self.procedure]);
        self.lowering.procedures[self.procedure].locations[to].place = self.place;
        to
    }

    /// An edge of its own kind, and what comes behind it.
    pub fn act(&mut self, action: Action, cut: Cut) {
        self.cut(cut);
        let from = self.pending().from;
        let to = self.new_location();
        let places = self.place.into_iter().collect();
        self.edge(Edge { from, to, action, property: None, places });
        self.restart(to);
    }

    /// Goes on at a location.
    pub fn restart(&mut self, at: LocationId) {
        self.pending = Some(Pending::at(at));
        let place = self.place;
        self.pending().place(place);
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
        let values = self.snapshot();
        let here = self.pending().from;
        self.assume(condition);
        let _ = self.unsupported::<()>(what);
        self.restore(values);
        self.restart(here);
        let otherwise = self.lowering.store.not(condition);
        self.assume(otherwise);
    }

    /// A condition over the state behind a cut.
    pub fn settled(&mut self, condition: Term) -> Term {
        self.all_settled([condition])[0]
    }

    /// Conditions over the state behind one cut.
    pub fn all_settled<const N: usize>(&mut self, conditions: [Term; N]) -> [Term; N] {
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

    pub fn snapshot(&self) -> IndexVec<ValueId, Option<Value>> {
        self.values.clone()
    }

    pub fn restore(&mut self, values: IndexVec<ValueId, Option<Value>>) {
        self.values = values;
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

    fn terminator(&mut self, block: BlockId, terminator: &'m Terminator) {
        match terminator {
            Terminator::Return(value) => self.returns(value.as_ref()),
            Terminator::Jump(to) => self.jump(block, *to, None),
            Terminator::Branch { condition, yes, no } => self.branch(block, condition, *yes, *no),
            Terminator::Switch { value, bits, cases, default } => {
                self.switch(block, value, *bits, cases, *default)
            }
            // Where C says that control never gets, the run ends.
            Terminator::Unreachable => {
                let _ = self.end::<()>(Action::End);
            }
            Terminator::Unsupported(what) => {
                let _ = self.unsupported::<()>(what.clone());
            }
        }
    }

    pub fn returns(&mut self, value: Option<&'m Operand>) {
        if let Some(value) = value {
            let term = self.term(value);
            let width = self.lowering.store.width(term);
            let symbol = self.result(width);
            self.write(symbol, term);
        }
        self.leaves();
    }

    /// The function returns what is in the variable of its result.
    pub fn leaves(&mut self) {
        self.end_locals();
        self.leave_atomic_function();
        let exit = self.lowering.procedures[self.procedure].exit;
        self.leave(exit, None, &[]);
    }

    /// The variable of what the function returns.
    pub fn result(&mut self, width: u32) -> Symbol {
        super::calls::result_of(self.lowering, self.procedure, width)
    }

    fn jump(&mut self, from: BlockId, to: BlockId, condition: Option<Term>) {
        let phis = self.phis(from, to);
        self.leave(self.locations[to], condition, &phis);
    }

    /// The values of the phis of a block, if we come from another.
    fn phis(&mut self, from: BlockId, to: BlockId) -> Vec<(Symbol, Term)> {
        let mut updates = Vec::new();
        for instruction in &self.function.blocks[to].instructions {
            let (Operation::Phi(incoming), Some(result)) = (&instruction.operation, instruction.result)
            else {
                break;
            };
            let Some((_, operand)) = incoming.iter().find(|(block, _)| *block == from) else { continue };
            let (value, slot) = (self.operand(operand), self.slot(result));
            let pairs = slot.leaves().into_iter().zip(value.leaves());
            updates.extend(pairs.map(|(to, from)| (self.symbol_of(to), from)));
        }
        updates
    }

    fn branch(&mut self, block: BlockId, condition: &'m Operand, yes: BlockId, no: BlockId) {
        if yes == no {
            return self.jump(block, yes, None);
        }
        self.settle_inputs();
        let condition = self.condition(condition);
        let negated = self.lowering.store.not(condition);
        self.jump(block, yes, Some(condition));
        self.jump(block, no, Some(negated));
    }

    /// Inputs belong to one edge: several edges cannot share them.
    fn settle_inputs(&mut self) {
        if self.pending().has_inputs() {
            self.cut(Cut::Plain);
        }
    }

    /// An operand of one bit as a truth value.
    pub fn condition(&mut self, operand: &'m Operand) -> Term {
        let term = self.term(operand);
        self.is_one(term)
    }

    pub fn is_one(&mut self, bit: Term) -> Term {
        let one = self.lowering.store.bits(1, 1);
        self.lowering.store.equal(bit, one)
    }

    fn switch(
        &mut self,
        block: BlockId,
        value: &'m Operand,
        bits: u32,
        cases: &[(u128, BlockId)],
        default: BlockId,
    ) {
        self.settle_inputs();
        let value = self.term(value);
        let mut targets: indexmap::IndexMap<BlockId, Term> = indexmap::IndexMap::new();
        let mut none = self.lowering.store.boolean(true);
        for &(case, to) in cases {
            let store = &mut self.lowering.store;
            let case = store.bits(bits, case);
            let equal = store.equal(value, case);
            let differs = store.not(equal);
            none = store.and(none, differs);
            let joined = targets.get(&to).map_or(equal, |&other| store.or(other, equal));
            targets.insert(to, joined);
        }
        let otherwise = targets.get(&default).map_or(none, |&other| self.lowering.store.or(other, none));
        targets.insert(default, otherwise);
        for (to, condition) in targets {
            self.jump(block, to, Some(condition));
        }
    }

    fn error_label(&mut self, block: BlockId) {
        let name = &self.function.blocks[block].name;
        if self.lowering.settings.error_labels.iter().any(|label| crate::ir::is_label(name, label)) {
            self.place = self.function.blocks[block].start();
            self.property(PropertyKind::ErrorReached, format!("label {name} is not reached"), None);
        }
    }
}
