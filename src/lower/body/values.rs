//! The values of a function: operands and constants as terms, new variables, and slots that keep values behind cuts.

use crate::ground::index::Index as _;
use crate::ir::analysis::points_to::Origin;
use crate::ir::{Constant, Operand, Type, ValueId};
use crate::lower::body::Body;
use crate::lower::body::aggregate::{Value, scalars, shaped};
use crate::program::{Role, Scope, Variable};
use crate::term::{Node, Operator, Sort, Symbol, Term};

impl<'m> Body<'_, 'm> {
    /// Writes a value to its slot.
    pub fn save(&mut self, slot: &Value, value: &Value) {
        for (to, from) in slot.leaves().into_iter().zip(value.leaves()) {
            let symbol = self.symbol_of(to);
            self.pending().write(symbol, from);
        }
    }

    /// The variable that a part of a slot is.
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
        let name = if info.name.is_empty() { format!("t{}", value.index()) } else { info.name.clone() };
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

    /// A value of a type whose scalars are made one by one.
    pub fn fresh_value(&mut self, ty: &Type, make: &mut dyn FnMut(&mut Self, u32) -> Term) -> Value {
        let mut terms: Vec<Term> = Vec::new();
        for (_, scalar) in scalars(ty) {
            let width = self.lowering.width_of(&scalar);
            terms.push(make(self, width));
        }
        shaped(ty, &mut terms.into_iter())
    }

    pub fn constant(&mut self, constant: &'m Constant) -> Value {
        let pointer = self.lowering.pointer_bits();
        let store = &mut self.lowering.store;
        let term = match constant {
            Constant::Integer { bits, value } => store.bits(*bits, *value),
            Constant::Float(bits) => store.bits(32, u128::from(*bits)),
            Constant::Double(bits) => store.bits(64, u128::from(*bits)),
            Constant::Null => store.bits(pointer, 0),
            Constant::Global(global, offset) => {
                let layout = &self.lowering.memory.layout;
                let base = layout.base(Origin::Global(*global)).expect("globals have addresses");
                store.bits(pointer, u128::from(base.wrapping_add_signed(*offset)))
            }
            Constant::Function(function) => {
                store.bits(pointer, u128::from(self.lowering.memory.layout.function(*function)))
            }
            Constant::Zero(ty) => {
                return self.fresh_value(ty, &mut |body, width| body.lowering.store.bits(width, 0));
            }
            Constant::Aggregate(_, members) => {
                return Value::Members(members.iter().map(|member| self.constant(member)).collect());
            }
            Constant::Undefined(ty) | Constant::Poison(ty) => return self.arbitrary(ty, "undefined value"),
            Constant::Unsupported(ty, what) => return self.arbitrary(ty, what),
        };
        Value::Term(term)
    }

    /// An operand of one bit as a truth value.
    pub fn condition(&mut self, operand: &'m Operand) -> Term {
        let term = self.term(operand);
        self.is_one(term)
    }

    /// Whether a bit is set.
    pub fn is_one(&mut self, bit: Term) -> Term {
        let one = self.lowering.store.bits(1, 1);
        self.lowering.store.equal(bit, one)
    }

    /// A truth value as one bit.
    pub fn bit(&mut self, condition: Term) -> Term {
        let (one, zero) = (self.lowering.store.bits(1, 1), self.lowering.store.bits(1, 0));
        self.lowering.store.choose(condition, one, zero)
    }

    /// A number as wide as an address.
    pub fn at_pointer_width(&mut self, term: Term) -> Term {
        let (width, pointer) = (self.lowering.store.width(term), self.lowering.pointer_bits());
        if width < pointer {
            self.lowering.store.zero_extend(pointer, term)
        } else {
            self.lowering.store.extract(0, pointer, term)
        }
    }

    /// An address so many bytes on.
    pub fn plus(&mut self, address: Term, bytes: u64) -> Term {
        let bytes = self.lowering.store.bits(self.lowering.pointer_bits(), u128::from(bytes));
        self.lowering.store.binary(Operator::Add, address, bytes)
    }

    /// A value in a variable of its own.
    pub fn kept(&mut self, name: &str, value: Term) -> Symbol {
        let width = self.lowering.store.width(value);
        let symbol = self.temporary(name, width);
        self.write(symbol, value);
        symbol
    }

    /// The type of what an instruction gives.
    pub fn result_type(&self, result: Option<ValueId>) -> &'m Type {
        result.map_or(&Type::Void, |value| &self.function.values[value].ty)
    }
}
